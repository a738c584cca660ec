#include <fmt/format.h>

#include <algorithm>

#include "core/error.h"
#include "exchange/header/header_parts.h"

namespace warpwright {
namespace {

constexpr std::size_t kTableColumns = 100;
constexpr std::size_t kMostTied = 16;  // named; the rest is counted

class TablesWriter {
 public:
  TablesWriter(const SelectionModel& model, const HeaderParts& parts)
      : model_(model), names_(parts.names), dialect_(parts.dialect), code_(parts.code) {}

  [[nodiscard]] std::string all() const {
    return constants() + device_table() + "\n" + configuration_table() + "\n" + board_table() +
           "\n" + fraction_table() + "\n";
  }

 private:
  [[nodiscard]] std::string constants() const {
    std::string text;
    const auto add = [&](const char* name, std::size_t value) {
      text += dialect_.define_constant(name, std::to_string(value));
    };
    add("kDeviceCount", model_.devices.size());
    add("kBoardCount", model_.boards.size());
    add("kCandidateCount", model_.candidates());
    add("kConfigurationCount", model_.configurations.size());
    return text + "\n";
  }

  [[nodiscard]] std::string device_table() const {
    std::string text =
        fmt::format("{}[{}] = {{\n", dialect_.define_table(dialect_.type("Device"), "kDevices"),
                    dialect_.constant("kDeviceCount"));
    for (const SelectionDevice& device : model_.devices) {
      std::string limits;
      for (const std::string& limit : code_.limits()) {
        const auto value = device.limits.find(limit);
        limits += fmt::format(
            "{}/*{}*/ {}", limits.empty() ? "" : ", ", limit,
            value == device.limits.end() ? "0" : integer_literal(value->second.as_integer()));
      }
      text += fmt::format("    {{{}, {}, {{{}}}}},\n", text_literal(device.name),
                          text_literal(device.arch), limits);
    }
    return text + "};\n";
  }

  [[nodiscard]] static std::string known(const std::optional<int>& value) {
    return std::to_string(value.value_or(-1));
  }

  // The value of an expression of parameters alone.
  [[nodiscard]] std::optional<std::int64_t> fixed(
      const Expr& expr, const SelectionConfiguration& configuration) const {
    Environment environment;
    for (std::size_t i = 0; i < configuration.values.size(); ++i)
      environment.set(model_.contract.parameters[i].name, configuration.values[i]);
    for (const std::string& name : expr.names()) {
      if (environment.find(name) == nullptr) return std::nullopt;
    }
    try {
      return expr.evaluate_integer(environment);
    } catch (const Error&) {
      return std::nullopt;
    }
  }

  [[nodiscard]] std::string extents(const std::vector<Expr>& list,
                                    const SelectionConfiguration& configuration) const {
    std::string text;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const auto value =
          axis < list.size() ? fixed(list[axis], configuration) : std::optional<std::int64_t>(1);
      text += (axis == 0 ? "{" : ", ") + integer_literal(value.value_or(0));
    }
    return text + "}";
  }

  [[nodiscard]] std::string launch_facts(const SelectionConfiguration& configuration) const {
    const VariantSpec& variant = model_.contract.variants[configuration.variant];
    std::string text;
    for (const LaunchSpec& launch : variant.launches) {
      text += fmt::format("{}{{{}, {}, {}, {}}}", text.empty() ? "{" : ", ",
                          text_literal(launch.entry.text()), extents(launch.block, configuration),
                          extents(launch.cluster, configuration),
                          integer_literal(fixed(launch.shared_bytes, configuration).value_or(-1)));
    }
    for (std::size_t i = variant.launches.size(); i < code_.most_launches(); ++i)
      text += fmt::format("{}{{{}, {{0, 0, 0}}, {{0, 0, 0}}, -1}}", text.empty() ? "{" : ", ",
                          dialect_.null());
    return text + "}";
  }

