#include "emu/lanes/lane_table.h"

#include <map>

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

}  // namespace warpwright::emu
