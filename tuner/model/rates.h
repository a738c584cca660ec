// The figures of a device that the times of a model come from: its speed (ceilings that `warpwright
// calibrate` measured and stored in a database, or ceilings that the user gives; and the minimum
// time of any operation), and the times of kernels that were tuned on it.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/board/leaderboard.h"
#include "analysis/board/roofline.h"
#include "model/operation.h"
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

// Looks up the times of tuned kernels in a database, for operations of a model that correspond
// exactly to those kernels at that size, or interpolates between two sizes along which the bytes
// grow linearly. Nothing is extrapolated.

struct TunedTime {
  double us = 0;
  std::optional<double> ci_low_us, ci_high_us;
  std::string protocol;
  RowId trial = 0;
  std::string others = {};  // "capacity=512": idle sizes whose tuned values differ

  // A tuned problem on one side of the wanted one.
  struct Neighbour {
    std::int64_t size = 0;
    double us = 0;
    RowId trial = 0;
  };
  // For an interpolated time: the size along which it was interpolated, and the nearest tuned
  // values below and above. `us` then lies on the line between their times, and `trial` is that of
  // the one below.
  std::string along = {};
  Neighbour below = {}, above = {};
  [[nodiscard]] bool interpolated() const { return !along.empty(); }
};

class TunedTimes {
 public:
  TunedTimes() = default;  // has no times
  // Times for the device with this fingerprint. `database` must outlive this.
  TunedTimes(const Database& database, std::string fingerprint);
  // Returns the measured time of the winner on exactly this problem (idle sizes may differ if
  // necessary); without one, a time interpolated between its tuned neighbours; nullopt if there are
  // none on both sides.
  [[nodiscard]] std::optional<TunedTime> find(const KernelProblem& wanted);

 private:
  const std::vector<Leaderboard>& boards_of(const std::string& kernel);
  // Returns the time from the most recently used board of this problem; sizes in `free` may differ.
  [[nodiscard]] std::optional<TunedTime> measured(const KernelProblem& wanted,
                                                  const std::set<std::string>& free);
  [[nodiscard]] std::optional<TunedTime> interpolated(const KernelProblem& wanted);

  const Database* database_ = nullptr;
  std::string fingerprint_;
  std::map<std::string, std::vector<Leaderboard>> boards_;  // by kernel
};

}  // namespace warpwright
