// PTX as text: the parser alone, which is independent of the code that executes it.
#include <gtest/gtest.h>

#include "emu/ptx/ptx_parser.h"
#include "fuzz/fuzz.h"
#include "fuzz/ptx_corpus.h"

namespace warpwright::fuzz {
namespace {

TEST(Fuzz, PtxText) {
  const Mutator mutator = ptx_mutator();
  FuzzTarget target;
  target.name = "ptx";
  target.seed = 2;
  target.inputs = 3000;
  target.make = [&](Random& random) { return mutator.make(random); };
  target.check = [](const std::string& text) {
    static_cast<void>(emu::parse_ptx(text, "fuzzed.ptx"));
  };
  target.least_taken = target.least_refused = target.inputs / 20;
  run_fuzz(target);
}

}  // namespace
}  // namespace warpwright::fuzz
