// run(): checks a launch and distributes clusters of blocks over host threads.
//
// Clusters (mostly of one block) start in order under seed 1, and in random order under other
// seeds. A cluster that has not finished after kClusterSlice instructions shares its thread with
// the next one, up to the number that the device would hold at a time, so blocks that wait for
// later ones (grid barriers) make progress.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <cstdint>
#include <deque>
#include <map>
#include <mutex>
#include <numeric>
#include <optional>
#include <utility>

#include "core/error.h"
#include "core/parallel.h"
#include "core/usable_cores.h"
#include "emu/check/checker.h"
#include "emu/emulator.h"
#include "emu/exec/cluster.h"
#include "emu/launch/module.h"
#include "emu/model/tally.h"
#include "emu/observe/launch_observer.h"

namespace warpwright::emu {
namespace {

constexpr std::uint64_t kClusterSlice =
    1u << 16;  // instructions between checks of limits and cancellation
constexpr std::uint64_t kSlicesBeforeSharing =
    64;  // a cluster runs this long alone before another joins it,
constexpr std::uint64_t kSlicesBeforeSharingShuffled =
    8;  // this long if the one that it waits for may be among the last to start,
constexpr std::uint64_t kSlicesOnceSharing = 2;  // and this long from then on

// The number of threads or blocks of a shape.
std::uint64_t count(const std::array<std::uint32_t, 3>& shape) {
  return std::uint64_t{shape[0]} * shape[1] * shape[2];
}

// The cluster shape that the kernel was compiled for, else the shape of the launch.
std::array<std::uint32_t, 3> cluster_shape(const Launch& launch, const Module::Entry& entry) {
  if (entry.required_cluster[0] == 0) return launch.cluster;
  return {static_cast<std::uint32_t>(entry.required_cluster[0]),
          static_cast<std::uint32_t>(std::max(entry.required_cluster[1], 1)),
          static_cast<std::uint32_t>(std::max(entry.required_cluster[2], 1))};
}

Finding invalid(std::string message) {
  Finding fault;
  fault.kind = FindingKind::kInvalidLaunch;
  fault.is_fault = true;
  fault.message = std::move(message);
  return fault;
}

std::optional<Finding> check_cluster(const DeviceModel& device, const Launch& launch,
                                     const Module::Entry& entry) {
  const std::array<std::uint32_t, 3> shape = cluster_shape(launch, entry);
  if (count(launch.cluster) > 1 && launch.cluster != shape) {
    return invalid(fmt::format(
        "a launch in clusters of ({},{},{}), but '{}' was compiled for clusters of ({},{},{})",
        launch.cluster[0], launch.cluster[1], launch.cluster[2], entry.name, shape[0], shape[1],
        shape[2]));
  }
  // 16 needs cudaFuncAttributeNonPortableClusterSizeAllowed on Hopper.
  const std::uint64_t limit = device.compute_capability < 90    ? 1
                              : device.compute_capability < 120 ? 16
                                                                : 8;
  if (count(shape) == 0 || count(shape) > limit) {
    return invalid(
        fmt::format("a cluster of {} blocks; {} allows 1 to {}", count(shape), device.arch, limit));
  }
  for (std::size_t axis = 0; axis < 3; ++axis) {
    if (launch.grid[axis] % shape[axis] == 0) continue;
    return invalid(fmt::format("a grid of {} blocks along {} is not a multiple of the cluster's {}",
                               launch.grid[axis], "xyz"[axis], shape[axis]));
  }
  return std::nullopt;
}

// The checks of a launch that a driver would make. Returns a kInvalidLaunch with the requested
// number and the limit; nullopt when the launch may run. `entry` is null when the module has no
// entry of that name.
std::optional<Finding> check_launch(const DeviceModel& device, const Launch& launch,
                                    const Module::Entry* entry) {
  if (entry == nullptr) return invalid(fmt::format("the module has no entry '{}'", launch.entry));
  const std::uint64_t threads = count(launch.block);
  const auto limit = static_cast<std::uint64_t>(device.max_threads_per_block);
  if (threads == 0 || count(launch.grid) == 0)
    return invalid("the launch has an empty grid or block");
  if (threads > limit) {
    return invalid(fmt::format("a block of {} threads exceeds the {} that {} allows", threads,
                               limit, device.arch));
  }
  const std::uint64_t declared = static_cast<std::uint64_t>(entry->max_threads[0]) *
                                 static_cast<std::uint64_t>(entry->max_threads[1]) *
                                 static_cast<std::uint64_t>(entry->max_threads[2]);
  if (declared != 0 && threads > declared) {
    return invalid(fmt::format("a block of {} threads exceeds the {} of __launch_bounds__ on '{}'",
                               threads, declared, entry->name));
  }
  const std::size_t shared = entry->static_shared_bytes + launch.dynamic_shared_bytes;
  if (shared > static_cast<std::size_t>(device.max_shared_per_block)) {
    return invalid(fmt::format(
        "{} bytes of shared memory ({} static and {} dynamic) exceed the {} that {} allows", shared,
        entry->static_shared_bytes, launch.dynamic_shared_bytes, device.max_shared_per_block,
        device.arch));
  }
  if (launch.parameters.size() != entry->parameter_bytes) {
    return invalid(fmt::format("'{}' takes {} bytes of parameters, got {}", entry->name,
                               entry->parameter_bytes, launch.parameters.size()));
  }
  return check_cluster(device, launch, *entry);
}

// The registers that setmaxnreg starts from: the number in the cubin, else the maximum that
// __launch_bounds__ would leave.
int registers_per_thread(const Launch& launch, std::uint32_t threads) {
  constexpr std::uint32_t kRegisters = 65536;
  if (launch.registers_per_thread > 0) return launch.registers_per_thread;
  return static_cast<int>(std::min<std::uint32_t>(kRegisters / threads / 8 * 8, 255));
}

// The state that the host threads of one launch share.
class Launcher {
 public:
  Launcher(const LaunchContext& context, const LaunchOptions& options, std::uint64_t clusters,
           std::size_t resident)
      : context_(context),
        options_(options),
        clusters_(clusters),
        started_(how_many_start(context, options, clusters)),
        resident_(resident),
        deadline_(std::chrono::steady_clock::now() + options.time_limit) {
    if (options.check) {
      checker_ = std::make_unique<Checker>(context, options.trust_cas_reads);
    } else if (options.observe) {
      recorder_ = std::make_unique<LaunchObserver>(context);
    }
    if (options.seed != 1) shuffle_turns();
  }

