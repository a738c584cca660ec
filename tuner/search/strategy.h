// Ask/tell search: a strategy proposes indices of a space and receives the results. It is
// independent of GPUs and files. One strategy object serves one problem; given the same seed and
// answers, it makes the same proposals.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/expr/value.h"
#include "space/search_space.h"

namespace warpwright {

// The result of a proposal. A cost is a finite value to be minimized: a time, an energy or a
// metric.
struct Answer {
  std::uint64_t index = 0;
  std::optional<double> cost = std::nullopt;  // nullopt if the configuration has no cost
  std::optional<double> at_least =
      std::nullopt;                // lower bound if the configuration was pruned as too slow
  std::vector<double> costs = {};  // used instead of `cost` if there are several objectives
};

// A strategy's estimate for all configurations that have not been proposed.
struct Outlook {
  double chance = 0;       // that one of them is better than the best by a given share
  double likely_best = 0;  // expected cost of the best of them
};

// The answers of another board of the kernel, translated to indices of the strategy's own space.
// The costs are comparable only with each other.
struct BoardAnswers {
  Problem problem;
  std::vector<std::pair<std::uint64_t, double>> costs;  // by index, above 0
};

class Strategy {
 public:
  virtual ~Strategy() = default;
  // Returns the next index to try, each at most once; nullopt if the strategy has nothing left to
  // propose. May be called again before earlier proposals are answered, since compilation runs
  // ahead of measurement.
  [[nodiscard]] virtual std::optional<std::uint64_t> ask() = 0;
  virtual void tell(const Answer& answer) = 0;

  // Passes the estimate of one source for one configuration, at any time: for example a modelled
  // time, or the time of another problem or device. Costs of one source are above 0, comparable
  // only with each other, and may be misleading. Sources are numbered from 0.
  virtual void believe(std::size_t /*source*/, std::uint64_t /*index*/, double /*cost*/) {}
  // Passes all answers of other boards so far, which replace those of earlier calls, and the
  // problem of this search. At most `questions` further proposals may come from the model shared by
  // all boards; they take precedence over others.
  virtual void compare(const Problem& /*own*/, const std::vector<BoardAnswers>& /*others*/,
                       std::size_t /*questions*/) {}
  // The part of the strategy that made the last proposal: "default", "spread", "forest", ...; the
  // strategy's own name if it has no parts.
  [[nodiscard]] virtual std::string asker() const { return ""; }
  // Estimates whether a configuration is left that is better by `gain`, a share of the best cost.
  // Returns nullopt while that cannot be estimated, and always for strategies that do not learn.
  [[nodiscard]] virtual std::optional<Outlook> outlook(double /*gain*/) { return std::nullopt; }
};

struct StrategyOptions {
  std::uint64_t seed = 1;
  std::map<std::string, Value> values = {};  // of the sweep's `search:` block, without `strategy`
  std::optional<std::uint64_t> budget = std::nullopt;  // maximum number of proposals, if known
  // Configurations known to be good elsewhere, such as defaults; strategies that learn try them
  // first.
  std::vector<std::uint64_t> first = {};

  // The value of an option that make_strategy() has checked.
  [[nodiscard]] std::int64_t integer(const std::string& name, std::int64_t otherwise) const;
  [[nodiscard]] double real(const std::string& name, double otherwise) const;
};

// The names that make_strategy() accepts, each with a line of help.
[[nodiscard]] const std::vector<std::pair<std::string, std::string>>& strategy_names();

// `space` must outlive the strategy. Throws Error (user) on an unknown name or option.
[[nodiscard]] std::unique_ptr<Strategy> make_strategy(const std::string& name,
                                                      const SearchSpace& space,
                                                      const StrategyOptions& options);

}  // namespace warpwright
