// The special registers of PTX (%tid.x, %clock64, ...): names and values. Clocks count
// instructions, so that two runs of a kernel read the same.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "emu/exec/warp.h"

namespace warpwright::emu {

enum class SpecialRegister : std::uint8_t {
  kTidX,
  kTidY,
  kTidZ,
  kNtidX,
  kNtidY,
  kNtidZ,
  kCtaidX,
  kCtaidY,
  kCtaidZ,
  kNctaidX,
  kNctaidY,
  kNctaidZ,
  kLaneid,
  kWarpid,
  kNwarpid,
  kSmid,
  kNsmid,
  kGridid,
  kLanemaskEq,
  kLanemaskLe,
  kLanemaskLt,
  kLanemaskGe,
  kLanemaskGt,
  kClock,
  kClockHi,
  kClock64,
  kGlobaltimer,
  kGlobaltimerLo,
  kGlobaltimerHi,
  kDynamicSmemSize,
  kTotalSmemSize,
  kAggrSmemSize,
  kClusteridX,
  kClusteridY,
  kClusteridZ,
  kNclusteridX,
  kNclusteridY,
  kNclusteridZ,
  kClusterCtaidX,
  kClusterCtaidY,
  kClusterCtaidZ,
  kClusterNctaidX,
  kClusterNctaidY,
  kClusterNctaidZ,
  kClusterCtarank,
  kClusterNctarank,
  kIsExplicitCluster,
};

[[nodiscard]] std::optional<SpecialRegister> find_special_register(std::string_view name);
[[nodiscard]] std::uint64_t special_register_value(Warp& warp, SpecialRegister which,
                                                   std::uint32_t lane);

}  // namespace warpwright::emu
