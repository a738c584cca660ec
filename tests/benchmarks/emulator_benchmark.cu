// Kernels of emulator_benchmark.cpp; the .ptx in this folder is `nvcc -ptx -arch=sm_90a -lineinfo` of this file.
extern "C" __global__ void fma_loop(const float* in, float* out, unsigned iterations) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  float x[16];
  for (int k = 0; k < 16; ++k) x[k] = in[i] + k;
  for (unsigned n = 0; n < iterations; ++n) {
#pragma unroll
    for (int k = 0; k < 16; ++k) x[k] = fmaf(x[k], 0.999f, 0.001f);
  }
  float sum = 0;
  for (int k = 0; k < 16; ++k) sum += x[k];
  out[i] = sum;
}

extern "C" __global__ void stream(const float4* in, float4* out, unsigned work) {
  const unsigned stride = gridDim.x * blockDim.x;
  const unsigned count = stride * work / 4;
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += stride) {
    float4 v = in[i];
    v.x *= 2, v.y *= 2, v.z *= 2, v.w *= 2;
    out[i] = v;
  }
}

extern "C" __global__ void shared_reduction(const float* in, float* out, unsigned work) {
  __shared__ float part[256];
  float sum = 0;
  for (unsigned k = 0; k < work; ++k) sum += in[(blockIdx.x * work + k) * blockDim.x + threadIdx.x];
  part[threadIdx.x] = sum;
  __syncthreads();
  for (unsigned half = blockDim.x / 2; half > 0; half /= 2) {
    if (threadIdx.x < half) part[threadIdx.x] += part[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x == 0) out[blockIdx.x] = part[0];
}

// c = a * b of n x n, one element a thread, blocks of 16 x 16: both operands come from global memory in
// every step of the innermost loop.
extern "C" __global__ void naive_product(const float* in, float* out, unsigned n) {
  const unsigned tiles = n / 16;
  const unsigned row = blockIdx.x / tiles * 16 + threadIdx.x / 16;
  const unsigned column = blockIdx.x % tiles * 16 + threadIdx.x % 16;
  const float* a = in + row * n;
  const float* b = in + n * n + column;
  float sum = 0;
  for (unsigned k = 0; k < n; ++k) sum += a[k] * b[k * n];
  out[row * n + column] = sum;
}

// The same by tiles of 64 x 64 in shared memory, 4 x 4 elements a thread.
extern "C" __global__ void tiled_product(const float* in, float* out, unsigned n) {
  __shared__ float a_tile[16][64 + 4], b_tile[16][64];
  const unsigned tiles = n / 64;
  const unsigned first_row = blockIdx.x / tiles * 64, first_column = blockIdx.x % tiles * 64;
  const unsigned x = threadIdx.x % 16, y = threadIdx.x / 16;
  const float* a = in + first_row * n;
  const float* b = in + n * n + first_column;
  float sums[4][4] = {};
  for (unsigned k = 0; k < n; k += 16) {
    for (unsigned i = threadIdx.x; i < 64 * 16; i += 256) {
      a_tile[i % 16][i / 16] = a[i / 16 * n + k + i % 16];
      b_tile[i / 64][i % 64] = b[(k + i / 64) * n + i % 64];
    }
    __syncthreads();
#pragma unroll
    for (unsigned step = 0; step < 16; ++step) {
      const float4 left = *reinterpret_cast<const float4*>(&a_tile[step][4 * y]);
      const float4 right = *reinterpret_cast<const float4*>(&b_tile[step][4 * x]);
      const float l[4] = {left.x, left.y, left.z, left.w}, r[4] = {right.x, right.y, right.z, right.w};
      for (int i = 0; i < 4; ++i)
        for (int j = 0; j < 4; ++j) sums[i][j] += l[i] * r[j];
    }
    __syncthreads();
  }
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j) out[(first_row + 4 * y + i) * n + first_column + 4 * x + j] = sums[i][j];
}

