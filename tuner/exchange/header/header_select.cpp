// The parts of written headers that are the same for every contract: choosing, and building options
// and launches. In C texts `$` stands for the prefix of all names.
#include <string_view>

#include "exchange/header/header_values.h"

namespace warpwright {
namespace {

constexpr std::string_view kChooseCpp = R"(
// "sm_90" and "sm_90a" are one architecture here.
WARPWRIGHT_FN int arch_length(const char* arch) {
  int length = 0;
  while (arch[length] != '\0') ++length;
  while (length > 0 && arch[length - 1] >= 'a' && arch[length - 1] <= 'z') --length;
  return length;
}
WARPWRIGHT_FN bool same_arch(const char* a, const char* b) {
  if (a == nullptr || b == nullptr) return false;
  const int length = arch_length(a);
  if (arch_length(b) != length) return false;
  for (int i = 0; i < length; ++i) {
    if (a[i] != b[i]) return false;
  }
  return true;
}

WARPWRIGHT_FN double squared_distance(const Place& a, const Place& b) {
  double sum = 0;
  for (int i = 0; i < kAxisCount; ++i) sum += (a.axes[i] - b.axes[i]) * (a.axes[i] - b.axes[i]);
  if (a.counted && b.counted) sum += kWorkScale * (a.work - b.work) * (kWorkScale * (a.work - b.work));
  return sum;
}

// The vote of the tuned problems on this device, or on others of its architecture.
WARPWRIGHT_FN Selection vote(const Device& device, const Problem& problem, bool same_device) {
  const Place asked = place_of(problem);
  double weights[kBoardCount] = {};
  double total = 0;
  double least = 0;
  Selection result;
  for (int i = 0; i < kBoardCount; ++i) {
    const Board& board = kBoards[i];
    const Device& tuned = kDevices[board.device];
    const bool same = same_text(tuned.name, device.name);
    if (same != same_device || (!same && !same_arch(tuned.arch, device.arch))) continue;
    if (!same_category(board.problem, problem)) continue;
    const double squared = squared_distance(place_of(board.problem), asked);
    const bool equal = same_sizes(board.problem, problem);
    if (result.nearest == nullptr || squared < least || equal) {
      result.nearest = &board;
      result.distance = root(squared);
      least = equal ? -1 : squared;
    }
    const double closeness = 1 / (kNearby * kNearby + squared);
    weights[i] = closeness * closeness;
    total += weights[i];
  }
  if (result.nearest == nullptr) return {};
  result.limits = complete(device.limits, kDevices[result.nearest->device].limits);
  const Configuration& winner = kConfigurations[result.nearest->winner];
  if (least < 0 && allowed(winner, problem, result.limits)) {
    result.match = same_device ? Match::exact : Match::nearest_same_arch;
    result.configuration = &winner;
    result.score = 1;
    return result;
  }
  for (int i = 0; i < kCandidateCount; ++i) {
    double sum = kPriorWeight * kPriorFraction;
    double known = kPriorWeight;
    for (int board = 0; board < kBoardCount; ++board) {
      if (!(weights[board] > 0) || kFractions[i][board] < 0) continue;
      sum += weights[board] / total * kFractions[i][board] / 1000;
      known += weights[board] / total;
    }
    if (!(known > kPriorWeight) || !(sum / known > result.score + kScoreTie)) continue;
    if (!allowed(kConfigurations[i], problem, result.limits)) continue;
    result.match = same_device ? Match::nearest_same_device : Match::nearest_same_arch;
    result.configuration = &kConfigurations[i];
    result.score = sum / known;
  }
  return result;
}

WARPWRIGHT_FN Selection contract_default(const Device& device, const Problem& problem) {
  Selection result;
  result.limits = complete(device.limits, kDevices[0].limits);
  for (int i = kCandidateCount; i < kConfigurationCount; ++i) {
    if (!allowed(kConfigurations[i], problem, result.limits)) continue;
    result.match = Match::default_;
    result.configuration = &kConfigurations[i];
    break;
  }
  return result;
}
}  // namespace detail

WARPWRIGHT_FN Selection select(const Device& device, const Problem& problem) {
  if (!valid(problem)) return {};
  const Selection here = detail::vote(device, problem, true);
  if (here.configuration != nullptr) return here;
  const Selection there = detail::vote(device, problem, false);
  if (there.configuration != nullptr) return there;
  return detail::contract_default(device, problem);
}
)";