  void work() {
    std::unique_ptr<LineProfile> profile;
    if (options_.count_lines) profile = std::make_unique<LineProfile>(*context_.program);
    run_clusters(profile.get());
    if (profile == nullptr) return;
    const std::lock_guard lock(mutex_);
    if (profile_ == nullptr) {
      profile_ = std::move(profile);
    } else {
      profile_->add(*profile);
    }
  }

  void run_clusters(LineProfile* profile) {
    std::deque<std::unique_ptr<Cluster>> running;
    std::vector<std::unique_ptr<Cluster>> idle;
    std::uint64_t slices = 0;
    std::size_t parked = 0;  // clusters found parked since one of them ran
    std::uint64_t patience = turns_.empty() ? kSlicesBeforeSharing : kSlicesBeforeSharingShuffled;
    for (;;) {
      const bool join = running.empty() || (slices >= patience && running.size() < resident_);
      if (join) {
        if (auto cluster = next_cluster(idle, profile)) {
          if (!running.empty()) patience = kSlicesOnceSharing;
          running.push_front(std::move(cluster));
          slices = 0;
        } else if (running.empty()) {
          return;
        }
      }
      std::unique_ptr<Cluster> cluster = std::move(running.front());
      running.pop_front();
      ++slices;
      if (cluster->linear_index() >
          first_fault_.load()) {  // a lower one has failed, so this one no longer counts
        idle.push_back(std::move(cluster));
        continue;
      }
      // Once all are parked, no reported write will change the polled memory, so they poll again.
      const Cluster::Status status = step(*cluster, parked > running.size());
      parked = status == Cluster::Status::kParked ? parked + 1 : 0;
      if (status != Cluster::Status::kDone) {
        running.push_back(std::move(cluster));
        // It may wait for a cluster that has not started.
        if (status != Cluster::Status::kSliceOver) slices = patience;
      } else {
        idle.push_back(std::move(cluster));
      }
    }
  }

  LaunchReport report() {
    LaunchReport report;
    report.fault = std::move(fault_);
    report.counters = report.fault ? fault_counters_ : counters_;
    // The block that accesses a sector first depends on the host's threads; only the sum over all
    // blocks does not.
    if (report.fault) report.counters.global_distinct_bytes = 0;
    if (profile_ != nullptr && !report.fault) report.lines = profile_->by_line();
    if (checker_ != nullptr) {
      report.same_under_all_schedules =
          !report.fault && started_ == clusters_ && checker_->same_under_all_schedules();
      report.hazards = checker_->take_findings();
      report.passed_left_out = checker_->passed_left_out();
    }
    if (recorder_ != nullptr && !report.fault) report.observation = recorder_->take();
    if (started_ != clusters_) scale(report);
    for (auto& [index, text] : outputs_) {
      if (index <= first_fault_.load()) report.printf_output += text;
    }
    return report;
  }

 private:
  static std::uint64_t how_many_start(const LaunchContext& context, const LaunchOptions& options,
                                      std::uint64_t clusters) {
    const std::uint64_t size = count(context.launch->cluster);
    if (options.sample_blocks == 0) return clusters;
    return std::clamp<std::uint64_t>(options.sample_blocks / size, 1, clusters);
  }

