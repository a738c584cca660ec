// Video instructions: vadd and similar ones on a byte, a half or the whole of a register, and on
// two halves or four bytes at once (vadd2, vadd4). The combinations of operand parts are too many
// for the lane table, so the decoder packs the static form into Inst::immediate.
#pragma once

#include <cstdint>

#include "emu/exec/warp.h"

namespace warpwright::emu {

enum class VideoOp : std::uint8_t {
  kAdd,
  kSub,
  kAbsoluteDifference,
  kMin,
  kMax,
  kAverage,
  kShiftLeft,
  kShiftRight,
  kMultiplyAdd,
  kSet,
};
enum class VideoCompare : std::uint8_t { kEq, kNe, kLt, kLe, kGt, kGe };
enum class VideoSecondary : std::uint8_t { kNone, kAdd, kMin, kMax };

// Part of a register: 0 is the whole, 1 + i byte i, 5 + i half i.
inline constexpr std::uint8_t kVideoFirstByte = 1;
inline constexpr std::uint8_t kVideoFirstHalf = 5;

struct VideoForm {
  static constexpr std::uint8_t kSignedResult = 1;
  static constexpr std::uint8_t kSignedA = 2;
  static constexpr std::uint8_t kSignedB = 4;
  static constexpr std::uint8_t kSaturate = 8;
  static constexpr std::uint8_t kNegateProduct = 16;  // vmad
  static constexpr std::uint8_t kNegateC = 32;
  static constexpr std::uint8_t kPlusOne = 64;
  static constexpr std::uint8_t kWrap = 128;  // vshl, vshr

  VideoOp op = VideoOp::kAdd;
  std::uint8_t flags = 0;
  std::uint8_t parts : 4 = 1;      // computed at once: 1, 2 or 4
  std::uint8_t result : 4 = 0;     // of 1: the part that is written; else a bit for each part
  std::uint8_t how : 4 = 0;        // a VideoCompare; for vmad the shift, in units of 8, minus one
  std::uint8_t secondary : 4 = 0;  // a VideoSecondary
  // If `parts` is 1, the part; else three bits for each part, which select one of the parts of a
  // and b, those of a first.
  std::uint16_t a = 0;
  std::uint16_t b = 0;

  [[nodiscard]] bool has(std::uint8_t flag) const { return (flags & flag) != 0; }
};
static_assert(sizeof(VideoForm) == 8);

[[nodiscard]] std::uint32_t video_result(const VideoForm& form, std::uint32_t a, std::uint32_t b,
                                         std::uint32_t c);

// immediate: a VideoForm; src: a, b, c
void exec_video(Warp& warp, const Inst& inst);

}  // namespace warpwright::emu
