// Searches of whole sweeps on recordings: the boards of a kernel one after another, visited and
// compared with each other as in a sweep (sweep/trial_source.h, sweep/warm_start.h), with the
// answers of a complete recording; no device, no compiler, no engine. Trials that were pruned there
// took at least their bound, and are timed here while nothing better has been found. Prints one
// JSON object: for every seed, the time of each board's best next to the best there is.
// scripts/record/search_rounds makes tables of several.
//
//   search_simulation --recording FILE --kernel NAME [--share 0.1 | --budget N] [--seeds 40]
//                     [--first-seed 1] [--model FILE [--at-first 96]] [--visits 2]
//
// --visits 1: every board once and not compared with others, as in a sweep that cannot come back.
// --model: modelled times by problem and configuration, in the form of results/nvidia-h200/studies/
// model_ranking.json; on each board the search receives those that a search of the model asks for.
// --at-first: the number of them that it has before a board's first question; then it gets one with
// each answer of the sweep, as where emulators are slow.
#include <fmt/format.h>

#include <deque>
#include <iostream>
#include <nlohmann/json.hpp>
#include <set>

#include "core/error.h"
#include "core/files.h"
#include "replay/read_recordings.h"
#include "sweep/model_prior.h"
#include "sweep/trial_source.h"
#include "sweep/warm_start.h"

namespace warpwright::testing {
namespace {

// A sweep has compilers and a GPU to keep busy (SweepWorkers::demand()).
constexpr std::size_t kOpen = 18;
// The number of open questions to a model (ModelPrior::ask()).
constexpr std::size_t kModelsOpen = 8;
// A configuration that is slower than the best by more than this factor is given up.
constexpr double kPruned = 1.1;

struct Asked {
  std::filesystem::path recording, model;
  std::string kernel;
  double share = 0.1;
  std::int64_t budget = 0;
  std::uint64_t seeds = 40, first_seed = 1;
  int visits = 2;
  std::size_t at_first = kMaxModelled;
};

Asked parse(int count, char** arguments) {
  Asked asked;
  for (int i = 1; i < count; i += 2) {
    const std::string name = arguments[i];
    if (i + 1 == count) throw user_error(fmt::format("{}: a value is missing", name));
    const std::string value = arguments[i + 1];
    if (name == "--recording")
      asked.recording = value;
    else if (name == "--model")
      asked.model = value;
    else if (name == "--kernel")
      asked.kernel = value;
    else if (name == "--share")
      asked.share = std::stod(value);
    else if (name == "--budget")
      asked.budget = std::stoll(value);
    else if (name == "--visits")
      asked.visits = std::stoi(value);
    else if (name == "--at-first")
      asked.at_first = std::stoull(value);
    else if (name == "--seeds")
      asked.seeds = std::stoull(value);
    else if (name == "--first-seed")
      asked.first_seed = std::stoull(value);
    else
      throw user_error(fmt::format("{}: unknown; see the head of search_simulation.cpp", name));
  }
  return asked;
}

// A board of the recording, the first questions of its sweep, and the modelled times.
struct RecordedSearch {
  Problem problem;
  Recording recording;
  std::vector<std::uint64_t> defaults;
  std::map<std::uint64_t, double> modelled;
};

class Study {
 public:
  explicit Study(const Asked& asked) : asked_(asked) {
    const Database database(asked.recording, OpenMode::kReadOnly);
    RecordingChoice choice;
    choice.kernel = asked.kernel;
    FoundRecordings found = board_recordings(database, choice, asked.recording.filename().string());
    // Boards in the order of their sweep.
    Database::TrialFilter filter;
    filter.kernel = asked.kernel;
    filter.newest_per_key = false;
    std::map<std::string, std::pair<std::size_t, Problem>> order;
    for (const Database::TrialRow& row : database.trials(filter))
      order.try_emplace(row.trial.problem_text, order.size(), *row.trial.problem);
    std::stable_sort(found.recordings.begin(), found.recordings.end(),
                     [&](const Recording& a, const Recording& b) {
                       return order.at(a.head.problem).first < order.at(b.head.problem).first;
                     });
    std::set<std::string> defaults;
    for (const auto& [id, kernel] : database.kernels())
      if (kernel.name == asked.kernel && kernel.default_configuration)
        defaults.insert(*kernel.default_configuration);
    const nlohmann::json model =
        asked.model.empty() ? nlohmann::json() : nlohmann::json::parse(read_file(asked.model));
    for (Recording& recording : found.recordings) {
      RecordedSearch& board = boards_.emplace_back();
      board.problem = order.at(recording.head.problem).second;
      std::map<std::string, std::uint64_t> indices;
      for (std::uint64_t index = 0; index < recording.count(); ++index)
        indices[recording.space->at(index).to_string()] = index;
      for (const std::string& text : defaults)
        if (indices.contains(text)) board.defaults.push_back(indices.at(text));
      if (!model.is_null()) read_model(model, recording.head, indices, board);
      board.recording = std::move(recording);
      spaces_ += board.recording.count();
    }
    if (boards_.empty()) throw user_error("the recording has no complete board of that kernel");
    budget_ = asked.budget > 0
                  ? asked.budget
                  : std::max<std::int64_t>(
                        1, static_cast<std::int64_t>(asked.share * static_cast<double>(spaces_) /
                                                     static_cast<double>(boards_.size())));
  }

