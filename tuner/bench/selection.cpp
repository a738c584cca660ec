#include "bench/selection.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

#include "analysis/board/board_goals.h"
#include "analysis/board/impossible.h"
#include "core/error.h"
#include "provenance/trial_key.h"
#include "spec/added_options.h"
#include "spec/sweep_spec.h"
#include "store/database.h"

namespace warpwright {
namespace {

namespace fs = std::filesystem;

// Kernels that the harness is tested against; they are only useful when requested by name.
constexpr std::string_view kFixturePrefix = "harness_";

class Selector {
 public:
  Selector(const BenchRequest& request, const Paths& paths, const DeviceInfo& device)
      : request_(request), paths_(paths), device_(device) {
    open_database();
  }

  BenchSelection select() {
    const std::vector<std::string> names = kernel_names();
    if (!request_.configurations.empty() && request_.kernels.size() != 1) {
      throw user_error(fmt::format(
          "--configuration is of one kernel, got {} kernels; name it: warpwright bench KERNEL "
          "--configuration \"{}\"",
          request_.kernels.size(), request_.configurations.front()));
    }
    if (!request_.versions.empty() && request_.kernels.size() != 1) {
      throw user_error(fmt::format(
          "--version is of one kernel, got {} kernels; name it: warpwright bench KERNEL --version "
          "{}",
          request_.kernels.size(), request_.versions));
    }
    for (const std::string& name : names) add_kernel(name);
    selection_.peaks = read_peaks(database_, device_);
    return std::move(selection_);
  }

 private:
  void open_database() {
    const fs::path file = request_.database.empty() ? paths_.default_database() : request_.database;
    if (request_.database.empty() && !fs::exists(file)) return;
    database_.emplace(file, OpenMode::kReadOnly);
    selection_.database = file.string();
  }

  [[nodiscard]] std::vector<Winner> winners_of(const std::string& kernel) const {
    return database_ ? find_winners(*database_, kernel, device_) : std::vector<Winner>();
  }

  // The section that was added to the contract text of the newest winner; "" without winners.
  [[nodiscard]] std::string added_to(const std::vector<Winner>& winners) const {
    const auto newest =
        std::max_element(winners.begin(), winners.end(),
                         [](const Winner& a, const Winner& b) { return a.trial < b.trial; });
    if (newest == winners.end()) return "";
    for (const auto& [id, kernel] : database_->kernels())
      if (kernel.contract_hash == newest->contract_hash) return added_section(kernel.contract_text);
    return "";
  }

  [[nodiscard]] std::vector<std::string> kernel_names() const {
    if (!request_.kernels.empty()) return request_.kernels;
    std::vector<std::string> all;
    std::vector<std::string> tuned;
    for (const auto& [name, file] : find_kernels(paths_.kernel_roots)) {
      if (name.starts_with(kFixturePrefix)) continue;
      all.push_back(name);
      if (!winners_of(name).empty()) tuned.push_back(name);
    }
    return tuned.empty() ? all : tuned;
  }

  void add_kernel(const std::string& name) {
    const std::vector<Winner> winners = winners_of(name);
    const KernelSpec& kernel = selection_.kernels.emplace_back(
        read_kernel(find_kernel_file(paths_, name), added_to(winners)));
    std::vector<Configuration> named;
    for (const std::string& text : request_.configurations)
      named.push_back(parse_configuration(kernel, text));
    const std::vector<ChosenVersion> versions =
        bench_versions(kernel, request_.versions, request_.overrides);
    for (const ChosenVersion& version : versions)
      if (!version.change.empty()) selection_.notes.push_back(version.change);
    for (const Problem& problem : problems_of(kernel, winners)) {
      for (const ChosenVersion& version : versions)
        add(kernel, problem, {version.variant, version.values}, "version " + version.title);
      if (versions.empty() && !add_winner(kernel, problem, winners)) add_defaults(kernel, problem);
      for (const Configuration& configuration : named) add(kernel, problem, configuration, "given");
    }
  }

  [[nodiscard]] std::vector<Problem> problems_of(const KernelSpec& kernel,
                                                 const std::vector<Winner>& winners) {
    std::vector<Problem> problems;
    for (const std::string& text : request_.problems)
      problems.push_back(parse_problem(kernel, text));
    if (!problems.empty()) return problems;
    for (const Winner& winner : winners) {
      const SourceLocation where{fmt::format("trial {}", winner.trial), 0, 0};
      try {
        problems.push_back(complete_problem(kernel, *winner.problem, where));
      } catch (const Error& error) {  // of an older contract
        selection_.notes.push_back(fmt::format("{}: left out: {}", kernel.name, error.message()));
      }
    }
    return problems.empty() ? problems_of_sweep(kernel) : problems;
  }

