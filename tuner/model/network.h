// The cost of exchanging data between GPUs in the usual latency and bandwidth model: a message of n
// bytes takes latency + n / bandwidth, a GPU sends and receives at the same time, and every pair is
// connected (NVSwitch). Times are in microseconds, bandwidth in bytes per second and direction.
//   R. Thakur, R. Rabenseifner, W. Gropp, Optimization of Collective Communication Operations in
//   MPICH, IJHPCA 19 (2005): an all-reduce of a reduce-scatter and an all-gather.
#pragma once

namespace warpwright {

struct Interconnect {
  double bytes_per_second = 0;  // of one GPU, per direction; 0: unknown
  double latency_us = 0;        // of one message
};

// The cost for one GPU in one direction: the bytes that it sends, and the duration of the exchange.
struct Exchange {
  double bytes = 0;
  double us = 0;
};

// All-reduce. Every GPU holds `bytes` and ends with the sum. Takes the faster of two ways: each GPU
// sends everything to all others at once (one latency, n - 1 times the bytes), or each sums one
// part before the parts are gathered (two latencies, 2 (n - 1) / n times the bytes). Free for one
// GPU.
[[nodiscard]] Exchange all_reduce(const Interconnect& link, int gpus, double bytes);
// All-gather. Every GPU holds `bytes` and ends with those of all: n - 1 times the bytes, one
// latency.
[[nodiscard]] Exchange all_gather(const Interconnect& link, int gpus, double bytes);
// All-to-all. Every GPU holds `bytes`, an equal part for each GPU: (n - 1) / n of them leave it,
// with one latency.
[[nodiscard]] Exchange all_to_all(const Interconnect& link, int gpus, double bytes);
// Sends to the next GPU.
[[nodiscard]] Exchange send(const Interconnect& link, double bytes);

}  // namespace warpwright
