#include "analysis/compare/contender_differences.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <string_view>
#include <utility>

namespace warpwright {
namespace {

constexpr std::size_t kHashDigits = 12;

std::string joined(const std::set<std::string>& texts) {
  return fmt::format("{}", fmt::join(texts, ", "));
}

// True if two of the known values differ.
bool differ(const std::vector<std::string>& values) {
  std::set<std::string> known(values.begin(), values.end());
  known.erase("");
  return known.size() > 1;
}

void add_if_different(std::vector<ContenderDifference>& all, std::string what,
                      std::vector<std::string> values) {
  if (differ(values)) all.push_back({std::move(what), std::move(values)});
}

template <typename Value>
std::vector<std::string> per_contender(const std::vector<Contender>& contenders, Value value) {
  std::vector<std::string> values;
  for (const Contender& contender : contenders) values.push_back(value(contender));
  return values;
}

std::string listed(const std::vector<std::string>& texts) {
  return fmt::format("{}", fmt::join(texts, ", "));
}

// The protocols that the compared times were taken under.
std::vector<std::string> protocols(const std::vector<Contender>& contenders,
                                   const std::vector<std::vector<const Leaderboard*>>& boards) {
  std::vector<std::set<std::string>> seen(contenders.size());
  for (const auto& problem : boards) {
    for (std::size_t i = 0; i < problem.size(); ++i) {
      if (problem[i] != nullptr && !problem[i]->entries.empty())
        seen[i].insert(problem[i]->protocol);
    }
  }
  std::vector<std::string> values;
  for (const std::set<std::string>& texts : seen) values.push_back(joined(texts));
  return values;
}

// Adds the state of the sources that a variant's trials were made from.
void add_sources(const std::vector<Contender>& contenders,
                 const std::vector<std::vector<const Leaderboard*>>& boards,
                 std::vector<ContenderDifference>& all) {
  std::map<std::pair<std::string, std::string>, std::vector<std::set<std::string>>> seen;
  const auto note = [&](std::size_t contender, const Database::TrialRow& row) {
    auto& hashes = seen[{row.kernel_name, row.trial.variant}];
    hashes.resize(contenders.size());
    hashes[contender].insert(row.contract_hash.substr(0, kHashDigits));
  };
  for (const auto& problem : boards) {
    for (std::size_t i = 0; i < problem.size(); ++i) {
      if (problem[i] == nullptr) continue;
      for (const LeaderboardEntry& entry : problem[i]->entries) note(i, entry.row);
      for (const Database::TrialRow& row : problem[i]->untimed) note(i, row);
    }
  }
  for (const auto& [subject, hashes] : seen) {
    std::vector<std::string> values;
    for (const std::set<std::string>& texts : hashes) values.push_back(joined(texts));
    const auto& [kernel, variant] = subject;
    add_if_different(all,
                     fmt::format("sources of {}{}", kernel, variant.empty() ? "" : " " + variant),
                     std::move(values));
  }
}

}  // namespace

std::vector<ContenderDifference> contender_differences(
    const std::vector<Contender>& contenders,
    const std::vector<std::vector<const Leaderboard*>>& boards) {
  std::vector<ContenderDifference> all;
  const auto add = [&](const char* what, auto value) {
    add_if_different(all, what, per_contender(contenders, value));
  };
  add("device", [](const Contender& of) { return of.device_name; });
  add("arch", [](const Contender& of) { return of.device_arch; });
  add("driver", [](const Contender& of) { return of.device_driver; });
  add("NVRTC", [](const Contender& of) { return listed(of.nvrtc_versions); });
  add("version", [](const Contender& of) {
    constexpr std::string_view kProgram = "warpwright ";
    std::vector<std::string> versions = of.versions;
    for (std::string& version : versions)
      if (version.starts_with(kProgram)) version.erase(0, kProgram.size());
    return listed(versions);
  });
  add("seed", [](const Contender& of) { return listed(of.seeds); });
  add_if_different(all, "protocol", protocols(contenders, boards));
  add_sources(contenders, boards, all);
  return all;
}

}  // namespace warpwright
