// The kind of activity of each instruction of a program, found once from its opcode.
#pragma once

#include <cstdint>
#include <vector>

#include "emu/observe/observation.h"
#include "emu/program/program.h"

namespace warpwright::emu {

struct InstructionKind {
  enum class Event : std::uint8_t {
    kNone,
    kMbarrierWait,
    kMbarrierEnd,   // mbarrier.inval
    kCopiesArrive,  // cp.async.mbarrier.arrive
    kCloseCopies,   // ends a batch of cp.async: a commit, or a wait for all
    kClusterWait,
  };
  Activity activity = Activity::kOther;
  // The space decides the activity, and is known only from the addresses: it is counted where the
  // access is reported.
  bool by_access = false;
  bool matrix = false;  // by_access: ldmatrix, stmatrix and their wmma forms
  // False for an addition of the decoder, such as the conversion of an address to 64 bits.
  bool counts = true;
  Event event = Event::kNone;
};

// By program counter.
[[nodiscard]] std::vector<InstructionKind> instruction_kinds(const Program& program);

}  // namespace warpwright::emu
