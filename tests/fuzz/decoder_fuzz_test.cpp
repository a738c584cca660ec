// PTX, parsed and decoded. Nothing is run: what decoded code does to memory is checked at every
// access.
#include <gtest/gtest.h>

#include "core/error.h"
#include "emu/decode/decoder.h"
#include "emu/emulator.h"
#include "fuzz/fuzz.h"
#include "fuzz/ptx_corpus.h"

namespace warpwright::fuzz {
namespace {

void decode_ptx(const std::string& text) {
  try {
    static_cast<void>(emu::Module::parse(text, "fuzzed.ptx"));
  } catch (const emu::UnsupportedPtx& unsupported) {
    // This is a valid answer too: the configuration is invalid, and this is its reason.
    throw user_error(unsupported.what());
  }
}

TEST(Fuzz, DecodedPtx) {
  const Mutator mutator = ptx_mutator(emu::opcode_table());
  FuzzTarget target;
  target.name = "decoder";
  target.inputs = 6000;
  target.make = [&](Random& random) { return mutator.make(random); };
  target.check = decode_ptx;
  target.least_taken = target.least_refused = target.inputs / 20;
  run_fuzz(target);
}

}  // namespace
}  // namespace warpwright::fuzz
