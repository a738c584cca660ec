// Tests ceilings from the command line and ceilings from a database.
#include "model/rates.h"

#include <gmock/gmock.h>

#include "model/given_rates.h"
#include "model/tuned_database.h"

namespace warpwright::testing {
namespace {

using ::testing::HasSubstr;

std::string ceilings_fault(const std::string& ceilings) {
  try {
    (void)read_ceilings(ceilings);
    return "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.fault(), Fault::kUser);
    return error.message();
  }
}

TEST(GivenCeilings, AreReadFromTheCommandLine) {
  const GivenCeilings given = read_ceilings("read=4430,tensor_bf16=790000,memory=141");
  EXPECT_EQ(given.roofs.find("read")->value, 4430);
  EXPECT_EQ(given.roofs.find("tensor_bf16")->unit, "GFLOP/s");
  EXPECT_EQ(given.memory_bytes, 141e9);
}

TEST(GivenCeilings, AreReadFromAFile) {
  const TemporaryFolder folder;
  const auto file = folder.path() / "c.yaml";
  std::ofstream(file) << "read: 4430\nfma_f32: 60000.5\n";
  EXPECT_EQ(read_ceilings(file.string()).roofs.find("fma_f32")->value, 60000.5);
  std::ofstream(file) << "read: 4430\ntensor: 5\n";
  EXPECT_THAT(ceilings_fault(file.string()), HasSubstr("c.yaml:2:9: unknown ceiling 'tensor'"));
  EXPECT_THAT(ceilings_fault((folder.path() / "none.yaml").string()), HasSubstr("none.yaml"));
}

TEST(GivenCeilings, ThatMeanNothingAreRefused) {
  EXPECT_THAT(ceilings_fault("raed=5"),
              HasSubstr("--ceilings raed=5: unknown ceiling 'raed'; did you mean 'read'?"));
  EXPECT_EQ(ceilings_fault("read=0"), "--ceilings read=0: read: got 0, expected more than 0");
  EXPECT_EQ(ceilings_fault("read=-1"), "--ceilings read=-1: read: got -1, expected more than 0");
  EXPECT_EQ(ceilings_fault("read=nan"), "--ceilings read=nan: read: got nan, expected more than 0");
  EXPECT_EQ(ceilings_fault("read=inf"), "--ceilings read=inf: read: got inf, expected more than 0");
  EXPECT_THAT(ceilings_fault("read=5x"), HasSubstr("got 'read=5x', expected NAME=NUMBER"));
  EXPECT_THAT(ceilings_fault("read=5,"), HasSubstr("got '', expected NAME=NUMBER"));
  EXPECT_THAT(ceilings_fault("read=5,read=6"), HasSubstr("'read' is given twice"));
  EXPECT_THAT(ceilings_fault("fma_f32=5"),
              HasSubstr("nothing for reading memory; add read=4430 (GB/s)"));
}

class DatabaseRates : public TunedDatabase {
 protected:
  std::string fault(const RatesRequest& request) {
    try {
      (void)read_rates(&database_, request);
      return "no error";
    } catch (const Error& error) {
      return error.message();
    }
  }
};

TEST_F(DatabaseRates, AreThoseOfTheDeviceThatWasCalibrated) {
  calibrate();
  const Rates rates = read_rates(&database_, {});
  EXPECT_FALSE(rates.given);
  EXPECT_EQ(rates.device_name, "NVIDIA H200");
  EXPECT_EQ(rates.roofs.find("read")->value, 4430);
  EXPECT_EQ(rates.memory_bytes, 150e9);
  EXPECT_EQ(rates.floor_us, 2);
  EXPECT_EQ(rates.floor_origin, "assumed; give --floor-us");
}

TEST_F(DatabaseRates, WithoutAnyTheWayOutIsNamed) {
  EXPECT_THAT(fault({}),
              HasSubstr("no measured ceilings; measure them with `warpwright calibrate`, "
                        "or give some: --ceilings read=4430"));
  EXPECT_THAT(fault({"cuda:0", "", {}}), HasSubstr("no measured ceilings of cuda:0; measure"));
  EXPECT_THAT(fault({"cuda:7", "", {}}),
              HasSubstr("no device 'cuda:7'; it holds cuda:0 (NVIDIA H200)"));
}

TEST_F(DatabaseRates, WithoutADatabaseTheyMustBeGiven) {
  EXPECT_THROW((void)read_rates(nullptr, {}), Error);
  const Rates rates = read_rates(nullptr, {"", "read=100", 1.5});
  EXPECT_TRUE(rates.given);
  EXPECT_EQ(rates.floor_us, 1.5);
  EXPECT_EQ(rates.floor_origin, "given");
  EXPECT_FALSE(rates.memory_bytes.has_value());
}

TEST_F(DatabaseRates, TheFloorIsWhatAnEmptyKernelRead) {
  calibrate();
  add_trial(R"({"a":1})", 10, "cold-graph-1");
  const Rates rates = read_rates(&database_, {});
  EXPECT_EQ(rates.floor_us, 4.4);
  EXPECT_EQ(rates.floor_origin, "an empty kernel's, measured (cold-graph-1)");
}

TEST_F(DatabaseRates, ATunedKernelsTimeIsFoundOnItsVeryProblem) {
  add_trial(R"({"K":50,"V":50257,"dtype":"f32","rows":8})", 17.5, "cold-graph-1");
  TunedTimes tuned(database_, sample_device().fingerprint);
  KernelProblem wanted{"softmax_topk", {{"K", 50}, {"V", 50257}, {"dtype", "f32"}, {"rows", 8}}};
  ASSERT_TRUE(tuned.find(wanted).has_value());
  EXPECT_EQ(tuned.find(wanted)->us, 17.5);
  wanted.sizes["rows"] = 9;
  EXPECT_FALSE(tuned.find(wanted).has_value());
  TunedTimes other(database_, "another device");
  wanted.sizes["rows"] = 8;
  EXPECT_FALSE(other.find(wanted).has_value());
  EXPECT_FALSE(TunedTimes().find(wanted).has_value());
}

TEST_F(DatabaseRates, AHotTimeIsNoColdOne) {
  add_trial(R"({"K":50,"V":50257,"dtype":"f32","rows":8})", 17.5, "hot-graph-1");
  TunedTimes tuned(database_, sample_device().fingerprint);
  EXPECT_FALSE(
      tuned.find({"softmax_topk", {{"K", 50}, {"V", 50257}, {"dtype", "f32"}, {"rows", 8}}}));
}

TEST_F(DatabaseRates, AMeasuredTimeReplacesTheModels) {
  calibrate();
  add_trial(R"({"K":50,"V":50257,"dtype":"f32","rows":8})", 1000, "cold-graph-1");
  const Rates rates = read_rates(&database_, {});
  TunedTimes tuned(database_, rates.fingerprint);
  TunedTimes none;
  const DecoderSpec gpt2 = model_of("gpt2");
  const StepEstimate with = estimate_step(gpt2, {8, 100}, {}, rates, tuned);
  const StepEstimate without = estimate_step(gpt2, {8, 100}, {}, rates, none);
  EXPECT_NEAR(with.step_us - without.step_us, 1000 - 4.4, 1e-6);  // the floor came from the model
  EXPECT_EQ(with.operations.back().measured->protocol, "cold-graph-1");
}

// The time of Llama's gated activation on 8 rows, as found in the database.
class GatedActivationTimes : public DatabaseRates {
 protected:
  void SetUp() override { calibrate(); }
  void add(const std::string& kernel, const std::string& problem, double median_us) {
    add_kernel_trial(kernel, problem, median_us);
  }
  std::optional<double> measured(DecoderSpec::Activation activation) {
    DecoderSpec spec = model_of("llama-3-8b");
    spec.activation = activation;
    const Rates rates = read_rates(&database_, {});
    TunedTimes tuned(database_, rates.fingerprint);
    for (const TimedOperation& timed : estimate_step(spec, {8, 100}, {}, rates, tuned).operations)
      if (timed.operation.name == "activation" && timed.measured) return timed.measured->us;
    return std::nullopt;
  }
  using Activation = DecoderSpec::Activation;
};

TEST_F(GatedActivationTimes, AreThoseOfTheModelsActivation) {
  add("gated_activation", R"({"activation":"silu","d":14336,"dtype":"bf16","rows":8})", 100);
  EXPECT_EQ(measured(Activation::kSilu), 100);
  EXPECT_FALSE(measured(Activation::kGelu).has_value());
  add("gated_activation", R"({"activation":"gelu_tanh","d":14336,"dtype":"bf16","rows":8})", 200);
  EXPECT_EQ(measured(Activation::kSilu), 100);
  EXPECT_EQ(measured(Activation::kGelu), 200);
}

TEST_F(GatedActivationTimes, AreFoundUnderTheirFormerNames) {
  add("swiglu", R"({"d":14336,"dtype":"bf16","rows":8})", 300);
  EXPECT_EQ(measured(Activation::kSilu), 300);
  EXPECT_FALSE(measured(Activation::kGelu).has_value());
  add("geglu", R"({"d":14336,"dtype":"bf16","rows":8})", 400);
  EXPECT_EQ(measured(Activation::kGelu), 400);
}

TEST_F(GatedActivationTimes, OfTodaysNameComeFirst) {
  add("gated_activation", R"({"activation":"silu","d":14336,"dtype":"bf16","rows":8})", 100);
  add("swiglu", R"({"d":14336,"dtype":"bf16","rows":8})", 300);
  EXPECT_EQ(measured(Activation::kSilu), 100);
}

}  // namespace
}  // namespace warpwright::testing
