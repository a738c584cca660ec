// The interface of the sections of the selftest: their names and numbers of repetitions, and the
// figures that they give about the harness. Each section requests numbers (from worker processes,
// or from sweeps) and turns them into figures. Sections have no other access to the outside, so
// tests can replace it.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <string_view>
#include <vector>

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

// A figure is a number and its target. A number that could not be obtained is NaN and meets no
// target.
struct Target {
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();

  [[nodiscard]] static Target none() { return {}; }
  [[nodiscard]] static Target at_most(double limit);
  [[nodiscard]] static Target at_least(double limit);
  [[nodiscard]] static Target between(double low, double high);

  // False for a figure that is shown for information only.
  [[nodiscard]] bool given() const;
  [[nodiscard]] bool met_by(double value) const;
  // "<= 0.15 us", ">= 98 %", "93 to 97 %"; "" when none is given.
  [[nodiscard]] std::string text(const std::string& unit) const;
};

struct Figure {
  std::string section;  // "bias", "coverage", ...
  std::string name;
  std::string size;  // the measured size: "50 us"
  double value = std::numeric_limits<double>::quiet_NaN();
  std::string unit;  // "us", "ms", "s", "%"; empty for counts
  Target target;
  std::string detail;  // one line: the data behind the value, or why there is none

  [[nodiscard]] bool passed() const { return !target.given() || target.met_by(value); }
};
// {"section","name","size","value","unit","target":{"low","high"} or null,"passed","detail"};
// non-finite numbers are null.
void to_json(nlohmann::json& json, const Figure& figure);

// "0.0123", "95.3 %"; "n/a" for non-finite values.
[[nodiscard]] std::string format_value(double value, const std::string& unit);

struct SectionResult {
  std::vector<Figure> figures;
  nlohmann::json raw = nlohmann::json::object();  // every number behind the figures
  std::set<std::string> protocols;                // of its times
};

struct Workers {
  // Runs one task of selftest_worker.h in a fresh process. Throws Error.
  std::function<nlohmann::json(const nlohmann::json& task)> ask;
  // Called before each task or sweep, with a description of it.
  std::function<void(const std::string& note)> step = [](const std::string&) {};
};

// "A of B": counts in details.
[[nodiscard]] std::string of(std::size_t part, std::size_t whole);
// 100 * part / whole; NaN when `whole` is 0.
[[nodiscard]] double percent(std::size_t part, std::size_t whole);
// A reason on one line of a table: line breaks become "; ", and its end is cut when it is long.
[[nodiscard]] std::string one_line(const std::string& text);

}  // namespace warpwright
