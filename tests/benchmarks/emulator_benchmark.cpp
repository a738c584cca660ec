// Speed of the emulator in lane instructions a second: an FP32 loop that never touches memory, a
// streaming copy with one multiply, a reduction in shared memory; and in operations a second, a
// loop of wgmma. Then what `vet` takes: products of 512 x 512 x 512 and a barrier of 132 blocks of
// 1024 threads, under all checkers.
#include <benchmark/benchmark.h>

#include <atomic>
#include <cstring>
#include <fstream>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "emu/emulator.h"

namespace {

using namespace warpwright::emu;

std::string read_ptx(const std::string& name) {
  std::ifstream file(std::string(WARPWRIGHT_SOURCE_DIR) + "/tests/benchmarks/" + name);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

template <class T>
void append(std::vector<std::byte>& parameters, T value) {
  parameters.resize((parameters.size() + sizeof value - 1) / sizeof value * sizeof value +
                    sizeof value);
  std::memcpy(parameters.data() + parameters.size() - sizeof value, &value, sizeof value);
}

void run_entry(benchmark::State& state, const char* entry, std::uint32_t blocks, std::uint32_t work,
               bool check = false) {
  const auto module = Module::parse(read_ptx("emulator_benchmark.ptx"), "emulator_benchmark.ptx");
  GlobalMemory memory;
  const std::size_t elements = std::size_t{blocks} * 256 * work;
  const std::uint64_t in = memory.allocate(elements * 4, "in");
  const std::uint64_t out = memory.allocate(elements * 4, "out");
  Launch launch;
  launch.module = module.get();
  launch.entry = entry;
  launch.grid = {blocks, 1, 1};
  launch.block = {256, 1, 1};
  append(launch.parameters, in);
  append(launch.parameters, out);
  append(launch.parameters, work);
  LaunchOptions options;
  options.threads = static_cast<int>(state.range(0));
  options.check = check;
  std::uint64_t lanes = 0;
  std::uint64_t operations = 0;
  for (auto _ : state) {
    const LaunchReport report = run(memory, *find_model("sm_90a"), launch, options);
    if (report.fault) {
      state.SkipWithError(report.fault->message.c_str());
      break;
    }
    lanes += report.counters.lane_instructions;
    operations += report.counters.tensor_bf16_ops;
  }
  state.SetItemsProcessed(static_cast<std::int64_t>(operations == 0 ? lanes : operations));
}

void fma_loop(benchmark::State& state) { run_entry(state, "fma_loop", 64, 256); }
void stream(benchmark::State& state) { run_entry(state, "stream", 512, 16); }
void shared_reduction(benchmark::State& state) { run_entry(state, "shared_reduction", 512, 8); }

void wgmma_loop(benchmark::State& state) { run_entry(state, "wgmma_loop", 4, 256); }

// Under all checkers, which run on one thread.
void fma_loop_checked(benchmark::State& state) { run_entry(state, "fma_loop", 64, 256, true); }
void stream_checked(benchmark::State& state) { run_entry(state, "stream", 64, 16, true); }
void shared_reduction_checked(benchmark::State& state) {
  run_entry(state, "shared_reduction", 64, 8, true);
}
void wgmma_loop_checked(benchmark::State& state) { run_entry(state, "wgmma_loop", 1, 64, true); }

// A launch under all checkers with the same number of schedules as `vet` has, shared by the cores:
// the time that a user waits.
void run_schedules(benchmark::State& state, const char* entry, std::uint32_t blocks,
                   std::uint32_t threads, std::uint32_t number, std::size_t floats) {
  const auto module = Module::parse(read_ptx("emulator_benchmark.ptx"), "emulator_benchmark.ptx");
  const std::uint64_t schedules = state.range(0);
  std::atomic<std::uint64_t> lanes{0};
  std::atomic<bool> failed{false};
  for (auto _ : state) {
    std::atomic<std::uint64_t> next{1};
    const auto work = [&] {
      for (std::uint64_t seed = next++; seed <= schedules; seed = next++) {
        GlobalMemory memory;
        const std::uint64_t in = memory.allocate(2 * floats * 4, "in");
        const std::uint64_t out = memory.allocate(floats * 4, "out");
        std::memset(memory.host_view(in, 2 * floats * 4), 0, 2 * floats * 4);
        std::memset(memory.host_view(out, floats * 4), 0, floats * 4);
        Launch launch;
        launch.module = module.get();
        launch.entry = entry;
        launch.grid = {blocks, 1, 1};
        launch.block = {threads, 1, 1};
        append(launch.parameters, in);
        append(launch.parameters, out);
        append(launch.parameters, number);
        LaunchOptions options;
        options.threads = 1;
        options.check = true;
        options.seed = seed;
        const LaunchReport report = run(memory, *find_model("sm_90a"), launch, options);
        failed = failed || report.fault.has_value() || !report.hazards.empty();
        lanes += report.counters.lane_instructions;
      }
    };
    std::vector<std::jthread> others;
    for (unsigned i = 1; i < std::thread::hardware_concurrency(); ++i) others.emplace_back(work);
    work();
  }
  if (failed) state.SkipWithError("a correct kernel was faulted");
  state.SetItemsProcessed(static_cast<std::int64_t>(lanes));
}

void naive_product_checked(benchmark::State& state) {
  run_schedules(state, "naive_product", 32 * 32, 256, 512, 512 * 512);
}
void tiled_product_checked(benchmark::State& state) {
  run_schedules(state, "tiled_product", 8 * 8, 256, 512, 512 * 512);
}
void sgemm_checked(benchmark::State& state) {
  run_schedules(state, "sgemm", 4 * 4, 256, 512, 512 * 512);
}
void grid_barrier_checked(benchmark::State& state) {
  run_schedules(state, "grid_barrier", 132, 1024, 1, 32);
}

// 0 threads: one for every core.
BENCHMARK(fma_loop)->Arg(1)->Arg(0)->UseRealTime()->Unit(benchmark::kMillisecond);
BENCHMARK(stream)->Arg(1)->Arg(0)->UseRealTime()->Unit(benchmark::kMillisecond);
BENCHMARK(shared_reduction)->Arg(1)->Arg(0)->UseRealTime()->Unit(benchmark::kMillisecond);
BENCHMARK(wgmma_loop)->Arg(1)->Arg(0)->UseRealTime()->Unit(benchmark::kMillisecond);
BENCHMARK(fma_loop_checked)->Arg(1)->UseRealTime()->Unit(benchmark::kMillisecond);
BENCHMARK(stream_checked)->Arg(1)->UseRealTime()->Unit(benchmark::kMillisecond);
BENCHMARK(shared_reduction_checked)->Arg(1)->UseRealTime()->Unit(benchmark::kMillisecond);
BENCHMARK(wgmma_loop_checked)->Arg(1)->UseRealTime()->Unit(benchmark::kMillisecond);
// The argument is the number of schedules.
BENCHMARK(naive_product_checked)->Arg(1)->Arg(5)->UseRealTime()->Unit(benchmark::kSecond);
BENCHMARK(tiled_product_checked)->Arg(1)->Arg(5)->UseRealTime()->Unit(benchmark::kSecond);
BENCHMARK(sgemm_checked)->Arg(1)->Arg(5)->UseRealTime()->Unit(benchmark::kSecond);
BENCHMARK(grid_barrier_checked)->Arg(1)->Arg(5)->UseRealTime()->Unit(benchmark::kSecond);

}  // namespace

BENCHMARK_MAIN();