// And by tiles of 128 x 128, 8 x 8 elements a thread, as a product for a GPU is written.
extern "C" __global__ void sgemm(const float* in, float* out, unsigned n) {
  __shared__ float a_tile[8][128 + 4], b_tile[8][128];
  const unsigned tiles = n / 128;
  const unsigned first_row = blockIdx.x / tiles * 128, first_column = blockIdx.x % tiles * 128;
  const unsigned x = threadIdx.x % 16, y = threadIdx.x / 16;
  const float* a = in + (first_row + threadIdx.x / 2) * n + threadIdx.x % 2 * 4;
  const float* b = in + n * n + threadIdx.x / 32 * n + first_column + threadIdx.x % 32 * 4;
  float sums[8][8] = {};
  for (unsigned k = 0; k < n; k += 8) {
    const float4 left = *reinterpret_cast<const float4*>(a + k);
    const unsigned column = threadIdx.x % 2 * 4, row = threadIdx.x / 2;
    a_tile[column][row] = left.x;
    a_tile[column + 1][row] = left.y;
    a_tile[column + 2][row] = left.z;
    a_tile[column + 3][row] = left.w;
    *reinterpret_cast<float4*>(&b_tile[threadIdx.x / 32][threadIdx.x % 32 * 4]) =
        *reinterpret_cast<const float4*>(b + k * n);
    __syncthreads();
#pragma unroll
    for (unsigned step = 0; step < 8; ++step) {
      float l[8], r[8];
      for (int half = 0; half < 2; ++half) {
        *reinterpret_cast<float4*>(l + 4 * half) =
            *reinterpret_cast<const float4*>(&a_tile[step][64 * half + 4 * y]);
        *reinterpret_cast<float4*>(r + 4 * half) =
            *reinterpret_cast<const float4*>(&b_tile[step][64 * half + 4 * x]);
      }
      for (int i = 0; i < 8; ++i)
        for (int j = 0; j < 8; ++j) sums[i][j] += l[i] * r[j];
    }
    __syncthreads();
  }
  for (int i = 0; i < 8; ++i) {
    for (int half = 0; half < 2; ++half) {
      *reinterpret_cast<float4*>(out + (first_row + i / 4 * 64 + 4 * y + i % 4) * n + first_column +
                                 64 * half + 4 * x) = *reinterpret_cast<float4*>(sums[i] + 4 * half);
    }
  }
}

// All blocks meet `times` times; out[0] counts arrivals and begins at 0.
extern "C" __global__ void grid_barrier(const float*, float* out, unsigned times) {
  unsigned* arrived = reinterpret_cast<unsigned*>(out);
  for (unsigned turn = 1; turn <= times; ++turn) {
    __syncthreads();
    if (threadIdx.x == 0) {
      __threadfence();
      atomicAdd(arrived, 1u);
      while (*static_cast<volatile unsigned*>(arrived) < turn * gridDim.x) {
      }
      __threadfence();
    }
    __syncthreads();
  }
}

