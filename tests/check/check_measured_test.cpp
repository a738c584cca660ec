// Tests the gate on a device with a clock: which changes it calls regressions, which it does not,
// and which verdicts a fresh process may overturn.
#include <nlohmann/json.hpp>

#include "check/check_fixture.h"

namespace warpwright::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

std::string first_message(const CheckEntry& entry) {
  return entry.findings.empty() ? "" : entry.findings.front().message;
}

TEST_F(CheckTest, NothingChangedIsTheSameAndIsNotTimed) {
  const CheckEntry entry = check_one();
  EXPECT_EQ(entry.state, CheckState::kSame);
  EXPECT_THAT(entry.findings, IsEmpty());
  EXPECT_FALSE(entry.race.has_value());
  EXPECT_EQ(check().exit_code(false), 0);
}

TEST_F(CheckTest, TheSameCodeIsStillFoundRightFirst) {
  write_kernel(folder.path() / "kernels", tiny_source() + "// wrong\n");
  write_kernel(baseline.folder / "kernels", tiny_source() + "// wrong\n");
  const CheckEntry entry = check_one();
  EXPECT_EQ(entry.state, CheckState::kRegression);
  EXPECT_EQ(entry.findings.front().kind, GateFindingKind::kLost);
}

TEST_F(CheckTest, WithFiguresAloneTheSameCodeIsOnlyCompiled) {
  write_kernel(folder.path() / "kernels", tiny_source() + "// wrong\n");
  write_kernel(baseline.folder / "kernels", tiny_source() + "// wrong\n");
  world.device.has_clock = device.device_info.has_clock = false;
  options.figures_only = true;
  EXPECT_EQ(check_one().state, CheckState::kSame);
  EXPECT_EQ(compiled, 2) << "both sides, and none of the cases";
  EXPECT_EQ(device.process, -1) << "nothing was run";
}

TEST_F(CheckTest, IdenticalCodeRacedAgainstItselfStaysTheSame) {
  options.race_identical = true;
  baseline.entries.clear();
  for (int threads = 32; threads <= 1024; threads += 32) baseline.entries.push_back(entry(threads));
  device.noise = 0.01;
  const CheckReport report = check();
  EXPECT_EQ(report.count(CheckState::kSame), report.entries.size());
  EXPECT_EQ(report.entries.front().race->blocks, 20u);
}

TEST_F(CheckTest, ThreePerCentSlowerIsARegressionThatAFreshProcessRepeats) {
  change("// us=51.5");
  const CheckEntry entry = check_one();
  EXPECT_EQ(entry.state, CheckState::kRegression);
  ASSERT_TRUE(entry.race.has_value());
  EXPECT_NEAR(entry.race->median_d, std::log(1.03), 2e-3);
  EXPECT_NEAR(entry.race->repeated_d.value(), std::log(1.03), 2e-3);
  EXPECT_DOUBLE_EQ(entry.race->delta, 0.02);
  EXPECT_THAT(first_message(entry), StartsWith("slower: +"));
  EXPECT_THAT(first_message(entry), HasSubstr(" µs; a fresh process found +3."));
  EXPECT_EQ(entry.findings.front().place->line, 1) << "where the entry point is defined";
  EXPECT_EQ(device.process, 1);
}

TEST_F(CheckTest, OnePerCentSlowerIsNoneAndThreeFasterIsAnImprovement) {
  change("// us=50.5");
  EXPECT_EQ(check_one().state, CheckState::kOk);
  change("// us=48.5");
  EXPECT_EQ(check_one().state, CheckState::kImproved);
  EXPECT_EQ(check().exit_code(false), 0);
}

TEST_F(CheckTest, AThresholdOfTimeIsHeeded) {
  change("// us=51.5");
  options.rules.set("time=5%");
  EXPECT_EQ(check_one().state, CheckState::kOk);
}

TEST_F(CheckTest, WhatHidesInNoiseIsInconclusive) {
  change("// us=51.5");
  device.noise = 0.2;
  const CheckReport report = check();
  EXPECT_EQ(report.entries[0].state, CheckState::kInconclusive);
  EXPECT_THAT(first_message(report.entries[0]), StartsWith("too noisy to say: "));
  EXPECT_EQ(report.exit_code(false), 4);
  EXPECT_EQ(report.exit_code(true), 0);
}

