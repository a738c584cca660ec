#include "support/simulated_host.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <deque>
#include <set>
#include <utility>

#include "core/error.h"
#include "support/repeated_boards.h"
#include "trial/timing/finals.h"
#include "trial/trial_runner.h"
#include "workers/measure_queue.h"

namespace warpwright::testing {
namespace {

using Nanoseconds = std::int64_t;
constexpr double kSecond = 1e9;

// As much as a usual cubin: the engine hashes it.
constexpr std::size_t kCubinBytes = 16384;

Nanoseconds to_ns(double seconds) { return static_cast<Nanoseconds>(seconds * kSecond); }

Nanoseconds clock_ns(clockid_t clock) {
  timespec time{};
  clock_gettime(clock, &time);
  return time.tv_sec * Nanoseconds{1'000'000'000} + time.tv_nsec;
}

// How long this thread has waited for a core; 0 where the kernel does not say.
Nanoseconds waited_for_core() {
  static const int file = ::open("/proc/thread-self/schedstat", O_RDONLY | O_CLOEXEC);
  char text[96] = {};
  if (file < 0 || ::pread(file, text, sizeof(text) - 1, 0) <= 0) return 0;
  char* waited = nullptr;
  (void)std::strtoll(text, &waited, 10);
  return std::strtoll(waited, nullptr, 10);
}

// Equal for jobs that make the same code. `copies` false: of whatever repetition.
std::string code_key(const CompileJob& job, bool copies) {
  std::string key = job.source.filename().string();
  for (const auto& [name, value] : job.defines)
    if (copies || name != kRepetition) key += fmt::format(" {}={}", name, value);
  for (const std::string& name : job.names) key += ' ' + name;
  for (const std::string& option : job.extra_options) key += ' ' + option;
  return key;
}

Problem without_copy(Problem problem) {
  problem.erase(kRepetition);
  return problem;
}

}  // namespace

struct SimulatedHost::World {
  struct Event {
    Nanoseconds at;
    std::uint64_t number;  // those of one moment happen in order
    std::function<void()> happen;
    bool operator<(const Event& other) const {
      return std::pair(other.at, other.number) < std::pair(at, number);
    }
  };
  // Nothing that happens in here is the engine's time.
  class Outside {
   public:
    explicit Outside(World& world) : world_(world), since_(clock_ns(CLOCK_THREAD_CPUTIME_ID)) {}
    ~Outside() { world_.outside += clock_ns(CLOCK_THREAD_CPUTIME_ID) - since_; }
    Outside(const Outside&) = delete;
    Outside& operator=(const Outside&) = delete;

   private:
    World& world_;
    Nanoseconds since_;
  };

  SimulationOptions options;
  std::map<Problem, const RecordedBoard*> boards;        // without copies
  std::map<std::string, const RecordedTrial*> compiled;  // by code_key() without copies
  double usual_compile_seconds = 0;

  // The engine's time since it came back from waiting, on top of `base`.
  Nanoseconds base = 0, resumed_cpu = 0, outside = 0, slept = 0;
  std::priority_queue<Event> events;
  std::uint64_t happened = 0;
  std::vector<std::function<void()>> told;  // to the engine, when it waits next
  SimulationFigures figures;
  Level to_compile, to_measure;

  struct Span {
    EngineWork work;
    Nanoseconds cpu = 0, since = 0;      // when it began, and since when nothing was inside of it
    Nanoseconds steady = 0, waited = 0;  // of commits
  };
  std::vector<Span> spans;
  std::map<EngineWork, Nanoseconds> spent;

  World(const SweepPlan& plan, const RecordedTrials& recorded, SimulationOptions given)
      : options(given), resumed_cpu(clock_ns(CLOCK_THREAD_CPUTIME_ID)) {
    std::size_t known = 0;
    for (const PlannedBoard& planned : plan.boards) {
      const Problem problem = without_copy(planned.summary.problem);
      if (boards.contains(problem)) continue;
      const std::string& text = planned.summary.problem_text;
      const RecordedBoard& board =
          recorded.board(text.substr(0, text.find(fmt::format(" {}=", kRepetition))));
      boards[problem] = &board;
      for (std::uint64_t index = 0; index < planned.space->count(); ++index) {
        const Configuration configuration = planned.space->at(index);
        const auto trial = board.trials.find(configuration.to_string());
        if (trial == board.trials.end()) continue;
        compiled.try_emplace(
            code_key(make_compile_job(plan.kernel, configuration, problem, planned.summary.device,
                                      plan.include_folders),
                     false),
            &trial->second);
        usual_compile_seconds += trial->second.compile_seconds;
        ++known;
      }
    }
    usual_compile_seconds /= static_cast<double>(std::max<std::size_t>(1, known));
  }

