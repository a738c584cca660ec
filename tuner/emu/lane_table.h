// The table of lane operations: instructions whose result in a lane depends on that lane's
// registers only. An entry is found by the instruction's normalised name ("add.ftz.f32"); adding an
// opcode is adding an entry. The hot entries are compiled once per instruction set of the host and
// chosen when the table is first asked for; all of them give the same bits.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "emu/program.h"

namespace warpwright::emu {

enum class Shape : std::uint8_t { kNone, kRow, kWide, kPredicate };

// How an immediate written as an operand of this type becomes bits.
enum class Literal : std::uint8_t { kBits, kFloat, kDouble };

struct LaneEntry {
  Handler run = nullptr;
  InstClass klass = InstClass::kOther;
  Shape dst = Shape::kNone;
  int sources = 0;
  Shape source[4] = {Shape::kNone, Shape::kNone, Shape::kNone, Shape::kNone};
  Literal literal[4] = {};
  bool second_dst = false;  // p|q of setp
};

class LaneTable {
 public:
  void add(std::string name, LaneEntry entry) { entries_.insert_or_assign(std::move(name), entry); }
  // The same operation under another name: mul.lo.s32 is mul.lo.u32.
  void alias(std::string name, std::string_view of) {
    entries_.insert_or_assign(std::move(name), *find(of));
  }
  [[nodiscard]] const LaneEntry* find(std::string_view name) const {
    const auto found = entries_.find(std::string(name));
    return found == entries_.end() ? nullptr : &found->second;
  }
  [[nodiscard]] std::vector<std::string> names() const {
    std::vector<std::string> names;
    for (const auto& [name, entry] : entries_) names.push_back(name);
    return names;
  }

 private:
  std::unordered_map<std::string, LaneEntry> entries_;
};

// The table for this host. `instruction_set` forces "base", "avx2" or "avx512" (tests compare
// them); it must be one of available_instruction_sets().
[[nodiscard]] const LaneTable& lane_table();
[[nodiscard]] const LaneTable& lane_table(std::string_view instruction_set);
[[nodiscard]] std::vector<std::string> available_instruction_sets();

// Flags of setp and set.
struct CompareFlags {
  static constexpr std::uint16_t kNone = 0;
  static constexpr std::uint16_t kAnd = 1;
  static constexpr std::uint16_t kOr = 2;
  static constexpr std::uint16_t kXor = 3;
  static constexpr std::uint16_t kCombine = 3;
  static constexpr std::uint16_t kNegated = 4;  // !c
};

}  // namespace warpwright::emu
