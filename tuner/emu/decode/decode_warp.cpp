// Warp-wide operations: shfl, vote, match, redux, elect, activemask, bar.warp.sync.
#include "emu/decode/function_decoder.h"
#include "emu/exec/exec.h"

namespace warpwright::emu {

std::vector<std::string> FunctionDecoder::warp_opcodes() {
  return {"shfl", "vote", "match", "redux", "elect", "activemask", "bar"};
}

// The last operand is always the mask of members; d|p receives a value and a predicate.
bool FunctionDecoder::decode_warp() {
  const std::string_view base = parts_[0];
  if (base == "activemask") {
    emit(&exec_activemask, InstClass::kOther);
    destination(kDst, operand(0), Shape::kRow);
    return true;
  }
  if (base == "bar" && has_part("warp")) {
    const std::uint32_t members = prepare(operand(0), Shape::kRow, Literal::kBits);
    emit(&exec_sync, InstClass::kControl).immediate = static_cast<std::int64_t>(SyncOp::kBarWarp);
    prepared(kSrc3, members);
    return true;
  }
  if (!has_part("sync")) return false;

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
    if (base == form.substr(0, dot) && has_part(form.substr(dot + 1))) op = &value;
  }
  if (base == "elect") op = &kElectOp;
  if (op == nullptr) return false;

  const std::size_t given = statement_->operands.size();
  constexpr std::size_t kMostValues = 3;  // of a shuffle: value, lane, bounds
  if (given > kMostValues + 2) unsupported();
  const std::uint32_t members = prepare(operand(given - 1), Shape::kRow, Literal::kBits);
  const bool wide = parts_.back() == "b64";
  const bool vote = base == "vote";
  std::vector<std::uint32_t> values;
  if (!vote) {
    for (std::size_t i = 1; i + 1 < given; ++i) {
      values.push_back(
          prepare(operand(i), i == 1 && wide ? Shape::kWide : Shape::kRow, Literal::kFloat));
    }
  }
  emit(&exec_sync, base == "shfl" ? InstClass::kLoadStore : InstClass::kOther);
  Inst& inst = code_.back();
  inst.immediate = static_cast<std::int64_t>(*op);
  if (wide) inst.flags |= SyncFlags::kWide;
  if (parts_.back() == "s32") inst.flags |= SyncFlags::kSigned;
  if (parts_.back() == "f32") inst.flags |= SyncFlags::kFloat;
  if (has_part("abs")) inst.flags |= SyncFlags::kAbs;
  if (has_part("NaN")) inst.flags |= SyncFlags::kNan;
  if (vote && operand(1).negated) inst.flags |= SyncFlags::kNegated;
  // The exchanged value comes first among the uses, because the checkers track it to other lanes.
  for (std::size_t i = 0; i < values.size(); ++i)
    prepared(static_cast<Field>(kSrc0 + i), values[i]);
  prepared(kSrc3, members);
  if (vote) predicate_source(kSrc0, operand(1));
  const Operand& target = operand(0);
  if (vote && *op != SyncOp::kVoteBallot) {
    destination(kDst2, target, Shape::kPredicate);
  } else if (target.kind == Operand::Kind::kPair) {
    if (target.list[0].kind != Operand::Kind::kSink) destination(kDst, target.list[0], Shape::kRow);
    if (target.list[1].kind != Operand::Kind::kSink)
      destination(kDst2, target.list[1], Shape::kPredicate);
  } else if (target.kind != Operand::Kind::kSink) {
    destination(kDst, target, Shape::kRow);
  }
  return true;
}

}  // namespace warpwright::emu
