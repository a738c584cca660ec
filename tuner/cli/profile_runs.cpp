#include "cli/profile_runs.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "core/error.h"
#include "core/files.h"
#include "spec/kernel_fills.h"
#include "spec/sweep_spec.h"
#include "trial/launch/jobs.h"
#include "trial/launch/launch_plan.h"
#include "trial/trial_steps.h"
#include "workers/device_query.h"
#include "workers/worker_recipe.h"

namespace warpwright {
namespace {

constexpr std::size_t kCompiledAhead = 16;

std::filesystem::path usual_sweep(const KernelSpec& kernel, const Paths& paths) {
  return paths.home / "configs" / (kernel.name + ".yaml");
}

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

std::optional<Problem> find_profiled_problem(const KernelSpec& kernel, const std::string& text,
                                             const Paths& paths) {
  if (!text.empty()) return parse_problem(kernel, text);
  const std::filesystem::path file = usual_sweep(kernel, paths);
  if (!std::filesystem::exists(file)) return std::nullopt;
  const SweepSpec sweep = read_sweep(file);
  check_sweep(sweep, kernel);
  if (sweep.emulated.empty()) return std::nullopt;
  return complete_problem(kernel, sweep.emulated.front().sizes, sweep.emulated.front().where);
}

Problem profiled_problem(const KernelSpec& kernel, const std::string& text, const Paths& paths) {
  if (std::optional<Problem> found = find_profiled_problem(kernel, text, paths)) return *found;
  std::vector<std::string> sizes;
  for (const ProblemSizeSpec& size : kernel.problem)
    if (!size.default_value) sizes.push_back(size.name + "=...");
  throw user_error(
      fmt::format("kernel '{}': {} names no problem for emulated devices; name one: --problem "
                  "\"{}\"",
                  kernel.name, usual_sweep(kernel, paths).string(), fmt::join(sizes, " ")));
}

DeviceInfo emulated_device(const std::string& wanted, const std::string& what) {
  if (!wanted.starts_with("emu:")) {
    throw user_error(fmt::format(
        "--device {}: {} on the emulator only; try emu:sm_90a, or ncu on a GPU", wanted, what));
  }
  const std::vector<DeviceInfo> devices = select_devices(query_devices(), wanted);
  if (devices.size() != 1) {
    throw user_error(
        fmt::format("--device {}: got {} devices, expected one", wanted, devices.size()));
  }
  return devices.front();
}

}  // namespace warpwright
