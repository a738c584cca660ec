// Runs a function of one lane over the 32 lanes of a warp, as loops that the compiler turns into
// vector code. Included once per instruction set: WARPWRIGHT_LANE_ISA names the namespace, so that
// nothing compiled for one instruction set can be linked into another.
#pragma once

#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>

#include "emu/half.h"
#include "emu/lane_table.h"
#include "emu/warp.h"

namespace warpwright::emu::WARPWRIGHT_LANE_ISA {

// 16-bit and packed formats as distinct types, so that a signature says what a register holds.
struct Half {
  std::uint16_t bits;
};
struct Bf16 {
  std::uint16_t bits;
};
struct Half2 {
  std::uint32_t bits;
};
struct Bf162 {
  std::uint32_t bits;
};

template <class T>
using Storage = std::conditional_t<sizeof(T) == 8, std::uint64_t, std::uint32_t>;

template <class T>
[[gnu::always_inline]] inline T from_storage(Storage<T> bits) {
  if constexpr (sizeof(T) == 1) {
    return __builtin_bit_cast(T, static_cast<std::uint8_t>(bits));
  } else if constexpr (sizeof(T) == 2) {
    return __builtin_bit_cast(T, static_cast<std::uint16_t>(bits));
  } else {
    return __builtin_bit_cast(T, bits);
  }
}

// Signed narrow values are stored sign-extended, which is what a wider destination register must
// hold.
template <class T>
[[gnu::always_inline]] inline Storage<T> to_storage(T value) {
  if constexpr (std::is_integral_v<T>) {
    using Wide =
        std::conditional_t<std::is_signed_v<T>, std::make_signed_t<Storage<T>>, Storage<T>>;
    return static_cast<Storage<T>>(static_cast<Wide>(value));
  } else if constexpr (sizeof(T) == 2) {
    return __builtin_bit_cast(std::uint16_t, value);
  } else {
    return __builtin_bit_cast(Storage<T>, value);
  }
}

template <class T>
[[gnu::always_inline]] inline Storage<T>* row_of(Warp& warp, std::uint32_t index) {
  void* row = warp.row(index);
  return static_cast<Storage<T>*>(__builtin_assume_aligned(row, 64));
}

template <class R>
[[gnu::always_inline]] inline void blend(Storage<R>* to, const Storage<R>* from,
                                         std::uint32_t mask) {
#pragma GCC ivdep
  for (std::uint32_t lane = 0; lane < kWarpSize; ++lane) {
    to[lane] = (mask >> lane & 1) != 0 ? from[lane] : to[lane];
  }
}

template <class F, class R, class A>
void run_unary(Warp& warp, const Inst& inst) {
  Storage<R>* d = row_of<R>(warp, inst.dst);
  const Storage<A>* a = row_of<A>(warp, inst.src[0]);
  alignas(64) Storage<R> masked[kWarpSize];
  const std::uint32_t mask = warp.mask();
  Storage<R>* out = mask == kAllLanes ? d : masked;
#pragma GCC ivdep
  for (int lane = 0; lane < kWarpSize; ++lane)
    out[lane] = to_storage<R>(F{}(from_storage<A>(a[lane])));
  if (mask != kAllLanes) blend<R>(d, masked, mask);
}

template <class F, class R, class A, class B>
void run_binary(Warp& warp, const Inst& inst) {
  Storage<R>* d = row_of<R>(warp, inst.dst);
  const Storage<A>* a = row_of<A>(warp, inst.src[0]);
  const Storage<B>* b = row_of<B>(warp, inst.src[1]);
  alignas(64) Storage<R> masked[kWarpSize];
  const std::uint32_t mask = warp.mask();
  Storage<R>* out = mask == kAllLanes ? d : masked;
#pragma GCC ivdep
  for (int lane = 0; lane < kWarpSize; ++lane) {
    out[lane] = to_storage<R>(F{}(from_storage<A>(a[lane]), from_storage<B>(b[lane])));
  }
  if (mask != kAllLanes) blend<R>(d, masked, mask);
}

template <class F, class R, class A, class B, class C>
void run_ternary(Warp& warp, const Inst& inst) {
  Storage<R>* d = row_of<R>(warp, inst.dst);
  const Storage<A>* a = row_of<A>(warp, inst.src[0]);
  const Storage<B>* b = row_of<B>(warp, inst.src[1]);
  const Storage<C>* c = row_of<C>(warp, inst.src[2]);
  alignas(64) Storage<R> masked[kWarpSize];
  const std::uint32_t mask = warp.mask();
  Storage<R>* out = mask == kAllLanes ? d : masked;
#pragma GCC ivdep
  for (int lane = 0; lane < kWarpSize; ++lane) {
    out[lane] = to_storage<R>(
        F{}(from_storage<A>(a[lane]), from_storage<B>(b[lane]), from_storage<C>(c[lane])));
  }
  if (mask != kAllLanes) blend<R>(d, masked, mask);
}

template <class F, class R, class A, class B, class C>
void run_quaternary(Warp& warp, const Inst& inst) {
  Storage<R>* d = row_of<R>(warp, inst.dst);
  const Storage<A>* a = row_of<A>(warp, inst.src[0]);
  const Storage<B>* b = row_of<B>(warp, inst.src[1]);
  const Storage<C>* c = row_of<C>(warp, inst.src[2]);
  const Storage<C>* e = row_of<C>(warp, inst.src[3]);
  alignas(64) Storage<R> out[kWarpSize];
  for (int lane = 0; lane < kWarpSize; ++lane) {
    out[lane] = to_storage<R>(F{}(from_storage<A>(a[lane]), from_storage<B>(b[lane]),
                                  from_storage<C>(c[lane]), from_storage<C>(e[lane])));
  }
  blend<R>(d, out, warp.mask());
}

// d = predicate ? a : b
template <class T>
void run_select(Warp& warp, const Inst& inst) {
  Storage<T>* d = row_of<T>(warp, inst.dst);
  const Storage<T>* a = row_of<T>(warp, inst.src[0]);
  const Storage<T>* b = row_of<T>(warp, inst.src[1]);
  const std::uint32_t choose =
      warp.predicate(inst.src[2]) ^ ((inst.flags & CompareFlags::kNegated) != 0 ? kAllLanes : 0);
  alignas(64) Storage<T> masked[kWarpSize];
  const std::uint32_t mask = warp.mask();
  Storage<T>* out = mask == kAllLanes ? d : masked;
#pragma GCC ivdep
  for (std::uint32_t lane = 0; lane < kWarpSize; ++lane)
    out[lane] = (choose >> lane & 1) != 0 ? a[lane] : b[lane];
  if (mask != kAllLanes) blend<T>(d, masked, mask);
}

[[gnu::always_inline]] inline std::uint32_t combine(const Warp& warp, const Inst& inst,
                                                    std::uint32_t bits) {
  const std::uint16_t how = inst.flags & CompareFlags::kCombine;
  if (how == CompareFlags::kNone) return bits;
  const std::uint32_t c =
      warp.predicate(inst.src[3]) ^ ((inst.flags & CompareFlags::kNegated) != 0 ? kAllLanes : 0);
  return how == CompareFlags::kAnd ? bits & c : how == CompareFlags::kOr ? bits | c : bits ^ c;
}

template <class F, class A, class B>
[[gnu::always_inline]] inline std::uint32_t compare_bits(Warp& warp, const Inst& inst) {
  const Storage<A>* a = row_of<A>(warp, inst.src[0]);
  const Storage<B>* b = row_of<B>(warp, inst.src[1]);
  std::uint32_t bits = 0;
  for (std::uint32_t lane = 0; lane < kWarpSize; ++lane) {
    bits |= (F{}(from_storage<A>(a[lane]), from_storage<B>(b[lane])) ? 1u : 0u) << lane;
  }
  return bits;
}

// setp: dst gets the comparison, dst2 its negation, each combined with c.
template <class F, class A, class B>
void run_compare(Warp& warp, const Inst& inst) {
  const std::uint32_t bits = compare_bits<F, A, B>(warp, inst);
  const std::uint32_t negative = combine(warp, inst, ~bits);
  warp.set_predicate(inst.dst, combine(warp, inst, bits));
  warp.set_predicate(inst.dst2, negative);
}

// set: all ones or 1.0 in a register.
template <class F, class A, std::uint32_t kTrue>
void run_set(Warp& warp, const Inst& inst) {
  const std::uint32_t bits = combine(warp, inst, compare_bits<F, A, A>(warp, inst));
  std::uint32_t* d = row_of<std::uint32_t>(warp, inst.dst);
  alignas(64) std::uint32_t out[kWarpSize];
  for (std::uint32_t lane = 0; lane < kWarpSize; ++lane)
    out[lane] = (bits >> lane & 1) != 0 ? kTrue : 0;
  blend<std::uint32_t>(d, out, warp.mask());
}

template <class T>
constexpr Shape kShape = sizeof(T) == 8 ? Shape::kWide : Shape::kRow;
template <class T>
constexpr Literal kLiteral = std::is_same_v<T, float>    ? Literal::kFloat
                             : std::is_same_v<T, double> ? Literal::kDouble
                                                         : Literal::kBits;

template <class R, class A, class F>
void unary(LaneTable& table, std::string name, InstClass klass, F) {
  table.add(std::move(name),
            {&run_unary<F, R, A>, klass, kShape<R>, 1, {kShape<A>}, {kLiteral<A>}, false});
}
template <class R, class A, class B, class F>
void binary(LaneTable& table, std::string name, InstClass klass, F) {
  table.add(std::move(name), {&run_binary<F, R, A, B>,
                              klass,
                              kShape<R>,
                              2,
                              {kShape<A>, kShape<B>},
                              {kLiteral<A>, kLiteral<B>},
                              false});
}
template <class R, class A, class B, class C, class F>
void ternary(LaneTable& table, std::string name, InstClass klass, F) {
  table.add(std::move(name), {&run_ternary<F, R, A, B, C>,
                              klass,
                              kShape<R>,
                              3,
                              {kShape<A>, kShape<B>, kShape<C>},
                              {kLiteral<A>, kLiteral<B>, kLiteral<C>},
                              false});
}
template <class R, class A, class B, class C, class F>
void quaternary(LaneTable& table, std::string name, InstClass klass, F) {
  table.add(std::move(name), {&run_quaternary<F, R, A, B, C>,
                              klass,
                              kShape<R>,
                              4,
                              {kShape<A>, kShape<B>, kShape<C>, kShape<C>},
                              {kLiteral<A>, kLiteral<B>, kLiteral<C>, kLiteral<C>},
                              false});
}
template <class A, class F>
void compare(LaneTable& table, const std::string& operation, const std::string& type,
             InstClass klass, F) {
  table.add("setp." + operation + "." + type, {&run_compare<F, A, A>,
                                               klass,
                                               Shape::kPredicate,
                                               2,
                                               {kShape<A>, kShape<A>},
                                               {kLiteral<A>, kLiteral<A>},
                                               true});
  for (const char* result : {"u32", "s32"}) {
    table.add("set." + operation + "." + result + "." + type, {&run_set<F, A, 0xffffffffu>,
                                                               klass,
                                                               Shape::kRow,
                                                               2,
                                                               {kShape<A>, kShape<A>},
                                                               {kLiteral<A>, kLiteral<A>},
                                                               false});
  }
  table.add("set." + operation + ".f32." + type, {&run_set<F, A, 0x3f800000u>,
                                                  klass,
                                                  Shape::kRow,
                                                  2,
                                                  {kShape<A>, kShape<A>},
                                                  {kLiteral<A>, kLiteral<A>},
                                                  false});
}
template <class T>
void select(LaneTable& table, std::string name, InstClass klass) {
  table.add(std::move(name), {&run_select<T>,
                              klass,
                              kShape<T>,
                              3,
                              {kShape<T>, kShape<T>, Shape::kPredicate},
                              {kLiteral<T>, kLiteral<T>, Literal::kBits},
                              false});
}

}  // namespace warpwright::emu::WARPWRIGHT_LANE_ISA
