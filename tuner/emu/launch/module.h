// The content of a Module, and its .global and .const variables: their memory, their initial
// values, and their state between sequences of launches. Module and begin_sequence() are declared
// in emu/emulator.h.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "emu/emulator.h"
#include "emu/exec/block.h"
#include "emu/program/program.h"
#include "emu/ptx/ptx_ast.h"

namespace warpwright::emu {

// The PTX text is not kept; names refer to it only while the parser runs.
struct Module::Impl {
  std::string name;
  Program program;
  std::vector<Module::Entry> entries;
  std::vector<std::uint32_t> entry_functions;  // by entry: index into program.functions
  std::shared_ptr<const int> alive = std::make_shared<const int>(0);

  void load(const ParsedModule& parsed);
};

// Allocates the variables at the module's first launch in this memory, and sets their addresses in
// the launch context.
void place_variables(const Module& module, GlobalMemory::Impl& memory, LaunchContext& context);

// Makes the next launch of the module start from the initial values, as in a new context.
void spoil_variables(const Module& module, GlobalMemory::Impl& memory);

// Writes the content that the host set for the module's variables before this launch.
void write_variables(const Launch& launch, GlobalMemory::Impl& memory,
                     const LaunchContext& context);

}  // namespace warpwright::emu
