#include "spec/names.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "core/error.h"
#include "core/expr/expr_node.h"
#include "core/words.h"

namespace warpwright {
namespace {

// Names end up in macros, messages and the database.
constexpr std::size_t kMaxName = 100;

// The position of `name` in `text` as a whole word; 0 if it does not occur.
std::size_t offset_of(std::string_view text, std::string_view name) {
  for (std::size_t at = text.find(name); at != std::string_view::npos;
       at = text.find(name, at + 1)) {
    const std::size_t end = at + name.size();
    const bool starts = at == 0 || (!is_word(text[at - 1]) && text[at - 1] != '.');
    if (starts && (end == text.size() || !is_word(text[end]))) return at;
  }
  return 0;
}

}  // namespace

bool is_identifier(std::string_view text) {
  return !text.empty() && text.size() <= kMaxName && !is_digit(text[0]) &&
         std::all_of(text.begin(), text.end(), is_word);
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
    SourceLocation where = expr.where();
    if (where.column > 0)
      where.column += static_cast<int>(offset_of(expr.text(), let == nullptr ? name : let->name));
    const std::string from =
        let == nullptr ? ""
                       : fmt::format(" (of the let '{}' on line {})", let->name, let->where.line);
    throw user_error(where, fmt::format("'{}'{} {}", name, from, why));
  }
  expr.require_names(known_, what_);
}

namespace {

// The lets of one section before they are expanded.
class Section {
 public:
  explicit Section(std::vector<LetSpec> lets) : lets_(std::move(lets)) {
    for (std::size_t i = 0; i < lets_.size(); ++i) indexes_[lets_[i].name] = i;
  }

  [[nodiscard]] const std::vector<LetSpec>& lets() const { return lets_; }

  // Rejects lets that lets_[at] uses but that are not above it.
  void forbid_later(std::size_t at, ExprScope& scope) const {
    for (const std::string& name : lets_[at].expr.names()) {
      const auto found = indexes_.find(name);
      if (found != indexes_.end() && found->second >= at)
        scope.forbid(name, why_not(at, found->second));
    }
  }

 private:
  [[nodiscard]] std::string why_not(std::size_t at, std::size_t later) const {
    if (at == later) return "is the let itself; write out what it stands for";
    const int line = lets_[later].where.line;
    if (reaches(later, at)) {
      return fmt::format(
          "is a let that needs '{}' in turn (line {}); write one of them without the other",
          lets_[at].name, line);
    }
    return fmt::format("is a let further down, on line {}; move it above '{}'", line,
                       lets_[at].name);
  }

  // Returns true if `from` needs `target`, directly or through others.
  [[nodiscard]] bool reaches(std::size_t from, std::size_t target) const {
    std::vector<bool> seen(lets_.size(), false);
    std::vector<std::size_t> open = {from};
    seen[from] = true;
    while (!open.empty() && !seen[target]) {
      const std::size_t at = open.back();
      open.pop_back();
      for (const std::string& name : lets_[at].expr.names()) {
        const auto found = indexes_.find(name);
        if (found == indexes_.end() || seen[found->second]) continue;
        seen[found->second] = true;
        open.push_back(found->second);
      }
    }
    return seen[target];
  }

  std::vector<LetSpec> lets_;
  std::map<std::string, std::size_t> indexes_;
};

bool is_word_or_point(char c) { return is_word(c) || c == '.'; }

}  // namespace

std::vector<LetSpec> Lets::read(const YamlReader& section, const KernelSpec& kernel,
                                const ExprScope& scope) {
  Lets none;
  std::vector<LetSpec> written;
  for (const auto& [key, reader] : section.entries()) {
    check_name(key, kernel);
    written.push_back({key.text(), reader.with_lets(none).expression(), key.where()});
  }
  if (written.empty())
    throw section.error("got an empty map, expected at least one let; remove it");
  const Section lets(std::move(written));
  for (std::size_t i = 0; i < lets.lets().size(); ++i) {
    const LetSpec& let = lets.lets()[i];
    ExprScope here = scope;
    here.suggest_lets(own_);
    lets.forbid_later(i, here);
    own_.push_back({let.name, write_out(let.expr), let.where});
    here.check(own_.back().expr);
    lets_.add(let.name, own_.back().expr);
  }
  return own_;
}

Expr Lets::write_out(const Expr& expr) {
  const std::vector<std::string> names = lets_.used_by(expr);
  if (names.empty()) return expr;
  for (const std::string& name : names) mark_used(name);
  Expr result = lets_.write_out(expr);
  std::size_t& in_all = outer_ == nullptr ? written_out_ : outer_->written_out_;
  in_all += count_nodes(result.root());
  if (in_all > kMaxWrittenOutInAll) {
    throw user_error(
        expr.where(),
        fmt::format("the lets used up to here have more than {} operands and operators "
                    "when they are written out; use fewer, or smaller ones",
                    kMaxWrittenOutInAll));
  }
  return result;
}

// Lets appear only inside parentheses; outside of them are the names of fills and of their
// modifiers. No number or function in there looks like a let.
std::string Lets::write_out_fill(std::string_view text, const SourceLocation& where) {
  std::string result;
  int depth = 0;
  std::size_t at = 0;
  while (at < text.size()) {
    if (!is_word_or_point(text[at])) {
      depth += text[at] == '(' ? 1 : text[at] == ')' ? -1 : 0;
      result += text[at++];
      continue;
    }
    const std::size_t start = at;
    while (at < text.size() && is_word_or_point(text[at])) ++at;
    const std::string word(text.substr(start, at - start));
    if (depth > 0 && lets_.knows(word)) {
      result += fmt::format("({})", write_out(Expr::parse(word, where)).to_string());
    } else {
      result += word;
    }
  }
  return result;
}

void Lets::require_used() const {
  for (const LetSpec& let : own_) {
    if (used_.contains(let.name)) continue;
    throw user_error(
        let.where,
        fmt::format("let '{}' is used by no expression; use it, or remove it", let.name));
  }
}

void Lets::check_name(const YamlReader& key, const KernelSpec& kernel) const {
  const std::string name = key.identifier();
  const auto clash = [&](const std::string& with, const SourceLocation& where) {
    return key.error(
        fmt::format("'{}' is already {}, on line {}; rename one", name, with, where.line));
  };
  if (const auto why = reserved_name(name))
    throw key.error(fmt::format("'{}' cannot be a name: {}; rename it", name, *why));
  if (const ProblemSizeSpec* size = kernel.find_size(name))
    throw clash("a problem size", size->where);
  if (const ParameterSpec* parameter = kernel.find_parameter(name))
    throw clash("a parameter", parameter->where);
  for (const LetSpec& let : kernel.lets) {
    if (let.name == name) throw clash("a let of the contract", let.where);
  }
}

void Lets::mark_used(const std::string& name) {
  const bool own =
      std::any_of(own_.begin(), own_.end(), [&](const LetSpec& let) { return let.name == name; });
  if (!own && outer_ != nullptr) return outer_->mark_used(name);
  used_.insert(name);
}

}  // namespace warpwright
