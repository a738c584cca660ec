// Turns a configuration and a problem into jobs for the compiler.
#include <algorithm>

#include "trial/launch_plan.h"
#include "trial/shared_bytes.h"
#include "trial/trial_runner.h"

namespace warpwright {
namespace {

// A macro is C++ text: true would need <cstdbool> in C-like sources, so booleans are 0 and 1.
std::string macro_text(const Value& value) {
  return value.is_bool() ? std::string(value.as_bool() ? "1" : "0") : value.to_string();
}

}  // namespace

std::vector<std::pair<std::string, std::string>> compile_defines(const KernelSpec& kernel,
                                                                 const Configuration& configuration,
                                                                 const Problem& problem) {
  std::vector<std::pair<std::string, std::string>> defines;
  const VariantSpec& variant = variant_of(kernel, configuration);
  for (const auto& [name, value] : configuration.values) {
    const std::string macro = source_macro(kernel, variant, name);
    if (!macro.empty()) defines.emplace_back(macro, macro_text(value));
  }
  for (const ProblemSizeSpec& size : kernel.problem) {
    const auto value = problem.find(size.name);
    if (!size.macro.empty() && value != problem.end())
      defines.emplace_back(size.macro, macro_text(value->second));
  }
  return defines;
}

CompileJob make_compile_job(const KernelSpec& kernel, const Configuration& configuration,
                            const Problem& problem, const DeviceInfo& device,
                            const std::vector<std::filesystem::path>& include_folders) {
  CompileJob job;
  const VariantSpec& variant = variant_of(kernel, configuration);
  job.source = variant.source;
  job.include_folders = kernel.header_folders(include_folders);
  job.defines = compile_defines(kernel, configuration, problem);
  for (SharedBytesDefine& shared : shared_bytes_defines(kernel, variant, configuration, problem)) {
    job.promises.push_back({shared.name, std::move(shared.says)});
    job.defines.emplace_back(std::move(shared.name), std::move(shared.value));
  }
  const Environment environment = trial_environment(kernel, configuration, problem, device);
  for (const std::vector<CompileOption>* options : {&kernel.options, &variant.options}) {
    for (const CompileOption& option : *options)
      if (auto given = option.evaluate(environment)) job.extra_options.push_back(*std::move(given));
  }
  for (const LaunchSpec& launch : variant.launches) {
    if (!launch.entry.is_template()) continue;
    std::string name = launch.entry.evaluate(environment);
    if (std::find(job.names.begin(), job.names.end(), name) == job.names.end())
      job.names.push_back(std::move(name));
  }
  job.arch = device.arch;
  job.texts = kernel.texts;
  return job;
}

std::vector<CaseJob> case_jobs(const KernelSpec& kernel, const Configuration& configuration,
                               const DeviceInfo& device,
                               const std::vector<std::filesystem::path>& include_folders,
                               std::vector<SkippedCase>* skipped) {
  std::vector<CaseJob> jobs;
  for (const CaseSpec& test : kernel.cases) {
    const Problem problem = complete_problem(kernel, test.problem, test.where);
    if (auto reason = broken_constraint(kernel, configuration, problem, device)) {
      if (skipped != nullptr) skipped->push_back({test.name, std::move(*reason)});
      continue;
    }
    jobs.push_back({test.name, problem, test.fills,
                    make_compile_job(kernel, configuration, problem, device, include_folders)});
  }
  return jobs;
}

}  // namespace warpwright