  // CUDA does not guarantee the order in which blocks start. Seed 1 keeps the order of GPUs, and so
  // do grids that are too large to be run completely.
  void shuffle_turns() {
    constexpr std::uint64_t kMaxShuffled = 1u << 22;
    if (started_ > kMaxShuffled) return;
    turns_.resize(started_);
    std::iota(turns_.begin(), turns_.end(), 0u);
    std::uint64_t random = splitmix64(options_.seed);
    for (std::uint64_t i = started_; i > 1; --i)
      std::swap(turns_[i - 1], turns_[(random = splitmix64(random)) % i]);
  }

  // A sample includes the first and the last cluster of the grid.
  [[nodiscard]] std::uint64_t place_of(std::uint64_t turn) const {
    if (started_ == clusters_ || started_ == 1) return turn;
    return static_cast<std::uint64_t>(static_cast<__uint128_t>(turn) * (clusters_ - 1) /
                                      (started_ - 1));
  }

  void scale(LaunchReport& report) const {
    const double factor = static_cast<double>(clusters_) / static_cast<double>(started_);
    const auto grow = [factor](Counters& counters) {
      for (const CounterField& field : kCounterFields) {
        counters.*field.member = static_cast<std::uint64_t>(
            std::llround(static_cast<double>(counters.*field.member) * factor));
      }
    };
    grow(report.counters);
    if (!report.fault)
      report.counters.global_distinct_bytes = context_.memory->touched_bytes(factor);
    for (LineCounts& line : report.lines) grow(line.counters);
  }

  [[nodiscard]] Observer* observer() const {
    if (checker_ != nullptr) return checker_.get();
    return recorder_.get();
  }

  std::unique_ptr<Cluster> next_cluster(std::vector<std::unique_ptr<Cluster>>& idle,
                                        LineProfile* profile) {
    std::uint64_t index = 0;
    for (;;) {
      const std::uint64_t turn = next_.fetch_add(1);
      if (turn >= started_) return nullptr;
      index = place_of(turns_.empty() ? turn : turns_[turn]);
      if (index <= first_fault_.load()) break;  // clusters after the fault no longer count
      if (!turns_.empty()) continue;
      next_ = started_;  // neither do all later ones
      return nullptr;
    }
    std::unique_ptr<Cluster> cluster;
    if (idle.empty()) {
      cluster = std::make_unique<Cluster>(context_, profile, observer());
    } else {
      cluster = std::move(idle.back());
      idle.pop_back();
    }
    cluster->start(index);
    return cluster;
  }

  // Runs a slice; also returns kDone after a fault.
  Cluster::Status step(Cluster& cluster, bool awake) {
    const std::uint64_t before = cluster.instructions();
    try {
      std::uint64_t slice = kClusterSlice;
      if (options_.instruction_limit != 0) {
        const std::uint64_t done = std::min(instructions_.load(), options_.instruction_limit);
        slice = std::min(slice, options_.instruction_limit - done + 1);
      }
      const Cluster::Status status = cluster.run(slice, awake);
      const std::uint64_t total = instructions_.fetch_add(cluster.instructions() - before) +
                                  cluster.instructions() - before;
      if (status == Cluster::Status::kDone) {
        finish(cluster);
        return status;
      }
      check_limits(cluster, total);
      return status;
    } catch (Finding& fault) {
      fail(cluster, std::move(fault));
      return Cluster::Status::kDone;
    }
  }

  void check_limits(const Cluster& cluster, std::uint64_t total) const {
    if (options_.instruction_limit != 0 && total > options_.instruction_limit) {
      throw cluster.fault_at_first_warp(
          FindingKind::kDoesNotEnd,
          fmt::format("more than {} warp instructions; the first unfinished warp was at {{place}}; "
                      "look for a loop "
                      "that does not end, or raise the limit",
                      options_.instruction_limit));
    }
    if (options_.time_limit.count() != 0 && std::chrono::steady_clock::now() > deadline_) {
      throw cluster.fault_at_first_warp(
          FindingKind::kDoesNotEnd,
          fmt::format("more than {} ms; the first unfinished warp was at {{place}}; look for a "
                      "loop that does not end, or raise the limit",
                      options_.time_limit.count()));
    }
    if (options_.cancel != nullptr && options_.cancel->load()) {
      throw cluster.fault_at_first_warp(FindingKind::kCancelled,
                                        "cancelled; the first unfinished warp was at {place}");
    }
  }

  void finish(Cluster& cluster) {
    const Counters counters = cluster.counters();
    const std::lock_guard lock(mutex_);
    counters_ += counters;
    if (std::string text = cluster.take_output(); !text.empty())
      outputs_[cluster.linear_index()] = std::move(text);
    // Long launches of short blocks are stopped here, because their blocks never outlast a slice.
    try {
      check_limits(cluster, instructions_.load());
    } catch (Finding& fault) {
      record(cluster, std::move(fault));
    }
  }

