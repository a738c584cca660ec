// Warpwright's own kernels on a GPU, as PTX text that the driver compiles when a device is opened:
// plain instructions of sm_70, so that every GPU takes them and no compiler is needed.
#pragma once

#include <cstdint>

namespace warpwright::cuda {

// ww_empty(u64 store)     nothing when `store` is 0: the floor of a timing protocol
// ww_spin(u64 ns)         one thread waits on %globaltimer
// ww_stamp(u64 address, u64 slots)
//     slot %smid of `address`, unless there are fewer: %globaltimer in ns and the SM's clock count,
//     64 bits each; one block per SM of one thread
// ww_checksum(u64 address, u64 words, u64 sum)
//     adds device/checksum.h over `words` 64-bit words to *sum; any grid, blocks of
//     kChecksumThreads
[[nodiscard]] const char* helper_ptx();

constexpr unsigned kChecksumThreads = 256;

}  // namespace warpwright::cuda
