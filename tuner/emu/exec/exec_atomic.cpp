// Atomics and reductions: lanes run in order, each as a sequentially consistent operation on the
// host, so that blocks on other host threads see complete values.
#include <fmt/format.h>

#include <atomic>
#include <bit>
#include <cstring>
#include <mutex>

#include "emu/exec/address.h"
#include "emu/exec/exec.h"
#include "emu/numbers/half.h"

namespace warpwright::emu {
namespace {

template <AtomicType kType>
struct Traits;
template <>
struct Traits<AtomicType::kU32> {
  using value = std::uint32_t;
};
template <>
struct Traits<AtomicType::kS32> {
  using value = std::int32_t;
};
template <>
struct Traits<AtomicType::kU64> {
  using value = std::uint64_t;
};
template <>
struct Traits<AtomicType::kS64> {
  using value = std::int64_t;
};

// inc and dec wrap at the operand, as PTX defines them.
template <class T>
T apply_integer(AtomicOp op, T old, T b) {
  using U = std::make_unsigned_t<T>;
  switch (op) {
    case AtomicOp::kAdd:
      return static_cast<T>(static_cast<U>(old) + static_cast<U>(b));
    case AtomicOp::kMin:
      return b < old ? b : old;
    case AtomicOp::kMax:
      return old < b ? b : old;
    case AtomicOp::kAnd:
      return old & b;
    case AtomicOp::kOr:
      return old | b;
    case AtomicOp::kXor:
      return old ^ b;
    case AtomicOp::kInc:
      return old >= b ? T{0} : static_cast<T>(old + 1);
    case AtomicOp::kDec:
      return old == 0 || old > b ? b : static_cast<T>(old - 1);
    default:
      return b;
  }
}

std::uint32_t canonical(float value) {
  return value != value ? 0x7fffffffu : std::bit_cast<std::uint32_t>(value);
}

// atom.min/max of halves: if one operand is NaN, the result is the other one.
std::uint16_t half_extreme(AtomicOp op, std::uint16_t a, std::uint16_t b, float fa, float fb) {
  if (fa != fa || fb != fb) return fa == fa ? a : fb == fb ? b : std::uint16_t{0x7fff};
  if (fa == fb) return ((a >> 15) != 0) == (op == AtomicOp::kMin) ? a : b;
  return (fa < fb) == (op == AtomicOp::kMin) ? a : b;
}

std::uint16_t apply_half(AtomicOp op, bool is_bf16, std::uint16_t old, std::uint16_t b) {
  const float x = is_bf16 ? bf16_to_float(old) : half_to_float(old);
  const float y = is_bf16 ? bf16_to_float(b) : half_to_float(b);
  if (op == AtomicOp::kAdd) return is_bf16 ? float_to_bf16(x + y) : float_to_half(x + y);
  if (op == AtomicOp::kMin || op == AtomicOp::kMax) return half_extreme(op, old, b, x, y);
  return b;
}

template <AtomicOp kOp, AtomicType kType, class Bits>
Bits apply(Bits old, Bits b) {
  if constexpr (kOp == AtomicOp::kExch) {
    return b;
  } else if constexpr (kType == AtomicType::kF32) {
    return canonical(std::bit_cast<float>(old) + std::bit_cast<float>(b));
  } else if constexpr (kType == AtomicType::kF64) {
    return std::bit_cast<std::uint64_t>(std::bit_cast<double>(old) + std::bit_cast<double>(b));
  } else if constexpr (kType == AtomicType::kF16x2 || kType == AtomicType::kBf16x2) {
    constexpr bool kBf16 = kType == AtomicType::kBf16x2;
    const auto low =
        apply_half(kOp, kBf16, static_cast<std::uint16_t>(old), static_cast<std::uint16_t>(b));
    const auto high = apply_half(kOp, kBf16, static_cast<std::uint16_t>(old >> 16),
                                 static_cast<std::uint16_t>(b >> 16));
    return static_cast<std::uint32_t>(low) | static_cast<std::uint32_t>(high) << 16;
  } else if constexpr (kType == AtomicType::kF16 || kType == AtomicType::kBf16) {
    return apply_half(kOp, kType == AtomicType::kBf16, old, b);
  } else if constexpr (kType == AtomicType::kB16) {
    return b;
  } else {
    using T = typename Traits<kType>::value;
    return static_cast<Bits>(apply_integer<T>(kOp, static_cast<T>(old), static_cast<T>(b)));
  }
}

// PTX allows vectors of atomics only in global memory, whatever the space of the address.
void require_global(const Warp& warp, Space space, const LaneAddresses& addresses) {
  if (space == Space::kGlobal) return;
  for (std::uint32_t left = warp.mask(); left != 0; left &= left - 1) {
    const auto lane = static_cast<std::uint32_t>(std::countr_zero(left));
    if (space_of_generic(addresses.at[lane]) == Space::kGlobal) continue;
    throw KernelFault{FindingKind::kOutOfBounds,
                      fmt::format("`{}` at address {:#x} at {{place}}, which is not in global "
                                  "memory; outside of it add the elements one by one",
                                  warp.program().opcodes[warp.current_pc()], addresses.at[lane]),
                      lane};
  }
}

// Floating-point sums also use compare-and-swap, because the host has no atomic addition with the
// semantics of PTX.
template <AtomicOp kOp, AtomicType kType, class Bits>
void exec_atomic(Warp& warp, const Inst& inst) {
  warp.note_shared_progress();
  const auto space = static_cast<Space>(inst.flags & MemoryFlags::kSpaceMask);
  LaneAddresses addresses;
  compute_addresses(warp, inst, addresses);
  LanePointers pointers;
  resolve(warp, space, warp.mask(), addresses, sizeof(Bits), AccessKind::kAtomic, pointers);
  const auto operand = [&](int which, int lane) {
    if constexpr (sizeof(Bits) == 8) {
      return warp.wide(inst.src[which])[lane];
    } else {
      return static_cast<Bits>(warp.row(inst.src[which])[lane]);
    }
  };
  for (std::uint32_t left = warp.mask(); left != 0; left &= left - 1) {
    const int lane = std::countr_zero(left);
    std::atomic_ref<Bits> target(*reinterpret_cast<Bits*>(pointers.at[lane]));
    const Bits b = operand(1, lane);
    Bits old = target.load(std::memory_order_relaxed);
    if constexpr (kOp == AtomicOp::kCas) {
      old = b;
      target.compare_exchange_strong(old, operand(2, lane));
    } else {
      while (!target.compare_exchange_weak(old, apply<kOp, kType, Bits>(old, b))) {
      }
    }
    if ((inst.flags & MemoryFlags::kNoResult) != 0) continue;
    if constexpr (sizeof(Bits) == 8) {
      warp.wide(inst.dst)[lane] = old;
    } else {
      warp.row(inst.dst)[lane] = old;
    }
  }
}

// Only single elements are atomic, but the vector is one access, aligned as a whole.
template <AtomicOp kOp, AtomicType kType, class Bits>
void exec_vector_atomic(Warp& warp, const Inst& inst) {
  warp.note_shared_progress();
  const auto space = static_cast<Space>(inst.flags & MemoryFlags::kSpaceMask);
  LaneAddresses addresses;
  compute_addresses(warp, inst, addresses);
  require_global(warp, space, addresses);
  LanePointers pointers;
  resolve(warp, space, warp.mask(), addresses, sizeof(Bits) * inst.count, AccessKind::kAtomic,
          pointers);
  const std::uint32_t* operands = warp.extra(inst);
  const std::uint32_t* results = operands + inst.count;
  const bool keeps = (inst.flags & MemoryFlags::kNoResult) == 0;
  for (std::uint32_t left = warp.mask(); left != 0; left &= left - 1) {
    const int lane = std::countr_zero(left);
    Bits b[8];  // a result may be the row of a later element
    for (std::size_t i = 0; i < inst.count; ++i)
      b[i] = static_cast<Bits>(warp.row(operands[i])[lane]);
    for (std::size_t i = 0; i < inst.count; ++i) {
      std::atomic_ref<Bits> target(reinterpret_cast<Bits*>(pointers.at[lane])[i]);
      Bits old = target.load(std::memory_order_relaxed);
      while (!target.compare_exchange_weak(old, apply<kOp, kType, Bits>(old, b[i]))) {
      }
      if (keeps && results[i] != kNoRegister) warp.row(results[i])[lane] = old;
    }
  }
}

template <AtomicType kType, class Bits>
Handler vector_handler(AtomicOp op) {
  switch (op) {
    case AtomicOp::kAdd:
      return &exec_vector_atomic<AtomicOp::kAdd, kType, Bits>;
    case AtomicOp::kMin:
      return &exec_vector_atomic<AtomicOp::kMin, kType, Bits>;
    case AtomicOp::kMax:
      return &exec_vector_atomic<AtomicOp::kMax, kType, Bits>;
    default:
      return nullptr;
  }
}

template <AtomicType kType, class Bits>
Handler integer_handler(AtomicOp op) {
  switch (op) {
    case AtomicOp::kAdd:
      return &exec_atomic<AtomicOp::kAdd, kType, Bits>;
    case AtomicOp::kMin:
      return &exec_atomic<AtomicOp::kMin, kType, Bits>;
    case AtomicOp::kMax:
      return &exec_atomic<AtomicOp::kMax, kType, Bits>;
    case AtomicOp::kAnd:
      return &exec_atomic<AtomicOp::kAnd, kType, Bits>;
    case AtomicOp::kOr:
      return &exec_atomic<AtomicOp::kOr, kType, Bits>;
    case AtomicOp::kXor:
      return &exec_atomic<AtomicOp::kXor, kType, Bits>;
    case AtomicOp::kInc:
      return &exec_atomic<AtomicOp::kInc, kType, Bits>;
    case AtomicOp::kDec:
      return &exec_atomic<AtomicOp::kDec, kType, Bits>;
    case AtomicOp::kExch:
      return &exec_atomic<AtomicOp::kExch, kType, Bits>;
    case AtomicOp::kCas:
      return &exec_atomic<AtomicOp::kCas, kType, Bits>;
  }
  return nullptr;
}

template <AtomicType kType, class Bits>
Handler float_handler(AtomicOp op) {
  switch (op) {
    case AtomicOp::kAdd:
      return &exec_atomic<AtomicOp::kAdd, kType, Bits>;
    case AtomicOp::kMin:
      return &exec_atomic<AtomicOp::kMin, kType, Bits>;
    case AtomicOp::kMax:
      return &exec_atomic<AtomicOp::kMax, kType, Bits>;
    case AtomicOp::kExch:
      return &exec_atomic<AtomicOp::kExch, kType, Bits>;
    default:
      return nullptr;
  }
}

}  // namespace

Handler atomic_handler(AtomicOp op, AtomicType type) {
  const bool extreme = op == AtomicOp::kMin || op == AtomicOp::kMax;
  switch (type) {
    case AtomicType::kU32:
      return integer_handler<AtomicType::kU32, std::uint32_t>(op);
    case AtomicType::kS32:
      return integer_handler<AtomicType::kS32, std::uint32_t>(op);
    case AtomicType::kU64:
      return integer_handler<AtomicType::kU64, std::uint64_t>(op);
    case AtomicType::kS64:
      return integer_handler<AtomicType::kS64, std::uint64_t>(op);
    case AtomicType::kF32:
      return extreme ? nullptr : float_handler<AtomicType::kF32, std::uint32_t>(op);
    case AtomicType::kF64:
      return extreme ? nullptr : float_handler<AtomicType::kF64, std::uint64_t>(op);
    case AtomicType::kF16:
      return float_handler<AtomicType::kF16, std::uint16_t>(op);
    case AtomicType::kBf16:
      return float_handler<AtomicType::kBf16, std::uint16_t>(op);
    case AtomicType::kF16x2:
      return float_handler<AtomicType::kF16x2, std::uint32_t>(op);
    case AtomicType::kBf16x2:
      return float_handler<AtomicType::kBf16x2, std::uint32_t>(op);
    case AtomicType::kB16:
      if (op == AtomicOp::kCas)
        return &exec_atomic<AtomicOp::kCas, AtomicType::kB16, std::uint16_t>;
      if (op == AtomicOp::kExch)
        return &exec_atomic<AtomicOp::kExch, AtomicType::kB16, std::uint16_t>;
      return nullptr;
  }
  return nullptr;
}

Handler vector_atomic_handler(AtomicOp op, AtomicType type) {
  switch (type) {
    case AtomicType::kF32:
      return op == AtomicOp::kAdd
                 ? &exec_vector_atomic<AtomicOp::kAdd, AtomicType::kF32, std::uint32_t>
                 : nullptr;
    case AtomicType::kF16:
      return vector_handler<AtomicType::kF16, std::uint16_t>(op);
    case AtomicType::kBf16:
      return vector_handler<AtomicType::kBf16, std::uint16_t>(op);
    case AtomicType::kF16x2:
      return vector_handler<AtomicType::kF16x2, std::uint32_t>(op);
    case AtomicType::kBf16x2:
      return vector_handler<AtomicType::kBf16x2, std::uint32_t>(op);
    default:
      return nullptr;
  }
}

namespace {

// The lock of atomics of 128 bits. No such atomics of the host are available with every compiler.
// PTX does not define how they interact with atomics of other sizes, so they need to exclude only
// each other.
std::mutex& wide_atomics() {
  static std::mutex mutex;
  return mutex;
}

struct Quad {
  std::uint64_t low = 0;
  std::uint64_t high = 0;

