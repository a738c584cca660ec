// How launchers compare with the boards that they are written from, on this machine's GPU.
//
//   launcher_benchmark DB [KERNEL...]       all kernels of the database by default
//
// For every board of this GPU its launcher is written, built and called for the board's sizes, with
// the inputs that a trial has. Cold samples are taken by turns, ten each so that SMs have the code
// in their caches: of the board's winner as trials take them (cold-graph-3, all of L2 dirty), and
// of a captured call of the launcher in such a graph. Both have the same fixed cost, which is not
// subtracted. Long launches are followed by a cool-down of four times their length, as in trials,
// so that the GPU's power limit does not slow them down. Then the host's time of calls on a stream
// is taken, and the part of it that the driver's launch function takes: the rest is the launcher's.
// Prints a line of JSON for each board; exit code 1 where a launcher is wrong.
#include <cuda.h>
#include <fmt/format.h>

#include <array>
#include <chrono>
#include <nlohmann/json.hpp>
#include <random>
#include <thread>

#include "analysis/board/leaderboard.h"
#include "core/error.h"
#include "device/registry/device_registry.h"
#include "exchange/header/selection_source.h"
#include "stats/median.h"
#include "store/database.h"
#include "support/launchers.h"
#include "support/real_driver.h"

namespace {

using Clock = std::chrono::steady_clock;
double launching_us = 0;  // in the driver's function
int launching_calls = 0;

const warpwright::testing::RealDriver& driver() {
  static const warpwright::testing::RealDriver one;
  return one;
}

double us_since(Clock::time_point begin) {
  return std::chrono::duration<double, std::micro>(Clock::now() - begin).count();
}

}  // namespace

// Found by launchers before the driver's.
extern "C" CUresult cuLaunchKernelEx(const CUlaunchConfig* config, CUfunction function,
                                     void** parameters, void** extra) {
  static const auto real = driver().find<decltype(&cuLaunchKernelEx)>("cuLaunchKernelEx");
  const auto begin = Clock::now();
  const CUresult result = real(config, function, parameters, extra);
  launching_us += us_since(begin);
  ++launching_calls;
  return result;
}

namespace warpwright::testing {
namespace {

struct Comparison {
  std::vector<double> own_us, launcher_us;  // cold, raw
  std::vector<double> call_us, overhead_us;
  bool taken = false;
};

class ComparingDriver : public LaunchDriver {
 public:
  ComparingDriver(Device& device, std::size_t l2_bytes)
      : device_(device), evict_bytes_(2 * l2_bytes) {
    evict_ = device_.allocate(evict_bytes_, "L2 eviction");
    for (auto& pair : events_)
      for (CUevent& event : pair)
        driver().call<decltype(&cuEventCreate)>("cuEventCreate", &event, 0U);
    stream_.keep_graphs(kPlaces);
  }
  Comparison comparison;

  LaunchResult launch(std::span<const DeviceLaunch> own, const LaunchLimits&,
                      const Call& call) override {
    LaunchResult result;
    wait();
    result.reason = call(stream_.get(), false);
    wait();
    if (result.reason.empty() && !comparison.taken) {
      compare(own, call, result);
      comparison.taken = true;
    }
    if (!result.reason.empty()) result.status = Status::kInvalid;
    return result;
  }

 private:
  static constexpr int kSamples = 10, kMaxTurns = 20, kMinTurns = 2;
  static constexpr double kSamplingUs = 1e6;
  // The number of parked graphs and of events, the same as in trials.
  static constexpr std::size_t kPlaces = 32;

  static void rest(double behind_us) {
    constexpr double kLongUs = 100;
    if (behind_us < kLongUs) return;
    std::this_thread::sleep_for(std::chrono::duration<double, std::micro>(4 * behind_us));
  }
  static void wait() { driver().call<decltype(&cuCtxSynchronize)>("cuCtxSynchronize"); }

  void compare(std::span<const DeviceLaunch> own, const Call& call, LaunchResult& result) {
    TimingRequest request;
    request.rotation = {LaunchSequence(own.begin(), own.end())};
    const std::unique_ptr<TimingPlan> plan = device_.plan_timing(std::move(request));
    const auto start = Clock::now();
    for (int turn = 0; turn < kMaxTurns && result.reason.empty(); ++turn) {
      if (turn >= kMinTurns && us_since(start) > kSamplingUs) break;
      for (int i = 0; i < kSamples && result.reason.empty(); ++i) take_own(*plan, result.reason);
      for (int i = 0; i < kSamples && result.reason.empty(); ++i) {
        result.reason = take_sample(call);
        rest(comparison.launcher_us.back());
      }
    }
    for (int i = 0; i < 200 && result.reason.empty(); ++i) {
      launching_us = 0;
      launching_calls = 0;
      const auto begin = Clock::now();
      result.reason = call(stream_.get(), false);
      comparison.call_us.push_back(us_since(begin));
      comparison.overhead_us.push_back(comparison.call_us.back() - launching_us);
      if (i % 20 == 19) wait();  // the queue never fills
    }
    wait();
  }
  void take_own(TimingPlan& plan, std::string& failed) {
    const Samples samples = plan.take(1, std::chrono::seconds(2));
    if (samples.status != Status::kOk || samples.elapsed_us.empty()) {
      failed = "the board's winner cannot be timed: " + samples.reason;
      return;
    }
    comparison.own_us.push_back(samples.elapsed_us.front());
    rest(comparison.own_us.back());
  }
  std::string take_sample(const Call& call) {
    const auto record = [&](CUevent event) {
      driver().call<decltype(&cuEventRecordWithFlags)>(
          "cuEventRecordWithFlags", event, stream_.get(),
          static_cast<unsigned>(CU_EVENT_RECORD_EXTERNAL));
    };
    const std::array<CUevent, 2>& events = events_[random_() % kPlaces];
    const std::string error = stream_.launch_captured([&] {
      driver().call<decltype(&cuMemsetD32Async)>("cuMemsetD32Async", CUdeviceptr{evict_->address()},
                                                 0U, evict_bytes_ / 4, stream_.get());
      record(events[0]);
      std::string failed = call(stream_.get(), false);
      record(events[1]);
      return failed;
    });
    stream_.wait();
    float ms = 0;
    driver().call<decltype(&cuEventElapsedTime)>("cuEventElapsedTime", &ms, events[0], events[1]);
    comparison.launcher_us.push_back(1e3 * static_cast<double>(ms));
    return error;
  }

