#include "device/cuda/helper_kernels.h"

#include <fmt/format.h>

namespace warpwright::cuda {

// The constants of ww_checksum are kGolden and kMultiplier of device/checksum.cpp; tests run this
// text on the emulator and compare. A block adds its threads' sums in shared memory, so that global
// atomics stay one per block. ww_compare compares elements with doubles (device/device.h): types of
// one and two bytes become doubles by a table, the others by conversion. Largest errors are
// combined as integers, which order non-negative doubles in the same way. ww_empty reads its
// argument, as every kernel does, finds nothing to do, and ends.
const char* helper_ptx() {
  return R"ptx(
.version 7.0
.target sm_70
.address_size 64

.extern .shared .align 16 .b8 ww_shared[];

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

.visible .entry ww_prepare(.param .u64 ww_prepare_table, .param .u64 ww_prepare_entries,
                           .param .u32 ww_prepare_pattern, .param .u32 ww_prepare_words)
{
  .reg .pred %p<6>;
  .reg .b32 %r<16>;
  .reg .b64 %rd<18>;

  ld.param.u64 %rd1, [ww_prepare_table];
  ld.param.u64 %rd2, [ww_prepare_entries];
  ld.param.u32 %r1, [ww_prepare_pattern];
  ld.param.u32 %r2, [ww_prepare_words];
  cvta.to.global.u64 %rd1, %rd1;
  mov.u32 %r3, %tid.x;
  mov.u32 %r4, %ctaid.x;
  mov.u32 %r5, %ntid.x;
  mov.u32 %r6, %nctaid.x;
  mul.wide.u32 %rd3, %r4, %r5;
  cvt.u64.u32 %rd4, %r3;
  add.s64 %rd3, %rd3, %rd4;
  mul.wide.u32 %rd4, %r6, %r5;

  mov.u32 %r7, ww_shared;
  mov.u32 %r8, %r3;
NEXT_SHARED:
  setp.ge.u32 %p1, %r8, %r2;
  @%p1 bra SHARED_DONE;
  shl.b32 %r9, %r8, 2;
  add.u32 %r9, %r7, %r9;
  st.shared.u32 [%r9], %r1;
  add.u32 %r8, %r8, %r5;
  bra NEXT_SHARED;

SHARED_DONE:
  mov.u64 %rd5, 0;
NEXT_ENTRY:
  setp.ge.u64 %p1, %rd5, %rd2;
  @%p1 bra PREPARED;
  mul.lo.u64 %rd6, %rd5, 24;
  add.u64 %rd6, %rd1, %rd6;
  ld.global.u64 %rd7, [%rd6];
  ld.global.u64 %rd8, [%rd6+8];
  ld.global.u64 %rd9, [%rd6+16];
  add.u64 %rd5, %rd5, 1;
  or.b64 %rd10, %rd7, %rd8;
  and.b64 %rd10, %rd10, 15;
  setp.ne.u64 %p2, %rd10, 0;
  shr.u64 %rd11, %rd9, 4;
  selp.b64 %rd11, 0, %rd11, %p2;
  setp.eq.u64 %p3, %rd8, 0;
  mov.u64 %rd12, %rd3;
  @!%p3 bra COPY_PIECE;
FILL_PIECE:
  setp.ge.u64 %p4, %rd12, %rd11;
  @%p4 bra PIECES_DONE;
  shl.b64 %rd13, %rd12, 4;
  add.u64 %rd13, %rd7, %rd13;
  st.global.v4.u32 [%rd13], {%r1, %r1, %r1, %r1};
  add.u64 %rd12, %rd12, %rd4;
  bra FILL_PIECE;
COPY_PIECE:
  setp.ge.u64 %p4, %rd12, %rd11;
  @%p4 bra PIECES_DONE;
  shl.b64 %rd13, %rd12, 4;
  add.u64 %rd14, %rd8, %rd13;
  add.u64 %rd13, %rd7, %rd13;
  ld.global.v4.u32 {%r10, %r11, %r12, %r13}, [%rd14];
  st.global.v4.u32 [%rd13], {%r10, %r11, %r12, %r13};
  add.u64 %rd12, %rd12, %rd4;
  bra COPY_PIECE;
PIECES_DONE:
  shl.b64 %rd12, %rd11, 4;
  add.u64 %rd12, %rd12, %rd3;
NEXT_BYTE:
  setp.ge.u64 %p4, %rd12, %rd9;
  @%p4 bra NEXT_ENTRY;
  add.u64 %rd13, %rd7, %rd12;
  @%p3 bra FILL_BYTE;
  add.u64 %rd14, %rd8, %rd12;
  ld.global.u8 %r10, [%rd14];
  bra PUT_BYTE;
FILL_BYTE:
  cvt.u32.u64 %r11, %rd12;
  and.b32 %r11, %r11, 3;
  shl.b32 %r11, %r11, 3;
  shr.u32 %r10, %r1, %r11;
PUT_BYTE:
  st.global.u8 [%rd13], %r10;
  add.u64 %rd12, %rd12, %rd4;
  bra NEXT_BYTE;
PREPARED:
  ret;
}

.visible .entry ww_scatter(.param .u64 ww_scatter_address, .param .u64 ww_scatter_words,
                           .param .u32 ww_scatter_mask, .param .u32 ww_scatter_seed)
{
  .reg .pred %p<4>;
  .reg .b32 %r<12>;
  .reg .b64 %rd<10>;

  ld.param.u64 %rd1, [ww_scatter_address];
  ld.param.u64 %rd2, [ww_scatter_words];
  ld.param.u32 %r1, [ww_scatter_mask];
  ld.param.u32 %r2, [ww_scatter_seed];
  cvta.to.global.u64 %rd1, %rd1;
  mov.u32 %r3, %tid.x;
  mov.u32 %r4, %ctaid.x;
  mov.u32 %r5, %ntid.x;
  mov.u32 %r6, %nctaid.x;
  mul.wide.u32 %rd3, %r4, %r5;
  cvt.u64.u32 %rd4, %r3;
  add.s64 %rd3, %rd3, %rd4;
  mul.wide.u32 %rd4, %r6, %r5;
  shr.u64 %rd5, %rd2, 1;
NEXT_SCATTERED:
  setp.ge.u64 %p1, %rd3, %rd2;
  @%p1 bra SCATTERED;
  cvt.u32.u64 %r7, %rd3;
  mul.lo.u32 %r7, %r7, 0x9e3779b1;
  add.u32 %r7, %r7, %r2;
  shr.u32 %r8, %r7, 15;
  xor.b32 %r7, %r7, %r8;
  mul.lo.u32 %r7, %r7, 0x85ebca77;
  shr.u32 %r8, %r7, 13;
  xor.b32 %r7, %r7, %r8;
  and.b32 %r7, %r7, 15;
  setp.eq.u32 %p2, %r7, 0;
  setp.eq.u64 %p3, %rd3, %rd5;
  or.pred %p2, %p2, %p3;
  shl.b64 %rd6, %rd3, 2;
  add.u64 %rd6, %rd1, %rd6;
  @!%p2 bra SCATTERED_NOT;
  ld.global.u32 %r9, [%rd6];
  xor.b32 %r9, %r9, %r1;
  st.global.u32 [%rd6], %r9;
SCATTERED_NOT:
  add.u64 %rd3, %rd3, %rd4;
  bra NEXT_SCATTERED;
SCATTERED:
  ret;
}

.visible .entry ww_stamp(.param .u64 ww_stamp_address, .param .u64 ww_stamp_slots)
{
  .reg .pred %p1;
  .reg .b32 %r1;
  .reg .b64 %rd<7>;
  ld.param.u64 %rd1, [ww_stamp_address];
  ld.param.u64 %rd2, [ww_stamp_slots];
  cvta.to.global.u64 %rd1, %rd1;
  mov.u32 %r1, %smid;
  cvt.u64.u32 %rd3, %r1;
  setp.ge.u64 %p1, %rd3, %rd2;
  @%p1 bra NO_SLOT;
  shl.b64 %rd4, %rd3, 4;
  add.s64 %rd1, %rd1, %rd4;
  mov.u64 %rd5, %globaltimer;
  mov.u64 %rd6, %clock64;
  st.global.u64 [%rd1], %rd5;
  st.global.u64 [%rd1+8], %rd6;
NO_SLOT:
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

.visible .entry ww_checksums(.param .u64 ww_checksums_table, .param .u64 ww_checksums_entries,
                             .param .u64 ww_checksums_sums)
{
  .reg .pred %p<5>;
  .reg .b32 %r<10>;
  .reg .b64 %rd<28>;
  .shared .align 8 .u64 entry_sum;

  ld.param.u64 %rd1, [ww_checksums_table];
  ld.param.u64 %rd2, [ww_checksums_entries];
  ld.param.u64 %rd3, [ww_checksums_sums];
  cvta.to.global.u64 %rd1, %rd1;
  cvta.to.global.u64 %rd3, %rd3;
  mov.u32 %r1, %tid.x;
  mov.u32 %r2, %ctaid.x;
  mov.u32 %r3, %ntid.x;
  mov.u32 %r4, %nctaid.x;
  mov.u32 %r5, entry_sum;
  setp.ne.u32 %p1, %r1, 0;
  mul.wide.u32 %rd4, %r2, %r3;
  cvt.u64.u32 %rd5, %r1;
  add.s64 %rd4, %rd4, %rd5;
  mul.wide.u32 %rd5, %r4, %r3;
  mov.u64 %rd6, 0x9E3779B97F4A7C15;
  mov.u64 %rd7, 0xD6E8FEB86659FD93;
  mov.u64 %rd8, 0;
NEXT_SUM:
  setp.ge.u64 %p2, %rd8, %rd2;
  @%p2 bra SUMS_DONE;
  bar.sync 0;
  mov.u64 %rd9, 0;
  @%p1 bra SUM_CLEARED;
  st.shared.u64 [%r5], %rd9;
SUM_CLEARED:
  bar.sync 0;
  shl.b64 %rd10, %rd8, 4;
  add.u64 %rd10, %rd1, %rd10;
  ld.global.u64 %rd11, [%rd10];
  ld.global.u64 %rd12, [%rd10+8];
  mov.u64 %rd13, %rd4;
ADD_WORD:
  setp.ge.u64 %p3, %rd13, %rd12;
  @%p3 bra WORDS_ADDED;
  shl.b64 %rd14, %rd13, 3;
  add.s64 %rd15, %rd11, %rd14;
  ld.global.u64 %rd16, [%rd15];
  add.s64 %rd17, %rd13, 1;
  mul.lo.s64 %rd18, %rd17, %rd6;
  add.s64 %rd19, %rd16, %rd18;
  shr.u64 %rd20, %rd19, 32;
  xor.b64 %rd21, %rd19, %rd20;
  mul.lo.s64 %rd22, %rd21, %rd7;
  shr.u64 %rd23, %rd22, 32;
  xor.b64 %rd24, %rd22, %rd23;
  add.s64 %rd9, %rd9, %rd24;
  add.s64 %rd13, %rd13, %rd5;
  bra ADD_WORD;
WORDS_ADDED:
  red.shared.add.u64 [%r5], %rd9;
  bar.sync 0;
  @%p1 bra SUM_ADDED;
  ld.shared.u64 %rd25, [%r5];
  shl.b64 %rd26, %rd8, 3;
  add.u64 %rd26, %rd3, %rd26;
  red.global.add.u64 [%rd26], %rd25;
SUM_ADDED:
  add.u64 %rd8, %rd8, 1;
  bra NEXT_SUM;
SUMS_DONE:
  ret;
}

.visible .entry ww_compare(.param .u64 ww_compare_got, .param .u64 ww_compare_units,
                           .param .u64 ww_compare_unit_elements, .param .u64 ww_compare_count,
                           .param .u64 ww_compare_expected, .param .u64 ww_compare_allowed,
                           .param .u64 ww_compare_table, .param .u64 ww_compare_kind,
                           .param .u64 ww_compare_found)
{
  .reg .pred %p<12>;
  .reg .b16 %h1;
  .reg .b32 %r<10>;
  .reg .b64 %rd<40>;
  .reg .f32 %f1;
  .reg .f64 %fd<12>;
  .shared .align 8 .b8 block_found[32];

  ld.param.u64 %rd1, [ww_compare_got];
  ld.param.u64 %rd2, [ww_compare_units];
  ld.param.u64 %rd3, [ww_compare_unit_elements];
  ld.param.u64 %rd4, [ww_compare_count];
  ld.param.u64 %rd5, [ww_compare_expected];
  ld.param.u64 %rd6, [ww_compare_allowed];
  ld.param.u64 %rd7, [ww_compare_table];
  ld.param.u64 %rd8, [ww_compare_kind];
  ld.param.u64 %rd9, [ww_compare_found];
  mov.u32 %r1, %tid.x;
  mov.u32 %r2, %ctaid.x;
  mov.u32 %r3, %ntid.x;
  mov.u32 %r4, %nctaid.x;
  mov.u32 %r5, block_found;
  setp.ne.u32 %p1, %r1, 0;
  @%p1 bra COMPARE_CLEARED;
  mov.u64 %rd10, 0;
  st.shared.u64 [%r5], %rd10;
  st.shared.u64 [%r5+8], %rd10;
  st.shared.u64 [%r5+16], %rd10;
  st.shared.u64 [%r5+24], %rd10;
COMPARE_CLEARED:
  bar.sync 0;

  mul.wide.u32 %rd11, %r2, %r3;
  cvt.u64.u32 %rd12, %r1;
  add.s64 %rd11, %rd11, %rd12;
  mul.wide.u32 %rd13, %r4, %r3;
  mov.u64 %rd14, 0;
  mov.f64 %fd1, 0d0000000000000000;
  mov.f64 %fd2, 0d0000000000000000;
  mov.f64 %fd3, 0d0000000000000000;
  mov.f64 %fd4, 0d0000000000000000;
NEXT_ELEMENT:
  setp.ge.u64 %p2, %rd11, %rd4;
  @%p2 bra COMPARED;
  mov.u64 %rd15, %rd11;
  setp.eq.u64 %p3, %rd2, 0;
  @%p3 bra PLACED;
  div.u64 %rd16, %rd11, %rd3;
  mul.lo.u64 %rd17, %rd16, %rd3;
  sub.u64 %rd17, %rd11, %rd17;
  shl.b64 %rd16, %rd16, 3;
  add.u64 %rd16, %rd2, %rd16;
  ld.global.u64 %rd15, [%rd16];
  mad.lo.u64 %rd15, %rd15, %rd3, %rd17;
PLACED:
  setp.eq.u64 %p4, %rd8, 0;
  @%p4 bra BYTES;
  setp.eq.u64 %p4, %rd8, 1;
  @%p4 bra HALVES;
  setp.ge.u64 %p4, %rd8, 5;
  @%p4 bra DOUBLE_WORDS;
  shl.b64 %rd18, %rd15, 2;
  add.u64 %rd18, %rd1, %rd18;
  ld.global.u32 %r6, [%rd18];
  setp.eq.u64 %p4, %rd8, 2;
  @%p4 bra FLOATS;
  setp.eq.u64 %p4, %rd8, 3;
  @%p4 bra INTS;
  cvt.rn.f64.u32 %fd5, %r6;
  bra LOADED;
FLOATS:
  mov.b32 %f1, %r6;
  cvt.f64.f32 %fd5, %f1;
  bra LOADED;
INTS:
  cvt.rn.f64.s32 %fd5, %r6;
  bra LOADED;
BYTES:
  add.u64 %rd18, %rd1, %rd15;
  ld.global.u8 %r6, [%rd18];
  bra FROM_TABLE;
HALVES:
  shl.b64 %rd18, %rd15, 1;
  add.u64 %rd18, %rd1, %rd18;
  ld.global.u16 %h1, [%rd18];
  cvt.u32.u16 %r6, %h1;
FROM_TABLE:
  mul.wide.u32 %rd19, %r6, 8;
  add.u64 %rd19, %rd7, %rd19;
  ld.global.f64 %fd5, [%rd19];
  bra LOADED;
DOUBLE_WORDS:
  shl.b64 %rd18, %rd15, 3;
  add.u64 %rd18, %rd1, %rd18;
  ld.global.u64 %rd20, [%rd18];
  setp.eq.u64 %p4, %rd8, 5;
  @%p4 bra DOUBLES;
  setp.eq.u64 %p4, %rd8, 6;
  @%p4 bra LONGS;
  cvt.rn.f64.u64 %fd5, %rd20;
  bra LOADED;
DOUBLES:
  mov.b64 %fd5, %rd20;
  bra LOADED;
LONGS:
  cvt.rn.f64.s64 %fd5, %rd20;
LOADED:
  shl.b64 %rd21, %rd11, 3;
  add.u64 %rd22, %rd5, %rd21;
  ld.global.f64 %fd6, [%rd22];
  add.u64 %rd23, %rd6, %rd21;
  ld.global.f64 %fd7, [%rd23];
  sub.rn.f64 %fd8, %fd5, %fd6;
  abs.f64 %fd8, %fd8;
  setp.eq.f64 %p5, %fd5, %fd6;
  selp.f64 %fd8, %fd4, %fd8, %p5;
  setp.le.f64 %p6, %fd8, %fd7;
  @%p6 bra RIGHT;
  add.u64 %rd14, %rd14, 1;
  bra NEXT_INDEX;
RIGHT:
  max.f64 %fd1, %fd1, %fd8;
  abs.f64 %fd9, %fd6;
  setp.gt.f64 %p7, %fd9, %fd4;
  @!%p7 bra RELATED;
  div.rn.f64 %fd10, %fd8, %fd9;
  max.f64 %fd2, %fd2, %fd10;
RELATED:
  setp.gt.f64 %p8, %fd7, %fd4;
  @!%p8 bra NEXT_INDEX;
  div.rn.f64 %fd11, %fd8, %fd7;
  max.f64 %fd3, %fd3, %fd11;
NEXT_INDEX:
  add.u64 %rd11, %rd11, %rd13;
  bra NEXT_ELEMENT;
COMPARED:
  red.shared.add.u64 [%r5], %rd14;
  mov.b64 %rd24, %fd1;
  red.shared.max.u64 [%r5+8], %rd24;
  mov.b64 %rd25, %fd2;
  red.shared.max.u64 [%r5+16], %rd25;
  mov.b64 %rd26, %fd3;
  red.shared.max.u64 [%r5+24], %rd26;
  bar.sync 0;
  @%p1 bra COMPARE_DONE;
  ld.shared.u64 %rd27, [%r5];
  red.global.add.u64 [%rd9], %rd27;
  ld.shared.u64 %rd28, [%r5+8];
  red.global.max.u64 [%rd9+8], %rd28;
  ld.shared.u64 %rd29, [%r5+16];
  red.global.max.u64 [%rd9+16], %rd29;
  ld.shared.u64 %rd30, [%r5+24];
  red.global.max.u64 [%rd9+24], %rd30;
COMPARE_DONE:
  ret;
}
)ptx";
}

std::string local_helper_ptx(std::size_t frame_bytes) {
  return fmt::format(R"ptx(
.version 7.0
.target sm_70
.address_size 64

.visible .entry ww_local(.param .u32 ww_local_pattern, .param .u64 ww_local_ns)
{{
  .local .align 16 .b8 frame[{0}];
  .reg .pred %p<3>;
  .reg .b32 %r<3>;
  .reg .b64 %rd<8>;

  ld.param.u32 %r1, [ww_local_pattern];
  ld.param.u64 %rd1, [ww_local_ns];
  mov.u64 %rd2, %globaltimer;
  mov.u64 %rd3, frame;
  cvta.local.u64 %rd3, %rd3;
  mov.u32 %r2, 0;
NEXT_LOCAL:
  cvt.u64.u32 %rd4, %r2;
  add.u64 %rd4, %rd3, %rd4;
  st.volatile.u32 [%rd4], %r1;
  add.u32 %r2, %r2, 4;
  setp.lt.u32 %p1, %r2, {0};
  @%p1 bra NEXT_LOCAL;
STAY:
  mov.u64 %rd5, %globaltimer;
  sub.s64 %rd6, %rd5, %rd2;
  setp.lt.u64 %p2, %rd6, %rd1;
  @%p2 bra STAY;
  ret;
}}
)ptx",
                     (frame_bytes + 15) / 16 * 16);
}

}  // namespace warpwright::cuda
