#include "emu/lanes/video.h"

#include <algorithm>
#include <bit>

namespace warpwright::emu {
namespace {

__extension__ using Wide = __int128;

// Extracts `bits` bits of a value, starting at bit `first`.
std::int64_t field(std::uint32_t value, int first, int bits, bool is_signed) {
  const std::uint64_t raw = value >> first & ((std::uint64_t{1} << bits) - 1);
  const std::uint64_t sign = std::uint64_t{1} << (bits - 1);
  return is_signed ? static_cast<std::int64_t>((raw ^ sign) - sign)
                   : static_cast<std::int64_t>(raw);
}

struct Place {
  int first = 0;
  int bits = 32;
};
Place place_of(std::uint32_t part) {
  if (part >= kVideoFirstHalf) return {static_cast<int>(part - kVideoFirstHalf) * 16, 16};
  if (part >= kVideoFirstByte) return {static_cast<int>(part - kVideoFirstByte) * 8, 8};
  return {};
}

Wide clamped(Wide value, int bits, bool is_signed) {
  const Wide one = 1;
  return is_signed ? std::clamp(value, -(one << (bits - 1)), (one << (bits - 1)) - 1)
                   : std::clamp(value, Wide{0}, (one << bits) - 1);
}

bool compare(VideoCompare how, std::int64_t a, std::int64_t b) {
  switch (how) {
    case VideoCompare::kEq:
      return a == b;
    case VideoCompare::kNe:
      return a != b;
    case VideoCompare::kLt:
      return a < b;
    case VideoCompare::kLe:
      return a <= b;
    case VideoCompare::kGt:
      return a > b;
    case VideoCompare::kGe:
      return a >= b;
  }
  return false;
}

Wide shifted(const VideoForm& form, std::int64_t a, std::int64_t b) {
  const std::int64_t by = form.has(VideoForm::kWrap) ? b & 31 : std::min<std::int64_t>(b, 32);
  return form.op == VideoOp::kShiftLeft ? Wide{a} * (Wide{1} << by) : Wide{a >> by};
}

Wide computed(const VideoForm& form, std::int64_t a, std::int64_t b) {
  switch (form.op) {
    case VideoOp::kAdd:
      return a + b;
    case VideoOp::kSub:
      return a - b;
    case VideoOp::kAbsoluteDifference:
      return a < b ? b - a : a - b;
    case VideoOp::kMin:
      return std::min(a, b);
    case VideoOp::kMax:
      return std::max(a, b);
    case VideoOp::kAverage:
      return (a + b + (a + b >= 0 ? 1 : 0)) >> 1;
    case VideoOp::kSet:
      return compare(static_cast<VideoCompare>(form.how), a, b) ? 1 : 0;
    default:
      return shifted(form, a, b);
  }
}

// a * b + c with 128-bit intermediates; the sum is signed if any of its terms is.
std::uint32_t multiply_add(const VideoForm& form, std::int64_t a, std::int64_t b, std::uint32_t c) {
  const bool is_signed = form.has(VideoForm::kSignedA) || form.has(VideoForm::kSignedB) ||
                         form.has(VideoForm::kNegateProduct) || form.has(VideoForm::kNegateC);
  Wide sum = Wide{a} * b;
  Wide addend = field(c, 0, 32, is_signed);
  if (form.has(VideoForm::kNegateProduct)) sum = -sum;
  if (form.has(VideoForm::kNegateC)) addend = -addend;
  sum += addend + (form.has(VideoForm::kPlusOne) ? 1 : 0);
  if (form.how != 0) sum >>= 8 * form.how - 1;
  if (form.has(VideoForm::kSaturate)) sum = clamped(sum, 32, is_signed);
  return static_cast<std::uint32_t>(sum);
}

// Merges the value into c, or applies the secondary operation to both.
std::uint32_t finished(const VideoForm& form, Wide value, std::uint32_t c) {
  const Place to = place_of(form.result);
  const bool is_signed = form.has(VideoForm::kSignedResult);
  if (form.has(VideoForm::kSaturate)) value = clamped(value, to.bits, is_signed);
  const Wide third = field(c, 0, 32, is_signed);
  switch (static_cast<VideoSecondary>(form.secondary)) {
    case VideoSecondary::kAdd:
      return static_cast<std::uint32_t>(value + third);
    case VideoSecondary::kMin:
      return static_cast<std::uint32_t>(std::min(value, third));
    case VideoSecondary::kMax:
      return static_cast<std::uint32_t>(std::max(value, third));
    case VideoSecondary::kNone:
      break;
  }
  const auto mask = static_cast<std::uint32_t>((std::uint64_t{1} << to.bits) - 1) << to.first;
  const auto bits = static_cast<std::uint32_t>(value) << to.first;
  return (bits & mask) | (c & ~mask);
}

std::uint32_t parts_result(const VideoForm& form, std::uint32_t a, std::uint32_t b,
                           std::uint32_t c) {
  const int bits = 32 / form.parts;
  const auto chosen = [&](std::uint16_t selector, int part, bool is_signed) {
    const int which = selector >> (3 * part) & 7;
    const int own = which % form.parts;
    return field(which < form.parts ? a : b, own * bits, bits, is_signed);
  };
  const bool adds = static_cast<VideoSecondary>(form.secondary) == VideoSecondary::kAdd;
  std::uint32_t result = c;
  for (int part = 0; part < form.parts; ++part) {
    if ((form.result >> part & 1) == 0) continue;
    Wide value = computed(form, chosen(form.a, part, form.has(VideoForm::kSignedA)),
                          chosen(form.b, part, form.has(VideoForm::kSignedB)));
    if (form.has(VideoForm::kSaturate))
      value = clamped(value, bits, form.has(VideoForm::kSignedResult));
    if (adds) {
      result += static_cast<std::uint32_t>(value);
      continue;
    }
    const auto mask = static_cast<std::uint32_t>((std::uint64_t{1} << bits) - 1) << (part * bits);
    result = (result & ~mask) | (static_cast<std::uint32_t>(value) << (part * bits) & mask);
  }
  return result;
}

}  // namespace

std::uint32_t video_result(const VideoForm& form, std::uint32_t a, std::uint32_t b,
                           std::uint32_t c) {
  if (form.parts != 1) return parts_result(form, a, b, c);
  const Place of_a = place_of(form.a);
  const Place of_b = place_of(form.b);
  const std::int64_t x = field(a, of_a.first, of_a.bits, form.has(VideoForm::kSignedA));
  const std::int64_t y = field(b, of_b.first, of_b.bits, form.has(VideoForm::kSignedB));
  if (form.op == VideoOp::kMultiplyAdd) return multiply_add(form, x, y, c);
  return finished(form, computed(form, x, y), c);
}

void exec_video(Warp& warp, const Inst& inst) {
  const auto form = std::bit_cast<VideoForm>(inst.immediate);
  const std::uint32_t* a = warp.row(inst.src[0]);
  const std::uint32_t* b = warp.row(inst.src[1]);
  const std::uint32_t* c = warp.row(inst.src[2]);
  std::uint32_t* d = warp.row(inst.dst);
  for (std::uint32_t left = warp.mask(); left != 0; left &= left - 1) {
    const int lane = std::countr_zero(left);
    d[lane] = video_result(form, a[lane], b[lane], c[lane]);
  }
}

}  // namespace warpwright::emu