TEST_F(CheckTest, ADriftOfTheDeviceIsNotTheCandidates) {
  change("// other code, the same time");
  device.drift = 1e-5;  // 4 % per second of samples
  EXPECT_EQ(check_one().state, CheckState::kOk);
}

TEST_F(CheckTest, ADeviceThatIsNotSteadyIsInconclusive) {
  change("// us=51.5");
  device.states.clear();
  for (int i = 0; i < 4000; ++i)
    device.states.push_back({i % 2 == 0 ? 1980 : 1400, 3201, 0, 0, {}, {}, 0});
  const CheckEntry entry = check_one();
  EXPECT_EQ(entry.state, CheckState::kInconclusive);
  EXPECT_THAT(first_message(entry), StartsWith("the device was not steady: "));
}

TEST_F(CheckTest, AFreshProcessOverturnsWhatOnlyOneProcessSaw) {
  change("// us=51.5");
  device.seen = [](double us, int process) { return process == 0 ? us : 50; };
  const CheckEntry entry = check_one();
  EXPECT_EQ(entry.state, CheckState::kOk);
  EXPECT_THAT(first_message(entry), StartsWith("not repeated: one process found +3."));
  EXPECT_EQ(entry.findings.front().kind, GateFindingKind::kNote);
}

TEST_F(CheckTest, AFreshProcessThatCannotSayLeavesItOpen) {
  change("// us=51.5");
  std::mt19937 random(5);
  device.seen = [&](double us, int process) {
    return process == 0 ? us : us * std::normal_distribution<double>(1, 0.2)(random);
  };
  EXPECT_EQ(check_one().state, CheckState::kInconclusive);
}

TEST_F(CheckTest, ACandidateThatFailsOnlyWhenTimedHasLostItsCorrectness) {
  change("// us=51.5");
  const auto plain = device.sampler;
  device.sampler = [&, plain](const TimingRequest& request, int wanted) {
    Samples taken = plain(request, wanted);
    if (taken.elapsed_us.front() > 3 + 51) {
      taken.status = Status::kLaunchFailed;
      taken.reason = "staged";
    }
    return taken;
  };
  const CheckEntry entry = check_one();
  EXPECT_EQ(entry.state, CheckState::kRegression);
  EXPECT_EQ(entry.findings.front().kind, GateFindingKind::kLost);
  EXPECT_EQ(first_message(entry),
            "launch_failed: while the candidate was timed: launch_failed: staged");
}

TEST_F(CheckTest, ATimeThatTheDeviceCannotReachHasLostItsCorrectness) {
  change("// us=48.5");
  world.device.l2_bytes = 1;
  world.device.memory_clock_mhz = 1;
  world.device.memory_bus_bits = 8;
  const CheckEntry entry = check_one();
  EXPECT_EQ(entry.state, CheckState::kRegression);
  EXPECT_EQ(entry.findings.front().kind, GateFindingKind::kLost);
  EXPECT_THAT(first_message(entry), StartsWith("impossible: 48."));
  EXPECT_THAT(
      first_message(entry),
      HasSubstr("but this GPU moves at most 0.002 GB/s (by its memory clock and bus width)"));
  EXPECT_EQ(entry.findings.front().place->line, 1) << "where the entry point is defined";
  EXPECT_TRUE(entry.race.has_value());
}

TEST_F(CheckTest, AWrongResultFailsAndIsNotTimed) {
  change("// wrong");
  const CheckEntry entry = check_one();
  EXPECT_EQ(entry.state, CheckState::kRegression);
  EXPECT_EQ(entry.findings.front().kind, GateFindingKind::kLost);
  EXPECT_THAT(first_message(entry), StartsWith("wrong_result: case 'one_row'"));
  EXPECT_FALSE(entry.race.has_value());
}

