#include "header_export/contract_facts.h"

#include <algorithm>
#include <utility>

#include "header_export/tensor_map_facts.h"
#include "spec/value_rule.h"

namespace warpwright {
namespace {

Value sample_of(const ProblemSizeSpec& size) {
  if (size.default_value) return *size.default_value;
  if (!size.values.empty()) return size.values.front();
  switch (rule_of(size).type) {
    case ValueType::kBool:
      return false;
    case ValueType::kReal:
      return 0.0;
    case ValueType::kString:
      return "";
    case ValueType::kInteger:
      break;
  }
  return 0;
}

void append(std::vector<ConstraintFact>& facts, const std::vector<ConstraintSpec>& constraints) {
  for (const ConstraintSpec& constraint : constraints)
    facts.push_back({constraint.expr, constraint.because});
}

bool passes(const VariantSpec& variant, const std::string& argument) {
  return std::any_of(
      variant.launches.begin(), variant.launches.end(), [&](const LaunchSpec& launch) {
        return std::find(launch.arguments.begin(), launch.arguments.end(), argument) !=
               launch.arguments.end();
      });
}

// Itself, or a tensor map of it.
bool uses(const KernelSpec& kernel, const VariantSpec& variant, const std::string& array) {
  return std::any_of(
      kernel.arguments.begin(), kernel.arguments.end(), [&](const ArgumentSpec& argument) {
        const bool is = argument.name == array || (argument.map && argument.map->tensor == array);
        return is && passes(variant, argument.name);
      });
}

VariantFact variant_fact(const KernelSpec& kernel, const VariantSpec& variant) {
  VariantFact fact;
  fact.name = variant.name;
  fact.doc = variant.doc;
  fact.source = variant.source.filename().string();
  fact.parameters = variant.parameters;
  append(fact.constraints, kernel.constraints);
  append(fact.constraints, variant.constraints);
  for (const LaunchSpec& launch : variant.launches) {
    fact.launches.push_back(
        {launch.entry, launch.grid, launch.block, launch.cluster, launch.shared_bytes});
  }
  for (const ArgumentSpec& argument : kernel.arguments) {
    if (argument.map && passes(variant, argument.name))
      fact.tensor_maps.push_back(tensor_map_fact(kernel, argument));
    const bool filled = argument.role == ArgumentRole::kScratch && !argument.fill.empty();
    if (filled && uses(kernel, variant, argument.name)) {
      fact.filled_scratch.push_back({argument.name, argument.dtype, argument.shape, argument.fill});
    }
  }
  return fact;
}

}  // namespace

ContractFacts contract_facts(const KernelSpec& kernel) {
  ContractFacts facts;
  facts.kernel = kernel.name;
  facts.summary = kernel.summary;
  for (const ProblemSizeSpec& size : kernel.problem) {
    facts.sizes.push_back({size.name, size.doc, sample_of(size), size.values, size.default_value,
                           size.min, size.max, size.macro});
  }
  for (const ParameterSpec& parameter : kernel.parameters) {
    facts.parameters.push_back(
        {parameter.name, parameter.doc, parameter.default_value, parameter.values});
  }
  for (const VariantSpec& variant : kernel.variants)
    facts.variants.push_back(variant_fact(kernel, variant));
  facts.work_bytes = kernel.work.bytes;
  return facts;
}

}  // namespace warpwright
