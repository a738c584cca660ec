#include "vet/vet_subject.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/error.h"
#include "core/words.h"
#include "spec/value_rule.h"
#include "spec/versions.h"

namespace warpwright {

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

std::vector<VetConfiguration> configurations_of(const VetOptions& options,
                                                const KernelSpec& kernel) {
  std::vector<VetConfiguration> configurations;
  if (!options.versions.empty()) {
    for (const ChosenVersion& version :
         choose_versions(kernel, options.versions, options.overrides, options.variant))
      configurations.push_back({{version.variant, version.values}, version.name, version.change});
    return configurations;
  }
  for (const VariantSpec& variant : kernel.variants) {
    Configuration& configuration = configurations.emplace_back().configuration;
    configuration.variant = variant.name;
    for (const std::string& name : variant.parameters)
      configuration.values[name] = kernel.find_parameter(name)->default_value;
  }
  for (const std::string& text : options.overrides) {
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
    for (VetConfiguration& one : configurations) {
      const auto known = one.configuration.values.find(assignment.name);
      if (known != one.configuration.values.end()) known->second = assignment.value;
    }
  }
  return configurations;
}

}  // namespace warpwright
