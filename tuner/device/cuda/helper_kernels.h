// Warpwright's own kernels on a GPU, as PTX text that the driver compiles when a device is opened:
// plain instructions of sm_70, so that every GPU supports them and no compiler is needed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace warpwright::cuda {

// ww_empty(u64 store)     nothing when `store` is 0, else a word written there: the floor of a
//                         timing protocol
// ww_spin(u64 ns)         one thread waits on %globaltimer
// ww_prepare(u64 table, u64 entries, u32 pattern, u32 shared_words)
//     puts memory into the state in which a sample begins. An entry of the table is three 64-bit
//     words: an address, the address to copy from or 0 to repeat the pattern, and a number of
//     bytes. Every block also fills that many words of its dynamic shared memory with the pattern;
//     any grid
// ww_checksums(u64 table, u64 entries, u64 sums)
//     ww_checksum of several regions: an entry of the table is an address and a number of words,
//     its sum is added to the sum of the same place; any grid, blocks of kChecksumThreads
// ww_scatter(u64 address, u64 words, u32 mask, u32 seed)
//     flips bits in the words of four bytes that scatters() chooses; any grid
// ww_stamp(u64 address, u64 slots)
//     slot %smid of `address`, unless there are fewer: %globaltimer in ns and the SM's clock count,
//     64 bits each; one block per SM of one thread
// ww_checksum(u64 address, u64 words, u64 sum)
//     adds device/checksum.h over `words` 64-bit words to *sum; any grid, blocks of
//     kChecksumThreads
[[nodiscard]] const char* helper_ptx();

// A module with one entry, ww_local(u32 pattern, u64 ns): every thread fills a local frame of
// `frame_bytes` bytes with the pattern, and stays until `ns` have passed since it began, so that
// the threads of a launch that fills the GPU run together.
[[nodiscard]] std::string local_helper_ptx(std::size_t frame_bytes);

constexpr unsigned kChecksumThreads = 256;
constexpr unsigned kPrepareThreads = 1024;

}  // namespace warpwright::cuda
