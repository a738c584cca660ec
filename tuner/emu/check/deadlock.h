// Describes what each warp of a cluster waits for when none of them can continue.
#pragma once

#include "emu/emulator.h"

namespace warpwright::emu {

class Cluster;

[[nodiscard]] LaunchFault describe_deadlock(const Cluster& cluster);

}  // namespace warpwright::emu
