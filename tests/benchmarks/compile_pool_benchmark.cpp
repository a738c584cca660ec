// How compiling scales over worker processes with a cold cache: the same set of distinct jobs over
// 1 to N workers. items_per_second is compilations per second.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <condition_variable>
#include <cstdlib>
#include <filesystem>
#include <mutex>
#include <string>
#include <thread>

#include "compile/compile_pool.h"
#include "core/files.h"

namespace {

namespace fs = std::filesystem;
using warpwright::CompileJob;
using warpwright::CompilePool;

// The program whose worker verb does the compiling lies two folders up from this benchmark.
fs::path program() {
  return warpwright::own_executable().parent_path().parent_path().parent_path() / "warpwright";
}

fs::path home() {
  fs::path folder = program().parent_path();
  while (!fs::exists(folder / "kernels" / "common") && folder != folder.parent_path())
    folder = folder.parent_path();
  return folder;
}

CompileJob job(int distinct) {
  CompileJob result;
  result.source = home() / "kernels" / "softmax_topk" / "vectorized.cu";
  result.include_folders = {home() / "kernels" / "common"};
  result.defines = {
      {"DTYPE", "f32"}, {"TOP_K", "10"}, {"WARPWRIGHT_DISTINCT", std::to_string(distinct)}};
  result.arch = "sm_90a";
  return result;
}

void compile_cold(benchmark::State& state) {
  const int workers = static_cast<int>(state.range(0));
  // Enough for every worker to stay busy for a while after all have started.
  const int jobs = std::max(32, 24 * workers);
  static int next_distinct = 0;
  for (auto _ : state) {
    state.PauseTiming();
    std::mutex mutex;
    std::condition_variable wake;
    int done = 0, good = 0;
    warpwright::CompilePoolOptions options;
    options.workers = workers;
    options.worker_command = {program().string(), "worker", "compile"};
    CompilePool pool(options, [&](std::uint64_t, warpwright::CompileResult result) {
      const std::lock_guard lock(mutex);
      ++done;
      good += result.ok ? 1 : 0;
      wake.notify_one();
    });
    const auto run = [&](int count) {
      {
        const std::lock_guard lock(mutex);
        done = good = 0;
      }
      for (int i = 0; i < count; ++i) (void)pool.submit(job(next_distinct++));
      std::unique_lock lock(mutex);
      wake.wait(lock, [&] { return done == count; });
      if (good != count) state.SkipWithError("a job did not compile");
    };
    run(2 * workers);  // every worker has loaded NVRTC
    state.ResumeTiming();
    run(jobs);
  }
  state.SetItemsProcessed(state.iterations() * jobs);
}

void worker_counts(benchmark::internal::Benchmark* bench) {
  const int cores = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
  for (int workers = 1; workers < cores; workers *= 2) bench->Arg(workers);
  bench->Arg(cores);
}

BENCHMARK(compile_cold)
    ->Apply(worker_counts)
    ->ArgName("workers")
    ->Iterations(1)
    ->UseRealTime()
    ->Unit(benchmark::kSecond);

}  // namespace

BENCHMARK_MAIN();