  [[nodiscard]] Nanoseconds now() const {
    if (!options.charges_engine) return base;
    return base + clock_ns(CLOCK_THREAD_CPUTIME_ID) - resumed_cpu - outside + slept;
  }
  [[nodiscard]] static double seconds(Nanoseconds time) {
    return static_cast<double>(time) / kSecond;
  }

  void expect(Nanoseconds at, std::function<void()> happen) {
    events.push({at, happened++, std::move(happen)});
  }
  // Handles the events until then, while the engine is busy.
  void pass_until(Nanoseconds time) {
    while (!events.empty() && events.top().at <= time) {
      const Event next = events.top();
      events.pop();
      next.happen();
    }
  }

  void wait(std::chrono::milliseconds patience) {
    const Nanoseconds came = now();
    figures.engine_s += seconds(came - base);
    base = came;
    pass_until(base);
    while (told.empty() && !events.empty() && patience.count() > 0) {
      base = events.top().at;
      pass_until(base);
    }
    if (told.empty()) base += std::chrono::nanoseconds(patience).count();
    for (auto& tell : std::exchange(told, {})) tell();
    resumed_cpu = clock_ns(CLOCK_THREAD_CPUTIME_ID);
    outside = slept = 0;
  }
};

class SimulatedHost::Compilers : public CompileService {
 public:
  Compilers(World& world, Done done)
      : world_(world), done_(std::move(done)), free_(world.options.compile_workers) {}

  std::uint64_t submit(CompileJob job, bool) override {
    const World::Outside outside(world_);
    const Nanoseconds now = world_.now();
    world_.pass_until(now);
    ++statistics_.submitted;
    queue_.push_back({statistics_.submitted, std::move(job)});
    serve(now);
    return statistics_.submitted;
  }
  void cancel_queued() override { queue_.clear(); }
  [[nodiscard]] int workers() const override { return world_.options.compile_workers; }
  [[nodiscard]] std::string nvrtc_version() const override { return "simulated"; }
  [[nodiscard]] CompilePoolStatistics statistics() const override { return statistics_; }

 private:
  struct Queued {
    std::uint64_t ticket = 0;
    CompileJob job;
  };

  void serve(Nanoseconds now) {
    while (free_ > 0 && !queue_.empty()) {
      Queued next = std::move(queue_.front());
      queue_.pop_front();
      --free_;
      begin(now, std::move(next));
    }
    world_.to_compile.set(World::seconds(now), static_cast<double>(queue_.size()));
  }

  void begin(Nanoseconds now, Queued next) {
    const std::string key = code_key(next.job, true);
    const auto recorded = world_.compiled.find(code_key(next.job, false));
    const RecordedTrial* trial = recorded == world_.compiled.end() ? nullptr : recorded->second;
    const auto running = in_flight_.find(key);
    const bool joins = running != in_flight_.end();
    const bool known = world_.options.compiled_before || compiled_.contains(key);
    const double usual = trial == nullptr ? world_.usual_compile_seconds : trial->compile_seconds;
    const double takes = joins || known ? world_.options.cached_seconds : usual;
    if (joins) running->second.push_back(next.ticket);
    if (!joins) in_flight_[key].push_back(next.ticket);
    ++(joins ? statistics_.shared : known ? statistics_.from_cache : statistics_.compiled);
    statistics_.busy_seconds += takes;
    world_.figures.compiler_busy_s += takes;
    const Nanoseconds end = now + to_ns(takes);
    world_.expect(end, [this, end, key, joins, trial, takes] {
      ++free_;
      if (!joins) finish(key, trial, takes);
      serve(end);
    });
  }

