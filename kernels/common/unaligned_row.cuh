// Rows that start at any element, in packets of 16 bytes all the same.
//
// Packets need an address that is a multiple of 16: a misaligned one is a fault, not a slow access.
// Rows of odd length start anywhere, so either the row has a head and a tail that are read element
// by element around its aligned body (elements_before_alignment() measures the head), or the
// packets that cover the row are read and the two that stick out are put together from elements
// (AlignedSpan).
#pragma once

#include "packet.cuh"
#include "types.cuh"

constexpr int kAlignment = 16;  // bytes

// A row's packet, and its elements: 4 of f32, 8 of f16 and bf16.
template <typename T>
using RowPacket = Packet<T, kAlignment>;
template <typename T>
using RowElements = typename RowPacket<T>::Elements;

// How many elements lie between `pointer` (aligned for T) and the next multiple of 16.
template <typename T>
__device__ __forceinline__ int elements_before_alignment(const T* pointer) {
  const u32 misalignment = static_cast<u32>(reinterpret_cast<u64>(pointer)) % kAlignment;
  return static_cast<int>((kAlignment - misalignment) % kAlignment / sizeof(T));
}

// How many elements lie between the last multiple of 16 and `pointer`.
template <typename T>
__device__ __forceinline__ int elements_after_alignment(const T* pointer) {
  return static_cast<int>(static_cast<u32>(reinterpret_cast<u64>(pointer)) % kAlignment /
                          sizeof(T));
}

// The packets that cover a row: packet 0 holds the first element, packet `packets() - 1` the last.
// Positions count from the start of packet 0, so element i is at position `skip + i`. Nothing
// outside the row is ever read. Rows are read once, so packets take no room in L1.
template <typename T>
struct AlignedSpan {
  static constexpr int kElements = RowPacket<T>::kElements;
  const T* aligned;  // a multiple of 16 bytes, at or before the first element
  int skip;          // positions before the first element, 0 to kElements - 1
  int end;           // position after the last element

  __device__ __forceinline__ AlignedSpan(const T* first, int count)
      : aligned(first - elements_after_alignment(first)),
        skip(elements_after_alignment(first)),
        end(skip + count) {}

  __device__ __forceinline__ int packets() const { return (end + kElements - 1) / kElements; }

  // All positions of packets [first, first + count) hold elements, so that load_inside() may be
  // used.
  __device__ __forceinline__ bool inside(int first, int count) const {
    return first * kElements >= skip && (first + count) * kElements <= end;
  }

  __device__ __forceinline__ const T* address(int packet) const {
    return aligned + static_cast<i64>(packet) * kElements;
  }

  __device__ __forceinline__ RowElements<T> load_inside(int packet) const {
    return RowPacket<T>::template load<Hint::streaming>(address(packet), 0).elements();
  }

  // Any packet, also one past the end; positions without an element give `pad`.
  __device__ __forceinline__ RowElements<T> load_padded(int packet, T pad) const {
    const int first = packet * kElements;
    if (inside(packet, 1)) return load_inside(packet);
    RowElements<T> result;
#pragma unroll
    for (int i = 0; i < kElements; ++i)
      result[i] = first + i >= skip && first + i < end ? aligned[first + i] : pad;
    return result;
  }
};
