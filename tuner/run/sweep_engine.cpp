#include "run/sweep_engine.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <ctime>
#include <nlohmann/json.hpp>
#include <thread>

#include "core/files.h"
#include "run/interrupt.h"
#include "run/trial_key.h"

namespace warpwright {
namespace {

constexpr std::chrono::milliseconds kPollInterval{100};
// How long a stop waits for trials that are on a device.
constexpr std::chrono::seconds kStopPatience{5};

int cores() { return std::max(1, static_cast<int>(std::thread::hardware_concurrency())); }

std::string host_name() {
  char name[256] = {};
  return gethostname(name, sizeof(name) - 1) == 0 ? name : "unknown";
}

std::string budget_text(const Budget& budget) {
  std::string text;
  if (budget.trials) text = fmt::format("{} trials", *budget.trials);
  if (budget.time) text += fmt::format("{}{} ms", text.empty() ? "" : ", ", budget.time->count());
  return text;
}

Outcome failed_outcome(Status status, std::string reason) {
  Outcome outcome;
  outcome.status = status;
  outcome.reason = std::move(reason);
  return outcome;
}

}  // namespace

std::string utc_now() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  gmtime_r(&now, &parts);
  char text[32];
  std::strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%SZ", &parts);
  return text;
}

SweepEngine::SweepEngine(const SweepOptions& options, const Paths& paths, SweepPlan plan,
                         Database& database, Progress& progress)
    : options_(options),
      paths_(paths),
      plan_(std::move(plan)),
      database_(database),
      progress_(progress),
      boards_(plan_.boards.size()),
      start_(Clock::now()) {}

SweepEngine::~SweepEngine() = default;

void SweepEngine::post(Event event) {
  {
    const std::lock_guard lock(mutex_);
    events_.push_back(std::move(event));
  }
  wake_.notify_one();
}

void SweepEngine::start_pools() {
  const std::string program = paths_.program.string();
  const std::filesystem::path cache = cache_root();

  CompilePoolOptions compile;
  compile.workers = options_.compile_workers > 0 ? options_.compile_workers : cores();
  compile.worker_command = {program, "worker", "compile"};
  if (options_.use_compile_cache) compile.cache_folder = cache / "compile";
  compilers_ =
      std::make_unique<CompilePool>(compile, [this](std::uint64_t ticket, CompileResult result) {
        post({Event::Kind::kCompiled, ticket, std::move(result), {}, {}});
      });

  std::size_t slots = 0;
  for (const DeviceInfo& device : plan_.devices) {
    MeasurePoolOptions measure;
    measure.setup.device = device.id;
    measure.setup.kernel_file = plan_.kernel.file;
    measure.setup.options.seed = options_.seed;
    measure.setup.options.reference_library = paths_.built_reference(plan_.kernel.name);
    // A folder from outside may bear the name of a kernel in the tree; its reference is its own.
    if (plan_.kernel.folder.parent_path() != paths_.home / "kernels")
      measure.setup.options.reference_library.clear();
    measure.setup.options.reference_include = paths_.common_headers();
    measure.setup.options.cache_folder = cache / "reference";
    measure.setup.options.screening = options_.screening;
    measure.worker_command = {program, "worker", "measure"};
    // An emulated device is deterministic, so several processes may share it; a GPU times one trial
    // at a time.
    if (!device.has_clock)
      measure.slots = options_.emulator_slots > 0 ? options_.emulator_slots : cores();
    slots += static_cast<std::size_t>(measure.slots);
    measurers_.push_back(std::make_unique<MeasurePool>(
        std::move(measure),
        [this](std::uint64_t ticket, Outcome outcome, std::optional<Error> error) {
          post({Event::Kind::kMeasured, ticket, {}, std::move(outcome), std::move(error)});
        }));
  }
  ahead_ = 3 * static_cast<std::size_t>(compilers_->workers()) + 2 * slots;
}

std::uint64_t SweepEngine::planned_trials() const {
  std::uint64_t total = 0;
  for (const PlannedBoard& board : plan_.boards) {
    const std::uint64_t all = board.space->count();
    total +=
        plan_.budget.trials ? std::min(all, static_cast<std::uint64_t>(*plan_.budget.trials)) : all;
  }
  return total;
}

