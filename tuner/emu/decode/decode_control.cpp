// Branches, calls, exits, barriers, and instructions without an effect in the emulator.
#include <fmt/format.h>

#include "emu/decode/function_decoder.h"
#include "emu/exec/block.h"
#include "emu/exec/exec.h"

namespace warpwright::emu {

std::vector<std::string> FunctionDecoder::control_opcodes() {
  return {"bra",   "brx", "call",    "ret",       "exit",           "trap",
          "brkpt", "bar", "barrier", "nanosleep", "griddepcontrol", "pmevent"};
}

bool FunctionDecoder::decode_control() {
  const std::string_view base = parts_[0];
  if (base == "bra") {
    decode_branch(operand(0));
  } else if (base == "brx") {
    decode_branch_indexed();
  } else if (base == "call") {
    decode_call();
  } else if (base == "ret") {
    emit(&exec_ret, InstClass::kControl);
  } else if (base == "exit") {
    emit(&exec_exit, InstClass::kControl);
  } else if (base == "trap" || base == "brkpt") {
    emit(&exec_trap, InstClass::kControl);
  } else if ((base == "bar" || base == "barrier") && !has_part("warp") && !has_part("cluster")) {
    decode_barrier();
  } else if (base == "nanosleep") {
    emit(&exec_nanosleep, InstClass::kOther);
  } else if (base == "griddepcontrol" || base == "pmevent") {
    emit(&exec_nothing, InstClass::kOther);
  } else {
    return false;
  }
  return true;
}

void FunctionDecoder::decode_branch(const Operand& target) {
  if (target.kind != Operand::Kind::kName) unsupported();
  emit(&exec_branch, InstClass::kControl);
  label_uses_.push_back({code_.size() - 1, false, 0, target.text, target.scope});
}

// brx.idx %r, table; with `table: .branchtargets L0, L1, ...;`
void FunctionDecoder::decode_branch_indexed() {
  const std::uint32_t index = prepare(operand(0), Shape::kRow, Literal::kBits);
  const Statement* targets = labelled(operand(1), Statement::Kind::kBranchTargets);
  if (targets == nullptr) unsupported();
  emit(&exec_branch_indexed, InstClass::kControl).immediate =
      static_cast<std::int64_t>(targets->operands.size());
  prepared(kSrc0, index);
  begin_extra();
  for (const Operand& target : targets->operands) {
    label_uses_.push_back({code_.size() - 1, true, extra_.size(), target.text, target.scope});
    extra_.push_back(0);
  }
}

// bar.sync a{, b}  bar.arrive a, b  bar.red.popc.u32 d, a{, b}, p  bar.red.and.pred p, a{, b}, q
void FunctionDecoder::decode_barrier() {
  const std::size_t given = statement_->operands.size();
  const bool reduces = has_part("red");
  std::uint16_t flags = has_part("arrive") ? BarrierFlags::kArrive : 0;
  BarrierReduction reduction = BarrierReduction::kNone;
  if (reduces) {
    reduction = has_part("popc")  ? BarrierReduction::kPopc
                : has_part("and") ? BarrierReduction::kAnd
                                  : BarrierReduction::kOr;
  } else if (!has_part("sync") && !has_part("arrive")) {
    unsupported();
  }
  flags |=
      static_cast<std::uint16_t>(static_cast<unsigned>(reduction) << BarrierFlags::kReductionShift);
  if (parts_[0] == "barrier" && !has_part("aligned")) flags |= BarrierFlags::kUnaligned;
  const std::size_t first = reduces ? 1 : 0;
  const std::size_t last = reduces ? given - 1 : given;
  const std::uint32_t id = first < last ? prepare(operand(first), Shape::kRow, Literal::kBits)
                                        : constant_value(0, Shape::kRow, {});
  const bool counted = first + 1 < last;
  const std::uint32_t threads =
      counted ? prepare(operand(first + 1), Shape::kRow, Literal::kBits) : 0;
  emit(&exec_barrier, InstClass::kControl).flags = flags;
  code_.back().src[1] = kNoRegister;
  prepared(kSrc0, id);
  if (counted) prepared(kSrc1, threads);
  if (!reduces) return;
  predicate_source(kSrc2, operand(given - 1));
  if (operand(given - 1).negated) code_.back().flags |= BarrierFlags::kNegated;
  destination(kDst, operand(0),
              reduction == BarrierReduction::kPopc ? Shape::kRow : Shape::kPredicate);
}

}  // namespace warpwright::emu
