#include "emu/exec/reduce_bytes.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <type_traits>
#include <utility>

#include "emu/numbers/half.h"

namespace warpwright::emu {
namespace {

struct Half {
  std::uint16_t bits;
};
struct Bfloat {
  std::uint16_t bits;
};

template <class T>
T add(T a, T b) {
  if constexpr (std::is_same_v<T, Half>) {
    return {float_to_half(half_to_float(a.bits) + half_to_float(b.bits))};
  } else if constexpr (std::is_same_v<T, Bfloat>) {
    return {float_to_bf16(bf16_to_float(a.bits) + bf16_to_float(b.bits))};
  } else {
    return static_cast<T>(a + b);
  }
}

template <class T>
bool less(T a, T b) {
  if constexpr (std::is_same_v<T, Half>) {
    return half_to_float(a.bits) < half_to_float(b.bits);
  } else if constexpr (std::is_same_v<T, Bfloat>) {
    return bf16_to_float(a.bits) < bf16_to_float(b.bits);
  } else {
    return a < b;
  }
}

template <ReduceOp kOp, class T>
T reduced(T a, T b) {
  if constexpr (kOp == ReduceOp::kAdd) {
    return add(a, b);
  } else if constexpr (kOp == ReduceOp::kMin) {
    return less(b, a) ? b : a;
  } else if constexpr (kOp == ReduceOp::kMax) {
    return less(a, b) ? b : a;
  } else if constexpr (kOp == ReduceOp::kInc) {
    return a >= b ? T{0} : static_cast<T>(a + 1);
  } else if constexpr (kOp == ReduceOp::kDec) {
    return a == 0 || a > b ? b : static_cast<T>(a - 1);
  } else if constexpr (kOp == ReduceOp::kAnd) {
    return a & b;
  } else if constexpr (kOp == ReduceOp::kOr) {
    return a | b;
  } else {
    return a ^ b;
  }
}

template <ReduceOp kOp, class T>
void combine(std::byte* to, const std::byte* from, std::size_t bytes) {
  for (std::size_t at = 0; at + sizeof(T) <= bytes; at += sizeof(T)) {
    T a;
    T b;
    std::memcpy(&a, to + at, sizeof(T));
    std::memcpy(&b, from + at, sizeof(T));
    a = reduced<kOp>(a, b);
    std::memcpy(to + at, &a, sizeof(T));
  }
}

template <class T>
Combine arithmetic(ReduceOp op) {
  switch (op) {
    case ReduceOp::kAdd:
      return &combine<ReduceOp::kAdd, T>;
    case ReduceOp::kMin:
      return &combine<ReduceOp::kMin, T>;
    case ReduceOp::kMax:
      return &combine<ReduceOp::kMax, T>;
    default:
      return nullptr;
  }
}

template <class T>
Combine bitwise(ReduceOp op) {
  switch (op) {
    case ReduceOp::kAnd:
      return &combine<ReduceOp::kAnd, T>;
    case ReduceOp::kOr:
      return &combine<ReduceOp::kOr, T>;
    case ReduceOp::kXor:
      return &combine<ReduceOp::kXor, T>;
    case ReduceOp::kInc:
      return &combine<ReduceOp::kInc, T>;
    case ReduceOp::kDec:
      return &combine<ReduceOp::kDec, T>;
    default:
      return arithmetic<T>(op);
  }
}

}  // namespace

std::optional<ReduceOp> find_reduce_op(std::string_view part) {
  static constexpr std::array<std::string_view, 8> kNames = {"add", "min", "max", "inc",
                                                             "dec", "and", "or",  "xor"};
  const auto at = std::find(kNames.begin(), kNames.end(), part);
  if (at == kNames.end()) return std::nullopt;
  return static_cast<ReduceOp>(at - kNames.begin());
}

std::optional<ReduceType> find_reduce_type(std::string_view part) {
  static constexpr std::array<std::string_view, 10> kNames = {"u32",  "s32", "u64", "s64", "f16",
                                                              "bf16", "f32", "f64", "b32", "b64"};
  const auto at = std::find(kNames.begin(), kNames.end(), part);
  if (at == kNames.end()) return std::nullopt;
  return static_cast<ReduceType>(at - kNames.begin());
}

Combine find_combine(ReduceOp op, ReduceType type) {
  switch (type) {
    case ReduceType::kU32:
    case ReduceType::kB32:
      return bitwise<std::uint32_t>(op);
    case ReduceType::kU64:
    case ReduceType::kB64:
      return bitwise<std::uint64_t>(op);
    case ReduceType::kS32:
      return arithmetic<std::int32_t>(op);
    case ReduceType::kS64:
      return arithmetic<std::int64_t>(op);
    case ReduceType::kF16:
      return arithmetic<Half>(op);
    case ReduceType::kBf16:
      return arithmetic<Bfloat>(op);
    case ReduceType::kF32:
      return arithmetic<float>(op);
    case ReduceType::kF64:
      return arithmetic<double>(op);
  }
  return nullptr;
}

}  // namespace warpwright::emu
