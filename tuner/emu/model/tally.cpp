#include "emu/model/tally.h"

#include <map>
#include <string>
#include <utility>

namespace warpwright::emu {
namespace {

using Member = std::uint64_t Counters::*;

// The counters of a class; `operations` is only set for arithmetic that is counted separately.
struct Places {
  Member instructions;
  Member lanes;
  Member operations = nullptr;
};

Places places_of(InstClass klass) {
  constexpr Places kFp32 = {&Counters::fp32, &Counters::fp32_lanes};
  constexpr Places kFp64 = {&Counters::fp64, &Counters::fp64_lanes};
  constexpr Places kFp16 = {&Counters::fp16, &Counters::fp16_lanes};
  const auto apart = [](Places places, Member operations) {
    places.operations = operations;
    return places;
  };
  switch (klass) {
    case InstClass::kFp32:
      return kFp32;
    case InstClass::kFp32Add:
      return apart(kFp32, &Counters::fp32_add_lanes);
    case InstClass::kFp32Mul:
      return apart(kFp32, &Counters::fp32_mul_lanes);
    case InstClass::kFp32Fma:
      return apart(kFp32, &Counters::fp32_fma_lanes);
    case InstClass::kFp64:
      return kFp64;
    case InstClass::kFp64Add:
      return apart(kFp64, &Counters::fp64_add_lanes);
    case InstClass::kFp64Mul:
      return apart(kFp64, &Counters::fp64_mul_lanes);
    case InstClass::kFp64Fma:
      return apart(kFp64, &Counters::fp64_fma_lanes);
    case InstClass::kFp16:
      return kFp16;
    case InstClass::kFp16Add:
      return apart(kFp16, &Counters::fp16_add_lanes);
    case InstClass::kFp16Mul:
      return apart(kFp16, &Counters::fp16_mul_lanes);
    case InstClass::kFp16Fma:
      return apart(kFp16, &Counters::fp16_fma_lanes);
    case InstClass::kInteger:
      return {&Counters::integer, &Counters::integer_lanes};
    case InstClass::kSpecial:
      return {&Counters::special, &Counters::special_lanes};
    case InstClass::kTensor:
      return {&Counters::tensor, &Counters::tensor_lanes};
    case InstClass::kConvert:
      return {&Counters::convert, &Counters::convert_lanes};
    case InstClass::kLoadStore:
      return {&Counters::load_store, &Counters::load_store_lanes};
    case InstClass::kControl:
      return {&Counters::control, &Counters::control_lanes};
    case InstClass::kOther:
    case InstClass::kCount:
      break;
  }
  return {&Counters::other, &Counters::other_lanes};
}

}  // namespace

InstClass arithmetic_class(InstClass klass, std::string_view operation) {
  const bool add = operation == "add" || operation == "sub";
  const bool mul = operation == "mul";
  const bool fma = operation == "fma" || operation == "mad";
  if (!add && !mul && !fma) return klass;
  switch (klass) {
    case InstClass::kFp32:
      return add ? InstClass::kFp32Add : mul ? InstClass::kFp32Mul : InstClass::kFp32Fma;
    case InstClass::kFp64:
      return add ? InstClass::kFp64Add : mul ? InstClass::kFp64Mul : InstClass::kFp64Fma;
    case InstClass::kFp16:
      return add ? InstClass::kFp16Add : mul ? InstClass::kFp16Mul : InstClass::kFp16Fma;
    default:
      return klass;
  }
}

void add_tally(Counters& to, InstClass klass, const InstructionTally& tally) {
  const Places places = places_of(klass);
  to.*places.instructions += tally.instructions;
  to.*places.lanes += tally.lanes;
  if (places.operations != nullptr) to.*places.operations += tally.lanes;
  to.warp_instructions += tally.instructions;
  to.lane_instructions += tally.lanes;
}

void add_tallies(Counters& to, std::span<const InstructionTally> by_class) {
  for (std::size_t i = 0; i < by_class.size(); ++i)
    add_tally(to, static_cast<InstClass>(i), by_class[i]);
}

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
