#include <fmt/format.h>

#include "exchange/header/header_parts.h"

namespace warpwright {
namespace {

class TypesWriter {
 public:
  explicit TypesWriter(const HeaderParts& parts)
      : names_(parts.names), dialect_(parts.dialect), code_(parts.code) {}

  [[nodiscard]] std::string all() const {
    std::string text =
        code_.enumerations() + "\n" + code_.problem_struct() + "\n" + code_.limits_struct() + "\n";
    text += device_struct() + "\n" + configuration_structs() + "\n" + board_struct() + "\n" +
            selection_struct() + "\n";
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

 private:
  [[nodiscard]] bool c() const { return dialect_.c(); }

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

  const ContractNames& names_;
  const HeaderDialect& dialect_;
  const ContractCode& code_;
};

}  // namespace

std::string header_types(const HeaderParts& parts) { return TypesWriter(parts).all(); }

std::string header_build_types(const HeaderParts& parts) {
  return TypesWriter(parts).build_structs();
}

}  // namespace warpwright
