// Codes of failures: their stored names, and the codes derived from the reasons of versions without
// them.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <set>

#include "records/records.h"
#include "records/status.h"

namespace warpwright {
namespace {

TEST(FailureCodeTest, EveryNameReadsBack) {
  std::set<std::string_view> names;
  for (const FailureCode code : all_failure_codes()) {
    EXPECT_EQ(parse_failure_code(failure_code_name(code)), code);
    names.insert(failure_code_name(code));
  }
  EXPECT_EQ(names, (std::set<std::string_view>{"none", "emulator_lacks", "launch_limit", "rounding",
                                               "runtime_fault", "driver_peak", "requirement"}));
  EXPECT_EQ(parse_failure_code("other"), std::nullopt);
}

TEST(FailureDetailTest, CodesOfLaterVersionsAreNone) {
  const FailureDetail detail{FailureCode::kLaunchLimit, "THREADS <= device.max_threads"};
  EXPECT_EQ(nlohmann::json(detail).get<FailureDetail>(), detail);
  const nlohmann::json later = {{"code", "later"}, {"operand", "x"}};
  EXPECT_EQ(later.get<FailureDetail>(), (FailureDetail{FailureCode::kNone, "x"}));
}

TEST(FailureDetailTest, ReasonsOfOlderVersionsAreRead) {
  const struct {
    Status status;
    const char* reason;
    FailureDetail detail;
  } rows[] = {
      {Status::kInvalid,
       "emulator lacks `mma.sp` at softmax.cu:41",
       {FailureCode::kEmulatorLacks, ""}},
      {Status::kInvalid,
       "a block of 2048 threads exceeds the device's 1024; add a constraint such as \"THREADS <= "
       "device.max_threads\"",
       {FailureCode::kLaunchLimit, "THREADS <= device.max_threads"}},
      {Status::kInvalid, "x.cu has no entry 'k'; it defines j", {}},
      {Status::kInvalid, "; add a constraint such as \"unfinished", {}},
      {Status::kWrongResult,
       "output 'y' differs at [3]: got 1, expected 1.1; 1 of 200 checked elements differ by at "
       "most "
       "1.5 times what is allowed, which looks like rounding; the smallest tolerance that passes "
       "is "
       "{abs: 0.1}",
       {FailureCode::kRounding, ""}},
      {Status::kWrongResult, "output 'y' is wrong at [3]: got 1, expected 2", {}},
      {Status::kLaunchFailed,
       "an illegal memory access was encountered (CUDA_ERROR_ILLEGAL_ADDRESS) while running k",
       {FailureCode::kRuntimeFault, ""}},
      {Status::kLaunchFailed, "invalid argument while launching k", {}},
      {Status::kImpossible,
       "8.3 us would be 32342 GB/s, but this GPU moves at most 4917 GB/s (by its memory clock and "
       "bus width): either ...",
       {FailureCode::kDriverPeak, ""}},
      {Status::kImpossible,
       "... but this GPU moves at most 4572 GB/s (measured: read): either ...",
       {}},
      {Status::kViolates,
       "violates registers <= 128: 168",
       {FailureCode::kRequirement, "registers <= 128"}},
      {Status::kViolates,
       "violates registers <= (THREADS > 256 ? 64 : 128): 168",
       {FailureCode::kRequirement, "registers <= (THREADS > 256 ? 64 : 128)"}},
      // The words are only recognized under the status that they belong to.
      {Status::kCompileFailed, "emulator lacks", {}},
      {Status::kOk, "", {}},
  };
  for (const auto& row : rows)
    EXPECT_EQ(detail_of_old_reason(row.status, row.reason), row.detail) << row.reason;
}

TEST(FailureDetailTest, ATrialKeepsItsOwn) {
  TrialRecord trial;
  set_failure(trial, Status::kImpossible, {"too fast", {FailureCode::kDriverPeak, ""}});
  EXPECT_EQ(trial.status, Status::kImpossible);
  EXPECT_EQ(trial.reason, "too fast");
  EXPECT_EQ(failure_of(trial), (FailureDetail{FailureCode::kDriverPeak, ""}));
  set_failure(trial, Status::kViolates,
              {"violates a < 1: 2", {FailureCode::kRequirement, "a < 1"}});
  EXPECT_EQ(failure_of(trial).operand, "a < 1");
  // The words of a reason are ignored when its detail is stored.
  set_failure(trial, Status::kInvalid, {"emulator lacks", {FailureCode::kLaunchLimit, "b"}});
  EXPECT_EQ(failure_of(trial).code, FailureCode::kLaunchLimit);
}

TEST(FailureDetailTest, NothingIsStoredWhereTheStatusSaysEverything) {
  TrialRecord trial;
  set_failure(trial, Status::kCrashed, std::string("killed"));
  EXPECT_FALSE(trial.measurement.known());
  EXPECT_EQ(failure_of(trial), FailureDetail());
}

}  // namespace
}  // namespace warpwright
