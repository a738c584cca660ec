#include "exchange/header/header_sections.h"

#include <fmt/format.h>

#include <algorithm>

#include "analysis/select/select_configuration.h"
#include "core/escape.h"
#include "core/words.h"

namespace warpwright {
namespace {

constexpr std::size_t kTableColumns = 100;
constexpr std::size_t kMaxTied = 16;  // listed by name; the rest are only counted

class TablesWriter {
 public:
  TablesWriter(const SelectionModel& model, const HeaderParts& parts)
      : model_(model), names_(parts.names), style_(parts.style), code_(parts.code) {}

  [[nodiscard]] std::string all() const {
    std::string text = structures() + "\n" + constants() + "\n" + device_table() + "\n" +
                       configuration_table() + "\n" + board_table() + "\n";
    text += style_.comment(
        "Thousandths of the best that each candidate reaches on each tuned problem, at most that "
        "where it was stopped early; -1: not tried.");
    text += thousandths("fractions", "candidate_count", model_.fractions) + "\n";
    text += style_.comment("The same of the best configuration of each default's variant.");
    text += thousandths("merits", "default_count", model_.merits) + "\n";
    return text + file_table() + "\n" + include_table() + "\n";
  }

 private:
  [[nodiscard]] std::string structures() const {
    std::string text = style_.comment(
        "Of all launches the largest, as compiled when it was tuned; -1: not known.");
    text += style_.structure(
        "resources", style_.member("int registers", "-1", "per thread") +
                         style_.member("int shared_bytes", "-1", "per block, static and dynamic") +
                         style_.member("int spill_bytes", "-1", "per thread"));
    text += "\n" + style_.comment(
                       "Parameters that the variant does not have hold the contract's defaults.");
    text += style_.structure(
        "configuration",
        style_.member(style_.name("variant") + " variant",
                      style_.enumerator("variant", names_.variants.front())) +
            code_.parameter_members() + style_.member("const char *source", "0", "file name") +
            style_.member("int launch_count", "0") +
            style_.member(style_.name("resources") + " resources", "{}") +
            style_.member("const char *text", "0", "as `warpwright show` prints it"));
    text += "\n" + style_.comment("A tuned problem: what won, and how that is known.");
    return text + style_.structure("board", board_members());
  }

  [[nodiscard]] std::string board_members() const {
    const auto text_member = [&](const std::string& name, std::string_view remark = "") {
      return style_.member("const char *" + name, "0", remark);
    };
    std::string text = style_.member("int device", "0", "in the table of devices");
    text += style_.member(style_.name("problem") + " problem", "{}");
    text += style_.member("int winner", "0", "in the table of configurations");
    text += style_.member("double median_us", "0");
    text += style_.member("double ci_low_us", "0",
                          "95 % interval; both equal the median where none is known");
    text += style_.member("double ci_high_us", "0");
    text += style_.member("int modelled", "0", "1: by an emulator; else measured");
    text += text_member("protocol", "of the times");
    text += style_.member("int tried", "0", "configurations");
    text += style_.member("int rounds", "0", "of the final ranking; 0: there was none");
    text += style_.member("int tied", "0", "others that cannot be told from the winner");
    text += text_member("tie_set", "they, one a line, at most 16");
    text += text_member("driver") + text_member("nvrtc");
    text += text_member("tuner", "version and commit");
    text += text_member("measured", "UTC");
    return text + text_member("contract_hash", "of the winner's sources");
  }

  [[nodiscard]] std::string constants() const {
    return style_.constants({{"device_count", model_.devices.size()},
                             {"board_count", model_.boards.size()},
                             {"candidate_count", model_.candidates()},
                             {"default_count", model_.merits.size()},
                             {"configuration_count", model_.configurations.size()},
                             {"file_count", model_.files.size()},
                             {"include_count", code_.include_folders().size()}});
  }

  [[nodiscard]] std::string device_table() const {
    constexpr const char* kLimits[] = {"max_shared", "max_threads",        "warp_size",
                                       "sm_count",   "registers_per_sm",   "registers_per_block",
                                       "l2_bytes",   "compute_capability", "global_bytes"};
    std::string text = fmt::format("{}[{}] = {{\n", style_.define_table("ww_device", "devices"),
                                   style_.constant("device_count"));
    for (const SelectionDevice& device : model_.devices) {
      std::string limits;
      for (const char* limit : kLimits) {
        const auto value = device.limits.find(limit);
        limits += fmt::format(
            "{}{}", limits.empty() ? "" : ", ",
            value == device.limits.end() ? "0" : integer_literal(value->second.as_integer()));
      }
      text += fmt::format("    {{{}, {}, {{{}}}}},\n", c_literal(device.name),
                          c_literal(device.arch), limits);
    }
    return text + "};\n";
  }