  void finish(const std::string& key, const RecordedTrial* trial, double seconds) {
    compiled_.insert(key);
    const auto answered = in_flight_.extract(key);
    for (const std::uint64_t ticket : answered.mapped()) {
      CompileResult result;
      result.ok = trial == nullptr || trial->outcome.status != Status::kCompileFailed;
      if (!result.ok) result.failure = trial->outcome.reason;
      // Recorded trials that shared their code took no time of their own; here each is itself.
      result.cubin = fmt::format("{} {:{}}", ticket, "", kCubinBytes);
      if (trial != nullptr) result.resources = trial->outcome.resources;
      result.nvrtc_version = nvrtc_version();
      result.seconds = seconds;
      world_.told.push_back([this, ticket, result = std::move(result)]() mutable {
        done_(ticket, std::move(result));
      });
    }
  }

  World& world_;
  Done done_;
  int free_;
  std::deque<Queued> queue_;
  std::map<std::string, std::vector<std::uint64_t>> in_flight_;
  std::set<std::string> compiled_;
  CompilePoolStatistics statistics_;
};

class SimulatedHost::Measurers : public MeasureService {
 public:
  Measurers(World& world, std::size_t devices, bool any_order, Done done)
      : world_(world), done_(std::move(done)), queue_(devices, any_order), at_(devices) {
    statistics_.busy_of_device.resize(devices);
    for (std::size_t device = 0; device < devices; ++device) idle_.insert(device);
  }

  void submit(std::uint64_t ticket, std::shared_ptr<const MeasureRequest> request,
              const MeasurePlace& place) override {
    const World::Outside outside(world_);
    const Nanoseconds now = world_.now();
    world_.pass_until(now);
    queue_.push({ticket, std::move(request), place});
    place.device ? (void)serve(now, *place.device) : serve_idle(now);
  }
  void reserve(std::size_t device, std::optional<std::uint64_t> turn) override {
    const World::Outside outside(world_);
    const Nanoseconds now = world_.now();
    world_.pass_until(now);
    queue_.reserve(device, turn);
    serve(now, device);
  }
  void note_best(std::uint64_t turn, double best_us) override { queue_.note_best(turn, best_us); }
  void wake() override {}
  std::vector<std::uint64_t> cancel_queued() override { return queue_.clear(); }
  bool cancel(std::uint64_t ticket) override { return queue_.cancel(ticket); }
  [[nodiscard]] Statistics statistics() const override { return statistics_; }

 private:
  void serve_idle(Nanoseconds now) {
    for (auto device = idle_.begin(); device != idle_.end() && !queue_.empty();)
      if (serve(now, *device++)) return;
  }

  bool serve(Nanoseconds now, std::size_t device) {
    bool served = false;
    if (idle_.contains(device)) {
      if (std::optional<MeasureQueue::Item> item = queue_.take(device)) {
        idle_.erase(device);
        begin(now, device, *std::move(item));
        served = true;
      }
    }
    world_.to_measure.set(World::seconds(now), static_cast<double>(queue_.size()));
    return served;
  }

  void begin(Nanoseconds now, std::size_t device, MeasureQueue::Item item) {
    const auto* time = std::get_if<TrialToTime>(&item.request->what);
    const auto* rank = std::get_if<FinalistsToRank>(&item.request->what);
    WARPWRIGHT_CHECK(time != nullptr || rank != nullptr, "sweeps ask for trials and rankings");
    const Problem& problem = time != nullptr ? time->trial.problem : rank->problem;
    const RecordedBoard& board = *world_.boards.at(without_copy(problem));
    double takes = 0;
    if (at_[device] != problem) takes += board.input_seconds;
    at_[device] = problem;
    Outcome outcome;
    if (time != nullptr) {
      const RecordedTrial& trial = board.find(time->trial.configuration.to_string());
      outcome = trial.outcome;
      takes += trial.device_seconds + world_.options.loading_seconds;
      if (!item.place.device)
        world_.figures.gpu_trials_s += trial.device_seconds + world_.options.loading_seconds;
    } else {
      const double rounds =
          std::chrono::duration<double>(rank->time_limit.value_or(RaceOptions().time_limit))
              .count();
      takes += world_.options.ranking_factor * rounds;
      outcome = ranked(board, *rank, takes);
    }
    ++world_.figures.measured;
    world_.figures.gpu_busy_s += takes;
    statistics_.busy_of_device[device] += takes;
    statistics_.busy_seconds =
        std::max(statistics_.busy_seconds, statistics_.busy_of_device[device]);
    const Nanoseconds end = now + to_ns(takes);
    world_.expect(end, [this, end, device, ticket = item.ticket, outcome = std::move(outcome)] {
      world_.told.push_back([this, device, ticket, outcome] {
        done_(ticket, {outcome, std::nullopt, device});
      });
      idle_.insert(device);
      serve(end, device);
    });
  }

