// Deterministic fuzzing: inputs are made from fixed seeds, so that every run tries the same ones,
// and one input does not depend on those before it.
//
// The rule that every input is held to: the code under test ends, and ends in a value or in an
// Error of the user or of the environment with a message. Anything else fails the test: another
// exception, an internal Error, a property that does not hold, more memory than FuzzTarget allows.
// Work is bounded by what is allocated, never by time, so that a slow machine changes nothing.
//
// Made inputs come after those of tests/fuzz/corpus that belong to the target: inputs that once
// failed or looked as if they might. WARPWRIGHT_FUZZ_TIMES=7 makes seven times the inputs of a test
// run, and WARPWRIGHT_FUZZ_FROM=60 leaves out the first sixty times of them.
//
// The input that is being tried is in build/<preset>/fuzz/<target>.input, so that one which ends
// the whole process is there too; a failing one is kept as <target>-<number>.input. Either is tried
// alone by `fuzz_tests --replay FILE`.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "fuzz/random.h"

namespace warpwright::fuzz {

struct FuzzTarget {
  std::string_view name;  // of the files that inputs are kept in: [a-z_]
  std::uint64_t seed = 1;
  int inputs = 0;
  std::function<std::string(Random&)> make;
  // Throws Error where the input is refused, PropertyFault where a property does not hold.
  std::function<void(const std::string&)> check;
  // Minimum counts over all inputs: a generator whose every text is refused at its first byte tests
  // little, and one whose every text is accepted tests no refusal.
  int least_taken = 1;
  int least_refused = 1;
  // Limits on bytes that are live at a time, and on all bytes allocated, while one input is tried.
  // The second stands in for a limit on steps.
  std::size_t most_live_bytes = std::size_t{256} << 20;
  std::size_t most_allocated_bytes = std::size_t{4} << 30;
};

struct PropertyFault {
  std::string what;
};

// Tries every input of the target, or the one of --replay when that is of this target.
void run_fuzz(const FuzzTarget& target);

// The file of --replay; "" without.
void replay_only(std::string file);

}  // namespace warpwright::fuzz
