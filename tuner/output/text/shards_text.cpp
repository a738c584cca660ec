#include "output/text/shards_text.h"

#include <fmt/format.h>

namespace warpwright {
namespace {

// "3, 5 to 7": the numbers from 1 to the count that were not begun.
std::string missing_of(const ShardsHere& here) {
  std::string text;
  for (std::uint64_t first = 1; first <= here.count; ++first) {
    if (here.begun.contains(first)) continue;
    std::uint64_t last = first;
    while (last < here.count && !here.begun.contains(last + 1)) ++last;
    text += fmt::format("{}{}", text.empty() ? "" : ", ", first);
    if (last > first) text += fmt::format("{}{}", last == first + 1 ? ", " : " to ", last);
    first = last;
  }
  return text;
}

}  // namespace

std::string shards_text(const std::vector<ShardsHere>& shards) {
  std::string text;
  for (const ShardsHere& here : shards) {
    if (here.complete()) continue;
    const std::uint64_t missing = here.count - here.begun.size();
    text += fmt::format("{} {} on {}: {} of {} configurations are here; ", here.kernel,
                        here.problem_text, here.device_name, here.known, here.asked);
    if (missing > 0) {
      text += fmt::format("of {} shards {} {} missing\n", here.count, missing_of(here),
                          missing == 1 ? "is" : "are");
    } else {
      text +=
          fmt::format("all {} shards were begun, and one that is run again goes on\n", here.count);
    }
  }
  return text;
}

}  // namespace warpwright
