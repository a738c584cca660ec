// Contracts, sweeps and GPUs: every one that is in the repository, mutated.
#include <gtest/gtest.h>

#include <map>

#include "fuzz/corpus.h"
#include "fuzz/fuzz.h"
#include "fuzz/mutator.h"
#include "spec/gpu_file.h"
#include "spec/kernel_spec.h"
#include "spec/sweep_spec.h"

namespace warpwright::fuzz {
namespace {

// Words that mean something to YAML, to its types or to the keys of both kinds of file.
const std::vector<std::string>& yaml_pieces() {
  static const std::vector<std::string> kPieces = {"[",
                                                   "]",
                                                   "{",
                                                   "}",
                                                   ": ",
                                                   ", ",
                                                   "\n- ",
                                                   "\n  ",
                                                   "? ",
                                                   "\"",
                                                   "'",
                                                   " #",
                                                   "&a ",
                                                   "*a",
                                                   "!t ",
                                                   "|\n",
                                                   ">\n",
                                                   "\t",
                                                   "\n---\n",
                                                   "\n...\n",
                                                   "<<: ",
                                                   "~",
                                                   "null",
                                                   "true",
                                                   ".inf",
                                                   ".nan",
                                                   "0x1F",
                                                   "[0..4]",
                                                   "[4..0]",
                                                   "{range: [1, 9, 2]}",
                                                   "{range: [1, 9223372036854775807, 1]}",
                                                   "{pow2: [1, 9223372036854775807]}",
                                                   "sizeof(dtype)",
                                                   "device.max_shared",
                                                   "1 / 0",
                                                   "normal(0, 1)",
                                                   "fill: generator",
                                                   "file('kernel.npy')",
                                                   "prefix_sum(x)",
                                                   "\r\n",
                                                   "\\",
                                                   "\xC3\xA9",
                                                   "\xFF",
                                                   std::string(1, '\0')};
  return kPieces;
}

// Sources and references are not looked for: a stored contract is checked in all but that.
void check_contract(const std::string& text) {
  static_cast<void>(parse_stored_kernel(text, source_folder() / "kernels/fuzzed/kernel.yaml"));
}

// The contracts that the repository's sweeps name.
const std::map<std::string, KernelSpec>& contracts() {
  static const std::map<std::string, KernelSpec> kContracts = [] {
    std::map<std::string, KernelSpec> read;
    for (const auto& [name, file] : find_kernels({source_folder() / "kernels"}))
      read.emplace(name, read_kernel(file));
    return read;
  }();
  return kContracts;
}

void check_sweep_text(const std::string& text) {
  const SweepSpec sweep = parse_sweep(text, source_folder() / "configs/fuzzed.yaml");
  const auto kernel = contracts().find(sweep.kernel);
  if (kernel != contracts().end()) check_sweep(sweep, kernel->second);
}

TEST(Fuzz, Contracts) {
  std::vector<std::string> texts = read_all(corpus_files("kernels", "kernel.yaml"));
  for (std::string& text : read_all(corpus_files("tests/fixtures", "kernel.yaml")))
    texts.push_back(std::move(text));
  const Mutator mutator(std::move(texts), yaml_pieces(), "[]{}()");
  FuzzTarget target;
  target.name = "contract";
  target.inputs = 2000;
  target.make = [&](Random& random) { return mutator.make(random); };
  target.check = check_contract;
  target.least_taken = target.least_refused = target.inputs / 20;
  run_fuzz(target);
}

TEST(Fuzz, Gpus) {
  const Mutator mutator(read_all(corpus_files("configs/gpus", ".yaml")), yaml_pieces(), "[]{}()");
  FuzzTarget target;
  target.name = "gpu";
  target.inputs = 1000;
  target.make = [&](Random& random) { return mutator.make(random); };
  target.check = [](const std::string& text) { static_cast<void>(parse_gpu(text, "fuzzed.yaml")); };
  target.least_taken = target.least_refused = target.inputs / 20;
  run_fuzz(target);
}

TEST(Fuzz, Sweeps) {
  static_cast<void>(contracts());
  const Mutator mutator(read_all(corpus_files("configs", ".yaml")), yaml_pieces(), "[]{}()");
  FuzzTarget target;
  target.name = "sweep";
  target.inputs = 3000;
  target.make = [&](Random& random) { return mutator.make(random); };
  target.check = check_sweep_text;
  target.least_taken = target.least_refused = target.inputs / 20;
  run_fuzz(target);
}

}  // namespace
}  // namespace warpwright::fuzz
