#include "emu/lanes/lane_table.h"

#include <map>

#include "emu/exec/warp.h"

namespace warpwright::emu {

void add_lane_ops_base(LaneTable& table);
void add_lane_ops_avx2(LaneTable& table);
void add_lane_ops_avx512(LaneTable& table);
void add_lane_ops_rare_bits(LaneTable& table);
void add_lane_ops_rare_integer(LaneTable& table);
void add_lane_ops_rare_float(LaneTable& table);
void add_lane_ops_rare_half(LaneTable& table);
void add_lane_ops_rare_convert(LaneTable& table);
void add_lane_ops_packed(LaneTable& table);
void add_lane_ops_rounding(LaneTable& table);

namespace {

#if defined(__x86_64__)
bool has_avx2() { return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"); }
bool has_avx512() {
  return has_avx2() && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
         __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
}
#else
bool has_avx2() { return false; }
bool has_avx512() { return false; }
#endif

LaneTable make_table(std::string_view instruction_set) {
  LaneTable table;
  add_lane_ops_rare_bits(table);
  add_lane_ops_rare_integer(table);
  add_lane_ops_rare_float(table);
  add_lane_ops_rare_half(table);
  add_lane_ops_rare_convert(table);
  add_lane_ops_packed(table);
  add_lane_ops_rounding(table);
  if (instruction_set == "avx512") {
    add_lane_ops_avx512(table);
  } else if (instruction_set == "avx2") {
    add_lane_ops_avx2(table);
  } else {
    add_lane_ops_base(table);
  }
  return table;
}

std::string joined(NameParts parts) {
  std::string name;
  for (const std::string_view part : parts) name += part;
  return name;
}

}  // namespace

void LaneTable::add(NameParts name, const LaneEntry& entry) {
  entries_.insert_or_assign(joined(name), entry);
}

void LaneTable::alias(NameParts name, NameParts of) { add(name, *find(joined(of))); }

const LaneEntry* LaneTable::find(std::string_view name) const {
  const auto found = entries_.find(std::string(name));
  return found == entries_.end() ? nullptr : &found->second;
}

std::vector<std::string> LaneTable::names() const {
  std::vector<std::string> names;
  for (const auto& [name, entry] : entries_) names.push_back(name);
  return names;
}

std::vector<std::string> available_instruction_sets() {
  std::vector<std::string> sets = {"base"};
  if (has_avx2()) sets.emplace_back("avx2");
  if (has_avx512()) sets.emplace_back("avx512");
  return sets;
}

const LaneTable& lane_table(std::string_view instruction_set) {
  static const std::map<std::string, LaneTable, std::less<>> tables = [] {
    std::map<std::string, LaneTable, std::less<>> made;
    for (const std::string& set : available_instruction_sets()) made.emplace(set, make_table(set));
    return made;
  }();
  return tables.at(std::string(instruction_set));
}

const LaneTable& lane_table() {
  static const LaneTable& best = lane_table(available_instruction_sets().back());
  return best;
}

std::uint32_t combine(const Warp& warp, const Inst& inst, std::uint32_t bits) {
  const std::uint16_t how = inst.flags & CompareFlags::kCombine;
  if (how == CompareFlags::kNone) return bits;
  const std::uint32_t c =
      warp.predicate(inst.src[3]) ^ ((inst.flags & CompareFlags::kNegated) != 0 ? kAllLanes : 0);
  return how == CompareFlags::kAnd ? bits & c : how == CompareFlags::kOr ? bits | c : bits ^ c;
}

void finish_compare(Warp& warp, const Inst& inst, std::uint32_t bits) {
  if ((inst.flags & (CompareFlags::kSetsOnes | CompareFlags::kSetsFloat)) != 0) {
    const std::uint32_t yes =
        (inst.flags & CompareFlags::kSetsOnes) != 0 ? 0xffffffffu : 0x3f800000u;
    bits = combine(warp, inst, bits);
    std::uint32_t* row = warp.row(inst.dst);
    for (std::uint32_t lane = 0; lane < kWarpSize; ++lane) {
      if ((warp.mask() >> lane & 1) != 0) row[lane] = (bits >> lane & 1) != 0 ? yes : 0;
    }
    return;
  }
  // dst may be the predicate that both are combined with.
  const std::uint32_t negative = combine(warp, inst, ~bits);
  warp.set_predicate(inst.dst, combine(warp, inst, bits));
  warp.set_predicate(inst.dst2, negative);
}

namespace {

void add_one_comparison(LaneTable& table, std::string_view operation, std::string_view type,
                        LaneEntry entry, std::uint16_t flags) {
  entry.dst = Shape::kPredicate;
  entry.second_dst = true;
  entry.flags = flags;
  table.add({"setp.", operation, ".", type}, entry);
  entry.dst = Shape::kRow;
  entry.second_dst = false;
  entry.flags = flags | CompareFlags::kSetsOnes;
  table.add({"set.", operation, ".u32.", type}, entry);
  table.add({"set.", operation, ".s32.", type}, entry);
  entry.flags = flags | CompareFlags::kSetsFloat;
  table.add({"set.", operation, ".f32.", type}, entry);
}

}  // namespace

void add_comparison(LaneTable& table, std::string_view operation, std::string_view opposite,
                    std::string_view type, const LaneEntry& entry) {
  add_one_comparison(table, operation, type, entry, 0);
  add_one_comparison(table, opposite, type, entry, CompareFlags::kOpposite);
}

}  // namespace warpwright::emu
