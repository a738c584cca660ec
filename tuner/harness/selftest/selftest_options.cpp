#include "harness/selftest/selftest_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <vector>

#include "core/error.h"
#include "core/suggest.h"

namespace warpwright {
namespace {

struct Named {
  Section section;
  std::string_view name;
};

constexpr std::array<Named, 10> kNames{{{Section::kBias, "bias"},
                                        {Section::kCv, "cv"},
                                        {Section::kWall, "wall"},
                                        {Section::kCoverage, "coverage"},
                                        {Section::kAa, "aa"},
                                        {Section::kSlowdown, "slowdown"},
                                        {Section::kRanking, "ranking"},
                                        {Section::kTau, "tau"},
                                        {Section::kPicks, "picks"},
                                        {Section::kFaults, "faults"}}};

Section parse_section(std::string_view text) {
  std::vector<std::string> known;
  for (const Named& named : kNames) {
    if (named.name == text) return named.section;
    known.emplace_back(named.name);
  }
  throw user_error(
      fmt::format("--only: unknown section '{}'{}", text, suggestion(std::string(text), known)));
}

}  // namespace

std::string_view section_name(Section section) {
  const auto* found = std::find_if(kNames.begin(), kNames.end(),
                                   [&](const Named& named) { return named.section == section; });
  WARPWRIGHT_CHECK(found != kNames.end(), "every section has a name");
  return found->name;
}

std::set<Section> all_sections() {
  std::set<Section> sections;
  for (const Named& named : kNames) sections.insert(named.section);
  return sections;
}

std::set<Section> parse_sections(std::string_view text) {
  std::set<Section> sections;
  std::size_t begin = 0;
  while (begin <= text.size()) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    sections.insert(parse_section(text.substr(begin, end - begin)));
    begin = end + 1;
  }
  return sections;
}

SelftestCounts quick_counts() {
  SelftestCounts counts;
  counts.processes = 5;
  counts.measurements = 100;
  counts.aa_comparisons = 40;
  counts.slowdown_runs = 20;
  counts.races = 5;
  counts.tunings = 4;
  return counts;
}

}  // namespace warpwright
