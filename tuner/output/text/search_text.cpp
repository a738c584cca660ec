#include "output/text/search_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

namespace warpwright {
namespace {

constexpr double kUnlikely = 0.1;
constexpr double kLikely = 0.5;

std::string cost_text(const SearchCourse& course, double cost, bool modelled) {
  const double value = course.maximize ? -cost : cost;
  return course.objective.empty() ? fmt::format("{:.4g} µs{}", value, modelled ? " modelled" : "")
                                  : fmt::format("{:.4g} of {}", value, course.objective);
}

// Lists the strategies that asked, the most frequent first.
std::string askers_text(const SearchCourse& course) {
  std::vector<std::pair<std::string, std::uint64_t>> askers(course.asked.begin(),
                                                            course.asked.end());
  std::stable_sort(askers.begin(), askers.end(),
                   [](const auto& a, const auto& b) { return a.second > b.second; });
  std::string text;
  for (const auto& [asker, count] : askers)
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", asker, count);
  return text;
}

}  // namespace

std::string search_advice(const SearchCourse::Rest& rest) {
  if (rest.chance < kUnlikely) return "more budget is unlikely to pay";
  return rest.chance < kLikely ? "more budget may pay" : "more budget is likely to pay";
}

std::string search_text(const SearchCourse& course, bool modelled) {
  std::string text = fmt::format("{} asked {} of {} in {:.1f} s", course.strategy, course.answered,
                                 course.space, course.seconds);
  if (course.failed > 0) text += fmt::format(" ({} failed or pruned)", course.failed);
  if (course.asked.size() > 1) text += ": " + askers_text(course);
  if (!course.steps.empty()) {
    const SearchCourse::Step& best = course.steps.back();
    text +=
        fmt::format("; its best, {}, is from {}, answer {} after {:.1f} s",
                    cost_text(course, best.cost, modelled), best.asker, best.answers, best.seconds);
  }
  text += '\n';
  if (course.stop() == StopCode::kEnough)
    text += fmt::format("  it ended by itself: {}\n", course.ended);
  if (course.rest) {
    text += fmt::format(
        "  the rest: better by another {:.3g} % with a chance of {:.2g} %, its best likely {}; "
        "{}\n",
        100 * course.rest->gain, 100 * course.rest->chance,
        cost_text(course, course.rest->likely_best, modelled), search_advice(*course.rest));
  }
  return text;
}

}  // namespace warpwright
