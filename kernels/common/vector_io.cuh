// 16-byte global loads and stores, and the arithmetic for arrays that do not start on 16 bytes.
//
// A warp that moves 16 bytes a lane needs a quarter of the instructions of 4-byte accesses and
// keeps more bytes in flight per instruction. The address must be a multiple of 16: a misaligned
// vector access is a fault, not a slow one. Rows of odd length need a scalar head and tail around
// their aligned body; elements_before_alignment() measures the head.
#pragma once

#include "types.cuh"

constexpr int kVectorBytes = 16;

// Elements of T in 16 bytes: 4 of f32, 8 of f16 and bf16.
template <typename T>
constexpr int kVectorElements = kVectorBytes / static_cast<int>(sizeof(T));

// kSize elements that move as one access of kSize * sizeof(T) = 4, 8 or 16 bytes.
template <typename T, int kSize = kVectorElements<T>>
struct alignas(kSize * sizeof(T)) Vector {
  T values[kSize];
  __device__ __forceinline__ T& operator[](int i) { return values[i]; }
  __device__ __forceinline__ const T& operator[](int i) const { return values[i]; }
};

// How many elements lie between `pointer` (aligned for T) and the next address that is a multiple
// of 16.
template <typename T>
__device__ __forceinline__ int elements_before_alignment(const T* pointer) {
  const u32 misalignment = static_cast<u32>(reinterpret_cast<u64>(pointer)) % kVectorBytes;
  return static_cast<int>((kVectorBytes - misalignment) % kVectorBytes / sizeof(T));
}

// How many elements lie between the last multiple of 16 and `pointer`.
template <typename T>
__device__ __forceinline__ int elements_after_alignment(const T* pointer) {
  return static_cast<int>(static_cast<u32>(reinterpret_cast<u64>(pointer)) % kVectorBytes /
                          sizeof(T));
}

// Through the caches as usual: for data that is read again.
template <typename T>
__device__ __forceinline__ Vector<T> load_vector(const T* aligned) {
  return *reinterpret_cast<const Vector<T>*>(aligned);
}

// For data read exactly once, by this launch's read-only path: it takes no room in L1 and leaves L2
// first.
template <typename T>
__device__ __forceinline__ Vector<T> load_vector_once(const T* aligned) {
  union {
    uint4 raw;
    Vector<T> vector;
  } both;
  asm("ld.global.nc.L1::no_allocate.v4.u32 {%0, %1, %2, %3}, [%4];"
      : "=r"(both.raw.x), "=r"(both.raw.y), "=r"(both.raw.z), "=r"(both.raw.w)
      : "l"(__cvta_generic_to_global(aligned)));
  return both.vector;
}

template <typename T>
__device__ __forceinline__ void store_vector(T* aligned, const Vector<T>& vector) {
  *reinterpret_cast<Vector<T>*>(aligned) = vector;
}

// For results that this launch does not read again: evicted from L2 before data that may be reused.
template <typename T>
__device__ __forceinline__ void store_vector_streaming(T* aligned, const Vector<T>& vector) {
  union {
    uint4 raw;
    Vector<T> vector;
  } both;
  both.vector = vector;
  __stcs(reinterpret_cast<uint4*>(aligned), both.raw);
}

// Elements that may start at any address, seen as the aligned vectors that cover them: vector 0
// holds the first element, vector `vectors() - 1` the last. Positions count from the start of
// vector 0, so element i is at position `skip + i`. Nothing outside the elements is ever read: the
// two vectors that stick out are loaded element by element.
template <typename T>
struct AlignedSpan {
  static constexpr int kElements = kVectorElements<T>;
  const T* aligned;  // a multiple of 16 bytes, at or before the first element
  int skip;          // positions before the first element, 0 to kElements - 1
  int end;           // position after the last element

  __device__ __forceinline__ AlignedSpan(const T* first, int count)
      : aligned(first - elements_after_alignment(first)),
        skip(elements_after_alignment(first)),
        end(skip + count) {}

  __device__ __forceinline__ int vectors() const { return (end + kElements - 1) / kElements; }

  // All positions of vectors [first, first + count) hold elements, so that load_inside() may be
  // used.
  __device__ __forceinline__ bool inside(int first, int count) const {
    return first * kElements >= skip && (first + count) * kElements <= end;
  }

  __device__ __forceinline__ const T* address(int vector) const {
    return aligned + static_cast<i64>(vector) * kElements;
  }

  __device__ __forceinline__ Vector<T> load_inside(int vector) const {
    return load_vector_once(address(vector));
  }

  // Any vector, also one past the end; positions without an element give `pad`.
  __device__ __forceinline__ Vector<T> load_padded(int vector, T pad) const {
    const int first = vector * kElements;
    if (inside(vector, 1)) return load_inside(vector);
    Vector<T> result;
#pragma unroll
    for (int i = 0; i < kElements; ++i)
      result[i] = first + i >= skip && first + i < end ? aligned[first + i] : pad;
    return result;
  }
};
