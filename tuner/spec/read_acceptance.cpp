// Reads `accepts`: the remarks that the contract accepts about an argument.
#include <fmt/format.h>

#include "spec/kernel_sections.h"

namespace warpwright {
namespace {

bool is_about(RemarkCode code, ArgumentRole role) {
  if (role == ArgumentRole::kInOut) return true;
  return (code == RemarkCode::kInputUnused) == (role == ArgumentRole::kIn);
}

}  // namespace

void read_acceptance(const YamlMap& map, const KernelSpec& kernel, ArgumentSpec& argument) {
  const auto section = map.find("accepts");
  if (!section) return;
  const YamlMap accepted =
      section->map({"zeros_pass", "mean_passes", "other_seed_passes", "input_copy_passes",
                    "input_unused", "constant_along_axis"});
  for (const RemarkCode code : all_remark_codes()) {
    const std::string_view name = remark_code_name(code);
    const auto condition = accepted.find(name);
    if (!condition) continue;
    if (!is_about(code, argument.role)) {
      throw accepted.error_at_key(
          name,
          fmt::format("is about {}, and '{}' is {}; remove it",
                      code == RemarkCode::kInputUnused ? "an input" : "an output", argument.name,
                      argument.role == ArgumentRole::kIn ? "an input" : "an output"));
    }
    Expr expr = condition->expression();
    size_scope(kernel, "size").check(expr);
    argument.accepts.emplace(code, std::move(expr));
  }
  if (argument.accepts.empty()) {
    throw section->error(
        "got nothing, expected what is accepted and where; write `accepts: {input_unused: \"page "
        "== 0\"}`, or remove it");
  }
}

}  // namespace warpwright
