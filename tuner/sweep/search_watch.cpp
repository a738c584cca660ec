#include "sweep/search_watch.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace warpwright {
namespace {

// A strategy is first asked about the rest after this number of answers, and again whenever the
// number has grown by a tenth.
constexpr std::uint64_t kFirstLook = 10;
constexpr std::uint64_t kLooksPerAnswer = 10;

}  // namespace

SearchWatch::SearchWatch(std::string strategy, std::uint64_t space, std::optional<double> until)
    : until_(until), next_look_(kFirstLook) {
  course_.strategy = std::move(strategy);
  course_.space = space;
}

void SearchWatch::asked(const std::string& asker) { ++course_.asked[asker]; }

void SearchWatch::answered(const std::string& asker, const Seen& seen) {
  ++course_.answered;
  course_.seconds = seen.seconds;
  if (!seen.passed) ++course_.failed;
  if (!seen.cost) return;
  if (!course_.steps.empty() && *seen.cost >= course_.steps.back().cost) return;
  course_.steps.push_back({course_.answered, seen.seconds, *seen.cost, asker});
  course_.limit_us = seen.limit_us;
}

std::string SearchWatch::near_limit() const {
  if (!course_.limit_us || course_.steps.empty()) return "";
  const double best = course_.steps.back().cost;
  if (best > *course_.limit_us * (1 + *until_)) return "";
  return fmt::format("the best is within {:.2g} % of the device's limit, {:.4g} µs",
                     std::max(0.0, 100 * (best / *course_.limit_us - 1)), *course_.limit_us);
}

std::string SearchWatch::enough(Strategy& strategy) {
  if (!until_) return "";
  if (std::string near = near_limit(); !near.empty()) return near;
  if (course_.answered < next_look_) return "";
  next_look_ = course_.answered + std::max<std::uint64_t>(1, course_.answered / kLooksPerAnswer);
  const std::optional<Outlook> outlook = strategy.outlook(*until_);
  if (!outlook || outlook->chance >= kWorthwhileChance) return "";
  return fmt::format("the chance of another {:.3g} % is {:.2g} %", 100 * *until_,
                     100 * outlook->chance);
}

SearchCourse SearchWatch::course(Strategy& strategy) const {
  SearchCourse course = course_;
  const double gain = until_.value_or(kUsualGain);
  const bool rest = course.answered < course.space;
  if (const std::optional<Outlook> outlook = rest ? strategy.outlook(gain) : std::nullopt)
    course.rest = SearchCourse::Rest{gain, outlook->chance, outlook->likely_best};
  return course;
}

}  // namespace warpwright