constexpr std::string_view kChooseC = R"(
/* "sm_90" and "sm_90a" are one architecture here. */
static inline int $arch_length(const char *arch) {
  int length = 0;
  while (arch[length] != '\0') ++length;
  while (length > 0 && arch[length - 1] >= 'a' && arch[length - 1] <= 'z') --length;
  return length;
}
static inline int $same_arch(const char *a, const char *b) {
  int length;
  int i;
  if (a == 0 || b == 0) return 0;
  length = $arch_length(a);
  if ($arch_length(b) != length) return 0;
  for (i = 0; i < length; ++i) {
    if (a[i] != b[i]) return 0;
  }
  return 1;
}

static inline double $squared_distance($place a, $place b) {
  double sum = 0;
  int i;
  for (i = 0; i < $AXIS_COUNT; ++i) sum += (a.axes[i] - b.axes[i]) * (a.axes[i] - b.axes[i]);
  if (a.counted && b.counted)
    sum += $work_scale * (a.work - b.work) * ($work_scale * (a.work - b.work));
  return sum;
}

static inline $selection $no_selection(void) {
  $selection result;
  result.match = $MATCH_NONE;
  result.configuration = 0;
  result.nearest = 0;
  result.distance = 0;
  result.score = 0;
  result.limits = $devices[0].limits;
  return result;
}

/* The vote of the tuned problems on this device, or on others of its architecture. */
static inline $selection $vote($device device, $problem problem, int same_device) {
  const $place asked = $place_of(problem);
  double weights[$BOARD_COUNT];
  double total = 0;
  double least = 0;
  int i;
  const $configuration *winner;
  $selection result = $no_selection();
  for (i = 0; i < $BOARD_COUNT; ++i) {
    const $board *board = &$boards[i];
    const $device *tuned = &$devices[board->device];
    const int same = $same_text(tuned->name, device.name);
    double squared;
    double closeness;
    int equal;
    weights[i] = 0;
    if (same != same_device || (!same && !$same_arch(tuned->arch, device.arch))) continue;
    if (!$same_category(board->problem, problem)) continue;
    squared = $squared_distance($place_of(board->problem), asked);
    equal = $same_sizes(board->problem, problem);
    if (result.nearest == 0 || squared < least || equal) {
      result.nearest = board;
      result.distance = $root(squared);
      least = equal ? -1 : squared;
    }
    closeness = 1 / ($nearby * $nearby + squared);
    weights[i] = closeness * closeness;
    total += weights[i];
  }
  if (result.nearest == 0) return $no_selection();
  result.limits = $complete(device.limits, $devices[result.nearest->device].limits);
  winner = &$configurations[result.nearest->winner];
  if (least < 0 && $allowed(*winner, problem, result.limits)) {
    result.match = same_device ? $MATCH_EXACT : $MATCH_NEAREST_SAME_ARCH;
    result.configuration = winner;
    result.score = 1;
    return result;
  }
  for (i = 0; i < $CANDIDATE_COUNT; ++i) {
    double sum = $prior_weight * $prior_fraction;
    double known = $prior_weight;
    int board;
    for (board = 0; board < $BOARD_COUNT; ++board) {
      if (!(weights[board] > 0) || $fractions[i][board] < 0) continue;
      sum += weights[board] / total * $fractions[i][board] / 1000;
      known += weights[board] / total;
    }
    if (!(known > $prior_weight) || !(sum / known > result.score + $score_tie)) continue;
    if (!$allowed($configurations[i], problem, result.limits)) continue;
    result.match = same_device ? $MATCH_NEAREST_SAME_DEVICE : $MATCH_NEAREST_SAME_ARCH;
    result.configuration = &$configurations[i];
    result.score = sum / known;
  }
  return result;
}

static inline $selection $contract_default($device device, $problem problem) {
  $selection result = $no_selection();
  int i;
  result.limits = $complete(device.limits, $devices[0].limits);
  for (i = $CANDIDATE_COUNT; i < $CONFIGURATION_COUNT; ++i) {
    if (!$allowed($configurations[i], problem, result.limits)) continue;
    result.match = $MATCH_DEFAULT;
    result.configuration = &$configurations[i];
    break;
  }
  return result;
}

static inline $selection $select($device device, $problem problem) {
  $selection result = $no_selection();
  if (!$valid(problem)) return result;
  result = $vote(device, problem, 1);
  if (result.configuration == 0) result = $vote(device, problem, 0);
  if (result.configuration == 0) result = $contract_default(device, problem);
  return result;
}
)";

