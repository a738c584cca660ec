// A tile of a product of block-scaled matrices, sums[M x N] = a[M x k] * b[N x k]^T, by a block of
// kWarpsM * kWarpsN warps. Elements and scales lie as block_scale.cuh says.
//
// Algorithm: a step is kStepBytes of every row, which come by cp.async in pieces of 16 bytes into a
// ring of kStages. Elements outside of the matrices, or of the rows' length, are filled with zeros,
// and so are scales, so partial tiles need no code. Pieces are swizzled: the eight rows of an
// ldmatrix are in all 32 banks. Scales lie as columns of words, four scales each; lanes want 32
// consecutive words, so they meet no conflicts either, and a word serves 32 rows (scaled_mma.cuh).
//
//   ScaledProduct<...>::Shared is what the block needs of shared memory
//   product.run(shared, a, b, bytes)     a and b are the tiles' operands; all threads call it
//   product.store(out, pitch, rows, columns, factor)
//
// Rows of elements start on multiples of 16 bytes. Rows of scales start anywhere, but only where
// they are whole words are they copied asynchronously. Requires sm_120a.
#pragma once

#include "cp_async.cuh"
#include "ldmatrix.cuh"
#include "mbarrier.cuh"
#include "packet.cuh"
#include "quad.cuh"
#include "scaled_mma.cuh"
#include "warp.cuh"

// Rows from the tile's first on; `rows` of them exist.
struct ScaledRows {
  const u8* __restrict__ elements;
  const u8* __restrict__ scales;
  int rows;
};

template <BlockFormat kFormat, int kTileM, int kTileN, int kStepBytes, int kWarpsM, int kWarpsN,
          int kStages>
struct ScaledProduct {
  static constexpr int kThreads = 32 * kWarpsM * kWarpsN;
  static constexpr int kWarpM = kTileM / kWarpsM, kWarpN = kTileN / kWarpsN;
  static constexpr int kM = kWarpM / 16, kN = kWarpN / 8;  // in instructions
  static constexpr int kRows = kTileM + kTileN;
  static constexpr int kPieces = kStepBytes / 16;
  static constexpr int kBlockBytes = BlockLayout<kFormat>::kBytes;
  static constexpr int kWords = kStepBytes / (4 * kBlockBytes);  // of a row's scales in a step
  static_assert(kWarpM % 32 == 0 && kWarpM * kWarpsM == kTileM, "a word has scales of 32 rows");
  static_assert(kWarpN % 32 == 0 && kWarpN * kWarpsN == kTileN, "a word has scales of 32 rows");
  static_assert(kPieces >= 4 && kWords >= 1 && kThreads % kPieces == 0 && kStages >= 2);

  struct alignas(128) Shared {
    u8 elements[kStages][kRows * kStepBytes];
    u32 scales[kStages][kWords * kRows];
  };

  float sums[kM][kN][4] = {};

  __device__ __forceinline__ void run(Shared& shared, const ScaledRows& a, const ScaledRows& b,
                                      int bytes) {
    const int steps = (bytes + kStepBytes - 1) / kStepBytes;
    int loaded = 0, stage_in = 0;
    const auto load_next = [&]() {
      if (loaded < steps) {
        load(shared, stage_in, 0, kTileM, a, bytes, loaded * kStepBytes);
        load(shared, stage_in, kTileM, kTileN, b, bytes, loaded * kStepBytes);
        stage_in = stage_in + 1 == kStages ? 0 : stage_in + 1;
        ++loaded;
      }
      // A group for each step, empty ones at the end, so that a step always waits for the same
      // number.
      commit_copies();
    };
#pragma unroll 1
    for (int step = 0; step < kStages - 1; ++step) load_next();
    int stage = 0;
#pragma unroll 1
    for (int step = 0; step < steps; ++step) {
      wait_for_copies<kStages - 2>();
      __syncthreads();  // everyone's copies are there, and the stage before has been read
      load_next();
      multiply(shared, stage, bytes - step * kStepBytes);
      stage = stage + 1 == kStages ? 0 : stage + 1;
    }
    wait_for_copies<0>();
  }

  // out[row * pitch + column] = factor * sum for the tile's `rows` x `columns` that exist.
  template <typename T>
  __device__ __forceinline__ void store(T* __restrict__ out, i64 pitch, int rows, int columns,
                                        float factor) const {
    const int lane = lane_id(), warp = uniform_warp_id();
    const int first_row = warp / kWarpsN * kWarpM + lane / 4;
    const int first_column = warp % kWarpsN * kWarpN;
    // Rows of the output then start on multiples of 16 bytes.
    const bool wide = pitch % (16 / static_cast<int>(sizeof(T))) == 0;
#pragma unroll
    for (int m = 0; m < kM; ++m) {
#pragma unroll
      for (int half = 0; half < 2; ++half) {
        const int row = first_row + 16 * m + 8 * half;
        T* const to = out + row * pitch;
#pragma unroll
        for (int n = 0; n < kN; n += 4)
          store_columns(to, wide, row < rows, first_column + 8 * n, columns, &sums[m][n], half,
                        factor);
      }
    }
  }

 private:
  static __device__ __forceinline__ u32 piece_offset(int row, int piece) {
    constexpr int kRowsOfBanks = kPieces >= 8 ? 1 : 8 / kPieces;  // that 128 bytes hold
    constexpr int kExchanged = kPieces < 8 ? kPieces : 8;
    return static_cast<u32>(row * kStepBytes + 16 * (piece ^ (row / kRowsOfBanks % kExchanged)));
  }

