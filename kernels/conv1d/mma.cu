// Convolution over time on any GPU since Ampere: a matrix product for every tap, by mma.sync.
//
// Algorithm: as in wgmma.cu, without its instructions. A step is 64 channels of one tap: rows of x
// from t*stride - pad + tap on, stride apart, and rows of w[tap]. Copies of 16 bytes come by
// cp.async into a ring of STAGES; those outside of x, or of the channels, are filled with zeros,
// which is the padding. Rows are swizzled so that ldmatrix meets no bank conflicts. A warp has a
// part of the tile of TILE_M x TILE_N outputs: 64 x 32 take 3 KB from shared memory for 16
// channels, in 6 instructions for 16 products.
// Channels first: launch 1 packs (pack.cuh), and operands change sides, so that rows of the product
// are rows of the output.
//
// Tunables:
//   TILE_M, TILE_N    outputs of a block
//   WARPS_M, WARPS_N  that share them
//   STAGES            of the ring
//   MIN_BLOCKS        2: two blocks on an SM, one waits at its barrier while the other multiplies
//
// Requires: compute capability 8.0; rows of multiples of 16 bytes.
//
// Next idea: wgmma.cu, where there is wgmma.
#include "defaults.cuh"
#include "ldmatrix.cuh"
#include "mma.cuh"
#include "output_rows.cuh"
#include "pack.cuh"

using Element = DTYPE;
constexpr Operand kOperand = kOperandOf<Element>;
constexpr Order kOrder = Order::LAYOUT;
constexpr Function kFunction = Function::ACTIVATION;
constexpr bool kFirst = kOrder == Order::channels_first;
constexpr int kTileM = TILE_M, kTileN = TILE_N, kWarpsM = WARPS_M, kWarpsN = WARPS_N;
constexpr int kStages = STAGES, kMinBlocks = MIN_BLOCKS;

constexpr int kThreads = 32 * kWarpsM * kWarpsN;
constexpr int kWarpM = kTileM / kWarpsM, kWarpN = kTileN / kWarpsN;  // outputs of a warp
constexpr int kM = kWarpM / 16, kN = kWarpN / 8;                     // in instructions
static_assert(kM * 16 * kWarpsM == kTileM && kN * 8 * kWarpsN == kTileN && kN % 2 == 0);

struct alignas(128) Shared {
  u8 stages[kStages][(kTileM + kTileN) * 128];  // rows of the left operand, then of the right one
};

#ifdef WARPWRIGHT_SHARED_BYTES_conv1d_mma
static_assert(sizeof(Shared) == WARPWRIGHT_SHARED_BYTES_conv1d_mma,
              "kernel.yaml's shared: and the source differ");
#elif defined(WARPWRIGHT_SHARED_BYTES)
static_assert(sizeof(Shared) == WARPWRIGHT_SHARED_BYTES,
              "kernel.yaml's shared: and the source differ");
#endif

// The place of 16-byte piece `piece` of a row: eight rows of one piece are in all 32 banks.
__device__ __forceinline__ u32 piece_offset(int row, int piece) {
  return static_cast<u32>(row * 128 + 16 * (piece ^ (row % 8)));
}

__device__ __forceinline__ void copy_piece(u32 to, const Element* from, bool exists) {
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(to),
               "l"(__cvta_generic_to_global(from)), "r"(exists ? 16 : 0)
               : "memory");
}

