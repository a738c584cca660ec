#include "core/expr/expr_parser.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <optional>
#include <utility>

#include "core/expr/expr.h"
#include "core/expr/expr_foreign.h"
#include "core/terminal_text.h"
#include "core/words.h"

namespace warpwright {
namespace {

// The signatures of calls; the evaluator relies on the checked number of arguments.
struct Function {
  std::string_view name;
  ExprOp op;
  int min_arguments;
  int max_arguments;
};

// More than anyone writes by hand; it keeps pairwise evaluation of min and max short.
constexpr int kAnyNumber = 64;
constexpr std::array<Function, 9> kFunctions = {{
    {"min", ExprOp::kMin, 2, kAnyNumber},
    {"max", ExprOp::kMax, 2, kAnyNumber},
    {"abs", ExprOp::kAbs, 1, 1},
    {"ceil_div", ExprOp::kCeilDiv, 2, 2},
    {"align_up", ExprOp::kAlignUp, 2, 2},
    {"is_pow2", ExprOp::kIsPow2, 1, 1},
    {"sizeof", ExprOp::kSizeof, 1, 1},
    {"log2", ExprOp::kLog2, 1, 1},
    {"sqrt", ExprOp::kSqrt, 1, 1},
}};

struct BinaryOperator {
  std::string_view symbol;
  ExprOp op;
};

constexpr std::array<BinaryOperator, 18> kBinaryOperators = {{
    {"||", ExprOp::kOr},
    {"&&", ExprOp::kAnd},
    {"|", ExprOp::kBitOr},
    {"^", ExprOp::kBitXor},
    {"&", ExprOp::kBitAnd},
    {"==", ExprOp::kEqual},
    {"!=", ExprOp::kNotEqual},
    {"<", ExprOp::kLess},
    {"<=", ExprOp::kLessEqual},
    {">", ExprOp::kGreater},
    {">=", ExprOp::kGreaterEqual},
    {"<<", ExprOp::kShiftLeft},
    {">>", ExprOp::kShiftRight},
    {"+", ExprOp::kAdd},
    {"-", ExprOp::kSubtract},
    {"*", ExprOp::kMultiply},
    {"/", ExprOp::kDivide},
    {"%", ExprOp::kRemainder},
}};

std::optional<ExprOp> binary_operator(const Token& token) {
  if (token.kind != TokenKind::kSymbol) return std::nullopt;
  for (const BinaryOperator& candidate : kBinaryOperators) {
    if (candidate.symbol == token.text) return candidate.op;
  }
  return std::nullopt;
}

[[noreturn]] void fail(int offset, std::string what, std::string hint = {}) {
  throw ExprFault{offset, std::move(what), std::move(hint)};
}

class Parser {
 public:
  explicit Parser(std::string_view text) : tokens_(lex_expression(text)) {}

  ExprNode run() {
    if (peek().kind == TokenKind::kEnd) fail(peek().offset, "empty expression");
    ExprNode root = expression();
    if (peek().kind != TokenKind::kEnd) {
      fail(peek().offset,
           fmt::format("expected an operator or the end, got {}", peek().describe()));
    }
    return root;
  }

 private:
  [[nodiscard]] const Token& peek() const { return tokens_[position_]; }
  const Token& take() { return tokens_[position_++]; }
  [[nodiscard]] bool at(std::string_view symbol) const {
    return peek().kind == TokenKind::kSymbol && peek().text == symbol;
  }
  [[nodiscard]] bool at_word(std::string_view word, std::size_t ahead = 0) const {
    const std::size_t at = std::min(position_ + ahead, tokens_.size() - 1);
    return tokens_[at].kind == TokenKind::kName && tokens_[at].text == word;
  }
  void expect(std::string_view symbol, std::string_view why) {
    if (!at(symbol)) {
      fail(peek().offset, fmt::format("expected '{}' {}, got {}", symbol, why, peek().describe()));
    }
    take();
  }

  // Every inner node is created here, so no tree exceeds kMaxExprDepth, however it was written.
  static ExprNode node(ExprKind kind, ExprOp op, int offset, std::vector<ExprNode> children) {
    ExprNode result;
    result.kind = kind;
    result.op = op;
    result.offset = offset;
    for (const ExprNode& child : children) result.depth = std::max(result.depth, child.depth + 1);
    if (result.depth > kMaxExprDepth) too_deep(offset);
    result.children = std::move(children);
    return result;
  }

  [[noreturn]] static void too_deep(int offset) {
    fail(offset, fmt::format("expression nested more than {} levels deep", kMaxExprDepth),
         "; split it into several");
  }

  // Limits the parser's own recursion to the same depth as the tree: parentheses create no nodes.
  struct Nesting {
    Nesting(int& nesting, int offset) : level(nesting) {
      if (++level > kMaxExprDepth) too_deep(offset);
    }
    ~Nesting() { --level; }
    Nesting(const Nesting&) = delete;
    Nesting& operator=(const Nesting&) = delete;
    int& level;
  };

