#include "emu/lane_table.h"

#include <map>

namespace warpwright::emu {

void add_lane_ops_base(LaneTable& table);
void add_lane_ops_avx2(LaneTable& table);
void add_lane_ops_avx512(LaneTable& table);
void add_lane_ops_rare(LaneTable& table);
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
  add_lane_ops_rare(table);
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

}  // namespace

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