SweepSummary SweepEngine::run() {
  start_pools();
  for (const VariantSpec& variant : plan_.kernel.variants)
    variant_hashes_[variant.name] = variant_hash(plan_.kernel, variant, plan_.include_folders);
  const std::string contract = read_file(plan_.kernel.file);
  for (const auto& [name, hash] : variant_hashes_)
    kernel_rows_[hash] =
        database_.put_kernel({plan_.kernel.name, hash, plan_.kernel.summary, contract});
  for (const DeviceInfo& device : plan_.devices) {
    device_rows_.push_back(database_.put_device({device.fingerprint(), device.id, device.name,
                                                 device.arch, device.uuid, device.driver,
                                                 device.has_clock, nlohmann::json(device).dump()}));
  }
  RunRecord run;
  run.config_path = plan_.sweep.file.string();
  run.config_text = plan_.sweep.text;
  run.seed = options_.seed;
  run.strategy = plan_.strategy;
  run.budget = budget_text(plan_.budget);
  run.version = options_.version;
  run.nvrtc_version = compilers_->nvrtc_version();
  run.host = host_name();
  run.command_line = options_.command_line;
  run.started_utc = utc_now();
  run_ = database_.start_run(run);

  summary_.ended = "complete";
  progress_.set_total(planned_trials());
  const InterruptGuard interrupts;
  std::optional<Clock::time_point> give_up;
  ask_ahead();
  while (!tasks_.empty()) {
    std::deque<Event> batch;
    {
      std::unique_lock lock(mutex_);
      wake_.wait_for(lock, kPollInterval, [this] { return !events_.empty(); });
      batch.swap(events_);
    }
    for (Event& event : batch) handle(std::move(event));
    if (InterruptGuard::requested() && !give_up) {
      stop_asking("interrupted");
      give_up = Clock::now() + kStopPatience;
      progress_.say(
          "stopping: waiting for the trials on the device; press Ctrl-C again to leave them");
    }
    if (error_ && !give_up && stopping_) give_up = Clock::now() + kStopPatience;
    if (give_up && Clock::now() > *give_up) break;
    ask_ahead();
  }
  progress_.finish();

  const CompilePoolStatistics compile = compilers_->statistics();
  summary_.compile_busy_seconds = compile.busy_seconds;
  summary_.compile_workers = compilers_->workers();
  summary_.compiled = compile.compiled;
  summary_.compile_cache_hits = compile.from_cache;
  for (const auto& pool : measurers_) {
    summary_.measure_busy_seconds =
        std::max(summary_.measure_busy_seconds, pool->statistics().busy_seconds);
  }
  summary_.wall_seconds = std::chrono::duration<double>(Clock::now() - start_).count();
  summary_.run = run_;
  summary_.kernel = plan_.kernel;
  summary_.database = database_.path();
  for (PlannedBoard& board : plan_.boards) summary_.boards.push_back(board.summary);
  database_.finish_run(run_, error_ ? "failed" : summary_.ended, utc_now());
  if (error_) {
    throw error_->add_context(
        fmt::format("{} trials of this sweep are stored in {}; the same command goes on from there",
                    summary_.trials, database_.path().string()));
  }
  return std::move(summary_);
}

void SweepEngine::stop_asking(const std::string& ended) {
  summary_.ended = ended;
  stopping_ = true;
  compilers_->cancel_queued();
  // What was not on a device is dropped; trials being measured stay in tasks_ until their event
  // comes.
  for (const auto& pool : measurers_)
    for (const std::uint64_t dropped : pool->cancel_queued()) tasks_.erase(dropped);
  std::erase_if(tasks_, [](const auto& entry) { return entry.second.compiling > 0; });
  std::erase_if(tickets_,
                [this](const auto& entry) { return !tasks_.contains(entry.second.first); });
}

void SweepEngine::ask_ahead() {
  while (!stopping_ && tasks_.size() < ahead_ && current_board_ < boards_.size()) {
    if (!ask_one(current_board_)) ++current_board_;
  }
}

bool SweepEngine::ask_one(std::size_t index) {
  BoardState& state = boards_[index];
  if (state.failed) return false;
  if (plan_.budget.trials && state.asked >= static_cast<std::uint64_t>(*plan_.budget.trials)) {
    if (state.asked < plan_.boards[index].space->count()) summary_.ended = "budget";
    return false;
  }
  if (plan_.budget.time) {
    // What is left of the time is shared evenly by the boards that are left.
    if (!state.deadline) {
      const auto left = start_ + *plan_.budget.time - Clock::now();
      state.deadline = Clock::now() + left / static_cast<int>(boards_.size() - index);
    }
    if (Clock::now() >= *state.deadline) {
      summary_.ended = "budget";
      return false;
    }
  }
  const std::optional<std::uint64_t> question = plan_.boards[index].strategy->ask();
  if (!question) return false;
  ++state.asked;
  start_task(index, *question);
  return true;
}

