#include "device/cuda/helper_kernels.h"

namespace warpwright::cuda {

// The constants of ww_checksum are kGolden and kMultiplier of device/checksum.cpp; tests run this
// text on the emulator and compare. A block adds its threads' sums in shared memory, so that global
// atomics stay one per block.
// ww_empty reads its argument, as every kernel does, finds nothing to do, and ends.
const char* helper_ptx() {
  return R"ptx(
.version 7.0
.target sm_70
.address_size 64

.visible .entry ww_empty(.param .u64 ww_empty_store)
{
  .reg .pred %p1;
  .reg .b64 %rd1;
  ld.param.u64 %rd1, [ww_empty_store];
  setp.eq.u64 %p1, %rd1, 0;
  @%p1 bra NOTHING;
  st.global.u64 [%rd1], %rd1;
NOTHING:
  ret;
}

.visible .entry ww_spin(.param .u64 ww_spin_ns)
{
  .reg .pred %p1;
  .reg .b64 %rd<5>;
  ld.param.u64 %rd1, [ww_spin_ns];
  mov.u64 %rd2, %globaltimer;
SPIN_AGAIN:
  mov.u64 %rd3, %globaltimer;
  sub.s64 %rd4, %rd3, %rd2;
  setp.lt.u64 %p1, %rd4, %rd1;
  @%p1 bra SPIN_AGAIN;
  ret;
}

.visible .entry ww_checksum(.param .u64 ww_checksum_address, .param .u64 ww_checksum_words,
                            .param .u64 ww_checksum_sum)
{
  .reg .pred %p<4>;
  .reg .b32 %r<10>;
  .reg .b64 %rd<24>;
  .shared .align 8 .u64 block_sum;

  ld.param.u64 %rd1, [ww_checksum_address];
  ld.param.u64 %rd2, [ww_checksum_words];
  ld.param.u64 %rd3, [ww_checksum_sum];
  cvta.to.global.u64 %rd1, %rd1;
  cvta.to.global.u64 %rd3, %rd3;
  mov.u32 %r1, %tid.x;
  mov.u32 %r2, %ctaid.x;
  mov.u32 %r3, %ntid.x;
  mov.u32 %r4, %nctaid.x;
  mov.u32 %r5, block_sum;
  setp.ne.u32 %p1, %r1, 0;
  @%p1 bra CLEARED;
  mov.u64 %rd4, 0;
  st.shared.u64 [%r5], %rd4;
CLEARED:
  bar.sync 0;

  mul.wide.u32 %rd5, %r2, %r3;
  cvt.u64.u32 %rd6, %r1;
  add.s64 %rd5, %rd5, %rd6;
  mul.wide.u32 %rd7, %r4, %r3;
  mov.u64 %rd8, 0;
  mov.u64 %rd9, 0x9E3779B97F4A7C15;
  mov.u64 %rd10, 0xD6E8FEB86659FD93;
NEXT_WORD:
  setp.ge.u64 %p2, %rd5, %rd2;
  @%p2 bra SUMMED;
  shl.b64 %rd11, %rd5, 3;
  add.s64 %rd12, %rd1, %rd11;
  ld.global.u64 %rd13, [%rd12];
  add.s64 %rd14, %rd5, 1;
  mul.lo.s64 %rd15, %rd14, %rd9;
  add.s64 %rd16, %rd13, %rd15;
  shr.u64 %rd17, %rd16, 32;
  xor.b64 %rd18, %rd16, %rd17;
  mul.lo.s64 %rd19, %rd18, %rd10;
  shr.u64 %rd20, %rd19, 32;
  xor.b64 %rd21, %rd19, %rd20;
  add.s64 %rd8, %rd8, %rd21;
  add.s64 %rd5, %rd5, %rd7;
  bra NEXT_WORD;
SUMMED:
  red.shared.add.u64 [%r5], %rd8;
  bar.sync 0;
  @%p1 bra DONE;
  ld.shared.u64 %rd22, [%r5];
  red.global.add.u64 [%rd3], %rd22;
DONE:
  ret;
}
)ptx";
}

}  // namespace warpwright::cuda
