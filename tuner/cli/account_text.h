// The accounts of a kernel's variants, as text and as JSON; parts of `warpwright account`.
#pragma once

#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "bench/account.h"
#include "core/error.h"
#include "records/configuration.h"
#include "spec/gpu_file.h"
#include "terminal/screen.h"

namespace warpwright {

// One variant, or one version of it.
struct Account {
  std::string title;  // "naive", "V4 with STAGES=3"
  Configuration configuration;
  bool baseline = false;         // the configuration that others are compared with
  std::string sources;           // identifies the contract and the variant's sources
  std::optional<Error> refused;  // a constraint that does not hold: nothing is known then
  std::string failed;            // why the emulator did not finish it; "" if it did
  std::optional<Amounts> counted, formula;
  std::map<std::string, std::string> formulas;  // as the contract has them, by key

  // The amounts that times are computed from: counted ones if there are any.
  [[nodiscard]] const Amounts* amounts() const;
};

struct AccountSheet {
  std::string kernel, summary, problem;
  std::string device;  // that counted
  bool counted = true;
  // By the contract: what any implementation moves and calculates.
  double compulsory_bytes = 0, flops = 0;
  std::vector<Account> accounts;
  std::vector<GpuFile> gpus;
};

// The time of one account at the ceilings of a GPU, and the baseline's time over it.
struct AccountTime {
  std::optional<CeilingTime> time;
  std::optional<double> speed_up;
};
[[nodiscard]] AccountTime account_time(const AccountSheet& sheet, const Account& account,
                                       const GpuFile& gpu);

[[nodiscard]] std::string account_text(const AccountSheet& sheet, const Screen& screen);
[[nodiscard]] nlohmann::json account_json(const AccountSheet& sheet);

}  // namespace warpwright
