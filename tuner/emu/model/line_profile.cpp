#include "emu/model/line_profile.h"

#include <map>
#include <string>
#include <utility>

namespace warpwright::emu {
// Distinct bytes are left out, because the instruction that accesses a sector first depends on the
// host's threads.
void LineProfile::add_growth(Counters& to, const Counters& before, const Counters& after) {
  for (const CounterField& field : kCounterFields) {
    if (field.member == &Counters::global_distinct_bytes) continue;
    to.*field.member += after.*field.member - before.*field.member;
  }
}

void LineProfile::add(const LineProfile& other) {
  for (std::size_t pc = 0; pc < by_pc_.size(); ++pc) {
    by_pc_[pc] += other.by_pc_[pc];
    tallies_[pc].instructions += other.tallies_[pc].instructions;
    tallies_[pc].lanes += other.tallies_[pc].lanes;
  }
}

std::vector<LineCounts> LineProfile::by_line() const {
  std::map<std::pair<std::string, int>, Counters> lines;
  for (std::size_t pc = 0; pc < by_pc_.size(); ++pc) {
    if (tallies_[pc].instructions == 0) continue;
    const SourceLine place = program_->lines[pc];
    const bool known =
        place.line != 0 && static_cast<std::size_t>(place.file) < program_->files.size();
    Counters here = by_pc_[pc];
    add_tally(here, program_->code[pc].klass, tallies_[pc]);
    lines[known ? std::pair(program_->files[static_cast<std::size_t>(place.file)], place.line)
                : std::pair(std::string(), 0)] += here;
  }
  std::vector<LineCounts> result;
  for (auto& [place, counters] : lines) result.push_back({place.first, place.second, counters});
  return result;
}

}  // namespace warpwright::emu