void SweepEngine::start_task(std::size_t board_index, std::uint64_t index) {
  const PlannedBoard& board = plan_.boards[board_index];
  const DeviceInfo& device = plan_.devices[board.device];
  auto request = std::make_shared<MeasureRequest>();
  request->configuration = board.space->at(index);
  request->problem = board.summary.problem;

  CompileJob job = make_compile_job(plan_.kernel, request->configuration, request->problem, device,
                                    plan_.include_folders);
  Task task;
  task.board = board_index;
  task.index = index;
  task.variant = variant_hashes_.at(request->configuration.variant);
  task.options = job.options();
  task.key = trial_key(task.variant, portable_key(job) + ' ' + compilers_->nvrtc_version(),
                       request->problem, request->configuration, device, options_.seed);
  if (!options_.fresh) {
    const auto stored = database_.find_trials({task.key});
    if (const auto it = stored.find(task.key); it != stored.end()) {
      resumed(board_index, index, it->second);
      return;
    }
  }
  task.started_utc = utc_now();
  task.case_key = device.id + ' ' + task.variant + ' ' + request->configuration.to_string();
  std::vector<CompileJob> jobs = {std::move(job)};
  if (!cases_passed_.contains(task.case_key)) {
    for (CaseJob& test :
         case_jobs(plan_.kernel, request->configuration, device, plan_.include_folders)) {
      jobs.push_back(test.job);
      request->cases.push_back({std::move(test), {}});
    }
  }
  task.compiling = jobs.size();
  task.request = std::move(request);
  const std::uint64_t id = next_task_++;
  tasks_.emplace(id, std::move(task));
  for (std::size_t position = 0; position < jobs.size(); ++position) {
    tickets_[compilers_->submit(std::move(jobs[position]))] = {id, position};
  }
}

void SweepEngine::handle(Event event) {
  if (event.kind == Event::Kind::kCompiled) {
    on_compiled(event.ticket, std::move(event.compiled));
    return;
  }
  if (!tasks_.contains(event.ticket)) return;
  if (event.error) {
    fail(event.ticket, *event.error);
  } else {
    finish(event.ticket, std::move(event.outcome));
  }
}

void SweepEngine::on_compiled(std::uint64_t ticket, CompileResult result) {
  const auto found = tickets_.find(ticket);
  if (found == tickets_.end()) return;
  const auto [task_id, position] = found->second;
  tickets_.erase(found);
  Task& task = tasks_.at(task_id);
  if (!result.ok && !task.failed) {
    const std::string where =
        position == 0 ? "" : fmt::format("case {}: ", task.request->cases[position - 1].test.name);
    task.failed = failed_outcome(Status::kCompileFailed, where + result.failure);
  }
  if (position == 0) {
    task.request->compiled = std::move(result);
  } else {
    task.request->cases[position - 1].compiled = std::move(result);
  }
  if (--task.compiling == 0) compile_finished(task_id);
}

void SweepEngine::compile_finished(std::uint64_t task_id) {
  Task& task = tasks_.at(task_id);
  const PlannedBoard& board = plan_.boards[task.board];
  const DeviceInfo& device = plan_.devices[board.device];
  MeasureRequest& request = *task.request;
  if (!task.failed) {
    try {
      task.failed = reject_impossible_launch(plan_.kernel, request.configuration, request.problem,
                                             device, request.compiled);
    } catch (const Error& error) {
      fail(task_id, error);
      return;
    }
  }
  if (task.failed) {
    task.failed->resources = request.compiled.resources;
    finish(task_id, std::move(*task.failed));
    return;
  }
  // Each kind of device needs one of the two forms of code; the other need not travel.
  const auto strip = [&](CompileResult& compiled) {
    (device.has_clock ? compiled.ptx : compiled.cubin).clear();
    compiled.log.clear();
  };
  strip(request.compiled);
  for (TrialRunner::CompiledCase& test : request.cases) strip(test.compiled);
  measurers_[board.device]->submit(task_id, task.request);
}

void SweepEngine::finish(std::uint64_t task_id, Outcome outcome) {
  const Task& task = tasks_.at(task_id);
  outcome.compile_seconds = task.request->compiled.seconds;
  summary_.measure_seconds += outcome.measure_seconds;
  const TrialRecord trial = record(task, outcome);
  database_.add_trial(trial);
  if (outcome.status == Status::kOk) cases_passed_.insert(task.case_key);
  plan_.boards[task.board].strategy->tell(
      {task.index, outcome.status == Status::kOk ? trial.median_us : std::nullopt});
  count(task.board, trial.configuration_text, outcome.status, trial.median_us);
  tasks_.erase(task_id);
}

