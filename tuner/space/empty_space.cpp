#include "space/empty_space.h"

#include <fmt/format.h>

namespace warpwright {

Emptied explain_empty(const GroupProblem& problem, const BoundConstraint* blocker) {
  Emptied emptied;
  emptied.variant = problem.group.variant;
  emptied.combinations = problem.cartesian_size();
  for (const BoundConstraint& constraint : problem.constraints) {
    if (constraint.rejected == 0) continue;
    emptied.rejections.emplace_back(constraint.spec->expr.text(), constraint.rejected);
  }
  if (blocker == nullptr) return emptied;
  emptied.where = blocker->spec->expr.where();
  emptied.expression = blocker->spec->expr.text();
  emptied.because = blocker->spec->because;
  return emptied;
}

const BoundConstraint* last_blocker(const GroupProblem& problem,
                                    const std::vector<int>& constraints) {
  const BoundConstraint* blocker = nullptr;
  for (const int index : constraints) {
    const BoundConstraint& candidate = problem.constraints[static_cast<std::size_t>(index)];
    if (candidate.rejected == 0) continue;
    if (blocker == nullptr || candidate.deepest > blocker->deepest ||
        (candidate.deepest == blocker->deepest && candidate.rejected > blocker->rejected)) {
      blocker = &candidate;
    }
  }
  return blocker;
}

Error empty_space_error(const std::vector<Emptied>& groups) {
  std::string text = "no configuration is valid";
  for (const Emptied& group : groups) {
    const std::string variant =
        group.variant.empty() ? "" : fmt::format("variant {}: ", group.variant);
    text += fmt::format("{}{}\"{}\" removed the last of {:.0f} combinations",
                        groups.size() > 1 ? "\n  " : ": ", variant, group.expression,
                        group.combinations);
    if (!group.because.empty()) text += fmt::format(" ({})", group.because);
    if (group.rejections.size() < 2) continue;
    for (const auto& [expression, count] : group.rejections) {
      text +=
          fmt::format("\n{}\"{}\" rejected {} partial or whole assignment{}",
                      groups.size() > 1 ? "    " : "  ", expression, count, count == 1 ? "" : "s");
    }
  }
  text += "\n  relax a constraint or list more values";
  return user_error(groups.front().where, text);
}

}  // namespace warpwright
