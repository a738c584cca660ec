// The record that the checkers keep of one memory access.
#pragma once

#include <cstdint>

#include "emu/model/clock.h"

namespace warpwright::emu {

struct AccessRecord {
  std::uint32_t block = 0;  // linear index in the grid
  std::uint32_t epoch = 0;
  std::uint32_t pc = 0;
  std::uint32_t lanes = 0;  // of the warp, or of the copy
  std::uint16_t actor = 0;
  std::uint8_t bytes = 0;  // of the word, one bit each
  bool write : 1 = false;
  bool strong : 1 = false;    // atomic, volatile, relaxed, acquire, release
  bool atomic : 1 = false;    // reads and writes at once
  bool async : 1 = false;     // by a copy or a wgmma
  bool constant : 1 = false;  // a load through the read-only data path
  bool of_block : 1 = false;  // strong among the threads of its block only
  bool is_volatile : 1 = false;
  bool guess : 1 = false;  // a plain load in front of an atomicCAS loop, where those are trusted

  [[nodiscard]] Actor who() const { return {block, actor, epoch}; }
  // A read that never conflicts with other reads.
  [[nodiscard]] bool is_plain_read() const { return !write && !strong && !async; }
  bool operator==(const AccessRecord&) const = default;
};

[[nodiscard]] inline bool is_same_actor(const AccessRecord& a, const AccessRecord& b) {
  return a.block == b.block && a.actor == b.actor && !a.async && !b.async;
}
[[nodiscard]] inline bool is_same_instruction(const AccessRecord& a, const AccessRecord& b) {
  return a.block == b.block && a.actor == b.actor && a.epoch == b.epoch && a.pc == b.pc;
}
// True if one record can represent both lanes of one instruction. Lanes that access different bytes
// of a word (1- and 2-byte elements) have a record each, so that the accessor of each byte is kept.
[[nodiscard]] inline bool joins(const AccessRecord& a, const AccessRecord& b) {
  return a.bytes == b.bytes && is_same_instruction(a, b);
}

}  // namespace warpwright::emu
