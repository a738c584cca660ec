// Tests searches with several objectives: nothing is proposed twice, everything is in the end, runs
// are reproducible, and a front is found earlier than by chance.
#include "search/pareto_search.h"

#include <gmock/gmock.h>

#include <cmath>
#include <set>

#include "space/brute_force.h"
#include "stats/pareto_front.h"

namespace warpwright {
namespace {

using testing::make_definition;

std::unique_ptr<SearchSpace> two_sided_space() {
  std::vector<Value> levels;
  for (int i = 0; i < 40; ++i) levels.emplace_back(i);
  return solve_space(make_definition({{"X", levels}, {"Y", levels}}, {}));
}

// The two objectives conflict, except that Y = 20 is good for both.
std::vector<double> two_costs(const SearchSpace& space, std::uint64_t index) {
  const Configuration configuration = space.at(index);
  const double x = configuration.values.at("X").as_real();
  const double off = std::abs(configuration.values.at("Y").as_real() - 20);
  return {10 + x + off, 50 - x + off};
}

std::vector<std::uint64_t> asked_of(Strategy& strategy, const SearchSpace& space,
                                    std::size_t budget) {
  std::vector<std::uint64_t> all;
  while (all.size() < budget) {
    const auto index = strategy.ask();
    if (!index) break;
    all.push_back(*index);
    Answer answer{*index};
    if (*index % 17 != 3) answer.costs = two_costs(space, *index);  // some are not allowed
    strategy.tell(answer);
  }
  return all;
}

class ParetoSearchTest : public ::testing::TestWithParam<std::string> {};

TEST_P(ParetoSearchTest, AsksEverythingOnce) {
  const auto space = solve_space(make_definition({{"X", {1, 2, 3, 4, 5}}, {"Y", {1, 2, 3}}}, {}));
  const auto strategy = make_pareto_search(GetParam(), *space, {.seed = 3}, 2);
  const auto asked = asked_of(*strategy, *space, 1000);
  EXPECT_EQ(asked.size(), 15U);
  EXPECT_EQ(std::set<std::uint64_t>(asked.begin(), asked.end()).size(), 15U);
}

TEST_P(ParetoSearchTest, AsksTheSameForTheSameSeed) {
  const auto space = two_sided_space();
  const auto one = make_pareto_search(GetParam(), *space, {.seed = 3, .budget = 40}, 2);
  const auto other = make_pareto_search(GetParam(), *space, {.seed = 3, .budget = 40}, 2);
  EXPECT_EQ(asked_of(*one, *space, 40), asked_of(*other, *space, 40));
}

TEST_P(ParetoSearchTest, GoesOnWithoutAnswers) {
  const auto space = two_sided_space();
  const auto strategy = make_pareto_search(GetParam(), *space, {.seed = 3}, 3);
  for (int i = 0; i < 50; ++i) EXPECT_TRUE(strategy->ask().has_value());
}

INSTANTIATE_TEST_SUITE_P(All, ParetoSearchTest,
                         ::testing::Values("auto", "surrogate", "local", "annealing", "genetic",
                                           "differential_evolution", "particle_swarm", "random",
                                           "latin_hypercube", "exhaustive"));

// Counts the proposals with Y within 2 of the best, where every point of the front is.
std::size_t near_front(const std::string& name) {
  const auto space = two_sided_space();
  const auto strategy = make_pareto_search(name, *space, {.seed = 5, .budget = 200}, 2);
  std::size_t near = 0;
  for (const std::uint64_t index : asked_of(*strategy, *space, 200))
    near += std::abs(space->at(index).values.at("Y").as_real() - 20) <= 2;
  return near;
}

TEST(ParetoSearchFront, IsApproachedByWhatLearns) {
  EXPECT_GT(near_front("auto"), 2 * near_front("random"));
}

}  // namespace
}  // namespace warpwright
