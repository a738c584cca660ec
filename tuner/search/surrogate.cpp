// Surrogate search: a model learns from every answer the expected logarithm of the cost, its
// uncertainty, and where configurations fail; the next proposal is the one with the largest
// expected improvement over the best. `auto` adds a competing local search: one of every few
// proposals is a neighbour of a good configuration, whatever the model predicts.
// Source: D. R. Jones, M. Schonlau, W. J. Welch, Efficient Global Optimization of Expensive
// Black-Box Functions, Journal of Global Optimization 13 (1998), with the forest of F. Hutter, H.
// Hoos, K. Leyton-Brown, Sequential Model-Based Optimization for General Algorithm Configuration,
// LION 5 (2011), grown as in stats/extra_trees.h. Pending proposals count with the cost that the
// model predicts: D. Ginsbourger, R. Le Riche, L. Carraro, Kriging is well-suited to parallelize
// optimization (2010).
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "search/cost_model.h"
#include "search/guided.h"
#include "search/strategies.h"

namespace warpwright {
namespace {

// Estimates how likely it is that a better configuration is left. The model's own expectation is
// not used directly: the model is uncertain in unexplored regions, and the errors of its
// predictions are correlated. The chance is instead fitted to replays of recorded spaces: it falls
// with the number of answers, with the number of answers since the last improvement, and as the
// neighbours of the best look less promising.
struct Remainder {
  struct One {
    double stands_for = 1;  // the number of untried configurations that it represents
    bool near = false;      // a neighbour of one of the best
    double mean = 0, spread = 0;
    double failing = 0;
  };
  std::vector<One> sample;
  double best = 0;  // the best response among the answers
  std::uint64_t answers = 0;
  std::uint64_t since_better = 0;  // answers since the last improvement
  std::uint64_t count = 0;         // configurations in the space
};

// The log-odds are linear in the terms below. The coefficients were fitted to 2,016 moments of
// replays of eight recordings with 4,000 to 18,000 configurations, for gains of 1 % and 5 %.
constexpr double kOdds = 5.51;
constexpr double kOddsNear = 0.178;      // log of the expected number of better neighbours
constexpr double kOddsSince = -0.271;    // log of the answers since the last better one
constexpr double kOddsAnswers = -1.093;  // log of the number of all answers
constexpr double kOddsGain = -0.106;     // log of the gain
constexpr double kUsualGain = 0.01;
constexpr double kLeastGainOfAll = 0.001;
// Added to a value that may be 0 before its logarithm is taken.
constexpr double kMinNear = 1e-3;
// In spaces larger than any recorded one, each answer counts for less.
constexpr double kLargestRecorded = 18000;
constexpr double kLarger = 0.25;
// While part of a space is untried, the estimated chance never falls below this.
constexpr double kLeastChance = 0.03;
// The trees disagree by more than their prediction error, so the spread is scaled down.
constexpr double kSpreadTrusted = 0.4;

double expected_below(const Remainder::One& one, double bound) {
  const double far = (bound - one.mean) / std::max(kSpreadTrusted * one.spread, 1e-9);
  return one.stands_for * (1 - one.failing) * 0.5 * std::erfc(-far * 0.7071067811865476);
}

// The chance that an untried configuration has a response lower than the best by at least `gain`.
double chance_of(const Remainder& rest, double gain) {
  if (rest.sample.empty()) return 0;
  double near = kMinNear;
  double left = 0;
  for (const Remainder::One& one : rest.sample) {
    left += one.stands_for;
    if (one.near) near += expected_below(one, rest.best - gain);
  }
  const auto count = static_cast<double>(rest.count);
  const double larger = std::pow(std::max(1.0, count / kLargestRecorded), kLarger);
  const double odds =
      kOdds + kOddsNear * std::log(near) +
      kOddsSince * std::log1p(static_cast<double>(rest.since_better)) +
      kOddsAnswers *
          std::log(static_cast<double>(std::max<std::uint64_t>(1, rest.answers)) / larger) +
      kOddsGain * std::log(std::max(gain, kLeastGainOfAll) / kUsualGain);
  const double chance = std::max(kLeastChance, 1 / (1 + std::exp(-odds)));
  // The best configuration is no more likely to be among the untried ones than in a random order.
  return std::min(chance, left / count);
}

// The median of the best response among the untried configurations.
double likely_least(const Remainder& rest) {
  double low = rest.best;
  double high = rest.best;
  for (const Remainder::One& one : rest.sample) {
    low = std::min(low, one.mean - 4 * one.spread);
    high = std::max(high, one.mean + 4 * one.spread);
  }
  // With an expected count of ln 2 below a bound, the chance that there is none is one half.
  const double half = std::log(2.0);
  for (int i = 0; i < 40; ++i) {
    const double middle = 0.5 * (low + high);
    double expected = 0;
    for (const Remainder::One& one : rest.sample) expected += expected_below(one, middle);
    (expected < half ? low : high) = middle;
  }
  return 0.5 * (low + high);
}

// The number of random candidates that the model chooses from, in addition to the neighbours of the
// best.
constexpr std::size_t kDrawn = 600;
constexpr std::size_t kBestWithNeighbours = 8;
// The smallest expected gain, in logarithms, for which the model's proposal is worth a trial.
constexpr double kLeastGain = 0.005;
// With fewer answers than this, retraining the model takes negligible time.
constexpr std::size_t kFew = 100;
// The number of proposals that all sources together may make; every source makes at least one.
constexpr std::size_t kOfSources = 6;
// Later proposals of a source are the least similar of this many best configurations that are
// untried.
constexpr std::size_t kBelieved = 20;
// The number of further proposals a source gets when it names a new best after its first proposal.
constexpr std::size_t kOfNews = 3;
// Stands for the proposal of a source that had none.
constexpr std::uint64_t kNothing = std::numeric_limits<std::uint64_t>::max();
// With fewer answers than this, there is no estimate of the remainder.
constexpr std::size_t kMinForOutlook = 10;
// An outlook samples this many random configurations, in addition to the neighbours of the best.
constexpr std::size_t kLookedAt = 600;

// With fewer answers than this, this search's model adds nothing to the one shared by all boards.
// Its estimate is lowered by this many standard deviations.
constexpr std::size_t kMinForPromise = 6;
constexpr double kSpreadOfPromise = 1;
// The number of proposals from other boards that do not wait for this search's model.
constexpr std::size_t kAtTheirWord = 2;

// The smallest sample, kept even if defaults and presets take most of the budget.
constexpr std::size_t kMinAround = 3;

double expected_improvement(double best, double mean, double spread) {
  if (spread < 1e-9) return std::max(0.0, best - mean);
  const double z = (best - mean) / spread;
  const double density = 0.3989422804014327 * std::exp(-0.5 * z * z);
  const double share = 0.5 * std::erfc(-z * 0.7071067811865476);
  return (best - mean) * share + spread * density;
}

class Surrogate : public Explorer {
 public:
  Surrogate(const SearchSpace& space, const StrategyOptions& options, std::size_t local)
      : Explorer(space, options, "random"),
        beliefs_(space, encoding()),
        across_(space, encoding()),
        model_(space, encoding(), knowledge(), beliefs_,
               static_cast<std::size_t>(options.integer("trees", 20))),
        batch_(static_cast<std::size_t>(options.integer("batch", 3))),
        local_(std::min(local, batch_ - 1)),
        first_(static_cast<std::size_t>(options.integer("first", 10))),
        outlook_random_(options.seed),
        across_random_(options.seed) {
    // A small budget must not be spent on the spread sample; the defaults and presets also explore.
    if (options.budget) {
      const auto most =
          static_cast<std::size_t>(std::ceil(0.4 * static_cast<double>(*options.budget)));
      const std::size_t left = most - std::min(most, options.first.size());
      first_ = std::min(first_, std::max(left, std::min(most, kMinAround)));
    }
  }

