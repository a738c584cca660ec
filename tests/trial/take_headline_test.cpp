// The content of a winner's headline, and the buffers on which its chains of launches run.
#include <atomic>
#include <cstring>
#include <set>

#include "trial/finals_fixture.h"
#include "trial/timing/finals.h"
#include "trial/validation/trial_validation.h"

namespace warpwright::testing {
namespace {

class HeadlineTest : public FinalsTest {
 protected:
  // The arrays of the tiny problem: two of 3 x 7 f32.
  static constexpr std::size_t kArrayBytes = 84;

  HeadlineTest() {
    const auto answer = [this](TimingMode mode, double elapsed_us, double floor_us) {
      device.samplers[mode] = [=](const TimingRequest&, int wanted) {
        return samples(elapsed_us, wanted, floor_us);
      };
    };
    answer(TimingMode::kCold, 103, 3);
    answer(TimingMode::kHot, 80, 0);
    answer(TimingMode::kSlope, 75, 2);
    answer(TimingMode::kEndToEnd, 200, 0);
    answer(TimingMode::kEndToEndUncached, 300, 0);
  }
  HeadlineResult headline(double about_us = 100) {
    Device::Loaded loaded = device.load(fake_compiled());
    check = std::make_unique<ValidatedLaunches>(kernel, device, options, tiny_configuration(64),
                                                problem_inputs(), loaded.module);
    const ValidationReport report = check->verify(2);
    EXPECT_EQ(report.status, Status::kOk) << report.reason;
    return measure_headline(device, *check, about_us);
  }
  // The same as TimedTrialTest's InOut: y is accumulated.
  void make_in_out() {
    files.replace("{name: y, out: f32, shape: [rows, V],",
                  "{name: y, inout: f32, shape: [rows, V], fill: zeros,");
  }

