// The cases of proof/cases.json: kernels that were also run on an H200, with inputs from the same
// integer hash as in scripts/record/proof_lib/cases.py, and with references in plain C++.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "emu/emulator.h"

namespace warpwright::emu {

struct ProofArgument {
  std::string buffer;  // empty: a scalar
  std::string type;    // "f32", "f64", "f16", "bf16", "u8", "u32"; "i32" of scalars
  std::size_t count = 0;
  std::string fill;
  std::uint32_t seed = 0;
  std::uint32_t below = 1;
  bool output = false;
  double scalar = 0;
};

struct ProofCase {
  std::string name;
  std::string module;
  std::string entry;
  std::array<std::uint32_t, 3> grid{};
  std::array<std::uint32_t, 3> block{};
  double relative_bound = 0;  // 0: every bit is defined
  bool diverges = false;      // lanes have different numbers of loop iterations
  std::vector<ProofArgument> arguments;
};

// Numbers as doubles, which represent every type exactly.
struct ProofValues {
  std::map<std::string, std::vector<double>> buffers;
  std::vector<double> scalars;

  [[nodiscard]] const std::vector<double>& at(const std::string& name) const {
    return buffers.at(name);
  }
  [[nodiscard]] std::size_t size(std::size_t scalar) const {
    return static_cast<std::size_t>(scalars.at(scalar));
  }
};

struct ProofRun {
  LaunchReport report;
  std::map<std::string, std::vector<std::byte>> outputs;
};

[[nodiscard]] std::vector<ProofCase> proof_cases();
[[nodiscard]] std::string proof_ptx(const ProofCase& proof);
[[nodiscard]] ProofValues proof_inputs(const ProofCase& proof);
[[nodiscard]] ProofRun run_proof(const ProofCase& proof);
[[nodiscard]] std::vector<double> decode_values(const std::string& type,
                                                const std::vector<std::byte>& bytes);
// The expected result of the kernel: exact if relative_bound is 0, else computed in double.
[[nodiscard]] std::vector<double> proof_reference(const ProofCase& proof,
                                                  const ProofValues& inputs);

}  // namespace warpwright::emu
