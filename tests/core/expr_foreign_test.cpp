// Tests hints for Python and C++ syntax: every message gives the correct spelling of the user's own
// expression if there is one, and that spelling is a valid expression.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "core/error.h"
#include "core/expr/expr.h"

namespace warpwright {
namespace {

std::string message_for(std::string_view text) {
  try {
    (void)Expr::parse(text, {"k.yaml", 3, 10});
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

// The place, the expression and the caret are common to all cases; `column` counts from 0.
std::string said(std::string_view text, int column, std::string_view what, std::string_view hint) {
  return fmt::format("k.yaml:3:{}: {} in \"{}\"{}\n  {}\n  {}^", 10 + column, what, text, hint,
                     text, std::string(static_cast<std::size_t>(column), ' '));
}

struct Foreign {
  const char* text;
  int column;
  const char* what;
  const char* hint;
};

class ExprForeign : public ::testing::TestWithParam<Foreign> {};

TEST_P(ExprForeign, IsAnsweredInThisLanguage) {
  const Foreign& foreign = GetParam();
  EXPECT_EQ(message_for(foreign.text),
            said(foreign.text, foreign.column, foreign.what, foreign.hint));
}

// Text in backquotes can be copied.
TEST_P(ExprForeign, TheSpellingReads) {
  const std::string hint = GetParam().hint;
  const std::size_t begin = hint.find('`');
  if (begin == std::string::npos) return;
  const std::size_t end = hint.find('`', begin + 1);
  EXPECT_NO_THROW((void)Expr::parse(hint.substr(begin + 1, end - begin - 1)));
}

INSTANTIATE_TEST_SUITE_P(
    Cases, ExprForeign,
    ::testing::Values(
        Foreign{"V // 4 == 0", 2, "'//' is not an operator", "; write `V / 4`: integers truncate"},
        Foreign{"(A + B) // (C * 2)", 8, "'//' is not an operator",
                "; write `(A + B) / (C * 2)`: integers truncate"},
        Foreign{"1 + A // B * C", 6, "'//' is not an operator",
                "; write `A / B`: integers truncate"},
        Foreign{"T ** 2", 2, "'**' is not an operator", "; write `T * T`"},
        Foreign{"(A + 1) ** 3 < V", 8, "'**' is not an operator",
                "; write `(A + 1) * (A + 1) * (A + 1)`"},
        Foreign{"4 * 2 ** N", 6, "'**' is not an operator", "; write `1 << N`"},
        Foreign{"2 ** (N + 1)", 2, "'**' is not an operator", "; write `1 << N + 1`"},
        Foreign{"V ** 0.5", 2, "'**' is not an operator", "; write `sqrt(V)`"},
        Foreign{"A ** B", 2, "'**' is not an operator",
                "; there is no power: write products, or `1 << n` for one of 2"},
        Foreign{"x in [1, 2]", 2, "'in' is not an operator", "; write `x == 1 || x == 2`"},
        Foreign{"A + 1 in (4, 8, B) and C > 0", 6, "'in' is not an operator",
                "; write `A + 1 == 4 || A + 1 == 8 || A + 1 == B`"},
        Foreign{"mode in ['a']", 5, "'in' is not an operator", "; write `mode == 'a'`"},
        Foreign{"x not in [1, 2]", 6, "'in' is not an operator", "; write `x != 1 && x != 2`"},
        Foreign{"not x in [1, 2]", 6, "'in' is not an operator", "; write `x != 1 && x != 2`"},
        Foreign{"x in SIZES", 2, "'in' is not an operator", "; write `x == a || x == b`"},
        Foreign{"x in [1,2,3,4,5,6,7,8,9]", 2, "'in' is not an operator",
                "; write `x == a || x == b`"},
        Foreign{"A if C > 1 else B", 2, "'if' is not an operator", "; write `C > 1 ? A : B`"},
        Foreign{"2 * (A + 1 if C else B)", 11, "'if' is not an operator",
                "; write `C ? A + 1 : B`"},
        Foreign{"A if C", 2, "'if' is not an operator", "; write `condition ? then : otherwise`"},
        Foreign{"A <> 4", 2, "'<>' is not an operator", "; write `A != 4`"},
        Foreign{"len(sizes)", 0, "unknown function 'len'",
                "; there are no lists here: name the size, or write the number"},
        Foreign{"ceil(V / THREADS)", 0, "unknown function 'ceil'",
                "; write `ceil_div(V, THREADS)`"},
        Foreign{"math.ceil(V / 4)", 0, "unknown function 'math.ceil'", "; write `ceil_div(V, 4)`"},
        Foreign{"ceil(V / 4.0)", 0, "unknown function 'ceil'",
                "; write `ceil_div(a, b)` for a / b rounded up"},
        Foreign{"math.log2(V)", 0, "unknown function 'math.log2'", "; write `log2(V)`"},
        Foreign{"math.sqrt(V + 1)", 0, "unknown function 'math.sqrt'", "; write `sqrt(V + 1)`"},
        Foreign{"int(V / 4)", 0, "unknown function 'int'", "; write `V / 4`: integers truncate"},
        Foreign{"int(V)", 0, "unknown function 'int'",
                "; integers stay integers, and `a / b` of integers truncates"},
        Foreign{"floor(V / 4)", 0, "unknown function 'floor'",
                "; write `V / 4`: integers truncate"},
        Foreign{"float(V)", 0, "unknown function 'float'", "; write `1.0 * V`"},
        Foreign{"pow(V, 2)", 0, "unknown function 'pow'", "; write `V * V`"},
        Foreign{"math.pow(2, N)", 0, "unknown function 'math.pow'", "; write `1 << N`"},
        Foreign{"if(C, A, B)", 0, "unknown function 'if'", "; write `C ? A : B`"},
        Foreign{"cdiv(V, 4)", 0, "unknown function 'cdiv'", "; write `ceil_div(V, 4)`"},
        Foreign{"round_up(V, 4)", 0, "unknown function 'round_up'", "; write `align_up(V, 4)`"}));

TEST(ExprForeignNames, SayWhatToWrite) {
  const std::vector<std::string> known = {"FAST", "V"};
  const auto unknown = [&](const char* text) {
    try {
      Expr::parse(text, {"k.yaml", 3, 10}).require_names(known, "parameter");
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_EQ(unknown("FAST == True"),
            said("FAST == True", 8, "unknown parameter 'True'", "; write `true`"));
  EXPECT_EQ(unknown("False"), said("False", 0, "unknown parameter 'False'", "; write `false`"));
  EXPECT_EQ(unknown("V != None"),
            said("V != None", 5, "unknown parameter 'None'",
                 "; nothing is empty here: write a number, or text to compare with"));
  EXPECT_EQ(unknown("math.pi"),
            said("math.pi", 0, "unknown parameter 'math.pi'", "; write the number"));
}

TEST(ExprForeignNames, AreNamesLikeOthersWhereSomethingHasThem) {
  Environment environment;
  for (const char* name : {"True", "in", "if", "None"}) environment.set(name, 3);
  EXPECT_EQ(Expr::parse("in * if + True - None").evaluate_integer(environment), 9);
}

TEST(ExprForeign, AFaultInWhatFollowsIsThatFault) {
  EXPECT_EQ(message_for("A // "), said("A // ", 5, "expected a value, got the end", ""));
  EXPECT_EQ(message_for("x in [1, 2"),
            said("x in [1, 2", 10, "expected ']' to close '[', got the end", ""));
}

TEST(ExprForeign, WhatIsTooLongToRepeatIsWrittenInGeneral) {
  const std::string name(130, 'A');
  EXPECT_NE(message_for(name + " // 2").find("; write `a / b`: integers truncate"),
            std::string::npos);
}

}  // namespace
}  // namespace warpwright
