// Models and rates that the tests of tuner/model share.
#pragma once

#include <string>
#include <vector>

#include "core/error.h"
#include "model/step_time.h"

namespace warpwright::testing {

inline DecoderSpec model_of(const std::string& name) {
  return read_decoder(std::string(WARPWRIGHT_SOURCE_DIR) + "/configs/models/" + name + ".yaml");
}

// 1,000 GB/s and 100 TFLOP/s: 1 us moves 1 GB / 1000 and computes 100 MFLOP.
inline Rates round_rates(double gb_per_s = 1000, double gflop_per_s = 100'000) {
  Rates rates;
  rates.roofs = read_ceilings("read=" + std::to_string(gb_per_s) +
                              ",tensor_bf16=" + std::to_string(gflop_per_s) +
                              ",fma_f32=" + std::to_string(gflop_per_s))
                    .roofs;
  rates.given = true;
  rates.device_name = "a round device";
  rates.memory_bytes = 80e9;
  return rates;
}

inline DecoderSpec connected(DecoderSpec spec, double gb_per_s = 100, double latency_us = 5) {
  spec.interconnect = Interconnect{gb_per_s * 1e9, latency_us};
  return spec;
}

inline StepEstimate estimate(const DecoderSpec& spec, Workload work, Parallel parallel = {},
                             const Rates& rates = round_rates()) {
  TunedTimes none;
  return estimate_step(spec, work, parallel, rates, none);
}

inline Operation operation(const DecoderSpec& spec, Workload work, const std::string& name,
                           Parallel parallel = {}) {
  for (const Operation& one : decode_operations(spec, work, parallel))
    if (one.name == name) return one;
  throw user_error("no operation '" + name + "'");
}

inline bool has_operation(const DecoderSpec& spec, Workload work, const std::string& name,
                          Parallel parallel = {}) {
  for (const Operation& one : decode_operations(spec, work, parallel))
    if (one.name == name) return true;
  return false;
}

}  // namespace warpwright::testing
