// Random expression texts for property tests. Every binary operation is in parentheses, so that a
// text is valid whichever operators are drawn; the printer reduces them to the fewest.
#pragma once

#include <fmt/format.h>

#include <array>
#include <random>
#include <string>
#include <string_view>

#include "core/expr/expr_node.h"

namespace warpwright::testing {

class RandomExpression {
 public:
  explicit RandomExpression(std::uint64_t seed) : generator_(seed) {}

  // Over the names A, B, C and small integers.
  std::string text(int depth) {
    if (depth == 0 || below(5) == 0) return leaf();
    switch (below(9)) {
      case 0:
        return fmt::format("({} ? {} : {})", text(depth - 1), text(depth - 1), text(depth - 1));
      case 1:
        return fmt::format("{}({})", kUnary[below(kUnary.size())], text(depth - 1));
      case 2:
        return fmt::format("{}({}, {})", kCalls[below(kCalls.size())], text(depth - 1),
                           text(depth - 1));
      case 3:
        return fmt::format("abs({})", text(depth - 1));
      default:
        return fmt::format("({} {} {})", text(depth - 1), kBinary[below(kBinary.size())],
                           text(depth - 1));
    }
  }

  std::size_t below(std::size_t n) { return static_cast<std::size_t>(generator_() % n); }
  std::int64_t between(std::int64_t low, std::int64_t high) {
    return low + static_cast<std::int64_t>(below(static_cast<std::size_t>(high - low + 1)));
  }

 private:
  std::string leaf() {
    if (below(2) == 0) return std::string(1, static_cast<char>('A' + below(3)));
    return fmt::format("{}", between(-4, 12));
  }

  static constexpr std::array<std::string_view, 4> kUnary = {"-", "!", "~", "is_pow2"};
  static constexpr std::array<std::string_view, 4> kCalls = {"min", "max", "ceil_div", "align_up"};
  static constexpr std::array<std::string_view, 18> kBinary = {"+",  "-",  "*", "/",  "%",  "<<",
                                                               ">>", "&",  "|", "^",  "&&", "||",
                                                               "==", "!=", "<", "<=", ">",  ">="};

  std::mt19937_64 generator_;
};

// Compares trees, ignoring positions in the text.
inline bool same_tree(const ExprNode& a, const ExprNode& b) {
  if (a.kind != b.kind || a.op != b.op || a.name != b.name || a.literal != b.literal) return false;
  if (a.children.size() != b.children.size()) return false;
  for (std::size_t i = 0; i < a.children.size(); ++i) {
    if (!same_tree(a.children[i], b.children[i])) return false;
  }
  return true;
}

}  // namespace warpwright::testing
