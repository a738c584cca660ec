#include "records/trial_figures.h"

#include <gmock/gmock.h>

#include <limits>
#include <set>
#include <string>

namespace warpwright {
namespace {

TEST(TrialFigures, EachIsSetAndReadThroughItsMember) {
  std::set<std::string> names;
  double next = 1;
  TrialFigures figures;
  for (const TrialFigure& figure : kTrialFigures) {
    EXPECT_TRUE(names.insert(figure.name).second) << figure.name;
    EXPECT_EQ(find_trial_figure(figure.name), &figure);
    set_value(figures, figure, next++);
  }
  next = 1;
  for (const TrialFigure& figure : kTrialFigures)
    EXPECT_EQ(value_of(figures, figure), next++) << figure.name;
  EXPECT_EQ(figures.median_us, 1);
  EXPECT_EQ(figures.measure_seconds, static_cast<double>(kTrialFigures.size()));
  EXPECT_EQ(find_trial_figure("median"), nullptr);
}

TEST(TrialFigures, AnAbsentValueIsKeptWhereTheFigureIsOptionalAndElseIs0) {
  TrialFigures figures;
  for (const TrialFigure& figure : kTrialFigures) {
    set_value(figures, figure, 3);
    set_value(figures, figure, std::nullopt);
    const bool optional = std::holds_alternative<TrialFigure::Optional>(figure.member);
    EXPECT_EQ(value_of(figures, figure), optional ? std::nullopt : std::optional(0.0))
        << figure.name;
  }
}

TEST(TrialFigures, TimesAreAboveZeroAndNothingIsInfinite) {
  for (const TrialFigure& figure : kTrialFigures) {
    EXPECT_TRUE(is_usable(figure, 1)) << figure.name;
    EXPECT_EQ(is_usable(figure, 0), !figure.above_zero) << figure.name;
    EXPECT_FALSE(is_usable(figure, -1)) << figure.name;
    EXPECT_FALSE(is_usable(figure, std::numeric_limits<double>::infinity())) << figure.name;
    EXPECT_FALSE(is_usable(figure, std::numeric_limits<double>::quiet_NaN())) << figure.name;
  }
}

TEST(TrialFigures, ColumnsStandInTheOrderOfTheirMigrationsFromVersion8On) {
  int last = 7;
  for (const TrialFigure& figure : kTrialFigures) {
    if (figure.schema <= 7) continue;
    EXPECT_GE(figure.schema, last) << figure.name;
    last = figure.schema;
  }
}

}  // namespace
}  // namespace warpwright
