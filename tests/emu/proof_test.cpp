// The emulator against C++, and against the recordings of two devices of its architecture.
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "core/hash.h"
#include "emu_harness.h"
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

// --- against the recording of scripts/record/record_proof

const std::vector<nlohmann::json>& recordings() {
  static const std::vector<nlohmann::json> recorded = {
      nlohmann::json::parse(read_fixture("../../../results/nvidia-h200/proof/proof.json")),
      nlohmann::json::parse(read_fixture("../../../results/nvidia-h100/proof/proof.json"))};
  return recorded;
}

const nlohmann::json& recorded_case(const std::string& name) {
  for (const nlohmann::json& recording : recordings())
    for (const nlohmann::json& row : recording.at("cases"))
      if (row.at("name") == name) return row;
  ADD_FAILURE() << "no recording has a case " << name;
  static const nlohmann::json nothing = nlohmann::json::object();
  return nothing;
}

std::vector<std::byte> decode_base64(const std::string& text) {
  constexpr std::string_view kDigits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::vector<std::byte> bytes;
  std::uint32_t bits = 0;
  int count = 0;
  for (const char c : text) {
    if (c == '=') break;
    bits = bits << 6 | static_cast<std::uint32_t>(kDigits.find(c));
    count += 6;
    if (count < 8) continue;
    count -= 8;
    bytes.push_back(static_cast<std::byte>(bits >> count));
  }
  return bytes;
}

std::string text_of(const std::vector<std::byte>& bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

TEST_P(Proof, TheDeviceRanTheSamePtx) {
  EXPECT_EQ(recorded_case(GetParam().name).at("ptx_sha256"), sha256_hex(proof_ptx(GetParam())));
}

// Compares bit by bit, except for kernels with approximate instructions.
TEST_P(Proof, ResultIsTheDevices) {
  const ProofCase& proof = GetParam();
  const ProofRun run = run_proof(proof);
  const ProofArgument& output = output_of(proof);
  const std::vector<std::byte>& bytes = run.outputs.at(output.buffer);
  const nlohmann::json& recorded = recorded_case(proof.name).at("outputs").at(output.buffer);
  ASSERT_EQ(bytes.size(), recorded.at("bytes").get<std::size_t>());
  if (proof.relative_bound == 0) {
    EXPECT_EQ(sha256_hex(text_of(bytes)), recorded.at("sha256").get<std::string>());
    return;
  }
  const std::vector<double> got = decode_values(output.type, bytes);
  const std::vector<double> device =
      decode_values(output.type, decode_base64(recorded.at("whole").get<std::string>()));
  ASSERT_EQ(got.size(), device.size());
  for (std::size_t i = 0; i < got.size(); ++i)
    ASSERT_LE(std::abs(got[i] - device[i]), proof.relative_bound * std::abs(device[i])) << i;
}

// A counter of the emulator and the device's own; `share` is the tolerance.
struct Pair {
  std::vector<std::uint64_t Counters::*> counters;  // added up
  const char* metric;
  double share;
};

constexpr double kArithmetic = 0.02;
constexpr double kGlobal = 0.05;
constexpr double kShared = 0.10;

const std::vector<Pair>& pairs() {
  static const std::vector<Pair> all = {
      {{&Counters::fp32_add_lanes},
       "smsp__sass_thread_inst_executed_op_fadd_pred_on.sum",
       kArithmetic},
      {{&Counters::fp32_mul_lanes},
       "smsp__sass_thread_inst_executed_op_fmul_pred_on.sum",
       kArithmetic},
      {{&Counters::fp32_fma_lanes},
       "smsp__sass_thread_inst_executed_op_ffma_pred_on.sum",
       kArithmetic},
      {{&Counters::fp64_add_lanes},
       "smsp__sass_thread_inst_executed_op_dadd_pred_on.sum",
       kArithmetic},
      {{&Counters::fp64_mul_lanes},
       "smsp__sass_thread_inst_executed_op_dmul_pred_on.sum",
       kArithmetic},
      {{&Counters::fp64_fma_lanes},
       "smsp__sass_thread_inst_executed_op_dfma_pred_on.sum",
       kArithmetic},
      {{&Counters::fp16_add_lanes},
       "smsp__sass_thread_inst_executed_op_hadd_pred_on.sum",
       kArithmetic},
      {{&Counters::fp16_mul_lanes},
       "smsp__sass_thread_inst_executed_op_hmul_pred_on.sum",
       kArithmetic},
      {{&Counters::tensor_bf16_ops}, "sm__ops_path_tensor_src_bf16_dst_fp32.sum", kArithmetic},
      {{&Counters::tensor_f16_ops}, "sm__ops_path_tensor_src_fp16.sum", kArithmetic},
      {{&Counters::tensor_int8_ops}, "sm__ops_path_tensor_src_int8.sum", kArithmetic},
      {{&Counters::global_load_requests},
       "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum",
       kGlobal},
      {{&Counters::global_load_sectors}, "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", kGlobal},
      {{&Counters::global_store_requests},
       "l1tex__t_requests_pipe_lsu_mem_global_op_st.sum",
       kGlobal},
      {{&Counters::global_store_sectors},
       "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum",
       kGlobal},
      {{&Counters::global_atomic_requests},
       "l1tex__t_requests_pipe_lsu_mem_global_op_red.sum",
       kGlobal},
      {{&Counters::global_atomic_sectors},
       "l1tex__t_sectors_pipe_lsu_mem_global_op_red.sum",
       kGlobal},
      {{&Counters::shared_load_wavefronts},
       "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum",
       kShared},
      {{&Counters::shared_store_wavefronts},
       "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum",
       kShared},
      {{&Counters::shared_load_conflicts},
       "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum",
       kShared},
      {{&Counters::shared_store_conflicts},
       "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum",
       kShared},
  };
  return all;
}

// Counters that depend on the compiler behind PTX: the number of instructions that an approximate
// one expands to (the exponential scales its argument), and the place where lanes that left an
// unrolled loop early reconverge, which affects the number of requests for the same sectors.
bool is_the_compilers(const ProofCase& proof, const Pair& pair) {
  const bool requests = pair.counters.front() == &Counters::global_load_requests ||
                        pair.counters.front() == &Counters::global_store_requests;
  return (proof.relative_bound > 0 && pair.share == kArithmetic) || (proof.diverges && requests);
}

TEST_P(Proof, CountsAreTheDevices) {
  const ProofCase& proof = GetParam();
  const nlohmann::json& device = recorded_case(proof.name).at("counters");
  const Counters counters = run_proof(proof).report.counters;
  for (const Pair& pair : pairs()) {
    if (is_the_compilers(proof, pair)) continue;
    double ours = 0;
    for (const auto member : pair.counters) ours += static_cast<double>(counters.*member);
    const double theirs = device.at(pair.metric).get<double>();
    EXPECT_NEAR(ours, theirs, pair.share * theirs) << pair.metric;
  }
  const double machine = device.at("smsp__inst_executed.sum").get<double>();
  RecordProperty("ptx_instructions", std::to_string(counters.warp_instructions));
  RecordProperty("machine_instructions", std::to_string(static_cast<std::uint64_t>(machine)));
}

INSTANTIATE_TEST_SUITE_P(Kernels, Proof, testing::ValuesIn(proof_cases()),
                         [](const auto& test) { return test.param.name; });

}  // namespace
}  // namespace warpwright::emu
