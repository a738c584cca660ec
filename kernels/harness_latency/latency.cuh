// The quantities that the sources of this folder measure, under the names of the contract.
#pragma once

enum class Latency {
  add,
  fma,
  shared,
  l1,
  l2,
  memory,
  mbarrier,
  bulk_copy,
  sync_128,
  sync_256,
  sync_1024,
  cluster,
  cluster_release
};

// Steps between two branches of a loop; `unroll 1` at the loop keeps ptxas from unrolling it
// further. A step of memory or of a barrier hides the counting of its loop; the longer body is for
// steps of a few cycles.
constexpr int kUnroll = 16;
constexpr int kLongUnroll = 128;
