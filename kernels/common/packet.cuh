// A packet: the 2, 4, 8 or 16 bytes that one thread moves in one access, kept packed in registers
// until it is needed.
//
// Memory-bound kernels want many loads in flight, and what is in flight sits in registers: eight
// bf16 take 4 registers packed and 8 as floats. So load all packets first, and unpack() each one
// only when it is its turn to be computed. Packets are numbered from the start of an array that is
// aligned to the packet's size; 16 bytes suit most kernels, and a packet of one element works at
// any alignment and any length.
#pragma once

#include "types.cuh"

// Cache policies of an access; tunables name these values (-DSTORE_HINT=streaming).
//
// Data that is read once looks made for streaming loads, yet Hopper reads large arrays faster by
// default: try both. Loads that L2 keeps are in kept_load.cuh.
enum class Hint {
  none,       // the default policy
  streaming,  // touched once: loads take no room in L1, stores are the first that L2 evicts
};

// The register image of Bytes bytes.
template <int Bytes>
struct PacketStorage;
template <>
struct PacketStorage<16> {
  using Type = uint4;
};
template <>
struct PacketStorage<8> {
  using Type = uint2;
};
template <>
struct PacketStorage<4> {
  using Type = u32;
};
template <>
struct PacketStorage<2> {
  using Type = u16;
};

__device__ __forceinline__ uint4 load_once(const uint4* from) {
  uint4 value;
  asm("ld.global.nc.L1::no_allocate.v4.u32 {%0, %1, %2, %3}, [%4];"
      : "=r"(value.x), "=r"(value.y), "=r"(value.z), "=r"(value.w)
      : "l"(__cvta_generic_to_global(from)));
  return value;
}

__device__ __forceinline__ uint2 load_once(const uint2* from) {
  uint2 value;
  asm("ld.global.nc.L1::no_allocate.v2.u32 {%0, %1}, [%2];"
      : "=r"(value.x), "=r"(value.y)
      : "l"(__cvta_generic_to_global(from)));
  return value;
}

__device__ __forceinline__ u32 load_once(const u32* from) {
  u32 value;
  asm("ld.global.nc.L1::no_allocate.u32 %0, [%1];"
      : "=r"(value)
      : "l"(__cvta_generic_to_global(from)));
  return value;
}

__device__ __forceinline__ u16 load_once(const u16* from) {
  u16 value;
  asm("ld.global.nc.L1::no_allocate.u16 %0, [%1];"
      : "=h"(value)
      : "l"(__cvta_generic_to_global(from)));
  return value;
}

// Two floats to one word, each rounded to nearest even: one instruction where two conversions and a
// merge would be three. The first operand of the instruction is the upper half.
template <typename T>
__device__ __forceinline__ u32 pack_pair(float low, float high);

template <>
__device__ __forceinline__ u32 pack_pair<bf16>(float low, float high) {
  u32 word;
  asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(word) : "f"(high), "f"(low));
  return word;
}

template <>
__device__ __forceinline__ u32 pack_pair<f16>(float low, float high) {
  u32 word;
  asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(word) : "f"(high), "f"(low));
  return word;
}

// The inverse: both halves of a word as floats. A word is split only here, so that ptxas never
// keeps 16-bit registers.
template <typename T>
__device__ __forceinline__ void unpack_pair(u32 word, float& low, float& high);

template <>
__device__ __forceinline__ void unpack_pair<bf16>(u32 word, float& low, float& high) {
  low = __uint_as_float(word << 16);
  high = __uint_as_float(word & 0xffff0000u);
}

template <>
__device__ __forceinline__ void unpack_pair<f16>(u32 word, float& low, float& high) {
  asm("{\n\t.reg .b16 l, h;\n\tmov.b32 {l, h}, %2;\n\tcvt.f32.f16 %0, l;\n\tcvt.f32.f16 %1, h;\n\t}"
      : "=f"(low), "=f"(high)
      : "r"(word));
}

// `index` counts packets from `array`. The data must not be written during the launch.
template <typename T, int Bytes>
struct Packet {
  static_assert(Bytes >= static_cast<int>(sizeof(T)), "a packet holds at least one element");
  static constexpr int kElements = Bytes / static_cast<int>(sizeof(T));
  using Storage = typename PacketStorage<Bytes>::Type;

  Storage storage;

  template <Hint Policy = Hint::none>
  static __device__ __forceinline__ Packet load(const T* __restrict__ array, i64 index) {
    const Storage* from = reinterpret_cast<const Storage*>(array) + index;
    if constexpr (Policy == Hint::streaming)
      return {load_once(from)};
    else
      return {__ldg(from)};
  }

  // All bits zero where there is nothing to load or store. Loops over packets use these two instead
  // of branching around the arithmetic: a branch ends the stretch of code in which the compiler can
  // move loads ahead of it.
  template <Hint Policy = Hint::none>
  static __device__ __forceinline__ Packet load_if(bool exists, const T* __restrict__ array,
                                                   i64 index) {
    Packet packet{};
    if (exists) packet = load<Policy>(array, index);
    return packet;
  }

  template <Hint Policy = Hint::none>
  __device__ __forceinline__ void store_if(bool exists, T* __restrict__ array, i64 index) const {
    if (exists) store<Policy>(array, index);
  }

  template <Hint Policy = Hint::none>
  __device__ __forceinline__ void store(T* __restrict__ array, i64 index) const {
    Storage* to = reinterpret_cast<Storage*>(array) + index;
    if constexpr (Policy == Hint::streaming)
      __stcs(to, storage);
    else
      *to = storage;
  }

  // The elements as stored, one by one; constant indices keep them in registers.
  struct Elements {
    T values[kElements];
    __device__ __forceinline__ T& operator[](int i) { return values[i]; }
    __device__ __forceinline__ const T& operator[](int i) const { return values[i]; }
  };
  __device__ __forceinline__ Elements elements() const {
    return __builtin_bit_cast(Elements, storage);
  }

  __device__ __forceinline__ void unpack(float (&values)[kElements]) const {
    const Parts& parts = reinterpret_cast<const Parts&>(storage);
    if constexpr (kPaired) {
#pragma unroll
      for (int i = 0; i < kElements / 2; ++i)
        unpack_pair<T>(parts.words[i], values[2 * i], values[2 * i + 1]);
    } else {
#pragma unroll
      for (int i = 0; i < kElements; ++i) values[i] = to_float(parts.elements[i]);
    }
  }

  static __device__ __forceinline__ Packet pack(const float (&values)[kElements]) {
    Packet packet;
    Parts& parts = reinterpret_cast<Parts&>(packet.storage);
    if constexpr (kPaired) {
#pragma unroll
      for (int i = 0; i < kElements / 2; ++i)
        parts.words[i] = pack_pair<T>(values[2 * i], values[2 * i + 1]);
    } else {
#pragma unroll
      for (int i = 0; i < kElements; ++i) parts.elements[i] = from_float<T>(values[i]);
    }
    return packet;
  }

 private:
  static constexpr bool kPaired = sizeof(T) == 2 && kElements > 1;  // two elements to a word

  // The same bytes as elements or as words; constant indices keep it in registers.
  union Parts {
    T elements[kElements];
    u32 words[(Bytes + 3) / 4];
  };
};