  // `count` rows of one operand to rows from `place` on.
  static __device__ __forceinline__ void load(Shared& shared, int stage, int place, int count,
                                              const ScaledRows& from, int bytes, int offset) {
    const u32 elements =
        static_cast<u32>(__cvta_generic_to_shared(&shared.elements[stage][place * kStepBytes]));
    const int thread = static_cast<int>(threadIdx.x);
    constexpr int kAtOnce = kThreads / kPieces;
    const int piece = thread % kPieces;
    const bool inside = offset + 16 * piece < bytes;
#pragma unroll
    for (int row = thread / kPieces; row < count; row += kAtOnce) {
      const bool exists = inside && row < from.rows;
      // An address that exists even where nothing is read.
      const u8* const source =
          exists ? from.elements + static_cast<i64>(row) * bytes + offset + 16 * piece
                 : from.elements;
      copy_async(elements + piece_offset(row, piece), source, exists);
    }
    const int scales = bytes / kBlockBytes, first = offset / kBlockBytes;  // of a row
    // Neighbours take words of one row: they share its sectors.
    for (int i = thread; i < count * kWords; i += kThreads) {
      const int row = i / kWords, word = i % kWords, at = first + 4 * word;
      u32* const to = &shared.scales[stage][word * kRows + place + row];
      const u8* const source = from.scales + static_cast<i64>(row) * scales + at;
      if (scales % 4 == 0) {
        const bool exists = at < scales && row < from.rows;
        copy_async<4>(shared_address(to), exists ? source : from.scales, exists);
      } else {
        u32 codes = 0;
        for (int byte = 0; byte < 4; ++byte)
          if (row < from.rows && at + byte < scales)
            codes |= static_cast<u32>(source[byte]) << 8 * byte;
        *to = codes;
      }
    }
  }

  // A step, of whose last rows `left` bytes are there.
  __device__ __forceinline__ void multiply(const Shared& shared, int stage, int left) {
    const u32 elements = static_cast<u32>(__cvta_generic_to_shared(shared.elements[stage]));
    const u32* const scales = shared.scales[stage];
    const int warp = uniform_warp_id();
    const int row_a = warp / kWarpsN * kWarpM, row_b = kTileM + warp % kWarpsN * kWarpN;
    const int line = lane_id() % 16, half = lane_id() / 16, own = row_of_scales();
    constexpr int kPerWord = 4 * kBlockBytes / 32;  // instructions that a word of scales serves
    u32 scales_a[kM / 2], scales_b[kN / 4];
#pragma unroll
    for (int k = 0; k < kStepBytes / 32; ++k) {
      if (32 * k >= left) break;
      if (k % kPerWord == 0) {
        const u32* const column = scales + k / kPerWord * kRows + own;
#pragma unroll
        for (int m = 0; m < kM / 2; ++m) scales_a[m] = column[row_a + 32 * m];
#pragma unroll
        for (int n = 0; n < kN / 4; ++n) scales_b[n] = column[row_b + 32 * n];
      }
      const u16 byte = static_cast<u16>(kPerWord == 1 ? 0 : k % kPerWord);
      u32 a[kM][4];
#pragma unroll
      for (int m = 0; m < kM; ++m)
        ldmatrix_x4(a[m], elements + piece_offset(row_a + 16 * m + line, 2 * k + half));
#pragma unroll
      for (int n = 0; n < kN; n += 2) {
        // Sixteen rows of b: words 0 and 2 are of the first eight, 1 and 3 of the others.
        u32 words[4];
        ldmatrix_x4(words, elements + piece_offset(row_b + 8 * n + line, 2 * k + half));
        const u32 first[2] = {words[0], words[2]}, second[2] = {words[1], words[3]};
#pragma unroll
        for (int m = 0; m < kM; ++m) {
          const u16 thread_a = static_cast<u16>(m % 2), thread_b = static_cast<u16>(n % 4);
          scaled_mma<kFormat>(sums[m][n], a[m], first, scales_a[m / 2], byte, thread_a,
                              scales_b[n / 4], byte, thread_b);
          scaled_mma<kFormat>(sums[m][n + 1], a[m], second, scales_a[m / 2], byte, thread_a,
                              scales_b[n / 4], byte, static_cast<u16>(thread_b + 1));
        }
      }
    }
  }

  // 32 columns of a row, of which the lane has 2 of every 8. All lanes come here.
  template <typename T>
  static __device__ __forceinline__ void store_columns(T* __restrict__ to, bool wide, bool exists,
                                                       int column, int columns,
                                                       const float (*blocks)[4], int half,
                                                       float factor) {
    const int quad = lane_id() % 4;
    if constexpr (sizeof(T) == 2) {
      if (wide) {
        u32 words[4];
#pragma unroll
        for (int i = 0; i < 4; ++i)
          words[i] = pack_pair<T>(factor * blocks[i][2 * half], factor * blocks[i][2 * half + 1]);
        quad_transpose(words);
        // The lane now has block `quad`, all of which exists or nothing.
        if (exists && column + 8 * quad < columns)
          *reinterpret_cast<uint4*>(to + column + 8 * quad) =
              make_uint4(words[0], words[1], words[2], words[3]);
        return;
      }
    }
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      const int at = column + 8 * i + 2 * quad;
      const float low = factor * blocks[i][2 * half], high = factor * blocks[i][2 * half + 1];
      if constexpr (sizeof(T) == 4) {
        if (wide) {  // columns are a multiple of four: both exist
          if (exists && at < columns) *reinterpret_cast<float2*>(to + at) = make_float2(low, high);
          continue;
        }
      }
      if (exists && at < columns) to[at] = from_float<T>(low);
      if (exists && at + 1 < columns) to[at + 1] = from_float<T>(high);
    }
  }
};
