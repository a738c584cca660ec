// Inputs that the reference makes, and their combination with files and derived inputs.
#include <gmock/gmock.h>

#include "support/input_files.h"
#include "trial/data/input_content.h"
#include "trial/data/problem_inputs.h"
#include "trial/launch/launch_plan.h"
#include "trial/trial_fixture.h"
#include "trial/trial_steps.h"

namespace warpwright::testing {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

constexpr const char* kInputX =
    "  - {name: x, in: f32, shape: [rows, V], fill: \"normal(0, 1)\"}\n";

class GeneratedInputTest : public TrialRunnerTest {
 protected:
  // Replaces x, which stays the first argument.
  void set_inputs(const std::string& arguments) { files.replace(kInputX, arguments); }
  // Appends a ww_fill with this body to the reference.
  void set_fill(const std::string& body) {
    files.reference = tiny_reference() +
                      "int ww_fill(const ww_call* call, const char* argument,\n"
                      "            const ww_fill_target* target) {\n" +
                      body + "\n}\n";
  }
  void put(const std::string& name, const std::string& text) {
    write_text(files.folder.path() / name, text);
  }

  std::map<std::string, InputContent> inputs(std::uint64_t seed = 1,
                                             const std::map<std::string, std::string>& fills = {}) {
    const KernelSpec kernel = files.read();
    std::optional<TemporaryFolder> own_folder;
    const Reference reference = make_reference(kernel, options, own_folder);
    const Problem problem = tiny_problem();
    const Environment environment = trial_environment(kernel, {}, problem, device.info());
    return make_inputs(kernel,
                       {problem, environment, fills, {"kernel.yaml", 24, 0}, seed, reference});
  }
  std::string inputs_error(const std::map<std::string, std::string>& fills = {}) {
    try {
      (void)inputs(1, fills);
    } catch (const Error& error) {
      EXPECT_EQ(error.fault(), Fault::kUser);
      std::string message = error.what();
      const std::string folder = files.folder.path().string();
      for (std::size_t at = message.find(folder); at != std::string::npos;
           at = message.find(folder))
        message.replace(at, folder.size(), "DIR");
      return message;
    }
    return "no error";
  }
};

TEST_F(GeneratedInputTest, TheReferenceSeesSizesSeedAndWhatIsFilledBefore) {
  set_inputs(
      "  - {name: x, in: i32, shape: [rows, V], fill: 'generator(\"columns\")'}\n"
      "  - {name: lengths, in: i32, shape: [rows], fill: \"sequence(1, 1)\"}\n"
      "  - {name: order, in: i32, shape: [rows], fill: argsort(lengths)}\n"
      "  - {name: scale, in: f32, shape: [2], fill: generator}\n");
  set_fill(R"(
  if (strcmp(argument, target->name) != 0) return ww::fail(call, "another argument");
  if (strcmp(argument, "x") == 0) {
    if (strcmp(target->generator, "columns") != 0 || target->dtype != WW_I32 || target->rank != 2 ||
        target->shape[1] != ww::size(call, "V") || call->tensor_count != 1)
      return ww::fail(call, "what x is asked for");
    for (int64_t i = 0; i < target->elements; ++i)
      ww::store(target, i, ww::load(ww::find_tensor(call, "lengths"), i / target->shape[1]));
    return 0;
  }
  if (*target->generator != 0 || call->tensor_count != 3) return ww::fail(call, "scale");
  ww::store(target, 0, static_cast<int64_t>(target->seed));
  ww::store(target, 1, 0.5 + ww::load(ww::find_tensor(call, "x"), 7));
  return 0;)");
  std::map<std::string, InputContent> made = inputs(42);
  EXPECT_THAT(numbers_of<std::int32_t>(made["x"].bytes),
              ElementsAre(1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 3, 3, 3, 3, 3, 3, 3));
  EXPECT_THAT(numbers_of<std::int32_t>(made["order"].bytes), ElementsAre(0, 1, 2));
  EXPECT_THAT(numbers_of<float>(made["scale"].bytes), ElementsAre(42, 2.5));
  EXPECT_EQ(made["lengths"].identity, "sequence(1, 1)");
  EXPECT_THAT(made["scale"].identity, StartsWith("generator sha256 "));
  EXPECT_NE(inputs(43)["scale"].identity, made["scale"].identity);
  EXPECT_EQ(inputs(43)["x"].identity, made["x"].identity);
}

TEST_F(GeneratedInputTest, RandomNumbersOfTheHeaderFollowSeedAndArgument) {
  set_inputs(
      "  - {name: x, in: f32, shape: [1000], fill: generator}\n"
      "  - {name: z, in: f32, shape: [1000], fill: generator}\n");
  set_fill(
      "for (int64_t i = 0; i < target->elements; ++i)\n"
      "  ww::store(target, i, i % 2 ? ww::uniform(target, i) : ww::below(target, i, 7) / 7.0);\n"
      "return 0;");
  std::map<std::string, InputContent> made = inputs();
  EXPECT_EQ(made["x"].bytes, inputs()["x"].bytes);
  EXPECT_NE(made["x"].bytes, made["z"].bytes);
  EXPECT_NE(made["x"].bytes, inputs(2)["x"].bytes);
  double sum = 0;
  for (const float value : numbers_of<float>(made["x"].bytes)) {
    EXPECT_GE(value, 0);
    EXPECT_LE(value, 1);
    sum += value;
  }
  EXPECT_NEAR(sum / 1000, 0.46, 0.05);  // the mean of 1/2 and 3/7
}

TEST_F(GeneratedInputTest, ATrialUsesThem) {
  set_inputs("  - {name: x, in: f32, shape: [rows, V], fill: generator}\n");
  set_fill("for (int64_t i = 0; i < target->elements; ++i) ww::store(target, i, i);\nreturn 0;");
  const Outcome outcome = run();
  EXPECT_EQ(outcome.status, Status::kOk) << outcome.reason;
}

TEST_F(GeneratedInputTest, WithoutAFunctionItSaysWhatToDefine) {
  set_inputs("  - {name: x, in: f32, shape: [rows, V], fill: generator}\n");
  EXPECT_EQ(
      inputs_error(),
      "DIR/reference.cpp: the reference does not define ww_fill, which argument 'x' needs for "
      "its generator; define `int ww_fill(const ww_call* call, const char* argument, const "
      "ww_fill_target* target)`\n  while filling argument 'x' of DIR/kernel.yaml:7:48");
}

TEST_F(GeneratedInputTest, FaultsOfTheFunctionAreNamed) {
  set_inputs("  - {name: x, in: u8, shape: [rows, V], fill: generator}\n");
  const std::string fill =
      "for (int64_t i = 0; i < target->elements; ++i) ww::store(target, i, 1);\n";
  const auto with = [&](const std::string& body) {
    set_fill(fill + body);
    const std::string message = inputs_error();
    EXPECT_THAT(message, StartsWith("DIR/reference.cpp: ww_fill "));
    return message.substr(27, message.find('\n') - 27);
  };
  EXPECT_EQ(with("return ww::fail(call, \"rows must be even\");"),
            "failed for argument 'x': rows must be even");
  EXPECT_EQ(with("return 1;"), "failed for argument 'x': it gave no reason");
  EXPECT_EQ(with("throw std::runtime_error(\"no good\");"), "failed for argument 'x': no good");
  EXPECT_EQ(with("throw 3;"),
            "failed for argument 'x': it threw something that is no std::exception");
  EXPECT_EQ(with("ww::find_tensor(call, \"y\"); return 0;"),
            "failed for argument 'x': it asks for the input 'y', which is not filled before this "
            "one; there is none");
  EXPECT_EQ(with("return ww::size(call, \"W\");"),
            "failed for argument 'x': it asks for the size 'W', which the contract does not have; "
            "there are V, count, rows");
  EXPECT_EQ(with("ww::store(target, 21, 1); return 0;"),
            "failed for argument 'x': it writes element 21 of 'x', which has 21 elements of an "
            "integer type");
  EXPECT_EQ(
      with("ww::store(target, 4, 2.5); return 0;"),
      "failed for argument 'x': it writes 2.500000 to element 4 of 'x', which has 21 elements "
      "of an integer type");
  EXPECT_EQ(with("ww::store(target, 4, 300); return 0;"),
            "wrote element 4 of argument 'x' as 300, which u8 cannot hold (0 to 255)");
  EXPECT_EQ(with("ww::store(target, 4, -1); return 0;"),
            "wrote element 4 of argument 'x' as -1, which u8 cannot hold (0 to 255)");
  set_fill("ww::store(target, 0, 1); return 0;");
  EXPECT_THAT(inputs_error(),
              StartsWith("DIR/reference.cpp: ww_fill did not write element 1 of argument 'x'\n"));
}

TEST_F(GeneratedInputTest, RealsThatOverflowTheTypeAreNamed) {
  set_inputs("  - {name: x, in: f16, shape: [2], fill: generator}\n");
  set_fill("ww::store(target, 0, 65504.0); ww::store(target, 1, 1e6); return 0;");
  EXPECT_THAT(inputs_error(),
              StartsWith("DIR/reference.cpp: ww_fill wrote element 1 of argument 'x' as 1000000, "
                         "beyond the largest f16, which is 65504\n"));
  set_fill("ww::store(target, 0, 65504.0); ww::store(target, 1, -INFINITY); return 0;");
  EXPECT_EQ(inputs_error(), "no error");
  files.replace("in: f16", "in: e4m3");
  set_fill("ww::store(target, 0, 448); ww::store(target, 1, -INFINITY); return 0;");
  EXPECT_THAT(
      inputs_error(),
      HasSubstr("ww_fill wrote element 1 of argument 'x' as -inf, which e4m3 does not have"));
}

TEST_F(GeneratedInputTest, AFileOfAnotherShapeIsNamedWithItsPlace) {
  set_inputs("  - {name: x, in: f32, shape: [rows, V], fill: 'file(\"x.npy\")'}\n");
  put("x.npy", numpy_text("<f4", "(2,)", bytes_of<float>({1, 2})));
  EXPECT_EQ(inputs_error(),
            "DIR/x.npy: the array has shape [2], expected [3, 7], the shape of argument 'x'\n"
            "  while filling argument 'x' of DIR/kernel.yaml:7:48");
}

TEST_F(GeneratedInputTest, ACaseMayUseAnotherFileOrAGenerator) {
  put("x.bin", bytes_of<float>(std::vector<float>(21, 7)));
  std::map<std::string, InputContent> made = inputs(1, {{"x", "file(\"x.bin\")"}});
  EXPECT_EQ(numbers_of<float>(made["x"].bytes), std::vector<float>(21, 7));
  EXPECT_THAT(made["x"].identity, StartsWith("file(\"x.bin\") sha256 "));
  EXPECT_THAT(inputs_error({{"x", "generator"}}),
              AllOf(StartsWith("DIR/reference.cpp: the reference does not define ww_fill"),
                    EndsWith("\n  while filling argument 'x' of kernel.yaml:24")));
}

// A stored answer must not be used for another content.
TEST_F(GeneratedInputTest, AnEditedFileHasAnotherAnswer) {
  set_inputs("  - {name: x, in: f32, shape: [rows, V], fill: 'file(\"x.bin\")'}\n");
  for (const float value : {1.0F, 2.0F}) {
    put("x.bin", bytes_of<float>(std::vector<float>(21, value)));
    const Outcome outcome = run();
    EXPECT_EQ(outcome.status, Status::kOk) << outcome.reason;
  }
}

TEST_F(GeneratedInputTest, AFileIsTheSameForEverySeed) {
  set_inputs("  - {name: x, in: f32, shape: [rows, V], fill: 'file(\"x.bin\")'}\n");
  put("x.bin", bytes_of<float>(std::vector<float>(21, 3)));
  const KernelSpec kernel = files.read();
  std::optional<TemporaryFolder> own_folder;
  const Reference reference = make_reference(kernel, options, own_folder);
  const ReferenceStore store{{}};
  ProblemRequest request;
  request.problem = tiny_problem();
  ProblemInputs problem(kernel, device, options, reference, store, request);
  EXPECT_EQ(problem.other(), nullptr);
}

TEST_F(GeneratedInputTest, ACaseOfGivenInputsIsTried) {
  files.replace("fill: {x: \"choice(0, 1)\"}", "fill: {x: 'file(\"five.bin\")'}");
  put("five.bin", bytes_of<float>({1, 2, 3, 4, 5}));
  const KernelSpec kernel = files.read();
  std::vector<TrialRunner::CompiledCase> cases;
  for (CaseJob& job : case_jobs(kernel, tiny_configuration(), device.info(), {}))
    cases.push_back({std::move(job), fake_compiled("case cubin")});
  ASSERT_EQ(cases.size(), 1U);
  float seen = 0;
  then([&](const FakeArguments& arguments) {
    if (arguments.value<int>(2) == 5) seen = arguments.pointer<const float>(0)[4];
  });
  const Outcome outcome = run(tiny_problem(), cases);
  EXPECT_EQ(outcome.status, Status::kOk) << outcome.reason;
  EXPECT_EQ(seen, 5);
}

}  // namespace
}  // namespace warpwright::testing
