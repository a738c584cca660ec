// Counts by program counter while a launch runs, and by source line afterwards. One host thread
// writes into a profile; those of all threads are added up at the end. The sums are the same on
// every machine, as Counters are.
#pragma once

#include <bit>
#include <cstdint>
#include <vector>

#include "emu/decode/program.h"
#include "emu/emulator.h"
#include "emu/model/tally.h"

namespace warpwright::emu {

class LineProfile {
 public:
  explicit LineProfile(const Program& program)
      : program_(&program), by_pc_(program.code.size()), tallies_(program.code.size()) {}

  // Around one instruction of one warp; `memory` is what that warp has counted so far.
  void begin(std::uint32_t pc, std::uint32_t mask, const Counters& memory) {
    ++tallies_[pc].instructions;
    tallies_[pc].lanes += static_cast<std::uint32_t>(std::popcount(mask));
    watched_ = moves_data(program_->code[pc].klass);
    if (watched_) before_ = memory;
  }
  void end(std::uint32_t pc, const Counters& memory) {
    if (watched_) add_growth(by_pc_[pc], before_, memory);
  }

  // Lanes of the instruction that begin() was last called for wait, and will execute it again;
  // `all` of them or some.
  void take_back(std::uint32_t pc, std::uint32_t mask, bool all) {
    if (all) --tallies_[pc].instructions;
    tallies_[pc].lanes -= static_cast<std::uint32_t>(std::popcount(mask));
  }

  void add(const LineProfile& other);
  // Lines that ran at all, by file and line.
  [[nodiscard]] std::vector<LineCounts> by_line() const;

 private:
  // Arithmetic touches no memory and no barrier: nothing to look at.
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
