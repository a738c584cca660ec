// Expressions: those of the repository's contracts and sweeps, mutated, and random ones. Every
// accepted one is printed and read back, evaluated on every path, and compared with its bounds.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <optional>
#include <set>

#include "core/error.h"
#include "core/expr/expr.h"
#include "core/random_expression.h"
#include "fuzz/corpus.h"
#include "fuzz/fuzz.h"
#include "fuzz/mutator.h"

namespace warpwright::fuzz {
namespace {

constexpr int kEnvironments = 6;
constexpr double kInfinity = std::numeric_limits<double>::infinity();

const std::vector<std::string>& leaves() {
  static const std::vector<std::string> kLeaves = {"A",
                                                   "B",
                                                   "rows",
                                                   "dtype",
                                                   "device.max_shared",
                                                   "0",
                                                   "1",
                                                   "-1",
                                                   "7",
                                                   "63",
                                                   "64",
                                                   "4096",
                                                   "2147483648",
                                                   "9223372036854775807",
                                                   "-9223372036854775808",
                                                   "0.5",
                                                   "-2.5",
                                                   "1e300",
                                                   "1e-300",
                                                   "true",
                                                   "false",
                                                   "'f32'",
                                                   "\"it's\"",
                                                   "'\\\\'",
                                                   "sizeof(bf16)"};
  return kLeaves;
}

std::string random_text(Random& random, int depth) {
  static const std::vector<std::string> kBinary = {
      "+",  "-",  "*",  "/",  "%", "<<", ">>", "&",  "|",   "^",
      "&&", "||", "==", "!=", "<", "<=", ">",  ">=", "and", "or"};
  static const std::vector<std::string> kUnary = {"-",       "!",    "~",    "abs",
                                                  "is_pow2", "log2", "sqrt", "sizeof"};
  static const std::vector<std::string> kCalls = {"min", "max", "ceil_div", "align_up"};
  if (depth == 0 || random.one_in(5)) return random.of(leaves());
  const auto part = [&] { return random_text(random, depth - 1); };
  switch (random.below(8)) {
    case 0: {
      const std::string condition = part(), then = part();
      return fmt::format("({} ? {} : {})", condition, then, part());
    }
    case 1:
      return fmt::format("{}({})", random.of(kUnary), part());
    case 2: {
      const std::string& call = random.of(kCalls);
      const std::string first = part();
      return fmt::format("{}({}, {})", call, first, part());
    }
    default: {
      // Parentheses are left out at times: the parser has to resolve chains and precedence.
      const bool bare = random.one_in(3);
      const std::string& op = random.of(kBinary);
      const std::string left = part();
      return fmt::format(fmt::runtime(bare ? "{} {} {}" : "({} {} {})"), left, op, part());
    }
  }
}

// The double-quoted texts of the YAML files, most of which are expressions.
std::vector<std::string> quoted_texts() {
  std::set<std::string> found;
  for (const char* folder : {"kernels", "configs"}) {
    for (const std::string& text : read_all(corpus_files(folder, ".yaml"))) {
      for (std::size_t at = text.find('"'); at != std::string::npos;) {
        const std::size_t end = text.find('"', at + 1);
        if (end == std::string::npos) break;
        if (end > at + 1 && text.find('\n', at) > end)
          found.insert(text.substr(at + 1, end - at - 1));
        at = text.find('"', end + 1);
      }
    }
  }
  return {found.begin(), found.end()};
}

// The values that an input is tried with follow from its text.
std::uint64_t seed_of(const std::string& text) {
  std::uint64_t hash = 14695981039346656037U;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211U;
  return hash;
}

Value random_value(Random& random) {
  switch (random.below(8)) {
    case 0:
      return random.one_in(2);
    case 1:
      return 0.25 * static_cast<double>(random.between(-40, 40));
    case 2:
      return random.one_in(2) ? Value("f32") : Value("row");
    case 3:
      return static_cast<std::int64_t>(random.bits());
    default:
      return random.between(-5, 70);
  }
}

void expect(bool holds, const std::string& what) {
  if (!holds) throw PropertyFault{what};
}

std::optional<Value> value_of(const Expr& expr, const Environment& environment) {
  try {
    return expr.evaluate(environment);
  } catch (const Error& error) {
    if (error.fault() != Fault::kUser) throw;
    expect(!error.message().empty(), "an evaluation fails without a message");
    return std::nullopt;  // takes no value
  }
}

BoundExpr::Verdict verdict_of(const Expr& expr, const Environment& environment) {
  try {
    return expr.evaluate_bool(environment) ? BoundExpr::Verdict::kTrue : BoundExpr::Verdict::kFalse;
  } catch (const Error&) {
    return BoundExpr::Verdict::kFault;
  }
}

// An interval around a value of a slot; a text has none.
Interval around(const Value& value, Random& random) {
  if (!value.is_number()) return {-kInfinity, kInfinity};
  // A double may be off by half a step of a large integer, and an interval must hold it.
  const double middle = value.as_real();
  const double low = random.one_in(2) ? middle : middle - static_cast<double>(random.below(9));
  const double high = random.one_in(2) ? middle : middle + static_cast<double>(random.below(9));
  return {std::nextafter(low, std::fabs(low) > 1e15 ? -kInfinity : low),
          std::nextafter(high, std::fabs(high) > 1e15 ? kInfinity : high)};
}

void check_values(const Expr& expr, Random& random) {
  const std::vector<std::string>& names = expr.names();
  const BoundExpr bound(expr, names, Environment());
  for (int i = 0; i < kEnvironments; ++i) {
    Environment environment;
    std::vector<Value> slots;
    std::vector<std::int64_t> integers;
    std::vector<Interval> intervals;
    const bool only_integers = random.one_in(2);
    for (const std::string& name : names) {
      const Value value = only_integers ? Value(random.between(-5, 70)) : random_value(random);
      environment.set(name, value);
      slots.push_back(value);
      if (value.is_integer()) integers.push_back(value.as_integer());
      intervals.push_back(around(value, random));
    }
    const BoundExpr::Verdict verdict = verdict_of(expr, environment);
    expect(bound.test(slots) == verdict, "the tree and the bound tree disagree");
    if (bound.integer_only() && integers.size() == names.size())
      expect(bound.test(integers) == verdict, "the tree and the program disagree");
    const std::optional<Value> value = value_of(expr, environment);
    if (!value || !value->is_number()) continue;
    const Interval range = bound.bounds(intervals);
    const double real = value->as_real();
    if (std::isnan(real)) continue;  // compares with nothing
    expect(range.low <= real && real <= range.high,
           fmt::format("the value {} is outside of its bounds [{}, {}]", value->to_string(),
                       range.low, range.high));
  }
}

// A replacement that a refusal suggests must itself be accepted.
void check_advice(std::string_view message) {
  constexpr std::string_view kIntro = "; write `";
  const std::size_t at = message.find(kIntro);
  if (at == std::string_view::npos) return;
  const std::size_t begin = at + kIntro.size();
  const std::string advised(message.substr(begin, message.find('`', begin) - begin));
  try {
    (void)Expr::parse(advised);
  } catch (const Error& error) {
    throw PropertyFault{
        fmt::format("told to write {}, which is refused: {}", advised, error.what())};
  }
}

Expr parsed(const std::string& text) {
  try {
    return Expr::parse(text);
  } catch (const Error& error) {
    check_advice(error.what());
    throw;
  }
}

void check_expression(const std::string& text) {
  const Expr expr = parsed(text);
  const std::string printed = expr.to_string();
  std::optional<Expr> again;
  try {
    again = Expr::parse(printed);
  } catch (const Error& error) {
    // Printing puts blanks around operators.
    if (printed.size() <= kMaxExprLength)
      throw PropertyFault{
          fmt::format("printed as {}, which is refused: {}", printed, error.what())};
  }
  if (again) {
    expect(testing::same_tree(expr.root(), again->root()),
           fmt::format("printed as {}, which is another expression", printed));
    expect(again->to_string() == printed, "printed differently the second time");
  }
  Random random(seed_of(text));
  check_values(expr, random);
}

TEST(Fuzz, Expressions) {
  std::vector<std::string> operators = {
      "(", ")", ",", "?", ":", "-", "+", "*", "/", "%", "<<", ">>", "&", "|", "^", "&&", "||",
      "==", "!=", "<", "<=", ">", ">=", "!", "~", " and ", " or ", " not ", "min(", "max(", "abs(",
      "log2(", "'a'", "\"b\"", "'\\''", ".", "1.5e", "ceil_div(", "sizeof(", "sqrt(",
      // Other languages'.
      "//", "**", "<>", " in ", "[", "]", " if ", " else ", "True", "ceil(", "int(", "math.log2("};
  for (const std::string& leaf : leaves()) operators.push_back(leaf);
  const Mutator mutator(quoted_texts(), operators, "()");
  FuzzTarget target;
  target.name = "expression";
  target.inputs = 8000;
  target.make = [&](Random& random) {
    if (random.one_in(3)) return mutator.make(random);
    const std::string text = random_text(random, 1 + static_cast<int>(random.below(5)));
    return random.one_in(4) ? mutator.mutate(text, random) : text;
  };
  target.check = check_expression;
  target.least_taken = target.least_refused = target.inputs / 20;
  run_fuzz(target);
}

}  // namespace
}  // namespace warpwright::fuzz
