#include "spec/kernel_spec.h"

#include <fmt/format.h>

#include <system_error>

#include "core/words.h"
#include "spec/value_rule.h"

namespace warpwright {

std::map<std::string, Value> complete_problem_at(
    const KernelSpec& kernel, const std::map<std::string, Value>& given,
    const SourceLocation& where, const std::map<std::string, SourceLocation>& places) {
  const auto place_of = [&](const std::string& name) {
    const auto found = places.find(name);
    return found == places.end() ? where : found->second;
  };
  // Check unknown names first: `row` for `rows` should not be reported as a missing `rows`.
  for (const auto& [name, value] : given) {
    if (kernel.find_size(name) != nullptr) continue;
    std::vector<std::string> known;
    for (const ProblemSizeSpec& size : kernel.problem) known.push_back(size.name);
    throw user_error(place_of(name), fmt::format("unknown problem size '{}' of kernel '{}'{}", name,
                                                 kernel.name, suggestion(name, known)));
  }
  std::map<std::string, Value> complete;
  for (const ProblemSizeSpec& size : kernel.problem) {
    const auto found = given.find(size.name);
    if (found == given.end()) {
      if (!size.default_value) {
        throw user_error(where,
                         fmt::format("the problem does not give '{}'{}; add `{}: ...`", size.name,
                                     size.doc.empty() ? "" : " (" + size.doc + ")", size.name));
      }
      complete[size.name] = *size.default_value;
      continue;
    }
    Value value = found->second;
    if (const auto wrong = rule_of(size).violation(value)) {
      throw user_error(place_of(size.name),
                       fmt::format("problem size '{}': {}", size.name, *wrong));
    }
    complete[size.name] = std::move(value);
  }
  return complete;
}

std::map<std::string, Value> complete_problem(const KernelSpec& kernel,
                                              const std::map<std::string, Value>& given,
                                              const SourceLocation& where) {
  return complete_problem_at(kernel, given, where, {});
}

std::string describe_problem(const KernelSpec& kernel,
                             const std::map<std::string, Value>& problem) {
  std::string text;
  for (const ProblemSizeSpec& size : kernel.problem) {
    const auto found = problem.find(size.name);
    if (found == problem.end()) continue;
    text += fmt::format("{}{}={}", text.empty() ? "" : " ", size.name, found->second.to_string());
  }
  return text;
}

namespace {

namespace fs = std::filesystem;

void add_folder(const fs::path& folder, std::map<std::string, fs::path>& kernels) {
  const fs::path file = folder / "kernel.yaml";
  std::error_code failed;
  if (!fs::is_regular_file(file, failed)) return;
  // A root such as "kernels/x/" or "." has no last component of its own.
  const fs::path name = fs::absolute(file).lexically_normal().parent_path().filename();
  kernels.try_emplace(name.string(), file);
}

}  // namespace

std::map<std::string, fs::path> find_kernels(const std::vector<fs::path>& roots) {
  std::map<std::string, fs::path> kernels;
  for (const fs::path& root : roots) {
    add_folder(root, kernels);
    std::error_code failed;
    fs::directory_iterator entry(root, failed);
    while (!failed && entry != fs::directory_iterator()) {
      add_folder(entry->path(), kernels);
      entry.increment(failed);
    }
  }
  return kernels;
}

}  // namespace warpwright
