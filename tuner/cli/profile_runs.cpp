#include "cli/profile_runs.h"

#include <algorithm>

#include "bench/bench_case.h"
#include "spec/kernel_fills.h"
#include "trial/trial_runner.h"
#include "trial/trial_steps.h"
#include "workers/worker_recipe.h"

namespace warpwright {
namespace {

constexpr std::size_t kCompiledAhead = 16;

}  // namespace

ProfileRuns::ProfileRuns(Paths paths, DeviceInfo device)
    : paths_(std::move(paths)),
      device_(std::move(device)),
      compiler_(WorkerRecipe(paths_, {device_}).compilers()) {}

void ProfileRuns::each(const KernelSpec& kernel, const Problem& problem,
                       const std::vector<Configuration>& configurations, std::uint64_t seed,
                       const ProfileOptions& options,
                       const std::function<void(const Configuration&, const Profile&)>& take) {
  std::optional<TemporaryFolder> own_folder;
  const Reference reference =
      uses_generator(kernel)
          ? make_reference(kernel,
                           WorkerRecipe(paths_, {device_}).measurers(kernel, device_).setup.options,
                           own_folder)
          : Reference();
  std::optional<Profiler> profiler;
  Problem made_for;
  for (std::size_t first = 0; first < configurations.size(); first += kCompiledAhead) {
    const std::size_t end = std::min(first + kCompiledAhead, configurations.size());
    std::vector<CompileJob> jobs;
    for (std::size_t i = first; i < end; ++i)
      jobs.push_back(make_compile_job(kernel, configurations[i], problem, device_,
                                      {kernel.folder, paths_.common_headers()}));
    const std::vector<CompileResult> compiled = compiler_.compile(std::move(jobs));
    for (std::size_t i = first; i < end; ++i) {
      Problem shaped = shaped_problem(kernel, configurations[i], problem);
      if (!profiler || shaped != made_for) {
        profiler.reset();  // its memory must be released first
        made_for = std::move(shaped);
        profiler.emplace(kernel, made_for, device_, seed, reference);
      }
      take(configurations[i], profiler->run(configurations[i], compiled[i - first], options));
    }
  }
}

}  // namespace warpwright
