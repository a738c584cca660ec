// The times of a final ranking's winner, read back from the JSON that is stored with the ranking.
// Times are in microseconds; whatever was not measured is absent.
#pragma once

#include <optional>
#include <string>

namespace warpwright {

struct Headline {
  struct Cold {  // as a TimeEstimate of trial/outcome.h
    double median_us = 0;
    std::optional<double> ci_low_us, ci_high_us;
    std::optional<double> floor_us, raw_median_us;
    std::string protocol;
  };
  struct Hot {
    double median_us = 0;
    std::optional<double> ci_low_us, ci_high_us;
    std::optional<int> sets;   // of inputs, taken in turn
    bool l2_resident = false;  // the sets together fit into the L2 cache
  };
  struct Slope {  // per launch, from long and short rows of launches
    double us = 0;
    std::optional<double> empty_us;  // of an empty kernel
  };
  struct EndToEnd {  // host clock from call to completion, descriptors cached or made anew
    std::optional<double> cached_us, uncached_us;
  };

  std::optional<Cold> cold;
  std::optional<Hot> hot;
  std::optional<Slope> slope;
  std::optional<EndToEnd> end_to_end;
  std::optional<double> energy_mj_per_launch, power_w, sm_clock_mhz;
};

// "" gives an empty headline; anything else that is not JSON throws Error (user).
[[nodiscard]] Headline read_headline(const std::string& headline_json);

}  // namespace warpwright
