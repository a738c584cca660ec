// Runs a function of one lane over the 32 lanes of a warp, as loops that the compiler turns into
// vector code. Included once per instruction set: WARPWRIGHT_LANE_ISA names the namespace, so that
// nothing compiled for one instruction set can be linked into another.
#pragma once

#include <cstdint>
#include <string_view>
#include <type_traits>

#include "emu/exec/warp.h"
#include "emu/lanes/lane_table.h"
#include "emu/numbers/half.h"

namespace warpwright::emu::WARPWRIGHT_LANE_ISA {

// 16-bit and packed formats are distinct types, so that a signature shows the type of a register.
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

// Signed narrow values are stored sign-extended, as a wider destination register requires.
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

template <class Word>
[[gnu::always_inline]] inline void blend(Word* to, const Word* from, std::uint32_t mask) {
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
  if (mask != kAllLanes) blend(d, masked, mask);
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
  if (mask != kAllLanes) blend(d, masked, mask);
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
  if (mask != kAllLanes) blend(d, masked, mask);
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
  blend(d, out, warp.mask());
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
  if (mask != kAllLanes) blend(d, masked, mask);
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

// setp: dst gets the comparison, dst2 its negation. All other CompareFlags are handled by code that
// is compiled once.
template <class F, class A, class B>
void run_compare(Warp& warp, const Inst& inst) {
  const std::uint32_t opposite = (inst.flags & CompareFlags::kOpposite) != 0 ? kAllLanes : 0;
  const std::uint32_t bits = compare_bits<F, A, B>(warp, inst) ^ opposite;
  if ((inst.flags & ~CompareFlags::kOpposite) != 0) return finish_compare(warp, inst, bits);
  warp.set_predicate(inst.dst, bits);
  warp.set_predicate(inst.dst2, ~bits);
}

template <class T>
constexpr Shape kShape = sizeof(T) == 8 ? Shape::kWide : Shape::kRow;
template <class T>
constexpr Literal kLiteral = std::is_same_v<T, float>    ? Literal::kFloat
                             : std::is_same_v<T, double> ? Literal::kDouble
                                                         : Literal::kBits;

// Derives an entry from the types of an operation's operands.
template <class R, class... Sources>
constexpr LaneEntry lane_entry(Handler run, InstClass klass) {
  LaneEntry entry{run, klass, kShape<R>, sizeof...(Sources), {kShape<Sources>...}, {}, false, 0};
  int i = 0;
  ((entry.literal[i++] = kLiteral<Sources>), ...);
  return entry;
}

template <class R, class A, class F>
void unary(LaneTable& table, NameParts name, InstClass klass, F) {
  table.add(name, lane_entry<R, A>(&run_unary<F, R, A>, klass));
}
template <class R, class A, class B, class F>
void binary(LaneTable& table, NameParts name, InstClass klass, F) {
  table.add(name, lane_entry<R, A, B>(&run_binary<F, R, A, B>, klass));
}
template <class R, class A, class B, class C, class F>
void ternary(LaneTable& table, NameParts name, InstClass klass, F) {
  table.add(name, lane_entry<R, A, B, C>(&run_ternary<F, R, A, B, C>, klass));
}
template <class R, class A, class B, class C, class F>
void quaternary(LaneTable& table, NameParts name, InstClass klass, F) {
  table.add(name, lane_entry<R, A, B, C, C>(&run_quaternary<F, R, A, B, C>, klass));
}
template <class T>
void select(LaneTable& table, NameParts name, InstClass klass) {
  LaneEntry entry = lane_entry<T, T, T, std::uint32_t>(&run_select<T>, klass);
  entry.source[2] = Shape::kPredicate;
  table.add(name, entry);
}
// Makes an entry for add_comparison().
template <class A, class F>
constexpr LaneEntry comparison(InstClass klass, F) {
  return lane_entry<std::uint32_t, A, A>(&run_compare<F, A, A>, klass);
}

}  // namespace warpwright::emu::WARPWRIGHT_LANE_ISA