  nlohmann::json run() {
    nlohmann::json searches = nlohmann::json::array();
    for (std::uint64_t seed = asked_.first_seed; seed < asked_.first_seed + asked_.seeds; ++seed)
      searches.push_back(search(seed));
    nlohmann::json problems = nlohmann::json::array();
    for (const RecordedSearch& board : boards_) problems.push_back(board.recording.head.problem);
    return {{"kernel", asked_.kernel},
            {"recording", asked_.recording.filename().string()},
            {"modelled", !asked_.model.empty()},
            {"at_first", asked_.at_first},
            {"most_modelled", kMaxModelled},
            {"visits", asked_.visits},
            {"configurations", spaces_},
            {"budget", budget_},
            {"problems", problems},
            {"searches", searches}};
  }

 private:
  void read_model(const nlohmann::json& model, const RecordingHead& head,
                  const std::map<std::string, std::uint64_t>& indices,
                  RecordedSearch& board) const {
    for (const nlohmann::json& problem : model.at("problems")) {
      if (problem.at("kernel") != asked_.kernel || problem.at("problem") != head.problem) continue;
      for (const nlohmann::json& one : problem.at("configurations")) {
        const std::string text = one.at("configuration");
        const std::string variant = "variant=";
        const auto index =
            indices.find(text.starts_with(variant) ? text.substr(variant.size()) : text);
        if (index != indices.end()) board.modelled[index->second] = one.at("modelled_us");
      }
    }
  }

  // As ModelPrior asks.
  [[nodiscard]] static std::vector<std::uint64_t> asked_of_model(const RecordedSearch& board,
                                                                 std::uint64_t seed) {
    StrategyOptions options;
    options.seed = seed;
    options.budget = kMaxModelled;
    options.first = board.defaults;
    const auto strategy = make_strategy("auto", *board.recording.space, options);
    std::vector<std::uint64_t> asked;
    std::size_t told = 0;
    const auto tell_one = [&] {
      Answer answer{asked[told++]};
      const auto said = board.modelled.find(answer.index);
      if (said != board.modelled.end()) answer.cost = said->second;
      strategy->tell(answer);
    };
    while (asked.size() < kMaxModelled) {
      if (asked.size() - told == kModelsOpen) tell_one();
      const auto index = strategy->ask();
      if (index) {
        asked.push_back(*index);
      } else {
        if (told == asked.size()) break;
        tell_one();
      }
    }
    return asked;
  }

  [[nodiscard]] SweepPlan plan(std::uint64_t seed) const {
    SweepPlan plan;
    plan.kernel.name = asked_.kernel;
    plan.strategy = "auto";
    plan.budget.trials = budget_;
    DeviceInfo device;
    device.id = device.name = device.arch = "recorded";
    device.has_clock = true;
    plan.devices = {device};
    plan.groups = group_devices(plan.devices);
    for (const RecordedSearch& recorded : boards_) {
      PlannedBoard board;
      board.summary.device = device;
      board.summary.problem = recorded.problem;
      board.summary.problem_text = recorded.recording.head.problem;
      board.summary.space_count = board.summary.asked = recorded.recording.count();
      board.space = std::shared_ptr<const SearchSpace>(recorded.recording.space.get(),
                                                       [](const SearchSpace*) {});
      StrategyOptions options;
      options.seed = seed;
      options.budget = static_cast<std::uint64_t>(budget_);
      options.first = recorded.defaults;
      board.strategy = make_strategy("auto", *board.space, options);
      board.strategy_name = "auto";
      board.questions = recorded.recording.count();
      board.warm_start = asked_.visits > 1;
      plan.boards.push_back(std::move(board));
    }
    return plan;
  }

