#include "emu/line_profile.h"

#include <map>
#include <string>
#include <utility>

namespace warpwright::emu {
namespace {

// The class's own counter; in the order of InstClass.
std::uint64_t& counter_of(Counters& counters, InstClass klass) {
  std::uint64_t* const by_class[] = {&counters.fp32,    &counters.fp64,       &counters.fp16,
                                     &counters.integer, &counters.special,    &counters.tensor,
                                     &counters.convert, &counters.load_store, &counters.control,
                                     &counters.other};
  return *by_class[static_cast<std::size_t>(klass)];
}

}  // namespace

// What the loop counts per instruction anyway is left out: warps keep it elsewhere.
void LineProfile::add_growth(Counters& to, const Counters& before, const Counters& after) {
  for (const CounterField& field : kCounterFields) {
    if (field.member == &Counters::global_distinct_bytes) continue;
    to.*field.member += after.*field.member - before.*field.member;
  }
}

void LineProfile::add(const LineProfile& other) {
  for (std::size_t pc = 0; pc < by_pc_.size(); ++pc) by_pc_[pc] += other.by_pc_[pc];
}

std::vector<LineCounts> LineProfile::by_line() const {
  std::map<std::pair<std::string, int>, Counters> lines;
  for (std::size_t pc = 0; pc < by_pc_.size(); ++pc) {
    if (by_pc_[pc].warp_instructions == 0) continue;
    const SourceLine place = program_->lines[pc];
    const bool known =
        place.line != 0 && static_cast<std::size_t>(place.file) < program_->files.size();
    Counters here = by_pc_[pc];
    counter_of(here, program_->code[pc].klass) += here.warp_instructions;
    lines[known ? std::pair(program_->files[static_cast<std::size_t>(place.file)], place.line)
                : std::pair(std::string(), 0)] += here;
  }
  std::vector<LineCounts> result;
  for (auto& [place, counters] : lines) result.push_back({place.first, place.second, counters});
  return result;
}

}  // namespace warpwright::emu
