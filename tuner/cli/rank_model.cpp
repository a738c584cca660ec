#include "cli/rank_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "analysis/board/impossible.h"
#include "bench/bench_case.h"
#include "cli/print.h"
#include "cli/profile_text.h"
#include "cli/results_file.h"
#include "core/error.h"
#include "core/suggest.h"
#include "metrics/harness_kernels.h"
#include "trial/launch_plan.h"

namespace warpwright {
namespace {

using Json = nlohmann::json;

constexpr const char* kAll = "all";

Json or_null(const std::optional<double>& value) { return value ? Json(*value) : Json(nullptr); }

void note(const std::string& text) {
  print_error("{}\n", text);
  std::fflush(stderr);
}

// Counters and resources, without the values that the model and the profile derive from them.
Json launches_of(const Configuration& configuration, const Profile& profile) {
  Json launches = profile_json(configuration, profile).at("launches");
  for (Json& launch : launches)
    for (const char* derived :
         {"lines", "derived", "modelled_us", "modelled_bound", "modelled_terms_us"})
      launch.erase(derived);
  return launches;
}

std::vector<std::string> kernels_of(const Database& database, const std::string& wanted) {
  std::set<std::string> names;
  for (const auto& [id, kernel] : database.kernels())
    if (!is_harness_kernel(kernel.name) || kernel.name == wanted) names.insert(kernel.name);
  if (wanted == kAll) return {names.begin(), names.end()};
  if (names.contains(wanted)) return {wanted};
  throw user_error(
      fmt::format("{}: no results of kernel '{}'{}", database.path().string(), wanted,
                  suggestion(wanted, std::vector<std::string>(names.begin(), names.end()))));
}

class Ranker {
 public:
  Ranker(const ModelRankingOptions& options, ProfileRuns& runs) : options_(options), runs_(runs) {
    out_.table = {{"device", runs.device().id},
                  {"sample", options.drawn},
                  {"seed", options.seed},
                  {"sample_blocks", options.profile.sample_blocks},
                  {"problems", Json::array()}};
  }

  void rank(const KernelSpec& kernel, const Leaderboard& board) {
    const std::vector<MeasuredConfiguration> all = measured_configurations(board);
    const std::vector<MeasuredConfiguration> drawn = draw_configurations(
        all, options_.drawn, options_.seed, board.kernel + " " + board.problem_text);
    std::vector<Configuration> configurations;
    for (const MeasuredConfiguration& one : drawn)
      configurations.push_back(parse_configuration(kernel, one.configuration));
    std::vector<ModelledConfiguration> modelled;
    Json kept = Json::array();
    std::size_t at = 0;
    const Problem problem = parse_problem(kernel, board.problem_text);
    runs_.each(kernel, problem, configurations, options_.seed, options_.profile,
               [&](const Configuration& configuration, const Profile& profile) {
                 const MeasuredConfiguration& measured = drawn[at++];
                 if (profile.status != Status::kOk) {
                   note(fmt::format("{} {} {}: {}", board.kernel, board.problem_text,
                                    measured.configuration, profile.reason));
                   return;
                 }
                 const double units = units_of_work(
                     kernel, trial_environment(kernel, configuration, problem, runs_.device()));
                 modelled.push_back({measured, profile.modelled_us() / units});
                 kept.push_back({{"configuration", measured.configuration},
                                 {"timed", measured.timed},
                                 {"measured_us", measured.measured_us},
                                 {"modelled_us", profile.modelled_us()},
                                 {"launches", launches_of(configuration, profile)}});
               });
    note(fmt::format("{} {}: {} of {}", board.kernel, board.problem_text, modelled.size(),
                     all.size()));
    if (modelled.empty()) return;
    ModelRanking ranking = warpwright::rank_model(modelled);
    ranking.kernel = board.kernel;
    ranking.problem_text = board.problem_text;
    ranking.device_name = board.device_name;
    ranking.of = all.size();
    out_.rankings.push_back(ranking);
    out_.table["problems"].push_back({{"kernel", board.kernel},
                                      {"problem", board.problem_text},
                                      {"measured_on", board.device_name},
                                      {"of", all.size()},
                                      {"tau_b", or_null(ranking.tau)},
                                      {"tau_b_timed", or_null(ranking.tau_timed)},
                                      {"picks", ranking.picks},
                                      {"best_pick", ranking.best_pick},
                                      {"chance", ranking.chance},
                                      {"configurations", std::move(kept)}});
  }

  [[nodiscard]] ModelRankings take() { return std::move(out_); }

 private:
  const ModelRankingOptions& options_;
  ProfileRuns& runs_;
  ModelRankings out_;
};

}  // namespace

ModelRankings rank_model(const ModelRankingOptions& options, ProfileRuns& runs,
                         const std::string& command_line) {
  const ResultsFile file = open_results(options.database, command_line);
  Ranker ranker(options, runs);
  for (const std::string& name : kernels_of(file.database, options.kernel)) {
    try {
      const KernelSpec kernel = read_kernel(find_kernel_file(runs.paths(), name));
      for (const Leaderboard& board : make_leaderboards(file.database.trials({.kernel = name}),
                                                        file.database.rankings({.kernel = name}),
                                                        {}, read_peaks(file.database)))
        if (!board.modelled && !board.imported && !board.entries.empty())
          ranker.rank(kernel, board);
    } catch (const Error& error) {
      if (options.kernel != kAll) throw;
      note(fmt::format("{} is left out: {}", name, error.what()));  // for example an old kernel
    }
  }
  ModelRankings rankings = ranker.take();
  if (rankings.rankings.empty()) {
    throw user_error(fmt::format("{}: nothing measured that can be emulated; sweep on a GPU first",
                                 options.database));
  }
  return rankings;
}

}  // namespace warpwright
