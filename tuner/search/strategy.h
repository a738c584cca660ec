// Ask/tell search: a strategy proposes indices of a space and is told the results. It knows nothing
// of GPUs or files. One strategy object serves one problem; given the same seed and answers it asks
// the same questions.
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

// What became of a question. A cost is what is to be low, finite: a time, an energy, a metric.
struct Answer {
  std::uint64_t index = 0;
  std::optional<double> cost = std::nullopt;  // there may be none
  std::optional<double> at_least =
      std::nullopt;                // of a configuration that was given up as too slow: its bound
  std::vector<double> costs = {};  // instead of `cost`, where there are several objectives
};

// What a strategy makes of everything that nobody has asked about.
struct Outlook {
  double chance = 0;       // that something there is better than the best by a given share
  double likely_best = 0;  // the cost that the best of it is expected to have
};

// What another board of the kernel has answered, in terms of a strategy's own space. Costs are
// comparable with each other only.
struct BoardAnswers {
  Problem problem;
  std::vector<std::pair<std::uint64_t, double>> costs;  // by index, above 0
};

class Strategy {
 public:
  virtual ~Strategy() = default;
  // The next index to try, each at most once; nullopt when the strategy has nothing left to ask.
  // May be called again before earlier questions were answered: compilation runs ahead of
  // measurement.
  [[nodiscard]] virtual std::optional<std::uint64_t> ask() = 0;
  virtual void tell(const Answer& answer) = 0;

  // What a source of knowledge says of a configuration, at any time: a model's time, or that of
  // another problem or device. Costs of one source, above 0, are comparable with each other and
  // with nothing else, and may be misleading. Sources are numbered from 0.
  virtual void believe(std::size_t /*source*/, std::uint64_t /*index*/, double /*cost*/) {}
  // What other boards have answered until now, instead of what was said of that before, and the
  // problem that is searched here. At most `questions` more may follow from what all of them have
  // in common; they come before others.
  virtual void compare(const Problem& /*own*/, const std::vector<BoardAnswers>& /*others*/,
                       std::size_t /*questions*/) {}
  // Whose idea the last question was: "default", "spread", "forest", ...; the strategy's own name
  // where it has no parts.
  [[nodiscard]] virtual std::string asker() const { return ""; }
  // Whether something better by `gain`, a share of the best's cost, is likely to be left; nullopt
  // while there is no telling, and always of strategies that do not learn.
  [[nodiscard]] virtual std::optional<Outlook> outlook(double /*gain*/) { return std::nullopt; }
};

struct StrategyOptions {
  std::uint64_t seed = 1;
  std::map<std::string, Value> values = {};  // of the sweep's `search:` block, less `strategy`
  std::optional<std::uint64_t> budget = std::nullopt;  // questions that may be asked, if known
  // What is known to be good elsewhere, as defaults are: asked first by strategies that listen.
  std::vector<std::uint64_t> first = {};

  // Of an option that make_strategy() has checked.
  [[nodiscard]] std::int64_t integer(const std::string& name, std::int64_t otherwise) const;
  [[nodiscard]] double real(const std::string& name, double otherwise) const;
};

// Names that make_strategy knows, with a line of help each.
[[nodiscard]] const std::vector<std::pair<std::string, std::string>>& strategy_names();

// `space` must outlive the strategy. Throws Error (user) on an unknown name or option.
[[nodiscard]] std::unique_ptr<Strategy> make_strategy(const std::string& name,
                                                      const SearchSpace& space,
                                                      const StrategyOptions& options);

}  // namespace warpwright
