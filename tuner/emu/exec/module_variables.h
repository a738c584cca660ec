// The .global and .const variables of modules: where they live, what they hold after loading, and
// what sequences of launches leave there. begin_sequence() is declared in emu/emulator.h.
#pragma once

#include "emu/emulator.h"
#include "emu/exec/block.h"

namespace warpwright::emu {

// Gives the variables their memory at the module's first launch in this memory, and tells the
// launch where they are.
void place_variables(const Module& module, GlobalMemory::Impl& memory, LaunchContext& context);

// The next launch of the module starts from its initial values, as in a new context.
void spoil_variables(const Module& module, GlobalMemory::Impl& memory);

// What the host gives the module's variables before this launch.
void write_variables(const Launch& launch, GlobalMemory::Impl& memory,
                     const LaunchContext& context);

}  // namespace warpwright::emu
