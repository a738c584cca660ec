// The code of select() in written headers, which is the same for every contract; `$` stands for the
// prefix of names. It must agree with analysis/select/select_configuration.cpp.
#include <fmt/format.h>

#include "analysis/select/select_configuration.h"
#include "exchange/header/header_sections.h"

namespace warpwright {
namespace {

constexpr std::string_view kChoose = R"(
WW_FN ww_limits $limits_of(ww_device device) {
  const int capability = ww_capability_of(device.arch);
  ww_limits limits = device.limits;
  if (capability > 0) limits.compute_capability = capability;
  for (int i = 0; i < $DEVICE_COUNT; ++i) {
    if (ww_same_device($devices[i], device)) limits = ww_fill_limits(limits, $devices[i].limits);
  }
  return ww_fill_limits(limits, ww_least_limits(capability));
}

WW_FN double $squared_distance($problem tuned, $problem problem) {
  const $place a = $place_of(tuned);
  const $place b = $place_of(problem);
  double sum = $OTHER_CHOICE * $OTHER_CHOICE * $other_choices(tuned, problem);
  for (int i = 0; i < $AXIS_COUNT; ++i) sum += (a.axes[i] - b.axes[i]) * (a.axes[i] - b.axes[i]);
  if (a.counted && b.counted)
    sum += $WORK_SCALE * (a.work - b.work) * ($WORK_SCALE * (a.work - b.work));
  return sum;
}
WW_FN double $board_weight(double squared) {
  const double closeness = 1 / ($NEARBY * $NEARBY + squared);
  return closeness * closeness;
}
/* What boards say of a configuration, in fractions of the best; below 0: nothing. */
WW_FN double $board_score(const short *thousandths, const double *weights, double total) {
  double sum = $PRIOR_WEIGHT * $PRIOR_FRACTION;
  double known = $PRIOR_WEIGHT;
  for (int i = 0; i < $BOARD_COUNT; ++i) {
    if (!(weights[i] > 0) || thousandths[i] < 0) continue;
    sum += weights[i] / total * thousandths[i] / 1000;
    known += weights[i] / total;
  }
  return known > $PRIOR_WEIGHT ? sum / known : -1;
}

/* The vote of tuned problems: on this device or on others of its architecture, with the same listed
   values or with others. */
WW_FN ww_selection $vote(ww_device device, ww_limits limits, $problem problem, int same_device,
                         int same_choices) {
  double weights[$BOARD_COUNT] = WW_ZERO;
  double total = 0;
  double least = 0;
  ww_selection chosen = ww_no_selection();
  ww_match match = WW_MATCH_NEAREST_OTHER_CHOICE;
  if (same_choices) match = same_device ? WW_MATCH_NEAREST_SAME_DEVICE : WW_MATCH_NEAREST_SAME_ARCH;
  for (int i = 0; i < $BOARD_COUNT; ++i) {
    const ww_device tuned = $devices[$boards[i].device];
    if (!ww_same_arch(tuned.arch, device.arch)) continue;
    if (ww_same_device(tuned, device) != same_device) continue;
    if (($other_choices($boards[i].problem, problem) == 0) != same_choices) continue;
    const double squared = $squared_distance($boards[i].problem, problem);
    const int equal = $same_sizes($boards[i].problem, problem);
    if (chosen.nearest < 0 || squared < least || equal) {
      chosen.nearest = i;
      chosen.distance = ww_root(squared);
      least = equal ? -1 : squared;
    }
    weights[i] = $board_weight(squared);
    total += weights[i];
  }
  if (chosen.nearest < 0) return chosen;
  chosen.limits = limits;
  const int winner = $boards[chosen.nearest].winner;
  if (least < 0 && $allowed($configurations[winner], problem, limits)) {
    chosen.match = same_device ? WW_MATCH_EXACT : WW_MATCH_NEAREST_SAME_ARCH;
    chosen.configuration = winner;
    chosen.score = 1;
    return chosen;
  }
  for (int i = 0; i < $CANDIDATE_COUNT; ++i) {
    const double score = $board_score($fractions[i], weights, total);
    if (!(score > chosen.score + $SCORE_TIE)) continue;
    if (!$allowed($configurations[i], problem, limits)) continue;
    chosen.match = match;
    chosen.configuration = i;
    chosen.score = score;
  }
  return chosen;
}

/* The defaults of the variant that does best on the tuned problems near this one, wherever they
   were tuned. */
WW_FN ww_selection $contract_default(ww_limits limits, $problem problem) {
  double weights[$BOARD_COUNT] = WW_ZERO;
  double total = 0;
  double best = 0;
  ww_selection chosen = ww_no_selection();
  for (int i = 0; i < $BOARD_COUNT; ++i) {
    weights[i] = $board_weight($squared_distance($boards[i].problem, problem));
    total += weights[i];
  }
  for (int i = $CANDIDATE_COUNT; i < $CONFIGURATION_COUNT; ++i) {
    double merit = $board_score($merits[i - $CANDIDATE_COUNT], weights, total);
    if (merit < 0) merit = 0;
    if (chosen.configuration >= 0 && !(merit > best + $SCORE_TIE)) continue;
    if (!$allowed($configurations[i], problem, limits)) continue;
    chosen.match = WW_MATCH_DEFAULT;
    chosen.configuration = i;
    chosen.limits = limits;
    best = merit;
  }
  return chosen;
}

/* The configuration for a problem on a device. A device is tuned when its name and its architecture
   are. */
WW_FN ww_selection $select(ww_device device, $problem problem) {
  if (!$valid(problem)) return ww_no_selection();
  const ww_limits limits = $limits_of(device);
  ww_selection chosen = $vote(device, limits, problem, 1, 1);
  if (chosen.configuration < 0) chosen = $vote(device, limits, problem, 0, 1);
  if (chosen.configuration < 0) chosen = $vote(device, limits, problem, 1, 0);
  if (chosen.configuration < 0) chosen = $vote(device, limits, problem, 0, 0);
  if (chosen.configuration < 0) chosen = $contract_default(limits, problem);
  return chosen;
}
)";

}  // namespace

std::string header_choice(const HeaderStyle& style) {
  const std::pair<const char*, double> weights[] = {
      {"work_scale", kWorkScale},     {"nearby", kNearby},
      {"other_choice", kOtherChoice}, {"prior_fraction", kPriorFraction},
      {"prior_weight", kPriorWeight}, {"score_tie", kScoreTie}};
  std::string text = style.comment("How much what counts in a choice.");
  for (const auto& [name, value] : weights)
    text += fmt::format("#define {} {}\n", style.constant(name), real_literal(value));
  return text + style.expand(kChoose);
}

}  // namespace warpwright