// kRows rows of one operand of a step: with kOfX the rows of x for output times from `first` on,
// otherwise those of the tap's weights.
template <bool kOfX, int kRows>
__device__ __forceinline__ void load_rows(u32 to, const Element* __restrict__ rows,
                                          const Sizes& sizes, int first, int b, int channel,
                                          int tap) {
  // Eight neighbouring threads copy a row's 128 bytes. Each has its piece of every kAtOnce-th row,
  // so that all but the row's number is calculated once.
  constexpr int kAtOnce = kThreads / 8;
  const int piece = static_cast<int>(threadIdx.x) % 8, own = static_cast<int>(threadIdx.x) / 8;
  const int column = channel + 8 * piece;
  const int start = kOfX ? first * sizes.stride - sizes.pad + tap : first;
  const int step = kOfX ? sizes.stride : 1, count = kOfX ? sizes.length : sizes.c_out;
  const Element* const from = rows + static_cast<i64>(kOfX ? b : tap) * count * sizes.c_in + column;
#pragma unroll
  for (int base = 0; base < kRows; base += kAtOnce) {
    const int row = base + own, source = start + row * step;
    if (kRows % kAtOnce != 0 && row >= kRows) break;
    const bool exists = column < sizes.c_in && source >= 0 && source < count;
    // An address that exists even where nothing is read.
    copy_piece(to + piece_offset(row, piece),
               exists ? from + static_cast<i64>(source) * sizes.c_in : rows, exists);
  }
}

// A step into the sums of a warp; of the last channels only the sixteens that there are.
__device__ __forceinline__ void multiply(float (&sums)[kM][kN][4], u32 stage, int warp_m,
                                         int warp_n, int left_channels) {
  const int row = lane_id() % 16, half = lane_id() / 16;
#pragma unroll
  for (int k = 0; k < 4; ++k) {
    if (16 * k >= left_channels) break;
    u32 left[kM][4];
#pragma unroll
    for (int m = 0; m < kM; ++m)
      ldmatrix_x4(left[m], stage + piece_offset(warp_m * kWarpM + 16 * m + row, 2 * k + half));
#pragma unroll
    for (int n = 0; n < kN; n += 2) {
      // Sixteen columns: words 0 and 2 are of the first eight, 1 and 3 of the others.
      u32 words[4];
      ldmatrix_x4(words,
                  stage + piece_offset(kTileM + warp_n * kWarpN + 8 * n + row, 2 * k + half));
      const u32 first[2] = {words[0], words[2]}, second[2] = {words[1], words[3]};
#pragma unroll
      for (int m = 0; m < kM; ++m) {
        mma<kOperand>(sums[m][n], left[m], first);
        mma<kOperand>(sums[m][n + 1], left[m], second);
      }
    }
  }
}

// Parameters (row-major arrays; kernel.yaml names sizes and types):
//   x       of dtype: [batch, c_in, length] if channels come first, otherwise [batch, length, c_in]
//   w       of dtype: [c_out, c_in, width] if channels come first, otherwise [width, c_out, c_in]
//   x_rows  [batch, length, c_rows] of dtype, scratch: x with rows along the channels
//   w_rows  [width, c_out, c_rows] of dtype, scratch: w in the same way
//   batch   sequences
//   c_in    channels of x
//   c_out   channels of the output
//   length  times of x
//   width   taps of the kernel
//   c_rows  channels of a packed row, c_in rounded up to a multiple of 8
extern "C" __global__ void __launch_bounds__(kPackThreads)
    conv1d_pack(const Element* __restrict__ x, const Element* __restrict__ w,
                Element* __restrict__ x_rows, Element* __restrict__ w_rows, int batch, int c_in,
                int c_out, int length, int width, int c_rows) {
  pack(x, w, x_rows, w_rows, Sizes{batch, c_in, c_out, length, 0, width, 1, 0}, c_rows);
}

// Writes a warp's sums, with bias and activation.
__device__ __forceinline__ void store(Element* __restrict__ out, const float (&sums)[kM][kN][4],
                                      const Element* __restrict__ bias, const Sizes& sizes, int b,
                                      int first_row, int first_column, int lane) {
#pragma unroll
  for (int m = 0; m < kM; ++m) {
    write_rows<Element, kFunction, kOrder, kWarpN>(
        [&](int i) {
          return make_float4(sums[m][i][0], sums[m][i][1], sums[m][i][2], sums[m][i][3]);
        },
        [&](int i) {
          const int column = first_column + 8 * i + 2 * (lane % 4);
          return make_float2(column < sizes.c_out ? to_float(bias[column]) : 0.0f,
                             column + 1 < sizes.c_out ? to_float(bias[column + 1]) : 0.0f);
        },
        sizes, b, first_row + 16 * m + lane / 4, first_column, bias, out);
  }
}

