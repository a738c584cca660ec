// Support for fixtures/hazards: the findings that a source expects for its broken kernel, and a
// launch that is assembled argument by argument.
//
//   x = tile[i];   // expect: shared race with write [, in some schedules]
//   tile[i] = y;   // mark: write
//
// A kind is the name of a FindingKind; `a or b` allows either, and so
// do several lines with `expect`. Without "in some schedules", every schedule must show it.
#pragma once

#include <algorithm>
#include <map>
#include <regex>
#include <set>

#include "emu/async/encoded_map.h"
#include "emu_harness.h"

namespace warpwright::emu {

struct Expectation {
  int line = 0;
  std::set<std::string> kinds;
  std::optional<int> other;  // the line of the other side
};

struct Expectations {
  std::vector<Expectation> any_of;
  bool in_every_schedule = true;
  [[nodiscard]] bool of(const std::string& kind) const {
    return std::any_of(any_of.begin(), any_of.end(),
                       [&](const Expectation& one) { return one.kinds.contains(kind); });
  }
};

inline std::set<std::string> alternatives(std::string text) {
  std::set<std::string> found;
  for (std::size_t at = text.find(" or "); at != std::string::npos; at = text.find(" or ")) {
    found.insert(text.substr(0, at));
    text.erase(0, at + 4);
  }
  found.insert(text);
  return found;
}

inline Expectations read_expectations(const std::string& source) {
  static const std::regex kMark(R"(// mark: (.+)$)");
  static const std::regex kExpect(R"(// expect: (.+?)(?: with (.+?))?(, in some schedules)?$)");
  std::map<std::string, int> marks;
  std::vector<std::pair<Expectation, std::string>> found;
  Expectations expectations;
  std::istringstream lines(source);
  std::smatch match;
  int number = 1;
  for (std::string line; std::getline(lines, line); ++number) {
    if (std::regex_search(line, match, kMark)) marks[match[1]] = number;
    if (!std::regex_search(line, match, kExpect)) continue;
    found.push_back({{number, alternatives(match[1]), std::nullopt}, match[2]});
    if (match[3].matched) expectations.in_every_schedule = false;
  }
  for (auto& [one, mark] : found) {
    if (!mark.empty()) {
      EXPECT_TRUE(marks.contains(mark)) << "no line is marked `" << mark << "`";
      one.other = marks[mark];
    }
    expectations.any_of.push_back(std::move(one));
  }
  return expectations;
}

inline int line_of(const std::optional<FindingSide>& side) { return side ? side->where.line : 0; }

// Either side may be the one that a checker finds.
[[nodiscard]] inline bool meets(const Finding& finding, const Expectation& expected) {
  const int line = line_of(finding.here), other = line_of(finding.other);
  if (!expected.kinds.contains(std::string(finding_kind_name(finding.kind)))) return false;
  if (!expected.other) return line == expected.line || other == expected.line;
  return (line == expected.line && other == *expected.other) ||
         (other == expected.line && line == *expected.other);
}
[[nodiscard]] inline bool meets(const Finding& finding, const Expectations& expected) {
  return std::any_of(expected.any_of.begin(), expected.any_of.end(),
                     [&](const Expectation& one) { return meets(finding, one); });
}

inline std::string shown(const Finding& finding) {
  std::ostringstream out;
  out << line_of(finding.here) << ": " << finding_kind_name(finding.kind) << ": "
      << finding.message;
  if (finding.other) out << " (other side: " << line_of(finding.other) << ")";
  return out.str();
}

// The hazards of a launch, then its fault.
inline std::vector<Finding> findings_of(const LaunchReport& report) {
  std::vector<Finding> findings = report.hazards;
  if (report.fault) findings.push_back(*report.fault);
  return findings;
}

// One launch with all checkers on.
class CheckedLaunch {
 public:
  CheckedLaunch(const std::string& fixture, const std::string& entry, std::uint64_t seed)
      : harness_(Harness::fixture(fixture)) {
    harness_.launch.entry = entry;
    harness_.options.check = true;
    harness_.options.seed = seed;
    harness_.options.threads = 1;
    // This ends a wait that spins forever instead of being detected as a deadlock.
    harness_.options.instruction_limit = 2'000'000;
  }

