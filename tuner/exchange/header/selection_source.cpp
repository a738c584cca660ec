#include "exchange/header/selection_source.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "analysis/compare/portfolio.h"
#include "core/error.h"
#include "core/hash.h"
#include "core/terminal_text.h"
#include "exchange/header/choose_boards.h"
#include "records/configuration.h"
#include "spec/kernel_spec.h"
#include "store/imported.h"

namespace warpwright {
namespace {

using Row = Database::TrialRow;

// True if a configuration with this outcome is not offered for any problem. A failure to compile or
// launch (sizes are compiled in) or an early stop concerns one problem only, and an emulator's
// limits of time and memory do not apply to GPUs.
bool disqualifies(const Row& row) {
  switch (row.trial.status) {
    case Status::kWrongResult:
    case Status::kNondeterministic:
    case Status::kHazard:
      return true;
    case Status::kCrashed:
    case Status::kTimeout:
      return row.device_has_clock;
    default:
      return false;
  }
}

// True if the outcome makes a configuration worth nothing on its problem. The true time behind an
// impossible one is unknown.
bool refused(Status status) {
  switch (status) {
    case Status::kInvalid:
    case Status::kCompileFailed:
    case Status::kLaunchFailed:
    case Status::kCrashed:
    case Status::kTimeout:
    case Status::kImpossible:
    case Status::kNotCompiled:
      return true;
    default:
      return false;
  }
}

// True if some entry has a value of the objective that ranks the board.
bool has_winner(const Leaderboard& board) {
  if (!board.goal || board.goal->spec.by_time()) return true;
  const LeaderboardEntry& best = board.entries.front();
  return board.goal->spec.has_front() ? best.on_front : best.objectives.front().value.has_value();
}

// The winner's time scaled by the ratio of the entry's objective to the winner's, which weighs the
// choice for other problems. An entry that is not on the front is worth nothing.
double comparable_us(const Leaderboard& board, const LeaderboardEntry& entry) {
  if (!board.goal || board.goal->spec.by_time()) return entry.median_us;
  if (board.goal->spec.has_front()) return entry.on_front ? entry.median_us : HUGE_VAL;
  const LeaderboardEntry& winner = board.entries.front();
  const std::optional<double> best = winner.objectives.front().value;
  const std::optional<double> own = entry.objectives.front().value;
  if (!best || !own) return HUGE_VAL;
  if (*best == *own) return winner.median_us;
  if (*best <= 0 || *own <= 0) return HUGE_VAL;
  const double worse = board.goal->spec.objectives.front().maximize ? *best / *own : *own / *best;
  return winner.median_us * worse;
}

class Assembly {
 public:
  Assembly(const Database& database, const std::vector<Leaderboard>& boards, std::string kernel)
      : database_(database), given_(boards), kernel_(std::move(kernel)) {}

  SelectionModel make() {
    read_rows();
    read_contract();
    for (const auto& [id, run] : database_.runs()) runs_[id] = run;
    add_boards();
    fill_fractions();
    judge_by_leaving_out(model_);
    const std::vector<std::vector<int>> merits = merits_of_variants();
    reduce_to_portfolio(model_);
    add_defaults(merits);
    add_files();
    return std::move(model_);
  }

 private:
  void read_rows() {
    std::vector<Row> rows = database_.trials({.kernel = kernel_});
    std::erase_if(rows, [](const Row& row) { return is_imported(row.trial); });
    if (rows.empty()) refuse_untimed();
    newest_ = newest_contracts(rows);
    std::erase_if(
        rows, [&](const Row& row) { return row.contract_hash != newest_.at(row.trial.variant); });
    for (const Row& row : rows) {
      if (disqualifies(row)) disqualified_.insert(row.trial.configuration_text);
    }
    rows_ = std::move(rows);
  }

  [[noreturn]] void refuse_untimed() const {
    throw user_error(fmt::format(
        "{}: no configuration of kernel '{}' was timed on what was asked for; `warpwright show {}` "
        "lists what there is, and `warpwright sweep configs/{}.yaml` makes more",
        database_.path().string(), kernel_, kernel_, kernel_));
  }

