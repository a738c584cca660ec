// The sums of a thread that multiplies on the ordinary pipes: Rows rows of w by Tokens tokens, over
// the vectors that it is given.
//
// The loads of w come first in every turn: they are what the time is spent on, and nothing that
// they need has to be loaded before. Those of x follow, token by token, and find L1 or L2.
#pragma once

#include "packet.cuh"
#include "types.cuh"
#include "weights.cuh"

template <typename T, typename Weight, int Rows, int TokenCount, int Unrolled, LoadHint kHint>
struct RowSums {
  static constexpr int kElements = Vector<Weight>::kElements;
  const T* __restrict__ x;
  const Weight* __restrict__ row[Rows];
  int m, k;
  float values[Rows][TokenCount] = {};

  // A row past the end is the last row once more: its sums are right, and are not stored.
  __device__ __forceinline__ void begin(const T* __restrict__ tokens, const Weight* __restrict__ w,
                                        int first_row, int token_count, int n, int length) {
    x = tokens;
    m = token_count;
    k = length;
#pragma unroll
    for (int r = 0; r < Rows; ++r) row[r] = w + static_cast<i64>(min(first_row + r, n - 1)) * k;
  }

  // Vectors first + lane, first + lane + stride, ... before `end`. `lane` counts the threads that
  // share them, `stride` of them. After the whole turns comes one turn whose loads are conditional,
  // so that they are in flight together, too.
  __device__ __forceinline__ void add_vectors(int first, int end, int lane, int stride) {
    int turn = first;
    for (; turn + Unrolled * stride <= end; turn += Unrolled * stride)
      add_turn<true>(turn + lane, end, stride);
    if (turn < end) add_turn<false>(turn + lane, end, stride);
  }

  // Element by element, for rows that start anywhere.
  __device__ __forceinline__ void add_elements(int lane, int stride) {
    for (int i = lane; i < k; i += stride) {
#pragma unroll
      for (int token = 0; token < TokenCount; ++token) {
        if (token < m) {
          const float value = to_float(x[static_cast<i64>(token) * k + i]);
#pragma unroll
          for (int r = 0; r < Rows; ++r)
            values[r][token] = fmaf(weight_float(row[r][i]), value, values[r][token]);
        }
      }
    }
  }

 private:
  // `Whole`: all lanes have all of their vectors, and no load is behind a condition.
  template <bool Whole>
  __device__ __forceinline__ void add_turn(int vector, int end, int stride) {
    Vector<Weight> weights[Unrolled][Rows];
#pragma unroll
    for (int u = 0; u < Unrolled; ++u) {
#pragma unroll
      for (int r = 0; r < Rows; ++r)
        weights[u][r] =
            load_weights<kHint>(Whole || vector + u * stride < end, row[r], vector + u * stride);
    }
#pragma unroll
    for (int u = 0; u < Unrolled; ++u) {
      const bool exists = Whole || vector + u * stride < end;
      float factors[Rows][kElements];
#pragma unroll
      for (int r = 0; r < Rows; ++r) weight_floats(weights[u][r], factors[r]);
#pragma unroll
      for (int token = 0; token < TokenCount; ++token) {
        // The first token is always there.
        if (token == 0 || token < m) {
          Tokens<T, Weight> tokens;
          tokens.load_if(exists, x + static_cast<i64>(token) * k, vector + u * stride);
          float others[kElements];
          tokens.unpack(others);
#pragma unroll
          for (int r = 0; r < Rows; ++r) {
#pragma unroll
            for (int i = 0; i < kElements; ++i)
              values[r][token] = fmaf(factors[r][i], others[i], values[r][token]);
          }
        }
      }
    }
  }
};
