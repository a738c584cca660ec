// The .global and .const variables of modules: their memory, their initial values, and their state
// between sequences of launches. begin_sequence() is declared in emu/emulator.h.
#pragma once

#include "emu/emulator.h"
#include "emu/exec/block.h"

namespace warpwright::emu {

// Allocates the variables at the module's first launch in this memory, and sets their addresses in
// the launch context.
void place_variables(const Module& module, GlobalMemory::Impl& memory, LaunchContext& context);

// Makes the next launch of the module start from the initial values, as in a new context.
void spoil_variables(const Module& module, GlobalMemory::Impl& memory);

// Writes the content that the host set for the module's variables before this launch.
void write_variables(const Launch& launch, GlobalMemory::Impl& memory,
                     const LaunchContext& context);

}  // namespace warpwright::emu
