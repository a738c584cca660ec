// Tests `accepts` of arguments and `strict` of contracts.
#include <gtest/gtest.h>

#include "spec/spec_fixture.h"

namespace warpwright {
namespace {

KernelSpec kernel_with(std::string_view from, std::string_view to) {
  return parse_kernel(edited_kernel(from, to), kernel_folder() / "kernel.yaml");
}

bool accepted(const ArgumentSpec& argument, RemarkCode code, std::int64_t k) {
  Environment environment;
  environment.set("K", k);
  return argument.accepts.at(code).evaluate_bool(environment);
}

TEST(Acceptance, IsAConditionOverTheSizes) {
  const KernelSpec kernel = kernel_with(
      "out: f32, shape: [rows, K],",
      "out: f32, shape: [rows, K], accepts: {mean_passes: K == 1, constant_along_axis: true},");
  const ArgumentSpec& probs = *kernel.find_argument("probs");
  ASSERT_EQ(probs.accepts.size(), 2U);
  EXPECT_TRUE(accepted(probs, RemarkCode::kMeanPasses, 1));
  EXPECT_FALSE(accepted(probs, RemarkCode::kMeanPasses, 2));
  EXPECT_TRUE(accepted(probs, RemarkCode::kConstantAlongAxis, 2));
}

TEST(Acceptance, IsEmptyByDefault) {
  for (const ArgumentSpec& argument : fixture_kernel().arguments)
    EXPECT_TRUE(argument.accepts.empty()) << argument.name;
}

TEST(Strictness, IsOffByDefault) {
  EXPECT_FALSE(fixture_kernel().strict);
  EXPECT_TRUE(kernel_with("summary: Fused", "strict: true\nsummary: Fused").strict);
}

class AcceptanceErrors : public testing::TestWithParam<BadEdit> {};

TEST_P(AcceptanceErrors, SayPlaceCauseAndFix) {
  EXPECT_EQ(kernel_message(edited_kernel(GetParam().from, GetParam().to)), GetParam().message);
}

constexpr std::string_view kProbs = "out: f32, shape: [rows, K],";
constexpr std::string_view kLogits = "shape: [rows, V], fill:";

const BadEdit kAcceptanceErrors[] = {
    {"UnknownCode", kProbs, "out: f32, shape: [rows, K], accepts: {zero_passes: true},",
     "kernel.yaml:12:57: unknown key 'zero_passes' in arguments[1].accepts; did you mean "
     "'zeros_pass'?"},
    {"OfAnInputWhatIsAboutOutputs", kLogits, "shape: [rows, V], accepts: {zeros_pass: true}, fill:",
     "kernel.yaml:11:59: arguments[0].accepts.zeros_pass: is about an output, and 'logits' is an "
     "input; remove it"},
    {"OfAnOutputWhatIsAboutInputs", kProbs,
     "out: f32, shape: [rows, K], accepts: {input_unused: true},",
     "kernel.yaml:12:57: arguments[1].accepts.input_unused: is about an input, and 'probs' is an "
     "output; remove it"},
    {"Nothing", kProbs, "out: f32, shape: [rows, K], accepts: {},",
     "kernel.yaml:12:56: arguments[1].accepts: got nothing, expected what is accepted and where; "
     "write `accepts: {input_unused: \"page == 0\"}`, or remove it"},
    {"OfScratch", "scratch: f32, shape:", "scratch: f32, accepts: {zeros_pass: true}, shape:",
     "kernel.yaml:15:37: arguments[4].accepts: has no meaning next to 'scratch'; remove it"},
    {"AParameter", kProbs, "out: f32, shape: [rows, K], accepts: {zeros_pass: THREADS == 1},",
     "kernel.yaml:12:69: 'THREADS' is a parameter, expected problem sizes only; what is computed "
     "must not depend on the configuration"},
    {"StrictIsAWord", "summary: Fused", "strict: very\nsummary: Fused",
     "kernel.yaml:3:9: strict: got the string 'very', expected true or false"},
};

INSTANTIATE_TEST_SUITE_P(Contracts, AcceptanceErrors, testing::ValuesIn(kAcceptanceErrors),
                         case_name<BadEdit>);

}  // namespace
}  // namespace warpwright
