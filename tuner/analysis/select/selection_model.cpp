#include "analysis/select/selection_model.h"

#include <algorithm>

#include "spec/value_rule.h"

namespace warpwright {
namespace {

bool passes(const VariantSpec& variant, const std::string& argument) {
  return std::any_of(
      variant.launches.begin(), variant.launches.end(), [&](const LaunchSpec& launch) {
        return std::find(launch.arguments.begin(), launch.arguments.end(), argument) !=
               launch.arguments.end();
      });
}

}  // namespace

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

// A size without a list is a number unless its default is something else.
bool is_categorical(const ProblemSizeSpec& size) {
  if (!size.values.empty()) return true;
  return size.default_value && (size.default_value->is_bool() || size.default_value->is_string());
}

std::vector<const ConstraintSpec*> constraints_of(const KernelSpec& kernel,
                                                  const VariantSpec& variant) {
  std::vector<const ConstraintSpec*> all;
  for (const ConstraintSpec& constraint : kernel.constraints) all.push_back(&constraint);
  for (const ConstraintSpec& constraint : variant.constraints) all.push_back(&constraint);
  return all;
}

std::vector<const ArgumentSpec*> tensor_maps_of(const KernelSpec& kernel,
                                                const VariantSpec& variant) {
  std::vector<const ArgumentSpec*> maps;
  for (const ArgumentSpec& argument : kernel.arguments) {
    if (argument.map && passes(variant, argument.name)) maps.push_back(&argument);
  }
  return maps;
}

bool passes_array(const KernelSpec& kernel, const VariantSpec& variant, const std::string& array) {
  return std::any_of(
      kernel.arguments.begin(), kernel.arguments.end(), [&](const ArgumentSpec& argument) {
        const bool is = argument.name == array || (argument.map && argument.map->tensor == array);
        return is && passes(variant, argument.name);
      });
}

std::vector<const ArgumentSpec*> filled_scratch_of(const KernelSpec& kernel,
                                                   const VariantSpec& variant) {
  std::vector<const ArgumentSpec*> filled;
  for (const ArgumentSpec& argument : kernel.arguments) {
    if (argument.role == ArgumentRole::kScratch && !argument.fill.empty() &&
        passes_array(kernel, variant, argument.name))
      filled.push_back(&argument);
  }
  return filled;
}

}  // namespace warpwright
