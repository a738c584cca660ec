// What it costs to exchange data between GPUs, by the usual latency and bandwidth model: a message
// of n bytes takes latency + n / bandwidth, a GPU sends and receives at once, and every pair is
// connected (NVSwitch). Times in microseconds, bandwidth in bytes per second and direction.
//   R. Thakur, R. Rabenseifner, W. Gropp, Optimization of Collective Communication Operations in
//   MPICH, IJHPCA 19 (2005): an all-reduce of a reduce-scatter and an all-gather.
#pragma once

namespace warpwright {

struct Interconnect {
  double bytes_per_second = 0;  // of one GPU, per direction; 0 is not known
  double latency_us = 0;        // of one message
};

// Of one GPU, in one direction: what it sends, and how long the exchange takes.
struct Exchange {
  double bytes = 0;
  double us = 0;
};

// Every GPU holds `bytes` and ends with the sum: the faster of sending everything to every GPU at
// once (one latency, n - 1 times the bytes) and of summing a part each before the parts are
// gathered (two latencies, 2 (n - 1) / n times the bytes). Nothing for one GPU.
[[nodiscard]] Exchange all_reduce(const Interconnect& link, int gpus, double bytes);
// Every GPU holds `bytes` and ends with those of all: n - 1 times the bytes, in one latency.
[[nodiscard]] Exchange all_gather(const Interconnect& link, int gpus, double bytes);
// Every GPU holds `bytes`, an equal part for each: (n - 1) / n of them leave it, in one latency.
[[nodiscard]] Exchange all_to_all(const Interconnect& link, int gpus, double bytes);
// To the next GPU.
[[nodiscard]] Exchange send(const Interconnect& link, double bytes);

}  // namespace warpwright
