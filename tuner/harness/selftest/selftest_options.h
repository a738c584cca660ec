// The sections that `warpwright selftest` runs, and their numbers of repetitions.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <string_view>

namespace warpwright {

enum class Section {
  kBias,
  kCv,
  kWall,
  kCoverage,
  kAa,
  kSlowdown,
  kRanking,
  kTau,
  kPicks,
  kFaults,
};

[[nodiscard]] std::string_view section_name(Section section);
[[nodiscard]] std::set<Section> all_sections();
// "bias,cv". Throws Error (user) on an unknown name, with the nearest, and on an empty list.
[[nodiscard]] std::set<Section> parse_sections(std::string_view text);

struct SelftestCounts {
  int processes = 20;        // of each size, for bias, CV and wall time
  int measurements = 1000;   // for coverage
  int aa_comparisons = 200;  // over both kernels
  int slowdown_runs = 100;   // of each kernel and slowdown
  int races = 25;            // with equal contestants, and the same number with a slower one
  int tunings = 20;
};
// Smaller counts: enough to see that everything works, too few for the targets to be meaningful.
[[nodiscard]] SelftestCounts quick_counts();

struct SelftestOptions {
  std::set<Section> sections = all_sections();
  SelftestCounts counts;
  bool quick = false;
  std::string version;  // of warpwright, for the report
};

}  // namespace warpwright
