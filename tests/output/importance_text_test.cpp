#include "output/text/importance_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "analysis/valued_rows.h"
#include "output/golden.h"
#include "output/json/insights_json.h"

namespace warpwright {
namespace {

using testing::expect_golden;
using ::testing::HasSubstr;
using ::testing::Not;
using testing::ValuedRows;

// Two variants, pruned, failed and noisy configurations among them.
ValuedRows swept() {
  ValuedRows made;
  for (const int threads : {64, 128, 256, 512}) {
    for (const int unroll : {1, 2, 4}) {
      for (const char* hint : {"none", "streaming"}) {
        const ValuedRows::Json values = {{"THREADS", threads}, {"UNROLL", unroll}, {"HINT", hint}};
        const double us =
            100 * (1 + std::abs(std::log2(threads / 256.0))) * (threads == 64 ? unroll : 1.5);
        if (us > 550) {
          made.pruned("block_row", values, us);
        } else {
          made.ok("block_row", values, us);
        }
      }
    }
  }
  made.ok("naive", {{"THREADS", 128}}, 900);
  made.ok("naive", {{"THREADS", 256}}, 950);
  made.failed("naive", {{"THREADS", 2048}}, Status::kInvalid, "too many threads");
  made.failed("naive", {{"THREADS", 512}}, Status::kNoisy, "the clocks moved");
  return made;
}

TEST(ImportanceText, Golden) {
  expect_golden("importance.txt", importance_text(parameter_importance(swept().board()), false));
}

TEST(ImportanceText, TooFewConfigurations) {
  ValuedRows made;
  made.make.has_clock = false;
  made.ok("a", {{"N", 1}}, 10);
  EXPECT_EQ(importance_text(parameter_importance(made.board()), false),
            "what decides the time (modelled): functional ANOVA over the logarithm of 1 time\n"
            "a: 1 configuration, at least 12 are needed\n");
}

TEST(ImportanceText, NoiseIsNotToBeTrusted) {
  ValuedRows made;
  // A hash function, from which nothing can be learnt.
  for (unsigned n = 0; n < 64; ++n)
    made.ok("a", {{"N", n % 8}, {"M", n / 8}}, 100 + (n * 2654435761u >> 16) % 97);
  EXPECT_THAT(importance_text(parameter_importance(made.board()), false),
              HasSubstr("the shares mean nothing\n"));
}

TEST(ImportanceText, ColourMarksHeadings) {
  const std::string text = importance_text(parameter_importance(swept().board()), true);
  EXPECT_THAT(text, HasSubstr("\x1b[1mwhat decides the time (measured)\x1b[0m"));
  EXPECT_THAT(importance_text(parameter_importance(swept().board()), false),
              Not(HasSubstr("\x1b")));
}

TEST(ImportanceText, ManyValuesAreCut) {
  ValuedRows made;
  for (int n = 1; n <= 20; ++n) made.ok("a", {{"N", n}}, 100 + n);
  EXPECT_THAT(importance_text(parameter_importance(made.board()), false),
              HasSubstr("8: 108.0 (108.0), … 12 more\n"));
}

TEST(LandscapeText, Golden) {
  expect_golden("landscape.txt", landscape_text(make_landscape(swept().board()).value(), false));
}

TEST(LandscapeText, OneConfiguration) {
  ValuedRows made;
  made.ok("a", {{"N", 1}}, 10);
  EXPECT_THAT(landscape_text(make_landscape(made.board()).value(), false),
              HasSubstr("no two configurations differ in one parameter only"));
}

TEST(InsightsJson, HoldsWhatTheTextDoes) {
  const Leaderboard board = swept().board();
  const nlohmann::json importance = importance_json(parameter_importance(board));
  EXPECT_EQ(importance["configurations"], 26);
  EXPECT_EQ(importance["modelled"], false);
  EXPECT_EQ(importance["variants"][0]["variant"], "block_row");
  EXPECT_TRUE(importance["variants"][0]["why_not"].is_null());
  EXPECT_EQ(importance["variants"][0]["parameters"][0]["name"], "THREADS");
  EXPECT_EQ(importance["variants"][0]["parameters"][0]["values"][0]["value"], 64);
  EXPECT_EQ(importance["variants"][1]["why_not"], "2 configurations, at least 12 are needed");
  EXPECT_TRUE(importance["variants"][1]["r_squared"].is_null());
  const nlohmann::json landscape = landscape_json(make_landscape(board).value());
  EXPECT_EQ(landscape["best_us"], 150);
  EXPECT_EQ(landscape["failed"], 1);
  EXPECT_EQ(landscape["noisy"], 1);
  EXPECT_EQ(landscape["near_best"].size(), 5u);
  EXPECT_EQ(landscape["budget"].back()["expected_slowdown"], 1);
}

// JSON has no NaN: the library would print null, and a reader would look for a number.
void expect_numbers(const nlohmann::json& json) {
  for (const auto& [key, value] : json.items()) {
    if (value.is_structured()) expect_numbers(value);
    if (value.is_number_float()) {
      EXPECT_TRUE(std::isfinite(value.get<double>())) << key;
    }
  }
}

TEST(InsightsJson, EveryNumberIsFinite) {
  for (const double spread : {0.0, 1e-15, 1e-3, 1e6}) {
    ValuedRows made;
    for (int n = 0; n < 16; ++n)
      made.ok(n % 2 == 0 ? "a" : "b", {{"N", n}, {"M", n % 3}}, 1e-3 * (1 + spread * n));
    expect_numbers(importance_json(parameter_importance(made.board())));
    expect_numbers(landscape_json(make_landscape(made.board()).value()));
  }
}

TEST(InsightsJson, AHeatMapIsAListOfRows) {
  const nlohmann::json map =
      heat_map_json(make_heat_map(swept().board(), "block_row", "THREADS", "UNROLL"));
  EXPECT_EQ(map["x_values"].dump(), "[64,128,256,512]");
  EXPECT_EQ(map["cells"].size(), 3u);
  EXPECT_EQ(map["cells"][0].size(), 4u);
  EXPECT_EQ(map["cells"][0][2]["best"]["us"], 150);
  EXPECT_EQ(map["cells"][2][0]["best"]["at_least"], true);
}

}  // namespace
}  // namespace warpwright
