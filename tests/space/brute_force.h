// Search spaces for tests, and a slow, straightforward way to solve them.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "space/search_space.h"

namespace warpwright::testing {

using Axes = std::vector<SearchSpace::Axis>;

inline SpaceDefinition::Group make_group(const std::string& variant, const Axes& axes,
                                         const std::vector<std::string>& constraints) {
  SpaceDefinition::Group group;
  group.variant = variant;
  group.axes = axes;
  int line = 1;
  for (const std::string& text : constraints) {
    group.constraints.push_back({Expr::parse(text, {"s.yaml", line++, 5}), ""});
  }
  return group;
}

inline SpaceDefinition make_definition(const Axes& axes,
                                       const std::vector<std::string>& constraints) {
  SpaceDefinition definition;
  definition.groups.push_back(make_group("", axes, constraints));
  return definition;
}

// Every assignment of the product that all constraints accept, in canonical order.
inline std::vector<Configuration> brute_force(const SpaceDefinition::Group& group,
                                              const Environment& constants) {
  std::vector<Configuration> valid;
  std::vector<std::size_t> odometer(group.axes.size(), 0);
  for (;;) {
    Configuration configuration;
    configuration.variant = group.variant;
    Environment environment(&constants);
    for (std::size_t i = 0; i < odometer.size(); ++i) {
      const Value& value = group.axes[i].values[odometer[i]];
      configuration.values[group.axes[i].name] = value;
      environment.set(group.axes[i].name, value);
    }
    bool accepted = true;
    for (const ConstraintSpec& constraint : group.constraints) {
      accepted = accepted && constraint.expr.evaluate_bool(environment);
    }
    if (accepted) valid.push_back(std::move(configuration));
    std::size_t digit = odometer.size();
    while (digit > 0 && ++odometer[digit - 1] == group.axes[digit - 1].values.size())
      odometer[--digit] = 0;
    if (digit == 0) return valid;
  }
}

inline std::vector<std::string> texts_of(const SearchSpace& space) {
  std::vector<std::string> texts;
  space.for_each([&](const Configuration& configuration) {
    texts.push_back(configuration.to_string());
    return true;
  });
  return texts;
}

}  // namespace warpwright::testing