constexpr std::string_view kBuildCpp = R"(
namespace detail {
WARPWRIGHT_FN void put(Options& out, int& at, const char* text) {
  for (; *text != '\0' && at < kDefineLength - 1; ++text) out.option[out.count][at++] = *text;
}
WARPWRIGHT_FN void put_integer(Options& out, int& at, long long v) {
  char digits[24] = {};
  int first = 23;
  const bool negative = v < 0;
  do {
    const int digit = static_cast<int>(v % 10);
    digits[--first] = static_cast<char>('0' + (digit < 0 ? -digit : digit));
    v /= 10;
  } while (v != 0);
  if (negative) digits[--first] = '-';
  put(out, at, digits + first);
}
// In hexadecimal, which is exact.
WARPWRIGHT_FN void put_real(Options& out, int& at, double v) {
  int exponent = 0;
  if (v < 0) put(out, at, "-");
  if (v < 0) v = -v;
  for (; v >= 2; v /= 2) ++exponent;
  for (; v > 0 && v < 1; v *= 2) --exponent;
  put(out, at, v > 0 ? "0x1." : "0x0.");
  v -= v > 0 ? 1 : 0;
  char digit[2] = {'0', '\0'};
  for (int i = 0; i < 13; ++i) {
    const int hex = static_cast<int>(v *= 16);
    digit[0] = "0123456789abcdef"[hex];
    put(out, at, digit);
    v -= hex;
  }
  put(out, at, "p");
  put_integer(out, at, exponent);
}
WARPWRIGHT_FN void put_define(Options& out, const char* macro, Value v) {
  int at = 0;
  put(out, at, "-D");
  put(out, at, macro);
  put(out, at, "=");
  if (v.kind == Value::kInteger) put_integer(out, at, v.integer);
  if (v.kind == Value::kReal) put_real(out, at, v.real);
  if (v.kind == Value::kText) put(out, at, v.text);
  ++out.count;
}
WARPWRIGHT_FN void set_extent(LaunchPlan& out, long long& extent, Value v) {
  if (v.kind == Value::kInteger) extent = v.integer;
  if (v.kind != Value::kInteger) out.ok = false;
}
}  // namespace detail
)";

constexpr std::string_view kBuildC = R"(
static inline void $put($options *out, int *at, const char *text) {
  for (; *text != '\0' && *at < $DEFINE_LENGTH - 1; ++text) out->option[out->count][(*at)++] = *text;
  out->option[out->count][*at] = '\0';
}
static inline void $put_integer($options *out, int *at, long long v) {
  char digits[24];
  int first = 23;
  const int negative = v < 0;
  digits[23] = '\0';
  do {
    const int digit = (int)(v % 10);
    digits[--first] = (char)('0' + (digit < 0 ? -digit : digit));
    v /= 10;
  } while (v != 0);
  if (negative) digits[--first] = '-';
  $put(out, at, digits + first);
}
/* In hexadecimal, which is exact. */
static inline void $put_real($options *out, int *at, double v) {
  int exponent = 0;
  int i;
  char digit[2];
  if (v < 0) $put(out, at, "-");
  if (v < 0) v = -v;
  for (; v >= 2; v /= 2) ++exponent;
  for (; v > 0 && v < 1; v *= 2) --exponent;
  $put(out, at, v > 0 ? "0x1." : "0x0.");
  v -= v > 0 ? 1 : 0;
  digit[1] = '\0';
  for (i = 0; i < 13; ++i) {
    const int hex = (int)(v *= 16);
    digit[0] = "0123456789abcdef"[hex];
    $put(out, at, digit);
    v -= hex;
  }
  $put(out, at, "p");
  $put_integer(out, at, exponent);
}
static inline void $put_define($options *out, const char *macro, $value v) {
  int at = 0;
  $put(out, &at, "-D");
  $put(out, &at, macro);
  $put(out, &at, "=");
  if (v.kind == $INTEGER) $put_integer(out, &at, v.integer);
  if (v.kind == $REAL) $put_real(out, &at, v.real);
  if (v.kind == $TEXT) $put(out, &at, v.text);
  ++out->count;
}
static inline void $set_extent($launch_plan *out, long long *extent, $value v) {
  if (v.kind == $INTEGER) *extent = v.integer;
  if (v.kind != $INTEGER) out->ok = 0;
}
)";

}  // namespace

std::string header_choice(CodeLanguage language, const std::string& prefix) {
  return language == CodeLanguage::kC ? expand_prefix(kChooseC, prefix) : std::string(kChooseCpp);
}

std::string header_builders(CodeLanguage language, const std::string& prefix) {
  return language == CodeLanguage::kC ? expand_prefix(kBuildC, prefix) : std::string(kBuildCpp);
}

}  // namespace warpwright