  // Every finalist takes its recorded time, in every round.
  static Outcome ranked(const RecordedBoard& board, const FinalistsToRank& asked, double seconds) {
    auto finals = std::make_shared<FinalsOutcome>();
    std::vector<double> round;
    for (const Finalist& finalist : asked.finalists) {
      const auto& time = board.find(finalist.configuration.to_string()).outcome.time;
      round.push_back(time ? time->median_us : finalist.about_us);
    }
    finals->round_us.assign(static_cast<std::size_t>(RaceOptions().fewest_rounds), round);
    finals->ranking = rank_final(finals->round_us);
    finals->winner = finals->ranking.best;
    finals->protocol = "simulated";
    finals->seconds = seconds;
    Outcome outcome;
    outcome.measure_seconds = seconds;
    outcome.found = std::shared_ptr<const FinalsOutcome>(std::move(finals));
    return outcome;
  }

  World& world_;
  Done done_;
  MeasureQueue queue_;
  std::vector<Problem> at_;  // by device: whose inputs it holds
  std::set<std::size_t> idle_;
  Statistics statistics_;
};

SimulatedHost::SimulatedHost(const SweepPlan& plan, const RecordedTrials& recorded,
                             SimulationOptions options)
    : world_(std::make_unique<World>(plan, recorded, options)) {
  world_->resumed_cpu = clock_ns(CLOCK_THREAD_CPUTIME_ID);
}

SimulatedHost::~SimulatedHost() = default;

SimulatedHost::Clock::time_point SimulatedHost::now() const {
  return Clock::time_point(std::chrono::nanoseconds(world_->now()));
}

std::chrono::milliseconds SimulatedHost::before_waiting(std::chrono::milliseconds patience) {
  world_->wait(patience);
  return std::chrono::milliseconds(0);
}

std::unique_ptr<CompileService> SimulatedHost::start_compilers(CompilePoolOptions,
                                                               CompileService::Done done) {
  return std::make_unique<Compilers>(*world_, std::move(done));
}

std::unique_ptr<MeasureService> SimulatedHost::start_measurers(MeasurePoolOptions options,
                                                               MeasureService::Done done) {
  return std::make_unique<Measurers>(*world_, options.devices.size(), options.any_order,
                                     std::move(done));
}

// Charges the enclosing work for the time up to here.
void SimulatedHost::enter(EngineWork work) {
  World::Span span{work};
  span.cpu = span.since = clock_ns(CLOCK_THREAD_CPUTIME_ID);
  if (!world_->spans.empty()) {
    World::Span& outer = world_->spans.back();
    world_->spent[outer.work] += span.since - outer.since;
  }
  if (work == EngineWork::kCommit) {
    ++world_->figures.commits;
    span.steady = clock_ns(CLOCK_MONOTONIC);
    span.waited = waited_for_core();
  }
  world_->spans.push_back(span);
}

void SimulatedHost::leave() {
  const World::Span span = world_->spans.back();
  world_->spans.pop_back();
  const Nanoseconds cpu = clock_ns(CLOCK_THREAD_CPUTIME_ID);
  Nanoseconds took = cpu - span.since;
  if (span.work == EngineWork::kCommit) {
    const Nanoseconds waited = waited_for_core() - span.waited;
    const Nanoseconds slept = clock_ns(CLOCK_MONOTONIC) - span.steady - waited - (cpu - span.cpu);
    world_->slept += std::max<Nanoseconds>(0, slept);
    took += std::max<Nanoseconds>(0, slept);
  }
  world_->spent[span.work] += took;
  if (!world_->spans.empty()) world_->spans.back().since = cpu;
}

SimulationFigures SimulatedHost::figures() const {
  SimulationFigures figures = world_->figures;
  const double end = World::seconds(world_->now());
  figures.makespan_s = end;
  for (const auto& [work, time] : world_->spent) figures.engine_of_s[work] = World::seconds(time);
  figures.to_compile = world_->to_compile.area(end) / end;
  figures.to_measure = world_->to_measure.area(end) / end;
  figures.most_to_compile = world_->to_compile.highest();
  figures.most_to_measure = world_->to_measure.highest();
  return figures;
}

}  // namespace warpwright::testing
