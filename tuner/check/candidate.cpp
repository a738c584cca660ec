#include "check/candidate.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/error.h"
#include "core/suggest.h"
#include "spec/value_rule.h"
#include "trial/launch_plan.h"

namespace warpwright {
namespace {

std::string place_of(const SourcePosition& where) {
  return where.known() ? where.to_string() + ": " : "";
}

Finding illegal(std::string message) {
  return {FindingKind::kIllegal, std::move(message), std::nullopt};
}

// Keeps the parameters that the variant still has and fills in new ones.
std::optional<Finding> take_parameters(const KernelSpec& kernel, const VariantSpec& variant,
                                       const Configuration& baseline, Candidate& candidate) {
  for (const auto& [name, value] : baseline.values) {
    if (std::find(variant.parameters.begin(), variant.parameters.end(), name) ==
        variant.parameters.end()) {
      return illegal(fmt::format("parameter '{}' is gone from variant '{}'{}", name, variant.name,
                                 suggestion(name, variant.parameters)));
    }
  }
  candidate.configuration.variant = variant.name;
  for (const std::string& name : variant.parameters) {
    const ParameterSpec* parameter = kernel.find_parameter(name);
    WARPWRIGHT_CHECK(parameter != nullptr, "a variant's parameters are declared");
    const auto given = baseline.values.find(name);
    Value value = given == baseline.values.end() ? parameter->default_value : given->second;
    if (given == baseline.values.end()) {
      candidate.notes.push_back(
          fmt::format("parameter '{}' is new; taken at its default {}", name, value.to_string()));
    }
    if (const auto wrong = rule_of(*parameter).violation(value)) {
      return illegal(fmt::format("{}parameter '{}': {}", place_of(parameter->where), name, *wrong));
    }
    candidate.configuration.values[name] = std::move(value);
  }
  return std::nullopt;
}

}  // namespace

Candidate find_candidate(const KernelSpec& kernel, const Configuration& baseline,
                         const Problem& problem, const DeviceInfo& device) {
  Candidate candidate;
  try {
    candidate.problem = complete_problem(kernel, problem, {});
  } catch (const Error& error) {
    candidate.refusal = {
        FindingKind::kMissing,
        fmt::format("the problem is gone from kernel '{}': {}", kernel.name, error.message()),
        std::nullopt};
    return candidate;
  }
  const VariantSpec* variant = kernel.find_variant(baseline.variant);
  if (variant == nullptr) {
    std::vector<std::string> known;
    for (const VariantSpec& one : kernel.variants) known.push_back(one.name);
    candidate.refusal = {FindingKind::kMissing,
                         fmt::format("kernel '{}' has no variant '{}' any more{}", kernel.name,
                                     baseline.variant, suggestion(baseline.variant, known)),
                         std::nullopt};
    return candidate;
  }
  candidate.refusal = take_parameters(kernel, *variant, baseline, candidate);
  if (candidate.refusal) return candidate;
  try {
    if (const auto broken =
            broken_constraint(kernel, candidate.configuration, candidate.problem, device))
      candidate.refusal = illegal(*broken);
  } catch (const Error& error) {
    candidate.refusal = illegal(error.message());
  }
  return candidate;
}

}  // namespace warpwright
