// Reads of memory that holds nothing yet. Global memory counts as initialised unless the host
// called forget() for it; bytes that earlier launches left in variables of the module are marked,
// too, and reads of them are reported as state kept between launches. Shared and local memory hold
// nothing at first. Values of plain loads are tracked to their use (UnsetValues).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "emu/check/registers.h"
#include "emu/check/shadow.h"
#include "emu/exec/address.h"

namespace warpwright::emu {

class Block;
class Findings;
class UnsetValues;
struct Frame;
struct LaunchContext;

class Initialisation {
 public:
  Initialisation(const LaunchContext& context, UnsetValues& values, Findings& findings)
      : context_(&context), values_(&values), findings_(&findings) {}
  void start(Block& block);

  // --- global memory
  // Checks an access of the lanes of `mask` against the marks of the bytes themselves, whatever
  // other accesses there are.
  void access_global(Warp& warp, std::uint32_t mask, const LaneAddresses& addresses,
                     std::size_t bytes, AccessKind kind);
  void access_global_by_copy(AccessRecord now, std::uint64_t address, std::size_t bytes);
  void read_global(const AccessRecord& now, std::uint64_t address, std::size_t bytes);

  // --- shared memory, some bytes of which were never written
  void read_by_copy(const AccessRecord& now, std::uint64_t address, std::size_t bytes);
  // A read by lanes with equal addresses. Adds plain loads, whose values are to be tracked, to
  // `tracked`.
  void read_by_lanes(const AccessRecord& now, std::uint64_t address, std::size_t bytes,
                     std::optional<UnwrittenRead>& tracked);
  void track(Warp& warp, const UnwrittenRead& read);

  // --- local memory
  // The variables of the frame hold nothing yet in the lanes of the warp's mask.
  void enter_function(Warp& warp, const Frame& frame);
  void local_access(Warp& warp, std::uint32_t mask, const LaneAddresses& addresses,
                    std::size_t bytes, AccessKind kind);

 private:
  void read_marked(const AccessRecord& now, std::uint64_t address, std::size_t bytes);
  void read_uninitialised(const AccessRecord& now, std::uint64_t address, std::size_t bytes,
                          bool is_shared);
  void read_kept(const AccessRecord& now, std::uint64_t address, std::size_t bytes);
  void local_load(Warp& warp, std::uint32_t mask, const LaneAddresses& addresses,
                  std::size_t bytes);

  const LaunchContext* context_;
  UnsetValues* values_;
  Findings* findings_;
};

}  // namespace warpwright::emu
