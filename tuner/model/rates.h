// The speed of a model's device: ceilings that `warpwright calibrate` measured and stored in a
// database, or ceilings that the user gives; and the minimum time of any operation.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "analysis/board/roofline.h"
#include "store/database.h"

namespace warpwright {

struct Rates {
  Roofs roofs;
  bool given = false;  // given by the user, not measured here
  double floor_us = 0;
  std::string floor_origin;            // origin of floor_us, for people
  std::optional<double> memory_bytes;  // of the device
  std::string device_name;
  std::string fingerprint;  // of the database's device; empty if there is none
};

struct RatesRequest {
  std::string
      device;  // of the database: an id, a name or 6 digits of the fingerprint; may be empty
  std::string ceilings;  // "read=4430,tensor_bf16=790000" or a YAML file; empty: the database's
  std::optional<double> floor_us;
};

// Without `ceilings` the device must have measured ones. Throws Error (user) with what to do.
// `database` may be null when ceilings are given.
[[nodiscard]] Rates read_rates(const Database* database, const RatesRequest& request);

// "read=4430,tensor_bf16=790000,memory=141": GB/s, GFLOP/s and GB. Or a YAML file of such entries.
// Throws Error (user): an unknown name, a value that is not above 0, none for reading memory.
struct GivenCeilings {
  Roofs roofs;
  std::optional<double> memory_bytes;
};
[[nodiscard]] GivenCeilings read_ceilings(const std::string& text);

}  // namespace warpwright
