// Integer and bit operations. Part of the per-instruction-set sources; see lane_exec.h.
#pragma once

#include "emu/lane_exec.h"

namespace warpwright::emu::WARPWRIGHT_LANE_ISA {

inline constexpr InstClass kInt = InstClass::kInteger;

template <class T>
void add_common_integer(LaneTable& t, const std::string& type) {
  using U = std::make_unsigned_t<T>;
  // Computed in at least 32 unsigned bits: 16-bit operands would promote to int and overflow in a
  // product.
  using W = std::conditional_t<sizeof(T) == 8, std::uint64_t, std::uint32_t>;
  binary<T, T, T>(t, "add." + type, kInt,
                  [](T a, T b) { return static_cast<T>(W(U(a)) + W(U(b))); });
  binary<T, T, T>(t, "sub." + type, kInt,
                  [](T a, T b) { return static_cast<T>(W(U(a)) - W(U(b))); });
  binary<T, T, T>(t, "mul.lo." + type, kInt,
                  [](T a, T b) { return static_cast<T>(W(U(a)) * W(U(b))); });
  ternary<T, T, T, T>(t, "mad.lo." + type, kInt,
                      [](T a, T b, T c) { return static_cast<T>(W(U(a)) * W(U(b)) + W(U(c))); });
  binary<T, T, T>(t, "min." + type, kInt, [](T a, T b) { return b < a ? b : a; });
  binary<T, T, T>(t, "max." + type, kInt, [](T a, T b) { return a < b ? b : a; });
  // The hardware's answers for a zero divisor and for INT_MIN / -1 do not trap; inactive lanes may
  // hold either.
  binary<T, T, T>(t, "div." + type, kInt, [](T a, T b) {
    if (b == 0) return static_cast<T>(~U{0});
    if constexpr (std::is_signed_v<T>) {
      if (b == T{-1}) return static_cast<T>(W{0} - W(U(a)));
    }
    return static_cast<T>(a / b);
  });
  binary<T, T, T>(t, "rem." + type, kInt, [](T a, T b) {
    if (b == 0) return static_cast<T>(~U{0});
    if constexpr (std::is_signed_v<T>) {
      if (b == T{-1}) return T{0};
    }
    return static_cast<T>(a % b);
  });
  constexpr unsigned kBits = sizeof(T) * 8;
  binary<T, T, std::uint32_t>(t, "shr." + type, kInt, [](T a, std::uint32_t n) {
    if constexpr (std::is_signed_v<T>) return static_cast<T>(a >> (n < kBits ? n : kBits - 1));
    return n < kBits ? static_cast<T>(a >> n) : T{0};
  });
}

template <class T>
void add_signed(LaneTable& t, const std::string& type) {
  using U = std::make_unsigned_t<T>;
  using W = std::conditional_t<sizeof(T) == 8, std::uint64_t, std::uint32_t>;
  unary<T, T>(t, "neg." + type, kInt, [](T a) { return static_cast<T>(W{0} - W(U(a))); });
  unary<T, T>(t, "abs." + type, kInt,
              [](T a) { return a < 0 ? static_cast<T>(W{0} - W(U(a))) : a; });
}

template <class T>
void add_bits(LaneTable& t, const std::string& type) {
  constexpr unsigned kBits = sizeof(T) * 8;
  binary<T, T, T>(t, "and." + type, kInt, [](T a, T b) { return static_cast<T>(a & b); });
  binary<T, T, T>(t, "or." + type, kInt, [](T a, T b) { return static_cast<T>(a | b); });
  binary<T, T, T>(t, "xor." + type, kInt, [](T a, T b) { return static_cast<T>(a ^ b); });
  unary<T, T>(t, "not." + type, kInt, [](T a) { return static_cast<T>(~a); });
  unary<T, T>(t, "cnot." + type, kInt, [](T a) { return static_cast<T>(a == 0 ? 1 : 0); });
  binary<T, T, std::uint32_t>(t, "shl." + type, kInt, [](T a, std::uint32_t n) {
    return n < kBits ? static_cast<T>(static_cast<Storage<T>>(a) << n) : T{0};
  });
  t.alias("shr." + type, "shr.u" + type.substr(1));
}

// High and wide products; W holds the whole product.
template <class T, class W>
void add_products(LaneTable& t, const std::string& type) {
  constexpr unsigned kBits = sizeof(T) * 8;
  binary<T, T, T>(t, "mul.hi." + type, kInt, [](T a, T b) {
    return static_cast<T>((static_cast<W>(a) * static_cast<W>(b)) >> kBits);
  });
  ternary<T, T, T, T>(t, "mad.hi." + type, kInt, [](T a, T b, T c) {
    using U = std::make_unsigned_t<T>;
    return static_cast<T>(U((static_cast<W>(a) * static_cast<W>(b)) >> kBits) + U(c));
  });
  if constexpr (sizeof(W) <= 8) {
    using U = std::make_unsigned_t<W>;
    binary<W, T, T>(t, "mul.wide." + type, kInt,
                    [](T a, T b) { return static_cast<W>(U(W(a)) * U(W(b))); });
    ternary<W, T, T, W>(t, "mad.wide." + type, kInt,
                        [](T a, T b, W c) { return static_cast<W>(U(W(a)) * U(W(b)) + U(c)); });
  }
}

template <class T>
void add_mul24(LaneTable& t, const std::string& type) {
  const auto low24 = [](T a) {
    return static_cast<std::int64_t>(
        std::is_signed_v<T> ? (static_cast<std::int32_t>(static_cast<std::uint32_t>(a) << 8) >> 8)
                            : static_cast<std::int64_t>(a & 0xffffff));
  };
  (void)low24;
  using L = decltype(low24);
  binary<T, T, T>(t, "mul24.lo." + type, kInt,
                  [](T a, T b) { return static_cast<T>(L{}(a)*L{}(b)); });
  binary<T, T, T>(t, "mul24.hi." + type, kInt,
                  [](T a, T b) { return static_cast<T>((L{}(a)*L{}(b)) >> 16); });
  ternary<T, T, T, T>(t, "mad24.lo." + type, kInt, [](T a, T b, T c) {
    return static_cast<T>(L{}(a)*L{}(b) + static_cast<std::int64_t>(c));
  });
  ternary<T, T, T, T>(t, "mad24.hi." + type, kInt, [](T a, T b, T c) {
    return static_cast<T>(((L{}(a)*L{}(b)) >> 16) + static_cast<std::int64_t>(c));
  });
}

// LUT bit k of f decides the result where the bits of a, b and c spell k.
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
  using u8 = std::uint8_t;
  using u16 = std::uint16_t;
  using s16 = std::int16_t;
  using u32 = std::uint32_t;
  using s32 = std::int32_t;
  using u64 = std::uint64_t;
  using s64 = std::int64_t;
  __extension__ using s128 = __int128;
  __extension__ using u128 = unsigned __int128;
  add_common_integer<u16>(t, "u16");
  add_common_integer<s16>(t, "s16");
  add_common_integer<u32>(t, "u32");
  add_common_integer<s32>(t, "s32");
  add_common_integer<u64>(t, "u64");
  add_common_integer<s64>(t, "s64");
  add_signed<s16>(t, "s16");
  add_signed<s32>(t, "s32");
  add_signed<s64>(t, "s64");
  add_bits<u16>(t, "b16");
  add_bits<u32>(t, "b32");
  add_bits<u64>(t, "b64");
  add_products<u16, u32>(t, "u16");
  add_products<s16, s32>(t, "s16");
  add_products<u32, u64>(t, "u32");
  add_products<s32, s64>(t, "s32");
  add_products<u64, u128>(t, "u64");
  add_products<s64, s128>(t, "s64");
  add_mul24<u32>(t, "u32");
  add_mul24<s32>(t, "s32");
  binary<s32, s32, s32>(t, "add.sat.s32", kInt, [](s32 a, s32 b) {
    const s64 sum = static_cast<s64>(a) + b;
    return static_cast<s32>(sum > 2147483647      ? 2147483647
                            : sum < -2147483648LL ? -2147483648LL
                                                  : sum);
  });
  binary<s32, s32, s32>(t, "sub.sat.s32", kInt, [](s32 a, s32 b) {
    const s64 sum = static_cast<s64>(a) - b;
    return static_cast<s32>(sum > 2147483647      ? 2147483647
                            : sum < -2147483648LL ? -2147483648LL
                                                  : sum);
  });
  // Packed 16-bit halves.
  binary<u32, u32, u32>(t, "add.u16x2", kInt, [](u32 a, u32 b) {
    return ((a + b) & 0xffffu) | ((a & 0xffff0000u) + (b & 0xffff0000u));
  });
  t.alias("add.s16x2", "add.u16x2");
  const auto packed = [](auto pick, u32 a, u32 b) {
    return static_cast<u32>(static_cast<u16>(pick(a & 0xffffu, b & 0xffffu))) |
           static_cast<u32>(static_cast<u16>(pick(a >> 16, b >> 16))) << 16;
  };
  using Packed = decltype(packed);
  binary<u32, u32, u32>(t, "min.u16x2", kInt, [](u32 a, u32 b) {
    return Packed{}([](u32 p, u32 q) { return p < q ? p : q; }, a, b);
  });
  binary<u32, u32, u32>(t, "max.u16x2", kInt, [](u32 a, u32 b) {
    return Packed{}([](u32 p, u32 q) { return p < q ? q : p; }, a, b);
  });
  binary<u32, u32, u32>(t, "min.s16x2", kInt, [](u32 a, u32 b) {
    return Packed{}([](u32 p, u32 q) { return s16(p) < s16(q) ? p : q; }, a, b);
  });
  binary<u32, u32, u32>(t, "max.s16x2", kInt, [](u32 a, u32 b) {
    return Packed{}([](u32 p, u32 q) { return s16(p) < s16(q) ? q : p; }, a, b);
  });
  ternary<u32, u32, u32, u32>(t, "sad.u32", kInt,
                              [](u32 a, u32 b, u32 c) { return c + (a < b ? b - a : a - b); });
  ternary<u32, s32, s32, u32>(t, "sad.s32", kInt, [](s32 a, s32 b, u32 c) {
    return c + (a < b ? u32(b) - u32(a) : u32(a) - u32(b));
  });
  quaternary<u32, u32, u32, u32>(t, "lop3.b32", kInt,
                                 [](u32 a, u32 b, u32 c, u32 lut) { return lop3(a, b, c, lut); });
  ternary<u32, u32, u32, u32>(t, "prmt.b32", kInt,
                              [](u32 a, u32 b, u32 c) { return prmt(a, b, c); });
  ternary<u32, u32, u32, u32>(t, "shf.l.wrap.b32", kInt, [](u32 a, u32 b, u32 n) {
    return u32((u64(b) << 32 | a) << (n & 31) >> 32);
  });
  ternary<u32, u32, u32, u32>(t, "shf.r.wrap.b32", kInt, [](u32 a, u32 b, u32 n) {
    return u32((u64(b) << 32 | a) >> (n & 31));
  });
  ternary<u32, u32, u32, u32>(t, "shf.l.clamp.b32", kInt, [](u32 a, u32 b, u32 n) {
    return n >= 32 ? a : u32((u64(b) << 32 | a) << n >> 32);
  });
  ternary<u32, u32, u32, u32>(t, "shf.r.clamp.b32", kInt, [](u32 a, u32 b, u32 n) {
    return n >= 32 ? b : u32((u64(b) << 32 | a) >> n);
  });
  unary<u32, u32>(t, "popc.b32", kInt, [](u32 a) { return u32(__builtin_popcount(a)); });
  unary<u32, u64>(t, "popc.b64", kInt, [](u64 a) { return u32(__builtin_popcountll(a)); });
  unary<u32, u32>(t, "clz.b32", kInt, [](u32 a) { return a == 0 ? 32u : u32(__builtin_clz(a)); });
  unary<u32, u64>(t, "clz.b64", kInt, [](u64 a) { return a == 0 ? 64u : u32(__builtin_clzll(a)); });
  unary<u32, u32>(t, "mov.b32", kInt, [](u32 a) { return a; });
  unary<u64, u64>(t, "mov.b64", kInt, [](u64 a) { return a; });
  for (const char* name : {"mov.u32", "mov.s32", "mov.f32", "mov.b16", "mov.u16", "mov.s16",
                           "mov.f16", "mov.bf16", "mov.f16x2", "mov.bf16x2", "mov.b8", "mov.u8"})
    t.alias(name, "mov.b32");
  for (const char* name : {"mov.u64", "mov.s64"}) t.alias(name, "mov.b64");
  unary<double, double>(t, "mov.f64", kInt, [](double a) { return a; });
  for (const char* type : {"b16", "u16", "s16", "b32", "u32", "s32", "f16", "bf16"})
    select<u32>(t, std::string("selp.") + type, kInt);
  for (const char* type : {"b64", "u64", "s64"}) select<u64>(t, std::string("selp.") + type, kInt);
  select<float>(t, "selp.f32", kInt);
  select<double>(t, "selp.f64", kInt);
  (void)sizeof(u8);
}

}  // namespace warpwright::emu::WARPWRIGHT_LANE_ISA
