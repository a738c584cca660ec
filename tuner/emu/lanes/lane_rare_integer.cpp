// Integer operations that are too rare to be compiled per instruction set, or that have no vector
// instructions: divisions, 64-bit high products, 16 bits, 24 bits, saturation; and bit fields,
// permutations, dot products and tests.
#define WARPWRIGHT_LANE_ISA lane_rare_integer
#include <algorithm>

#include "emu/lanes/lane_exec.h"
#include "emu/lanes/lane_float.h"
#include "emu/lanes/lane_integer.h"

namespace warpwright::emu {
namespace {

using namespace lane_rare_integer;

using u16 = std::uint16_t;
using s16 = std::int16_t;
using u32 = std::uint32_t;
using s32 = std::int32_t;
using u64 = std::uint64_t;
using s64 = std::int64_t;
__extension__ using s128 = __int128;
__extension__ using u128 = unsigned __int128;

// cvt.pack: the second operand is lowest, the first above it, and above both, if there is room, the
// lower bits of the third.
template <int kBits, bool kSigned>
u32 clamped_pack(s32 a, s32 b, u32 c) {
  constexpr s64 kLeast = kSigned ? -(s64{1} << (kBits - 1)) : 0;
  constexpr s64 kMost = (s64{1} << (kSigned ? kBits - 1 : kBits)) - 1;
  const auto clamped = [](s64 value) {
    const s64 inside = value < kLeast ? kLeast : value > kMost ? kMost : value;
    return static_cast<u32>(inside) & static_cast<u32>((u64{1} << kBits) - 1);
  };
  const u64 rest = static_cast<u64>(c) << (2 * kBits);
  return static_cast<u32>(rest) | clamped(a) << kBits | clamped(b);
}

template <int kBits>
void add_packs(LaneTable& t, std::string_view bits) {
  ternary<u32, s32, s32, u32>(
      t, {"cvt.pack.sat.u", bits, ".s32.b32"}, InstClass::kConvert,
      [](s32 a, s32 b, u32 c) { return clamped_pack<kBits, false>(a, b, c); });
  ternary<u32, s32, s32, u32>(
      t, {"cvt.pack.sat.s", bits, ".s32.b32"}, InstClass::kConvert,
      [](s32 a, s32 b, u32 c) { return clamped_pack<kBits, true>(a, b, c); });
}

template <class T>
void add_division(LaneTable& t, std::string_view type) {
  using U = std::make_unsigned_t<T>;
  using W = std::conditional_t<sizeof(T) == 8, std::uint64_t, std::uint32_t>;
  // As on the hardware, a zero divisor and INT_MIN / -1 do not trap; inactive lanes may hold such
  // operands.
  binary<T, T, T>(t, {"div.", type}, kInt, [](T a, T b) {
    if (b == 0) return static_cast<T>(~U{0});
    if constexpr (std::is_signed_v<T>) {
      if (b == T{-1}) return static_cast<T>(W{0} - W(U(a)));
    }
    return static_cast<T>(a / b);
  });
  binary<T, T, T>(t, {"rem.", type}, kInt, [](T a, T b) {
    if (b == 0) return static_cast<T>(~U{0});
    if constexpr (std::is_signed_v<T>) {
      if (b == T{-1}) return T{0};
    }
    return static_cast<T>(a % b);
  });
}

template <class T>
void add_mul24(LaneTable& t, std::string_view type) {
  const auto low24 = [](T a) {
    return static_cast<std::int64_t>(
        std::is_signed_v<T> ? (static_cast<std::int32_t>(static_cast<std::uint32_t>(a) << 8) >> 8)
                            : static_cast<std::int64_t>(a & 0xffffff));
  };
  (void)low24;
  using L = decltype(low24);
  binary<T, T, T>(t, {"mul24.lo.", type}, kInt,
                  [](T a, T b) { return static_cast<T>(L{}(a)*L{}(b)); });
  binary<T, T, T>(t, {"mul24.hi.", type}, kInt,
                  [](T a, T b) { return static_cast<T>((L{}(a)*L{}(b)) >> 16); });
  ternary<T, T, T, T>(t, {"mad24.lo.", type}, kInt, [](T a, T b, T c) {
    return static_cast<T>(L{}(a)*L{}(b) + static_cast<std::int64_t>(c));
  });
  ternary<T, T, T, T>(t, {"mad24.hi.", type}, kInt, [](T a, T b, T c) {
    return static_cast<T>(((L{}(a)*L{}(b)) >> 16) + static_cast<std::int64_t>(c));
  });
}

}  // namespace

void add_lane_ops_rare_integer(LaneTable& t) {
  add_common_integer<u16>(t, "u16");
  add_common_integer<s16>(t, "s16");
  add_signed<s16>(t, "s16");
  add_bits<u16>(t, "b16");
  add_products<u16, u32>(t, "u16");
  add_products<s16, s32>(t, "s16");
  add_products<u64, u128>(t, "u64");
  add_products<s64, s128>(t, "s64");
  add_division<u16>(t, "u16");
  add_division<s16>(t, "s16");
  add_division<u32>(t, "u32");
  add_division<s32>(t, "s32");
  add_division<u64>(t, "u64");
  add_division<s64>(t, "s64");
  add_mul24<u32>(t, "u32");
  add_mul24<s32>(t, "s32");
  binary<s32, s32, s32>(t, {"add.sat.s32"}, kInt, [](s32 a, s32 b) {
    const s64 sum = static_cast<s64>(a) + b;
    return static_cast<s32>(sum > 2147483647      ? 2147483647
                            : sum < -2147483648LL ? -2147483648LL
                                                  : sum);
  });
  binary<s32, s32, s32>(t, {"sub.sat.s32"}, kInt, [](s32 a, s32 b) {
    const s64 sum = static_cast<s64>(a) - b;
    return static_cast<s32>(sum > 2147483647      ? 2147483647
                            : sum < -2147483648LL ? -2147483648LL
                                                  : sum);
  });
  // Packed 16-bit halves.
  binary<u32, u32, u32>(t, {"add.u16x2"}, kInt, [](u32 a, u32 b) {
    return ((a + b) & 0xffffu) | ((a & 0xffff0000u) + (b & 0xffff0000u));
  });
  t.alias({"add.s16x2"}, {"add.u16x2"});
  const auto packed = [](auto pick, u32 a, u32 b) {
    return static_cast<u32>(static_cast<u16>(pick(a & 0xffffu, b & 0xffffu))) |
           static_cast<u32>(static_cast<u16>(pick(a >> 16, b >> 16))) << 16;
  };
  using Packed = decltype(packed);
  binary<u32, u32, u32>(t, {"min.u16x2"}, kInt, [](u32 a, u32 b) {
    return Packed{}([](u32 p, u32 q) { return p < q ? p : q; }, a, b);
  });
  binary<u32, u32, u32>(t, {"max.u16x2"}, kInt, [](u32 a, u32 b) {
    return Packed{}([](u32 p, u32 q) { return p < q ? q : p; }, a, b);
  });
  binary<u32, u32, u32>(t, {"min.s16x2"}, kInt, [](u32 a, u32 b) {
    return Packed{}([](u32 p, u32 q) { return s16(p) < s16(q) ? p : q; }, a, b);
  });
  binary<u32, u32, u32>(t, {"max.s16x2"}, kInt, [](u32 a, u32 b) {
    return Packed{}([](u32 p, u32 q) { return s16(p) < s16(q) ? q : p; }, a, b);
  });
  ternary<u32, u32, u32, u32>(t, {"sad.u32"}, kInt,
                              [](u32 a, u32 b, u32 c) { return c + (a < b ? b - a : a - b); });
  ternary<u32, s32, s32, u32>(t, {"sad.s32"}, kInt, [](s32 a, s32 b, u32 c) {
    return c + (a < b ? u32(b) - u32(a) : u32(a) - u32(b));
  });
  add_packs<2>(t, "2");
  add_packs<4>(t, "4");
  add_packs<8>(t, "8");
  binary<u32, s32, s32>(t, {"cvt.pack.sat.u16.s32"}, InstClass::kConvert,
                        [](s32 a, s32 b) { return clamped_pack<16, false>(a, b, 0); });
  binary<u32, s32, s32>(t, {"cvt.pack.sat.s16.s32"}, InstClass::kConvert,
                        [](s32 a, s32 b) { return clamped_pack<16, true>(a, b, 0); });
}

namespace {

constexpr InstClass kInt = InstClass::kInteger;

// --- bit fields
// The lowest `length` bits.
template <class U>
U low_bits(u32 length) {
  return length >= sizeof(U) * 8 ? ~U{0} : static_cast<U>((U{1} << length) - 1);
}

template <class T>
T extract(T a, u32 position, u32 length) {
  using U = std::make_unsigned_t<T>;
  constexpr u32 kBits = sizeof(T) * 8;
  position &= 255;
  length &= 255;
  const u32 top =
      position + length - 1 < kBits - 1 && length != 0 ? position + length - 1 : kBits - 1;
  const bool sign = std::is_signed_v<T> && length != 0 && (static_cast<U>(a) >> top & 1) != 0;
  const U outside = sign ? ~U{0} : U{0};
  if (position >= kBits) return static_cast<T>(outside);
  const U field = low_bits<U>(std::min(length, kBits - position));
  return static_cast<T>((outside & ~field) | (static_cast<U>(a) >> position & field));
}

template <class T>
T insert(T a, T b, u32 position, u32 length) {
  constexpr u32 kBits = sizeof(T) * 8;
  position &= 255;
  length &= 255;
  if (position >= kBits) return b;
  const T field = low_bits<T>(std::min(length, kBits - position)) << position;
  return (b & ~field) | (a << position & field);
}

template <class T, bool kShiftAmount>
u32 find_top(T a) {
  using U = std::make_unsigned_t<T>;
  const U bits = static_cast<U>(std::is_signed_v<T> && a < 0 ? ~a : a);
  if (bits == 0) return 0xffffffffu;
  const u32 top = 63 - static_cast<u32>(__builtin_clzll(bits));
  return kShiftAmount ? static_cast<u32>(sizeof(T) * 8 - 1) - top : top;
}

template <class T>
T reverse(T a) {
  T result = 0;
  for (u32 i = 0; i < sizeof(T) * 8; ++i) result |= (a >> i & 1) << (sizeof(T) * 8 - 1 - i);
  return result;
}

u32 find_nth_set(u32 mask, u32 base, s32 offset) {
  s32 step = offset > 0 ? 1 : -1;
  s32 left = offset;
  if (offset == 0) return base < 32 && (mask >> base & 1) != 0 ? base : 0xffffffffu;
  for (s32 i = static_cast<s32>(base & 31); i >= 0 && i < 32; i += step) {
    if ((mask >> i & 1) != 0 && (left -= step) == 0) return static_cast<u32>(i);
  }
  return 0xffffffffu;
}

void add_bit_fields(LaneTable& t) {
  ternary<u32, u32, u32, u32>(t, {"bfe.u32"}, kInt,
                              [](u32 a, u32 b, u32 c) { return extract(a, b, c); });
  ternary<s32, s32, u32, u32>(t, {"bfe.s32"}, kInt,
                              [](s32 a, u32 b, u32 c) { return extract(a, b, c); });
  ternary<u64, u64, u32, u32>(t, {"bfe.u64"}, kInt,
                              [](u64 a, u32 b, u32 c) { return extract(a, b, c); });
  ternary<s64, s64, u32, u32>(t, {"bfe.s64"}, kInt,
                              [](s64 a, u32 b, u32 c) { return extract(a, b, c); });
  quaternary<u32, u32, u32, u32>(t, {"bfi.b32"}, kInt,
                                 [](u32 a, u32 b, u32 c, u32 d) { return insert(a, b, c, d); });
  quaternary<u64, u64, u64, u32>(t, {"bfi.b64"}, kInt,
                                 [](u64 a, u64 b, u32 c, u32 d) { return insert(a, b, c, d); });
  unary<u32, u32>(t, {"bfind.u32"}, kInt, [](u32 a) { return find_top<u32, false>(a); });
  unary<u32, s32>(t, {"bfind.s32"}, kInt, [](s32 a) { return find_top<s32, false>(a); });
  unary<u32, u64>(t, {"bfind.u64"}, kInt, [](u64 a) { return find_top<u64, false>(a); });
  unary<u32, s64>(t, {"bfind.s64"}, kInt, [](s64 a) { return find_top<s64, false>(a); });
  unary<u32, u32>(t, {"bfind.shiftamt.u32"}, kInt, [](u32 a) { return find_top<u32, true>(a); });
  unary<u32, s32>(t, {"bfind.shiftamt.s32"}, kInt, [](s32 a) { return find_top<s32, true>(a); });
  unary<u32, u64>(t, {"bfind.shiftamt.u64"}, kInt, [](u64 a) { return find_top<u64, true>(a); });
  unary<u32, s64>(t, {"bfind.shiftamt.s64"}, kInt, [](s64 a) { return find_top<s64, true>(a); });
  unary<u32, u32>(t, {"brev.b32"}, kInt, [](u32 a) { return reverse(a); });
  unary<u64, u64>(t, {"brev.b64"}, kInt, [](u64 a) { return reverse(a); });
  ternary<u32, u32, u32, s32>(t, {"fns.b32"}, kInt,
                              [](u32 a, u32 b, s32 c) { return find_nth_set(a, b, c); });
  binary<u32, u32, u32>(t, {"szext.wrap.u32"}, kInt,
                        [](u32 a, u32 b) { return extract(a, 0, b & 31); });
  binary<s32, s32, u32>(t, {"szext.wrap.s32"}, kInt,
                        [](s32 a, u32 b) { return extract(a, 0, b & 31); });
  binary<u32, u32, u32>(t, {"szext.clamp.u32"}, kInt,
                        [](u32 a, u32 b) { return b >= 32 ? a : extract(a, 0, b); });
  binary<s32, s32, u32>(t, {"szext.clamp.s32"}, kInt,
                        [](s32 a, u32 b) { return b >= 32 ? a : extract(a, 0, b); });
  binary<u32, u32, u32>(t, {"bmsk.wrap.b32"}, kInt,
                        [](u32 a, u32 b) { return ((1u << (b & 31)) - 1) << (a & 31); });
  binary<u32, u32, u32>(t, {"bmsk.clamp.b32"}, kInt, [](u32 a, u32 b) {
    const u64 ones = b >= 32 ? 0xffffffffu : (u64{1} << b) - 1;
    return a >= 32 ? 0u : static_cast<u32>(ones << a);
  });
}

// --- prmt with a mode: the selector names a shift or a replication
template <int kMode>
u32 prmt_mode(u32 a, u32 b, u32 c) {
  constexpr u32 kSelectors[6][4] = {
      {0x3210, 0x4321, 0x5432, 0x6543}, {0x5670, 0x6701, 0x7012, 0x0123},
      {0x0000, 0x1111, 0x2222, 0x3333}, {0x3210, 0x3211, 0x3222, 0x3333},
      {0x0000, 0x1110, 0x2210, 0x3210}, {0x1010, 0x3232, 0x1010, 0x3232}};
  const u32 selector = kSelectors[kMode][c & 3];
  const u64 bytes = static_cast<u64>(b) << 32 | a;
  u32 result = 0;
  for (u32 i = 0; i < 4; ++i)
    result |= (static_cast<u32>(bytes >> (8 * (selector >> (4 * i) & 7))) & 255) << (8 * i);
  return result;
}

void add_permutes(LaneTable& t) {
  ternary<u32, u32, u32, u32>(t, {"prmt.b32.f4e"}, kInt,
                              [](u32 a, u32 b, u32 c) { return prmt_mode<0>(a, b, c); });
  ternary<u32, u32, u32, u32>(t, {"prmt.b32.b4e"}, kInt, [](u32 a, u32 b, u32 c) {
    // b4e selects {5,6,7,0} and so on, from the top byte down.
    const u64 bytes = static_cast<u64>(b) << 32 | a;
    u32 result = 0;
    for (u32 i = 0; i < 4; ++i)
      result |= (static_cast<u32>(bytes >> (8 * (((c & 3) - i) & 7))) & 255) << (8 * i);
    return result;
  });
  ternary<u32, u32, u32, u32>(t, {"prmt.b32.rc8"}, kInt,
                              [](u32 a, u32 b, u32 c) { return prmt_mode<2>(a, b, c); });
  ternary<u32, u32, u32, u32>(t, {"prmt.b32.ecl"}, kInt,
                              [](u32 a, u32 b, u32 c) { return prmt_mode<3>(a, b, c); });
  ternary<u32, u32, u32, u32>(t, {"prmt.b32.ecr"}, kInt,
                              [](u32 a, u32 b, u32 c) { return prmt_mode<4>(a, b, c); });
  ternary<u32, u32, u32, u32>(t, {"prmt.b32.rc16"}, kInt,
                              [](u32 a, u32 b, u32 c) { return prmt_mode<5>(a, b, c); });
}

// --- dot products of bytes and halves
template <class A, class B>
u32 dot4(u32 a, u32 b, u32 c) {
  for (int i = 0; i < 4; ++i) {
    c += static_cast<u32>(static_cast<s32>(static_cast<A>(a >> (8 * i))) *
                          static_cast<s32>(static_cast<B>(b >> (8 * i))));
  }
  return c;
}
template <class A, class B, int kFirst>
u32 dot2(u32 a, u32 b, u32 c) {
  for (int i = 0; i < 2; ++i) {
    c += static_cast<u32>(static_cast<s32>(static_cast<A>(a >> (16 * i))) *
                          static_cast<s32>(static_cast<B>(b >> (8 * (i + kFirst)))));
  }
  return c;
}

void add_dots(LaneTable& t) {
  using s8 = std::int8_t;
  using u8 = std::uint8_t;
  const auto both = [&t](const char* types, auto four, auto low, auto high) {
    ternary<u32, u32, u32, u32>(t, {"dp4a.", types}, kInt, four);
    ternary<u32, u32, u32, u32>(t, {"dp2a.lo.", types}, kInt, low);
    ternary<u32, u32, u32, u32>(t, {"dp2a.hi.", types}, kInt, high);
  };
  both(
      "s32.s32", [](u32 a, u32 b, u32 c) { return dot4<s8, s8>(a, b, c); },
      [](u32 a, u32 b, u32 c) { return dot2<s16, s8, 0>(a, b, c); },
      [](u32 a, u32 b, u32 c) { return dot2<s16, s8, 2>(a, b, c); });
  both(
      "u32.u32", [](u32 a, u32 b, u32 c) { return dot4<u8, u8>(a, b, c); },
      [](u32 a, u32 b, u32 c) { return dot2<u16, u8, 0>(a, b, c); },
      [](u32 a, u32 b, u32 c) { return dot2<u16, u8, 2>(a, b, c); });
  both(
      "s32.u32", [](u32 a, u32 b, u32 c) { return dot4<s8, u8>(a, b, c); },
      [](u32 a, u32 b, u32 c) { return dot2<s16, u8, 0>(a, b, c); },
      [](u32 a, u32 b, u32 c) { return dot2<s16, u8, 2>(a, b, c); });
  both(
      "u32.s32", [](u32 a, u32 b, u32 c) { return dot4<u8, s8>(a, b, c); },
      [](u32 a, u32 b, u32 c) { return dot2<u16, s8, 0>(a, b, c); },
      [](u32 a, u32 b, u32 c) { return dot2<u16, s8, 2>(a, b, c); });
}

// --- slct and testp
template <class T, class C>
void add_slct(LaneTable& t, std::string_view ftz, std::string_view type,
              std::string_view selector) {
  ternary<T, T, T, C>(t, {"slct.", ftz, type, ".", selector}, kInt,
                      [](T a, T b, C c) { return c >= C{0} ? a : b; });
}

template <class F, class T>
void add_test(LaneTable& t, std::string_view property, std::string_view type, InstClass klass, F) {
  // Implemented as a comparison of the operand with itself, to reuse the code of setp.
  LaneEntry entry = lane_entry<u32, T>(&run_compare<F, T, T>, klass);
  entry.dst = Shape::kPredicate;
  t.add({"testp.", property, type}, entry);
}

template <class T>
void add_tests(LaneTable& t, std::string_view type, InstClass klass) {
  const auto magnitude = [](T a) {
    return sizeof(T) == 8 ? T(__builtin_fabs(a)) : T(__builtin_fabsf(static_cast<float>(a)));
  };
  using M = decltype(magnitude);
  constexpr T kInfinity = static_cast<T>(__builtin_inf());
  constexpr T kSmallest =
      static_cast<T>(sizeof(T) == 8 ? 2.2250738585072014e-308 : 1.1754943508222875e-38);
  add_test<decltype([](T a, T) { return M{}(a) < kInfinity; }), T>(t, "finite.", type, klass, {});
  add_test<decltype([](T a, T) { return M{}(a) == kInfinity; }), T>(t, "infinite.", type, klass,
                                                                    {});
  add_test<decltype([](T a, T) { return a == a; }), T>(t, "number.", type, klass, {});
  add_test<decltype([](T a, T) { return a != a; }), T>(t, "notanumber.", type, klass, {});
  add_test<
      decltype([](T a, T) { return (M{}(a) >= kSmallest && M{}(a) < kInfinity) || a == T{0}; }), T>(
      t, "normal.", type, klass, {});
  add_test<decltype([](T a, T) { return M{}(a) > T{0} && M{}(a) < kSmallest; }), T>(
      t, "subnormal.", type, klass, {});
}

}  // namespace

void add_lane_ops_rare_bits(LaneTable& t) {
  add_bit_fields(t);
  add_permutes(t);
  add_dots(t);
  for (const char* type : {"b32", "u32", "s32", "f32"}) {
    add_slct<u32, s32>(t, "", type, "s32");
    add_slct<u32, float>(t, "", type, "f32");
    add_slct<u32, float>(t, "ftz.", type, "f32");
  }
  for (const char* type : {"b64", "u64", "s64", "f64"}) {
    add_slct<u64, s32>(t, "", type, "s32");
    add_slct<u64, float>(t, "", type, "f32");
  }
  add_tests<float>(t, "f32", InstClass::kFp32);
  add_tests<double>(t, "f64", InstClass::kFp64);
}

}  // namespace warpwright::emu