  [[nodiscard]] static std::string known(const std::optional<int>& value) {
    return std::to_string(value.value_or(-1));
  }

  [[nodiscard]] std::string configuration_table() const {
    std::string text =
        style_.comment("The portfolio; after it the contract's defaults of every variant.");
    text += fmt::format("{}[{}] = {{\n",
                        style_.define_table(style_.name("configuration"), "configurations"),
                        style_.constant("configuration_count"));
    for (std::size_t i = 0; i < model_.configurations.size(); ++i) {
      const SelectionConfiguration& one = model_.configurations[i];
      text += style_.comment(
          fmt::format("{}: {}{}{}", i, one.text, one.is_default ? ", the defaults" : "", wins(i)),
          4);
      std::string line =
          fmt::format("    {{{}", style_.enumerator("variant", names_.variants[one.variant]));
      for (std::size_t p = 0; p < one.values.size(); ++p) {
        const std::string cell = fmt::format("/*{}*/ {}", names_.parameters[p],
                                             code_.parameter_literal(p, one.values[p]));
        if (line.size() + cell.size() + 3 > kTableColumns) {
          text += line + ",\n";
          line = "     " + cell;
        } else {
          line += ", " + cell;
        }
      }
      text += line;
      const VariantSpec& variant = model_.contract.variants[one.variant];
      text += fmt::format(",\n     {}, {}, {{{}, {}, {}}},\n     {}}},\n",
                          c_literal(variant.source.filename().string()), variant.launches.size(),
                          known(one.resources.registers), known(one.resources.shared_bytes),
                          known(one.resources.spill_bytes), c_literal(one.text));
    }
    return text + "};\n";
  }

  [[nodiscard]] std::string wins(std::size_t configuration) const {
    std::size_t count = 0;
    for (const SelectionBoard& board : model_.boards) count += board.winner == configuration;
    return count == 0 ? std::string() : "; wins " + plural(count, "problem");
  }

  [[nodiscard]] std::string board_table() const {
    std::string text =
        fmt::format("{}[{}] = {{\n", style_.define_table(style_.name("board"), "boards"),
                    style_.constant("board_count"));
    for (std::size_t i = 0; i < model_.boards.size(); ++i) {
      const SelectionBoard& board = model_.boards[i];
      text += style_.comment(
          fmt::format("{}: {} on {}", i, board.problem_text, model_.devices[board.device].name), 4);
      std::string sizes;
      for (std::size_t s = 0; s < board.sizes.size(); ++s)
        sizes += (s == 0 ? "" : ", ") + code_.size_literal(s, board.sizes[s]);
      text += fmt::format(
          "    {{{}, {{{}}}, {}, {}, {}, {}, {}, {},\n     {}, {}, {},\n{}     {}, {}, {}, {},\n   "
          "  {}}},\n",
          board.device, sizes, board.winner, time_literal(board.median_us),
          time_literal(board.ci_low_us.value_or(board.median_us)),
          time_literal(board.ci_high_us.value_or(board.median_us)), board.modelled ? 1 : 0,
          c_literal(board.protocol), board.tried, board.rounds, board.tied.size(), tie_set(board),
          c_literal(board.driver), c_literal(board.nvrtc_version), c_literal(board.version),
          c_literal(board.measured_utc), c_literal(board.contract_hash));
    }
    return text + "};\n";
  }

  [[nodiscard]] static std::string tie_set(const SelectionBoard& board) {
    if (board.tied.empty()) return "     \"\",\n";
    std::string text;
    for (std::size_t i = 0; i < std::min(board.tied.size(), kMaxTied); ++i)
      text += fmt::format("{}     {}", i == 0 ? "" : "\n", c_literal(board.tied[i] + "\n"));
    for (std::size_t at = text.find("\\012"); at != std::string::npos; at = text.find("\\012", at))
      text.replace(at, 4, "\\n");
    return text + ",\n";
  }