  void read_contract() {
    const Row& newest =
        *std::max_element(rows_.begin(), rows_.end(), [](const Row& a, const Row& b) {
          return std::tie(a.contract_generation, a.trial.id) <
                 std::tie(b.contract_generation, b.trial.id);
        });
    for (const auto& [id, kernel] : database_.kernels()) {
      if (id != newest.trial.kernel) continue;
      const std::string name = kernel_ + "/kernel.yaml";
      try {
        model_.contract = parse_stored_kernel(kernel.contract_text, name);
      } catch (Error& error) {
        throw error.add_context(fmt::format("while reading the contract of '{}' stored in {}",
                                            kernel_, database_.path().string()));
      }
      // Files, folders and targets take both names.
      if (model_.contract.name != kernel_)
        throw user_error(fmt::format(
            "{}: the kernel '{}' is stored with the contract of '{}'; the database was not written "
            "by warpwright",
            database_.path().string(), terminal_line(kernel_), model_.contract.name));
      require_exportable(model_.contract);
      require_c_names();
      return;
    }
  }

  // Without extern "C", the symbol of an entry differs from the name in the contract.
  void require_c_names() const {
    std::set<RowId> kernels;
    for (const Row& row : rows_) kernels.insert(row.trial.kernel);
    for (const RowId id : kernels) {
      const std::vector<KernelSource> sources = database_.kernel_sources(id);
      const bool has_c = std::any_of(sources.begin(), sources.end(), [](const KernelSource& file) {
        const std::string_view path = file.path;
        const bool of_reference = path.ends_with(".cpp") || path.ends_with("/reference.h");
        return !of_reference && file.text.find("extern \"C\"") != std::string::npos;
      });
      const bool has_source =
          std::any_of(sources.begin(), sources.end(),
                      [](const KernelSource& file) { return file.path.ends_with(".cu"); });
      if (!has_source || has_c) continue;
      throw user_error(fmt::format(
          "kernel '{}': its entries have C++ names, and exported headers name entries as symbols; "
          "declare them extern \"C\" and sweep again, or export JSON",
          kernel_));
    }
  }

  // Refuses contracts that a header cannot express yet: a program would compile or launch something
  // else.
  static void require_exportable(const KernelSpec& contract) {
    for (const VariantSpec& variant : contract.variants) {
      for (const LaunchSpec& launch : variant.launches) {
        if (!launch.entry.is_template()) continue;
        throw user_error(fmt::format(
            "kernel '{}': the entry '{}' of variant '{}' is a template, and exported headers name "
            "entries as symbols; add an extern \"C\" function that calls it, or export JSON",
            contract.name, launch.entry.text(), variant.name));
      }
      if (!contract.options.empty() || !variant.options.empty())
        throw user_error(
            fmt::format("kernel '{}' is compiled with `options` of its own, which exported headers "
                        "do not hold; export JSON",
                        contract.name));
      if (!contract.shaping.empty())
        throw user_error(
            fmt::format("kernel '{}': what it computes depends on the parameter {}, which exported "
                        "headers cannot say; export JSON",
                        contract.name, contract.shaping.front()));
      for (const ArgumentSpec& argument : contract.arguments) {
        if (argument.symbol.empty()) continue;
        throw user_error(fmt::format(
            "kernel '{}': the argument '{}' is a variable of the source, which exported headers do "
            "not support; export JSON",
            contract.name, argument.name));
      }
    }
  }

  // One value for each size or parameter, in its place; nullopt if the contract has changed since.
  [[nodiscard]] std::optional<std::vector<Value>> problem_of(const Row& row) const {
    const Problem& given = *row.trial.problem;
    std::vector<Value> sizes;
    for (const ProblemSizeSpec& size : model_.contract.problem) {
      const auto value = given.find(size.name);
      if (value != given.end()) {
        sizes.push_back(value->second);
      } else if (size.default_value) {
        sizes.push_back(*size.default_value);
      } else {
        return std::nullopt;
      }
    }
    return sizes;
  }

  [[nodiscard]] std::optional<SelectionConfiguration> configuration_of(const Row& row) {
    SelectionConfiguration configuration;
    const auto& variants = model_.contract.variants;
    const auto variant = std::find_if(variants.begin(), variants.end(), [&](const VariantSpec& v) {
      return v.name == row.trial.variant;
    });
    if (variant == variants.end()) return std::nullopt;
    configuration.variant = static_cast<std::size_t>(variant - variants.begin());
    configuration.text = row.trial.configuration_text;
    ParameterValues given = *row.trial.parameters;
    for (ParameterSpec& parameter : model_.contract.parameters) {
      const auto value = given.find(parameter.name);
      const bool has = std::find(variant->parameters.begin(), variant->parameters.end(),
                                 parameter.name) != variant->parameters.end();
      if (has != (value != given.end())) return std::nullopt;
      configuration.values.push_back(has ? value->second : parameter.default_value);
      if (has) given.erase(value);
    }
    if (!given.empty()) return std::nullopt;
    configuration.resources = summarise_resources(*row.trial.resources);
    return configuration;
  }