  void believe(std::size_t source, std::uint64_t index, double cost) override {
    beliefs_.hear(source, index, cost);
  }

  void compare(const Problem& own, const std::vector<BoardAnswers>& others,
               std::size_t questions) override {
    across_.hear(own, others);
    across_left_ = across_.knows() ? questions : 0;
  }

  std::optional<Outlook> outlook(double gain) override {
    if (knowledge().seen.empty() || knowledge().answers() < kMinForOutlook) return std::nullopt;
    const Remainder rest = look_at_rest();
    if (rest.sample.empty()) return Outlook{0, knowledge().seen.front().cost};
    const double best = knowledge().seen.front().cost;
    const double bound = model_.response(best - gain * std::abs(best));
    return Outlook{chance_of(rest, rest.best - bound), model_.cost(likely_least(rest))};
  }

 private:
  // Comes first because a configuration that is good on all boards makes it cheap to prune every
  // worse one, including the defaults.
  std::optional<Wish> wish_before_all() override {
    if (across_left_ == 0) return std::nullopt;
    if (const std::optional<std::uint64_t> index = news()) {
      --across_left_;
      return Wish{*index, kNobody, "believed"};
    }
    if (across_asked_ >= kAtTheirWord && knowledge().seen.size() < kMinForPromise)
      return std::nullopt;
    ++across_asked_;
    --across_left_;
    std::vector<std::uint64_t> candidates = to_choose_from();
    std::erase_if(candidates, [&](std::uint64_t index) { return is_asked(index); });
    const std::optional<std::uint64_t> index =
        across_.best(knowledge(), candidates, own_promise(), across_random_);
    if (!index) return std::nullopt;
    notice(*index);
    return Wish{*index, kNobody, "other boards"};
  }

