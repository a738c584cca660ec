#include "sweep/model_prior.h"

#include <fmt/format.h>

#include <algorithm>
#include <random>
#include <thread>
#include <utility>

#include "core/error.h"
#include "device/emulated_device.h"
#include "search/known_boards.h"
#include "sweep/first_questions.h"
#include "workers/worker_recipe.h"

namespace warpwright {
namespace {

// What takes longer is not worth waiting for.
constexpr std::chrono::milliseconds kModelLimit{5000};
// Of every launch, on the board's own problem: enough for a time, as `profile --sample` shows.
constexpr std::uint64_t kSampledBlocks = 48;
// So many that take too long in the beginning, and the problem is too large for a model.
constexpr std::size_t kFewGivenUp = 2;
// Each has the inputs in its memory.
constexpr int kMostEmulators = 4;
// The answers of the reference are asked for with the inputs, but nobody wants them.
constexpr std::uint64_t kNoAnswers = 1;
// What the first question waits for at most, and of a sweep's time the share.
constexpr std::chrono::milliseconds kMostPatience{15'000};
constexpr int kPatienceShare = 10;

double product_of_sizes(const Problem& problem) {
  double product = 1;
  for (const auto& [name, value] : problem)
    if (value.is_number() && !value.is_bool()) product *= std::max(1.0, value.as_real());
  return product;
}

// What is no number: another type is other code.
std::size_t other_words(const Problem& a, const Problem& b) {
  std::size_t count = 0;
  for (const auto& [name, value] : a) {
    const auto found = b.find(name);
    if (value.is_string() && found != b.end() && found->second != value) ++count;
  }
  return count;
}

std::vector<Problem> emulated_problems(const SweepPlan& plan) {
  std::vector<Problem> problems;
  for (const ProblemChoice& choice : plan.sweep.emulated)
    problems.push_back(complete_problem(plan.kernel, choice.sizes, choice.where));
  return problems;
}

std::vector<Problem> case_problems(const SweepPlan& plan) {
  std::vector<Problem> problems;
  for (const CaseSpec& test : plan.kernel.cases)
    problems.push_back(complete_problem(plan.kernel, test.problem, test.where));
  return problems;
}

// Null where a constraint makes no sense for the problem.
std::shared_ptr<SearchSpace> space_at(const SweepPlan& plan, const ModelPlace& place) {
  try {
    return solve_space(
        define_space(plan.sweep, &plan.kernel, place.problem, device_constants(place.device)),
        /*allow_empty=*/true);
  } catch (const Error&) {
    return nullptr;
  }
}

template <typename Worse>
std::optional<Problem> least(const std::vector<Problem>& problems, Worse worse) {
  const auto best =
      std::min_element(problems.begin(), problems.end(),
                       [&](const Problem& a, const Problem& b) { return worse(a) < worse(b); });
  return best == problems.end() ? std::nullopt : std::optional(*best);
}

}  // namespace

std::optional<ModelPlace> model_place(const SweepPlan& plan, std::size_t board, std::string& why) {
  const SweepBoard& own = plan.boards[board].summary;
  ModelPlace place;
  std::string known;
  for (const DeviceInfo& device : list_emulated_devices()) {
    known += (known.empty() ? "" : ", ") + device.id;
    if (device.arch != own.device.arch) continue;
    // Of several, the model of this very one.
    if (place.device.id.empty() || device.name.ends_with(own.device.name)) place.device = device;
  }
  if (place.device.id.empty()) {
    why = fmt::format("no emulated device is like {} ({}); there are {}", own.device.id,
                      own.device.arch, known);
    return std::nullopt;
  }
  place.problem = own.problem;
  place.problem_text = own.problem_text;
  return place;
}

std::optional<ModelPlace> small_place(const SweepPlan& plan, std::size_t board, ModelPlace place) {
  const SweepBoard& own = plan.boards[board].summary;
  std::optional<Problem> problem = least(emulated_problems(plan), [&](const Problem& one) {
    return problem_distance(one, own.problem);
  });
  if (!problem) {
    problem = least(case_problems(plan), [&](const Problem& one) {
      return std::pair(other_words(one, own.problem), product_of_sizes(one));
    });
  }
  if (!problem) return std::nullopt;
  place.problem = *std::move(problem);
  place.problem_text = describe_problem(plan.kernel, place.problem);
  return place;
}

std::vector<std::uint64_t> modelled_sample(const SweepPlan& plan, std::size_t board,
                                           const ModelPlace& place, std::uint64_t seed) {
  const SearchSpace& space = *plan.boards[board].space;
  const std::shared_ptr<SearchSpace> possible = space_at(plan, place);
  if (!possible) return {};
  std::vector<std::uint64_t> indices;
  const auto add = [&](std::uint64_t index) {
    if (indices.size() < kMostModelled && possible->index_of(space.at(index)) &&
        std::find(indices.begin(), indices.end(), index) == indices.end())
      indices.push_back(index);
  };
  for (const std::uint64_t index : first_questions(space, plan.kernel, plan.sweep)) add(index);
  std::mt19937_64 generator(seed);
  // Some that the emulated device does not take are among them.
  for (const std::uint64_t index : space.sample(4 * kMostModelled, generator)) add(index);
  return indices;
}

ModelPrior::ModelPrior(const SweepOptions& options, const Paths& paths, const SweepPlan& plan,
                       CompilePool& compilers, EventQueue& events, Believe believe)
    : plan_(plan), compilers_(compilers), events_(events), believe_(std::move(believe)) {
  for (std::size_t board = 0; board < plan.boards.size(); ++board)
    if (plan.boards[board].model_prior) plan_board(options, paths, board);
}

std::size_t ModelPrior::pool_of(const SweepOptions& options, const Paths& paths,
                                const DeviceInfo& device) {
  const auto known = std::find(pool_devices_.begin(), pool_devices_.end(), device.id);
  if (known != pool_devices_.end()) return static_cast<std::size_t>(known - pool_devices_.begin());
  const int cores = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
  WorkerOptions workers;
  workers.seed = options.seed;
  workers.emulator_workers = options.emulator_slots > 0 ? options.emulator_slots
                                                        : std::clamp(cores / 2, 1, kMostEmulators);
  MeasurePoolOptions pool = WorkerRecipe(paths, {device}, workers).measurers(plan_.kernel, device);
  pool.setup.background = true;
  pool.setup.options.validated_elements = kNoAnswers;
  pool_devices_.push_back(device.id);
  pools_.push_back(std::make_unique<MeasurePool>(
      std::move(pool), [this](std::uint64_t job, Outcome outcome, std::optional<Error> error) {
        events_.post(ModelledEvent{job, std::move(outcome), std::move(error)});
      }));
  pools_.back()->wake();
  return pools_.size() - 1;
}

void ModelPrior::plan_board(const SweepOptions& options, const Paths& paths, std::size_t board) {
  std::string why;
  const std::optional<ModelPlace> place = model_place(plan_, board, why);
  if (!place) {
    if (trouble_.empty()) trouble_ = why;
    return;
  }
  const std::vector<std::uint64_t> sample = modelled_sample(plan_, board, *place, options.seed);
  if (sample.empty()) {
    if (trouble_.empty())
      trouble_ = fmt::format("no configuration of {} can run on {}", plan_.board_name(board),
                             place->problem_text);
    return;
  }
  const std::size_t at = place_of(board, *place);
  place_of_[board] = at;
  told_[board] = 0;
  open_[board] = 0;
  const std::size_t pool = pool_of(options, paths, place->device);
  for (const std::uint64_t index : sample) {
    const Configuration configuration = plan_.boards[board].space->at(index);
    const auto [known, fresh] = known_.try_emplace(
        place->device.id + '\n' + place->problem_text + '\n' + configuration.to_string(),
        known_.size());
    Job& job = jobs_[known->second];
    job.wanted.emplace_back(board, index);
    ++open_[board];
    if (!fresh) continue;
    job.place = at;
    job.pool = pool;
    job.request = std::make_shared<MeasureRequest>();
    job.request->what.emplace<TrialToModel>().trial.configuration = configuration;
    job.request->launch_time_limit = kModelLimit;
    ++summary_.candidates;
    compile(known->second);
  }
  summary_.device = place->device.id;
}

std::size_t ModelPrior::place_of(std::size_t board, const ModelPlace& own) {
  for (std::size_t at = 0; at < places_.size(); ++at)
    if (places_[at].own.device.id == own.device.id &&
        places_[at].own.problem_text == own.problem_text)
      return at;
  Place place{own, small_place(plan_, board, own)};
  if (place.small) place.small_space = space_at(plan_, *place.small);
  if (!place.small_space) place.small.reset();
  places_.push_back(std::move(place));
  return places_.size() - 1;
}

void ModelPrior::compile(std::uint64_t id) {
  Job& job = jobs_.at(id);
  const Place& place = places_[job.place];
  job.small = place.is_small;
  auto& asked = std::get<TrialToModel>(job.request->what);
  asked.trial.problem = place.now().problem;
  asked.sample_blocks = job.small ? 0 : kSampledBlocks;
  const std::uint64_t ticket = compilers_.submit(
      make_compile_job(plan_.kernel, asked.trial.configuration, asked.trial.problem,
                       place.now().device, plan_.include_folders),
      /*spare=*/true);
  tickets_[ticket] = id;
}

bool ModelPrior::goes_small(std::uint64_t id) {
  Job& job = jobs_.at(id);
  const Place& place = places_[job.place];
  if (stopped_ || job.small || !place.is_small) return false;
  if (!place.small_space->index_of(std::get<TrialToModel>(job.request->what).trial.configuration))
    return false;
  // A worker may still read the request.
  job.request = std::make_shared<MeasureRequest>(*job.request);
  compile(id);
  return true;
}

bool ModelPrior::compiled(std::uint64_t ticket, CompileResult& result) {
  const auto found = tickets_.find(ticket);
  if (found == tickets_.end()) return false;
  const std::uint64_t id = found->second;
  tickets_.erase(found);
  if (goes_small(id)) return true;
  Job& job = jobs_.at(id);
  if (stopped_ || !result.ok) {
    ++summary_.failed;
    settle(id);
    return true;
  }
  CompiledTrial& trial = std::get<TrialToModel>(job.request->what).trial;
  trial.compiled = std::move(result);
  trial.compiled.cubin.clear();
  trial.compiled.log.clear();
  pools_[job.pool]->submit(id, job.request);
  return true;
}

void ModelPrior::modelled(ModelledEvent event) {
  const auto found = jobs_.find(event.job);
  if (found == jobs_.end()) return;
  const Job& job = found->second;
  Place& place = places_[job.place];
  const std::optional<TimeEstimate>& time = event.outcome.time;
  const bool good =
      !event.error && event.outcome.status == Status::kOk && time && time->median_us > 0;
  const bool too_much = event.error || event.outcome.status == Status::kTimeout;
  if (too_much && !job.small && !place.any && place.small &&
      (event.error || ++place.given_up == kFewGivenUp))
    place.is_small = true;
  if ((good || too_much) && goes_small(event.job)) return;
  // Times of another problem are of no use beside those that are told.
  if (good && job.small == place.is_small) {
    place.any = true;
    ++summary_.modelled;
    for (const auto& [board, index] : job.wanted) {
      ++told_[board];
      believe_(board, index, time->median_us);
    }
  } else {
    ++summary_.failed;
  }
  if (event.error) {
    if (trouble_.empty()) trouble_ = event.error->message();
    // A fault of the contract or of the environment would meet every other, too.
    stop();
  }
  settle(event.job);
}

// It has nothing more to tell.
void ModelPrior::settle(std::uint64_t job) {
  for (const auto& [board, index] : jobs_.at(job).wanted) --open_[board];
  jobs_.erase(job);
  summary_.seconds = std::chrono::duration<double>(Clock::now() - start_).count();
}

bool ModelPrior::first_is_known() const {
  return stopped_ || open_.empty() || open_.begin()->second == 0;
}

std::chrono::milliseconds ModelPrior::patience(const Budget& budget) {
  return budget.time ? std::min(kMostPatience, *budget.time / kPatienceShare) : kMostPatience;
}

void ModelPrior::stop() {
  stopped_ = true;
  for (const auto& pool : pools_) (void)pool->cancel_queued();
}

KnowledgeSource ModelPrior::named(std::size_t board) const {
  const ModelPlace& place = places_[place_of_.at(board)].now();
  return {"emulator", place.device.id, place.problem_text, told_.at(board)};
}

PriorSummary ModelPrior::summary() const { return summary_; }

}  // namespace warpwright