  // Returns the index of a configuration in the model; adds it if it is new.
  std::optional<std::size_t> number_of(const Row& row) {
    if (disqualified_.contains(row.trial.configuration_text)) return std::nullopt;
    const auto known = numbers_.find(row.trial.configuration_text);
    if (known != numbers_.end()) return known->second;
    std::optional<SelectionConfiguration> configuration = configuration_of(row);
    if (!configuration) return std::nullopt;
    model_.configurations.push_back(std::move(*configuration));
    return numbers_[row.trial.configuration_text] = model_.configurations.size() - 1;
  }

  std::size_t device_of(const Row& row) {
    for (std::size_t i = 0; i < model_.devices.size(); ++i) {
      if (model_.devices[i].name == row.device_name) return i;
    }
    SelectionDevice device{row.device_name, row.device_arch, {}};
    for (const auto& [id, record] : database_.devices()) {
      if (record.fingerprint == row.device_fingerprint) device.limits = record.details->limits();
    }
    model_.devices.push_back(std::move(device));
    return model_.devices.size() - 1;
  }

  void add_boards() {
    for (Leaderboard& board : choose_boards(given_, kernel_, newest_)) {
      std::erase_if(board.entries,
                    [&](const LeaderboardEntry& entry) { return !number_of(entry.row); });
      if (board.entries.empty() || !has_winner(board)) continue;
      const auto sizes = problem_of(board.entries.front().row);
      if (!sizes) continue;
      model_.boards.push_back(board_facts(board, *sizes));
      leaderboards_.push_back(std::move(board));
    }
    sort_boards();
    if (model_.boards.empty()) refuse_untimed();
  }

  SelectionBoard board_facts(const Leaderboard& board, const std::vector<Value>& sizes) {
    const LeaderboardEntry& winner = board.entries.front();
    const TrialRecord& trial = winner.row.trial;
    SelectionBoard facts;
    facts.device = device_of(winner.row);
    facts.sizes = sizes;
    facts.problem_text = board.problem_text;
    facts.winner = *number_of(winner.row);
    facts.median_us = winner.median_us;
    facts.ci_low_us = winner.ci_low_us;
    facts.ci_high_us = winner.ci_high_us;
    // Other entries on the front are not ties: each is better in one objective and worse in
    // another.
    for (std::size_t i = 1; i < board.entries.size() && !winner.on_front; ++i) {
      if (board.entries[i].tied_with_best)
        facts.tied.push_back(board.entries[i].row.trial.configuration_text);
    }
    facts.tried = board.trials;
    facts.rounds = board.ranking ? board.ranking->rounds : 0;
    facts.modelled = board.modelled;
    facts.protocol = board.protocol;
    facts.driver = board.device_driver;
    facts.contract_hash = winner.row.contract_hash;
    facts.measured_utc = board.ranking ? board.ranking->started_utc : trial.started_utc;
    const auto run = runs_.find(board.ranking ? board.ranking->run : trial.run);
    if (run != runs_.end()) {
      facts.nvrtc_version = run->second.nvrtc_version;
      facts.version = run->second.version;
    }
    return facts;
  }

  // Sorts by device in the order found, then by size: 64 before 8192.
  void sort_boards() {
    std::vector<std::size_t> order(model_.boards.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
      const SelectionBoard& x = model_.boards[a];
      const SelectionBoard& y = model_.boards[b];
      return std::tie(x.device, x.sizes) < std::tie(y.device, y.sizes);
    });
    std::vector<SelectionBoard> boards;
    std::vector<Leaderboard> leaderboards;
    for (const std::size_t i : order) {
      boards.push_back(std::move(model_.boards[i]));
      leaderboards.push_back(std::move(leaderboards_[i]));
    }
    model_.boards = std::move(boards);
    leaderboards_ = std::move(leaderboards);
  }

  void fill_fractions() {
    for (std::size_t at = 0; at < leaderboards_.size(); ++at) {
      for (const LeaderboardEntry& entry : leaderboards_[at].entries)
        set_fraction(*number_of(entry.row), at, comparable_us(leaderboards_[at], entry));
      for (const Row& row : leaderboards_[at].untimed) {
        const std::optional<std::size_t> number = number_of(row);
        const bool nothing =
            row.trial.status == Status::kViolates || row.trial.status == Status::kImpossible;
        if (nothing && number) set_fraction(*number, at, HUGE_VAL);
      }
      add_untimed(leaderboards_[at], at);
    }
    for (auto& row : model_.fractions) row.resize(model_.boards.size(), kUnknownFraction);
    model_.fractions.resize(model_.configurations.size(),
                            std::vector<int>(model_.boards.size(), kUnknownFraction));
  }

