// What every warp of a cluster waits for, when none of them can go on.
#pragma once

#include "emu/emulator.h"

namespace warpwright::emu {

class Cluster;

[[nodiscard]] LaunchFault describe_deadlock(const Cluster& cluster);

}  // namespace warpwright::emu
