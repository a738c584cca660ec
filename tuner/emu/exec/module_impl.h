// The content of a Module. The PTX text is not kept; names refer to it only while the parser runs.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "emu/decode/program.h"
#include "emu/emulator.h"

namespace warpwright::emu {

struct Module::Impl {
  std::string name;
  Program program;
  std::vector<Module::Entry> entries;
  std::vector<std::uint32_t> entry_functions;  // by entry: index into program.functions
  std::shared_ptr<const int> alive = std::make_shared<const int>(0);
};

}  // namespace warpwright::emu