  // A configuration that was stopped early takes at least its bound; one that the device refused is
  // worth nothing here.
  void add_untimed(const Leaderboard& board, std::size_t at) {
    for (const Row& row : rows_) {
      const TrialRecord& trial = row.trial;
      if (row.device_fingerprint != board.device_fingerprint ||
          trial.problem_text != board.problem_text)
        continue;
      const bool pruned =
          trial.status == Status::kPruned && trial.at_least_us && trial.protocol == board.protocol;
      if (!pruned && !refused(trial.status)) continue;
      const std::optional<std::size_t> number = number_of(row);
      if (!number || fraction_known(*number, at)) continue;
      set_fraction(*number, at, pruned ? *trial.at_least_us : HUGE_VAL);
    }
  }

  [[nodiscard]] bool fraction_known(std::size_t configuration, std::size_t board) const {
    return configuration < model_.fractions.size() &&
           model_.fractions[configuration].size() > board &&
           model_.fractions[configuration][board] != kUnknownFraction;
  }

  void set_fraction(std::size_t configuration, std::size_t board, double us) {
    if (model_.fractions.size() <= configuration) model_.fractions.resize(configuration + 1);
    std::vector<int>& row = model_.fractions[configuration];
    if (row.size() <= board) row.resize(board + 1, kUnknownFraction);
    const double best = model_.boards[board].median_us;
    row[board] = us > 0 ? static_cast<int>(std::lround(1000 * std::min(1.0, best / us))) : 1000;
  }

  // For each variant, the best fraction that any of its tried configurations reached on each board.
  [[nodiscard]] std::vector<std::vector<int>> merits_of_variants() const {
    std::vector<std::vector<int>> merits(model_.contract.variants.size(),
                                         std::vector<int>(model_.boards.size(), kUnknownFraction));
    for (std::size_t i = 0; i < model_.candidates(); ++i) {
      std::vector<int>& row = merits[model_.configurations[i].variant];
      for (std::size_t board = 0; board < row.size(); ++board)
        row[board] = std::max(row[board], model_.fractions[i][board]);
    }
    return merits;
  }

  // Orders variants by the results of their best configurations, which decide where no board does.
  void add_defaults(const std::vector<std::vector<int>>& merits) {
    const KernelSpec& contract = model_.contract;
    std::vector<std::pair<long, std::size_t>> order;
    for (std::size_t variant = 0; variant < contract.variants.size(); ++variant) {
      long sum = 0;
      for (const int merit : merits[variant]) sum += std::max(0, merit);
      order.emplace_back(-sum, variant);
    }
    std::sort(order.begin(), order.end());
    for (const auto& [merit, variant] : order) {
      SelectionConfiguration configuration;
      configuration.variant = variant;
      configuration.is_default = true;
      Configuration named{contract.variants[variant].name, {}};
      for (const ParameterSpec& parameter : contract.parameters) {
        configuration.values.push_back(parameter.default_value);
        const std::vector<std::string>& own = contract.variants[variant].parameters;
        if (std::find(own.begin(), own.end(), parameter.name) != own.end())
          named.values[parameter.name] = parameter.default_value;
      }
      configuration.text = named.to_string();
      model_.configurations.push_back(std::move(configuration));
      model_.merits.push_back(merits[variant]);
    }
  }

  // Adds the files of every variant that was tried, in their newest version.
  void add_files() {
    std::set<RowId> kernels;
    for (const Row& row : rows_) kernels.insert(row.trial.kernel);
    std::set<SelectionFile> files;
    for (const RowId id : kernels) {
      for (const KernelSource& source : database_.kernel_sources(id))
        files.insert({source.path, sha256_hex(source.text), source.text});
    }
    model_.files.assign(files.begin(), files.end());
  }

  const Database& database_;
  const std::vector<Leaderboard>& given_;
  const std::string kernel_;
  std::vector<Row> rows_;
  std::map<std::string, std::string> newest_;  // contract hash, by variant
  std::set<std::string> disqualified_;
  std::map<RowId, RunRecord> runs_;
  std::map<std::string, std::size_t> numbers_;  // configuration numbers, by text
  std::vector<Leaderboard> leaderboards_;       // parallel to model_.boards
  SelectionModel model_;
};

}  // namespace

SelectionModel make_selection_model(const Database& database,
                                    const std::vector<Leaderboard>& boards,
                                    const std::string& kernel) {
  return Assembly(database, boards, kernel).make();
}

}  // namespace warpwright
