// Weights as they are stored, bf16, f16 or e4m3, on their way into sums; and the last step of a
// sum.
//
// A vector is the 16 bytes of a row that a lane takes at once: 8 weights of 16 bits or 16 of e4m3,
// and the same number of elements of x, which are 16 or 32 bytes. The place of an element within a
// row does not matter to a sum, so nothing is ever moved between lanes before the sum is made.
//
// Every e4m3 is exact in f16, bf16 and f32, and so is its product with either type of x in f32. The
// instruction for it converts two at a time to f16; floats and bf16 are converted from that, which
// keeps the one code that is not a number.
#pragma once

#include "operands.cuh"
#include "packet.cuh"
#include "types.cuh"

struct e4m3 {
  u8 bits;
};

template <typename Weight>
constexpr bool kIsFp8 = false;
template <>
inline constexpr bool kIsFp8<e4m3> = true;

template <typename Weight>
using Vector = Packet<Weight, 16>;

// Cache policies for loads of weights; LOAD_HINT names these values.
enum class LoadHint {
  none,       // the default policy
  streaming,  // no room in L1
  ahead,      // L2 fetches the 256 bytes around it: memory reads in longer pieces than a lane asks
};

// The policy of L2 for weights that come by copies. evict_first: they evict each other instead of
// lines that other kernels have left there and that need not go to memory meanwhile. This saves 1 %
// for 134 MB on an H100, and nothing for loads to registers.
enum class L2Hint { none, evict_first };

__device__ __forceinline__ u64 evict_first_policy() {
  u64 policy;
  asm("createpolicy.fractional.L2::evict_first.b64 %0, 1.0;" : "=l"(policy));
  return policy;
}

// All bits zero where there is no such vector.
template <LoadHint kHint, typename Weight>
__device__ __forceinline__ Vector<Weight> load_weights(bool exists, const Weight* __restrict__ row,
                                                       i64 vector) {
  if constexpr (kHint == LoadHint::ahead) {
    Vector<Weight> loaded{};
    const uint4* const from = reinterpret_cast<const uint4*>(row) + vector;
    if (exists)
      asm("ld.global.nc.L2::256B.v4.u32 {%0, %1, %2, %3}, [%4];"
          : "=r"(loaded.storage.x), "=r"(loaded.storage.y), "=r"(loaded.storage.z),
            "=r"(loaded.storage.w)
          : "l"(__cvta_generic_to_global(from)));
    return loaded;
  } else {
    constexpr Hint kPolicy = kHint == LoadHint::streaming ? Hint::streaming : Hint::none;
    return Vector<Weight>::template load_if<kPolicy>(exists, row, vector);
  }
}

// The elements of x that meet a vector of weights.
template <typename T, typename Weight>
struct Tokens {
  static constexpr int kElements = Vector<Weight>::kElements;
  static constexpr int kPackets = kElements / Packet<T, 16>::kElements;
  static constexpr int kWords = kElements / 2;
  Packet<T, 16> packets[kPackets];

  // Zeros where there is no such token, or no such vector. x comes from L1 or L2: every warp of an
  // SM reads the same.
  __device__ __forceinline__ void load_if(bool exists, const T* __restrict__ row, int vector) {
#pragma unroll
    for (int i = 0; i < kPackets; ++i)
      packets[i] = Packet<T, 16>::load_if(exists, row, static_cast<i64>(vector) * kPackets + i);
  }
  __device__ __forceinline__ void unpack(float (&values)[kElements]) const {
    constexpr int kEach = Packet<T, 16>::kElements;
#pragma unroll
    for (int i = 0; i < kPackets; ++i) {
      float part[kEach];
      packets[i].unpack(part);
#pragma unroll
      for (int j = 0; j < kEach; ++j) values[i * kEach + j] = part[j];
    }
  }
  // Pairs of elements, the first in the lower half.
  __device__ __forceinline__ void words(u32 (&words)[kWords]) const {
#pragma unroll
    for (int i = 0; i < kPackets; ++i) {
      words[4 * i] = packets[i].storage.x;
      words[4 * i + 1] = packets[i].storage.y;
      words[4 * i + 2] = packets[i].storage.z;
      words[4 * i + 3] = packets[i].storage.w;
    }
  }
};

// Four e4m3, the first in the lowest byte, to two pairs of f16.
__device__ __forceinline__ void e4m3_to_halves(u32 word, u32& first, u32& second) {
  asm("{\n\t.reg .b16 l, h;\n\tmov.b32 {l, h}, %2;\n\tcvt.rn.f16x2.e4m3x2 %0, l;\n\t"
      "cvt.rn.f16x2.e4m3x2 %1, h;\n\t}"
      : "=r"(first), "=r"(second)
      : "r"(word));
}

// A vector of weights as operands of the tensor cores, with an operand of T: pairs of T.
template <typename T, typename Weight>
__device__ __forceinline__ void weight_words(const Vector<Weight>& vector,
                                             u32 (&words)[Vector<Weight>::kElements / 2]) {
  const u32 stored[4] = {vector.storage.x, vector.storage.y, vector.storage.z, vector.storage.w};
  if constexpr (kIsFp8<Weight>) {
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      u32 pair[2];
      e4m3_to_halves(stored[i], pair[0], pair[1]);
#pragma unroll
      for (int j = 0; j < 2; ++j) {
        if constexpr (kOperandOf<T> == Operand::bf16) {
          float low, high;
          unpack_pair<f16>(pair[j], low, high);
          words[2 * i + j] = pack_pair<bf16>(low, high);
        } else {
          words[2 * i + j] = pair[j];
        }
      }
    }
  } else {
#pragma unroll
    for (int i = 0; i < 4; ++i) words[i] = stored[i];
  }
}

template <typename Weight>
__device__ __forceinline__ void weight_floats(const Vector<Weight>& vector,
                                              float (&values)[Vector<Weight>::kElements]) {
  if constexpr (kIsFp8<Weight>) {
    const u32 stored[4] = {vector.storage.x, vector.storage.y, vector.storage.z, vector.storage.w};
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      u32 first, second;
      e4m3_to_halves(stored[i], first, second);
      unpack_pair<f16>(first, values[4 * i], values[4 * i + 1]);
      unpack_pair<f16>(second, values[4 * i + 2], values[4 * i + 3]);
    }
  } else {
    vector.unpack(values);
  }
}

template <typename Weight>
__device__ __forceinline__ float weight_float(Weight weight) {
  if constexpr (kIsFp8<Weight>) {
    u32 pair, none;
    e4m3_to_halves(weight.bits, pair, none);
    float low, high;
    unpack_pair<f16>(pair, low, high);
    return low;
  } else {
    return to_float(weight);
  }
}

// Turns a whole sum into an output.
template <typename T, typename Weight>
struct Result {
  const float* __restrict__ scale;
  const T* __restrict__ bias;
  T* __restrict__ y;
  int n;
  bool with_bias;

  __device__ __forceinline__ void store(int token, int row, float sum) const {
    if constexpr (kIsFp8<Weight>) sum *= __ldg(scale + row);
    if (with_bias) sum += to_float(bias[row]);
    y[static_cast<i64>(token) * n + row] = from_float<T>(sum);
  }
};
