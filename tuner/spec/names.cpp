#include "spec/names.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "core/error.h"
#include "core/expr/expr_node.h"

namespace warpwright {
namespace {

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_letter_or_digit(char c) { return is_letter(c) || (c >= '0' && c <= '9'); }

// Names end up in macros, messages and the database.
constexpr std::size_t kMaxName = 100;

// The position of `name` in `text` as a whole word; 0 if it does not occur.
std::size_t offset_of(std::string_view text, std::string_view name) {
  for (std::size_t at = text.find(name); at != std::string_view::npos;
       at = text.find(name, at + 1)) {
    const std::size_t end = at + name.size();
    const bool starts = at == 0 || (!is_letter_or_digit(text[at - 1]) && text[at - 1] != '.');
    if (starts && (end == text.size() || !is_letter_or_digit(text[end]))) return at;
  }
  return 0;
}

}  // namespace

bool is_identifier(std::string_view text) {
  return !text.empty() && text.size() <= kMaxName && is_letter(text[0]) &&
         std::all_of(text.begin(), text.end(), is_letter_or_digit);
}

std::optional<std::string> reserved_name(std::string_view name) {
  static constexpr std::array<std::string_view, 9> kFunctions = {
      "min", "max", "abs", "ceil_div", "align_up", "is_pow2", "sizeof", "log2", "sqrt"};
  static constexpr std::array<std::string_view, 5> kWords = {"true", "false", "and", "or", "not"};
  if (std::find(kFunctions.begin(), kFunctions.end(), name) != kFunctions.end()) {
    return "it is a built-in function";
  }
  if (std::find(kWords.begin(), kWords.end(), name) != kWords.end()) {
    return "it is a reserved word in expressions";
  }
  if (dtype_bytes(name)) return "it is a dtype";
  if (name == "device") return "it holds the device's limits";
  if (name == "variant" || name == "version") return "it selects what a sweep runs";
  return std::nullopt;
}

std::span<const std::string> dtype_names() {
  static const std::array<std::string, 15> kNames = {"f64", "f32", "f16",  "bf16", "i64",
                                                     "u64", "i32", "u32",  "i16",  "u16",
                                                     "i8",  "u8",  "e4m3", "e5m2", "bool"};
  return kNames;
}

bool is_integer_dtype(std::string_view dtype) {
  return dtype_bytes(dtype).has_value() && (dtype[0] == 'i' || dtype[0] == 'u');
}

std::span<const std::string> device_names() {
  static const std::array<std::string, 10> kNames = {"device.max_shared",
                                                     "device.max_shared_per_block",
                                                     "device.max_threads",
                                                     "device.warp_size",
                                                     "device.sm_count",
                                                     "device.registers_per_sm",
                                                     "device.registers_per_block",
                                                     "device.l2_bytes",
                                                     "device.compute_capability",
                                                     "device.global_bytes"};
  return kNames;
}

void ExprScope::allow_sizes(const std::vector<ProblemSizeSpec>& sizes) {
  for (const ProblemSizeSpec& size : sizes) known_.push_back(size.name);
}

void ExprScope::allow_device() {
  known_.insert(known_.end(), device_names().begin(), device_names().end());
}

void ExprScope::forbid_device() {
  for (const std::string& name : device_names()) {
    forbid(name, "is a limit of the device; what is computed must not depend on the device");
  }
}

void ExprScope::suggest_lets(const std::vector<LetSpec>& lets) {
  for (const LetSpec& let : lets) known_.push_back(let.name);
}

bool ExprScope::concerns(const std::string& name) const {
  return std::find(known_.begin(), known_.end(), name) != known_.end() ||
         forbidden_.find(name) != forbidden_.end();
}

void ExprScope::check(const Expr& expr) const {
  for (const std::string& name : expr.names()) {
    if (std::find(known_.begin(), known_.end(), name) != known_.end()) continue;
    std::string why;
    if (const auto found = forbidden_.find(name); found != forbidden_.end()) {
      why = found->second;
    } else if (dtype_bytes(name)) {
      why = fmt::format("is a dtype, not a name; compare with the string '{}' in quotes", name);
    } else {
      continue;
    }
    // If the name is not usable here and was introduced by a let, the mistake is to use that let.
    const ExprLet* let = expr.let_of(name);
    SourcePosition where = expr.where();
    if (where.column > 0)
      where.column += static_cast<int>(offset_of(expr.text(), let == nullptr ? name : let->name));
    const std::string from =
        let == nullptr ? ""
                       : fmt::format(" (of the let '{}' on line {})", let->name, let->where.line);
    throw user_error(where, fmt::format("'{}'{} {}", name, from, why));
  }
  expr.require_names(known_, what_);
}

}  // namespace warpwright