  // This search's model, including the modelled times it has learned, counts with equal weight; it
  // counts for nothing while there are few answers.
  [[nodiscard]] AcrossBoards::Promise own_promise() {
    if (knowledge().seen.size() < kMinForPromise || !(knowledge().seen.front().cost > 0))
      return nullptr;
    beliefs_.learn();
    model_.learn(across_random_);
    return [this, best = model_.response(knowledge().seen.front().cost)](std::uint64_t index) {
      const CostModel::Guess guess = model_.guess(index);
      return guess.mean - best - kSpreadOfPromise * guess.spread;
    };
  }

  std::optional<Wish> wish() override {
    if (std::optional<std::uint64_t> index = news()) return Wish{*index, kNobody, "believed"};
    if (std::optional<std::uint64_t> index = believed()) return Wish{*index, kNobody, "believed"};
    if (is_sampling()) {
      ++begun_;
      return Wish{spread(), kNobody, "spread"};
    }
    if (batch_left_.empty()) plan();
    if (batch_left_.empty()) return std::nullopt;
    Wish next = std::move(batch_left_.back());
    batch_left_.pop_back();
    return next;
  }

  // With many proposals in flight, the sample would be used up before the model has any answers: it
  // is extended up to twice its size until half of it is answered.
  [[nodiscard]] bool is_sampling() {
    if (begun_ < first_) return true;
    const std::size_t answers = knowledge().answers();
    return asked() > answers && begun_ < 2 * first_ && 2 * answers < first_;
  }

  // A source may be slow, as a model is: it may name its best long after its first proposal was
  // made, or have had no estimate at that time.
  std::optional<std::uint64_t> news() {
    for (std::size_t source = 0; source < words_.size(); ++source) {
      Word& word = words_[source];
      const std::vector<std::uint64_t>& best = beliefs_.best(source);
      if (!word.taken || best.empty()) continue;
      if (best.front() != word.best && !is_asked(best.front())) word.questions = kOfNews;
      word.best = best.front();
      for (std::size_t i = 0; i < best.size() && word.questions > 0; ++i) {
        if (is_asked(best[i])) continue;
        --word.questions;
        notice(best[i]);
        return best[i];
      }
    }
    return std::nullopt;
  }

  // Every other proposal comes from a source until the sources have used up their share; a few are
  // enough to see whether they are useful. Every source gets one; the rest go to the source whose
  // proposals reached the lowest cost.
  std::optional<std::uint64_t> believed() {
    const std::size_t sources = beliefs_.sources();
    raised_.resize(sources);
    was_believed_ = !was_believed_ && sources > 0;
    if (!was_believed_) return std::nullopt;
    std::size_t all = 0;
    for (const std::vector<std::uint64_t>& raised : raised_) all += raised.size();
    if (all >= std::max(sources, std::min(kOfSources, first_))) return std::nullopt;
    return raise(best_source());
  }

