// Packed comparisons of halves and packed pairs of floats: each element of the register is treated
// as a separate lane.
#define WARPWRIGHT_LANE_ISA lane_packed
#include "emu/lanes/lane_exec.h"
#include "emu/lanes/lane_float.h"

namespace warpwright::emu {
namespace {

using namespace lane_packed;
using u32 = std::uint32_t;
using u64 = std::uint64_t;

template <class F, bool kBf16>
bool test_half(u32 a, u32 b) {
  const auto widen = [](u32 bits) {
    return kBf16 ? bf16_to_float(static_cast<std::uint16_t>(bits))
                 : half_to_float(static_cast<std::uint16_t>(bits));
  };
  return F{}(widen(a), widen(b));
}

// setp of a pair: dst gets the lower comparison, dst2 the upper one.
template <class F, bool kBf16>
void run_compare_pair(Warp& warp, const Inst& inst) {
  const u32* a = row_of<u32>(warp, inst.src[0]);
  const u32* b = row_of<u32>(warp, inst.src[1]);
  u32 low = 0;
  u32 high = 0;
  for (u32 lane = 0; lane < kWarpSize; ++lane) {
    low |= (test_half<F, kBf16>(a[lane], b[lane]) ? 1u : 0u) << lane;
    high |= (test_half<F, kBf16>(a[lane] >> 16, b[lane] >> 16) ? 1u : 0u) << lane;
  }
  high = combine(warp, inst, high);
  warp.set_predicate(inst.dst, combine(warp, inst, low));
  warp.set_predicate(inst.dst2, high);
}

template <class F, bool kBf16, u32 kTrue>
u32 set_pair(u32 a, u32 b) {
  return (test_half<F, kBf16>(a, b) ? kTrue : 0u) |
         (test_half<F, kBf16>(a >> 16, b >> 16) ? kTrue << 16 : 0u);
}

template <bool kBf16, class F>
void add_half_compare(LaneTable& t, std::string_view operation, F) {
  constexpr std::string_view one = kBf16 ? "bf16" : "f16";
  constexpr std::string_view two = kBf16 ? "bf16x2" : "f16x2";
  constexpr u32 kOne = kBf16 ? 0x3f80u : 0x3c00u;
  LaneEntry pair{&run_compare_pair<F, kBf16>,
                 InstClass::kFp16,
                 Shape::kPredicate,
                 2,
                 {Shape::kRow, Shape::kRow},
                 {},
                 true,
                 0};
  for (const char* ftz : {"", "ftz."}) {
    if (kBf16 && *ftz != '\0') continue;
    t.add({"setp.", operation, ".", ftz, two}, pair);
    binary<u32, u32, u32>(t, {"set.", operation, ".", ftz, two, ".", two}, InstClass::kFp16,
                          [](u32 a, u32 b) { return set_pair<F, kBf16, kOne>(a, b); });
    binary<u32, u32, u32>(t, {"set.", operation, ".", ftz, one, ".", one}, InstClass::kFp16,
                          [](u32 a, u32 b) { return test_half<F, kBf16>(a, b) ? kOne : 0u; });
    for (const char* result : {"u32", "s32"}) {
      binary<u32, u32, u32>(t, {"set.", operation, ".", ftz, result, ".", two}, InstClass::kFp16,
                            [](u32 a, u32 b) { return set_pair<F, kBf16, 0xffffu>(a, b); });
    }
  }
}

template <bool kBf16>
void add_half_compares(LaneTable& t) {
  add_half_compare<kBf16>(t, "eq", [](float a, float b) { return a == b; });
  add_half_compare<kBf16>(t, "ne", [](float a, float b) { return a < b || a > b; });
  add_half_compare<kBf16>(t, "lt", [](float a, float b) { return a < b; });
  add_half_compare<kBf16>(t, "le", [](float a, float b) { return a <= b; });
  add_half_compare<kBf16>(t, "gt", [](float a, float b) { return a > b; });
  add_half_compare<kBf16>(t, "ge", [](float a, float b) { return a >= b; });
  add_half_compare<kBf16>(t, "equ", [](float a, float b) { return !(a < b || a > b); });
  add_half_compare<kBf16>(t, "neu", [](float a, float b) { return !(a == b); });
  add_half_compare<kBf16>(t, "ltu", [](float a, float b) { return !(a >= b); });
  add_half_compare<kBf16>(t, "leu", [](float a, float b) { return !(a > b); });
  add_half_compare<kBf16>(t, "gtu", [](float a, float b) { return !(a <= b); });
  add_half_compare<kBf16>(t, "geu", [](float a, float b) { return !(a < b); });
  add_half_compare<kBf16>(t, "num", [](float a, float b) { return a == a && b == b; });
  add_half_compare<kBf16>(t, "nan", [](float a, float b) { return a != a || b != b; });
}

template <class F>
u64 both_floats(u64 a, u64 b, u64 c) {
  const auto part = [](u64 bits, int i) {
    return float_from_bits(static_cast<u32>(bits >> (32 * i)));
  };
  const u64 low = bits_of(canonical(F{}(part(a, 0), part(b, 0), part(c, 0))));
  const u64 high = bits_of(canonical(F{}(part(a, 1), part(b, 1), part(c, 1))));
  return low | high << 32;
}

}  // namespace

void add_lane_ops_packed(LaneTable& t) {
  add_half_compares<false>(t);
  add_half_compares<true>(t);
  using Add = decltype([](float a, float b, float) { return a + b; });
  using Sub = decltype([](float a, float b, float) { return a - b; });
  using Mul = decltype([](float a, float b, float) { return a * b; });
  using Fma = decltype([](float a, float b, float c) { return __builtin_fmaf(a, b, c); });
  binary<u64, u64, u64>(t, {"add.f32x2"}, InstClass::kFp32,
                        [](u64 a, u64 b) { return both_floats<Add>(a, b, 0); });
  binary<u64, u64, u64>(t, {"sub.f32x2"}, InstClass::kFp32,
                        [](u64 a, u64 b) { return both_floats<Sub>(a, b, 0); });
  binary<u64, u64, u64>(t, {"mul.f32x2"}, InstClass::kFp32,
                        [](u64 a, u64 b) { return both_floats<Mul>(a, b, 0); });
  ternary<u64, u64, u64, u64>(t, {"fma.f32x2"}, InstClass::kFp32,
                              [](u64 a, u64 b, u64 c) { return both_floats<Fma>(a, b, c); });
}

}  // namespace warpwright::emu