  [[nodiscard]] std::string thousandths(const char* name, const char* count,
                                        const std::vector<std::vector<int>>& table) const {
    std::string text = fmt::format("{}[{}][{}] = {{\n", style_.define_table("short", name),
                                   style_.constant(count), style_.constant("board_count"));
    for (const std::vector<int>& row : table) {
      std::string cells;
      for (const int fraction : row)
        cells += fmt::format("{}{:4}", cells.empty() ? "" : ", ", fraction);
      text += fmt::format("    {{{}}},\n", cells);
    }
    return text + "};\n";
  }

  // A path appears more than once if variants were tuned from different contents of the file.
  [[nodiscard]] std::string file_table() const {
    if (model_.files.empty()) return "";
    std::string text = style_.comment(
        "What it was tuned from. Compile these very files: `warpwright export --verify` says "
        "whether a tree has them.");
    text += fmt::format("{}[{}] = {{\n", style_.define_table("ww_file", "files"),
                        style_.constant("file_count"));
    for (const SelectionFile& file : model_.files)
      text += fmt::format("    {{{},\n     {}}},\n", c_literal(file.path), c_literal(file.sha256));
    return text + "};\n";
  }

  [[nodiscard]] std::string include_table() const {
    std::string text = style_.comment(
        "Folders of headers below the folder of kernels, in the order in which they are searched; "
        "the first holds the sources.");
    text += fmt::format("WW_DATA char {}[{}][{}] = {{\n", style_.name("includes"),
                        style_.constant("include_count"), longest_folder() + 1);
    for (const std::string& folder : code_.include_folders())
      text += fmt::format("    {},\n", c_literal(folder));
    return text + "};\n";
  }
  [[nodiscard]] std::size_t longest_folder() const {
    std::size_t longest = 0;
    for (const std::string& folder : code_.include_folders())
      longest = std::max(longest, folder.size());
    return longest;
  }

