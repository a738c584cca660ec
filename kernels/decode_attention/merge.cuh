// Partial results and how they become one: first those of a block's warps, then those of the blocks
// that share a unit of work.
//
// A partial result of a row over some of its keys is the maximum m of its scores (in units of
// log2), the sum l of 2^(score - m), and the unnormalised output o, the sum of 2^(score - m)*v. Two
// of them, a and b, make
//     m = max(ma, mb)    l = la*2^(ma - m) + lb*2^(mb - m)    o = oa*2^(ma - m) + ob*2^(mb - m)
// in f32. A row that saw no key has m = -infinity, l = 0, o = 0, and adds nothing.
//
// A block that has all keys of a unit writes the result. Otherwise it leaves its part in scratch
// and counts itself in; who comes last merges all parts, itself included, from memory and in their
// order, so that the result does not depend on who that is. The parts are few (a block's share is
// seldom a small part of a unit) and lie in L2.
#pragma once

#include "packet.cuh"
#include "roles.cuh"
#include "work.cuh"

// In shared memory, where the warps leave what they have of a piece. Rows are 16 bytes further on
// in the banks each: a quad of mma's sums stores four rows at once, eight columns of each.
template <int kWarps, int kRows, int kD>
struct alignas(16) WarpResults {
  float out[kWarps][kRows][kD + 4];
  float maximum[kWarps][kRows];
  float sum[kWarps][kRows];
  u32 is_last;
};

// One row's partial result, four columns of it.
struct RowPart {
  float maximum = -kInfinity, sum = 0;
  float4 out = make_float4(0, 0, 0, 0);

  // With a maximum that is at least all of those that are added with it.
  __device__ __forceinline__ void rescale_to(float larger) {
    if (maximum == larger) return;
    const float factor = exp2_approx(maximum - larger);  // 2^-inf = 0 for the first
    sum *= factor;
    out = make_float4(out.x * factor, out.y * factor, out.z * factor, out.w * factor);
    maximum = larger;
  }
  __device__ __forceinline__ void add(float part_maximum, float part_sum, const float4& part) {
    const float weight = part_maximum == maximum ? 1.0f : exp2_approx(part_maximum - maximum);
    if (part_maximum == -kInfinity && part_sum == 0) return;
    sum += part_sum * weight;
    out = make_float4(out.x + part.x * weight, out.y + part.y * weight, out.z + part.z * weight,
                      out.w + part.w * weight);
  }
};

// The outputs, and the scratch between blocks.
template <typename Element>
struct Results {
  Element* __restrict__ out;
  float* __restrict__ lse;
  float* __restrict__ partials;  // of a part: outputs, maxima, sums of its rows
  u32* __restrict__ arrivals;    // of a unit: parts that have come; 0 between launches
};

template <int kD, int kRows, int kWarps, typename Element>
struct PieceEnd {
  static constexpr int kThreads = 32 * kWarps, kQuads = kD / 4;
  static constexpr int kPart = kRows * kD + (2 * kRows < 4 ? 4 : 2 * kRows);  // of 16 bytes each
  using Space = WarpResults<kWarps, kRows, kD>;

  Space& space;
  const Results<Element>& results;
  int thread;  // of those that calculate, which are the block's last or all

  __device__ __forceinline__ static void meet() { named_barrier_sync<kThreads>(1); }

  __device__ __forceinline__ void store(const Shape& shape, const Piece& piece, int row, int quad,
                                        const RowPart& part) const {
    const int of_head = piece.query_part * kRows + row, t = of_head / shape.group;
    const i64 to = (static_cast<i64>(piece.sequence) * shape.q_len + t) * shape.heads +
                   piece.kv_head * shape.group + of_head - t * shape.group;
    const float normal = part.sum == 0 ? 0.0f : 1 / part.sum;  // a row that sees no key is 0
    const uint2 words = make_uint2(pack_pair<Element>(part.out.x * normal, part.out.y * normal),
                                   pack_pair<Element>(part.out.z * normal, part.out.w * normal));
    reinterpret_cast<uint2*>(results.out)[to * kQuads + quad] = words;
    if (quad == 0)
      results.lse[to] =
          part.sum == 0 ? -kInfinity : (part.maximum + __log2f(part.sum)) * (1 / kLog2E);
  }