  [[nodiscard]] bool operator==(const Quad&) const = default;
};

}  // namespace

// atom.cas and atom.exch of 128 bits.
void exec_wide_atomic(Warp& warp, const Inst& inst) {
  warp.note_shared_progress();
  const auto space = static_cast<Space>(inst.flags & MemoryFlags::kSpaceMask);
  LaneAddresses addresses;
  compute_addresses(warp, inst, addresses);
  LanePointers pointers;
  resolve(warp, space, warp.mask(), addresses, sizeof(Quad), AccessKind::kAtomic, pointers);
  const std::uint32_t* rows = warp.extra(inst);
  const bool compares = inst.count == 6;
  const std::uint32_t* results = rows + inst.count - 2;
  for (std::uint32_t left = warp.mask(); left != 0; left &= left - 1) {
    const int lane = std::countr_zero(left);
    const auto operand = [&](int i) {
      return Quad{warp.wide(rows[2 * i])[lane], warp.wide(rows[2 * i + 1])[lane]};
    };
    const Quad b = operand(0);
    const Quad next = compares ? operand(1) : b;
    Quad old;
    {
      const std::lock_guard lock(wide_atomics());
      std::memcpy(&old, pointers.at[lane], sizeof old);
      if (!compares || old == b) std::memcpy(pointers.at[lane], &next, sizeof next);
    }
    if (results[0] == kNoRegister) continue;
    warp.wide(results[0])[lane] = old.low;
    warp.wide(results[1])[lane] = old.high;
  }
}

}  // namespace warpwright::emu
