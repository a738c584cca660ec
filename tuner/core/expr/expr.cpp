#include "core/expr/expr.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

#include "core/error.h"
#include "core/expr/expr_eval.h"
#include "core/expr/expr_foreign.h"
#include "core/expr/expr_node.h"
#include "core/expr/expr_parser.h"
#include "core/terminal_text.h"
#include "core/utf8.h"
#include "core/words.h"

namespace warpwright {
namespace {

struct Dtype {
  std::string_view name;
  int bytes;
};

constexpr std::array<Dtype, 15> kDtypes = {{
    {"f64", 8},
    {"f32", 4},
    {"f16", 2},
    {"bf16", 2},
    {"i64", 8},
    {"u64", 8},
    {"i32", 4},
    {"u32", 4},
    {"i16", 2},
    {"u16", 2},
    {"i8", 1},
    {"u8", 1},
    {"e4m3", 1},
    {"e5m2", 1},
    {"bool", 1},
}};

constexpr std::size_t kQuoted = 120;

// The expression as it appears in the first line of a message.
std::string source_shown(std::string_view text) { return shortened_line(text, kQuoted); }

// Three lines: place and message; the line of the expression; a caret below the character at fault.
Error located_error(std::string_view text, const SourceLocation& where, int offset,
                    std::string_view message) {
  const std::string_view before = text.substr(0, static_cast<std::size_t>(offset));
  const std::size_t break_before = before.rfind('\n');
  const std::size_t start = break_before == std::string_view::npos ? 0 : break_before + 1;
  std::string_view line = text.substr(start, text.find('\n', start) - start);
  std::size_t column = before.size() - start;
  SourceLocation place = where;
  if (start == 0) {
    if (place.column > 0) place.column += static_cast<int>(column);
  } else {
    // Later lines of a block scalar are indented by an amount that is not known here.
    place.line += static_cast<int>(std::count(before.begin(), before.end(), '\n'));
    place.column = 0;
  }
  // Show the neighbourhood of the fault when the line is long.
  const std::size_t hidden =
      column > kQuoted / 2 && line.size() > kQuoted ? column - kQuoted / 2 : 0;
  line = line.substr(hidden, kQuoted);
  column -= hidden;
  return user_error(place, fmt::format("{}\n  {}\n  {}^", message, line, std::string(column, ' ')));
}

// A fault inside a let is shown in the let's text, where it has to be fixed, together with the
// expression that uses it.
Error located_error(std::string_view text, const SourceLocation& where, const ExprFault& fault,
                    std::string_view values = {}) {
  if (!fault.let) {
    return located_error(
        text, where, fault.offset,
        fmt::format("{} in \"{}\"{}{}", fault.what, source_shown(text), values, fault.hint));
  }
  const ExprLet& let = *fault.let;
  const std::string line = where.line > 0 ? fmt::format(" on line {}", where.line) : "";
  return located_error(
      let.text, let.where, fault.offset,
      fmt::format("{} in \"{}\", the let '{}' of \"{}\"{}{}{}", fault.what, source_shown(let.text),
                  let.name, source_shown(text), line, values, fault.hint));
}

// There are only a few names; searching a vector keeps the order of appearance.
void collect_names(const ExprNode& node, std::vector<std::string>& names) {
  if (node.kind == ExprKind::kName &&
      std::find(names.begin(), names.end(), node.name) == names.end()) {
    names.push_back(node.name);
  }
  for (const ExprNode& child : node.children) collect_names(child, names);
}

// Suggests what to write instead of an unknown name.
std::string name_hint(std::string_view name, std::span<const std::string> known) {
  const std::optional<std::string> foreign = foreign_name_hint(name);
  return foreign ? *foreign : suggestion(name, known);
}

// Resolves names by their spelling.
class EnvironmentNames : public NameSource {
 public:
  explicit EnvironmentNames(const Environment& environment) : environment_(environment) {}
  const Value& value_of(const ExprNode& name) const override {
    if (const Value* value = environment_.find(name.name)) return *value;
    throw ExprFault{name.offset,
                    fmt::format("unknown name '{}'", shown_name(name.name)),
                    name_hint(name.name, environment_.names()),
                    {},
                    true};
  }

