#include "search/strategy.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "core/error.h"
#include "core/suggest.h"
#include "search/strategies.h"

namespace warpwright {
namespace {

struct Registration {
  std::string_view name;
  std::string_view help;
  std::unique_ptr<Strategy> (*make)(const SearchSpace& space, const StrategyOptions& options);
  std::vector<std::string> options;
};

const std::vector<Registration>& registrations() {
  static const std::vector<Registration> all = {
      {"exhaustive", "every configuration, in order", make_exhaustive, {}},
      {"random", "uniform without repetition, from the seed", make_random, {}},
  };
  return all;
}

const Registration& find_registration(const std::string& name) {
  std::vector<std::string> known;
  for (const Registration& registration : registrations()) {
    if (registration.name == name) return registration;
    known.emplace_back(registration.name);
  }
  throw user_error(fmt::format("unknown strategy '{}'{}", name, suggestion(name, known)));
}

void check_options(const Registration& registration, const StrategyOptions& options) {
  const std::vector<std::string>& known = registration.options;
  for (const auto& [option, value] : options.values) {
    if (std::find(known.begin(), known.end(), option) != known.end()) continue;
    throw user_error(fmt::format("strategy '{}' has no option '{}'{}", registration.name, option,
                                 known.empty() ? "; it takes none" : suggestion(option, known)));
  }
}

}  // namespace

const std::vector<std::pair<std::string, std::string>>& strategy_names() {
  static const std::vector<std::pair<std::string, std::string>> names = [] {
    std::vector<std::pair<std::string, std::string>> all;
    for (const Registration& registration : registrations()) {
      all.emplace_back(registration.name, registration.help);
    }
    return all;
  }();
  return names;
}

std::unique_ptr<Strategy> make_strategy(const std::string& name, const SearchSpace& space,
                                        const StrategyOptions& options) {
  const Registration& registration = find_registration(name);
  check_options(registration, options);
  return registration.make(space, options);
}

}  // namespace warpwright
