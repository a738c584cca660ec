#include "emu/exec/special_register.h"

#include <array>
#include <utility>

#include "emu/exec/block.h"
#include "emu/exec/cluster.h"

namespace warpwright::emu {
namespace {

using SR = SpecialRegister;
constexpr std::array kNames = std::to_array<std::pair<std::string_view, SR>>({
    {"%tid.x", SR::kTidX},
    {"%tid.y", SR::kTidY},
    {"%tid.z", SR::kTidZ},
    {"%ntid.x", SR::kNtidX},
    {"%ntid.y", SR::kNtidY},
    {"%ntid.z", SR::kNtidZ},
    {"%ctaid.x", SR::kCtaidX},
    {"%ctaid.y", SR::kCtaidY},
    {"%ctaid.z", SR::kCtaidZ},
    {"%nctaid.x", SR::kNctaidX},
    {"%nctaid.y", SR::kNctaidY},
    {"%nctaid.z", SR::kNctaidZ},
    {"%laneid", SR::kLaneid},
    {"%warpid", SR::kWarpid},
    {"%nwarpid", SR::kNwarpid},
    {"%smid", SR::kSmid},
    {"%nsmid", SR::kNsmid},
    {"%gridid", SR::kGridid},
    {"%lanemask_eq", SR::kLanemaskEq},
    {"%lanemask_le", SR::kLanemaskLe},
    {"%lanemask_lt", SR::kLanemaskLt},
    {"%lanemask_ge", SR::kLanemaskGe},
    {"%lanemask_gt", SR::kLanemaskGt},
    {"%clock", SR::kClock},
    {"%clock_hi", SR::kClockHi},
    {"%clock64", SR::kClock64},
    {"%globaltimer", SR::kGlobaltimer},
    {"%globaltimer_lo", SR::kGlobaltimerLo},
    {"%globaltimer_hi", SR::kGlobaltimerHi},
    {"%dynamic_smem_size", SR::kDynamicSmemSize},
    {"%total_smem_size", SR::kTotalSmemSize},
    {"%aggr_smem_size", SR::kAggrSmemSize},
    {"%clusterid.x", SR::kClusteridX},
    {"%clusterid.y", SR::kClusteridY},
    {"%clusterid.z", SR::kClusteridZ},
    {"%nclusterid.x", SR::kNclusteridX},
    {"%nclusterid.y", SR::kNclusteridY},
    {"%nclusterid.z", SR::kNclusteridZ},
    {"%cluster_ctaid.x", SR::kClusterCtaidX},
    {"%cluster_ctaid.y", SR::kClusterCtaidY},
    {"%cluster_ctaid.z", SR::kClusterCtaidZ},
    {"%cluster_nctaid.x", SR::kClusterNctaidX},
    {"%cluster_nctaid.y", SR::kClusterNctaidY},
    {"%cluster_nctaid.z", SR::kClusterNctaidZ},
    {"%cluster_ctarank", SR::kClusterCtarank},
    {"%cluster_nctarank", SR::kClusterNctarank},
    {"%is_explicit_cluster", SR::kIsExplicitCluster},
});

}  // namespace

std::optional<SpecialRegister> find_special_register(std::string_view name) {
  for (const auto& [known, which] : kNames) {
    if (known == name) return which;
  }
  return std::nullopt;
}

std::uint64_t special_register_value(Warp& warp, SpecialRegister which, std::uint32_t lane) {
  Block& block = warp.block();
  const Launch& launch = *block.context().launch;
  const auto axis = [which](SR x) {
    return static_cast<std::size_t>(which) - static_cast<std::size_t>(x);
  };
  const std::uint32_t bit = 1u << lane;
  switch (which) {
    case SR::kTidX:
    case SR::kTidY:
    case SR::kTidZ:
      return block.thread_index(warp.index(), lane)[axis(SR::kTidX)];
    case SR::kNtidX:
    case SR::kNtidY:
    case SR::kNtidZ:
      return launch.block[axis(SR::kNtidX)];
    case SR::kCtaidX:
    case SR::kCtaidY:
    case SR::kCtaidZ:
      return block.block_index()[axis(SR::kCtaidX)];
    case SR::kNctaidX:
    case SR::kNctaidY:
    case SR::kNctaidZ:
      return launch.grid[axis(SR::kNctaidX)];
    case SR::kLaneid:
      return lane;
    case SR::kWarpid:
      return warp.index();
    case SR::kNwarpid:
      return static_cast<std::uint64_t>(block.context().device->max_threads_per_sm / kWarpSize);
    // Blocks are assigned to the SMs in order, which is deterministic and possible on hardware.
    case SR::kSmid:
      return block.linear_index() % static_cast<std::uint64_t>(block.context().device->sm_count);
    case SR::kNsmid:
      return static_cast<std::uint64_t>(block.context().device->sm_count);
    case SR::kGridid:
      return 1;
    case SR::kLanemaskEq:
      return bit;
    case SR::kLanemaskLe:
      return bit | (bit - 1);
    case SR::kLanemaskLt:
      return bit - 1;
    case SR::kLanemaskGe:
      return static_cast<std::uint32_t>(~(bit - 1));
    case SR::kLanemaskGt:
      return static_cast<std::uint32_t>(~(bit | (bit - 1)));
    case SR::kClock:
    case SR::kClock64:
      return warp.instructions();
    case SR::kClockHi:
      return warp.instructions() >> 32;
    case SR::kGlobaltimer:
    case SR::kGlobaltimerLo:
      return warp.instructions();
    case SR::kGlobaltimerHi:
      return warp.instructions() >> 32;
    case SR::kDynamicSmemSize:
      return launch.dynamic_shared_bytes;
    case SR::kTotalSmemSize:
    case SR::kAggrSmemSize:
      return block.shared_bytes();
    case SR::kClusteridX:
    case SR::kClusteridY:
    case SR::kClusteridZ:
      return block.cluster().index()[axis(SR::kClusteridX)];
    case SR::kNclusteridX:
    case SR::kNclusteridY:
    case SR::kNclusteridZ: {
      const std::size_t along = axis(SR::kNclusteridX);
      return launch.grid[along] / launch.cluster[along];
    }
    case SR::kClusterCtaidX:
    case SR::kClusterCtaidY:
    case SR::kClusterCtaidZ: {
      const std::size_t along = axis(SR::kClusterCtaidX);
      return block.block_index()[along] % launch.cluster[along];
    }
    case SR::kClusterNctaidX:
    case SR::kClusterNctaidY:
    case SR::kClusterNctaidZ:
      return launch.cluster[axis(SR::kClusterNctaidX)];
    case SR::kClusterCtarank:
      return block.rank();
    case SR::kClusterNctarank:
      return block.cluster().size();
    case SR::kIsExplicitCluster:
      return block.cluster().size() > 1 ? 1 : 0;
  }
  return 0;
}

}  // namespace warpwright::emu
