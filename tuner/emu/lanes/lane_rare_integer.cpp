// Integer operations that are too rare to be compiled per instruction set, or that have no vector
// instructions: divisions, 64-bit high products, 16 bits, 24 bits, saturation.
#define WARPWRIGHT_LANE_ISA lane_rare_integer
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

}  // namespace warpwright::emu
