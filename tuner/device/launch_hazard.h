// A finding of the emulator's checkers in a launch: a hazard, which may go wrong under another
// schedule or on a GPU although the launch ran, or the fault that ended it. Plain data: it crosses
// the pipe from the worker.
#pragma once

#include <array>
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "core/source_location.h"

namespace warpwright {

// The kind of a fault that is not necessarily a mistake: a limit of instructions or time was too
// low, or the launch never ends.
inline constexpr const char* kDoesNotEnd = "does not end";

// Kinds that concern the effect of a launch as a whole on memory; the emulator's checkers also
// report the first one, with the place of a read.
inline constexpr const char* kStateKept = "state kept between launches";
inline constexpr const char* kNoInputRead = "no input read";
inline constexpr const char* kOutputNotWritten = "output not from this launch";

// One thread at one place of the source.
struct HazardPlace {
  std::string what;  // "store of 4 bytes", "asynchronous copy"; may be empty
  std::string file;  // as passed to the compiler; empty when unknown
  int line = 0;
  std::array<std::uint32_t, 3> block{0, 0, 0};
  std::array<std::uint32_t, 3> thread{0, 0, 0};
  // The call sites of the line's function, through inlining, innermost first.
  std::vector<SourceLocation> callers = {};
};

struct LaunchHazard {
  std::string kind;       // "shared race", "deadlock"
  bool is_fault = false;  // the launch ended there
  // The hazard concerns a launch as a whole: `here` is not set.
  bool has_no_place = false;
  std::string message;   // one sentence: what, where, which memory
  std::string unplaced;  // of a fault: the same without the file and line of `here`
  std::string advice;    // a description of the fix; may be empty
  HazardPlace here;
  std::optional<HazardPlace> other;  // the other side of a conflict
  std::uint64_t occurrences = 1;
};
void to_json(nlohmann::json& json, const LaunchHazard& hazard);
void from_json(const nlohmann::json& json, LaunchHazard& hazard);

// True for kinds that make a time meaningless, because the launch may not have done its work:
// kStateKept, kNoInputRead and kOutputNotWritten.
[[nodiscard]] bool voids_times(const LaunchHazard& hazard);

// The same mistake seen again: the same kind between the same two lines, regardless of which side
// came later and which thread was involved.
[[nodiscard]] bool same_mistake(const LaunchHazard& a, const LaunchHazard& b);

// The hazard that explains the others: data that was read too early was often not written yet
// either, and the conflict explains why. `hazards` must not be empty.
[[nodiscard]] const LaunchHazard& first_cause(const std::vector<LaunchHazard>& hazards);

// "shared race at softmax.cu:41 with softmax.cu:38: ...; fix: ...": one line, as the reason of a
// trial.
[[nodiscard]] std::string describe(const LaunchHazard& hazard);

}  // namespace warpwright
