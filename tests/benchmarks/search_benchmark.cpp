// The time that search strategies take themselves, on a published space of 349,853 configurations
// (hotspot) that WARPWRIGHT_PUBLIC_DATA names: each iteration is one question and its answer, after
// 400 of them; costs are a smooth function of the levels with noise. `median_us` is the median over
// all: strategies that plan several questions at once take long for one and nothing for the others.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "core/files.h"
#include "search/strategy.h"
#include "space/reference_spaces.h"
#include "stats/median.h"

namespace {

using warpwright::SearchSpace;
using warpwright::Strategy;

constexpr int kAnswered = 400;

double cost_of(const SearchSpace& space, std::uint64_t index) {
  const SearchSpace::Place place = space.place_at(index);
  double cost = 5;
  for (std::size_t i = 0; i < place.levels.size(); ++i)
    cost += std::pow(
        0.1 * (static_cast<double>(place.levels[i]) - 3.0 * static_cast<double>(i % 4)), 2);
  return cost * (1 + 0.01 * static_cast<double>(index % 7));
}

void one_question(Strategy& strategy, const SearchSpace& space) {
  const auto index = strategy.ask();
  if (index) strategy.tell({*index, cost_of(space, *index)});
}

void question(benchmark::State& state, const std::string& name, const SearchSpace& space) {
  std::vector<double> took_us;
  for (auto _ : state) {
    state.PauseTiming();
    const std::unique_ptr<Strategy> strategy = warpwright::make_strategy(
        name, space, {.seed = 1, .values = {}, .budget = {}, .first = {}});
    for (int i = 0; i < kAnswered; ++i) one_question(*strategy, space);
    state.ResumeTiming();
    for (int i = 0; i < 30; ++i) {
      const auto start = std::chrono::steady_clock::now();
      one_question(*strategy, space);
      took_us.push_back(
          std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start)
              .count());
    }
  }
  state.counters["median_us"] = warpwright::median(took_us);
  state.counters["most_us"] = *std::max_element(took_us.begin(), took_us.end());
  state.SetItemsProcessed(state.iterations() * 30);
}

}  // namespace

int main(int argc, char** argv) {
  const std::filesystem::path file = warpwright::testing::reference_folder() / "hotspot.json";
  if (!std::filesystem::exists(file)) {
    std::fprintf(stderr, "WARPWRIGHT_PUBLIC_DATA names no folder with spaces/hotspot.json\n");
    return 1;
  }
  const auto reference = nlohmann::json::parse(warpwright::read_file(file));
  const auto space = warpwright::solve_space(warpwright::testing::definition_of(reference));
  for (const auto& [name, help] : warpwright::strategy_names()) {
    benchmark::RegisterBenchmark(
        ("question/" + name).c_str(),
        [&, name = name](benchmark::State& state) { question(state, name, *space); })
        ->Unit(benchmark::kMicrosecond)
        ->Iterations(5);
  }
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