TEST_F(CheckTest, WhatDoesNotCompileFailsAtItsLine) {
  change("#error broken");
  const CheckEntry entry = check_one();
  EXPECT_EQ(entry.findings.front().kind, GateFindingKind::kLost);
  EXPECT_THAT(first_message(entry), StartsWith("does not compile: error: #error broken"));
  EXPECT_EQ(entry.findings.front().place->line, 7);
}

TEST_F(CheckTest, ABaselineThatDoesNotCompileHereIsIncomparable) {
  write_kernel(baseline.folder / "kernels", tiny_source() + "#error old\n");
  const CheckReport report = check();
  EXPECT_EQ(report.entries[0].state, CheckState::kIncomparable);
  EXPECT_THAT(first_message(report.entries[0]),
              StartsWith("the baseline's sources do not compile with NVRTC 13.0 for sm_90a: "));
  EXPECT_EQ(report.exit_code(false), 4);
}

TEST_F(CheckTest, ABaselineThatHangsHereIsIncomparable) {
  write_kernel(baseline.folder / "kernels", tiny_source() + "// hang\n");
  const CheckEntry entry = check_one();
  EXPECT_EQ(entry.state, CheckState::kIncomparable);
  EXPECT_EQ(first_message(entry), "the baseline does not run here: timeout: staged");
}

TEST_F(CheckTest, ABaselineThatIsWrongByTodaysContractIsRacedAndSaidSo) {
  write_kernel(baseline.folder / "kernels", tiny_source() + "// wrong\n");
  const CheckEntry entry = check_one();
  EXPECT_EQ(entry.state, CheckState::kOk);
  EXPECT_THAT(first_message(entry),
              StartsWith("the baseline is wrong under the current contract: "));
}

TEST_F(CheckTest, OtherArraysMeanDataOfTheirOwn) {
  std::string contract = tiny_contract();
  const std::string fill = "normal(0, 1)";
  contract.replace(contract.find(fill), fill.size(), "uniform(1, 2)");
  write_kernel(folder.path() / "kernels", tiny_source() + "// us=51.5\n", contract);
  EXPECT_EQ(check_one().state, CheckState::kRegression);
}

TEST_F(CheckTest, AKernelThatIsGoneFails) {
  std::filesystem::remove_all(folder.path() / "kernels" / "twice");
  const CheckReport report = check();
  const CheckEntry& entry = report.entries[0];
  EXPECT_EQ(entry.state, CheckState::kIncomparable);
  EXPECT_EQ(entry.findings.front().kind, GateFindingKind::kMissing);
  EXPECT_THAT(first_message(entry), StartsWith("unknown kernel 'twice'"));
  EXPECT_EQ(report.exit_code(true), 1);
}

TEST_F(CheckTest, ABrokenContractFails) {
  write_kernel(folder.path() / "kernels", tiny_source(), "kernel: twice\n");
  const CheckEntry entry = check_one();
  EXPECT_TRUE(entry.fails());
  EXPECT_THAT(first_message(entry), StartsWith("its contract cannot be read: "));
}

TEST_F(CheckTest, ATimeRecordedElsewhereIsNotCompared) {
  baseline.entries[0].measured =
      BaselineTime{"NVIDIA H200", "580", "13.0", "cold-graph-1", 10, 9.9, 10.1, {}};
  change("// other code");
  const CheckReport report = check();
  ASSERT_EQ(report.notes.size(), 1u);
  EXPECT_EQ(report.notes[0],
            "recorded on NVIDIA H200 with driver 580 and NVRTC 13.0; this is fake with driver 1.0 "
            "and NVRTC 13.0: recorded times are not compared, the baseline's sources were built "
            "and raced here");
  EXPECT_EQ(report.entries[0].state, CheckState::kOk);
  EXPECT_EQ(report.entries[0].recorded,
            "10 µs [9.9, 10.1] on NVIDIA H200, driver 580, NVRTC 13.0, cold-graph-1");
}

TEST_F(CheckTest, AMachineThatHasBecomeSlowerIsWorthANote) {
  baseline.entries[0].measured =
      BaselineTime{"fake", "1.0", "13.0", "cold-graph-1", 40, 39.9, 40.1, {}};
  change("// other code");
  const CheckReport report = check();
  EXPECT_THAT(report.notes, IsEmpty());
  EXPECT_THAT(first_message(report.entries[0]),
              StartsWith("the baseline's own sources take 50 µs here, +25."));
}