  // Called by all threads that calculate when each warp has written its part of the piece to
  // `space`; the space may be used again afterwards.
  template <typename AllPieces>
  __device__ __forceinline__ void operator()(const Shape& shape, const AllPieces& pieces,
                                             const Piece& piece) const {
    meet();
    const Parts parts = pieces.parts(piece);
    const int rows = min(kRows, shape.rows() - piece.query_part * kRows);
#pragma unroll 1
    for (int i = thread; i < rows * kQuads; i += kThreads) {
      const int row = i / kQuads, quad = i % kQuads;
      RowPart total;
#pragma unroll
      for (int warp = 0; warp < kWarps; ++warp)
        total.maximum = fmaxf(total.maximum, space.maximum[warp][row]);
#pragma unroll
      for (int warp = 0; warp < kWarps; ++warp)
        total.add(space.maximum[warp][row], space.sum[warp][row],
                  *reinterpret_cast<const float4*>(&space.out[warp][row][4 * quad]));
      if (parts.count == 1) {
        store(shape, piece, row, quad, total);
      } else {
        float* const to =
            results.partials + static_cast<i64>(pieces.own_place(piece, parts)) * kPart;
        reinterpret_cast<float4*>(to)[i] = total.out;
        if (quad == 0) {
          to[kRows * kD + row] = total.maximum;
          to[kRows * (kD + 1) + row] = total.sum;
        }
      }
    }
    if (parts.count == 1) {
      meet();
      return;
    }
    // The writes of all threads are ordered before the count by the barrier and the fence after it:
    // fences are cumulative.
    meet();
    if (thread == 0) {
      __threadfence();
      const u32 before =
          atomicInc(&results.arrivals[pieces.unit(piece)], static_cast<u32>(parts.count) - 1);
      __threadfence();
      space.is_last = before == static_cast<u32>(parts.count) - 1;
    }
    meet();
    if (space.is_last != 0) merge(shape, pieces, piece, parts, rows);
  }

  // Sixteen parts at a time, as many as 132 SMs make of eight heads: their loads are under way
  // together, which matters because nothing else is by then.
  template <typename AllPieces>
  __device__ __forceinline__ void merge(const Shape& shape, const AllPieces& pieces,
                                        const Piece& piece, const Parts& parts, int rows) const {
    constexpr int kTogether = 16;
#pragma unroll 1
    for (int i = thread; i < rows * kQuads; i += kThreads) {
      const int row = i / kQuads, quad = i % kQuads;
      RowPart total;
#pragma unroll 1
      for (int base = 0; base < parts.count; base += kTogether) {
        float maxima[kTogether], sums[kTogether];
        float4 outs[kTogether];
        float larger = total.maximum;
#pragma unroll
        for (int j = 0; j < kTogether; ++j) {
          // Past the end the last part is loaded again and left out below.
          const int part = min(base + j, parts.count - 1);
          const float* const from =
              results.partials + static_cast<i64>(pieces.place(piece, parts, part)) * kPart;
          // L1 does not see the writes of other SMs: loads from L2.
          maxima[j] = __ldcg(from + kRows * kD + row);
          sums[j] = __ldcg(from + kRows * (kD + 1) + row);
          outs[j] = __ldcg(reinterpret_cast<const float4*>(from) + i);
        }
#pragma unroll
        for (int j = 0; j < kTogether; ++j) larger = fmaxf(larger, maxima[j]);
        total.rescale_to(larger);
#pragma unroll
        for (int j = 0; j < kTogether; ++j)
          if (base + j < parts.count) total.add(maxima[j], sums[j], outs[j]);
      }
      store(shape, piece, row, quad, total);
    }
  }

  // Sequences without keys belong to no block's share: blocks take turns to write their zeros.
  __device__ __forceinline__ void store_unseen(const Shape& shape) const {
    for (int sequence = static_cast<int>(blockIdx.x); sequence < shape.batch;
         sequence += static_cast<int>(gridDim.x)) {
      if (shape.length(sequence) > 0) continue;
      const int rows = shape.q_len * shape.heads;
      const i64 first = static_cast<i64>(sequence) * rows;
      for (int i = thread; i < rows * kQuads; i += kThreads)
        reinterpret_cast<uint2*>(results.out)[first * kQuads + i] = make_uint2(0, 0);
      for (int i = thread; i < rows; i += kThreads) results.lse[first + i] = -kInfinity;
    }
  }
};