 private:
  const Environment& environment_;
};

// " with A=4 B=0": the values of the names of an expression, if they have values.
std::string values_of(const std::vector<std::string>& names, const Environment& environment) {
  std::string text;
  for (const std::string& name : names) {
    if (const Value* value = environment.find(name)) {
      text += fmt::format("{}{}={}", text.empty() ? " with " : " ", name, value->to_string());
    }
  }
  return text;
}

struct NodePlace {
  int offset = -1;  // -1: not found
  std::shared_ptr<const ExprLet> let;
};

// Finds the node that spells `name`, for the caret.
NodePlace place_of(const ExprNode& node, std::string_view name,
                   const std::shared_ptr<const ExprLet>& around = nullptr) {
  const std::shared_ptr<const ExprLet> let = innermost_let(node, around);
  if (node.kind == ExprKind::kName && node.name == name) return {node.offset, let};
  for (const ExprNode& child : node.children) {
    if (NodePlace place = place_of(child, name, let); place.offset >= 0) return place;
  }
  return {};
}

bool holds_name(const ExprNode& node, std::string_view name) {
  if (node.kind == ExprKind::kName && node.name == name) return true;
  return std::any_of(node.children.begin(), node.children.end(),
                     [&](const ExprNode& child) { return holds_name(child, name); });
}

// The first subtree that contains `name` decides.
std::optional<const ExprLet*> outermost_let(const ExprNode& node, std::string_view name) {
  if (node.let) {
    if (holds_name(node, name)) return node.let.get();
    return std::nullopt;
  }
  if (node.kind == ExprKind::kName && node.name == name) return nullptr;
  for (const ExprNode& child : node.children) {
    if (const auto found = outermost_let(child, name)) return found;
  }
  return std::nullopt;
}

// The offset of the root in its own text: the position of the operator or name that gives its
// value.
int root_offset(const ExprNode& root, std::string_view text) {
  if (!root.let) return root.offset;
  const std::size_t at = text.find(root.let->name);
  return at == std::string_view::npos ? 0 : static_cast<int>(at);
}

}  // namespace

const Value* Environment::find(std::string_view name) const {
  const auto found = values_.find(name);
  if (found != values_.end()) return &found->second;
  return parent_ == nullptr ? nullptr : parent_->find(name);
}

std::vector<std::string> Environment::names() const {
  std::set<std::string> all;
  for (const Environment* scope = this; scope != nullptr; scope = scope->parent_) {
    for (const auto& [name, value] : scope->values_) all.insert(name);
  }
  return {all.begin(), all.end()};
}

Expr::Expr() : text_("0"), root_(std::make_shared<const ExprNode>()) {}

Expr Expr::parse(std::string_view text, SourceLocation where) {
  Expr expr;
  expr.text_ = std::string(text);
  expr.where_ = std::move(where);
  try {
    expr.root_ = std::make_shared<const ExprNode>(parse_expression(text));
  } catch (const ExprFault& fault) {
    throw located_error(text, expr.where_, fault);
  }
  collect_names(*expr.root_, expr.names_);
  return expr;
}

Expr Expr::rebuilt(ExprNode root) const {
  Expr expr;
  expr.text_ = text_;
  expr.where_ = where_;
  expr.root_ = std::make_shared<const ExprNode>(std::move(root));
  collect_names(*expr.root_, expr.names_);
  return expr;
}

const ExprLet* Expr::let_of(std::string_view name) const {
  return outermost_let(*root_, name).value_or(nullptr);
}

Expr Expr::literal(Value value) {
  ExprNode node;
  node.literal = std::move(value);
  Expr expr;
  expr.root_ = std::make_shared<const ExprNode>(std::move(node));
  expr.text_ = expr.to_string();
  return expr;
}

Value Expr::evaluate(const Environment& environment) const {
  try {
    return evaluate_tree(*root_, EnvironmentNames(environment));
  } catch (const ExprFault& fault) {
    // An unknown name is a typo: listing the other values would only hide the suggestion.
    const bool unknown = !fault.hint.empty() || fault.unknown_name;
    throw located_error(text_, where_, fault, unknown ? "" : values_of(names_, environment));
  }
}

std::int64_t Expr::evaluate_integer(const Environment& environment) const {
  const Value value = evaluate(environment);
  if (value.is_integer() || value.is_bool()) return value.as_integer();
  throw located_error(
      text_, where_, root_offset(*root_, text_),
      fmt::format("expected an integer, got {} {} from \"{}\"{}", value.type_name(),
                  value.to_string(), source_shown(text_), values_of(names_, environment)));
}

double Expr::evaluate_real(const Environment& environment) const {
  const Value value = evaluate(environment);
  if (value.is_number()) return value.as_real();
  throw located_error(
      text_, where_, root_offset(*root_, text_),
      fmt::format("expected a number, got string '{}' from \"{}\"{}", shown_name(value.as_string()),
                  source_shown(text_), values_of(names_, environment)));
}

bool Expr::evaluate_bool(const Environment& environment) const {
  const Value value = evaluate(environment);
  if (value.is_number()) return value.as_bool();
  throw located_error(text_, where_, root_offset(*root_, text_),
                      fmt::format("expected a condition, got string '{}' from \"{}\"{}",
                                  shown_name(value.as_string()), source_shown(text_),
                                  values_of(names_, environment)));
}

void Expr::require_names(std::span<const std::string> known, std::string_view what) const {
  for (const std::string& name : names_) {
    if (std::find(known.begin(), known.end(), name) != known.end()) continue;
    NodePlace place = place_of(*root_, name);
    const ExprFault fault{place.offset, fmt::format("unknown {} '{}'", what, shown_name(name)),
                          name_hint(name, known), std::move(place.let)};
    throw located_error(text_, where_, fault);
  }
}

std::optional<int> dtype_bytes(std::string_view dtype) {
  for (const Dtype& known : kDtypes) {
    if (known.name == dtype) return known.bytes;
  }
  return std::nullopt;
}

}  // namespace warpwright
