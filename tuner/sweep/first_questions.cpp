#include "sweep/first_questions.h"

#include <algorithm>
#include <map>
#include <string>

namespace warpwright {
namespace {

// A parameter that has one value takes it, whatever the default.
Configuration completed(const std::string& variant, const std::vector<SearchSpace::Axis>& axes,
                        const KernelSpec& kernel, const std::map<std::string, Value>& given) {
  Configuration configuration;
  configuration.variant = variant;
  for (const SearchSpace::Axis& axis : axes) {
    const auto named = given.find(axis.name);
    const Value wanted =
        named != given.end() ? named->second : kernel.find_parameter(axis.name)->default_value;
    configuration.values[axis.name] = axis.values.size() == 1 ? axis.values.front() : wanted;
  }
  return configuration;
}

}  // namespace

std::vector<std::uint64_t> first_questions(const SearchSpace& space, const KernelSpec& kernel,
                                           const SweepSpec& sweep) {
  std::vector<std::map<std::string, Value>> all{{}};
  for (const Preset& preset : sweep.presets) all.push_back(preset.values);
  std::vector<std::uint64_t> indices;
  for (const auto& given : all) {
    for (const std::string& variant : space.variants()) {
      const std::optional<std::uint64_t> index =
          space.index_of(completed(variant, space.axes(variant), kernel, given));
      if (index && std::find(indices.begin(), indices.end(), *index) == indices.end())
        indices.push_back(*index);
    }
  }
  return indices;
}

}  // namespace warpwright