// Both operands in shared memory as 16-byte columns: a of 64 rows, b of 256, 16 elements along k.
extern "C" __global__ void wgmma_loop(const float* in, float* out, unsigned iterations) {
  __shared__ alignas(128) unsigned operands[(64 + 256) * 8];
  for (unsigned i = threadIdx.x; i < (64 + 256) * 8; i += blockDim.x) {
    // bf16 pairs of about 1: 1.0 and 1.0 + i / 128.
    operands[i] = 0x3f803f80u + (i & 127);
  }
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  __syncthreads();
  const unsigned base = static_cast<unsigned>(__cvta_generic_to_shared(operands));
  const unsigned long long a = (base >> 4) | 64ull << 16 | 8ull << 32;
  const unsigned long long b = ((base + 64 * 32) >> 4) | 256ull << 16 | 8ull << 32;
  float d[128];
  for (int i = 0; i < 128; ++i) d[i] = in[threadIdx.x];
  for (unsigned n = 0; n < iterations; ++n) {
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
    asm volatile(
        "{ .reg .pred add; setp.eq.u32 add, 0, 0; "
        "wgmma.mma_async.sync.aligned.m64n256k16.f32.bf16.bf16 "
        "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, "
        "%16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31, "
        "%32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47, "
        "%48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63, "
        "%64, %65, %66, %67, %68, %69, %70, %71, %72, %73, %74, %75, %76, %77, %78, %79, "
        "%80, %81, %82, %83, %84, %85, %86, %87, %88, %89, %90, %91, %92, %93, %94, %95, "
        "%96, %97, %98, %99, %100, %101, %102, %103, %104, %105, %106, %107, %108, %109, %110, %111, "
        "%112, %113, %114, %115, %116, %117, %118, %119, %120, %121, %122, %123, %124, %125, %126, %127}, "
        "%128, %129, add, 1, 1, 0, 0; }"
        : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]), "+f"(d[4]), "+f"(d[5]), "+f"(d[6]), "+f"(d[7]),
          "+f"(d[8]), "+f"(d[9]), "+f"(d[10]), "+f"(d[11]), "+f"(d[12]), "+f"(d[13]), "+f"(d[14]),
          "+f"(d[15]), "+f"(d[16]), "+f"(d[17]), "+f"(d[18]), "+f"(d[19]), "+f"(d[20]), "+f"(d[21]),
          "+f"(d[22]), "+f"(d[23]), "+f"(d[24]), "+f"(d[25]), "+f"(d[26]), "+f"(d[27]), "+f"(d[28]),
          "+f"(d[29]), "+f"(d[30]), "+f"(d[31]), "+f"(d[32]), "+f"(d[33]), "+f"(d[34]), "+f"(d[35]),
          "+f"(d[36]), "+f"(d[37]), "+f"(d[38]), "+f"(d[39]), "+f"(d[40]), "+f"(d[41]), "+f"(d[42]),
          "+f"(d[43]), "+f"(d[44]), "+f"(d[45]), "+f"(d[46]), "+f"(d[47]), "+f"(d[48]), "+f"(d[49]),
          "+f"(d[50]), "+f"(d[51]), "+f"(d[52]), "+f"(d[53]), "+f"(d[54]), "+f"(d[55]), "+f"(d[56]),
          "+f"(d[57]), "+f"(d[58]), "+f"(d[59]), "+f"(d[60]), "+f"(d[61]), "+f"(d[62]), "+f"(d[63]),
          "+f"(d[64]), "+f"(d[65]), "+f"(d[66]), "+f"(d[67]), "+f"(d[68]), "+f"(d[69]), "+f"(d[70]),
          "+f"(d[71]), "+f"(d[72]), "+f"(d[73]), "+f"(d[74]), "+f"(d[75]), "+f"(d[76]), "+f"(d[77]),
          "+f"(d[78]), "+f"(d[79]), "+f"(d[80]), "+f"(d[81]), "+f"(d[82]), "+f"(d[83]), "+f"(d[84]),
          "+f"(d[85]), "+f"(d[86]), "+f"(d[87]), "+f"(d[88]), "+f"(d[89]), "+f"(d[90]), "+f"(d[91]),
          "+f"(d[92]), "+f"(d[93]), "+f"(d[94]), "+f"(d[95]), "+f"(d[96]), "+f"(d[97]), "+f"(d[98]),
          "+f"(d[99]), "+f"(d[100]), "+f"(d[101]), "+f"(d[102]), "+f"(d[103]), "+f"(d[104]), "+f"(d[105]),
          "+f"(d[106]), "+f"(d[107]), "+f"(d[108]), "+f"(d[109]), "+f"(d[110]), "+f"(d[111]), "+f"(d[112]),
          "+f"(d[113]), "+f"(d[114]), "+f"(d[115]), "+f"(d[116]), "+f"(d[117]), "+f"(d[118]), "+f"(d[119]),
          "+f"(d[120]), "+f"(d[121]), "+f"(d[122]), "+f"(d[123]), "+f"(d[124]), "+f"(d[125]), "+f"(d[126]),
          "+f"(d[127])
        : "l"(a), "l"(b));
    asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
    asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
  }
  float sum = 0;
  for (int i = 0; i < 128; ++i) sum += d[i];
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}
