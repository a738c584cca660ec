// A sweep on any number of GPUs, simulated (tests/support/simulated_host.h): the real engine with
// its database on disk, on a simulated clock, with the seconds of a recording. Prints the result as
// one JSON object; scripts/record/simulate_sweeps makes tables of several.
//
//   sweep_simulation --recording FILE --config YAML --gpus N [--trials-per-gpu 10] [--node-gpus 8]
//                    [--node-compilers 32] [--cold] [--loading-ms 0] [--no-rank] [--folder DIR]
#include <fmt/format.h>

#include <cstdlib>
#include <iostream>
#include <nlohmann/json.hpp>
#include <string>

#include "core/error.h"
#include "core/files.h"
#include "support/repeated_boards.h"
#include "support/simulated_host.h"
#include "sweep/run_records.h"
#include "sweep/sweep_engine.h"

namespace warpwright::testing {
namespace {

struct Asked {
  std::filesystem::path recording, folder;
  SweepOptions sweep;
  std::size_t gpus = 1, trials_per_gpu = 10, node_gpus = 8;
  int node_compilers = 32;
  SimulationOptions simulation;
};

Asked parse(int count, char** arguments) {
  Asked asked;
  asked.simulation.compiled_before = true;
  for (int i = 1; i < count; ++i) {
    const std::string name = arguments[i];
    if (name == "--cold") {
      asked.simulation.compiled_before = false;
      continue;
    }
    if (name == "--no-rank") {
      asked.sweep.rank = false;
      continue;
    }
    if (i + 1 == count) throw user_error(fmt::format("{}: a value is missing", name));
    const std::string value = arguments[++i];
    if (name == "--recording")
      asked.recording = value;
    else if (name == "--config")
      asked.sweep.config = value;
    else if (name == "--folder")
      asked.folder = value;
    else if (name == "--gpus")
      asked.gpus = std::stoul(value);
    else if (name == "--trials-per-gpu")
      asked.trials_per_gpu = std::stoul(value);
    else if (name == "--node-gpus")
      asked.node_gpus = std::stoul(value);
    else if (name == "--node-compilers")
      asked.node_compilers = std::stoi(value);
    else if (name == "--loading-ms")
      asked.simulation.loading_seconds = std::stod(value) / 1000;
    else
      throw user_error(fmt::format("{}: unknown; see the head of sweep_simulation.cpp", name));
  }
  return asked;
}

nlohmann::json simulate(Asked asked) {
  Paths paths;
  paths.home = WARPWRIGHT_SOURCE_DIR;
  paths.kernel_roots = {paths.home / "kernels"};
  asked.sweep.quiet = true;
  const std::size_t nodes = (asked.gpus + asked.node_gpus - 1) / asked.node_gpus;
  asked.simulation.compile_workers = static_cast<int>(nodes) * asked.node_compilers;
  asked.sweep.compile_workers = asked.simulation.compile_workers;

  const std::string kernel = read_sweep(asked.sweep.config).kernel;
  const RecordedTrials recorded(asked.recording, kernel);
  if (!recorded.device()) throw user_error("the recording does not say on which GPU it was made");
  // One GPU plans; the others are like it.
  SweepPlan plan = make_plan(asked.sweep, paths, like_devices(*recorded.device(), asked.gpus));
  std::size_t of_recording = 0, exact = 0;
  for (const PlannedBoard& board : plan.boards) {
    const RecordedBoard& known = recorded.board(board.summary.problem_text);
    of_recording += board.questions;
    for (std::uint64_t index = 0; index < board.space->count(); ++index)
      exact += known.trials.contains(board.space->at(index).to_string());
  }
  const std::size_t of_board = of_recording / plan.boards.size();
  repeat_boards(plan, asked.gpus * asked.trials_per_gpu / of_board, asked.sweep.seed);

  std::optional<TemporaryFolder> own;
  if (asked.folder.empty()) asked.folder = own.emplace("sweep-simulation").path();
  const std::filesystem::path file = asked.folder / "simulated.db";
  for (const char* part : {"", "-wal", "-shm"}) std::filesystem::remove(file.string() + part);
  Database database = open_database(file);
  ProgressOptions silent;
  silent.quiet = true;
  Progress progress(silent);
  const std::size_t boards = plan.boards.size();
  SimulatedHost host(plan, recorded, asked.simulation);
  SweepEngine engine(asked.sweep, paths, std::move(plan), database, progress, host);
  const SweepSummary summary = engine.run();
  const SimulationFigures figures = host.figures();

  const double gpus = static_cast<double>(asked.gpus), makespan = summary.wall_seconds;
  nlohmann::json engine_of = nlohmann::json::object();
  const auto of = [&](EngineWork work) {
    const auto found = figures.engine_of_s.find(work);
    return found == figures.engine_of_s.end() ? 0.0 : found->second;
  };
  engine_of["strategy"] = of(EngineWork::kStrategy);
  engine_of["jobs"] = of(EngineWork::kJobs);
  engine_of["records"] = of(EngineWork::kRecords);
  engine_of["lookups"] = of(EngineWork::kLookup);
  engine_of["adding"] = of(EngineWork::kAdd);
  engine_of["commits"] = of(EngineWork::kCommit);
  nlohmann::json statuses = nlohmann::json::object();
  for (const auto& [status, trials] : summary.by_status)
    statuses[std::string(status_name(status))] = trials;
  return {{"gpus", asked.gpus},
          {"compile_workers", asked.simulation.compile_workers},
          {"boards", boards},
          {"trials", summary.trials},
          {"guests", summary.guests},
          {"rankings", summary.rankings},
          {"recorded", exact},
          {"of_recording", of_recording},
          {"statuses", statuses},
          {"makespan_s", makespan},
          {"gpu_busy_s", figures.gpu_busy_s},
          {"gpu_trials_s", figures.gpu_trials_s},
          {"ranking_s", summary.ranking_seconds},
          {"compiler_busy_s", figures.compiler_busy_s},
          {"busy", figures.gpu_busy_s / (gpus * makespan)},
          {"useful", figures.gpu_trials_s / (gpus * makespan)},
          {"to_compile", figures.to_compile},
          {"most_to_compile", figures.most_to_compile},
          {"to_measure", figures.to_measure},
          {"most_to_measure", figures.most_to_measure},
          {"commits", figures.commits},
          {"engine_s", figures.engine_s},
          {"engine_of_s", engine_of},
          {"busiest_gpu_s", summary.measure_busy_seconds}};
}

}  // namespace
}  // namespace warpwright::testing

int main(int count, char** arguments) {
  try {
    std::cout << warpwright::testing::simulate(warpwright::testing::parse(count, arguments)).dump()
              << "\n";
    return 0;
  } catch (const std::exception& error) {
    std::cerr << "sweep_simulation: " << error.what() << "\n";
    return 2;
  }
}
