// The table of lane operations: instructions whose result in a lane depends on that lane's
// registers only. An entry is found by the instruction's normalised name ("add.ftz.f32"); a new
// opcode needs a new entry. The hot entries are compiled once per instruction set of the host and
// chosen when the table is first used; all of them give the same bits.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "emu/program/program.h"

namespace warpwright::emu {

enum class Shape : std::uint8_t { kNone, kRow, kWide, kPredicate };

// The conversion of an immediate operand of this type to bits.
enum class Literal : std::uint8_t { kBits, kFloat, kDouble };

struct LaneEntry {
  Handler run = nullptr;
  InstClass klass = InstClass::kOther;
  Shape dst = Shape::kNone;
  int sources = 0;
  Shape source[4] = {Shape::kNone, Shape::kNone, Shape::kNone, Shape::kNone};
  Literal literal[4] = {};
  bool second_dst = false;  // p|q of setp
  std::uint16_t flags = 0;  // initial value of Inst::flags
};

// A name in parts: {"setp.", operation, ".", type}. Only add() joins them, so that registering an
// operation compiles to a call instead of several string operations.
using NameParts = std::initializer_list<std::string_view>;

class LaneTable {
 public:
  void add(NameParts name, const LaneEntry& entry);
  // The same operation under another name: mul.lo.s32 is mul.lo.u32.
  void alias(NameParts name, NameParts of);
  [[nodiscard]] const LaneEntry* find(std::string_view name) const;
  [[nodiscard]] std::vector<std::string> names() const;

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
  // Set in entries. One loop serves a comparison and its opposite, in predicates and in registers.
  static constexpr std::uint16_t kOpposite = 8;
  static constexpr std::uint16_t kSetsOnes = 16;   // set.*.u32: all ones in a register
  static constexpr std::uint16_t kSetsFloat = 32;  // set.*.f32: 1.0 in a register
};

// --- The processing of comparison bits by setp and set, and their names in the table. Compiled
// once, because only the comparison itself is worth vector code.

// The lanes' results combined with the predicate that the instruction names, if it names one.
[[nodiscard]] std::uint32_t combine(const Warp& warp, const Inst& inst, std::uint32_t bits);

// Writes combined predicates (setp), or a register if the entry's flags require one (set).
void finish_compare(Warp& warp, const Inst& inst, std::uint32_t bits);

// Adds setp, set.u32, set.s32 and set.f32 for a comparison that produces predicates, and for its
// opposite in every lane.
void add_comparison(LaneTable& table, std::string_view operation, std::string_view opposite,
                    std::string_view type, const LaneEntry& entry);

}  // namespace warpwright::emu
