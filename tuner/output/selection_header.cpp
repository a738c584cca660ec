// The two written headers: their order of sections, the tables, and what stands above them.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "analysis/select_configuration.h"
#include "output/header_contract.h"
#include "output/header_values.h"
#include "output/selection_writers.h"

namespace warpwright {
namespace {

constexpr std::size_t kColumns = 100;
constexpr std::size_t kMostTied = 16;  // named; the rest is counted

class HeaderWriter {
 public:
  HeaderWriter(const SelectionModel& model, const std::string& version, CodeLanguage language)
      : model_(model),
        version_(version),
        names_(name_contract(model.contract)),
        dialect_(language, names_.kernel),
        code_(model.contract, names_, dialect_) {}

  [[nodiscard]] std::string write() const {
    const std::string body = types() + constants() + tables() + functions();
    const std::vector<std::string> hidden = hidden_macros(body);
    std::string text = opening();
    for (const std::string& macro : hidden)
      text += fmt::format("#pragma push_macro(\"{}\")\n#undef {}\n", macro, macro);
    if (!hidden.empty()) text += "\n";
    text += c() ? body
                : fmt::format(
                      "namespace warpwright {{\nnamespace {} {{\n\n{}\n}}  // namespace {}\n}}  // "
                      "namespace warpwright\n",
                      names_.kernel, body, names_.kernel);
    if (!hidden.empty()) text += "\n";
    for (const std::string& macro : hidden)
      text += fmt::format("#pragma pop_macro(\"{}\")\n", macro);
    if (c()) text += fmt::format("\n#endif\n");
    return text;
  }

 private:
  [[nodiscard]] bool c() const { return dialect_.c(); }
  [[nodiscard]] std::string comment(const std::string& text) const {
    return dialect_.comment(text);
  }

  // A kernel is compiled with -D<parameter>; one whose name this header happens to use is set
  // aside.
  [[nodiscard]] std::vector<std::string> hidden_macros(const std::string& body) const {
    const auto in_word = [](char ch) {
      return std::isalnum(static_cast<unsigned char>(ch)) != 0 || ch == '_';
    };
    const std::string code = without_comments(body);
    std::vector<std::string> hidden;
    for (const std::string& macro : names_.macros) {
      for (std::size_t at = code.find(macro); at != std::string::npos;
           at = code.find(macro, at + 1)) {
        const std::size_t end = at + macro.size();
        if ((at > 0 && in_word(code[at - 1])) || (end < code.size() && in_word(code[end])))
          continue;
        hidden.push_back(macro);
        break;
      }
    }
    return hidden;
  }

  // Nor what stands in quotes.
  static std::string without_comments(const std::string& text) {
    std::string code;
    for (std::size_t i = 0; i < text.size(); ++i) {
      if (text.compare(i, 2, "//") == 0) {
        i = std::min(text.find('\n', i), text.size());
      } else if (text.compare(i, 2, "/*") == 0) {
        i = std::min(text.find("*/", i), text.size()) + 1;
      } else if (text[i] == '"' || text[i] == '\'') {
        const char quote = text[i];
        for (++i; i < text.size() && text[i] != quote; ++i) i += text[i] == '\\';
        code += ' ';
        continue;
      }
      if (i < text.size()) code += text[i];
    }
    return code;
  }

  [[nodiscard]] std::string opening() const {
    const ContractFacts& contract = model_.contract;
    std::string text = comment(fmt::format("{}: {}", contract.kernel, contract.summary));
    text +=
        comment(fmt::format("Tuned configurations, written by `warpwright export`. Do not edit: "
                            "export again. ({})",
                            version_));
    for (std::size_t i = 0; i < model_.devices.size(); ++i) text += comment(device_summary(i));
    if (model_.left_out > 0) {
      text +=
          comment(fmt::format("Left out one at a time, {} of {} tuned problems get a configuration "
                              "within 10 % of their "
                              "best from the others.",
                              model_.left_out_good, model_.left_out));
    }
    text += c() ? c_usage() : cpp_usage();
    if (!c()) return text + "#pragma once\n\n";
    const std::string guard = dialect_.macro_prefix() + "H_INCLUDED";
    return text + fmt::format("#ifndef {}\n#define {}\n\n", guard, guard);
  }

  [[nodiscard]] std::string device_summary(std::size_t device) const {
    std::size_t boards = 0;
    std::size_t tried = 0;
    bool modelled = false;
    for (const SelectionBoard& board : model_.boards) {
      if (board.device != device) continue;
      ++boards;
      tried += board.tried;
      modelled |= board.modelled;
    }
    const SelectionDevice& facts = model_.devices[device];
    return fmt::format("{} ({}): {} problem{}, {} configurations tried; times are {}.", facts.name,
                       facts.arch, boards, boards == 1 ? "" : "s", tried,
                       modelled ? "MODELLED by an emulator, not measured" : "measured");
  }