  ExprNode expression() {
    const Nesting nesting(nesting_, peek().offset);
    ExprNode condition = binary(kConditionalPrecedence + 1);
    if (at_word("if")) refuse_trailing_if(condition);
    if (!at("?")) return condition;
    const int offset = take().offset;
    ExprNode then = expression();
    expect(":", "between the branches of '?'");
    ExprNode otherwise = expression();
    return conditional(offset, std::move(condition), std::move(then), std::move(otherwise));
  }

  static ExprNode conditional(int offset, ExprNode condition, ExprNode then, ExprNode otherwise) {
    std::vector<ExprNode> children;
    children.push_back(std::move(condition));
    children.push_back(std::move(then));
    children.push_back(std::move(otherwise));
    return node(ExprKind::kConditional, ExprOp::kNone, offset, std::move(children));
  }

  // Precedence climbing: takes operators that bind at least as tightly as `min_precedence`. Equal
  // ones associate to the left, because the right operand asks for one level more.
  ExprNode binary(int min_precedence) {
    ExprNode left = unary();
    if (at("**")) {
      const int offset = take().offset;
      fail(offset, "'**' is not an operator", power_hint(left, unary()));
    }
    // The operator of `left` if it is a comparison without parentheses.
    std::optional<ExprOp> bare;
    for (;;) {
      refuse_foreign_operator(left, min_precedence);
      const std::optional<ExprOp> op = binary_operator(peek());
      if (!op || expr_op_precedence(*op) < min_precedence) return left;
      const int precedence = expr_op_precedence(*op);
      // `32 <= A <= 64` compares a truth value in C and a range in Python: refuse to guess.
      if (bare && is_comparison(*op) && expr_op_precedence(*bare) == precedence) {
        fail(peek().offset, "chained comparison",
             fmt::format("; write 'a {0} b && b {1} c', or parentheses", expr_op_spelling(*bare),
                         expr_op_spelling(*op)));
      }
      const int offset = take().offset;
      ExprNode right = binary(precedence + 1);
      std::vector<ExprNode> children;
      children.push_back(std::move(left));
      children.push_back(std::move(right));
      left = node(ExprKind::kBinary, *op, offset, std::move(children));
      bare = *op;
    }
  }

  // Inside a valid expression, an operand is never followed by a name or by one of these symbols,
  // so nothing valid is rejected. The rest is parsed for the hint and may contain a fault of its
  // own.
  void refuse_foreign_operator(const ExprNode& left, int min_precedence) {
    const int division = expr_op_precedence(ExprOp::kDivide);
    if (at("//") && division >= min_precedence) {
      const int offset = take().offset;
      fail(offset, "'//' is not an operator", floor_division_hint(left, binary(division + 1)));
    }
    const int equality = expr_op_precedence(ExprOp::kNotEqual);
    if (at("<>") && equality >= min_precedence) {
      const int offset = take().offset;
      fail(offset, "'<>' is not an operator", unequal_hint(left, binary(equality + 1)));
    }
    const bool negated = at("not") && at_word("in", 1);
    if ((!negated && !at_word("in")) || expr_op_precedence(ExprOp::kLess) < min_precedence) return;
    if (negated) take();
    refuse_membership(left, negated);
  }

  // The current token is `in`.
  [[noreturn]] void refuse_membership(const ExprNode& item, bool negated) {
    const int offset = take().offset;
    std::vector<ExprNode> of;
    if (at("[") || at("(")) {
      const std::string open = take().text;
      const std::string_view close = open == "[" ? "]" : ")";
      while (!at(close)) {
        of.push_back(expression());
        if (!at(",")) break;
        take();
      }
      expect(close, fmt::format("to close '{}'", open));
    }
    fail(offset, "'in' is not an operator", membership_hint(item, of, negated));
  }

  [[noreturn]] void refuse_trailing_if(const ExprNode& then) {
    const int offset = take().offset;
    const ExprNode condition = binary(kConditionalPrecedence + 1);
    if (!at_word("else")) fail(offset, "'if' is not an operator", kConditionalHint);
    take();
    fail(offset, "'if' is not an operator", conditional_hint(condition, then, expression()));
  }

  ExprNode unary() {
    const Nesting nesting(nesting_, peek().offset);
    if (at("-")) return negation();
    if (at("!") || at("~") || at("not")) {
      const bool word = at("not");
      const ExprOp op = at("~") ? ExprOp::kInvert : ExprOp::kNot;
      const int offset = take().offset;
      ExprNode operand = unary();
      if (word && at_word("in")) refuse_membership(operand, true);
      const std::optional<ExprOp> next = binary_operator(peek());
      // Python's `not a == b` negates the comparison, while C's `!a == b` negates a: refuse to
      // guess.
      if (word && next && expr_op_precedence(*next) > expr_op_precedence(ExprOp::kAnd)) {
        fail(offset, fmt::format("'not' before '{}' is ambiguous", peek().text),
             "; put parentheses around what it negates");
      }
      std::vector<ExprNode> children;
      children.push_back(std::move(operand));
      return node(ExprKind::kUnary, op, offset, std::move(children));
    }
    return primary();
  }

