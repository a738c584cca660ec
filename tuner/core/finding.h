// A finding about a launch: a hazard, which may go wrong under another schedule or on a GPU
// although the launch ran, the fault that ended it, or a wrong result. Plain data: the emulator
// makes findings, and they cross the pipe from the worker.
#pragma once

#include <array>
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/source_location.h"

namespace warpwright {

enum class FindingKind {
  // Hazards: defects that did no harm in this launch.
  kSharedRace,             // two threads, or a thread and an asynchronous copy, not ordered
  kGlobalRace,             // two blocks, or threads of one
  kMissingWait,            // result or source of an asynchronous operation used before its wait
  kMissingProxyFence,      // ordinary writes that the asynchronous proxy reads without a fence
  kRegisterInFlight,       // accumulator or operand of a wgmma accessed before its wait
  kUninitialisedShared,    // shared memory that was never written affects something
  kUninitialisedGlobal,    // read of global memory that neither host nor kernel wrote
  kUninitialisedRegister,  // a value that was never computed affects something
  kRegisterBudget,         // setmaxnreg: more registers than the SM has, or against the rules
  kDivergentBarrier,       // an aligned barrier reached by part of a warp
  kMissingWgmmaFence,      // a wgmma uses registers that were written without a wgmma.fence since
  kSharedSameValue,        // unordered stores of the value that shared memory already holds
  kGlobalSameValue,        // the same for global memory
  kExitBeforeBarrier,    // a barrier that completes only because exited threads are not waited for
  kMbarrierOverwritten,  // a store to where an mbarrier is in use
  kStaleRead,            // ld.global.nc of data that the same launch has written
  kDivergentWgmma,       // warps of a warpgroup that do not execute the same wgmma
  kWarpMask,             // a .sync operation of lanes outside its mask, or a shuffle's value of one
  kSharedOverrun,        // an access through a shared variable to memory outside of it
  kUninitialisedLocal,   // local memory that the thread has not written affects something
  kForeignLocal,         // a pointer to the local memory of another thread
  kClusterExit,          // a block may exit before a peer's access to its shared memory
  kMissingFence,         // a relaxed flag, set without a fence, that signals earlier stores
  kStateKept,            // data that an earlier launch left in a module's variable can be read
  kBranchIndex,          // a jump through a table of targets with an index outside the table
  kNoInputRead,          // the launch accesses none of its inputs
  kOutputNotWritten,     // an output holds what an earlier launch wrote

  // Faults: the launch ended there.
  kOutOfBounds,  // address outside every buffer, or past a window of shared or local memory
  kMisaligned,
  kDeadlock,  // every live warp waits, or a barrier that some warps of the block left without
              // arriving
  kTrap,      // trap, brkpt or a failed assert
  // The limit of instructions or of time: not necessarily a mistake, since it may be too low.
  kDoesNotEnd,
  kCancelled,
  kInvalidLaunch,  // block too large, shared memory over the limit, parameters of the wrong size

  // Findings of a vetting that concern the result of a launch as a whole.
  kWrongResult,
  kLaunchFailed,             // for a reason that no other finding gives
  kDiffersBetweenSchedules,  // right under each schedule, but not the same; one alone shows nothing
};

// The name in messages, JSON and databases: "shared race", "deadlock".
[[nodiscard]] std::string_view finding_kind_name(FindingKind kind);
// The inverse; nullopt for a name that this version does not have.
[[nodiscard]] std::optional<FindingKind> parse_finding_kind(std::string_view name);
[[nodiscard]] std::span<const FindingKind> all_finding_kinds();

// One thread at one line of the source.
struct FindingSide {
  std::string what;  // "store of 4 bytes", "asynchronous copy"; may be empty
  // The line. Its file is named as the compiler names it, without a text; VetHazard quotes it.
  QuotedLocation where;
  std::array<std::uint32_t, 3> block{0, 0, 0};
  std::array<std::uint32_t, 3> thread{0, 0, 0};
  // The call sites of the line's function, through inlining, innermost first.
  std::vector<QuotedLocation> callers = {};
};

struct Finding {
  FindingKind kind{};
  bool is_fault = false;             // the launch ended there
  std::string message;               // one sentence: what, where, which memory
  std::string unplaced;              // of a fault: the same without the file and line of `here`
  std::string advice;                // a description of the fix; may be empty
  std::optional<FindingSide> here;   // absent if the finding concerns a launch as a whole
  std::optional<FindingSide> other;  // the other side of a conflict
  std::uint64_t occurrences = 1;     // of this kind between the same two lines
};
// Texts of source lines do not cross the pipe.
void to_json(nlohmann::json& json, const Finding& finding);
// Throws Error (user) for an unknown kind.
void from_json(const nlohmann::json& json, Finding& finding);

// True for kinds that make a time meaningless, because the launch may not have done its work:
// kStateKept, kNoInputRead and kOutputNotWritten.
[[nodiscard]] bool voids_times(const Finding& finding);

// The same mistake seen again: the same kind between the same two lines, regardless of which side
// came later and which thread was involved.
[[nodiscard]] bool same_mistake(const Finding& a, const Finding& b);

// The finding that explains the others: data that was read too early was often not written yet
// either, and the conflict explains why. `findings` must not be empty.
[[nodiscard]] const Finding& first_cause(const std::vector<Finding>& findings);

// "shared race at softmax.cu:41 with softmax.cu:38: ...; fix: ...": one line, as the reason of a
// trial.
[[nodiscard]] std::string describe(const Finding& finding);

}  // namespace warpwright
