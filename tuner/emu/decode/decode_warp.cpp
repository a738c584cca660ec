#include "emu/decode/decode_warp.h"

#include <string_view>
#include <utility>

#include "emu/exec/exec.h"

namespace warpwright::emu {

std::vector<std::string> WarpDecoder::opcodes() {
  return {"shfl", "vote", "match", "redux", "elect", "activemask", "bar"};
}

// The last operand is always the mask of members; d|p receives a value and a predicate.
bool WarpDecoder::decode() {
  const std::string_view base = at_.parts()[0];
  if (base == "activemask") {
    out_.emit(&exec_activemask, InstClass::kOther);
    operands_.destination(kDst, at_.operand(0), Shape::kRow);
    return true;
  }
  if (base == "bar" && at_.has_part("warp")) {
    const std::uint32_t members = operands_.value(at_.operand(0), Shape::kRow, Literal::kBits);
    out_.emit(&exec_sync, InstClass::kControl).immediate =
        static_cast<std::int64_t>(SyncOp::kBarWarp);
    out_.source_value(kSrc3, members);
    return true;
  }
  if (!at_.has_part("sync")) return false;

  static constexpr std::pair<std::string_view, SyncOp> kForms[] = {
      {"shfl.up", SyncOp::kShflUp},     {"shfl.down", SyncOp::kShflDown},
      {"shfl.bfly", SyncOp::kShflBfly}, {"shfl.idx", SyncOp::kShflIdx},
      {"vote.all", SyncOp::kVoteAll},   {"vote.any", SyncOp::kVoteAny},
      {"vote.uni", SyncOp::kVoteUni},   {"vote.ballot", SyncOp::kVoteBallot},
      {"match.any", SyncOp::kMatchAny}, {"match.all", SyncOp::kMatchAll},
      {"redux.add", SyncOp::kReduxAdd}, {"redux.min", SyncOp::kReduxMin},
      {"redux.max", SyncOp::kReduxMax}, {"redux.and", SyncOp::kReduxAnd},
      {"redux.or", SyncOp::kReduxOr},   {"redux.xor", SyncOp::kReduxXor}};
  const SyncOp* op = nullptr;
  static constexpr SyncOp kElectOp = SyncOp::kElect;
  for (const auto& [form, value] : kForms) {
    const std::size_t dot = form.find('.');
    if (base == form.substr(0, dot) && at_.has_part(form.substr(dot + 1))) op = &value;
  }
  if (base == "elect") op = &kElectOp;
  if (op == nullptr) return false;

  const std::size_t given = at_.current().operands.size();
  constexpr std::size_t kMaxValues = 3;  // of a shuffle: value, lane, bounds
  if (given > kMaxValues + 2) at_.unsupported();
  const std::uint32_t members =
      operands_.value(at_.operand(given - 1), Shape::kRow, Literal::kBits);
  const bool wide = at_.parts().back() == "b64";
  const bool vote = base == "vote";
  std::vector<std::uint32_t> values;
  if (!vote) {
    for (std::size_t i = 1; i + 1 < given; ++i) {
      values.push_back(operands_.value(at_.operand(i), i == 1 && wide ? Shape::kWide : Shape::kRow,
                                       Literal::kFloat));
    }
  }
  out_.emit(&exec_sync, base == "shfl" ? InstClass::kLoadStore : InstClass::kOther);
  Inst& inst = out_.last();
  inst.immediate = static_cast<std::int64_t>(*op);
  if (wide) inst.flags |= SyncFlags::kWide;
  if (at_.parts().back() == "s32") inst.flags |= SyncFlags::kSigned;
  if (at_.parts().back() == "f32") inst.flags |= SyncFlags::kFloat;
  if (at_.has_part("abs")) inst.flags |= SyncFlags::kAbs;
  if (at_.has_part("NaN")) inst.flags |= SyncFlags::kNan;
  if (vote && at_.operand(1).negated) inst.flags |= SyncFlags::kNegated;
  // The exchanged value comes first among the uses, because the checkers track it to other lanes.
  for (std::size_t i = 0; i < values.size(); ++i)
    out_.source_value(static_cast<Field>(kSrc0 + i), values[i]);
  out_.source_value(kSrc3, members);
  if (vote) operands_.predicate_source(kSrc0, at_.operand(1));
  const Operand& target = at_.operand(0);
  if (vote && *op != SyncOp::kVoteBallot) {
    operands_.destination(kDst2, target, Shape::kPredicate);
  } else if (target.kind == Operand::Kind::kPair) {
    if (target.list[0].kind != Operand::Kind::kSink)
      operands_.destination(kDst, target.list[0], Shape::kRow);
    if (target.list[1].kind != Operand::Kind::kSink)
      operands_.destination(kDst2, target.list[1], Shape::kPredicate);
  } else if (target.kind != Operand::Kind::kSink) {
    operands_.destination(kDst, target, Shape::kRow);
  }
  return true;
}

}  // namespace warpwright::emu