  [[nodiscard]] std::string example_sizes() const {
    std::string text;
    for (std::size_t i = 0; i < model_.contract.sizes.size(); ++i)
      text += (i == 0 ? "" : ", ") +
              qualified(code_.size_literal(i, model_.boards.front().sizes[i]), i);
    return text;
  }
  [[nodiscard]] std::string qualified(const std::string& literal, std::size_t size) const {
    return c() || names_.size_types[size].empty() ? literal : "tuned::" + literal;
  }

  [[nodiscard]] std::string cpp_usage() const {
    const SelectionDevice& device = model_.devices[model_.boards.front().device];
    std::string text = "//\n";
    text += fmt::format("//   namespace tuned = warpwright::{};\n", names_.kernel);
    text += fmt::format("//   const tuned::Problem problem{{{}}};\n", example_sizes());
    text +=
        fmt::format("//   const tuned::Selection chosen = tuned::select({{{}, {}}}, problem);\n",
                    quoted(device.name), quoted(device.arch));
    text +=
        "//   // chosen.configuration->source, compiled with tuned::defines(*chosen.configuration, "
        "problem),\n"
        "//   // is launched as tuned::launch(*chosen.configuration, problem, chosen.limits, 0) "
        "says.\n"
        "//\n"
        "// C++17, no other header; also as C++20, by nvcc and through NVRTC. Everything is "
        "constexpr.\n";
    return text;
  }

  [[nodiscard]] std::string c_usage() const {
    const SelectionDevice& device = model_.devices[model_.boards.front().device];
    const std::string& p = dialect_.prefix();
    return fmt::format(
        "/*\n     const {}problem problem = {{{}}};\n     const {}device device = {{{}, {}, "
        "{{0}}}};\n"
        "     const {}selection chosen = {}select(device, problem);\n"
        "   chosen.configuration->source, compiled with {}defines(*chosen.configuration, problem), "
        "is\n"
        "   launched as {}launch(*chosen.configuration, problem, chosen.limits, 0) says.\n"
        "   C99, no other header. */\n",
        p, example_sizes(), p, quoted(device.name), quoted(device.arch), p, p, p, p);
  }

  [[nodiscard]] std::string types() const {
    std::string text =
        code_.enumerations() + "\n" + code_.problem_struct() + "\n" + code_.limits_struct() + "\n";
    text += device_struct() + "\n" + configuration_structs() + "\n" + board_struct() + "\n" +
            selection_struct() + "\n";
    return text;
  }

  [[nodiscard]] std::string member(std::string_view type, std::string_view name,
                                   std::string_view initial, std::string_view remark = "") const {
    return dialect_.remarked(fmt::format("  {}{}{};", type, name, dialect_.initial(initial)),
                             remark);
  }

  [[nodiscard]] std::string device_struct() const {
    const std::string text = std::string(dialect_.text_type());
    return dialect_.begin_struct("Device") +
           member(text, "name", "\"\"", "as the driver gives it: \"NVIDIA H200\"") +
           member(text, "arch", "\"\"", "\"sm_90a\"") +
           member(dialect_.type("Limits") + " ", "limits", "{}") + dialect_.end_struct("Device");
  }

  [[nodiscard]] std::string configuration_structs() const {
    const std::string chars = std::string(dialect_.text_type());
    std::string text = dialect_.comment("What of a launch does not depend on the problem.");
    text += dialect_.begin_struct("LaunchFacts");
    text += member(chars, "entry", dialect_.null());
    text += member("long long ", "block[3]", "{}", "0: see launch()");
    text += member("long long ", "cluster[3]", "{}", "likewise");
    text += member("long long ", "shared_bytes", "-1", "dynamic; -1: see launch()");
    text += dialect_.end_struct("LaunchFacts") + "\n";
    text += dialect_.comment(
        "Of all launches the largest, as compiled when it was tuned; -1: not known.");
    text += dialect_.begin_struct("Resources");
    text += member("int ", "registers", "-1", "per thread");
    text += member("int ", "shared_bytes", "-1", "per block, static and dynamic");
    text += member("int ", "spill_bytes", "-1", "per thread");
    text += dialect_.end_struct("Resources") + "\n";
    text +=
        dialect_.comment("Parameters that the variant does not have hold the contract's defaults.");
    text += dialect_.begin_struct("Configuration");
    text += member(dialect_.type("Variant") + " ", "variant",
                   dialect_.enumerator("Variant", names_.variants.front()));
    text += code_.parameter_members();
    text += member(chars, "source", dialect_.null(), "file name");
    text += member("int ", "launch_count", "0");
    text += fmt::format("  {} launches[{}]{};\n", dialect_.type("LaunchFacts"),
                        code_.most_launches(), dialect_.initial("{}"));
    text += member(dialect_.type("Resources") + " ", "resources", "{}");
    text += member(chars, "text", dialect_.null(), "as `warpwright show` prints it");
    return text + dialect_.end_struct("Configuration");
  }

