#include "emu/lanes/lane_comparison.h"

namespace warpwright::emu {

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