TEST_F(CheckTest, OfSeveralDevicesThisOneIsMeant) {
  BaselineEntry other = entry(256);
  other.measured = BaselineTime{"NVIDIA A100", "1.0", "13.0", "cold-graph-1", 40, 39.9, 40.1, {}};
  baseline.entries[0].measured =
      BaselineTime{"fake", "1.0", "13.0", "cold-graph-1", 50, 49.9, 50.1, {}};
  baseline.entries.push_back(other);
  const CheckReport report = check();
  ASSERT_EQ(report.entries.size(), 1u);
  EXPECT_EQ(report.entries[0].configuration_text, "plain THREADS=128");
}

class CheckTies : public CheckTest {
 protected:
  CheckTies() {
    baseline.entries[0].measured = BaselineTime{"fake", "1.0", "13.0", "cold-graph-1",
                                                50,     49.9,  50.1,   {tiny_configuration(256)}};
  }
  std::string tie_message() {
    for (const GateFinding& finding : check_one().findings)
      if (finding.kind == GateFindingKind::kTieSet) return finding.message;
    return "";
  }
};

TEST_F(CheckTies, ThatAreWhatTheyWereSayNothing) {
  EXPECT_EQ(tie_message(), "");
  change("// other code");
  EXPECT_EQ(tie_message(), "");
}

TEST_F(CheckTies, ThatFellBehindAreSaidAndDoNotFail) {
  change("// other code");
  // The tie is recognised by its block size, which the fake "code" holds as a define.
  device.seen = [](double us, int) { return us; };
  const auto plain = device.sampler;
  device.sampler = [&, plain](const TimingRequest& request, int wanted) {
    Samples taken = plain(request, wanted);
    if (request.rotation.front().launches.front().block[0] == 256)
      for (double& sample : taken.elapsed_us) sample = 3 + (sample - 3) * 1.2;
    return taken;
  };
  EXPECT_THAT(tie_message(), StartsWith("plain THREADS=256 is slower than the winner now (+"));
  EXPECT_EQ(check().exit_code(false), 0);
}

TEST_F(CheckTies, ThatWinNowAskForATuning) {
  change("// other code");
  const auto plain = device.sampler;
  device.sampler = [&, plain](const TimingRequest& request, int wanted) {
    Samples taken = plain(request, wanted);
    if (request.rotation.front().launches.front().block[0] == 256)
      for (double& sample : taken.elapsed_us) sample = 3 + (sample - 3) * 0.9;
    return taken;
  };
  EXPECT_THAT(tie_message(), HasSubstr("is faster than the winner now (-"));
}

TEST_F(CheckTies, ThatAreNotPossibleAnyMoreAreSaid) {
  std::string contract = tiny_contract();
  contract.replace(contract.find("max: 4096"), 9, "max: 128");
  write_kernel(folder.path() / "kernels", tiny_source(), contract);
  EXPECT_THAT(tie_message(), StartsWith("plain THREADS=256 is no longer possible: "));
}

TEST_F(CheckTest, AnEnvironmentThatAnswersNothingIsAnError) {
  change("// other code");
  world.ask = [](const KernelSpec&, std::vector<std::shared_ptr<const MeasureRequest>> requests) {
    std::vector<MeasureAnswer> answers(requests.size());
    for (MeasureAnswer& answer : answers) answer.error = environment_error("no device");
    return answers;
  };
  try {
    (void)check();
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.exit_code(), 3);
    EXPECT_EQ(error.message(), "no device");
  }
}

TEST_F(CheckTest, AHundredSlowerEntriesAreAHundredRegressions) {
  baseline.entries.clear();
  for (int threads = 1; threads <= 100; ++threads) baseline.entries.push_back(entry(threads));
  change("// us=52.5");
  const CheckReport report = check();
  EXPECT_EQ(report.count(CheckState::kRegression), 100u);
}

}  // namespace
}  // namespace warpwright::testing
