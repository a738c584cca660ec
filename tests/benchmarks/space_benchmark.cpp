// Speed of search spaces, on the published ones that WARPWRIGHT_PUBLIC_DATA names: building the
// tree of a space from its constraints; walking all places of a space, reading each one's values
// and looking up its index; the same through configurations; the neighbours of a configuration.
// items_per_second counts places, configurations, and configurations whose neighbours were asked.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "core/files.h"
#include "space/reference_spaces.h"

namespace {

namespace fs = std::filesystem;
using warpwright::SearchSpace;
using warpwright::SpaceDefinition;

// At most this many places are asked for, at even distances: spaces differ in size by a factor of
// 2,000.
constexpr std::uint64_t kMaxAsked = 10000;

void build(benchmark::State& state, const SpaceDefinition& definition) {
  for (auto _ : state) {
    const std::unique_ptr<SearchSpace> space = warpwright::solve_space(definition);
    benchmark::DoNotOptimize(space->count());
  }
}

void look_up_places(benchmark::State& state, const SpaceDefinition& definition) {
  const std::unique_ptr<SearchSpace> space = warpwright::solve_space(definition);
  const std::vector<SearchSpace::Axis> axes = space->axes("");
  for (auto _ : state) {
    std::uint64_t next = 0;
    std::uint64_t sum = 0;
    space->for_each_place([&](const SearchSpace::Place& place) {
      for (std::size_t i = 0; i < axes.size(); ++i) {
        sum += static_cast<std::uint64_t>(axes[i].values[place.levels[i]].as_integer());
      }
      if (space->index_of(place) != next++) state.SkipWithError("a place has another index");
      return true;
    });
    benchmark::DoNotOptimize(sum);
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(space->count()));
}

void look_up_configurations(benchmark::State& state, const SpaceDefinition& definition) {
  const std::unique_ptr<SearchSpace> space = warpwright::solve_space(definition);
  for (auto _ : state) {
    std::uint64_t next = 0;
    space->for_each([&](const warpwright::Configuration& configuration) {
      if (space->index_of(configuration) != next++) {
        state.SkipWithError("a configuration has another index");
      }
      return true;
    });
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(space->count()));
}

void random_places(benchmark::State& state, const SpaceDefinition& definition) {
  const std::unique_ptr<SearchSpace> space = warpwright::solve_space(definition);
  std::mt19937_64 generator(1);
  const std::vector<std::uint64_t> drawn = space->sample(kMaxAsked, generator);
  for (auto _ : state) {
    for (const std::uint64_t index : drawn) {
      if (space->index_of(space->place_at(index)) != index) state.SkipWithError("another index");
    }
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(drawn.size()));
}

// The possible continuations of each beginning of a place.
void choices(benchmark::State& state, const SpaceDefinition& definition) {
  const std::unique_ptr<SearchSpace> space = warpwright::solve_space(definition);
  std::mt19937_64 generator(1);
  const std::vector<std::uint64_t> drawn = space->sample(kMaxAsked / 10, generator);
  for (auto _ : state) {
    for (const std::uint64_t index : drawn) {
      const SearchSpace::Place place = space->place_at(index);
      SearchSpace::Place beginning{place.group, {}};
      for (const std::uint32_t level : place.levels) {
        benchmark::DoNotOptimize(space->choices(beginning).size());
        beginning.levels.push_back(level);
      }
    }
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(drawn.size()));
}

void neighbours(benchmark::State& state, const SpaceDefinition& definition) {
  const std::unique_ptr<SearchSpace> space = warpwright::solve_space(definition);
  const std::uint64_t asked = std::min(space->count(), kMaxAsked);
  std::uint64_t found = 0;
  for (auto _ : state) {
    for (std::uint64_t i = 0; i < asked; ++i) {
      found += space->neighbours(i * (space->count() / asked)).size();
    }
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(asked));
  state.counters["neighbours"] = benchmark::Counter(
      static_cast<double>(found) / static_cast<double>(asked), benchmark::Counter::kAvgIterations);
}

void register_all(const std::string& name, const SpaceDefinition& definition) {
  using Function = void (*)(benchmark::State&, const SpaceDefinition&);
  const auto add = [&](const std::string& what, Function function) {
    return benchmark::RegisterBenchmark(
        (what + "/" + name).c_str(),
        [function, definition](benchmark::State& state) { function(state, definition); });
  };
  add("build", build)->Unit(benchmark::kMicrosecond);
  add("look_up_places", look_up_places)->Unit(benchmark::kMillisecond);
  add("look_up_configurations", look_up_configurations)->Unit(benchmark::kMillisecond);
  add("random_places", random_places)->Unit(benchmark::kMillisecond);
  add("choices", choices)->Unit(benchmark::kMillisecond);
  add("neighbours", neighbours)->Unit(benchmark::kMillisecond);
}

}  // namespace

int main(int argc, char** argv) {
  const fs::path folder = warpwright::testing::reference_folder();
  if (!fs::is_directory(folder)) {
    std::fprintf(stderr, "WARPWRIGHT_PUBLIC_DATA names no folder with spaces/: nothing to solve\n");
    return 1;
  }
  std::vector<fs::path> files;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
    if (entry.path().extension() == ".json") files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  for (const fs::path& file : files) {
    const nlohmann::json reference = nlohmann::json::parse(warpwright::read_file(file));
    register_all(file.stem().string(), warpwright::testing::definition_of(reference));
  }
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
