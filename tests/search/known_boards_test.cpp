// Tests which boards a search uses and which of their costs.
#include "search/known_boards.h"

#include <gmock/gmock.h>

#include <limits>

#include "space/brute_force.h"

namespace warpwright {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using testing::make_definition;
using ::testing::Pair;

using Told = std::pair<std::uint64_t, double>;

std::unique_ptr<SearchSpace> knowing_space() {
  return solve_space(make_definition({{"A", {1, 2, 4}}, {"B", {1, 2}}}, {"A != B"}));
}

KnownBoard known(const std::string& device, std::int64_t n,
                 std::vector<std::pair<Configuration, double>> costs, bool modelled = false) {
  const Problem problem = {{"n", n}};
  return {{device + " fingerprint", device, "sm_90a", modelled, problem, "n=" + std::to_string(n)},
          std::move(costs)};
}

Configuration at(std::int64_t a, std::int64_t b) { return {"", {{"A", a}, {"B", b}}}; }

// Positions of the sources in the list that was passed.
std::vector<std::size_t> order_of(const std::vector<KnownBoard>& boards, const KnownBoard& board) {
  const auto space = knowing_space();
  std::vector<std::size_t> order;
  for (const BoardBeliefs& beliefs : beliefs_of(boards, board.board, *space))
    order.push_back(beliefs.known);
  return order;
}

TEST(KnownBoards, ConfigurationsAreMappedByTheirValues) {
  const auto space = knowing_space();
  const std::vector<BoardBeliefs> found = beliefs_of(
      {known("H200", 8, {{at(4, 2), 3}, {at(1, 2), 5}})}, known("H200", 9, {}).board, *space);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_THAT(found[0].costs, ElementsAre(Told(*space->index_of(at(1, 2)), 5),
                                          Told(*space->index_of(at(4, 2)), 3)));
}

TEST(KnownBoards, WhatTheSpaceDoesNotHoldIsLeftOut) {
  const auto space = knowing_space();
  const KnownBoard other = known("H200", 8,
                                 {{at(2, 2), 1},  // a constraint rejects it
                                  {at(8, 1), 1},  // a value that is not listed
                                  {{"", {{"A", 4}, {"RENAMED", 1}}}, 1},
                                  {{"", {{"A", 4}}}, 1},
                                  {{"", {{"A", 4}, {"B", 1}, {"C", 1}}}, 1},
                                  {{"gone", {{"A", 4}, {"B", 1}}}, 1},
                                  {at(4, 1), 0},
                                  {at(4, 2), -1},
                                  {at(1, 2), std::numeric_limits<double>::infinity()}});
  EXPECT_THAT(beliefs_of({other}, other.board, *space), IsEmpty());
}

TEST(KnownBoards, TheMostAlikeComeFirst) {
  const std::vector<std::pair<Configuration, double>> some = {{at(4, 2), 3}};
  KnownBoard elsewhere = known("A100", 8, some);
  elsewhere.board.arch = "sm_80";
  const std::vector<KnownBoard> boards = {known("emulated", 8, some, true), elsewhere,
                                          known("H100", 8, some), known("H200", 64, some),
                                          known("H200", 16, some)};
  EXPECT_THAT(order_of(boards, known("H200", 8, {})), ElementsAre(4, 3, 2, 1));
  EXPECT_THAT(order_of(boards, known("emulated", 9, {}, true)), ElementsAre(0, 2, 4, 3));
}

TEST(KnownBoards, ABoardThatSaysNothingTakesNoPlace) {
  std::vector<KnownBoard> boards;
  for (int n = 10; n < 20; ++n) boards.push_back(known("H200", n, {{at(8, 1), 1}}));
  boards.push_back(known("H200", 1000, {{at(4, 1), 1}}));
  EXPECT_THAT(order_of(boards, known("H200", 9, {})), ElementsAre(10));
}

TEST(KnownBoards, ProblemsDifferByTheRatiosOfTheirSizes) {
  const Problem small = {{"n", 1023}, {"dtype", "f32"}};
  EXPECT_EQ(problem_distance(small, small), 0);
  EXPECT_NEAR(problem_distance(small, {{"n", 2047}, {"dtype", "f32"}}), 0.6931, 1e-4);
  EXPECT_NEAR(problem_distance(small, {{"n", 1023}, {"dtype", "bf16"}}), 2.7726, 1e-4);
  EXPECT_NEAR(problem_distance(small, {{"n", 1023}}), 2.7726, 1e-4);
  EXPECT_NEAR(problem_distance({}, small), 2 * 2.7726, 1e-3);
}

class Listener : public Strategy {
 public:
  std::optional<std::uint64_t> ask() override { return std::nullopt; }
  void tell(const Answer&) override {}
  void believe(std::size_t source, std::uint64_t index, double cost) override {
    heard[source].emplace_back(index, cost);
  }
  std::map<std::size_t, std::vector<Told>> heard;
};

TEST(KnownBoards, SourcesAreNumbered) {
  Listener listener;
  tell_beliefs(listener, {{7, {{1, 2.0}, {3, 4.0}}}, {2, {{1, 5.0}}}}, 1);
  EXPECT_THAT(listener.heard, ElementsAre(Pair(1, ElementsAre(Told(1, 2.0), Told(3, 4.0))),
                                          Pair(2, ElementsAre(Told(1, 5.0)))));
}

}  // namespace
}  // namespace warpwright
