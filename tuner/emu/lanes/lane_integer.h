// Integer and bit operations. Part of the per-instruction-set sources; see lane_exec.h.
#pragma once

#include "emu/lanes/lane_exec.h"

namespace warpwright::emu::WARPWRIGHT_LANE_ISA {

inline constexpr InstClass kInt = InstClass::kInteger;

template <class T>
void add_common_integer(LaneTable& t, std::string_view type) {
  using U = std::make_unsigned_t<T>;
  // Computed in at least 32 unsigned bits: 16-bit operands would promote to int and overflow in a
  // product.
  using W = std::conditional_t<sizeof(T) == 8, std::uint64_t, std::uint32_t>;
  binary<T, T, T>(t, {"add.", type}, kInt,
                  [](T a, T b) { return static_cast<T>(W(U(a)) + W(U(b))); });
  binary<T, T, T>(t, {"sub.", type}, kInt,
                  [](T a, T b) { return static_cast<T>(W(U(a)) - W(U(b))); });
  binary<T, T, T>(t, {"mul.lo.", type}, kInt,
                  [](T a, T b) { return static_cast<T>(W(U(a)) * W(U(b))); });
  ternary<T, T, T, T>(t, {"mad.lo.", type}, kInt,
                      [](T a, T b, T c) { return static_cast<T>(W(U(a)) * W(U(b)) + W(U(c))); });
  binary<T, T, T>(t, {"min.", type}, kInt, [](T a, T b) { return b < a ? b : a; });
  binary<T, T, T>(t, {"max.", type}, kInt, [](T a, T b) { return a < b ? b : a; });
  constexpr unsigned kBits = sizeof(T) * 8;
  binary<T, T, std::uint32_t>(t, {"shr.", type}, kInt, [](T a, std::uint32_t n) {
    if constexpr (std::is_signed_v<T>) return static_cast<T>(a >> (n < kBits ? n : kBits - 1));
    return n < kBits ? static_cast<T>(a >> n) : T{0};
  });
}

template <class T>
void add_signed(LaneTable& t, std::string_view type) {
  using U = std::make_unsigned_t<T>;
  using W = std::conditional_t<sizeof(T) == 8, std::uint64_t, std::uint32_t>;
  unary<T, T>(t, {"neg.", type}, kInt, [](T a) { return static_cast<T>(W{0} - W(U(a))); });
  unary<T, T>(t, {"abs.", type}, kInt,
              [](T a) { return a < 0 ? static_cast<T>(W{0} - W(U(a))) : a; });
}

template <class T>
void add_bits(LaneTable& t, std::string_view type) {
  constexpr unsigned kBits = sizeof(T) * 8;
  binary<T, T, T>(t, {"and.", type}, kInt, [](T a, T b) { return static_cast<T>(a & b); });
  binary<T, T, T>(t, {"or.", type}, kInt, [](T a, T b) { return static_cast<T>(a | b); });
  binary<T, T, T>(t, {"xor.", type}, kInt, [](T a, T b) { return static_cast<T>(a ^ b); });
  unary<T, T>(t, {"not.", type}, kInt, [](T a) { return static_cast<T>(~a); });
  unary<T, T>(t, {"cnot.", type}, kInt, [](T a) { return static_cast<T>(a == 0 ? 1 : 0); });
  binary<T, T, std::uint32_t>(t, {"shl.", type}, kInt, [](T a, std::uint32_t n) {
    return n < kBits ? static_cast<T>(static_cast<Storage<T>>(a) << n) : T{0};
  });
  t.alias({"shr.", type}, {"shr.u", type.substr(1)});
}

// Adds high and wide products; W holds the whole product.
template <class T, class W>
void add_products(LaneTable& t, std::string_view type) {
  constexpr unsigned kBits = sizeof(T) * 8;
  binary<T, T, T>(t, {"mul.hi.", type}, kInt, [](T a, T b) {
    return static_cast<T>((static_cast<W>(a) * static_cast<W>(b)) >> kBits);
  });
  ternary<T, T, T, T>(t, {"mad.hi.", type}, kInt, [](T a, T b, T c) {
    using U = std::make_unsigned_t<T>;
    return static_cast<T>(U((static_cast<W>(a) * static_cast<W>(b)) >> kBits) + U(c));
  });
  if constexpr (sizeof(W) <= 8) {
    using U = std::make_unsigned_t<W>;
    binary<W, T, T>(t, {"mul.wide.", type}, kInt,
                    [](T a, T b) { return static_cast<W>(U(W(a)) * U(W(b))); });
    ternary<W, T, T, W>(t, {"mad.wide.", type}, kInt,
                        [](T a, T b, W c) { return static_cast<W>(U(W(a)) * U(W(b)) + U(c)); });
  }
}

// Bit k of `lut` is the result for bit positions where the bits of a, b and c form the number k.
[[gnu::always_inline]] inline std::uint32_t lop3(std::uint32_t a, std::uint32_t b, std::uint32_t c,
                                                 std::uint32_t lut) {
  std::uint32_t result = 0;
  for (std::uint32_t k = 0; k < 8; ++k) {
    const std::uint32_t match =
        ((k & 4) != 0 ? a : ~a) & ((k & 2) != 0 ? b : ~b) & ((k & 1) != 0 ? c : ~c);
    result |= match & (0u - (lut >> k & 1));
  }
  return result;
}

[[gnu::always_inline]] inline std::uint32_t prmt(std::uint32_t a, std::uint32_t b,
                                                 std::uint32_t selector) {
  const std::uint64_t bytes = static_cast<std::uint64_t>(b) << 32 | a;
  std::uint32_t result = 0;
  for (std::uint32_t i = 0; i < 4; ++i) {
    const std::uint32_t pick = selector >> (4 * i) & 15;
    const std::uint32_t byte = static_cast<std::uint32_t>(bytes >> (8 * (pick & 7))) & 255;
    const std::uint32_t sign = (byte & 128) != 0 ? 255 : 0;
    result |= ((pick & 8) != 0 ? sign : byte) << (8 * i);
  }
  return result;
}

inline void add_integer(LaneTable& t) {
  using u32 = std::uint32_t;
  using s32 = std::int32_t;
  using u64 = std::uint64_t;
  using s64 = std::int64_t;
  add_common_integer<u32>(t, "u32");
  add_common_integer<s32>(t, "s32");
  add_common_integer<u64>(t, "u64");
  add_common_integer<s64>(t, "s64");
  add_signed<s32>(t, "s32");
  add_signed<s64>(t, "s64");
  add_bits<u32>(t, "b32");
  add_bits<u64>(t, "b64");
  add_products<u32, u64>(t, "u32");
  add_products<s32, s64>(t, "s32");
  quaternary<u32, u32, u32, u32>(t, {"lop3.b32"}, kInt,
                                 [](u32 a, u32 b, u32 c, u32 lut) { return lop3(a, b, c, lut); });
  ternary<u32, u32, u32, u32>(t, {"prmt.b32"}, kInt,
                              [](u32 a, u32 b, u32 c) { return prmt(a, b, c); });
  ternary<u32, u32, u32, u32>(t, {"shf.l.wrap.b32"}, kInt, [](u32 a, u32 b, u32 n) {
    return u32((u64(b) << 32 | a) << (n & 31) >> 32);
  });
  ternary<u32, u32, u32, u32>(t, {"shf.r.wrap.b32"}, kInt, [](u32 a, u32 b, u32 n) {
    return u32((u64(b) << 32 | a) >> (n & 31));
  });
  ternary<u32, u32, u32, u32>(t, {"shf.l.clamp.b32"}, kInt, [](u32 a, u32 b, u32 n) {
    return n >= 32 ? a : u32((u64(b) << 32 | a) << n >> 32);
  });
  ternary<u32, u32, u32, u32>(t, {"shf.r.clamp.b32"}, kInt, [](u32 a, u32 b, u32 n) {
    return n >= 32 ? b : u32((u64(b) << 32 | a) >> n);
  });
  unary<u32, u32>(t, {"popc.b32"}, kInt, [](u32 a) { return u32(__builtin_popcount(a)); });
  unary<u32, u64>(t, {"popc.b64"}, kInt, [](u64 a) { return u32(__builtin_popcountll(a)); });
  unary<u32, u32>(t, {"clz.b32"}, kInt, [](u32 a) { return a == 0 ? 32u : u32(__builtin_clz(a)); });
  unary<u32, u64>(t, {"clz.b64"}, kInt,
                  [](u64 a) { return a == 0 ? 64u : u32(__builtin_clzll(a)); });
  unary<u32, u32>(t, {"mov.b32"}, kInt, [](u32 a) { return a; });
  unary<u64, u64>(t, {"mov.b64"}, kInt, [](u64 a) { return a; });
  for (const char* name : {"mov.u32", "mov.s32", "mov.f32", "mov.b16", "mov.u16", "mov.s16",
                           "mov.f16", "mov.bf16", "mov.f16x2", "mov.bf16x2", "mov.b8", "mov.u8"})
    t.alias({name}, {"mov.b32"});
  for (const char* name : {"mov.u64", "mov.s64"}) t.alias({name}, {"mov.b64"});
  unary<double, double>(t, {"mov.f64"}, kInt, [](double a) { return a; });
  for (const char* type : {"b16", "u16", "s16", "b32", "u32", "s32", "f16", "bf16"})
    select<u32>(t, {"selp.", type}, kInt);
  for (const char* type : {"b64", "u64", "s64"}) select<u64>(t, {"selp.", type}, kInt);
  select<float>(t, {"selp.f32"}, kInt);
  select<double>(t, {"selp.f64"}, kInt);
}

}  // namespace warpwright::emu::WARPWRIGHT_LANE_ISA