  CheckedLaunch& shape(std::uint32_t grid, std::uint32_t block, std::uint32_t cluster = 1) {
    harness_.launch.grid = {grid, 1, 1};
    harness_.launch.block = {block, 1, 1};
    harness_.launch.cluster = {cluster, 1, 1};
    return *this;
  }
  CheckedLaunch& dynamic_shared(std::uint32_t bytes) {
    harness_.launch.dynamic_shared_bytes = bytes;
    return *this;
  }
  CheckedLaunch& trust_cas_reads() {
    harness_.options.trust_cas_reads = true;
    return *this;
  }
  // Runs two sequences; the second starts with the variables of the module as the first left them.
  CheckedLaunch& twice() {
    twice_ = true;
    return *this;
  }
  CheckedLaunch& value(int number) { return append(number); }
  // Appends small numbers, so that sums are exact.
  CheckedLaunch& floats(std::size_t count) {
    std::vector<float> values(count);
    for (std::size_t i = 0; i < count; ++i) values[i] = static_cast<float>(i * 7 % 97);
    return append(harness_.upload(values, "in").address);
  }
  CheckedLaunch& words(std::size_t count) {
    std::vector<std::uint32_t> values(count);
    for (std::size_t i = 0; i < count; ++i) values[i] = static_cast<std::uint32_t>(i * 7 % 97);
    return append(harness_.upload(values, "in").address);
  }
  // Appends pairs of halves from 0 to 7.
  CheckedLaunch& halves(std::size_t words) {
    static constexpr std::uint32_t kSmall[] = {0,      0x3c00, 0x4000, 0x4200,
                                               0x4400, 0x4500, 0x4600, 0x4700};
    std::vector<std::uint32_t> values(words);
    for (std::size_t i = 0; i < words; ++i)
      values[i] = kSmall[i * 5 / 3 % 8] | kSmall[i * 11 / 7 % 8] << 16;
    return append(harness_.upload(values, "in").address);
  }
  CheckedLaunch& zeros(std::size_t count) {
    return append(harness_.zeros<std::uint32_t>(count, "zeros").address);
  }
  // Appends an unwritten buffer, which is compared between twins if a wrong result is expected.
  CheckedLaunch& output(std::size_t count) { return append(new_output(count)); }
  // Appends a tensor map of floats, with `rows` rows of `columns`.
  CheckedLaunch& input_map(std::uint64_t columns, std::uint64_t rows, TensorMap map) {
    std::vector<float> values(columns * rows);
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i % 1021);
    return append_map(harness_.upload(values, "in").address, columns, rows, map);
  }
  CheckedLaunch& output_map(std::uint64_t columns, std::uint64_t rows, TensorMap map) {
    return append_map(new_output(columns * rows), columns, rows, map);
  }

  [[nodiscard]] LaunchReport run() {
    LaunchReport report = launch(SequenceStart::kRestored);
    if (!twice_ || report.fault) return report;
    if (output_.count != 0) harness_.memory->forget(output_.address, output_.count * 4);
    LaunchReport again = launch(SequenceStart::kWatched);
    again.hazards.insert(again.hazards.begin(), report.hazards.begin(), report.hazards.end());
    again.same_under_all_schedules &= report.same_under_all_schedules;
    return again;
  }
  [[nodiscard]] std::vector<std::uint32_t> result() { return harness_.download(output_); }

 private:
  LaunchReport launch(SequenceStart start) {
    const Module* module = harness_.module.get();
    begin_sequence(*harness_.memory, std::span(&module, 1), start);
    return emu::run(*harness_.memory, harness_.device, harness_.launch, harness_.options);
  }
  template <class T>
  CheckedLaunch& append(const T& value) {
    return append_bytes(&value, sizeof value, alignof(T));
  }
  CheckedLaunch& append_bytes(const void* from, std::size_t size, std::size_t alignment) {
    std::vector<std::byte>& bytes = harness_.launch.parameters;
    const std::size_t at = (bytes.size() + alignment - 1) / alignment * alignment;
    bytes.resize(at + size);
    std::memcpy(bytes.data() + at, from, size);
    return *this;
  }
  CheckedLaunch& append_map(std::uint64_t address, std::uint64_t columns, std::uint64_t rows,
                            TensorMap map) {
    map.rank = 2;
    map.element = TensorElement::kF32;
    map.address = address;
    map.sizes = {columns, rows};
    map.strides = {columns * sizeof(float)};
    map.element_strides = {1, 1};
    const auto bytes = to_bytes(map);
    return append_bytes(bytes.data(), bytes.size(), 64);
  }
  std::uint64_t new_output(std::size_t count) {
    output_ = {harness_.memory->allocate(count * 4, "out"), count};
    harness_.memory->forget(output_.address, count * 4);
    return output_.address;
  }

  Harness harness_;
  Buffer<std::uint32_t> output_;
  bool twice_ = false;
};

}  // namespace warpwright::emu
