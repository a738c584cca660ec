#include "emu/decode/decode_control.h"

#include "emu/exec/block.h"
#include "emu/exec/exec.h"

namespace warpwright::emu {

std::vector<std::string> ControlDecoder::opcodes() {
  return {"bra", "brx",     "ret",       "exit",           "trap",   "brkpt",
          "bar", "barrier", "nanosleep", "griddepcontrol", "pmevent"};
}

bool ControlDecoder::decode() {
  const std::string_view base = at_.parts()[0];
  if (base == "bra") {
    decode_branch(at_.operand(0));
  } else if (base == "brx") {
    decode_branch_indexed();
  } else if (base == "ret") {
    out_.emit(&exec_ret, InstClass::kControl);
  } else if (base == "exit") {
    out_.emit(&exec_exit, InstClass::kControl);
  } else if (base == "trap" || base == "brkpt") {
    out_.emit(&exec_trap, InstClass::kControl);
  } else if ((base == "bar" || base == "barrier") && !at_.has_part("warp") &&
             !at_.has_part("cluster")) {
    decode_barrier();
  } else if (base == "nanosleep") {
    out_.emit(&exec_nanosleep, InstClass::kOther);
  } else if (base == "griddepcontrol" || base == "pmevent") {
    out_.emit(&exec_nothing, InstClass::kOther);
  } else {
    return false;
  }
  return true;
}

void ControlDecoder::leave_out() {
  out_.emit(&exec_left_out, InstClass::kOther);
  // A wait that answers whether it is over: it is.
  if (at_.parts()[0] == "mbarrier") operands_.destination(kDst, at_.operand(0), Shape::kPredicate);
}

void ControlDecoder::decode_branch(const Operand& target) {
  if (target.kind != Operand::Kind::kName) at_.unsupported();
  out_.emit(&exec_branch, InstClass::kControl);
  labels_.branch_to(target, out_);
}

// brx.idx %r, table; with `table: .branchtargets L0, L1, ...;`
void ControlDecoder::decode_branch_indexed() {
  const std::uint32_t index = operands_.value(at_.operand(0), Shape::kRow, Literal::kBits);
  const Statement* targets = labels_.directive(at_.operand(1), Statement::Kind::kBranchTargets);
  if (targets == nullptr) at_.unsupported();
  out_.emit(&exec_branch_indexed, InstClass::kControl).immediate =
      static_cast<std::int64_t>(targets->operands.size());
  out_.source_value(kSrc0, index);
  out_.begin_extra();
  for (const Operand& target : targets->operands) labels_.extra_branch_to(target, out_);
}

// bar.sync a{, b}  bar.arrive a, b  bar.red.popc.u32 d, a{, b}, p  bar.red.and.pred p, a{, b}, q
void ControlDecoder::decode_barrier() {
  const std::size_t given = at_.current().operands.size();
  const bool reduces = at_.has_part("red");
  std::uint16_t flags = at_.has_part("arrive") ? BarrierFlags::kArrive : 0;
  BarrierReduction reduction = BarrierReduction::kNone;
  if (reduces) {
    reduction = at_.has_part("popc")  ? BarrierReduction::kPopc
                : at_.has_part("and") ? BarrierReduction::kAnd
                                      : BarrierReduction::kOr;
  } else if (!at_.has_part("sync") && !at_.has_part("arrive")) {
    at_.unsupported();
  }
  flags |=
      static_cast<std::uint16_t>(static_cast<unsigned>(reduction) << BarrierFlags::kReductionShift);
  if (at_.parts()[0] == "barrier" && !at_.has_part("aligned")) flags |= BarrierFlags::kUnaligned;
  const std::size_t first = reduces ? 1 : 0;
  const std::size_t last = reduces ? given - 1 : given;
  const std::uint32_t id = first < last
                               ? operands_.value(at_.operand(first), Shape::kRow, Literal::kBits)
                               : out_.constant_value(0, Shape::kRow, {});
  const bool counted = first + 1 < last;
  const std::uint32_t threads =
      counted ? operands_.value(at_.operand(first + 1), Shape::kRow, Literal::kBits) : 0;
  out_.emit(&exec_barrier, InstClass::kControl).flags = flags;
  out_.last().src[1] = kNoRegister;
  out_.source_value(kSrc0, id);
  if (counted) out_.source_value(kSrc1, threads);
  if (!reduces) return;
  operands_.predicate_source(kSrc2, at_.operand(given - 1));
  if (at_.operand(given - 1).negated) out_.last().flags |= BarrierFlags::kNegated;
  operands_.destination(kDst, at_.operand(0),
                        reduction == BarrierReduction::kPopc ? Shape::kRow : Shape::kPredicate);
}

}  // namespace warpwright::emu
