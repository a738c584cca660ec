#include "output/text/ranking_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <vector>

#include "core/terminal_text.h"
#include "core/words.h"
#include "terminal/numbers.h"
#include "terminal/style.h"
#include "terminal/text_width.h"

namespace warpwright {
namespace {

// One time of the winner: "cold", "372.1 µs", "±0.11 %", and a description.
using Line = std::array<std::string, 4>;

std::string us(double value) { return format_us(value) + " µs"; }

std::string with_semicolons(const std::vector<std::string>& parts) {
  std::string text;
  for (const std::string& part : parts)
    if (!part.empty()) text += (text.empty() ? "" : "; ") + part;
  return text;
}

Line cold_line(const Headline::Cold& cold) {
  std::string interval;
  if (cold.ci_low_us && cold.ci_high_us) {
    interval = fmt::format("95 % interval {} to {}", format_us(*cold.ci_low_us),
                           format_us(*cold.ci_high_us));
  }
  std::string floor;
  if (cold.floor_us) {
    floor = cold.raw_median_us.value_or(0) > 0
                ? fmt::format("{} raw, less an empty kernel's {}", us(*cold.raw_median_us),
                              format_us(*cold.floor_us))
                : fmt::format("an empty kernel's {} not subtracted", us(*cold.floor_us));
  }
  return {"cold", us(cold.median_us), half_width(cold.median_us, cold.ci_low_us, cold.ci_high_us),
          with_semicolons({interval, floor, cold.protocol})};
}

Line hot_line(const Headline::Hot& hot) {
  std::string sets;
  if (hot.sets) sets = plural(*hot.sets, "set") + " of inputs in turn";
  return {"hot", us(hot.median_us), half_width(hot.median_us, hot.ci_low_us, hot.ci_high_us),
          with_semicolons({sets, hot.l2_resident ? "resident in L2" : "more bytes than L2 holds"})};
}

Line slope_line(const Headline::Slope& slope) {
  return {"slope", us(slope.us), "",
          with_semicolons({"per launch, back to back",
                           slope.empty_us ? "an empty kernel: " + us(*slope.empty_us) : ""})};
}

Line end_to_end_line(const Headline::EndToEnd& times) {
  const bool cached = times.cached_us.has_value();
  return {
      "end to end", us(cached ? *times.cached_us : *times.uncached_us), "",
      with_semicolons({fmt::format("host clock, call to completion, descriptors {}",
                                   cached ? "cached" : "made anew"),
                       cached && times.uncached_us ? "made anew: " + us(*times.uncached_us) : ""})};
}

Line energy_line(const Headline& headline) {
  std::string at;
  if (headline.power_w) at = fmt::format("{:.0f} W", *headline.power_w);
  if (headline.sm_clock_mhz) {
    at += fmt::format("{}SM clock {} MHz", at.empty() ? "" : ", ",
                      format_thousands(*headline.sm_clock_mhz));
  }
  if (!headline.energy_mj_per_launch) return {"power", at, "", ""};
  return {"energy", fmt::format("{:.4g} mJ", *headline.energy_mj_per_launch), "",
          with_semicolons({"per launch", at})};
}

std::vector<Line> headline_lines(const Headline& headline) {
  std::vector<Line> lines;
  if (headline.cold) lines.push_back(cold_line(*headline.cold));
  if (headline.hot) lines.push_back(hot_line(*headline.hot));
  if (headline.slope) lines.push_back(slope_line(*headline.slope));
  if (const auto& times = headline.end_to_end; times && (times->cached_us || times->uncached_us))
    lines.push_back(end_to_end_line(*times));
  if (headline.energy_mj_per_launch || headline.power_w || headline.sm_clock_mhz)
    lines.push_back(energy_line(headline));
  return lines;
}

std::string blanks(std::size_t width, const std::string& text) {
  return std::string(width - display_width(text), ' ');
}

// Aligns the left edges of names and words, and the right edges of numbers.
std::string aligned(const std::vector<Line>& lines) {
  std::array<std::size_t, 4> widths{};
  for (const Line& line : lines) {
    for (std::size_t i = 0; i < line.size(); ++i)
      widths[i] = std::max(widths[i], display_width(line[i]));
  }
  std::string out;
  for (const auto& [name, value, interval, words] : lines) {
    std::string line = "  " + name + blanks(widths[0], name) + "  " + blanks(widths[1], value) +
                       value + "  " + blanks(widths[2], interval) + interval + "  " + words;
    out += line.erase(line.find_last_not_of(' ') + 1) + "\n";
  }
  return out;
}

std::string verdict(const Leaderboard& board) {
  const RankingRecord& ranking = *board.ranking;
  const auto tied = std::count_if(ranking.entries.begin(), ranking.entries.end(),
                                  [](const auto& entry) { return entry.tied; });
  const std::string confidence = fmt::format("{:.4g} % confidence", 100 * ranking.confidence);
  if (tied <= 1) return fmt::format("the winner is faster than the others at {}", confidence);
  return fmt::format("{} tied at {}; winner by tie rules{}", tied, confidence,
                     ranking.decided_by.empty() ? "" : " (" + ranking.decided_by + ")");
}

}  // namespace

std::string half_width(double median_us, const std::optional<double>& low_us,
                       const std::optional<double>& high_us) {
  if (!low_us || !high_us || median_us <= 0) return "-";
  return fmt::format("±{:.2f} %",
                     100 * std::max(*high_us - median_us, median_us - *low_us) / median_us);
}

std::string ranking_text(const Leaderboard& board, bool colour) {
  if (!board.ranking || board.entries.empty()) return "";
  const RankingRecord& ranking = *board.ranking;
  const std::size_t finalists = ranking.entries.size();
  std::string out = fmt::format("final ranking: {} rounds, {}, {}\n", ranking.rounds,
                                plural(finalists, "finalist"),
                                finalists == 1 ? "nothing to compare it with" : verdict(board));
  out += styled(terminal_line(
                    fmt::format("winner: {}", board.entries.front().row.trial.configuration_text)),
                Style::kBold, colour) +
         "\n";
  return out + aligned(headline_lines(board.headline));
}

}  // namespace warpwright