  std::unique_ptr<ValidatedLaunches> check;
};

TEST_F(HeadlineTest, EveryModeHasItsOwnField) {
  const HeadlineResult result = headline(/*about_us=*/10);
  ASSERT_EQ(result.status, Status::kOk) << result.reason;
  EXPECT_DOUBLE_EQ(result.headline.cold->median_us, 100);
  EXPECT_DOUBLE_EQ(*result.headline.cold->raw_median_us, 103);
  EXPECT_DOUBLE_EQ(result.headline.hot->median_us, 80);
  EXPECT_DOUBLE_EQ(result.headline.slope->us, 75);
  EXPECT_DOUBLE_EQ(*result.headline.slope->empty_us, 2);
  EXPECT_DOUBLE_EQ(*result.headline.end_to_end->cached_us, 200);
  EXPECT_DOUBLE_EQ(*result.headline.end_to_end->uncached_us, 300);
  EXPECT_DOUBLE_EQ(*result.headline.power_w, 300);
  EXPECT_EQ(result.headline.sm_clock_mhz, 1980);
  EXPECT_EQ(result.headline.samples_us.front(), 103) << "raw";
  EXPECT_GT(result.headline.validity->blocks, 0);
}

TEST_F(HeadlineTest, OnlyShortKernelsHaveASlope) {
  EXPECT_TRUE(headline(kShortKernelUs - 0.1).headline.slope.has_value());
  EXPECT_FALSE(headline(kShortKernelUs).headline.slope.has_value());
}

TEST_F(HeadlineTest, WithInOutArgumentsThereIsNoChain) {
  make_in_out();
  const HeadlineResult result = headline(/*about_us=*/10);
  ASSERT_EQ(result.status, Status::kOk) << result.reason;
  EXPECT_FALSE(result.headline.hot.has_value());
  EXPECT_FALSE(result.headline.slope.has_value());
  EXPECT_DOUBLE_EQ(*result.headline.end_to_end->cached_us, 200);
}

TEST_F(HeadlineTest, InOutArgumentsAreRestoredBeforeColdSamples) {
  make_in_out();
  std::size_t restores = 0;
  device.samplers[TimingMode::kCold] = [&](const TimingRequest& request, int wanted) {
    restores = request.rotation.front().restore.size();
    return samples(103, wanted);
  };
  (void)headline();
  EXPECT_EQ(restores, 1u);
}

TEST_F(HeadlineTest, SetsOfBuffersExceedTwiceL2) {
  device.device_info.l2_bytes = 1000;
  const HeadlineResult result = headline();
  EXPECT_EQ(result.headline.hot->sets, 12) << "12 x 168 bytes are the first above 2000";
  EXPECT_FALSE(result.headline.hot->l2_resident);
}

TEST_F(HeadlineTest, SetsTakeHalfOfTheFreeMemoryAtMost) {
  device.device_info.l2_bytes = 1000;
  device.free_memory = 6 * 2 * kArrayBytes;
  const HeadlineResult result = headline();
  EXPECT_EQ(result.headline.hot->sets, 4);
  EXPECT_TRUE(result.headline.hot->l2_resident);
}

TEST_F(HeadlineTest, ATinyProblemHasSixtyFourSetsAtMost) {
  device.device_info.l2_bytes = std::int64_t{50} << 20;
  EXPECT_EQ(headline().headline.hot->sets, 64);
}

TEST_F(HeadlineTest, EverySetLaunchesOnArraysOfItsOwn) {
  device.device_info.l2_bytes = 1000;
  std::set<const float*> arrays;
  std::vector<TimedSequence> rotation;
  device.samplers[TimingMode::kHot] = [&](const TimingRequest& request, int wanted) {
    arrays.clear();
    rotation = request.rotation;
    for (std::size_t i = 0; i < request.rotation.size(); ++i) {
      const LaunchSequence& sequence = request.rotation[i].launches;
      const FakeArguments arguments(sequence.front());
      arrays.insert({arguments.pointer<const float>(0), arguments.pointer<const float>(1)});
      EXPECT_EQ(arguments.value<int>(2), 21) << "values are left alone";
      // FakeDevice has run the launches, alternating between the inputs of both seeds.
      const ProblemData& data = i % 2 == 0 ? problem_inputs().first() : *problem_inputs().other();
      EXPECT_EQ(std::memcmp(arguments.pointer<float>(1),
                            reinterpret_cast<const void*>(*data.address("y")), kArrayBytes),
                0);
    }
    return samples(80, wanted, 0);
  };
  (void)headline();
  ASSERT_EQ(rotation.size(), 12u);
  EXPECT_EQ(arrays.size(), 24u);
  const FakeArguments first(rotation.front().launches.front());
  EXPECT_EQ(reinterpret_cast<std::uint64_t>(first.pointer<float>(0)),
            *problem_inputs().first().address("x"));
}

TEST_F(HeadlineTest, TheSlopeRunsOnTheSameSets) {
  device.device_info.l2_bytes = 1000;
  std::size_t sets = 0;
  device.samplers[TimingMode::kSlope] = [&](const TimingRequest& request, int wanted) {
    sets = request.rotation.size();
    return samples(75, wanted, 2);
  };
  (void)headline(/*about_us=*/10);
  EXPECT_EQ(sets, 12u);
}

TEST_F(HeadlineTest, AChainThatFailsIsTheReasonAndLosesTheDevice) {
  device.samplers[TimingMode::kHot] = [](const TimingRequest&, int) { return failure(); };
  const HeadlineResult result = headline();
  EXPECT_EQ(result.status, Status::kLaunchFailed);
  EXPECT_EQ(result.reason, "told to fail");
  EXPECT_TRUE(result.device_lost);
}

TEST_F(HeadlineTest, AnUnsteadyDeviceGivesNone) {
  device.states.clear();
  for (int i = 0; i < 400; ++i) device.states.push_back(clock(1400 + i * 359 % 581));
  EXPECT_EQ(headline().status, Status::kNoisy);
}

TEST_F(HeadlineTest, EnergyIsThereWithACounter) {
  std::atomic<int> readings{0};
  device.energy_counter = [&] { return static_cast<double>(readings++); };
  device.samplers[TimingMode::kHot] = [](const TimingRequest&, int wanted) {
    Samples taken = samples(80, wanted, 0);
    taken.sequences = 100;
    return taken;
  };
  const HeadlineResult result = headline();
  ASSERT_TRUE(result.headline.energy_mj_per_launch.has_value());
  EXPECT_GT(*result.headline.energy_mj_per_launch, 0);
}

TEST_F(HeadlineTest, JsonHasNullsForWhatIsNot) {
  make_in_out();
  const nlohmann::json json = headline(/*about_us=*/10).headline;
  EXPECT_TRUE(json.at("hot").is_null());
  EXPECT_TRUE(json.at("slope").is_null());
  EXPECT_TRUE(json.at("energy_mj_per_launch").is_null());
}

TEST_F(HeadlineTest, JsonHasWhatThereIs) {
  const nlohmann::json json = headline(/*about_us=*/10).headline;
  EXPECT_EQ(json.at("cold").at("median_us"), 100);
  EXPECT_EQ(json.at("cold").at("protocol"), "cold-graph-1");
  EXPECT_EQ(json.at("hot").at("median_us"), 80);
  EXPECT_EQ(json.at("hot").at("sets"), 2) << "one for each seed of inputs";
  EXPECT_EQ(json.at("slope").at("us"), 75);
  EXPECT_EQ(json.at("slope").at("empty_us"), 2);
  EXPECT_EQ(json.at("end_to_end").at("cached_us"), 200);
  EXPECT_EQ(json.at("end_to_end").at("uncached_us"), 300);
  EXPECT_EQ(json.at("sm_clock_mhz"), 1980);
  EXPECT_EQ(json.at("power_w"), 300);
  EXPECT_FALSE(json.at("samples_us").empty());
  EXPECT_GT(json.at("validity").at("blocks"), 0);
}

}  // namespace
}  // namespace warpwright::testing