  [[nodiscard]] std::size_t best_source() {
    const auto fewest =
        std::min_element(raised_.begin(), raised_.end(),
                         [](const auto& a, const auto& b) { return a.size() < b.size(); });
    const auto chosen = static_cast<std::size_t>(fewest - raised_.begin());
    if (fewest->empty()) return chosen;
    for (const Knowledge::Seen& seen : knowledge().seen) {
      for (std::size_t source = 0; source < raised_.size(); ++source) {
        const std::vector<std::uint64_t>& raised = raised_[source];
        if (std::find(raised.begin(), raised.end(), seen.index) != raised.end()) return source;
      }
    }
    return chosen;
  }

  // The first proposal is the source's best; later ones are those least similar to what was tried.
  std::optional<std::uint64_t> raise(std::size_t source) {
    const bool is_first = raised_[source].empty();
    if (is_first) take_word(source);
    std::optional<std::uint64_t> chosen;
    double farthest = -1;
    std::size_t looked = 0;
    for (const std::uint64_t index : beliefs_.best(source)) {
      if (is_asked(index)) continue;
      const double far = is_first ? 1 : apart(index);
      if (far > farthest) {
        farthest = far;
        chosen = index;
      }
      if (++looked == kBelieved || is_first) break;
    }
    // A source without a candidate has used its turn.
    raised_[source].push_back(chosen.value_or(kNothing));
    if (!chosen) return std::nullopt;
    if (begun_ < first_) ++begun_;
    notice(*chosen);
    return chosen;
  }

  void take_word(std::size_t source) {
    words_.resize(beliefs_.sources());
    words_[source].taken = true;
    if (!beliefs_.best(source).empty()) words_[source].best = beliefs_.best(source).front();
  }

  // Plans the next proposals, last first: with few answers, one model proposal per retraining.
  void plan() {
    if (knowledge().seen.empty()) return;
    beliefs_.learn();
    model_.learn(random());
    std::vector<Candidate> candidates = judge();
    const std::size_t wanted = knowledge().answers() < kFew ? 1 : batch_;
    const std::size_t most = std::min(candidates.size(), wanted);
    std::partial_sort(candidates.begin(), candidates.begin() + static_cast<std::ptrdiff_t>(most),
                      candidates.end(), [](const Candidate& a, const Candidate& b) {
                        if (a.gain != b.gain) return a.gain > b.gain;
                        return a.mean != b.mean ? a.mean < b.mean : a.lot < b.lot;
                      });
    Taken taken;
    for (std::size_t i = 0, next = 0; i < wanted; ++i) {
      std::string asker = "local";
      const bool is_local = turn_++ % batch_ >= batch_ - local_;
      std::optional<std::uint64_t> index = is_local ? neighbour(taken) : std::nullopt;
      if (!index && local_ > 0 && next < most && candidates[next].gain < kLeastGain) {
        asker = "crossing";
        index = child(taken);
      }
      if (!index && next < most) {
        asker = "forest";
        index = candidates[next++].index;
      }
      if (!index || std::find(taken.begin(), taken.end(), *index) != taken.end()) continue;
      taken.push_back(*index);
      batch_left_.insert(batch_left_.begin(), Wish{*index, kNobody, std::move(asker)});
      knowledge().pending[*index] = model_.guess(*index).mean;
    }
  }

  struct Candidate {
    std::uint64_t index;
    double gain, mean;
    std::uint64_t lot;  // breaks ties of gain and mean: a forest has few distinct leaves
  };

  // Returns all configurations if the space is small.
  [[nodiscard]] std::vector<std::uint64_t> to_choose_from() {
    std::vector<std::uint64_t> indices;
    if (space().count() <= kDrawn) {
      for (std::uint64_t i = 0; i < space().count(); ++i) indices.push_back(i);
    } else {
      for (std::size_t i = 0; i < kDrawn; ++i) indices.push_back(any());
      append_around_best(indices);
      for (std::size_t source = 0; source < beliefs_.sources(); ++source)
        indices.insert(indices.end(), beliefs_.best(source).begin(), beliefs_.best(source).end());
      indices.insert(indices.end(), across_.asked_there().begin(), across_.asked_there().end());
      std::sort(indices.begin(), indices.end());
      indices.erase(std::unique(indices.begin(), indices.end()), indices.end());
    }
    return indices;
  }

