// A place in a kernel's source that makes threads or memory wait: a barrier, a wait for an
// asynchronous operation, a fence. `warpwright vet --necessity` leaves one of them out at a time.
// Plain data: the emulator finds sites in PTX, and they cross the pipe to and from the worker.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "core/source_location.h"

namespace warpwright {

struct SyncSite {
  // Its identity, also in other compilations of the same source: the opcode and the place.
  // Code that the compiler has copied, for example by unrolling a loop, is one site.
  std::string opcode;    // of the instruction that comes first: "bar.sync"
  QuotedLocation where;  // its line and column, with the file as the compiler names it
  // The call sites of the line's function, through inlining, innermost first.
  std::vector<QuotedLocation> callers;

  // The instructions that are left out together.
  std::string instruction;           // for messages: "bar.sync 1, 64 and bar.arrive 1, 64"
  std::vector<QuotedLocation> also;  // further places, such as the other half of a split barrier
  std::uint64_t instructions = 1;    // of the PTX
  // Why leaving it out shows nothing on the emulator; empty if it may show something.
  std::string untestable;
};

// Texts of source lines do not cross the pipe.
void to_json(nlohmann::json& json, const SyncSite& site);
void from_json(const nlohmann::json& json, SyncSite& site);

// Whether both name the same site, regardless of what is left out with it.
[[nodiscard]] bool same_site(const SyncSite& a, const SyncSite& b);

}  // namespace warpwright