  [[nodiscard]] std::string board_struct() const {
    const std::string chars = std::string(dialect_.text_type());
    std::string text = dialect_.comment("A tuned problem: what won, and how that is known.");
    text += dialect_.begin_struct("Board");
    text += member("int ", "device", "0", c() ? "in devices" : "in kDevices");
    text += member(dialect_.type("Problem") + " ", "problem", "{}");
    text += member("int ", "winner", "0", c() ? "in configurations" : "in kConfigurations");
    text += member("double ", "median_us", "0");
    text += member("double ", "ci_low_us", "0",
                   "95 % interval; both equal the median where none is known");
    text += member("double ", "ci_high_us", "0");
    text += member(std::string(dialect_.boolean_type()) + " ", "modelled", dialect_.boolean(false),
                   "by an emulator; else measured");
    text += member(chars, "protocol", dialect_.null(), "of the times");
    text += member("int ", "tried", "0", "configurations");
    text += member("int ", "rounds", "0", "of the final ranking; 0: there was none");
    text += member("int ", "tied", "0", "others that cannot be told from the winner");
    text += member(chars, "tie_set", dialect_.null(), "they, one a line, at most 16");
    text += member(chars, "driver", dialect_.null());
    text += member(chars, "nvrtc", dialect_.null());
    text += member(chars, "tuner", dialect_.null(), "version and commit");
    text += member(chars, "measured", dialect_.null(), "UTC");
    text += member(chars, "contract_hash", dialect_.null(), "of the winner's sources");
    return text + dialect_.end_struct("Board");
  }

  [[nodiscard]] std::string selection_struct() const {
    std::string text;
    if (c()) {
      const std::string& p = dialect_.macro_prefix();
      text += fmt::format(
          "typedef enum {{\n  {}MATCH_NONE,\n  {}MATCH_EXACT,\n  {}MATCH_NEAREST_SAME_DEVICE,\n  "
          "{}MATCH_NEAREST_SAME_ARCH,\n  {}MATCH_DEFAULT\n}} {};\n",
          p, p, p, p, p, dialect_.type("Match"));
    } else {
      text +=
          "enum class Match {\n  none,  // the contract does not allow the problem, or nothing can "
          "run it\n  exact,\n  nearest_same_device,\n  nearest_same_arch,\n  default_  // nothing "
          "tuned compares: the contract's defaults\n};\n";
    }
    text += dialect_.begin_struct("Selection");
    text += member(dialect_.type("Match") + " ", "match", "Match::none");
    text += member(c() ? "const " + dialect_.type("Configuration") + " *" : "const Configuration* ",
                   "configuration", dialect_.null(), "null when nothing matches");
    text += member(c() ? "const " + dialect_.type("Board") + " *" : "const Board* ", "nearest",
                   dialect_.null(), "the nearest tuned problem, if one was asked");
    text += member("double ", "distance", "0", "to it; 1 is a factor of two in one size");
    text += member("double ", "score", "0", "expected best time / time; 0 of a default");
    text += member(dialect_.type("Limits") + " ", "limits", "{}", "for launch()");
    return text + dialect_.end_struct("Selection");
  }

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

  [[nodiscard]] std::string tables() const {
    return device_table() + "\n" + configuration_table() + "\n" + board_table() + "\n" +
           fraction_table() + "\n";
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
      text += fmt::format("    {{{}, {}, {{{}}}}},\n", quoted(device.name), quoted(device.arch),
                          limits);
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
    const VariantFact& variant = model_.contract.variants[configuration.variant];
    std::string text;
    for (const LaunchFact& launch : variant.launches) {
      text +=
          fmt::format("{}{{{}, {}, {}, {}}}", text.empty() ? "{" : ", ", quoted(launch.entry),
                      extents(launch.block, configuration), extents(launch.cluster, configuration),
                      integer_literal(fixed(launch.shared_bytes, configuration).value_or(-1)));
    }
    for (std::size_t i = variant.launches.size(); i < code_.most_launches(); ++i)
      text += fmt::format("{}{{{}, {{0, 0, 0}}, {{0, 0, 0}}, -1}}", text.empty() ? "{" : ", ",
                          dialect_.null());
    return text + "}";
  }

