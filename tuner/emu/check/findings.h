// The list of findings of one launch. One mistake is found again and again, in unrolled code at
// many instructions of a line, so there is one finding for a kind and a pair of source lines, with
// the number of its occurrences. Also describes the two sides of a finding: place, thread and
// access.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "emu/check/shadow.h"
#include "emu/emulator.h"
#include "emu/model/clock.h"

namespace warpwright::emu {

class Warp;
struct LaunchContext;

class Findings {
 public:
  explicit Findings(const LaunchContext& context);

  void add(Finding finding, std::uint32_t pc, std::uint32_t other_pc);
  // The same for a finding whose second place is not a line, but an object at this address.
  void add_about(Finding finding, std::uint32_t pc, std::uint64_t object);
  // A finding about the current instruction of a lane.
  void report(FindingKind kind, const Warp& warp, std::uint32_t lane, const std::string& what,
              const std::string& message, const std::string& advice);
  [[nodiscard]] bool empty() const { return index_.empty(); }
  [[nodiscard]] std::vector<Finding> take();

  [[nodiscard]] FindingSide side(const AccessRecord& record, std::size_t bytes) const;
  [[nodiscard]] FindingSide side(std::uint64_t block, std::uint32_t pc, std::uint32_t thread,
                                 std::string what) const;
  // Notes the thread that issues an asynchronous operation. side() names it, so this comes before
  // any finding about the operation.
  void note_issuer(const Actor& actor, std::uint32_t pc, std::uint32_t thread) {
    if (issuers_.empty()) issuers_.resize(kIssuers);
    issuers_[issuer_place(actor.block, actor.index)] = {actor.block, actor.epoch, thread,
                                                        actor.index};
    last_issuers_[pc] = thread;
  }

 private:
  // By kind and both places.
  using Key = std::tuple<FindingKind, std::uint64_t, std::uint64_t>;
  // Keeps the finding, or counts an occurrence if there is one with that key already.
  void add_as(const Key& key, Finding finding);
  // A unique number for the source line of an instruction, or for the instruction itself if its
  // line is not known.
  [[nodiscard]] std::uint64_t place_of(std::uint32_t pc) const;
  [[nodiscard]] std::uint32_t thread_of(const AccessRecord& record) const;
  // The distance between the two sides: lanes of a warp, warps of a block, or blocks.
  [[nodiscard]] int reach(const Finding& finding) const;

  // The issuers of asynchronous operations: the last one of each table entry, and the last one of
  // each instruction for operations whose entry has been overwritten.
  struct Issuer {
    std::uint64_t block = 0;
    std::uint32_t epoch = 0;
    std::uint32_t thread = 0;
    std::uint16_t actor = 0;
  };
  static constexpr std::size_t kIssuers = 4096;
  [[nodiscard]] static std::size_t issuer_place(std::uint64_t block, std::uint16_t actor) {
    return (block * kActors + actor) % kIssuers;
  }

  const LaunchContext* context_;
  // Findings after the first kMaxFindings are in the index, but not in `findings_`.
  std::map<Key, std::size_t> index_;
  std::vector<Finding> findings_;
  std::vector<Issuer> issuers_;              // empty before the first
  std::vector<std::uint32_t> last_issuers_;  // by pc
};

// --- texts that several messages have in common

// "store of 4 bytes", "asynchronous read".
[[nodiscard]] std::string verb(const AccessRecord& record, std::size_t bytes);
// "shared address 16", "offset 64 of buffer 'logits'".
[[nodiscard]] std::string where_of(bool is_shared, std::uint64_t address,
                                   const LaunchContext& context);
// The name of a variable in the source: "tile" for `_ZZ6kernelPfE4tile`.
[[nodiscard]] std::string variable_name(const std::string& symbol);

}  // namespace warpwright::emu
