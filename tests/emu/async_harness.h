// Helpers for tests of asynchronous instructions: kernels of one block whose first thread issues an
// operation on an mbarrier, and whose other threads wait and copy shared memory out.
#pragma once

#include <string>

#include "emu/async/encoded_map.h"
#include "emu_harness.h"

namespace warpwright::emu {

// A kernel (parameters, in order: those of `parameters`, then `out`) with 16 KiB of shared memory
// `tile`, an mbarrier `bar`, and these registers: %rd<32>, %r<32>, %p<8>, %rd0 address of out, %r0
// tile, %r1 bar, %r2 thread in the block, %p0 thread 0. The body runs first; `out` then receives
// `words` words of the tile. `before` is placed before the kernel, for variables of the module.
inline std::string async_ptx(const std::string& parameters, const std::string& body, int words,
                             const std::string& before = "") {
  std::string text =
      ptx_header() + before + ".visible .entry k(" + parameters + (parameters.empty() ? "" : ", ") +
      ".param .u64 out) {\n"
      ".reg .b64 %rd<32>; .reg .b32 %r<32>; .reg .b16 %h<4>; .reg .pred %p<8>;\n"
      ".shared .align 1024 .b8 tile[16384]; .shared .align 8 .b64 bar;\n"
      "ld.param.u64 %rd0, [out]; mov.u32 %r0, tile; mov.u32 %r1, bar;\n"
      "mov.u32 %r2, %tid.x; setp.eq.u32 %p0, %r2, 0;\n" +
      body +
      "bar.sync 0;\n"
      "mov.u32 %r31, %ntid.x; mov.u32 %r30, %ctaid.x; mul.lo.u32 %r30, %r30, " +
      std::to_string(words) +
      ";\n"
      "COPY: setp.ge.u32 %p7, %r2, " +
      std::to_string(words) +
      "; @%p7 bra END;\n"
      "shl.b32 %r29, %r2, 2; add.u32 %r29, %r29, %r0; ld.shared.u32 %r28, [%r29];\n"
      "add.u32 %r27, %r30, %r2; mul.wide.u32 %rd31, %r27, 4; add.u64 %rd31, %rd31, %rd0;\n"
      "st.global.u32 [%rd31], %r28; add.u32 %r2, %r2, %r31; bra COPY;\n"
      "END: ret;\n}\n";
  return text;
}

// Makes every thread wait for the phase of `bar` with this parity; `label` must be unique.
inline std::string wait_ptx(const std::string& label = "WAIT", int parity = 0) {
  return label + ": mbarrier.try_wait.parity.shared::cta.b64 %p6, [%r1], " +
         std::to_string(parity) + "; @!%p6 bra " + label + ";\n";
}

}  // namespace warpwright::emu
