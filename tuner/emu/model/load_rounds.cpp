#include "emu/model/load_rounds.h"

#include <algorithm>

namespace warpwright::emu {
namespace {

// Returns the first instructions of stretches in which loads may be in flight together. Stretches
// end at barriers, calls and the ends of loops. A forward branch does not end one: the compiler
// turns branches that skip a load into guards, and code after the others does not wait for loads
// that it does not use.
std::vector<bool> stretch_starts(const std::vector<Inst>& code, const Successors& successors) {
  std::vector<bool> starts(code.size() + 1, false);
  for (std::size_t i = 0; i < code.size(); ++i) {
    const auto& next = successors[i];
    const bool branches = next.size() > 1 || (next.size() == 1 && next[0] != i + 1);
    if (code[i].klass == InstClass::kControl && !branches) starts[i + 1] = true;
    for (const std::uint32_t target : next) {
      if (target > i) continue;
      starts[target] = true;
      starts[i + 1] = true;
    }
  }
  return starts;
}

// By register, the round that its value has to wait for; 0 for a value from before the stretch.
class Rounds {
 public:
  explicit Rounds(std::size_t registers) : round_(registers, 0), stretch_(registers, 0) {}

  void begin_stretch() { ++current_; }
  [[nodiscard]] std::uint32_t stretch() const { return current_; }
  [[nodiscard]] std::uint32_t of(std::uint32_t reg) const {
    return stretch_[reg] == current_ ? round_[reg] : 0;
  }
  void set(std::uint32_t reg, std::uint32_t round) {
    round_[reg] = round;
    stretch_[reg] = current_;
  }

 private:
  std::vector<std::uint32_t> round_;
  std::vector<std::uint32_t> stretch_;
  std::uint32_t current_ = 0;
};

}  // namespace

void mark_load_rounds(std::vector<Inst>& code, const std::vector<RegisterUse>& uses,
                      const Successors& successors, const std::vector<std::uint32_t>& loads,
                      std::size_t registers) {
  if (loads.empty()) return;
  const std::vector<bool> starts = stretch_starts(code, successors);
  Rounds rounds(registers);
  auto use = uses.begin();
  auto load = loads.begin();
  for (std::uint32_t i = 0; i < code.size(); ++i) {
    if (i == 0 || starts[i]) rounds.begin_stretch();
    const auto first = use;
    while (use != uses.end() && use->inst == i) ++use;
    std::uint32_t round = 0;
    for (auto u = first; u != use; ++u)
      if (!u->defines) round = std::max(round, rounds.of(u->reg));
    if (load != loads.end() && *load == i) {
      ++load;
      code[i].src[3] = LoadRound::of(rounds.stretch(), ++round);
    }
    for (auto u = first; u != use; ++u)
      if (u->defines) rounds.set(u->reg, round);
  }
}

}  // namespace warpwright::emu
