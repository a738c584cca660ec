#include "analysis/compare/portability.h"

#include <algorithm>
#include <map>
#include <string_view>
#include <tuple>
#include <utility>

#include "analysis/compare/transfer.h"

namespace warpwright {
namespace {

using ReachedByConfiguration = std::map<std::string, Reached>;

// Returns nullopt if a platform did not try it, or has neither a time, a bound nor a failure for
// it.
std::optional<PortableConfiguration> judge(const std::string& configuration,
                                           const std::vector<ReachedByConfiguration>& platforms) {
  PortableConfiguration judged;
  judged.configuration = configuration;
  for (const ReachedByConfiguration& platform : platforms) {
    const auto it = platform.find(configuration);
    if (it == platform.end()) return std::nullopt;
    const Reached& reached = it->second;
    if (reached.how == Reached::How::kFailed) {
      judged.efficiencies.emplace_back();
      continue;
    }
    if (!reached.fraction) return std::nullopt;
    judged.at_most |= reached.how == Reached::How::kPruned;
    judged.efficiencies.push_back(reached.fraction);
  }
  judged.value = performance_portability(judged.efficiencies);
  judged.at_most &= judged.value > 0;  // a failure is 0 whatever the bounds
  return judged;
}

}  // namespace

double performance_portability(std::span<const std::optional<double>> efficiencies) {
  double sum = 0;
  for (const std::optional<double>& efficiency : efficiencies) {
    if (!efficiency || *efficiency <= 0) return 0;
    sum += 1 / *efficiency;
  }
  return sum > 0 ? static_cast<double>(efficiencies.size()) / sum : 0;
}

const PortableConfiguration* Portability::best() const {
  for (const PortableConfiguration& configuration : configurations)
    if (!configuration.at_most) return configuration.value > 0 ? &configuration : nullptr;
  return nullptr;
}

std::size_t Portability::open() const {
  const PortableConfiguration* known = best();
  return static_cast<std::size_t>(
      std::count_if(configurations.begin(), configurations.end(), [&](const auto& other) {
        return other.at_most && (known == nullptr || other.value > known->value);
      }));
}

Portability portability(const std::vector<const Leaderboard*>& boards) {
  Portability result;
  std::vector<ReachedByConfiguration> platforms;
  for (std::size_t i = 0; i < boards.size(); ++i) {
    if (boards[i] == nullptr) continue;
    result.platforms.push_back(i);
    platforms.push_back(reached_on(*boards[i]));
  }
  if (platforms.empty()) return result;
  for (const auto& [configuration, reached] : platforms.front()) {
    if (auto judged = judge(configuration, platforms)) {
      result.failing += judged->value == 0;
      result.configurations.push_back(std::move(*judged));
    }
  }
  const auto order = [](const PortableConfiguration& of) {
    return std::tuple(of.at_most, -of.value, std::string_view(of.configuration));
  };
  std::sort(result.configurations.begin(), result.configurations.end(),
            [&](const auto& a, const auto& b) { return order(a) < order(b); });
  return result;
}

}  // namespace warpwright
