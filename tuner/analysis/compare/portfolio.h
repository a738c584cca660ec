// Reduces everything that was tried to the few configurations that a selection needs, so that a
// written header stays readable.
#pragma once

#include <cstddef>

#include "analysis/select/selection_model.h"

namespace warpwright {

struct PortfolioOptions {
  std::size_t most = 32;       // configurations; more only if the winners alone exceed it
  double tolerated = 0.01;     // score that any of the sample problems may lose
  std::size_t per_board = 40;  // of a board's best that are considered
};

// `model.configurations` and `model.fractions` hold everything that was tried (no defaults yet) and
// are reduced; winners are renumbered. The winners are kept, and then, greedily, the configurations
// that most improve the vote on sample problems: the tuned ones, those half-way between two of
// them, and those at half and at twice each size. Only configurations allowed on a sample problem
// count there, so that constraints are covered too. The result is in order of configuration and
// depends only on the arguments.
void reduce_to_portfolio(SelectionModel& model, const PortfolioOptions& options = {});

// Leaves out one board after another and selects for its problem from the other boards of its
// device; sets left_out and left_out_good. Needs the model before it is reduced. A pick that the
// board has no time for counts as bad.
void judge_by_leaving_out(SelectionModel& model);

}  // namespace warpwright
