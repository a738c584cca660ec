#include "harness/selftest/section.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>
#include <vector>

#include "core/error.h"
#include "core/words.h"

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

std::string with_unit(double value, const std::string& unit) {
  return fmt::format("{:.4g}{}{}", value, unit.empty() ? "" : " ", unit);
}

nlohmann::json or_null(double value) {
  return std::isfinite(value) ? nlohmann::json(value) : nlohmann::json(nullptr);
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

Target Target::at_most(double limit) {
  Target target;
  target.high = limit;
  return target;
}

Target Target::at_least(double limit) {
  Target target;
  target.low = limit;
  return target;
}

Target Target::between(double low, double high) { return {low, high}; }

bool Target::given() const { return std::isfinite(low) || std::isfinite(high); }

bool Target::met_by(double value) const {
  return std::isfinite(value) && low <= value && value <= high;
}

std::string Target::text(const std::string& unit) const {
  if (std::isfinite(low) && std::isfinite(high))
    return fmt::format("{:.4g} to {}", low, with_unit(high, unit));
  if (std::isfinite(high)) return "<= " + with_unit(high, unit);
  if (std::isfinite(low)) return ">= " + with_unit(low, unit);
  return "";
}

std::string format_value(double value, const std::string& unit) {
  return std::isfinite(value) ? with_unit(value, unit) : "n/a";
}

void to_json(nlohmann::json& json, const Figure& figure) {
  json = {{"section", figure.section},      {"name", figure.name},    {"size", figure.size},
          {"value", or_null(figure.value)}, {"unit", figure.unit},    {"target", nullptr},
          {"passed", figure.passed()},      {"detail", figure.detail}};
  if (figure.target.given()) {
    json["target"] = {{"low", or_null(figure.target.low)}, {"high", or_null(figure.target.high)}};
  }
}

std::string of(std::size_t part, std::size_t whole) { return fmt::format("{} of {}", part, whole); }

double percent(std::size_t part, std::size_t whole) {
  if (whole == 0) return std::numeric_limits<double>::quiet_NaN();
  return 100.0 * static_cast<double>(part) / static_cast<double>(whole);
}

std::string one_line(const std::string& text) {
  constexpr std::size_t kLongest = 300;
  std::string line;
  for (std::size_t at = 0; at < text.size() && line.size() < kLongest; ++at) {
    if (text[at] != '\n') {
      line += text[at];
      continue;
    }
    while (at + 1 < text.size() && (text[at + 1] == '\n' || text[at + 1] == ' ')) ++at;
    if (at + 1 < text.size()) line += line.ends_with(':') ? " " : "; ";
  }
  return line.size() < kLongest ? line : line + "...";
}

}  // namespace warpwright
