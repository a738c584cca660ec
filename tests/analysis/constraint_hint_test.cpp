#include "analysis/failures/constraint_hint.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>
#include <functional>

#include "core/expr/expr.h"

namespace warpwright {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

using Parameters = std::map<std::string, Value>;

// Splits a grid of THREADS, UNROLL and STAGES by the given predicate for failures.
ConstraintSearch grid(const std::function<bool(std::int64_t, std::int64_t, std::int64_t)>& fails) {
  ConstraintSearch search;
  for (const int threads : {32, 64, 128, 256, 512, 1024}) {
    for (const int unroll : {1, 2, 4, 8}) {
      for (const int stages : {1, 2, 3, 4}) {
        const ConstraintSample sample{
            "plain", {{"THREADS", threads}, {"UNROLL", unroll}, {"STAGES", stages}}};
        (fails(threads, unroll, stages) ? search.failures : search.right).push_back(sample);
      }
    }
  }
  return search;
}

std::vector<std::string> expressions(const FoundConstraints& found) {
  std::vector<std::string> all;
  for (const ConstraintHint& hint : found.hints) all.push_back(hint.expression);
  return all;
}

// Samples of one parameter.
ConstraintSearch values(const std::string& name, const std::vector<Value>& failed,
                        const std::vector<Value>& right) {
  ConstraintSearch search;
  for (const Value& value : failed) search.failures.push_back({"v", {{name, value}}});
  for (const Value& value : right) search.right.push_back({"v", {{name, value}}});
  return search;
}

TEST(ConstraintHint, ABoundOnOneParameter) {
  const auto found = find_constraints(grid([](auto t, auto, auto) { return t > 256; }));
  EXPECT_THAT(expressions(found), ElementsAre("THREADS <= 256"));
  EXPECT_EQ(found.excluded, 32u);
  EXPECT_EQ(found.hints[0].excludes, 32u);
  EXPECT_THAT(found.hints[0].alternatives, IsEmpty());
}

TEST(ConstraintHint, ALowerBound) {
  EXPECT_THAT(expressions(find_constraints(grid([](auto, auto, auto s) { return s < 2; }))),
              ElementsAre("STAGES >= 2"));
}

TEST(ConstraintHint, AProductOfTwo) {
  const auto found = find_constraints(grid([](auto t, auto u, auto) { return t * u > 2048; }));
  EXPECT_THAT(expressions(found), ElementsAre("THREADS * UNROLL <= 2048"));
  EXPECT_EQ(found.excluded, 12u);
}

TEST(ConstraintHint, AProductOfThree) {
  EXPECT_THAT(
      expressions(find_constraints(grid([](auto t, auto u, auto s) { return t * u * s > 4096; }))),
      ElementsAre("STAGES * THREADS * UNROLL <= 4096"));
}

TEST(ConstraintHint, AMultipleOfTheSmallestDivisorThatExplains) {
  const auto found = find_constraints(values("TILE", {8, 12, 20, 28}, {16, 32, 48, 64}));
  EXPECT_THAT(expressions(found), ElementsAre("TILE % 16 == 0"));
  EXPECT_THAT(expressions(find_constraints(values("TILE", {3, 5, 9, 21}, {16, 32, 48, 64}))),
              ElementsAre("TILE % 2 == 0"));
}

TEST(ConstraintHint, APowerOfTwo) {
  EXPECT_THAT(expressions(find_constraints(values("N", {24, 48, 96}, {8, 16, 32, 64, 128}))),
              ElementsAre("is_pow2(N)"));
}

TEST(ConstraintHint, AValueThatIsANameOrABool) {
  EXPECT_THAT(
      expressions(find_constraints(values("LAYOUT", {"col"}, {"row", "row", "it's", "swizzled"}))),
      ElementsAre("LAYOUT != 'col'"));
  EXPECT_THAT(expressions(find_constraints(values("FAST", {true}, {false, false, false, false}))),
              ElementsAre("FAST != true"));
}

TEST(ConstraintHint, QuotesInNamesAreWrittenAsTheLanguageReadsThem) {
  EXPECT_THAT(expressions(find_constraints(values("S", {"it's \\"}, {"a", "b", "c", "d"}))),
              ElementsAre("S != 'it\\'s \\\\'"));
}

TEST(ConstraintHint, AnInnerNumberNeedsMoreThanOneFailure) {
  EXPECT_THAT(expressions(find_constraints(values("N", {7}, {5, 6, 8, 9}))), IsEmpty());
  ConstraintSearch search = values("N", {7, 7}, {5, 6, 8, 9});
  search.failures[1].values["M"] = 1;
  EXPECT_THAT(expressions(find_constraints(search)), ElementsAre("N != 7"));
}

TEST(ConstraintHint, OneParameterAgainstAnother) {
  EXPECT_THAT(expressions(find_constraints(grid([](auto, auto u, auto s) { return u > s; }))),
              ElementsAre("UNROLL <= STAGES"));
  EXPECT_THAT(expressions(find_constraints(grid([](auto, auto u, auto s) { return u % s != 0; }))),
              ElementsAre("UNROLL % STAGES == 0"));
}

TEST(ConstraintHint, AConditionOnOneValue) {
  ConstraintSearch search;
  for (const char* layout : {"row", "col"}) {
    for (const int tile : {8, 16, 32, 64, 128, 256}) {
      const bool fails = layout[0] == 'c' && tile > 32;
      (fails ? search.failures : search.right)
          .push_back({"v", {{"LAYOUT", layout}, {"TILE", tile}}});
    }
  }
  EXPECT_THAT(expressions(find_constraints(search)), ElementsAre("LAYOUT != 'col' || TILE <= 32"));
}

TEST(ConstraintHint, SumsOfTilesTimesStages) {
  ConstraintSearch search;
  for (const int m : {64, 128, 192, 256})
    for (const int n : {64, 128, 192, 256})
      for (const int stages : {2, 3, 4, 5})
        ((m + n) * stages > 1600 ? search.failures : search.right)
            .push_back({"v", {{"TILE_M", m}, {"TILE_N", n}, {"STAGES", stages}}});
  EXPECT_THAT(expressions(find_constraints(search)),
              ElementsAre("(TILE_M + TILE_N) * STAGES <= 1600"));
}

TEST(ConstraintHint, TwoSimpleOnesTogether) {
  const auto found = find_constraints(grid([](auto t, auto, auto s) { return t > 512 || s > 3; }));
  EXPECT_THAT(expressions(found), ElementsAre("STAGES <= 3", "THREADS <= 512"));
  EXPECT_EQ(found.excluded, 24u + 16 - 4);
}

TEST(ConstraintHint, WhatExplainsAPartSaysHowMuch) {
  ConstraintSearch search = grid([](auto t, auto, auto) { return t > 512; });
  // A failure that is identical to a configuration that ran right.
  search.failures.push_back(search.right.front());
  const auto found = find_constraints(search);
  EXPECT_THAT(expressions(found), ElementsAre("THREADS <= 512"));
  EXPECT_EQ(found.excluded, 16u);
  EXPECT_EQ(search.failures.size(), 17u);
}

TEST(ConstraintHint, NothingExplainsChance) {
  // Every other configuration of a Latin square in three dimensions.
  const auto found = find_constraints(grid([](auto t, auto u, auto s) {
    return (std::countr_zero(static_cast<unsigned>(t)) +
            std::countr_zero(static_cast<unsigned>(u)) + s) %
               2 ==
           0;
  }));
  EXPECT_THAT(expressions(found), IsEmpty());
  EXPECT_EQ(found.excluded, 0u);
}

TEST(ConstraintHint, NeverExcludesWhatRanRight) {
  // The same configuration on both sides: no predicate may exclude it.
  ConstraintSearch search;
  for (const int n : {1, 2, 3, 4}) {
    search.failures.push_back({"v", {{"N", n}}});
    search.right.push_back({"v", {{"N", n}}});
  }
  EXPECT_THAT(expressions(find_constraints(search)), IsEmpty());
}

TEST(ConstraintHint, ALessSimpleOneNeedsMoreFailures) {
  const auto corner = [](auto t, auto u, auto s) { return t == 1024 && u == 8 && s == 4; };
  EXPECT_THAT(expressions(find_constraints(grid(corner))), IsEmpty());
}

TEST(ConstraintHint, TooFewThatRanRightProveNothing) {
  EXPECT_THAT(expressions(find_constraints(values("N", {8, 16}, {1, 2, 4}))), IsEmpty());
  EXPECT_THAT(expressions(find_constraints(values("N", {8, 16}, {}))), IsEmpty());
  EXPECT_THAT(expressions(find_constraints({})), IsEmpty());
}

TEST(ConstraintHint, ADeviceLimitIsCalledByItsName) {
  ConstraintSearch search = values("THREADS", {2048, 4096}, {128, 256, 512, 1024});
  search.limits = {{"device.max_threads", 1024}, {"device.max_shared", 232448}};
  EXPECT_THAT(expressions(find_constraints(search)), ElementsAre("THREADS <= device.max_threads"));
}

TEST(ConstraintHint, ALimitBetweenTheDataIsMeantWhenTheReasonsNameIt) {
  ConstraintSearch search = values("BYTES", {262144}, {16384, 65536, 131072, 98304});
  search.limits = {{"device.max_shared", 232448}};
  EXPECT_THAT(expressions(find_constraints(search)), ElementsAre("BYTES <= 131072"));
  search.reasons = "shared memory 262144 B exceeds the device's 232448 B";
  EXPECT_THAT(expressions(find_constraints(search)), ElementsAre("BYTES <= device.max_shared"));
}

TEST(ConstraintHint, ANumberLikeALimitIsNotTheLimit) {
  ConstraintSearch search = values("CHUNK", {2048, 4096}, {128, 256, 512, 1024});
  search.limits = {{"device.max_threads", 1024}};
  EXPECT_THAT(expressions(find_constraints(search)), ElementsAre("CHUNK <= 1024"));
}

TEST(ConstraintHint, WhatTheReasonsOfferGoesFirstWhenTheDataAgree) {
  ConstraintSearch search = grid([](auto t, auto, auto s) { return t * s > 2048; });
  search.limits = {{"device.max_shared", 8192}};
  search.offered = {"4 * THREADS * STAGES <= device.max_shared"};
  EXPECT_THAT(expressions(find_constraints(search)),
              ElementsAre("4 * THREADS * STAGES <= device.max_shared"));
  search.offered = {"THREADS <= 64", "THREADS <",
                    "GONE <= 3"};  // too strict, not an expression, of no configuration
  EXPECT_THAT(expressions(find_constraints(search)), ElementsAre("STAGES * THREADS <= 2048"));
}

TEST(ConstraintHint, OneVariantAloneIsNamed) {
  ConstraintSearch search = values("THREADS", {512, 1024}, {64, 128, 256, 384});
  for (const int threads : {64, 128, 256, 384, 512, 1024})
    search.right.push_back({"other", {{"THREADS", threads}}});
  EXPECT_THAT(expressions(find_constraints(search)),
              ElementsAre("variant != 'v' || THREADS <= 384"));
}

TEST(ConstraintHint, OtherVariantsWithoutTheParameterAreNotBound) {
  ConstraintSearch search = values("THREADS", {512, 1024}, {64, 128, 256, 384});
  for (const int warps : {1, 2, 3, 4}) search.right.push_back({"other", {{"WARPS", warps}}});
  EXPECT_THAT(expressions(find_constraints(search)), ElementsAre("THREADS <= 384"));
}

TEST(ConstraintHint, OtherVariantsDoNotExplainAVariantThatNeverRan) {
  ConstraintSearch search = values("THREADS", {32, 64}, {});
  for (const int threads : {128, 256, 512, 1024})
    search.right.push_back({"other", {{"THREADS", threads}}});
  EXPECT_THAT(expressions(find_constraints(search)), IsEmpty());
}

TEST(ConstraintHint, ProblemSizesAgainstParameters) {
  ConstraintSearch search;
  search.sizes = {"n"};
  for (const int n : {96, 1000, 4096}) {
    for (const int width : {1, 2, 4, 8, 16})
      (n % width != 0 ? search.failures : search.right)
          .push_back({"v", {{"n", n}, {"WIDTH", width}}});
  }
  ASSERT_EQ(search.failures.size(), 1u);
  for (const int n : {97, 98})
    for (const int width : {1, 2, 4, 8, 16})
      (n % width != 0 ? search.failures : search.right)
          .push_back({"v", {{"n", n}, {"WIDTH", width}}});
  EXPECT_THAT(expressions(find_constraints(search)), ElementsAre("n % WIDTH == 0"));
}

TEST(ConstraintHint, ASizeThatNeverChangesMayBeDivided) {
  ConstraintSearch search;
  search.sizes = {"n"};
  for (const int width : {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12})
    (120 % width != 0 ? search.failures : search.right)
        .push_back({"v", {{"n", 120}, {"WIDTH", width}}});
  EXPECT_THAT(expressions(find_constraints(search)), ElementsAre("n % WIDTH == 0"));
}

TEST(ConstraintHint, AProblemIsNotExcludedAsAWhole) {
  ConstraintSearch search;
  search.sizes = {"n"};
  for (const int threads : {32, 64, 128, 256}) {
    search.right.push_back({"v", {{"n", 100}, {"THREADS", threads}}});
    search.failures.push_back({"v", {{"n", 200}, {"THREADS", threads}}});
  }
  EXPECT_THAT(expressions(find_constraints(search)), IsEmpty());
}

TEST(ConstraintHint, WhatIsAsSimpleIsAnAlternative) {
  ConstraintSearch search;
  for (const int n : {1, 2, 3, 4}) search.right.push_back({"v", {{"A", n}, {"B", 10 * n}}});
  for (const int n : {8, 16}) search.failures.push_back({"v", {{"A", n}, {"B", 10 * n}}});
  const auto found = find_constraints(search);
  EXPECT_THAT(expressions(found), ElementsAre("A <= 4"));
  EXPECT_THAT(found.hints[0].alternatives, ElementsAre("B <= 40"));
}

TEST(ConstraintHint, RealsAndHugeNumbers) {
  EXPECT_THAT(expressions(find_constraints(values("F", {1.5, 2.0}, {0.25, 0.5, 0.75, 1.0}))),
              ElementsAre("F <= 1"));
  const std::int64_t huge = std::int64_t{1} << 62;
  for (const std::string& expression :
       expressions(find_constraints(values("N", {huge, huge - 1}, {1, 2, 3, huge - 2}))))
    EXPECT_NO_THROW((void)Expr::parse(expression));
}

TEST(ConstraintHint, ManySamplesAreProvedOnAll) {
  // The only value above 60 that ran right hides among 20,000.
  ConstraintSearch search;
  for (int i = 0; i < 20000; ++i) search.right.push_back({"v", {{"N", i == 12345 ? 80 : i % 61}}});
  for (int i = 0; i < 5000; ++i) search.failures.push_back({"v", {{"N", 90 + i % 9}}});
  const auto found = find_constraints(search);
  for (const ConstraintHint& hint : found.hints) {
    const Expr expr = Expr::parse(hint.expression);
    for (const ConstraintSample& sample : search.right) {
      Environment environment;
      environment.set("N", sample.values.at("N"));
      EXPECT_TRUE(expr.evaluate_bool(environment)) << hint.expression;
    }
  }
}

// Every expression keeps all that ran right, whatever the failures are.
TEST(ConstraintHint, RandomFailuresNeverCostAGoodConfiguration) {
  std::uint64_t state = 1;
  for (int round = 0; round < 40; ++round) {
    const ConstraintSearch search = grid([&](auto, auto, auto) {
      state = state * 6364136223846793005u + 1442695040888963407u;
      return (state >> 33) % static_cast<unsigned>(2 + round % 7) == 0;
    });
    const auto found = find_constraints(search);
    for (const ConstraintHint& hint : found.hints) {
      const Expr expr = Expr::parse(hint.expression);
      EXPECT_EQ(expr.to_string(), hint.expression);
      for (const ConstraintSample& sample : search.right) {
        Environment environment;
        for (const auto& [name, value] : sample.values) environment.set(name, value);
        EXPECT_TRUE(expr.evaluate_bool(environment)) << hint.expression;
      }
    }
  }
}

TEST(EnoughSupport, ThreeFailuresAndLittleChance) {
  EXPECT_FALSE(enough_support(1, 1, 1000));
  EXPECT_FALSE(enough_support(2, 2, 1000));
  EXPECT_TRUE(enough_support(3, 3, 7));     // 1 of 120 ways to choose 3 of 10
  EXPECT_FALSE(enough_support(3, 3, 6));    // 1 of 84
  EXPECT_FALSE(enough_support(3, 14, 30));  // three of many failures are easily hit by chance
  EXPECT_TRUE(enough_support(14, 14, 60));
}

TEST(ConstraintHint, WithoutEnoughSupportNothingIsFound) {
  ConstraintSearch search = values("N", {90, 95}, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10});
  search.needs_support = true;
  EXPECT_THAT(expressions(find_constraints(search)), IsEmpty());
  search.offered = {"N <= 64"};
  const FoundConstraints offered = find_constraints(search);
  EXPECT_THAT(expressions(offered), ElementsAre("N <= 64"));
  EXPECT_TRUE(offered.hints[0].documented);
  EXPECT_THAT(expressions(find_offered(search)), ElementsAre("N <= 64"));
  search.offered = {"N <= 4"};
  EXPECT_THAT(expressions(find_offered(search)), IsEmpty());
}

