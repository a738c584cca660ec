#include "trial/launch/jobs.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>

#include "core/error.h"
#include "core/expr/expr.h"
#include "trial/launch/launch_plan.h"

namespace warpwright {
namespace {

struct GivenBytes {
  const LaunchSpec* launch = nullptr;
  std::optional<std::int64_t> bytes;  // nullopt: depends on values that are not compiled in
};

// Names that the source sees as macros.
Environment compiled_in(const KernelSpec& kernel, const Configuration& configuration,
                        const Problem& problem) {
  Environment environment;
  for (const auto& [name, value] : configuration.values) environment.set(name, value);
  for (const ProblemSizeSpec& size : kernel.problem) {
    const auto value = problem.find(size.name);
    if (!size.macro.empty() && value != problem.end()) environment.set(size.name, value->second);
  }
  return environment;
}

// Returns nullopt for an expression that cannot be evaluated or is not a number of bytes; the error
// is reported where the launch is planned.
std::optional<std::int64_t> bytes_of(const Expr& shared, const Environment& known) {
  const bool all_known =
      std::all_of(shared.names().begin(), shared.names().end(),
                  [&](const std::string& name) { return known.find(name) != nullptr; });
  if (!all_known) return std::nullopt;
  try {
    const std::int64_t bytes = shared.evaluate_integer(known);
    if (bytes >= 0) return bytes;
  } catch (const Error&) {
  }
  return std::nullopt;
}

// The place omits the folder, because failures are stored and compared between machines.
SharedBytesDefine define(const KernelSpec& kernel, std::string name, const GivenBytes& given) {
  const SourceLocation& where = given.launch->shared_bytes.where();
  SourceLocation place = where;
  place.file = kernel.file.filename().string();
  return {std::move(name), std::to_string(*given.bytes),
          fmt::format("{}: `shared` of the launch of '{}' is {} bytes", place.to_string(),
                      given.launch->entry.text(), *given.bytes)};
}

// A macro is C++ text: true would need <cstdbool> in C-like sources, so booleans are 0 and 1.
std::string macro_text(const Value& value) {
  return value.is_bool() ? std::string(value.as_bool() ? "1" : "0") : value.to_string();
}

}  // namespace

std::vector<SharedBytesDefine> shared_bytes_defines(const KernelSpec& kernel,
                                                    const VariantSpec& variant,
                                                    const Configuration& configuration,
                                                    const Problem& problem) {
  const Environment known = compiled_in(kernel, configuration, problem);
  std::vector<GivenBytes> all;
  for (const LaunchSpec& launch : variant.launches) {
    // An expression that the contract omits has no place.
    if (launch.shared_bytes.where().known())
      all.push_back({&launch, bytes_of(launch.shared_bytes, known)});
  }
  const auto agrees_with = [](const GivenBytes& one) {
    return [&one](const GivenBytes& other) { return other.bytes && other.bytes == one.bytes; };
  };
  if (all.empty()) return {};
  if (std::all_of(all.begin(), all.end(), agrees_with(all.front())))
    return {define(kernel, kSharedBytesMacro, all.front())};
  std::vector<SharedBytesDefine> defines;
  std::set<std::string> entries;
  for (const GivenBytes& one : all) {
    // The macro of an entry contains its name, so the name must be valid in a macro.
    const EntryName& entry = one.launch->entry;
    if (!one.bytes || !entry.is_plain() || !entries.insert(entry.text()).second) continue;
    const auto same = agrees_with(one);
    const bool agree = std::all_of(all.begin(), all.end(), [&](const GivenBytes& other) {
      return other.launch->entry.text() != entry.text() || same(other);
    });
    if (agree)
      defines.push_back(define(kernel, fmt::format("{}_{}", kSharedBytesMacro, entry.text()), one));
  }
  return defines;
}

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