  [[nodiscard]] std::string configuration_table() const {
    std::string text = comment("The portfolio; after it the contract's defaults of every variant.");
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
        if (line.size() + cell.size() + 3 > kColumns) {
          text += line + ",\n";
          line = "     " + cell;
        } else {
          line += ", " + cell;
        }
      }
      text += line;
      const VariantFact& variant = model_.contract.variants[one.variant];
      text += fmt::format(",\n     {}, {},\n     {},\n     {{{}, {}, {}}}, {}}},\n",
                          quoted(variant.source), variant.launches.size(), launch_facts(one),
                          known(one.resources.registers), known(one.resources.shared_bytes),
                          known(one.resources.spill_bytes), quoted(one.text));
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
          dialect_.boolean(board.modelled), quoted(board.protocol), board.tried, board.rounds,
          board.tied.size(), tie_set(board), quoted(board.driver), quoted(board.nvrtc_version),
          quoted(board.version), quoted(board.measured_utc), quoted(board.contract_hash));
    }
    return text + "};\n";
  }

  [[nodiscard]] static std::string tie_set(const SelectionBoard& board) {
    if (board.tied.empty()) return "     \"\",\n";
    std::string text;
    for (std::size_t i = 0; i < std::min(board.tied.size(), kMostTied); ++i)
      text += fmt::format("{}     {}", i == 0 ? "" : "\n", quoted(board.tied[i] + "\n"));
    for (std::size_t at = text.find("\\012"); at != std::string::npos; at = text.find("\\012", at))
      text.replace(at, 4, "\\n");
    return text + ",\n";
  }

  [[nodiscard]] std::string fraction_table() const {
    std::string text = comment(
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

  [[nodiscard]] std::string tuning_constants() const {
    const std::pair<const char*, double> constants[] = {{"kWorkScale", kWorkScale},
                                                        {"kNearby", kNearby},
                                                        {"kPriorFraction", kPriorFraction},
                                                        {"kPriorWeight", kPriorWeight},
                                                        {"kScoreTie", kScoreTie}};
    std::string text;
    for (const auto& [name, value] : constants) {
      text += c() ? fmt::format("static const double {} = {};\n", dialect_.table(name),
                                real_literal(value))
                  : fmt::format("inline constexpr double {} = {};\n", name, real_literal(value));
    }
    return text;
  }

  [[nodiscard]] std::string functions() const {
    const std::string& prefix = dialect_.prefix();
    const CodeLanguage language = dialect_.language();
    std::string text = c() ? "" : "namespace detail {\n";
    text +=
        tuning_constants() + dialect_.define_constant("kAxisCount", std::to_string(code_.axes()));
    text += header_scales(language, prefix) + header_values(code_.operators(), language, prefix) +
            "\n" + code_.rules();
    if (!c()) text += "}  // namespace detail\n";
    text += "\n" + code_.allowed() + "\n";
    if (!c()) text += "namespace detail {";
    text += header_choice(language, prefix) + "\n";
    text += build_structs();
    text += header_builders(language, prefix) + "\n" + code_.defines() + "\n" + code_.launches();
    return text;
  }

  [[nodiscard]] std::string build_structs() const {
    std::string text =
        dialect_.define_constant("kDefineLength", std::to_string(code_.longest_define()));
    text += dialect_.begin_struct("Options");
    text += member("int ", "count", "0");
    text += fmt::format("  char option[{}][{}]{};\n", code_.most_defines(),
                        dialect_.constant("kDefineLength"), dialect_.initial("{}"));
    text += dialect_.end_struct("Options") + "\n";
    text += dialect_.begin_struct("LaunchPlan");
    text += member(std::string(dialect_.boolean_type()) + " ", "ok", dialect_.boolean(false),
                   "0 or false: no such launch, or its extents cannot be computed");
    text += member(std::string(dialect_.text_type()), "entry", dialect_.null());
    for (const char* extent : {"grid[3]", "block[3]", "cluster[3]"})
      text += member("long long ", extent, "{1, 1, 1}");
    text += member("long long ", "shared_bytes", "0", "dynamic");
    return text + dialect_.end_struct("LaunchPlan");
  }

  const SelectionModel& model_;
  const std::string& version_;
  ContractNames names_;
  HeaderDialect dialect_;
  ContractCode code_;
};

}  // namespace

std::string cpp_header(const SelectionModel& model, const std::string& version) {
  return HeaderWriter(model, version, CodeLanguage::kCpp).write();
}

std::string c_header(const SelectionModel& model, const std::string& version) {
  return HeaderWriter(model, version, CodeLanguage::kC).write();
}

}  // namespace warpwright
