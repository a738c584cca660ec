#include "search/strategy.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "core/error.h"
#include "core/words.h"
#include "search/strategies.h"

namespace warpwright {
namespace {

struct Option {
  std::string name;
  double least, most;
  bool whole;
};

struct Registration {
  std::string_view name;
  std::string_view help;
  std::unique_ptr<Strategy> (*make)(const SearchSpace& space, const StrategyOptions& options);
  std::vector<Option> options = {};
};

const std::vector<Registration>& registrations() {
  static const std::vector<Option> forest = {
      {"trees", 1, 1000, true}, {"batch", 1, 64, true}, {"first", 1, 100000, true}};
  static const std::vector<Registration> all = {
      {"auto", "a surrogate and a local search that compete, after a spread sample", make_auto,
       forest},
      {"exhaustive", "every configuration, in order", make_exhaustive},
      {"random", "uniform without repetition, from the seed", make_random},
      {"latin_hypercube",
       "spread evenly over every parameter",
       make_latin_hypercube,
       {{"batch", 2, 100000, true}}},
      {"local",
       "from a start to better neighbours, again and again",
       make_local,
       {{"starts", 1, 1000, true}, {"shaken", 1, 100, true}}},
      {"genetic",
       "a population that crosses and mutates",
       make_genetic,
       {{"population", 2, 10000, true}, {"mutation", 0, 100, false}}},
      {"annealing",
       "walks that also go uphill, less and less often",
       make_annealing,
       {{"walks", 1, 1000, true}, {"hot", 1e-9, 1e3, false}, {"cold", 1e-9, 1e3, false}}},
      {"differential_evolution",
       "a population that moves along its own differences",
       make_differential_evolution,
       {{"population", 4, 10000, true}, {"weight", 0, 4, false}, {"crossover", 0, 1, false}}},
      {"particle_swarm",
       "particles drawn towards the best known places",
       make_particle_swarm,
       {{"particles", 2, 10000, true},
        {"inertia", 0, 2, false},
        {"own", 0, 10, false},
        {"best", 0, 10, false}}},
      {"surrogate", "what a forest expects to improve on the best by most", make_surrogate, forest},
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

void check_option(const Registration& registration, const std::string& name, const Value& value) {
  std::vector<std::string> known;
  for (const Option& option : registration.options) {
    known.push_back(option.name);
    if (option.name != name) continue;
    const bool fits = value.is_number() && !value.is_bool() &&
                      (!option.whole || value.is_integer()) && value.as_real() >= option.least &&
                      value.as_real() <= option.most;
    if (fits) return;
    throw user_error(fmt::format("option '{}' of strategy '{}' is {}; expected {} from {} to {}",
                                 name, registration.name, value.to_string(),
                                 option.whole ? "a whole number" : "a number", option.least,
                                 option.most));
  }
  throw user_error(fmt::format("strategy '{}' has no option '{}'{}", registration.name, name,
                               known.empty() ? "; it takes none" : suggestion(name, known)));
}

}  // namespace

std::int64_t StrategyOptions::integer(const std::string& name, std::int64_t otherwise) const {
  const auto given = values.find(name);
  return given == values.end() ? otherwise : given->second.as_integer();
}

double StrategyOptions::real(const std::string& name, double otherwise) const {
  const auto given = values.find(name);
  return given == values.end() ? otherwise : given->second.as_real();
}

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
  for (const auto& [option, value] : options.values) check_option(registration, option, value);
  if (options.budget && *options.budget == 0)
    throw user_error("a search needs a budget of at least 1 trial");
  return registration.make(space, options);
}

}  // namespace warpwright
