// Approximate ceilings of an H200, for tests of analysis and output.
#pragma once

#include <string>

#include "analysis/board/roofline.h"
#include "support/stored_text.h"

namespace warpwright::testing {

inline CeilingRecord ceiling(const std::string& name, double value) {
  CeilingRecord record;
  record.device = 1;
  record.name = name;
  record.value = value;
  record.unit = name.find('_') == std::string::npos || name == "l2_read" ? "GB/s" : "GFLOP/s";
  record.protocol = "cold-graph-1";
  record.measured_utc = "2026-03-01T12:00:00Z";
  return record;
}

inline DeviceRecord h200() {
  DeviceRecord device;
  device.fingerprint = "fingerprint of cuda:0580.159.04";
  device.id = "cuda:0";
  device.name = "NVIDIA H200";
  device.arch = "sm_90a";
  device.driver = "580.159.04";
  device.has_clock = true;
  set_text(
      device.details,
      R"({"l2_bytes":62914560,"memory_bus_bits":6016,"memory_clock_mhz":3201,"sm_count":132})");
  return device;
}

inline Roofs h200_roofs() {
  return make_roofs(
      h200(), {ceiling("copy", 4000), ceiling("fma_f32", 60000), ceiling("l2_read", 7000),
               ceiling("read", 4400), ceiling("tensor_bf16", 800000), ceiling("write", 3600)});
}

}  // namespace warpwright::testing
