// Tests the reasons why a baseline's configuration is no longer one of the kernel's.
#include <gmock/gmock.h>

#include "check/planned_entry.h"
#include "trial/tiny_kernel.h"

namespace warpwright::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

struct Now {
  TinyKernel files;
  FakeDevice device;
  Candidate find(const Configuration& configuration = tiny_configuration(),
                 const std::map<std::string, Value>& problem = tiny_problem()) {
    return find_candidate(files.read(), configuration, problem, device.device_info);
  }
};

TEST(Candidate, AnUnchangedContractTakesItAsItIs) {
  Now now;
  const Candidate candidate = now.find();
  EXPECT_FALSE(candidate.refusal.has_value());
  EXPECT_EQ(candidate.configuration, tiny_configuration());
  EXPECT_EQ(candidate.problem, tiny_problem());
  EXPECT_THAT(candidate.notes, IsEmpty());
}

TEST(Candidate, AVariantThatIsGoneIsMissing) {
  Now now;
  const Candidate candidate = now.find({"plian", {{"THREADS", 128}}});
  EXPECT_EQ(candidate.refusal->kind, GateFindingKind::kMissing);
  EXPECT_EQ(candidate.refusal->message,
            "kernel 'twice' has no variant 'plian' any more; did you mean 'plain'?");
}

TEST(Candidate, AProblemSizeThatIsGoneIsMissing) {
  Now now;
  const Candidate candidate = now.find(tiny_configuration(), {{"rows", 3}, {"V", 7}, {"K", 2}});
  EXPECT_EQ(candidate.refusal->kind, GateFindingKind::kMissing);
  EXPECT_THAT(candidate.refusal->message, HasSubstr("the problem is gone from kernel 'twice': "));
}

TEST(Candidate, AParameterThatIsGoneIsNamed) {
  Now now;
  const Candidate candidate = now.find({"plain", {{"THREADS", 128}, {"THREDS", 1}}});
  EXPECT_EQ(candidate.refusal->kind, GateFindingKind::kIllegal);
  EXPECT_EQ(candidate.refusal->message,
            "parameter 'THREDS' is gone from variant 'plain'; did you mean 'THREADS'?");
}

TEST(Candidate, ANewParameterIsTakenAtItsDefaultAndSaid) {
  Now now;
  now.files.replace("parameters:\n", "parameters:\n  UNROLL: {default: 4}\n");
  now.files.replace("parameters: [THREADS]", "parameters: [THREADS, UNROLL]");
  const Candidate candidate = now.find();
  EXPECT_FALSE(candidate.refusal.has_value());
  EXPECT_EQ(candidate.configuration.values.at("UNROLL"), Value(4));
  EXPECT_THAT(candidate.notes, ElementsAre("parameter 'UNROLL' is new; taken at its default 4"));
}

TEST(Candidate, AValueOutsideTheNewLimitsIsNotLegal) {
  Now now;
  now.files.replace("{default: 128, min: 1, max: 4096}", "{default: 32, min: 1, max: 64}");
  const Candidate candidate = now.find();
  EXPECT_EQ(candidate.refusal->kind, GateFindingKind::kIllegal);
  EXPECT_THAT(candidate.refusal->message,
              HasSubstr("parameter 'THREADS': got 128, expected at most 64"));
  EXPECT_THAT(candidate.refusal->message, HasSubstr("kernel.yaml:"));
}

TEST(Candidate, AConstraintThatNoLongerHoldsIsGivenWithItsReason) {
  Now now;
  now.files.replace("variants:",
                    "constraints:\n  - {expr: \"THREADS <= 64\", because: too wide}\nvariants:");
  const Candidate candidate = now.find();
  EXPECT_EQ(candidate.refusal->kind, GateFindingKind::kIllegal);
  EXPECT_THAT(candidate.refusal->message,
              EndsWith("the constraint 'THREADS <= 64' does not hold: too wide"));
}

TEST(Candidate, AConstraintThatCannotBeEvaluatedIsNotLegal) {
  Now now;
  now.files.replace("variants:", "constraints: [\"rows / (V - 7) > 0\"]\nvariants:");
  const Candidate candidate = now.find();
  EXPECT_EQ(candidate.refusal->kind, GateFindingKind::kIllegal);
  EXPECT_THAT(candidate.refusal->message, HasSubstr("division by zero"));
}

}  // namespace
}  // namespace warpwright::testing
