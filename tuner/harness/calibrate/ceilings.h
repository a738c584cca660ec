// Turns a finished sweep of a ceiling kernel into ceilings. Such a kernel's problems have a choice
// `ceiling` that names what is measured; the best configuration of a board gives that ceiling, and
// if several variants competed, the best of each is also kept under its own name.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analysis/board/leaderboard.h"
#include "records/records.h"
#include "spec/kernel_spec.h"
#include "spec/sweep_spec.h"

namespace warpwright {

// A ceiling that could not be measured, and why.
struct NoCeiling {
  std::string name;
  std::string reason;
};

// The value of the problem's choice `ceiling`; "" when there is none or it is not a text.
[[nodiscard]] std::string ceiling_of(const Stored<Problem>& problem);

// "tensor_bf16" by variant "mma" is "mma_bf16"; "read" has one way only and is "".
[[nodiscard]] std::string ceiling_by_variant(const std::string& ceiling,
                                             const std::string& variant);

// The board's ceiling, then those of its variants by name. Rates come from the work and the time of
// the final ranking's headline if there is one (the best of many is otherwise a little too good),
// else of the entry. `device` is set by the caller. Empty when nothing passed.
[[nodiscard]] std::vector<CeilingRecord> ceilings_of(const Leaderboard& board,
                                                     const std::string& measured_utc);
// Describes the outcomes of the configurations of a board without entries.
[[nodiscard]] std::string why_none(const Leaderboard& board);

// The reason why no variant can run the problem on the device: the first constraint on device
// limits that does not hold. `constants` are the problem's sizes and the limits as "device.NAME".
[[nodiscard]] std::string why_impossible(const KernelSpec& kernel, const SweepSpec& sweep,
                                         const std::map<std::string, Value>& constants);

}  // namespace warpwright
