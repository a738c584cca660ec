// The chain of inlined calls that leads to a source line.
#pragma once

#include <vector>

#include "emu/decode/program.h"
#include "emu/emulator.h"

namespace warpwright::emu {

// Innermost first; empty for a line of the kernel itself.
[[nodiscard]] inline std::vector<SourceCall> callers_of(const Program& program,
                                                        const SourceLine& line) {
  std::vector<SourceCall> calls;
  for (int at = line.caller; at >= 0; at = program.callers[static_cast<std::size_t>(at)].caller) {
    const SourceLine& place = program.callers[static_cast<std::size_t>(at)];
    if (static_cast<std::size_t>(place.file) < program.files.size())
      calls.push_back({program.files[static_cast<std::size_t>(place.file)], place.line});
  }
  return calls;
}

}  // namespace warpwright::emu