TEST(ResourceBound, RegistersTimesThreads) {
  ConstraintSearch search;
  search.limits = {{"device.registers_per_block", 65536}};
  const auto add = [&](int threads, int registers) {
    (threads * registers > 65536 ? search.failures : search.right)
        .push_back({"v", {{"THREADS", threads}, {"UNROLL", 4}}, {{"registers", registers}}});
  };
  for (const int threads : {256, 512, 1024})
    for (const int registers : {32, 64, 96, 128, 255}) add(threads, registers);
  EXPECT_EQ(find_resource_bound(search), "registers * THREADS <= device.registers_per_block");
  search.failures.push_back({"v", {{"THREADS", 32}, {"UNROLL", 4}}, {{"registers", 32}}});
  EXPECT_EQ(find_resource_bound(search), std::nullopt);
}

TEST(ResourceBound, SharedMemoryAlone) {
  ConstraintSearch search;
  search.limits = {{"device.max_shared", 232448}};
  for (const int bytes : {1000, 100000, 200000, 232448})
    search.right.push_back({"v", {{"N", bytes % 7}}, {{"shared_bytes", bytes}}});
  search.failures.push_back({"v", {{"N", 1}}, {{"shared_bytes", 233000}}});
  EXPECT_EQ(find_resource_bound(search), "shared_bytes <= device.max_shared");
}

TEST(ResourceBound, NeedsResourcesAndLimits) {
  ConstraintSearch search = values("THREADS", {1024}, {32, 64, 128, 256});
  EXPECT_EQ(find_resource_bound(search), std::nullopt);
  search.limits = {{"device.registers_per_block", 65536}};
  EXPECT_EQ(find_resource_bound(search), std::nullopt);
  EXPECT_EQ(find_resource_bound({}), std::nullopt);
}

}  // namespace
}  // namespace warpwright
