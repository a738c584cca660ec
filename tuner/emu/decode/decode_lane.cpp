// Lane operations (anything in the lane table), moves, packs and predicate logic.
#include <algorithm>

#include "emu/decode/function_decoder.h"
#include "emu/exec/exec.h"
#include "emu/exec/special_register.h"

namespace warpwright::emu {
namespace {

bool is_one_of(std::string_view word, std::initializer_list<std::string_view> words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

bool is_integer_type(std::string_view type) {
  return type.size() >= 2 && (type[0] == 'u' || type[0] == 's') && type[1] >= '0' && type[1] <= '9';
}

}  // namespace

std::vector<std::string> FunctionDecoder::move_opcodes() {
  return {"mov", "and", "or", "xor", "not", "setp", "set"};
}

// "add.rn.ftz.f32" is "add.ftz.f32": round-to-nearest is the default of the table.
std::string FunctionDecoder::normalized_name() const {
  const bool converts = parts_[0] == "cvt" && parts_.size() >= 3 && parts_[1] != "pack";
  const bool to_integer =
      converts && is_integer_type(parts_[parts_.size() - 2]) && !is_integer_type(parts_.back());
  std::string name;
  for (const std::string_view part : parts_) {
    if (part == "rn" || part == "noftz") continue;
    // Conversions of floats to integers always saturate, with or without .sat.
    if (to_integer && (part == "sat" || part == "ftz")) continue;
    name += (name.empty() ? "" : ".") + std::string(part);
  }
  return name;
}

// Decodes every operation of the lane table by name; the shapes of the entry determine how the
// operands are read.
bool FunctionDecoder::decode_lane() {
  if (decode_quad_move() || (parts_[0] == "mov" && decode_move())) return true;
  if (parts_.back() == "pred" && decode_predicate_logic()) return true;
  if (is_one_of(parts_[0], {"setp", "set"})) return decode_compare();
  const LaneEntry* entry = lane_table().find(normalized_name());
  if (entry == nullptr) return false;
  const std::vector<Operand>& operands = statement_->operands;
  std::size_t given = operands.size() - 1;
  // min and max of three operands, as on newer architectures, become two instructions here.
  if (is_one_of(parts_[0], {"min", "max"}) && given == 3 && entry->sources == 2) {
    const std::uint32_t a = prepare(operands[1], entry->source[0], entry->literal[0]);
    const std::uint32_t b = prepare(operands[2], entry->source[1], entry->literal[1]);
    const std::uint32_t c = prepare(operands[3], entry->source[1], entry->literal[1]);
    const std::uint32_t first = temporary(entry->dst);
    lane_op(normalized_name(), first, {a, b});
    emit(entry->run, entry->klass);
    prepared(kSrc0, first);
    prepared(kSrc1, c);
    destination(kDst, operands[0], entry->dst);
    return true;
  }
  if (given != static_cast<std::size_t>(entry->sources)) return false;
  std::uint32_t values[4] = {};
  for (int i = 0; i < entry->sources; ++i) {
    if (entry->source[i] == Shape::kPredicate) continue;
    values[i] =
        prepare(operands[static_cast<std::size_t>(i) + 1], entry->source[i], entry->literal[i]);
  }
  // A conversion may have a destination register wider than its type.
  const Operand& target = operands[0];
  const bool widened = target.kind == Operand::Kind::kRegister && entry->dst == Shape::kRow &&
                       registers_[target.index].bits == 64;
  const std::uint32_t narrow = widened ? temporary(Shape::kRow) : 0;
  emit(entry->run, arithmetic_class(entry->klass, parts_[0])).flags = entry->flags;
  for (int i = 0; i < entry->sources; ++i) {
    const Operand& from = operands[static_cast<std::size_t>(i) + 1];
    if (entry->source[i] == Shape::kPredicate) {
      predicate_source(static_cast<Field>(kSrc0 + i), from);
      if (from.negated) code_.back().flags |= CompareFlags::kNegated;
    } else {
      prepared(static_cast<Field>(kSrc0 + i), values[i]);
    }
  }
  if (entry->dst == Shape::kPredicate && entry->sources == 1) prepared(kSrc1, values[0]);
  if (widened) {
    use(kDst, narrow, true);
    const bool is_signed = parts_.size() >= 2 && parts_[parts_.size() - 2].starts_with('s');
    lane_op(is_signed ? "cvt.s64.s32" : "cvt.u64.u32", target.index, {narrow});
  } else {
    destination(kDst, target, entry->dst);
  }
  return true;
}

bool FunctionDecoder::decode_compare() {
  // setp.CmpOp{.BoolOp}{.ftz}.type p{|q}, a, b{, {!}c}
  std::uint16_t flags = CompareFlags::kNone;
  std::string name;
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    const std::string_view part = parts_[i];
    if (i == 2 && is_one_of(part, {"and", "or", "xor"})) {
      flags = part == "and"  ? CompareFlags::kAnd
              : part == "or" ? CompareFlags::kOr
                             : CompareFlags::kXor;
      continue;
    }
    name += (name.empty() ? "" : ".") + std::string(part);
  }
  const LaneEntry* entry = lane_table().find(name);
  if (entry == nullptr) return false;
  const std::size_t expected = flags == CompareFlags::kNone ? 3 : 4;
  if (statement_->operands.size() != expected) return false;
  const std::uint32_t a = prepare(operand(1), entry->source[0], entry->literal[0]);
  const std::uint32_t b = prepare(operand(2), entry->source[1], entry->literal[1]);
  emit(entry->run, entry->klass).flags = flags | entry->flags;
  prepared(kSrc0, a);
  prepared(kSrc1, b);
  if (expected == 4) {
    predicate_source(kSrc3, operand(3));
    if (operand(3).negated) code_.back().flags |= CompareFlags::kNegated;
  }
  const Operand& target = operand(0);
  if (target.kind == Operand::Kind::kPair) {
    destination(kDst, target.list[0], entry->dst);
    if (target.list[1].kind != Operand::Kind::kSink) destination(kDst2, target.list[1], entry->dst);
  } else {
    destination(kDst, target, entry->dst);
  }
  return true;
}

// and.pred, or.pred, xor.pred, not.pred, mov.pred; operands may be negated or constant.
bool FunctionDecoder::decode_predicate_logic() {
  static constexpr std::pair<std::string_view, PredicateOp> kOps[] = {{"and", PredicateOp::kAnd},
                                                                      {"or", PredicateOp::kOr},
                                                                      {"xor", PredicateOp::kXor},
                                                                      {"not", PredicateOp::kNot},
                                                                      {"mov", PredicateOp::kMove}};
  for (const auto& [name, op] : kOps) {
    if (name != parts_[0]) continue;
    // A constant predicate: mov.pred %p, 1
    const bool binary =
        op == PredicateOp::kAnd || op == PredicateOp::kOr || op == PredicateOp::kXor;
    Inst& inst = emit(&exec_predicate_logic, InstClass::kInteger);
    inst.flags = static_cast<std::uint16_t>(op);
    for (std::size_t i = 0; i < (binary ? 2u : 1u); ++i) {
      const Operand& from = operand(i + 1);
      const std::uint16_t negated = i == 0 ? PredicateFlags::kNegatedA : PredicateFlags::kNegatedB;
      if (from.kind == Operand::Kind::kImmediate) {
        code_.back().src[i] = 0;  // predicate 0 is true
        if (from.bits == 0) code_.back().flags |= negated;
      } else {
        predicate_source(static_cast<Field>(kSrc0 + i), from);
        if (from.negated) code_.back().flags |= negated;
      }
    }
    destination(kDst, operand(0), Shape::kPredicate);
    return true;
  }
  return false;
}

bool FunctionDecoder::decode_move() {
  const Operand& to = operand(0);
  const Operand& from = operand(1);
  if (to.kind == Operand::Kind::kVector || from.kind == Operand::Kind::kVector) {
    decode_pack();
    return true;
  }
  // Read directly into the register, so that reading %tid.x counts as one instruction.
  const auto special =
      from.kind == Operand::Kind::kName ? find_special_register(from.text) : std::nullopt;
  if (special && to.kind == Operand::Kind::kRegister) {
    const bool wide = register_bits(to.index) == 64;
    Inst& inst = emit(&exec_special_register, InstClass::kInteger);
    inst.immediate = static_cast<std::int64_t>(*special);
    inst.flags = wide ? 1 : 0;
    destination(kDst, to, wide ? Shape::kWide : Shape::kRow);
    return true;
  }
  return false;
}

// mov.b64 %rd, {%r1, %r2} and its inverse; elements are equal parts of the whole, lowest first.
void FunctionDecoder::decode_pack() {
  const bool packs = operand(1).kind == Operand::Kind::kVector;
  const Operand& whole = packs ? operand(0) : operand(1);
  const Operand& pieces = packs ? operand(1) : operand(0);
  const std::size_t bytes = parts_.back() == "b64"   ? 8
                            : parts_.back() == "b32" ? 4
                            : parts_.back() == "b16" ? 2
                                                     : 0;
  if (bytes == 0 || pieces.list.empty() || bytes / pieces.list.size() * pieces.list.size() != bytes)
    unsupported();
  if (bytes / pieces.list.size() > 4) unsupported();  // a single 64-bit element is not a part
  const Shape shape = bytes == 8 ? Shape::kWide : Shape::kRow;
  std::vector<std::uint32_t> values;
  if (packs) {
    for (const Operand& piece : pieces.list)
      values.push_back(prepare(piece, Shape::kRow, Literal::kBits));
  } else {
    values.push_back(prepare(whole, shape, Literal::kBits));
  }
  Inst& inst = emit(packs ? &exec_pack : &exec_unpack, InstClass::kInteger);
  inst.count = static_cast<std::uint8_t>(pieces.list.size());
  inst.immediate = static_cast<std::int64_t>(bytes / pieces.list.size() * 8);
  inst.flags = shape == Shape::kWide ? 1 : 0;
  begin_extra();
  if (packs) {
    for (const std::uint32_t value : values) extra_value(value);
    destination(kDst, whole, shape);
  } else {
    for (const Operand& piece : pieces.list) extra(piece, Shape::kRow, true);
    prepared(kSrc0, values[0]);
  }
}

}  // namespace warpwright::emu