  [[nodiscard]] std::string configuration_table() const {
    std::string text =
        dialect_.comment("The portfolio; after it the contract's defaults of every variant.");
    text += fmt::format("{}[{}] = {{\n",
                        dialect_.define_table(dialect_.type("Configuration"), "kConfigurations"),
                        dialect_.constant("kConfigurationCount"));
    for (std::size_t i = 0; i < model_.configurations.size(); ++i) {
      const SelectionConfiguration& one = model_.configurations[i];
      text += dialect_.comment(
          fmt::format("{}: {}{}{}", i, one.text, one.is_default ? ", the defaults" : "", wins(i)),
          4);
      std::string line =
          fmt::format("    {{{}", dialect_.enumerator("Variant", names_.variants[one.variant]));
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
      text += fmt::format(",\n     {}, {},\n     {},\n     {{{}, {}, {}}}, {}}},\n",
                          text_literal(variant.source.filename().string()), variant.launches.size(),
                          launch_facts(one), known(one.resources.registers),
                          known(one.resources.shared_bytes), known(one.resources.spill_bytes),
                          text_literal(one.text));
    }
    return text + "};\n";
  }

  [[nodiscard]] std::string wins(std::size_t configuration) const {
    std::size_t count = 0;
    for (const SelectionBoard& board : model_.boards) count += board.winner == configuration;
    return count == 0 ? std::string()
                      : fmt::format("; wins {} problem{}", count, count == 1 ? "" : "s");
  }

  [[nodiscard]] std::string board_table() const {
    std::string text =
        fmt::format("{}[{}] = {{\n", dialect_.define_table(dialect_.type("Board"), "kBoards"),
                    dialect_.constant("kBoardCount"));
    for (std::size_t i = 0; i < model_.boards.size(); ++i) {
      const SelectionBoard& board = model_.boards[i];
      text += dialect_.comment(
          fmt::format("{}: {} on {}", i, board.problem_text, model_.devices[board.device].name), 4);
      std::string sizes;
      for (std::size_t s = 0; s < board.sizes.size(); ++s)
        sizes += (s == 0 ? "" : ", ") + code_.size_literal(s, board.sizes[s]);
      text += fmt::format(
          "    {{{}, {{{}}}, {}, {}, {}, {}, {}, {},\n     {}, {}, {},\n{}     {}, {}, {}, {},\n   "
          "  {}}},\n",
          board.device, sizes, board.winner, time_literal(board.median_us),
          time_literal(board.ci_low_us.value_or(board.median_us)),
          time_literal(board.ci_high_us.value_or(board.median_us)),
          dialect_.boolean(board.modelled), text_literal(board.protocol), board.tried, board.rounds,
          board.tied.size(), tie_set(board), text_literal(board.driver),
          text_literal(board.nvrtc_version), text_literal(board.version),
          text_literal(board.measured_utc), text_literal(board.contract_hash));
    }
    return text + "};\n";
  }

  [[nodiscard]] static std::string tie_set(const SelectionBoard& board) {
    if (board.tied.empty()) return "     \"\",\n";
    std::string text;
    for (std::size_t i = 0; i < std::min(board.tied.size(), kMostTied); ++i)
      text += fmt::format("{}     {}", i == 0 ? "" : "\n", text_literal(board.tied[i] + "\n"));
    for (std::size_t at = text.find("\\012"); at != std::string::npos; at = text.find("\\012", at))
      text.replace(at, 4, "\\n");
    return text + ",\n";
  }

  [[nodiscard]] std::string fraction_table() const {
    std::string text = dialect_.comment(
        "Thousandths of the best that each candidate reaches on each tuned problem, at most that "
        "where "
        "it was stopped early; -1: not tried.");
    text += fmt::format("{}[{}][{}] = {{\n", dialect_.define_table("short", "kFractions"),
                        dialect_.constant("kCandidateCount"), dialect_.constant("kBoardCount"));
    for (const std::vector<int>& row : model_.fractions) {
      std::string cells;
      for (const int fraction : row)
        cells += fmt::format("{}{:4}", cells.empty() ? "" : ", ", fraction);
      text += fmt::format("    {{{}}},\n", cells);
    }
    return text + "};\n";
  }

  const SelectionModel& model_;
  const ContractNames& names_;
  const HeaderDialect& dialect_;
  const ContractCode& code_;
};

}  // namespace

std::string header_tables(const SelectionModel& model, const HeaderParts& parts) {
  return TablesWriter(model, parts).all();
}

}  // namespace warpwright
