#include "vet/vet_subject.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/error.h"
#include "core/words.h"
#include "spec/value_rule.h"
#include "vet/comments/comment_subject.h"
#include "vet/vet.h"

namespace warpwright {
namespace {

namespace fs = std::filesystem;

// The comparison ignores case, since x.CU is a CUDA source as well.
bool has_ending(const fs::path& path, std::string_view ending) {
  return lower(path.extension().string()) == ending;
}

// kernel.yaml must hold everything that sweeps need; any other file need only describe the
// launches.
KernelSpec read_contract(const fs::path& file,
                         std::shared_ptr<SourceBundle> texts = std::make_shared<SourceBundle>()) {
  return file.filename() == "kernel.yaml" ? read_kernel(file, std::move(texts))
                                          : read_launch_contract(file, std::move(texts));
}

// Keeps the variants of a folder's contract whose source is `source`.
void keep_variants_of(const fs::path& source, KernelSpec& kernel) {
  std::error_code ignored;
  std::erase_if(kernel.variants, [&](const VariantSpec& variant) {
    return !fs::equivalent(variant.source, source, ignored);
  });
}

// For a contract whose source may be in another folder, since the user named both.
std::shared_ptr<SourceBundle> bundle_beside(const fs::path& source) {
  auto texts = std::make_shared<SourceBundle>();
  texts->allow(fs::absolute(source).lexically_normal().parent_path(), FolderUse::kOwn);
  return texts;
}

KernelSpec of_source(const fs::path& source, const fs::path& contract) {
  if (!contract.empty()) {
    KernelSpec kernel = read_contract(contract, bundle_beside(source));
    keep_variants_of(source, kernel);
    if (!kernel.variants.empty()) return kernel;
    throw user_error(
        fmt::format("{} has no variant whose source is {}", contract.string(), source.string()));
  }
  const fs::path beside = fs::path(source).replace_extension(".yaml");
  if (fs::is_regular_file(beside)) return read_launch_contract(beside);
  const fs::path folder = fs::absolute(source).parent_path() / "kernel.yaml";
  if (fs::is_regular_file(folder)) {
    KernelSpec kernel = read_kernel(folder);
    keep_variants_of(source, kernel);
    if (!kernel.variants.empty()) return kernel;
  }
  throw user_error(
      fmt::format("{0}: nothing says how to launch it; write a comment such as `// vet: "
                  "kernel<<<4, 256>>>(x[1024], 1024)` above the kernel, or {1} with `problem`, "
                  "`arguments` and `launches` (tuner/vet/README.md), or name a contract with "
                  "--contract",
                  source.string(), beside.string()));
}

KernelSpec find_contract(const VetOptions& options, const Paths& paths) {
  const fs::path path = options.subject;
  std::error_code ignored;
  if (has_ending(path, ".cu")) {
    if (!fs::is_regular_file(path, ignored))
      throw user_error(fmt::format("{}: there is no such file", path.string()));
    return of_source(path, options.contract);
  }
  if (!options.contract.empty())
    throw user_error(fmt::format("--contract belongs to a .cu file, got '{}'", options.subject));
  if (fs::is_regular_file(path, ignored)) return read_contract(path);
  if (fs::is_regular_file(path / "kernel.yaml", ignored)) return read_kernel(path);
  return read_kernel(find_kernel_file(paths, options.subject));
}

}  // namespace

Assignment read_assignment(const std::string& text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0)
    throw user_error(fmt::format("--set {}: expected NAME=VALUE", text));
  ScalarReading reading = read_plain_scalar(text.substr(equals + 1));
  if (!reading.refusal.empty())
    throw user_error(fmt::format("--set {}: {}", text, reading.refusal));
  return {text.substr(0, equals), std::move(reading.value)};
}

namespace {

template <class Named>
void keep_named(std::vector<Named>& all, const std::string& name, const char* what,
                const KernelSpec& kernel) {
  if (name.empty()) return;
  std::vector<std::string> known;
  for (const Named& one : all) known.push_back(one.name);
  std::erase_if(all, [&](const Named& one) { return one.name != name; });
  if (all.empty()) {
    throw user_error(fmt::format("kernel '{}' has no {} '{}'{}", kernel.name, what, name,
                                 suggestion(name, known)));
  }
}

}  // namespace

void narrow_subject(const VetOptions& options, KernelSpec& kernel) {
  keep_named(kernel.variants, options.variant, "variant", kernel);
  if (kernel.cases.empty()) {
    CaseSpec& whole = kernel.cases.emplace_back();
    whole.name = "defaults";
    whole.where = {kernel.file.string(), 0, 0};
  }
  keep_named(kernel.cases, options.case_name, "case", kernel);
  for (const std::string& text : options.overrides) {
    Assignment assignment = read_assignment(text);
    const ProblemSizeSpec* size = kernel.find_size(assignment.name);
    if (size == nullptr) continue;
    if (const auto wrong = rule_of(*size).violation(assignment.value))
      throw user_error(fmt::format("--set {}: {}", text, *wrong));
    for (CaseSpec& one : kernel.cases) one.problem[assignment.name] = assignment.value;
  }
}

std::vector<Configuration> configurations_of(const KernelSpec& kernel,
                                             const std::vector<std::string>& overrides) {
  std::vector<Configuration> configurations;
  for (const VariantSpec& variant : kernel.variants) {
    Configuration& configuration = configurations.emplace_back();
    configuration.variant = variant.name;
    for (const std::string& name : variant.parameters)
      configuration.values[name] = kernel.find_parameter(name)->default_value;
  }
  for (const std::string& text : overrides) {
    Assignment assignment = read_assignment(text);
    if (kernel.find_size(assignment.name) != nullptr) continue;
    const ParameterSpec* parameter = kernel.find_parameter(assignment.name);
    if (parameter == nullptr) {
      std::vector<std::string> known;
      for (const ParameterSpec& one : kernel.parameters) known.push_back(one.name);
      for (const ProblemSizeSpec& one : kernel.problem) known.push_back(one.name);
      throw user_error(fmt::format("--set {}: unknown parameter or size '{}'{}", text,
                                   assignment.name, suggestion(assignment.name, known)));
    }
    if (const auto wrong = rule_of(*parameter).violation(assignment.value))
      throw user_error(fmt::format("--set {}: {}", text, *wrong));
    for (Configuration& configuration : configurations) {
      const auto known = configuration.values.find(assignment.name);
      if (known != configuration.values.end()) known->second = assignment.value;
    }
  }
  return configurations;
}

bool is_launched_by_comments(const VetOptions& options) {
  const fs::path path = options.subject;
  std::error_code ignored;
  return (has_ending(path, ".cu") || has_ending(path, ".cuh")) && options.contract.empty() &&
         fs::is_regular_file(path, ignored) && has_launch_comment(path);
}

KernelSpec find_subject(const VetOptions& options, const Paths& paths) {
  KernelSpec found = find_contract(options, paths);
  if (options.added.empty()) return found;
  KernelSpec kernel = with_added(
      found, options.added, options.contract.empty() ? nullptr : bundle_beside(options.subject));
  // Keep only the variants found above: a .cu subject selects some of them.
  std::erase_if(kernel.variants, [&](const VariantSpec& variant) {
    return found.find_variant(variant.name) == nullptr;
  });
  return kernel;
}

}  // namespace warpwright
