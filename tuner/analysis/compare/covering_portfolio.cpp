#include "analysis/compare/covering_portfolio.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string_view>
#include <utility>

#include "analysis/compare/set_cover.h"
#include "analysis/compare/transfer.h"

namespace warpwright {
namespace {

struct Option {
  std::string configuration;
  std::map<std::size_t, double> fractions;  // of the best, by place
  double sum = 0;
};

// True if its times can be used: the best is above 0.
bool timed(const Leaderboard* board) {
  return board != nullptr && !board->entries.empty() && board->entries.front().median_us > 0;
}

std::vector<Option> options_of(const std::vector<const Leaderboard*>& places) {
  std::map<std::string, Option> options;
  for (std::size_t place = 0; place < places.size(); ++place) {
    for (const auto& [configuration, reached] : reached_on(*places[place])) {
      if (reached.how != Reached::How::kTimed) continue;
      Option& option = options[configuration];
      option.configuration = configuration;
      option.fractions[place] = *reached.fraction;
      option.sum += *reached.fraction;
    }
  }
  std::vector<Option> all;
  for (auto& [configuration, option] : options) all.push_back(std::move(option));
  // If several options serve the same places, the cover takes the first, so the one that is best
  // overall comes first.
  std::stable_sort(all.begin(), all.end(),
                   [](const Option& a, const Option& b) { return a.sum > b.sum; });
  return all;
}

// Each place goes to the member that is best there.
std::vector<PortfolioMember> members_of(const std::vector<const Option*>& chosen,
                                        std::size_t places) {
  std::vector<PortfolioMember> members;
  for (const Option* option : chosen) members.push_back({option->configuration});
  for (std::size_t place = 0; place < places; ++place) {
    std::optional<std::size_t> best;
    double fraction = 0;
    for (std::size_t i = 0; i < chosen.size(); ++i) {
      const auto it = chosen[i]->fractions.find(place);
      if (it == chosen[i]->fractions.end() || it->second <= fraction) continue;
      best = i;
      fraction = it->second;
    }
    if (!best) continue;
    PortfolioMember& member = members[*best];
    ++member.serves;
    member.worst_fraction = std::min(member.worst_fraction, fraction);
  }
  std::sort(members.begin(), members.end(), [](const auto& a, const auto& b) {
    return std::pair(b.serves, std::string_view(a.configuration)) <
           std::pair(a.serves, std::string_view(b.configuration));
  });
  return members;
}

}  // namespace

CoveringPortfolio smallest_portfolio(const std::vector<const Leaderboard*>& boards, double within) {
  // A little slack, so that a time of exactly the limit is within it.
  const double least = 1 / (1 + within) * (1 - 1e-12);
  std::vector<const Leaderboard*> places;
  for (const Leaderboard* board : boards)
    if (timed(board)) places.push_back(board);
  CoveringPortfolio portfolio;
  portfolio.within = within;
  portfolio.places = places.size();
  if (!places.empty()) portfolio.kernel = places.front()->kernel;

  const std::vector<Option> options = options_of(places);
  portfolio.candidates = options.size();
  std::vector<std::vector<std::size_t>> sets;
  for (const Option& option : options) {
    std::vector<std::size_t>& set = sets.emplace_back();
    for (const auto& [place, fraction] : option.fractions)
      if (fraction >= least) set.push_back(place);
  }
  const SetCover found = cover(places.size(), sets);
  std::vector<const Option*> chosen;
  for (const std::size_t set : found.chosen) chosen.push_back(&options[set]);
  portfolio.members = members_of(chosen, places.size());
  portfolio.at_least = found.at_least;
  return portfolio;
}

}  // namespace warpwright