  void fail(Cluster& cluster, Finding fault) {
    const std::lock_guard lock(mutex_);
    record(cluster, std::move(fault));
  }

  void record(Cluster& cluster, Finding fault) {
    if (cluster.linear_index() >= first_fault_.load()) return;
    first_fault_ = cluster.linear_index();
    fault_ = std::move(fault);
    fault_counters_ = cluster.counters();
    outputs_[cluster.linear_index()] += cluster.take_output();
  }

  const LaunchContext& context_;
  const LaunchOptions& options_;
  std::uint64_t clusters_;
  std::uint64_t started_;  // fewer than all when a sample was asked for
  std::size_t resident_;
  std::chrono::steady_clock::time_point deadline_;
  std::vector<std::uint32_t> turns_;  // order in which clusters start; empty: by number
  std::atomic<std::uint64_t> next_{0};
  std::atomic<std::uint64_t> instructions_{0};
  std::atomic<std::uint64_t> first_fault_{~std::uint64_t{0}};
  std::mutex mutex_;
  Counters counters_;
  Counters fault_counters_;
  std::optional<Finding> fault_;
  std::map<std::uint64_t, std::string> outputs_;
  // Only with a single thread:
  std::unique_ptr<Checker> checker_;
  std::unique_ptr<LaunchObserver> recorder_;
  std::unique_ptr<LineProfile> profile_;  // of the threads that have ended
};

}  // namespace

LaunchReport run(GlobalMemory& memory, const DeviceModel& device, const Launch& launch,
                 const LaunchOptions& options) {
  const Module::Entry* entry = launch.module->find(launch.entry);
  if (auto fault = check_launch(device, launch, entry)) {
    LaunchReport report;
    report.fault = std::move(fault);
    return report;
  }
  const Module::Impl& module = launch.module->impl();
  LaunchContext context;
  context.program = &module.program;
  context.entry = &module.program.functions[module.entry_functions[static_cast<std::size_t>(
      entry - launch.module->entries().data())]];
  if (context.entry->local_bytes > kMaxLocalBytes) {
    LaunchReport report;
    report.fault = invalid(
        fmt::format("'{}' has {} bytes of local memory a thread, a device allows {}; make its "
                    "arrays smaller, or put them in shared or global memory",
                    entry->name, context.entry->local_bytes, kMaxLocalBytes));
    return report;
  }
  Launch shaped = launch;
  shaped.cluster = cluster_shape(launch, *entry);
  context.launch = &shaped;
  context.device = &device;
  context.memory = &memory.impl();
  context.seed = options.seed;
  context.threads_per_block = static_cast<std::uint32_t>(count(launch.block));
  context.parameters = launch.parameters;
  place_variables(*launch.module, memory.impl(), context);
  write_variables(launch, memory.impl(), context);
  memory.impl().forget_touched();
  context.shared_bytes = entry->static_shared_bytes;
  for (const Variable& variable : module.program.variables) {
    if (variable.space == Space::kShared && variable.external) {
      context.shared_bytes =
          std::max<std::size_t>(context.shared_bytes, context.symbols.at(variable.name));
    }
  }
  context.shared_bytes += launch.dynamic_shared_bytes;

  context.registers_per_thread = registers_per_thread(launch, context.threads_per_block);

  const std::uint64_t clusters = count(launch.grid) / count(shaped.cluster);
  const auto per_sm =
      static_cast<std::size_t>(device.max_threads_per_sm) / context.threads_per_block;
  const std::size_t resident = std::max<std::size_t>(
      1, static_cast<std::size_t>(device.sm_count) *
             std::min<std::size_t>(std::max<std::size_t>(per_sm, 1),
                                   static_cast<std::size_t>(device.max_blocks_per_sm)));
  // An observer serves one thread: the checkers track synchronisation between blocks.
  const unsigned wanted = options.check || options.observe ? 1
                          : options.threads > 0            ? static_cast<unsigned>(options.threads)
                                                           : static_cast<unsigned>(usable_cores());
  const auto threads = static_cast<std::size_t>(std::min<std::uint64_t>(wanted, clusters));
  Launcher launcher(context, options, clusters,
                    std::max<std::size_t>(1, resident / threads / count(shaped.cluster)));
  // Each thread takes clusters until none is left; a turn that begins after that does nothing.
  parallel_ranges(threads, 1, static_cast<int>(threads),
                  [&launcher](std::uint64_t, std::uint64_t) { launcher.work(); });
  LaunchReport report = launcher.report();
  if (report.fault) spoil_variables(*launch.module, memory.impl());
  return report;
}

}  // namespace warpwright::emu
