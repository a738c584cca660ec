// The emulator against C++ and, where the recording of an H200 has it, against that device.
#include <gtest/gtest.h>

#include <cmath>

#include "proof_cases.h"

namespace warpwright::emu {
namespace {

class Proof : public testing::TestWithParam<ProofCase> {};

const ProofArgument& output_of(const ProofCase& proof) {
  for (const ProofArgument& argument : proof.arguments) {
    if (argument.output) return argument;
  }
  ADD_FAILURE() << proof.name << " has no output";
  return proof.arguments.front();
}

// The bound of approximate instructions against exact arithmetic; the recording has a tighter one.
constexpr double kReferenceBound = 1e-5;

TEST_P(Proof, ResultIsTheReferences) {
  const ProofCase& proof = GetParam();
  const ProofRun run = run_proof(proof);
  ASSERT_FALSE(run.report.fault.has_value()) << run.report.fault->message;
  const ProofArgument& output = output_of(proof);
  const std::vector<double> got = decode_values(output.type, run.outputs.at(output.buffer));
  const std::vector<double> expected = proof_reference(proof, proof_inputs(proof));
  ASSERT_EQ(got.size(), expected.size());
  const double bound = proof.relative_bound > 0 ? kReferenceBound : 0;
  for (std::size_t i = 0; i < got.size(); ++i)
    ASSERT_LE(std::abs(got[i] - expected[i]), bound * std::abs(expected[i])) << i;
}

INSTANTIATE_TEST_SUITE_P(Kernels, Proof, testing::ValuesIn(proof_cases()),
                         [](const auto& test) { return test.param.name; });

}  // namespace
}  // namespace warpwright::emu