void SweepEngine::fail(std::uint64_t task_id, const Error& error) {
  const std::size_t board = tasks_.at(task_id).board;
  tasks_.erase(task_id);
  std::erase_if(tickets_, [&](const auto& entry) { return entry.second.first == task_id; });
  if (!boards_[board].failed) {
    boards_[board].failed = true;
    Error located = error;
    located.add_context(fmt::format("for problem {} on {}",
                                    plan_.boards[board].summary.problem_text,
                                    plan_.boards[board].summary.device.id));
    progress_.say(located.what());
    if (!error_) error_ = std::move(located);
  }
  // The user's contract may fail on one problem only; a fault of the environment would meet every
  // trial.
  if (error.fault() != Fault::kUser && !stopping_) stop_asking("failed");
}

void SweepEngine::resumed(std::size_t board, std::uint64_t index, const TrialRecord& trial) {
  ++summary_.resumed;
  plan_.boards[board].strategy->tell(
      {index, trial.status == Status::kOk ? trial.median_us : std::nullopt});
  count(board, trial.configuration_text, trial.status, trial.median_us);
}

void SweepEngine::count(std::size_t board, const std::string& configuration, Status status,
                        std::optional<double> median_us) {
  ++summary_.trials;
  ++summary_.by_status[status];
  BoardState& state = boards_[board];
  if (status == Status::kOk && median_us && (!state.best_us || *median_us < *state.best_us)) {
    state.best_us = median_us;
    state.best = configuration;
  }
  std::string note = "no valid configuration yet";
  if (state.best_us) {
    note = fmt::format("best {:.4g} us{} {}", *state.best_us,
                       plan_.boards[board].summary.device.has_clock ? "" : " modelled", state.best);
  }
  progress_.update(summary_.trials, note);
}

TrialRecord SweepEngine::record(const Task& task, const Outcome& outcome) const {
  const PlannedBoard& board = plan_.boards[task.board];
  const Configuration& configuration = task.request->configuration;
  TrialRecord trial;
  trial.key = task.key;
  trial.run = run_;
  trial.device = device_rows_[board.device];
  trial.kernel = kernel_rows_.at(task.variant);
  trial.problem_json = nlohmann::json(board.summary.problem).dump();
  trial.problem_text = board.summary.problem_text;
  trial.variant = configuration.variant;
  trial.configuration_json = nlohmann::json(configuration.values).dump();
  trial.configuration_text = configuration.to_string();
  trial.status = outcome.status;
  trial.reason = outcome.reason;
  if (outcome.time) {
    trial.median_us = outcome.time->median_us;
    trial.ci_low_us = outcome.time->ci_low_us;
    trial.ci_high_us = outcome.time->ci_high_us;
    trial.floor_us = outcome.time->floor_us;
    trial.modelled = outcome.time->modelled;
    trial.protocol = outcome.time->protocol;
  }
  const nlohmann::json details = outcome;
  trial.counters_json = details.at("counters").dump();
  trial.errors_json = details.at("errors").dump();
  trial.cubin_hash = outcome.cubin_hash;
  trial.options_json = nlohmann::json(task.options).dump();
  trial.compile_seconds = outcome.compile_seconds;
  trial.validate_seconds = outcome.validate_seconds;
  trial.measure_seconds = outcome.measure_seconds;
  trial.sm_clock_mhz = outcome.sm_clock_mhz;
  Environment environment;
  for (const auto& [name, value] : device_constants(board.summary.device))
    environment.set(name, value);
  for (const auto& [name, value] : board.summary.problem) environment.set(name, value);
  for (const auto& [name, value] : configuration.values) environment.set(name, value);
  nlohmann::json resources = details.at("resources");
  if (outcome.status == Status::kOk) {
    // The compiler knows static shared memory only; what the launch adds is the contract's.
    for (const LaunchSpec& launch : plan_.kernel.find_variant(configuration.variant)->launches) {
      for (nlohmann::json& entry : resources) {
        if (entry.at("entry") == launch.entry)
          entry["dynamic_shared"] = launch.shared_bytes.evaluate_integer(environment);
      }
    }
  }
  trial.resources_json = resources.dump();
  trial.work_bytes = plan_.kernel.work.bytes.evaluate_real(environment);
  trial.work_flops = plan_.kernel.work.flops.evaluate_real(environment);
  trial.started_utc = task.started_utc;
  trial.samples_us = outcome.samples_us;
  return trial;
}

}  // namespace warpwright