  // The result of a trial when best_us is the best so far.
  [[nodiscard]] TrialRecord trial(std::size_t board, std::uint64_t index, RowId id,
                                  std::optional<double> best_us) const {
    const Recording& recording = boards_[board].recording;
    TrialRecord trial;
    trial.id = id;
    const Configuration configuration = recording.space->at(index);
    trial.problem = boards_[board].problem;
    trial.problem_text = recording.head.problem;
    trial.variant = configuration.variant;
    trial.parameters = configuration.values;
    trial.configuration_text = configuration.to_string();
    trial.status = recording.status[index];
    const double bound = recording.at_least_us[index];
    if (recording.us[index] > 0) trial.median_us = recording.us[index];
    trial.protocol = "recorded";
    if (trial.status != Status::kPruned) return trial;
    if (!best_us || bound < kPruned * *best_us) {
      trial.status = Status::kOk;
      trial.median_us = bound;
    } else {
      trial.at_least_us = bound;
      trial.protocol = "";  // timed by none
    }
    return trial;
  }

  nlohmann::json search(std::uint64_t seed) const {
    SweepPlan planned = plan(seed);
    SweepOptions options;
    options.seed = seed;
    const TemporaryFolder folder("search-simulation");
    const Database database(folder.path() / "none.db");
    const std::map<std::string, std::string> hashes;
    TrialSource source(planned.boards, planned.goal, planned.budget, {},
                       [] { return TrialSource::Clock::time_point(); });
    for (PlannedBoard& board : planned.boards) board.warm_start = true;
    WarmStart known(options, planned, hashes, database);
    source.allow_open(kOpen);
    const auto compare = [&](std::size_t board) {
      if (const std::size_t questions = source.across(board))
        planned.boards[board].strategy->compare(planned.boards[board].summary.problem,
                                                known.answers(board), questions);
    };
    std::vector<std::deque<std::uint64_t>> modelled(planned.boards.size());
    const auto model_one = [&](std::size_t board) {
      if (modelled[board].empty()) return;
      const std::uint64_t index = modelled[board].front();
      modelled[board].pop_front();
      planned.boards[board].strategy->believe(0, index, boards_[board].modelled.at(index));
    };
    source.on_begin([&](std::size_t board) {
      const bool has_model = !boards_[board].modelled.empty();
      if (has_model)
        for (const std::uint64_t index : asked_of_model(boards_[board], seed))
          if (boards_[board].modelled.contains(index)) modelled[board].push_back(index);
      for (std::size_t i = 0; i < asked_.at_first; ++i) model_one(board);
      tell_beliefs(*planned.boards[board].strategy, known.sources(board), has_model ? 1 : 0);
      compare(board);
    });
    source.on_return(compare);
    RowId next = 1;
    std::deque<TrialSource::Question> open;
    std::vector<std::map<std::string, std::size_t>> askers(planned.boards.size());
    for (;;) {
      while (const std::optional<TrialSource::Question> question = source.next())
        open.push_back(*question);
      if (open.empty()) break;
      const TrialSource::Question question = open.front();
      open.pop_front();
      const TrialRecord answer =
          trial(question.board, question.index, next++, source.best_us(question.board));
      ++askers[question.board][question.asker];
      source.tell(question, answer);
      known.note(question.board, answer);
      for (std::size_t board = 0; board < planned.boards.size(); ++board) model_one(board);
    }
    nlohmann::json slower = nlohmann::json::array();
    nlohmann::json best_from = nlohmann::json::array();
    for (std::size_t board = 0; board < planned.boards.size(); ++board) {
      const auto best = source.best_us(board);
      slower.push_back(best ? *best / boards_[board].recording.best_us - 1 : 1e9);
      const auto course = source.course(board);
      best_from.push_back(course && !course->steps.empty() ? course->steps.back().asker : "");
    }
    return {{"seed", seed}, {"slower", slower}, {"best_from", best_from}, {"asked", askers}};
  }

  const Asked asked_;
  std::vector<RecordedSearch> boards_;
  std::size_t spaces_ = 0;
  std::int64_t budget_ = 0;
};

}  // namespace
}  // namespace warpwright::testing

int main(int count, char** arguments) {
  using namespace warpwright::testing;
  try {
    std::cout << Study(parse(count, arguments)).run().dump() << "\n";
    return 0;
  } catch (const std::exception& error) {
    std::cerr << "search_simulation: " << error.what() << "\n";
    return 2;
  }
}
