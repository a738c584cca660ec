// Arithmetic with directed rounding, and the carry chains of multi-word integers.
#define WARPWRIGHT_LANE_ISA lane_rounding
#include <cfenv>

#include "emu/lanes/lane_exec.h"
#include "emu/lanes/lane_float.h"

namespace warpwright::emu {
namespace {

using namespace lane_rounding;
using u32 = std::uint32_t;
using s32 = std::int32_t;
using u64 = std::uint64_t;
using s64 = std::int64_t;
constexpr InstClass kInt = InstClass::kInteger;

// --- carries: CC.CF of the warp's lanes is one mask
// add.cc, addc, sub.cc, subc and their combinations.
template <class T, bool kIn, bool kOut, bool kSubtract>
void run_carry(Warp& warp, const Inst& inst) {
  Storage<T>* d = row_of<T>(warp, inst.dst);
  const Storage<T>* a = row_of<T>(warp, inst.src[0]);
  const Storage<T>* b = row_of<T>(warp, inst.src[1]);
  std::uint32_t& carry = warp.carry();
  for (u32 lane = 0; lane < kWarpSize; ++lane) {
    if ((warp.mask() >> lane & 1) == 0) continue;
    const T in = kIn ? static_cast<T>(carry >> lane & 1) : T{0};
    T result = 0;
    bool out = false;
    if constexpr (kSubtract) {
      T part = 0;
      out = __builtin_sub_overflow(a[lane], b[lane], &part);
      out = __builtin_sub_overflow(part, in, &result) || out;
    } else {
      T part = 0;
      out = __builtin_add_overflow(a[lane], b[lane], &part);
      out = __builtin_add_overflow(part, in, &result) || out;
    }
    d[lane] = result;
    if (kOut) carry = (carry & ~(1u << lane)) | static_cast<u32>(out) << lane;
  }
}

template <class T, bool kHigh, bool kIn, bool kOut>
void run_mad_carry(Warp& warp, const Inst& inst) {
  using U = std::make_unsigned_t<T>;
  __extension__ using s128 = __int128;
  Storage<T>* d = row_of<T>(warp, inst.dst);
  const Storage<T>* a = row_of<T>(warp, inst.src[0]);
  const Storage<T>* b = row_of<T>(warp, inst.src[1]);
  const Storage<T>* c = row_of<T>(warp, inst.src[2]);
  std::uint32_t& carry = warp.carry();
  for (u32 lane = 0; lane < kWarpSize; ++lane) {
    if ((warp.mask() >> lane & 1) == 0) continue;
    U part = 0;
    if constexpr (std::is_signed_v<T> || sizeof(T) == 4) {
      const s128 product = static_cast<s128>(static_cast<T>(a[lane])) * static_cast<T>(b[lane]);
      part = static_cast<U>(kHigh ? product >> (sizeof(T) * 8) : product);
    } else {
      __extension__ const auto product = static_cast<unsigned __int128>(a[lane]) * b[lane];
      part = static_cast<U>(kHigh ? product >> (sizeof(T) * 8) : product);
    }
    U sum = 0;
    U result = 0;
    bool out = __builtin_add_overflow(part, static_cast<U>(c[lane]), &sum);
    out =
        __builtin_add_overflow(sum, kIn ? static_cast<U>(carry >> lane & 1) : U{0}, &result) || out;
    d[lane] = result;
    if (kOut) carry = (carry & ~(1u << lane)) | static_cast<u32>(out) << lane;
  }
}

LaneEntry entry_of(Handler run, Shape shape, int sources, InstClass klass = kInt) {
  LaneEntry entry{run, klass, shape, sources, {}, {}, false, 0};
  for (int i = 0; i < sources; ++i) entry.source[i] = shape;
  return entry;
}

template <class T>
void add_carry_type(LaneTable& t, std::string_view type) {
  constexpr Shape kS = kShape<T>;
  using U = std::make_unsigned_t<T>;
  t.add({"add.cc.", type}, entry_of(&run_carry<U, false, true, false>, kS, 2));
  t.add({"addc.", type}, entry_of(&run_carry<U, true, false, false>, kS, 2));
  t.add({"addc.cc.", type}, entry_of(&run_carry<U, true, true, false>, kS, 2));
  t.add({"sub.cc.", type}, entry_of(&run_carry<U, false, true, true>, kS, 2));
  t.add({"subc.", type}, entry_of(&run_carry<U, true, false, true>, kS, 2));
  t.add({"subc.cc.", type}, entry_of(&run_carry<U, true, true, true>, kS, 2));
  t.add({"mad.lo.cc.", type}, entry_of(&run_mad_carry<T, false, false, true>, kS, 3));
  t.add({"mad.hi.cc.", type}, entry_of(&run_mad_carry<T, true, false, true>, kS, 3));
  t.add({"madc.lo.", type}, entry_of(&run_mad_carry<T, false, true, false>, kS, 3));
  t.add({"madc.hi.", type}, entry_of(&run_mad_carry<T, true, true, false>, kS, 3));
  t.add({"madc.lo.cc.", type}, entry_of(&run_mad_carry<T, false, true, true>, kS, 3));
  t.add({"madc.hi.cc.", type}, entry_of(&run_mad_carry<T, true, true, true>, kS, 3));
}

// --- directed rounding: the same loops run under the host's own rounding mode
template <Handler kRun, int kMode>
void run_rounded(Warp& warp, const Inst& inst) {
  const int before = std::fegetround();
  std::fesetround(kMode);
  // Keeps the arithmetic of the loop, which starts by loading registers, between the two mode
  // changes.
  asm volatile("" ::: "memory");
  kRun(warp, inst);
  asm volatile("" ::: "memory");
  std::fesetround(before);
}

template <Handler kRun>
void add_rounded(LaneTable& t, std::string_view head, std::string_view tail, InstClass klass,
                 Shape dst, Shape source, Literal literal, int sources) {
  LaneEntry entry{nullptr, klass, dst, sources, {}, {}, false, 0};
  for (int i = 0; i < sources; ++i) {
    entry.source[i] = source;
    entry.literal[i] = literal;
  }
  entry.run = &run_rounded<kRun, FE_TOWARDZERO>;
  t.add({head, ".rz", tail}, entry);
  entry.run = &run_rounded<kRun, FE_DOWNWARD>;
  t.add({head, ".rm", tail}, entry);
  entry.run = &run_rounded<kRun, FE_UPWARD>;
  t.add({head, ".rp", tail}, entry);
}

// Runs a function of one to three operands under a rounding mode. For doubles the resulting NaN is
// chosen explicitly, as in the other instructions, because compilers swap operands.
template <class F, class T, int kSources, bool kSat>
void run_arithmetic(Warp& warp, const Inst& inst) {
  const auto out = [](T a, T b, T c, T result) {
    if constexpr (kSat) return saturate(result);
    if constexpr (sizeof(T) == 4) return canonical(result);
    if constexpr (sizeof(T) == 8) return nan_of(a, b, c, result);
  };
  using Out = decltype(out);
  if constexpr (kSources == 1) {
    run_unary<decltype([](T a) { return Out{}(a, T{0}, T{0}, F{}(a)); }), T, T>(warp, inst);
  } else if constexpr (kSources == 2) {
    run_binary<decltype([](T a, T b) { return Out{}(a, b, T{0}, F{}(a, b)); }), T, T, T>(warp,
                                                                                         inst);
  } else {
    run_ternary<decltype([](T a, T b, T c) { return Out{}(a, b, c, F{}(a, b, c)); }), T, T, T, T>(
        warp, inst);
  }
}

// The .ftz form of most operations.
template <class F>
struct Flushed {
  template <class... T>
  [[gnu::always_inline]] float operator()(T... operands) const {
    return flush(F{}(flush(operands)...));
  }
};

template <class F, class T, int kSources, bool kSaturates = true, class Ftz = Flushed<F>>
void add_rounded_arithmetic(LaneTable& t, std::string_view name) {
  constexpr bool kSingle = sizeof(T) == 4;
  const InstClass klass = kSingle ? InstClass::kFp32 : InstClass::kFp64;
  const Shape shape = kShape<T>;
  const Literal literal = kLiteral<T>;
  add_rounded<&run_arithmetic<F, T, kSources, false>>(t, name, kSingle ? ".f32" : ".f64", klass,
                                                      shape, shape, literal, kSources);
  if constexpr (kSingle) {
    add_rounded<&run_arithmetic<Ftz, T, kSources, false>>(t, name, ".ftz.f32", klass, shape, shape,
                                                          literal, kSources);
    if constexpr (kSaturates) {
      add_rounded<&run_arithmetic<F, T, kSources, true>>(t, name, ".sat.f32", klass, shape, shape,
                                                         literal, kSources);
      add_rounded<&run_arithmetic<Ftz, T, kSources, true>>(t, name, ".ftz.sat.f32", klass, shape,
                                                           shape, literal, kSources);
    }
  }
}

template <class T>
void add_rounded_type(LaneTable& t) {
  add_rounded_arithmetic<decltype([](T a, T b) { return a + b; }), T, 2>(t, "add");
  add_rounded_arithmetic<decltype([](T a, T b) { return a - b; }), T, 2>(t, "sub");
  add_rounded_arithmetic<decltype([](T a, T b) { return a * b; }), T, 2, true,
                         decltype([](T a, T b) { return multiply_ftz(a, b); })>(t, "mul");
  add_rounded_arithmetic<decltype([](T a, T b) { return a / b; }), T, 2, false>(t, "div");
  using Fma = decltype([](T a, T b, T c) {
    return sizeof(T) == 4 ? T(__builtin_fmaf(float(a), float(b), float(c)))
                          : T(__builtin_fma(a, b, c));
  });
  // Only results near the smallest normal number can be tiny. For larger results the scaled operand
  // may have been rounded to the largest number instead of infinity.
  using Ftz = decltype([](T a, T b, T c) {
    const float result = flush(Fma{}(flush(a), flush(b), flush(c)));
    return __builtin_fabsf(result) > 0x1p-126f ? result : fma_ftz(a, b, c);
  });
  add_rounded_arithmetic<Fma, T, 3, true, Ftz>(t, "fma");
  add_rounded_arithmetic<Fma, T, 3, true, Ftz>(t, "mad");
  add_rounded_arithmetic<decltype([](T a) { return T{1} / a; }), T, 1, false>(t, "rcp");
  add_rounded_arithmetic<decltype([](T a) {
                           return sizeof(T) == 4 ? T(__builtin_sqrtf(float(a)))
                                                 : T(__builtin_sqrt(a));
                         }),
                         T, 1, false>(t, "sqrt");
}

template <class D, class S>
void add_rounded_cvt(LaneTable& t, std::string_view types) {
  using F = decltype([](S a) { return static_cast<D>(a); });
  add_rounded<&run_unary<F, D, S>>(t, "cvt", types, InstClass::kConvert, kShape<D>, kShape<S>,
                                   kLiteral<S>, 1);
}

}  // namespace

void add_lane_ops_rounding(LaneTable& t) {
  add_carry_type<u32>(t, "u32");
  add_carry_type<s32>(t, "s32");
  add_carry_type<u64>(t, "u64");
  add_carry_type<s64>(t, "s64");
  add_rounded_type<float>(t);
  add_rounded_type<double>(t);
  add_rounded_cvt<float, double>(t, ".f32.f64");
  add_rounded_cvt<float, s32>(t, ".f32.s32");
  add_rounded_cvt<float, u32>(t, ".f32.u32");
  add_rounded_cvt<float, s64>(t, ".f32.s64");
  add_rounded_cvt<float, u64>(t, ".f32.u64");
  add_rounded_cvt<double, s64>(t, ".f64.s64");
  add_rounded_cvt<double, u64>(t, ".f64.u64");
  add_rounded_cvt<double, s32>(t, ".f64.s32");
  add_rounded_cvt<double, u32>(t, ".f64.u32");
}

}  // namespace warpwright::emu
