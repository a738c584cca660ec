#include "sweep/model_prior.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "core/error.h"
#include "core/usable_cores.h"
#include "device/emulated_device.h"
#include "search/known_boards.h"
#include "sweep/sweep_plan.h"
#include "trial/launch/launch_plan.h"
#include "workers/worker_recipe.h"

namespace warpwright {
namespace {

// A model that takes longer than this is not worth waiting for.
constexpr std::chrono::milliseconds kModelLimit{5000};
// Blocks that are run of every launch on the board's own problem. Fewer are run if each block does
// much work, but at least the first, the middle and the last block of the grid.
constexpr double kMaxBlocks = 48;
constexpr double kMinBlocks = 3;
// The work of all sampled blocks: a quarter of a second on one core.
constexpr double kSampledBytes = 2.5 * 1024 * 1024;
constexpr double kSampledFlops = 2e8;
// If this number of configurations time out before any is modelled, the problem is too large for a
// model.
constexpr std::size_t kFewGivenUp = 2;
// Limited because each emulator holds the inputs in its memory.
constexpr int kMaxEmulators = 4;
constexpr int kMaxPlaces = 4;
// Requests for inputs also request reference answers, which are not used here.
constexpr std::uint64_t kNoAnswers = 1;
// The longest wait of the first question, and the wait's share of the sweep's time.
constexpr std::chrono::milliseconds kMaxPatience{30'000};
constexpr int kPatienceShare = 10;

double product_of_sizes(const Problem& problem) {
  double product = 1;
  for (const auto& [name, value] : problem)
    if (value.is_number() && !value.is_bool()) product *= std::max(1.0, value.as_real());
  return product;
}

// Counts the string parameters that differ: another name of a type means different code.
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

// Returns null when a constraint cannot be evaluated for the problem.
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

// Returns the number of blocks to run of each launch. A launch that cannot be evaluated counts as
// one that does little work.
std::uint64_t sampled_blocks(const KernelSpec& kernel, const Configuration& configuration,
                             const ModelPlace& place) {
  try {
    const Environment environment =
        trial_environment(kernel, configuration, place.problem, place.device);
    double grid = 1;
    for (const PlannedLaunch& launch :
         plan_launches(kernel, variant_of(kernel, configuration), environment))
      grid =
          std::max(grid, static_cast<double>(launch.grid[0]) * static_cast<double>(launch.grid[1]) *
                             static_cast<double>(launch.grid[2]));
    return blocks_to_model(grid, kernel.work.bytes.evaluate_real(environment),
                           kernel.work.flops.evaluate_real(environment));
  } catch (const Error&) {
    return blocks_to_model(1, 0, 0);
  }
}

}  // namespace

std::optional<ModelPlace> model_place(const SweepPlan& plan, std::size_t board, std::string& why) {
  const SweepBoard& own = plan.boards[board].summary;
  ModelPlace place;
  std::string known;
  for (const DeviceInfo& device : list_emulated_devices()) {
    known += (known.empty() ? "" : ", ") + device.id;
    if (device.arch != own.device.arch) continue;
    // If several match, prefer the model of exactly this device.
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

std::uint64_t blocks_to_model(double grid, double bytes, double flops) {
  const double each = 1 / std::max(1.0, grid);
  const double enough = std::min(kSampledBytes / std::max(1.0, bytes * each),
                                 kSampledFlops / std::max(1.0, flops * each));
  return static_cast<std::uint64_t>(std::clamp(enough, kMinBlocks, kMaxBlocks));
}

ModelPrior::ModelPrior(const SweepOptions& options, const Paths& paths, const SweepPlan& plan,
                       CompileService& compilers, EventQueue& events, Believe believe)
    : options_(options),
      paths_(paths),
      plan_(plan),
      compilers_(compilers),
      events_(events),
      believe_(std::move(believe)) {
  for (std::size_t board = 0; board < plan.boards.size(); ++board)
    if (plan.boards[board].model_prior) plan_board(board);
  pools_.resize(places_.size());
  begin_places();
}

void ModelPrior::plan_board(std::size_t board) {
  std::string why;
  const std::optional<ModelPlace> own = model_place(plan_, board, why);
  if (!own) {
    if (trouble_.empty()) trouble_ = why;
    return;
  }
  auto at =
      static_cast<std::size_t>(std::find_if(places_.begin(), places_.end(),
                                            [&](const Place& one) {
                                              return one.own.device.id == own->device.id &&
                                                     one.own.problem_text == own->problem_text;
                                            }) -
                               places_.begin());
  if (at == places_.size()) {
    Place place;
    place.own = *own;
    place.own_space = space_at(plan_, *own);
    place.small = small_place(plan_, board, *own);
    if (!place.own_space || place.own_space->count() == 0) {
      if (trouble_.empty())
        trouble_ = fmt::format("no configuration of {} can run on {}", plan_.board_name(board),
                               own->problem_text);
      return;
    }
    if (place.small) place.small_space = space_at(plan_, *place.small);
    if (!place.small_space) place.small.reset();
    const std::uint64_t count =
        std::min(place.own_space->count(), plan_.boards[board].space->count());
    summary_.candidates += static_cast<std::size_t>(std::min<std::uint64_t>(count, kMaxModelled));
    summary_.device = own->device.id;
    places_.push_back(std::move(place));
  }
  places_[at].boards.push_back(board);
  place_of_[board] = at;
  told_[board] = 0;
}

void ModelPrior::begin_places() {
  const int cores = usable_cores();
  auto free = std::clamp(cores / 4, 1, kMaxPlaces);
  for (const Place& place : places_) free -= place.begun && !place.done() ? 1 : 0;
  for (std::size_t at = 0; at < places_.size() && free > 0 && !stopped_; ++at) {
    Place& place = places_[at];
    if (place.begun) continue;
    place.begun = true;
    place.search = make_search(place);
    pools_[at] = make_pool(place);
    pools_[at]->wake();
    ask(at);
    free -= place.done() ? 0 : 1;
  }
}

std::unique_ptr<MeasurePool> ModelPrior::make_pool(const Place& place) const {
  const int cores = usable_cores();
  const auto at_once = std::min(kMaxPlaces, static_cast<int>(places_.size()));
  WorkerOptions workers;
  workers.seed = options_.seed;
  workers.emulator_workers = options_.emulator_slots > 0
                                 ? options_.emulator_slots
                                 : std::clamp(cores / (2 * at_once), 1, kMaxEmulators);
  const DeviceInfo& device = place.own.device;
  MeasurePoolOptions pool = WorkerRecipe(paths_, {device}, workers).measurers(plan_.kernel, device);
  pool.setup.background = true;
  pool.setup.options.validated_elements = kNoAnswers;
  return std::make_unique<MeasurePool>(
      std::move(pool), [&events = events_](std::uint64_t job, MeasureAnswer answer) {
        events.post(ModelledEvent{job, std::move(answer.outcome), std::move(answer.error)});
      });
}

std::unique_ptr<Strategy> ModelPrior::make_search(const Place& place) const {
  const SearchSpace& space = *searched(place);
  StrategyOptions options;
  options.seed = options_.seed;
  options.budget = kMaxModelled;
  options.first = first_questions(space, plan_.kernel, plan_.sweep);
  return make_strategy("auto", space, options);
}

void ModelPrior::ask(std::size_t at) {
  // Enough to keep the emulators busy while others are compiled; a search with more answers asks
  // better questions.
  constexpr std::size_t kOpen = 8;
  Place& place = places_[at];
  const SearchSpace& space = *searched(place);
  while (!place.asked_all && place.open < kOpen) {
    const std::optional<std::uint64_t> index =
        stopped_ || place.asked >= kMaxModelled ? std::nullopt : place.search->ask();
    if (!index) {
      place.asked_all = true;
      break;
    }
    const Configuration configuration = space.at(*index);
    const SearchSpace& possible = place.is_small ? *place.small_space : *place.own_space;
    if (!possible.index_of(configuration)) {
      place.search->tell(Answer{*index});
      continue;
    }
    ++place.asked;
    ++place.open;
    const std::uint64_t id = next_job_++;
    Job& job = jobs_[id];
    job.place = at;
    job.index = *index;
    job.request = std::make_shared<MeasureRequest>();
    job.request->what.emplace<TrialToModel>().trial.configuration = configuration;
    job.request->launch_time_limit = kModelLimit;
    compile(id);
  }
}

void ModelPrior::compile(std::uint64_t id) {
  Job& job = jobs_.at(id);
  const Place& place = places_[job.place];
  const ModelPlace& now = place.now();
  job.small = place.is_small;
  auto& asked = std::get<TrialToModel>(job.request->what);
  const Configuration& configuration = asked.trial.configuration;
  asked.trial.problem = now.problem;
  asked.sample_blocks = job.small ? 0 : sampled_blocks(plan_.kernel, configuration, now);
  const std::uint64_t ticket = compilers_.submit(
      make_compile_job(plan_.kernel, configuration, now.problem, now.device, plan_.include_folders),
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
    settle(id, std::nullopt);
    return true;
  }
  CompiledTrial& trial = std::get<TrialToModel>(job.request->what).trial;
  trial.compiled = std::move(result);
  trial.compiled.cubin.clear();
  trial.compiled.log.clear();
  pools_[job.place]->submit(id, job.request);
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
  if (too_much && !job.small && !place.is_small && !place.any && place.small &&
      (event.error || ++place.given_up == kFewGivenUp)) {
    place.is_small = true;
    // The set of possible configurations may differ there.
    place.search = make_search(place);
  }
  if ((good || too_much) && goes_small(event.job)) return;
  if (event.error) {
    if (trouble_.empty()) trouble_ = event.error->message();
    // A fault of the contract or of the environment would affect every other job, too.
    stop();
  }
  // Times of different problems must not be mixed.
  const bool told = good && job.small == place.is_small;
  place.any = place.any || told;
  settle(event.job, told ? std::optional(time->median_us) : std::nullopt);
}

void ModelPrior::settle(std::uint64_t id, std::optional<double> us) {
  const Job job = std::move(jobs_.at(id));
  jobs_.erase(id);
  Place& place = places_[job.place];
  --place.open;
  ++(us ? summary_.modelled : summary_.failed);
  Answer answer{job.index};
  answer.cost = us;
  place.search->tell(answer);
  if (us) {
    const Configuration configuration = searched(place)->at(job.index);
    for (const std::size_t board : place.boards) {
      const auto index = plan_.boards[board].space->index_of(configuration);
      if (!index) continue;
      ++told_[board];
      believe_(board, *index, *us);
    }
  }
  summary_.seconds = std::chrono::duration<double>(Clock::now() - start_).count();
  ask(job.place);
  if (!place.done()) return;
  pools_[job.place].reset();
  begin_places();
}

bool ModelPrior::is_known(std::size_t board) const {
  const auto at = place_of_.find(board);
  return stopped_ || at == place_of_.end() || places_[at->second].done();
}

std::chrono::milliseconds ModelPrior::patience(const Budget& budget, std::size_t boards) {
  if (!budget.time) return kMaxPatience;
  return std::min(kMaxPatience, *budget.time / kPatienceShare / std::max<int>(1, boards));
}

void ModelPrior::stop() {
  stopped_ = true;
  for (const auto& pool : pools_)
    if (pool) (void)pool->cancel_queued();
}

KnowledgeSource ModelPrior::named(std::size_t board) const {
  const ModelPlace& place = places_[place_of_.at(board)].now();
  return {"emulator", place.device.id, place.problem_text, told_.at(board)};
}

PriorSummary ModelPrior::summary() const { return summary_; }

}  // namespace warpwright
