#include "sweep/sweep_workers.h"

#include <set>
#include <string>
#include <utility>

#include "sweep/goal_rules.h"
#include "workers/worker_recipe.h"

namespace warpwright {

SweepWorkers::SweepWorkers(const SweepOptions& options, const Paths& paths, const SweepPlan& plan,
                           SweepHost& host, EventQueue& events)
    : plan_(plan), nodes_(options.nodes), host_(host), events_(events) {
  const WorkerRecipe recipe(
      paths, plan_.devices,
      {options.seed, options.compile_workers, options.emulator_slots, options.use_compile_cache,
       may_end_trials_early(options, plan_), plan_.hazards, plan_.strict});
  const bool here = nodes_ == nullptr;
  const std::vector<WorkerNode> nodes = here ? std::vector<WorkerNode>() : nodes_->gather();
  const std::vector<std::vector<DeviceInfo>> of_node = plan_.devices_of_nodes(nodes.size());
  compilers_ = host_.start_compilers(here ? recipe.compilers() : recipe.compilers(nodes, of_node),
                                     [this](std::uint64_t ticket, CompileResult result) {
                                       events_.post(CompiledEvent{ticket, std::move(result)});
                                     });
  const auto compilers = static_cast<std::size_t>(compilers_->workers());
  const std::size_t groups = plan_.groups.size();
  for (std::size_t group = 0; group < groups; ++group) {
    const DeviceInfo& device = plan_.devices[plan_.groups[group].lead()];
    MeasurePoolOptions measure = recipe.measurers(plan_.kernel, device);
    for (const std::size_t one : plan_.groups[group].devices)
      measure.devices.push_back(here ? MeasureDevice{plan_.devices[one].id}
                                     : recipe.measurer(nodes[plan_.places[one].node],
                                                       of_node[plan_.places[one].node],
                                                       plan_.places[one].device));
    std::size_t slots = 0;
    for (const MeasureDevice& one : measure.devices)
      slots += static_cast<std::size_t>(one.slots > 0 ? one.slots : measure.slots);
    // Together, all groups keep the compilers busy. In a group of very many GPUs, each GPU keeps to
    // a board of its own if it can, so that fewer GPUs make the inputs of each board.
    const bool spread = plan_.groups[group].devices.size() > kGpusToARanker && device.has_clock;
    demand_.push_back(
        {(3 * compilers + groups - 1) / groups + (spread ? 16 : 2) * slots, compilers + 2 * slots});
    measure.any_order = options.any_order && device.has_clock;
    start_group(group, std::move(measure));
  }
  if (nodes_ == nullptr) return;
  nodes_->on_lost([this](const std::string& line, bool last) {
    events_.post(NodeLostEvent{line, last});
  });
}

SweepWorkers::~SweepWorkers() {
  if (nodes_ != nullptr) nodes_->on_lost(nullptr);
  events_.close();
}

void SweepWorkers::start_group(std::size_t group, MeasurePoolOptions measure) {
  references_.emplace_back();
  if (plan_.devices[plan_.groups[group].lead()].has_clock) start_references(group, measure);
  measure.on_waiting = [this](const std::string& line) { events_.post(NoticeEvent{line}); };
  measurers_.push_back(host_.start_measurers(
      std::move(measure), [this, group](std::uint64_t task, MeasureAnswer answer) {
        MeasuredEvent event{task, std::move(answer.outcome), std::move(answer.error),
                            plan_.groups[group].counts_as[answer.device], answer.device_lost};
        costs_a_worker(event) ? events_.post_and_wait(std::move(event))
                              : events_.post(std::move(event));
      }));
}

// Starts the computation of references on every host that has measurers of the group.
void SweepWorkers::start_references(std::size_t group, const MeasurePoolOptions& measure) {
  std::set<std::string> hosts;
  for (std::size_t i = 0; i < measure.devices.size(); ++i) {
    const std::size_t device = plan_.groups[group].devices[i];
    std::string host;
    if (nodes_ != nullptr) host = nodes_->gather()[plan_.places[device].node].host;
    if (!hosts.insert(host).second) continue;
    MeasurePoolOptions there = measure;
    if (const MeasureDevice& one = measure.devices[i]; one.start) {
      there.start = one.start;
      there.limits = one.limits;
    }
    there.setup.device = measure.devices[i].id;
    if (auto ahead = host_.start_references(there, plan_.device_there(device)))
      references_.back().push_back(std::move(ahead));
  }
}

void SweepWorkers::expect_trials(std::size_t board) {
  measurer_of(board).wake();
  // Trials compile while the previous board is measured, so its references can be computed
  // meanwhile.
  for (const auto& ahead : references_[plan_.boards[board].group])
    ahead->ask(plan_.boards[board].summary.problem);
}

void SweepWorkers::measure(std::uint64_t task, std::size_t board,
                           std::shared_ptr<const MeasureRequest> request,
                           std::optional<std::size_t> device) {
  MeasurePlace place;
  if (device) place.device = plan_.group_of(board).position(*device);
  // Emulated devices work on all boards at once.
  if (plan_.device_of(board).has_clock) place.turn = board;
  measurer_of(board).submit(task, std::move(request), place);
}

bool SweepWorkers::cancel(std::uint64_t task, std::size_t board) {
  return measurer_of(board).cancel(task);
}

std::vector<std::uint64_t> SweepWorkers::cancel_queued() {
  compilers_->cancel_queued();
  std::vector<std::uint64_t> cancelled;
  for (const auto& pool : measurers_) {
    const std::vector<std::uint64_t> of_pool = pool->cancel_queued();
    cancelled.insert(cancelled.end(), of_pool.begin(), of_pool.end());
  }
  return cancelled;
}

void SweepWorkers::note_best(std::size_t board, double best_us) {
  measurer_of(board).note_best(board, best_us);
}

void SweepWorkers::reserve(std::size_t board) {
  measurer_of(board).reserve(plan_.group_of(board).position(plan_.boards[board].device), board);
}

void SweepWorkers::release(std::size_t board) {
  measurer_of(board).reserve(plan_.group_of(board).position(plan_.boards[board].device),
                             std::nullopt);
}

}  // namespace warpwright
