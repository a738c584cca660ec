#include "sweep/sweep_search.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

namespace warpwright {
namespace {

// The time model is the first source of beliefs of a board that uses it.
constexpr std::size_t kTimeModelSource = 0;

}  // namespace

SweepSearch::SweepSearch(const SweepOptions& options, const Paths& paths, SweepPlan& plan,
                         const Database& database, Progress& progress, SweepHost& host)
    : options_(options),
      paths_(paths),
      plan_(plan),
      database_(database),
      progress_(progress),
      host_(host),
      source_(plan.boards, plan.goal, plan.budget, host.now(), [&host] { return host.now(); }) {}

void SweepSearch::gather(const std::map<std::string, std::string>& variant_hashes,
                         CompileService& compilers, EventQueue& events) {
  warm_start_.emplace(options_, plan_, variant_hashes, database_);
  for (std::size_t board = 0; board < plan_.boards.size(); ++board)
    plan_.boards[board].summary.began_with = warm_start_->named(warm_start_->sources(board));
  if (options_.limit_us) source_.know_limits(options_.limit_us);
  source_.on_begin([this](std::size_t board) { begin_board(board); });
  source_.on_return([this](std::size_t board) { compare_boards(board); });
  source_.hold([this](std::size_t board) { return awaits_time_model(board); });
  if (options_.warm_start == true &&
      std::none_of(plan_.boards.begin(), plan_.boards.end(),
                   [](const PlannedBoard& board) { return board.warm_start; }))
    progress_.say(
        fmt::format("--warm-start: {} asks what it asks, whatever is known", plan_.strategy));
  if (!warm_start_->trouble().empty())
    progress_.say(fmt::format("nothing is known of other boards: {}", warm_start_->trouble()));
  if (std::none_of(plan_.boards.begin(), plan_.boards.end(),
                   [](const PlannedBoard& board) { return board.model_prior; }))
    return;
  time_model_ = std::make_unique<ModelPrior>(
      options_, paths_, plan_, compilers, events,
      [this](std::size_t board, std::uint64_t index, double us) {
        plan_.boards[board].strategy->believe(kTimeModelSource, index, us);
      });
  for (std::size_t board = 0; board < plan_.boards.size(); ++board)
    if (time_model_->tells(board))
      plan_.boards[board].summary.began_with.push_back(time_model_->named(board));
}

void SweepSearch::announce_time_model() {
  if (!time_model_) return;
  const PriorSummary planned = time_model_->summary();
  if (planned.candidates == 0) {
    progress_.say(fmt::format("nothing is modelled: {}", time_model_->trouble()));
    return;
  }
  progress_.say(fmt::format("{} models up to {} configuration{} for the search", planned.device,
                            planned.candidates, planned.candidates == 1 ? "" : "s"));
}

std::optional<TrialSource::Question> SweepSearch::next(std::size_t group) {
  const WorkSpan span(host_, EngineWork::kStrategy);
  return source_.next(group);
}

void SweepSearch::tell(const TrialSource::Question& question, const TrialRecord& trial) {
  {
    const WorkSpan span(host_, EngineWork::kStrategy);
    source_.tell(question, trial);
  }
  warm_start_->note(question.board, trial);
}

bool SweepSearch::compiled(CompiledEvent& event) {
  return time_model_ && time_model_->compiled(event.ticket, event.result);
}

void SweepSearch::modelled(ModelledEvent event) {
  if (time_model_) time_model_->modelled(std::move(event));
}

void SweepSearch::stop() {
  if (time_model_) time_model_->stop();
}

// Times of the model that are already available improve the first questions, but these do not wait
// long for them.
bool SweepSearch::awaits_time_model(std::size_t board) {
  if (!time_model_ || !time_model_->tells(board) || time_model_->is_known(board)) return false;
  const auto [since, fresh] = waits_since_.try_emplace(board, host_.now());
  return host_.now() - since->second < ModelPrior::patience(plan_.budget, plan_.boards.size());
}

void SweepSearch::begin_board(std::size_t board) {
  PlannedBoard& begun = plan_.boards[board];
  const std::vector<BoardBeliefs> sources = warm_start_->sources(board);
  const bool models = time_model_ && time_model_->tells(board);
  tell_beliefs(*begun.strategy, sources, models ? kTimeModelSource + 1 : 0);
  begun.summary.began_with = warm_start_->named(sources);
  compare_boards(board);
  const std::string line = warm_start_line(begun.strategy_name, begun.summary.began_with);
  if (line.empty()) return;
  progress_.say(plan_.boards.size() == 1 ? line
                                         : fmt::format("{}: {}", plan_.board_name(board), line));
}

// Passes on the answers of other boards if the visit has questions for them.
void SweepSearch::compare_boards(std::size_t board) {
  const std::size_t questions = source_.across(board);
  if (questions == 0) return;
  const PlannedBoard& planned = plan_.boards[board];
  planned.strategy->compare(planned.summary.problem, warm_start_->answers(board), questions);
}

void SweepSearch::add_to(SweepSummary& summary) {
  for (const PlannedBoard& board : plan_.boards) summary.boards.push_back(board.summary);
  for (std::size_t board = 0; board < plan_.boards.size(); ++board)
    if (auto course = source_.course(board)) summary.searches.push_back(*std::move(course));
  if (!time_model_) return;
  summary.prior = time_model_->summary();
  for (std::size_t board = 0; board < plan_.boards.size(); ++board)
    if (time_model_->tells(board))
      summary.boards[board].began_with.push_back(time_model_->named(board));
  if (!time_model_->trouble().empty() && summary.prior.candidates > 0)
    progress_.say(fmt::format("not everything was modelled: {}", time_model_->trouble()));
}

}  // namespace warpwright
