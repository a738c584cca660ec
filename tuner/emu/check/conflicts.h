// The findings about two accesses of one word: what is wrong with them, and the fix. Two stores
// that race may store the same value, which is another finding. That is decided after the second
// store was made and before the next instruction.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "emu/check/shadow.h"
#include "emu/emulator.h"

namespace warpwright::emu {

class Block;
class Findings;
struct LaunchContext;

// The range that one lane or copy accesses, and the word of it that is being checked.
struct AccessRange {
  std::uint64_t address = 0;
  std::size_t bytes = 0;
  Block* target = nullptr;  // whose shared memory; null for global memory
  std::uint64_t word = 0;
};

class Conflicts {
 public:
  Conflicts(const LaunchContext& context, Findings& findings)
      : context_(&context), findings_(&findings) {}

  // The accesses are not ordered. `proxy`: they are, but not for asynchronous operations.
  void conflict(const AccessRecord& now, const AccessRecord& then, const AccessRange& range,
                bool proxy);
  // A read behind a relaxed flag that suggests an order which nothing guarantees.
  void unordered_message(const AccessRecord& now, const AccessRecord& then,
                         const AccessRange& range);
  void stale_read(const AccessRecord& now, const AccessRecord& then, const AccessRange& range);
  void unfenced_map(const AccessRecord& now, const AccessRecord& then, std::uint64_t address);

  // Whether decide_stores() has work to do. All undecided stores belong to one instruction.
  [[nodiscard]] bool has_undecided_stores() const { return !undecided_.empty(); }
  void decide_stores();

 private:
  // A store that races with another one, and the bytes that the other one left.
  struct UndecidedStore {
    Finding finding;
    std::uint32_t pc = 0;
    std::uint32_t other_pc = 0;
    const std::byte* word = nullptr;
    std::uint8_t bytes = 0;  // of the word, those that both store
    std::array<std::byte, 4> before{};

    [[nodiscard]] bool changed() const;
  };
  [[nodiscard]] bool updates(const AccessRecord& now, const AccessRecord& then,
                             bool is_shared) const;
  [[nodiscard]] const std::byte* word_at(const AccessRange& range) const;

  const LaunchContext* context_;
  Findings* findings_;
  std::vector<UndecidedStore> undecided_;
};

}  // namespace warpwright::emu