  // Folding the sign into a literal makes -9223372036854775808 expressible and keeps "-5" a single
  // node.
  ExprNode negation() {
    const int offset = take().offset;
    if (peek().kind == TokenKind::kInteger && peek().magnitude == std::uint64_t{1} << 63) {
      take();
      return literal(offset, std::numeric_limits<std::int64_t>::min());
    }
    ExprNode operand = unary();
    if (operand.kind == ExprKind::kLiteral) {
      if (operand.literal.is_real()) return literal(offset, -operand.literal.as_real());
      constexpr std::int64_t kLowest = std::numeric_limits<std::int64_t>::min();
      if (operand.literal.is_integer() && operand.literal.as_integer() != kLowest) {
        return literal(offset, -operand.literal.as_integer());
      }
    }
    std::vector<ExprNode> children;
    children.push_back(std::move(operand));
    return node(ExprKind::kUnary, ExprOp::kNegate, offset, std::move(children));
  }

  static ExprNode literal(int offset, Value value) {
    ExprNode result;
    result.offset = offset;
    result.literal = std::move(value);
    return result;
  }

  ExprNode primary() {
    const Token& token = peek();
    switch (token.kind) {
      case TokenKind::kInteger:
        if (token.magnitude >
            static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())) {
          fail(token.offset, fmt::format("number {} is too large", token.text));
        }
        take();
        return literal(token.offset, static_cast<std::int64_t>(token.magnitude));
      case TokenKind::kReal:
        take();
        return literal(token.offset, token.real);
      case TokenKind::kString:
        take();
        return literal(token.offset, token.text);
      case TokenKind::kName:
        take();
        return name(token);
      default:
        break;
    }
    if (!at("(")) fail(token.offset, fmt::format("expected a value, got {}", token.describe()));
    take();
    ExprNode inner = expression();
    expect(")", "to close '('");
    return inner;
  }

  // true and false are words of the language; a parameter cannot have these names.
  ExprNode name(const Token& token) {
    if (at("(")) return call(token);
    if (token.text == "true") return literal(token.offset, true);
    if (token.text == "false") return literal(token.offset, false);
    ExprNode result;
    result.kind = ExprKind::kName;
    result.offset = token.offset;
    result.name = token.text;
    return result;
  }

  ExprNode call(const Token& token) {
    const auto* function = std::find_if(kFunctions.begin(), kFunctions.end(),
                                        [&](const Function& f) { return f.name == token.text; });
    if (function == kFunctions.end()) refuse_function(token);
    const std::vector<ExprNode> arguments = call_arguments(token, function->op);
    const int got = static_cast<int>(arguments.size());
    if (got < function->min_arguments || got > function->max_arguments) {
      const bool at_least = function->max_arguments == kAnyNumber && got < function->min_arguments;
      const int wanted = at_least ? function->min_arguments : function->max_arguments;
      fail(token.offset, fmt::format("{}() takes {}{}, got {}", token.text,
                                     at_least                                ? "at least "
                                     : function->max_arguments == kAnyNumber ? "at most "
                                                                             : "",
                                     plural(wanted, "argument"), got));
    }
    return node(ExprKind::kCall, function->op, token.offset, arguments);
  }

  std::vector<ExprNode> call_arguments(const Token& function, ExprOp op) {
    take();
    std::vector<ExprNode> arguments;
    if (!at(")")) {
      arguments.push_back(argument(op));
      while (at(",")) {
        take();
        arguments.push_back(argument(op));
      }
    }
    expect(")", fmt::format("to close '{}('", function.text));
    return arguments;
  }

  [[noreturn]] void refuse_function(const Token& token) {
    std::string hint;
    if (is_foreign_function(token.text)) {
      hint = foreign_function_hint(token.text, call_arguments(token, ExprOp::kNone));
    } else {
      std::vector<std::string> known;
      for (const Function& f : kFunctions) known.emplace_back(f.name);
      hint = suggestion(token.text, known);
    }
    fail(token.offset, fmt::format("unknown function '{}'", shown_name(token.text)),
         std::move(hint));
  }

  // sizeof(f32) names a type, not a variable; so does sizeof((f32)), which is printed as the
  // former.
  ExprNode argument(ExprOp op) {
    if (op == ExprOp::kSizeof && peek().kind == TokenKind::kName && dtype_bytes(peek().text)) {
      const Token& token = take();
      return literal(token.offset, token.text);
    }
    ExprNode node = expression();
    const bool type =
        op == ExprOp::kSizeof && node.kind == ExprKind::kName && dtype_bytes(node.name);
    return type ? literal(node.offset, node.name) : node;
  }

  std::vector<Token> tokens_;
  std::size_t position_ = 0;
  int nesting_ = 0;
};

}  // namespace

ExprNode parse_expression(std::string_view text) {
  if (text.size() > kMaxExprLength) {
    fail(0,
         fmt::format("expression of {} characters is longer than {}", text.size(), kMaxExprLength),
         "; split it into several");
  }
  return Parser(text).run();
}

}  // namespace warpwright
