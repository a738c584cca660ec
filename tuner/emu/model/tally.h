// Counts of instructions while a launch runs: by class, which are converted to the members of
// Counters, and by program counter, which become counts by source line.
#pragma once

#include <bit>
#include <cstdint>
#include <span>
#include <vector>

#include "emu/emulator.h"
#include "emu/program/program.h"

namespace warpwright::emu {

struct InstructionTally {
  std::uint64_t instructions = 0;
  std::uint64_t lanes = 0;  // active by mask and guard
};

// Adds the counts of one class to all members that they belong to, including sums over classes.
void add_tally(Counters& to, InstClass klass, const InstructionTally& tally);

// The same for all classes, in the order of InstClass.
void add_tallies(Counters& to, std::span<const InstructionTally> by_class);

// Counts by program counter while a launch runs, and by source line afterwards. Each host thread
// writes into its own profile; all profiles are added up at the end. The sums are the same on every
// machine, like Counters.
class LineProfile {
 public:
  explicit LineProfile(const Program& program)
      : program_(&program), by_pc_(program.code.size()), tallies_(program.code.size()) {}

  // begin() and end() enclose one instruction of one warp; `memory` are the warp's counts so far.
  void begin(std::uint32_t pc, std::uint32_t mask, const Counters& memory) {
    ++tallies_[pc].instructions;
    tallies_[pc].lanes += static_cast<std::uint32_t>(std::popcount(mask));
    watched_ = moves_data(program_->code[pc].klass);
    if (watched_) before_ = memory;
  }
  void end(std::uint32_t pc, const Counters& memory) {
    if (watched_) add_growth(by_pc_[pc], before_, memory);
  }

  // Called when lanes of the instruction of the last begin() wait and will execute it again; `all`
  // of its lanes or only some.
  void take_back(std::uint32_t pc, std::uint32_t mask, bool all) {
    if (all) --tallies_[pc].instructions;
    tallies_[pc].lanes -= static_cast<std::uint32_t>(std::popcount(mask));
  }

  void add(const LineProfile& other);
  // Returns the lines that were executed, by file and line.
  [[nodiscard]] std::vector<LineCounts> by_line() const;

 private:
  // Arithmetic does not access memory or barriers, so it has no counts to watch.
  static bool moves_data(InstClass klass) {
    return klass == InstClass::kLoadStore || klass == InstClass::kTensor ||
           klass == InstClass::kControl || klass == InstClass::kOther;
  }
  static void add_growth(Counters& to, const Counters& before, const Counters& after);

  const Program* program_;
  std::vector<Counters> by_pc_;  // memory and barriers
  std::vector<InstructionTally> tallies_;
  Counters before_;
  bool watched_ = false;
};

}  // namespace warpwright::emu
