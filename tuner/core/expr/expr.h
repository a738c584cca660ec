// The expression language of kernel.yaml and of sweeps: one type serves constraints, shapes, grids
// and work counts.
//
// C-like and side-effect free: integers (64-bit; overflow is an error), reals, strings in '..' or
// "..", true/false,
//   + - * / % << >> & | ^ ~ ! && || == != < <= > >= ?:  and  min max abs ceil_div align_up is_pow2
//   sizeof log2 sqrt
// with C's precedence, integer division that truncates, and short-circuit && || ?:. `and`, `or` and
// `not` are accepted for && || !, but a text that C and Python would read differently is refused:
// `a < b < c`, `not a == b`. log2 and sqrt give reals; a bool counts as 0 or 1. Names may contain
// dots (`device.max_shared`). sizeof takes a dtype: a literal (`sizeof(f32)`) or a name whose value
// is one (`sizeof(dtype)`); the result is in bytes. Errors are Error (user): `file:line:col: what`,
// with the column inside the expression and a caret line.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/expr/value.h"
#include "core/source_location.h"

namespace warpwright {

// Maps names to values; lookups fall back to `parent`, which must outlive this.
class Environment {
 public:
  explicit Environment(const Environment* parent = nullptr) : parent_(parent) {}
  void set(std::string name, Value value) { values_[std::move(name)] = std::move(value); }
  [[nodiscard]] const Value* find(std::string_view name) const;
  // All names that find() resolves, for suggestions.
  [[nodiscard]] std::vector<std::string> names() const;

 private:
  const Environment* parent_;
  std::map<std::string, Value, std::less<>> values_;
};

// A closed range of numbers that is certain to contain an expression's value; used to prune.
struct Interval {
  double low = 0;
  double high = 0;
};

struct ExprNode;  // core/expr/expr_node.h, for the layers that walk the tree
struct ExprLet;

class Expr {
 public:
  // The integer 0, with an unknown position.
  Expr();
  // Throws Error (user) on a syntax error, an unknown function or a wrong number of arguments.
  // `where` is the place of the first character of `text`.
  [[nodiscard]] static Expr parse(std::string_view text, SourceLocation where = {});
  [[nodiscard]] static Expr literal(Value value);

  // The text as written, and the canonical form with the fewest parentheses and without lets;
  // parse(to_string()) is the same expression.
  [[nodiscard]] const std::string& text() const { return text_; }
  [[nodiscard]] std::string to_string() const;
  [[nodiscard]] const SourceLocation& where() const { return where_; }
  // The names used, each once, in order of appearance. Dtype literals inside sizeof() are not
  // names, and neither are lets that have been expanded.
  [[nodiscard]] const std::vector<std::string>& names() const { return names_; }
  // The let through which `name` enters the expression (core/expr/expr_lets.h); nullptr if the text
  // itself contains the name.
  [[nodiscard]] const ExprLet* let_of(std::string_view name) const;

  // Throws Error (user) on an unknown name (with a suggestion), a wrong type, a division by zero or
  // an overflow; the message holds the values of the names involved.
  [[nodiscard]] Value evaluate(const Environment& environment) const;
  // Calls evaluate() and converts to the wanted type, or throws Error (user) that names the actual
  // type.
  [[nodiscard]] std::int64_t evaluate_integer(const Environment& environment) const;
  [[nodiscard]] double evaluate_real(const Environment& environment) const;
  [[nodiscard]] bool evaluate_bool(const Environment& environment) const;

  // Throws Error (user) unless every name is among `known`; the message suggests the nearest.
  void require_names(std::span<const std::string> known, std::string_view what) const;

  [[nodiscard]] const ExprNode& root() const { return *root_; }

 private:
  friend class ExprLets;
  // The same text and place with another tree.
  [[nodiscard]] Expr rebuilt(ExprNode root) const;

  std::string text_;
  SourceLocation where_;
  std::vector<std::string> names_;
  std::shared_ptr<const ExprNode> root_;
};

// An expression bound to numbered slots, for the inner loops of constraint solving: no map
// look-ups, and a fast path when every slot holds an integer. Names found in `constants` are
// folded. The fast path is made by its first use, so one thread at a time.
class BoundExpr {
 public:
  BoundExpr(const Expr& expr, std::span<const std::string> slot_names,
            const Environment& constants);
  ~BoundExpr();
  BoundExpr(BoundExpr&&) noexcept;
  BoundExpr& operator=(BoundExpr&&) noexcept;

  // Slots used once constants are folded, ascending.
  [[nodiscard]] const std::vector<int>& slots() const;
  // The original expression, before binding.
  [[nodiscard]] const Expr& expr() const;
  // The tree that is evaluated: names have slots and constants are folded. Offsets match expr();
  // names and lets are omitted.
  [[nodiscard]] const ExprNode& folded() const;
  // slots[i] belongs to slot_names[i]; slots this expression does not use may hold anything. Throws
  // as evaluate().
  [[nodiscard]] bool holds(std::span<const Value> slots) const;
  // Only valid while every used slot is an integer and the expression is integer-only
  // (integer_only() says so).
  [[nodiscard]] bool integer_only() const;
  [[nodiscard]] bool holds(std::span<const std::int64_t> slots) const;
  // holds() for inner loops: an evaluation that fails is a verdict, and only holds() spells out
  // why.
  enum class Verdict { kFalse, kTrue, kFault };
  [[nodiscard]] Verdict test(std::span<const Value> slots) const;
  [[nodiscard]] Verdict test(std::span<const std::int64_t> slots) const;
  // A range that contains every value the expression takes while each slot stays inside its
  // interval; (-inf, inf) when unknown. Never throws. A constraint is certainly false when the
  // result is [0, 0], certainly true when it excludes 0.
  [[nodiscard]] Interval bounds(std::span<const Interval> slots) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// Bytes of one element of a dtype ("f32" -> 4), or nullopt. Known: f64 f32 f16 bf16 i64 u64 i32 u32
// i16 u16 i8 u8 e4m3 e5m2 bool.
[[nodiscard]] std::optional<int> dtype_bytes(std::string_view dtype);

}  // namespace warpwright