  const SelectionModel& model_;
  const ContractNames& names_;
  const HeaderStyle& style_;
  const ContractCode& code_;
};

}  // namespace

std::string header_tables(const SelectionModel& model, const HeaderParts& parts) {
  return TablesWriter(model, parts).all();
}

// The code of select() in written headers, which is the same for every contract; `$` stands for the
// prefix of names. It must agree with analysis/select/select_configuration.cpp.

namespace {

constexpr std::string_view kChoose = R"(
WW_FN ww_limits $limits_of(ww_device device) {
  const int capability = ww_capability_of(device.arch);
  ww_limits limits = device.limits;
  if (capability > 0) limits.compute_capability = capability;
  for (int i = 0; i < $DEVICE_COUNT; ++i) {
    if (ww_same_device($devices[i], device)) limits = ww_fill_limits(limits, $devices[i].limits);
  }
  return ww_fill_limits(limits, ww_least_limits(capability));
}

WW_FN double $squared_distance($problem tuned, $problem problem) {
  const $place a = $place_of(tuned);
  const $place b = $place_of(problem);
  double sum = $OTHER_CHOICE * $OTHER_CHOICE * $other_choices(tuned, problem);
  for (int i = 0; i < $AXIS_COUNT; ++i) sum += (a.axes[i] - b.axes[i]) * (a.axes[i] - b.axes[i]);
  if (a.counted && b.counted)
    sum += $WORK_SCALE * (a.work - b.work) * ($WORK_SCALE * (a.work - b.work));
  return sum;
}
WW_FN double $board_weight(double squared) {
  const double closeness = 1 / ($NEARBY * $NEARBY + squared);
  return closeness * closeness;
}
/* What boards say of a configuration, in fractions of the best; below 0: nothing. */
WW_FN double $board_score(const short *thousandths, const double *weights, double total) {
  double sum = $PRIOR_WEIGHT * $PRIOR_FRACTION;
  double known = $PRIOR_WEIGHT;
  for (int i = 0; i < $BOARD_COUNT; ++i) {
    if (!(weights[i] > 0) || thousandths[i] < 0) continue;
    sum += weights[i] / total * thousandths[i] / 1000;
    known += weights[i] / total;
  }
  return known > $PRIOR_WEIGHT ? sum / known : -1;
}

/* The vote of tuned problems: on this device or on others of its architecture, with the same listed
   values or with others. */
WW_FN ww_selection $vote(ww_device device, ww_limits limits, $problem problem, int same_device,
                         int same_choices) {
  double weights[$BOARD_COUNT] = WW_ZERO;
  double total = 0;
  double least = 0;
  ww_selection chosen = ww_no_selection();
  ww_match match = WW_MATCH_NEAREST_OTHER_CHOICE;
  if (same_choices) match = same_device ? WW_MATCH_NEAREST_SAME_DEVICE : WW_MATCH_NEAREST_SAME_ARCH;
  for (int i = 0; i < $BOARD_COUNT; ++i) {
    const ww_device tuned = $devices[$boards[i].device];
    if (!ww_same_arch(tuned.arch, device.arch)) continue;
    if (ww_same_device(tuned, device) != same_device) continue;
    if (($other_choices($boards[i].problem, problem) == 0) != same_choices) continue;
    const double squared = $squared_distance($boards[i].problem, problem);
    const int equal = $same_sizes($boards[i].problem, problem);
    if (chosen.nearest < 0 || squared < least || equal) {
      chosen.nearest = i;
      chosen.distance = ww_root(squared);
      least = equal ? -1 : squared;
    }
    weights[i] = $board_weight(squared);
    total += weights[i];
  }
  if (chosen.nearest < 0) return chosen;
  chosen.limits = limits;
  const int winner = $boards[chosen.nearest].winner;
  if (least < 0 && $allowed($configurations[winner], problem, limits)) {
    chosen.match = same_device ? WW_MATCH_EXACT : WW_MATCH_NEAREST_SAME_ARCH;
    chosen.configuration = winner;
    chosen.score = 1;
    return chosen;
  }
  for (int i = 0; i < $CANDIDATE_COUNT; ++i) {
    const double score = $board_score($fractions[i], weights, total);
    if (!(score > chosen.score + $SCORE_TIE)) continue;
    if (!$allowed($configurations[i], problem, limits)) continue;
    chosen.match = match;
    chosen.configuration = i;
    chosen.score = score;
  }
  return chosen;
}

/* The defaults of the variant that does best on the tuned problems near this one, wherever they
   were tuned. */
WW_FN ww_selection $contract_default(ww_limits limits, $problem problem) {
  double weights[$BOARD_COUNT] = WW_ZERO;
  double total = 0;
  double best = 0;
  ww_selection chosen = ww_no_selection();
  for (int i = 0; i < $BOARD_COUNT; ++i) {
    weights[i] = $board_weight($squared_distance($boards[i].problem, problem));
    total += weights[i];
  }
  for (int i = $CANDIDATE_COUNT; i < $CONFIGURATION_COUNT; ++i) {
    double merit = $board_score($merits[i - $CANDIDATE_COUNT], weights, total);
    if (merit < 0) merit = 0;
    if (chosen.configuration >= 0 && !(merit > best + $SCORE_TIE)) continue;
    if (!$allowed($configurations[i], problem, limits)) continue;
    chosen.match = WW_MATCH_DEFAULT;
    chosen.configuration = i;
    chosen.limits = limits;
    best = merit;
  }
  return chosen;
}

/* The configuration for a problem on a device. A device is tuned when its name and its architecture
   are. */
WW_FN ww_selection $select(ww_device device, $problem problem) {
  if (!$valid(problem)) return ww_no_selection();
  const ww_limits limits = $limits_of(device);
  ww_selection chosen = $vote(device, limits, problem, 1, 1);
  if (chosen.configuration < 0) chosen = $vote(device, limits, problem, 0, 1);
  if (chosen.configuration < 0) chosen = $vote(device, limits, problem, 1, 0);
  if (chosen.configuration < 0) chosen = $vote(device, limits, problem, 0, 0);
  if (chosen.configuration < 0) chosen = $contract_default(limits, problem);
  return chosen;
}
)";

}  // namespace

std::string header_choice(const HeaderStyle& style) {
  const std::pair<const char*, double> weights[] = {
      {"work_scale", kWorkScale},     {"nearby", kNearby},
      {"other_choice", kOtherChoice}, {"prior_fraction", kPriorFraction},
      {"prior_weight", kPriorWeight}, {"score_tie", kScoreTie}};
  std::string text = style.comment("How much what counts in a choice.");
  for (const auto& [name, value] : weights)
    text += fmt::format("#define {} {}\n", style.constant(name), real_literal(value));
  return text + style.expand(kChoose);
}

}  // namespace warpwright