  [[nodiscard]] std::vector<Candidate> judge() {
    const std::vector<std::uint64_t> indices = to_choose_from();
    const double best = model_.response(knowledge().seen.front().cost);
    std::vector<Candidate> candidates;
    for (const std::uint64_t index : indices) {
      if (is_asked(index)) continue;
      const CostModel::Guess guess = model_.guess(index);
      const double gain = expected_improvement(best, guess.mean, guess.spread);
      candidates.push_back({index, gain * (1 - guess.failing), guess.mean, random().bits()});
    }
    return candidates;
  }

  void append_around_best(std::vector<std::uint64_t>& indices) {
    const std::vector<Knowledge::Seen>& seen = knowledge().seen;
    for (std::size_t i = 0; i < std::min(kBestWithNeighbours, seen.size()); ++i) {
      const std::vector<std::uint64_t> around = space().neighbours(seen[i].index);
      indices.insert(indices.end(), around.begin(), around.end());
    }
  }

  // The neighbours of the best represent only themselves; the random draws represent all others.
  // This does not affect the next proposals: it draws from its own generator, and the model is
  // retrained before each use.
  [[nodiscard]] Remainder look_at_rest() {
    beliefs_.learn();
    model_.learn(outlook_random_);
    Remainder rest;
    rest.best = model_.response(knowledge().seen.front().cost);
    rest.answers = knowledge().answers();
    rest.since_better = knowledge().since_better;
    rest.count = space().count();
    std::vector<std::uint64_t> near;
    append_around_best(near);
    std::sort(near.begin(), near.end());
    near.erase(std::unique(near.begin(), near.end()), near.end());
    std::erase_if(near, [&](std::uint64_t index) { return is_asked(index); });
    std::vector<std::uint64_t> far;
    const bool all = space().count() <= kLookedAt;
    for (std::uint64_t i = 0; i < (all ? space().count() : kLookedAt); ++i) {
      const auto count = static_cast<double>(space().count());
      const std::uint64_t index =
          all ? i : static_cast<std::uint64_t>(outlook_random_.uniform() * count);
      if (!is_asked(index) && !std::binary_search(near.begin(), near.end(), index))
        far.push_back(index);
    }
    const auto look = [&](std::uint64_t index, double stands_for, bool is_near) {
      const CostModel::Guess guess = model_.guess(index);
      rest.sample.push_back({stands_for, is_near, guess.mean, guess.spread, guess.failing});
    };
    for (const std::uint64_t index : near) look(index, 1, true);
    const double left =
        static_cast<double>(space().count()) - static_cast<double>(asked() + near.size());
    for (const std::uint64_t index : far)
      look(index, std::max(0.0, left / static_cast<double>(far.size())), false);
    return rest;
  }

  Beliefs beliefs_;
  AcrossBoards across_;
  std::size_t across_left_ = 0, across_asked_ = 0;  // numbers of proposals
  CostModel model_;
  const std::size_t batch_, local_;
  std::size_t first_;
  std::size_t begun_ = 0;
  std::size_t turn_ = 0;
  std::vector<std::vector<std::uint64_t>> raised_;  // proposals, by source
  struct Word {
    bool taken = false;
    std::uint64_t best = kNothing;  // the best it had named until then
    std::size_t questions = 0;      // further proposals granted for a new best
  };
  std::vector<Word> words_;       // by source
  bool was_believed_ = false;     // whether the last turn went to a source
  std::vector<Wish> batch_left_;  // last first
  SplitMix64 outlook_random_, across_random_;
};

}  // namespace

std::unique_ptr<Strategy> make_surrogate(const SearchSpace& space, const StrategyOptions& options) {
  return std::make_unique<Surrogate>(space, options, 0);
}

std::unique_ptr<Strategy> make_auto(const SearchSpace& space, const StrategyOptions& options) {
  return std::make_unique<Surrogate>(space, options, 1);
}

}  // namespace warpwright