  Device& device_;
  std::size_t evict_bytes_;
  std::unique_ptr<DeviceBuffer> evict_;
  DriverStream stream_{driver()};
  std::array<std::array<CUevent, 2>, kPlaces> events_ = {};
  std::minstd_rand random_;
};

Configuration winner_of(const SelectionModel& model, const SelectionBoard& board) {
  const SelectionConfiguration& best = model.configurations[board.winner];
  const VariantSpec& variant = model.contract.variants[best.variant];
  Configuration configuration{variant.name, {}};
  for (std::size_t i = 0; i < model.contract.parameters.size(); ++i) {
    const std::string& name = model.contract.parameters[i].name;
    if (std::find(variant.parameters.begin(), variant.parameters.end(), name) !=
        variant.parameters.end())
      configuration.values[name] = best.values[i];
  }
  return configuration;
}

void print_line(const nlohmann::ordered_json& line) {
  fmt::print("{}\n", line.dump());
  std::fflush(stdout);
}

// The number of boards whose launcher is wrong.
int compare_kernel(const std::string& name, const Database& database,
                   const std::vector<Leaderboard>& boards, Device& device,
                   const Toolchain& toolchain, const Nvrtc& nvrtc) {
  int wrong = 0;
  const KernelSpec kernel = shipped(name);
  const SelectionModel model = make_selection_model(database, boards, name);
  BuiltLauncher launcher(kernel, model);
  launcher.open("", toolchain.nvrtc.string());
  for (const SelectionBoard& board : model.boards) {
    if (board.modelled || model.devices[board.device].name != device.info().name) continue;
    Problem problem;
    for (std::size_t i = 0; i < kernel.problem.size(); ++i)
      problem[kernel.problem[i].name] = board.sizes[i];
    const Configuration configuration = winner_of(model, board);
    const CompileResult compiled =
        nvrtc.compile(make_compile_job(kernel, configuration, problem, device.info(),
                                       kernel.header_folders({kSources / "common"})));
    ComparingDriver comparing(device, device.info().l2_bytes);
    LaunchingDevice launching(kernel, launcher, device, comparing);
    launching.variant = configuration.variant;
    launching.problem = problem;
    launching.array_offset = 0;
    TrialOptions options = launcher_trial_options(kernel);
    options.screening = false;
    TrialRunner runner(kernel, launching, options);
    const Outcome outcome = runner.prepare(configuration, problem, compiled, {});
    nlohmann::ordered_json line = {{"kernel", name},
                                   {"problem", board.problem_text},
                                   {"configuration", model.configurations[board.winner].text},
                                   {"status", status_name(outcome.status)}};
    if (outcome.status != Status::kOk) {
      line["reason"] = outcome.reason;
      ++wrong;
    } else {
      Comparison& found = comparing.comparison;
      const MedianInterval own = median_interval(found.own_us);
      const MedianInterval ours = median_interval(found.launcher_us);
      line["own_us"] = {own.median, own.low, own.high};
      line["launcher_us"] = {ours.median, ours.low, ours.high};
      line["ratio"] = ours.median / own.median;
      line["call_us"] = median_in_place(found.call_us);
      line["overhead_us"] = median_in_place(found.overhead_us);
    }
    print_line(line);
  }
  return wrong;
}

int compare_boards(const std::string& path, const std::vector<std::string>& wanted) {
  (void)driver();  // launchers find its functions once it is loaded
  const Toolchain toolchain = require_toolchain();
  const Nvrtc nvrtc(toolchain);
  const std::unique_ptr<Device> device = open_device("cuda:0");
  const Database database(path, OpenMode::kReadOnly);
  const std::vector<Leaderboard> boards =
      make_leaderboards(database.trials({}), database.rankings({}));
  std::set<std::string> names;
  for (const Leaderboard& board : boards) {
    if (!board.modelled &&
        (wanted.empty() || std::count(wanted.begin(), wanted.end(), board.kernel) > 0))
      names.insert(board.kernel);
  }
  int wrong = 0;
  for (const std::string& name : names) {
    try {
      wrong += compare_kernel(name, database, boards, *device, toolchain, nvrtc);
    } catch (const Error& error) {  // no launcher can be written from these results
      print_line({{"kernel", name}, {"status", "refused"}, {"reason", error.what()}});
    }
  }
  return wrong == 0 ? 0 : 1;
}

}  // namespace
}  // namespace warpwright::testing

int main(int argc, char** argv) {
  if (argc < 2) {
    fmt::print(stderr, "usage: launcher_benchmark DB [KERNEL...]\n");
    return 2;
  }
  try {
    warpwright::testing::LauncherParts::optimisation = "-O2";
    return warpwright::testing::compare_boards(argv[1], {argv + 2, argv + argc});
  } catch (const std::exception& error) {
    fmt::print(stderr, "launcher_benchmark: {}\n", error.what());
    return 2;
  }
}
