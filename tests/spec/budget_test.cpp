#include <gtest/gtest.h>

#include "spec/spec_fixture.h"

namespace warpwright {
namespace {

using std::chrono::milliseconds;

TEST(Budget, ReadsTrials) {
  EXPECT_EQ(parse_budget("200").trials, 200);
  EXPECT_FALSE(parse_budget("200").time.has_value());
}

TEST(Budget, ReadsTimesInEveryUnit) {
  EXPECT_EQ(parse_budget("500ms").time, milliseconds(500));
  EXPECT_EQ(parse_budget("90s").time, milliseconds(90000));
  EXPECT_EQ(parse_budget("10min").time, milliseconds(600000));
  EXPECT_EQ(parse_budget("2h").time, milliseconds(7200000));
  EXPECT_EQ(parse_budget("1.5h").time, milliseconds(5400000));
  EXPECT_FALSE(parse_budget("90s").trials.has_value());
}

TEST(Budget, ReadsBothInAnyOrderWithBlanks) {
  const Budget budget = parse_budget(" 90 s , 200 ");
  EXPECT_EQ(budget.trials, 200);
  EXPECT_EQ(budget.time, milliseconds(90000));
}

TEST(Budget, PointsToItsPlace) {
  EXPECT_EQ(
      message_of([] {
        static_cast<void>(parse_budget("x", {"--budget", 0, 0}));
      }),
      "--budget: budget 'x': got 'x', expected trials (200), a time (90s, 10min), a gain that "
      "is worth going on for (3%), or several of them (200,90s,3%)");
}

class BudgetErrors : public testing::TestWithParam<BadText> {};

TEST_P(BudgetErrors, SayCauseAndFix) {
  EXPECT_EQ(message_of([] { static_cast<void>(parse_budget(GetParam().text)); }),
            GetParam().message);
}

const BadText kBudgetErrors[] = {
    {"Nothing", "",
     "budget '': got '', expected trials (200), a time (90s, 10min), a gain that is worth going on "
     "for (3%), or several of them (200,90s,3%)"},
    {"TrailingComma", "200,",
     "budget '200,': got '', expected trials (200), a time (90s, 10min), a gain that is worth "
     "going on for (3%), or several of them (200,90s,3%)"},
    {"Negative", "-5",
     "budget '-5': got '-5', expected trials (200), a time (90s, 10min), a gain that is worth "
     "going on for (3%), or several of them (200,90s,3%)"},
    {"ZeroTrials", "0", "budget '0': got 0 trials, expected at least 1"},
    {"ZeroTime", "0s", "budget '0s': got no time, expected at least 1ms"},
    {"RealTrials", "1.5",
     "budget '1.5': got 1.5 trials, expected an integer; a time needs a unit, as in 1.5s"},
    {"TwoTrials", "200,90",
     "budget '200,90': got two numbers of trials, expected one; a time needs a unit"},
    {"TwoTimes", "90s,2h", "budget '90s,2h': got two times, expected one"},
    {"Minutes", "10m",
     "budget '10m': unknown unit 'm', expected ms, s, min or h; did you mean 'min'?"},
    {"UnknownUnit", "3 days", "budget '3 days': unknown unit 'days', expected ms, s, min or h"},
    {"TwoDots", "1.2.3s", "budget '1.2.3s': got '1.2.3', expected a number before 's'"},
    {"TooLong", "9000h",
     "budget '9000h': got more than a year, expected less; leave the budget out for no limit"},
    {"TooMany", "99999999999999999999",
     "budget '99999999999999999999': 99999999999999999999 trials do not fit a 64-bit integer"},
};

INSTANTIATE_TEST_SUITE_P(Texts, BudgetErrors, testing::ValuesIn(kBudgetErrors), case_name<BadText>);

TEST(BudgetTest, AShareIsTheGainThatIsWorthGoingOnFor) {
  EXPECT_DOUBLE_EQ(parse_budget("3%").until.value(), 0.03);
  EXPECT_DOUBLE_EQ(parse_budget("200, 0.5%").until.value(), 0.005);
  EXPECT_FALSE(parse_budget("200").until.has_value());
  EXPECT_THROW((void)parse_budget("0%"), Error);
  EXPECT_THROW((void)parse_budget("90%"), Error);
  EXPECT_THROW((void)parse_budget("1%,2%"), Error);
}

}  // namespace
}  // namespace warpwright