  [[nodiscard]] std::vector<Problem> problems_of_sweep(const KernelSpec& kernel) const {
    const fs::path file = paths_.home / "configs" / (kernel.name + ".yaml");
    if (!fs::exists(file)) {
      std::vector<std::string> sizes;
      for (const ProblemSizeSpec& size : kernel.problem)
        if (!size.default_value) sizes.push_back(size.name + "=...");
      throw user_error(fmt::format(
          "kernel '{}': no results on {} and no {}, so no problem is known; name one: --problem "
          "\"{}\"",
          kernel.name, device_.id, file.string(), fmt::join(sizes, " ")));
    }
    const SweepSpec sweep = read_sweep(file);
    check_sweep(sweep, kernel);
    const bool small = !device_.has_clock && !sweep.emulated.empty();
    std::vector<Problem> problems;
    for (const ProblemChoice& choice : small ? sweep.emulated : sweep.problems)
      problems.push_back(complete_problem(kernel, choice.sizes, choice.where));
    return problems;
  }

  // Returns false when there is none.
  bool add_winner(const KernelSpec& kernel, const Problem& problem,
                  const std::vector<Winner>& winners) {
    const Stored<Problem> wanted = problem;
    for (const Winner& winner : winners) {
      if (winner.problem != wanted) continue;
      try {
        const Configuration configuration = check_configuration(kernel, winner.configuration);
        const bool same_sources = winner.contract_hash ==
                                  variant_hash(kernel, *kernel.find_variant(configuration.variant),
                                               {kernel.folder, paths_.common_headers()});
        add(kernel, problem, configuration,
            fmt::format("best of the database, trial {}{}", winner.trial,
                        same_sources ? "" : ", of other sources"));
        return true;
      } catch (const Error& error) {  // of an older contract
        selection_.notes.push_back(fmt::format("{}: {}", kernel.name, error.message()));
      }
    }
    return false;
  }

  void add_defaults(const KernelSpec& kernel, const Problem& problem) {
    selection_.notes.push_back(fmt::format(
        "{} {}: no results of this device in {}; the contract's default configurations",
        kernel.name, describe_problem(kernel, problem),
        selection_.database.empty() ? paths_.default_database().string() : selection_.database));
    for (const VariantSpec& variant : kernel.variants) {
      const BenchCase made = make_bench_case(
          kernel, problem, default_configuration(kernel, variant), "default", device_);
      if (made.refused.empty()) keep(made);
    }
  }

  void add(const KernelSpec& kernel, const Problem& problem, const Configuration& configuration,
           const std::string& origin) {
    keep(make_bench_case(kernel, problem, configuration, origin, device_));
  }

  void keep(const BenchCase& made) {
    if (names_.insert(made.name).second) selection_.cases.push_back(made);
  }

  const BenchRequest& request_;
  const Paths& paths_;
  const DeviceInfo& device_;
  std::optional<Database> database_;
  BenchSelection selection_;
  std::set<std::string> names_;
};

}  // namespace

std::vector<Winner> find_winners(const std::vector<Leaderboard>& boards, const DeviceInfo& device) {
  const std::string fingerprint = device.fingerprint();
  std::vector<Winner> winners;
  for (const Leaderboard& board : boards) {
    if (board.device_fingerprint != fingerprint || board.entries.empty()) continue;
    const TrialRecord& trial = board.entries.front().row.trial;
    Winner winner{trial.id,
                  board.ranking.has_value(),
                  board.problem,
                  board.entries.front().row.contract_hash,
                  trial.configuration(),
                  board.entries.front().median_us,
                  board.protocol,
                  board.modelled};
    // One problem may have boards of several protocols: a final ranking comes first, then the
    // newest.
    const auto known = std::find_if(winners.begin(), winners.end(), [&](const Winner& other) {
      return other.problem == winner.problem;
    });
    if (known == winners.end()) {
      winners.push_back(std::move(winner));
    } else if (std::pair(winner.ranked, winner.trial) > std::pair(known->ranked, known->trial)) {
      *known = std::move(winner);
    }
  }
  return winners;
}

std::vector<Winner> find_winners(const Database& database, const std::string& kernel,
                                 const DeviceInfo& device) {
  Database::TrialFilter filter;
  filter.kernel = kernel;
  return find_winners(
      make_leaderboards(database.trials(filter), database.rankings({.kernel = kernel}),
                        BoardGoals(database), read_peaks(database)),
      device);
}

BenchSelection select_bench_cases(const BenchRequest& request, const Paths& paths,
                                  const DeviceInfo& device) {
  return Selector(request, paths, device).select();
}

}  // namespace warpwright
