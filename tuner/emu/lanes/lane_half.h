// f16, bf16 and their packed pairs. Sums of halves are exact enough in float that one more rounding
// is correct (24 >= 2*11+2 bits); products and fma go through double and round to odd first, which
// avoids double rounding. Part of the per-instruction-set sources; see lane_exec.h.
#pragma once

#include "emu/lanes/lane_exec.h"
#include "emu/lanes/lane_float.h"

namespace warpwright::emu::WARPWRIGHT_LANE_ISA {

struct HalfFormat {
  using One = Half;
  using Two = Half2;
  [[gnu::always_inline]] static float widen(std::uint16_t bits) { return half_to_float(bits); }
  [[gnu::always_inline]] static std::uint16_t narrow(float value) { return float_to_half(value); }
  [[gnu::always_inline]] static float flush(float value) { return flush_half(value); }
};
struct Bf16Format {
  using One = Bf16;
  using Two = Bf162;
  [[gnu::always_inline]] static float widen(std::uint16_t bits) { return bf16_to_float(bits); }
  [[gnu::always_inline]] static std::uint16_t narrow(float value) { return float_to_bf16(value); }
  [[gnu::always_inline]] static float flush(float value) {
    return WARPWRIGHT_LANE_ISA::flush(value);
  }
};

template <class Format, bool kFtz, bool kSat, bool kRelu>
[[gnu::always_inline]] inline std::uint16_t finish_half(float value) {
  // Flushing and saturation act on the rounded value.
  std::uint16_t bits = Format::narrow(value);
  if constexpr (kFtz) {
    const float back = Format::flush(Format::widen(bits));
    bits = back == 0.0f ? static_cast<std::uint16_t>(bits & 0x8000u) : bits;
  }
  if constexpr (kSat) bits = Format::narrow(saturate(Format::widen(bits)));
  if constexpr (kRelu)
    bits = (bits >> 15) != 0 && (bits & 0x7fffu) != 0x7fffu ? std::uint16_t{0} : bits;
  return bits;
}

template <class Format, bool kFtz>
[[gnu::always_inline]] inline float start_half(std::uint16_t bits) {
  const float value = Format::widen(bits);
  return kFtz ? Format::flush(value) : value;
}

template <class Format, bool kFtz>
[[gnu::always_inline]] inline float fused_half(std::uint16_t a, std::uint16_t b, std::uint16_t c) {
  return round_to_odd(fma_to_odd(static_cast<double>(start_half<Format, kFtz>(a)),
                                 static_cast<double>(start_half<Format, kFtz>(b)),
                                 static_cast<double>(start_half<Format, kFtz>(c))));
}

// Registers a function of bits for one half and for a pair.
template <class Format, class F>
void half_binary(LaneTable& t, std::string_view operation, std::string_view modifiers,
                 std::string_view type, F) {
  using One = typename Format::One;
  using Two = typename Format::Two;
  binary<One, One, One>(t, {operation, modifiers, type}, InstClass::kFp16,
                        [](One a, One b) { return One{F{}(a.bits, b.bits)}; });
  binary<Two, Two, Two>(t, {operation, modifiers, type, "x2"}, InstClass::kFp16, [](Two a, Two b) {
    const auto low = F{}(static_cast<std::uint16_t>(a.bits), static_cast<std::uint16_t>(b.bits));
    const auto high =
        F{}(static_cast<std::uint16_t>(a.bits >> 16), static_cast<std::uint16_t>(b.bits >> 16));
    return Two{static_cast<std::uint32_t>(low) | static_cast<std::uint32_t>(high) << 16};
  });
}
template <class Format, class F>
void half_unary(LaneTable& t, std::string_view operation, std::string_view modifiers,
                std::string_view type, F) {
  using One = typename Format::One;
  using Two = typename Format::Two;
  unary<One, One>(t, {operation, modifiers, type}, InstClass::kFp16,
                  [](One a) { return One{F{}(a.bits)}; });
  unary<Two, Two>(t, {operation, modifiers, type, "x2"}, InstClass::kFp16, [](Two a) {
    const auto low = F{}(static_cast<std::uint16_t>(a.bits));
    const auto high = F{}(static_cast<std::uint16_t>(a.bits >> 16));
    return Two{static_cast<std::uint32_t>(low) | static_cast<std::uint32_t>(high) << 16};
  });
}
template <class Format, class F>
void half_ternary(LaneTable& t, std::string_view operation, std::string_view modifiers,
                  std::string_view type, F) {
  using One = typename Format::One;
  using Two = typename Format::Two;
  ternary<One, One, One, One>(t, {operation, modifiers, type}, InstClass::kFp16,
                              [](One a, One b, One c) { return One{F{}(a.bits, b.bits, c.bits)}; });
  ternary<Two, Two, Two, Two>(
      t, {operation, modifiers, type, "x2"}, InstClass::kFp16, [](Two a, Two b, Two c) {
        const auto low = F{}(static_cast<std::uint16_t>(a.bits), static_cast<std::uint16_t>(b.bits),
                             static_cast<std::uint16_t>(c.bits));
        const auto high =
            F{}(static_cast<std::uint16_t>(a.bits >> 16), static_cast<std::uint16_t>(b.bits >> 16),
                static_cast<std::uint16_t>(c.bits >> 16));
        return Two{static_cast<std::uint32_t>(low) | static_cast<std::uint32_t>(high) << 16};
      });
}

template <class Format, bool kFtz, bool kSat>
void add_half_arithmetic(LaneTable& t, std::string_view type) {
  constexpr std::string_view kModifiers = kFtz   ? (kSat ? ".ftz.sat." : ".ftz.")
                                          : kSat ? ".sat."
                                                 : ".";
  half_binary<Format>(t, "add", kModifiers, type, [](std::uint16_t a, std::uint16_t b) {
    return finish_half<Format, kFtz, kSat, false>(start_half<Format, kFtz>(a) +
                                                  start_half<Format, kFtz>(b));
  });
  half_binary<Format>(t, "sub", kModifiers, type, [](std::uint16_t a, std::uint16_t b) {
    return finish_half<Format, kFtz, kSat, false>(start_half<Format, kFtz>(a) -
                                                  start_half<Format, kFtz>(b));
  });
  half_binary<Format>(t, "mul", kModifiers, type, [](std::uint16_t a, std::uint16_t b) {
    const double product = static_cast<double>(start_half<Format, kFtz>(a)) *
                           static_cast<double>(start_half<Format, kFtz>(b));
    return finish_half<Format, kFtz, kSat, false>(round_to_odd(product));
  });
  half_ternary<Format>(
      t, "fma", kModifiers, type, [](std::uint16_t a, std::uint16_t b, std::uint16_t c) {
        return finish_half<Format, kFtz, kSat, false>(fused_half<Format, kFtz>(a, b, c));
      });
}

template <class Format, bool kMax, bool kNan, bool kFtz>
void add_half_extreme(LaneTable& t, std::string_view type) {
  constexpr std::string_view kModifiers = kFtz   ? (kNan ? ".ftz.NaN." : ".ftz.")
                                          : kNan ? ".NaN."
                                                 : ".";
  half_binary<Format>(
      t, kMax ? "max" : "min", kModifiers, type, [](std::uint16_t a, std::uint16_t b) {
        return Format::narrow(
            extreme<kMax, kNan>(start_half<Format, kFtz>(a), start_half<Format, kFtz>(b)));
      });
}

template <class Format>
void add_half_format(LaneTable& t, std::string_view type) {
  add_half_arithmetic<Format, false, false>(t, type);
  add_half_extreme<Format, false, false, false>(t, type);
  add_half_extreme<Format, true, false, false>(t, type);
  const auto canonical_nan = [](std::uint16_t value) {
    const float wide = Format::widen(value);
    return wide != wide ? std::uint16_t{0x7fff} : value;
  };
  using CanonicalNan = decltype(canonical_nan);
  half_unary<Format>(t, "neg", ".", type, [](std::uint16_t a) {
    return CanonicalNan{}(static_cast<std::uint16_t>(a ^ 0x8000u));
  });
  half_unary<Format>(t, "abs", ".", type, [](std::uint16_t a) {
    return CanonicalNan{}(static_cast<std::uint16_t>(a & 0x7fffu));
  });
}

inline void add_half(LaneTable& t) {
  add_half_format<HalfFormat>(t, "f16");
  add_half_format<Bf16Format>(t, "bf16");
}

}  // namespace warpwright::emu::WARPWRIGHT_LANE_ISA
