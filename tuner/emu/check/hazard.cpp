#include "emu/emulator.h"

namespace warpwright::emu {

const char* name_of(HazardKind kind) {
  switch (kind) {
    case HazardKind::kSharedRace:
      return "shared race";
    case HazardKind::kGlobalRace:
      return "global race";
    case HazardKind::kMissingWait:
      return "missing wait";
    case HazardKind::kMissingProxyFence:
      return "missing proxy fence";
    case HazardKind::kRegisterInFlight:
      return "register in flight";
    case HazardKind::kUninitialisedShared:
      return "uninitialised shared memory";
    case HazardKind::kUninitialisedGlobal:
      return "uninitialised global memory";
    case HazardKind::kUninitialisedRegister:
      return "uninitialised register";
    case HazardKind::kRegisterBudget:
      return "register budget";
    case HazardKind::kDivergentBarrier:
      return "divergent barrier";
    case HazardKind::kMissingWgmmaFence:
      return "missing wgmma fence";
    case HazardKind::kSharedSameValue:
      return "shared race of equal values";
    case HazardKind::kGlobalSameValue:
      return "global race of equal values";
    case HazardKind::kExitBeforeBarrier:
      return "exit before barrier";
    case HazardKind::kMbarrierOverwritten:
      return "mbarrier overwritten";
    case HazardKind::kStaleRead:
      return "stale read";
    case HazardKind::kDivergentWgmma:
      return "divergent wgmma";
    case HazardKind::kWarpMask:
      return "warp mask";
    case HazardKind::kSharedOverrun:
      return "shared array overrun";
    case HazardKind::kUninitialisedLocal:
      return "uninitialised local memory";
    case HazardKind::kForeignLocal:
      return "local memory of another thread";
    case HazardKind::kClusterExit:
      return "early exit in a cluster";
    case HazardKind::kMissingFence:
      return "missing fence";
    case HazardKind::kBranchIndex:
      return "branch index out of range";
    case HazardKind::kStateKept:
      return "state kept between launches";
  }
  return "hazard";
}

}  // namespace warpwright::emu
