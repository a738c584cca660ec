// Times that a database holds of tuned kernels, for the operations of a model that are those very
// kernels at that very size.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "analysis/board/leaderboard.h"
#include "model/operation.h"
#include "store/database.h"

namespace warpwright {

struct TunedTime {
  double us = 0;
  std::optional<double> ci_low_us, ci_high_us;
  std::string protocol;
  RowId trial = 0;
};

class TunedTimes {
 public:
  TunedTimes() = default;  // knows nothing
  // Of the device with this fingerprint. `database` must outlive this.
  TunedTimes(const Database& database, std::string fingerprint);
  // The winner's time, measured, on exactly this problem; nullopt when there is none.
  [[nodiscard]] std::optional<TunedTime> find(const KernelProblem& wanted);

 private:
  const std::vector<Leaderboard>& boards_of(const std::string& kernel);

  const Database* database_ = nullptr;
  std::string fingerprint_;
  std::map<std::string, std::vector<Leaderboard>> boards_;  // by kernel
};

}  // namespace warpwright