// Blocks along x are tiles of columns, so that blocks that run together share rows.
//
// Parameters (row-major arrays; kernel.yaml names sizes and types):
//   x       of dtype: [batch, c_in, length] if channels come first, otherwise [batch, length, c_in]
//   w       of dtype: [c_out, c_in, width] if channels come first, otherwise [width, c_out, c_in]
//   bias    [c_out] of dtype
//   out     of dtype, written: [batch, c_out, t_out] if channels come first, otherwise [batch,
//           t_out, c_out]
//   batch   sequences
//   c_in    channels of x
//   c_out   channels of the output
//   length  times of x
//   t_out   times of the output
//   width   taps of the kernel
//   stride  times from one window to the next
//   pad     zeros before and after x
extern "C" __global__ void __launch_bounds__(kThreads, kMinBlocks)
    conv1d_mma(const Element* __restrict__ x, const Element* __restrict__ w,
               const Element* __restrict__ bias, Element* __restrict__ out, int batch, int c_in,
               int c_out, int length, int t_out, int width, int stride, int pad) {
  extern __shared__ uint4 dynamic[];
  Shared& shared = *reinterpret_cast<Shared*>(dynamic);
  const Sizes sizes{batch, c_in, c_out, length, t_out, width, stride, pad};
  const int first_n = static_cast<int>(blockIdx.x) * kTileN;
  const int first_m = static_cast<int>(blockIdx.y) * kTileM, b = static_cast<int>(blockIdx.z);
  const int warp = uniform_warp_id(), warp_m = warp / kWarpsN, warp_n = warp % kWarpsN;
  const int lane = lane_id(), steps = (c_in + 63) / 64 * width;
  int channel = 0, tap = 0, stage_in = 0;  // of the next step to load
  const auto stage_address = [&](int stage) {
    return static_cast<u32>(__cvta_generic_to_shared(shared.stages[stage]));
  };
  const auto load_next = [&]() {
    if (channel < c_in) {
      const u32 to = stage_address(stage_in);
      load_rows<!kFirst, kTileM>(to, kFirst ? w : x, sizes, first_m, b, channel, tap);
      load_rows<kFirst, kTileN>(to + kTileM * 128, kFirst ? x : w, sizes, first_n, b, channel, tap);
      stage_in = stage_in + 1 == kStages ? 0 : stage_in + 1;
      if (++tap == width) {
        tap = 0;
        channel += 64;
      }
    }
    // A group for each step, empty ones at the end, so that a step always waits for the same
    // number.
    asm volatile("cp.async.commit_group;" ::: "memory");
  };
#pragma unroll 1
  for (int step = 0; step < kStages - 1; ++step) load_next();

  float sums[kM][kN][4] = {};
  int stage_out = 0, left_channels = c_in, tap_out = 0;
#pragma unroll 1
  for (int step = 0; step < steps; ++step) {
    asm volatile("cp.async.wait_group %0;" ::"n"(kStages - 2) : "memory");
    __syncthreads();  // everyone's copies are there, and the stage before has been read
    load_next();
    multiply(sums, stage_address(stage_out), warp_m, warp_n, left_channels);
    stage_out = stage_out + 1 == kStages ? 0 : stage_out + 1;
    if (++tap_out == width) {
      tap_out = 0;
      left_channels -= 64;
    }
  }
  asm volatile("cp.async.wait_group 0;" ::: "memory");

  store(out, sums, bias, sizes, b, first_m + warp_m * kWarpM, first_n + warp_n * kWarpN, lane);
}
