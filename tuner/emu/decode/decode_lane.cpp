#include "emu/decode/decode_lane.h"

#include <algorithm>
#include <utility>

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

std::vector<std::string> LaneDecoder::opcodes() {
  return {"mov", "and", "or", "xor", "not", "setp", "set"};
}

// "add.rn.ftz.f32" is "add.ftz.f32": round-to-nearest is the default of the table.
std::string LaneDecoder::normalized_name() const {
  const bool converts =
      at_.parts()[0] == "cvt" && at_.parts().size() >= 3 && at_.parts()[1] != "pack";
  const bool to_integer = converts && is_integer_type(at_.parts()[at_.parts().size() - 2]) &&
                          !is_integer_type(at_.parts().back());
  std::string name;
  for (const std::string_view part : at_.parts()) {
    if (part == "rn" || part == "noftz") continue;
    // Conversions of floats to integers always saturate, with or without .sat.
    if (to_integer && (part == "sat" || part == "ftz")) continue;
    name += (name.empty() ? "" : ".") + std::string(part);
  }
  return name;
}

// Decodes every operation of the lane table by name; the shapes of the entry determine how the
// operands are read.
bool LaneDecoder::decode() {
  if (decode_quad_move() || (at_.parts()[0] == "mov" && decode_move())) return true;
  if (at_.parts().back() == "pred" && decode_predicate_logic()) return true;
  if (is_one_of(at_.parts()[0], {"setp", "set"})) return decode_compare();
  const LaneEntry* entry = lane_table().find(normalized_name());
  if (entry == nullptr) return false;
  const std::vector<Operand>& operands = at_.current().operands;
  std::size_t given = operands.size() - 1;
  // min and max of three operands, as on newer architectures, become two instructions here.
  if (is_one_of(at_.parts()[0], {"min", "max"}) && given == 3 && entry->sources == 2) {
    const std::uint32_t a = operands_.value(operands[1], entry->source[0], entry->literal[0]);
    const std::uint32_t b = operands_.value(operands[2], entry->source[1], entry->literal[1]);
    const std::uint32_t c = operands_.value(operands[3], entry->source[1], entry->literal[1]);
    const std::uint32_t first = out_.temporary(entry->dst);
    out_.lane_op(normalized_name(), first, {a, b});
    out_.emit(entry->run, entry->klass);
    out_.source_value(kSrc0, first);
    out_.source_value(kSrc1, c);
    operands_.destination(kDst, operands[0], entry->dst);
    return true;
  }
  if (given != static_cast<std::size_t>(entry->sources)) return false;
  std::uint32_t values[4] = {};
  for (int i = 0; i < entry->sources; ++i) {
    if (entry->source[i] == Shape::kPredicate) continue;
    values[i] = operands_.value(operands[static_cast<std::size_t>(i) + 1], entry->source[i],
                                entry->literal[i]);
  }
  // A conversion may have a destination register wider than its type.
  const Operand& target = operands[0];
  const bool widened = target.kind == Operand::Kind::kRegister && entry->dst == Shape::kRow &&
                       out_.register_bits(target.index) == 64;
  const std::uint32_t narrow = widened ? out_.temporary(Shape::kRow) : 0;
  out_.emit(entry->run, arithmetic_class(entry->klass, at_.parts()[0])).flags = entry->flags;
  for (int i = 0; i < entry->sources; ++i) {
    const Operand& from = operands[static_cast<std::size_t>(i) + 1];
    if (entry->source[i] == Shape::kPredicate) {
      operands_.predicate_source(static_cast<Field>(kSrc0 + i), from);
      if (from.negated) out_.last().flags |= CompareFlags::kNegated;
    } else {
      out_.source_value(static_cast<Field>(kSrc0 + i), values[i]);
    }
  }
  if (entry->dst == Shape::kPredicate && entry->sources == 1) out_.source_value(kSrc1, values[0]);
  if (widened) {
    out_.use(kDst, narrow, true);
    const bool is_signed =
        at_.parts().size() >= 2 && at_.parts()[at_.parts().size() - 2].starts_with('s');
    out_.lane_op(is_signed ? "cvt.s64.s32" : "cvt.u64.u32", target.index, {narrow});
  } else {
    operands_.destination(kDst, target, entry->dst);
  }
  return true;
}

bool LaneDecoder::decode_compare() {
  // setp.CmpOp{.BoolOp}{.ftz}.type p{|q}, a, b{, {!}c}
  std::uint16_t flags = CompareFlags::kNone;
  std::string name;
  for (std::size_t i = 0; i < at_.parts().size(); ++i) {
    const std::string_view part = at_.parts()[i];
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
  if (at_.current().operands.size() != expected) return false;
  const std::uint32_t a = operands_.value(at_.operand(1), entry->source[0], entry->literal[0]);
  const std::uint32_t b = operands_.value(at_.operand(2), entry->source[1], entry->literal[1]);
  out_.emit(entry->run, entry->klass).flags = flags | entry->flags;
  out_.source_value(kSrc0, a);
  out_.source_value(kSrc1, b);
  if (expected == 4) {
    operands_.predicate_source(kSrc3, at_.operand(3));
    if (at_.operand(3).negated) out_.last().flags |= CompareFlags::kNegated;
  }
  const Operand& target = at_.operand(0);
  if (target.kind == Operand::Kind::kPair) {
    operands_.destination(kDst, target.list[0], entry->dst);
    if (target.list[1].kind != Operand::Kind::kSink)
      operands_.destination(kDst2, target.list[1], entry->dst);
  } else {
    operands_.destination(kDst, target, entry->dst);
  }
  return true;
}

// and.pred, or.pred, xor.pred, not.pred, mov.pred; operands may be negated or constant.
bool LaneDecoder::decode_predicate_logic() {
  static constexpr std::pair<std::string_view, PredicateOp> kOps[] = {{"and", PredicateOp::kAnd},
                                                                      {"or", PredicateOp::kOr},
                                                                      {"xor", PredicateOp::kXor},
                                                                      {"not", PredicateOp::kNot},
                                                                      {"mov", PredicateOp::kMove}};
  for (const auto& [name, op] : kOps) {
    if (name != at_.parts()[0]) continue;
    // A constant predicate: mov.pred %p, 1
    const bool binary =
        op == PredicateOp::kAnd || op == PredicateOp::kOr || op == PredicateOp::kXor;
    Inst& inst = out_.emit(&exec_predicate_logic, InstClass::kInteger);
    inst.flags = static_cast<std::uint16_t>(op);
    for (std::size_t i = 0; i < (binary ? 2u : 1u); ++i) {
      const Operand& from = at_.operand(i + 1);
      const std::uint16_t negated = i == 0 ? PredicateFlags::kNegatedA : PredicateFlags::kNegatedB;
      if (from.kind == Operand::Kind::kImmediate) {
        out_.last().src[i] = 0;  // predicate 0 is true
        if (from.bits == 0) out_.last().flags |= negated;
      } else {
        operands_.predicate_source(static_cast<Field>(kSrc0 + i), from);
        if (from.negated) out_.last().flags |= negated;
      }
    }
    operands_.destination(kDst, at_.operand(0), Shape::kPredicate);
    return true;
  }
  return false;
}

bool LaneDecoder::decode_move() {
  const Operand& to = at_.operand(0);
  const Operand& from = at_.operand(1);
  if (to.kind == Operand::Kind::kVector || from.kind == Operand::Kind::kVector) {
    decode_pack();
    return true;
  }
  // Read directly into the register, so that reading %tid.x counts as one instruction.
  const auto special =
      from.kind == Operand::Kind::kName ? find_special_register(from.text) : std::nullopt;
  if (special && to.kind == Operand::Kind::kRegister) {
    const bool wide = out_.register_bits(to.index) == 64;
    Inst& inst = out_.emit(&exec_special_register, InstClass::kInteger);
    inst.immediate = static_cast<std::int64_t>(*special);
    inst.flags = wide ? 1 : 0;
    operands_.destination(kDst, to, wide ? Shape::kWide : Shape::kRow);
    return true;
  }
  return false;
}

// mov.b128 %q, {%d1, %d2}; mov.b128 {%d1, %d2}, %q; mov.b128 %q, %r
bool LaneDecoder::decode_quad_move() {
  if (at_.parts().size() != 2 || at_.parts()[0] != "mov" || at_.parts()[1] != "b128") return false;
  const auto pair = [&](std::size_t i) {
    if (at_.operand(i).kind != Operand::Kind::kVector) return operands_.halves_of(at_.operand(i));
    if (at_.operand(i).list.size() != 2) at_.unsupported();
    return at_.operand(i).list;
  };
  const std::vector<Operand> to = pair(0);
  const std::vector<Operand> from = pair(1);
  std::uint32_t values[2];
  for (std::size_t i = 0; i < 2; ++i)
    values[i] = operands_.value(from[i], Shape::kWide, Literal::kBits);
  // The first register written may be the second source, so copy that source first.
  const std::uint32_t kept = out_.temporary(Shape::kWide);
  out_.lane_op("mov.b64", kept, {values[1]});
  for (std::size_t i = 0; i < 2; ++i) {
    const Operand& half = to[i];
    if (half.kind == Operand::Kind::kSink) continue;
    if (half.kind != Operand::Kind::kRegister || out_.register_bits(half.index) != 64)
      at_.unsupported();
    out_.lane_op("mov.b64", half.index, {i == 0 ? values[0] : kept});
  }
  return true;
}

// mov.b64 %rd, {%r1, %r2} and its inverse; elements are equal parts of the whole, lowest first.
void LaneDecoder::decode_pack() {
  const bool packs = at_.operand(1).kind == Operand::Kind::kVector;
  const Operand& whole = packs ? at_.operand(0) : at_.operand(1);
  const Operand& pieces = packs ? at_.operand(1) : at_.operand(0);
  const std::size_t bytes = at_.parts().back() == "b64"   ? 8
                            : at_.parts().back() == "b32" ? 4
                            : at_.parts().back() == "b16" ? 2
                                                          : 0;
  if (bytes == 0 || pieces.list.empty() || bytes / pieces.list.size() * pieces.list.size() != bytes)
    at_.unsupported();
  if (bytes / pieces.list.size() > 4) at_.unsupported();  // a single 64-bit element is not a part
  const Shape shape = bytes == 8 ? Shape::kWide : Shape::kRow;
  std::vector<std::uint32_t> values;
  if (packs) {
    for (const Operand& piece : pieces.list)
      values.push_back(operands_.value(piece, Shape::kRow, Literal::kBits));
  } else {
    values.push_back(operands_.value(whole, shape, Literal::kBits));
  }
  Inst& inst = out_.emit(packs ? &exec_pack : &exec_unpack, InstClass::kInteger);
  inst.count = static_cast<std::uint8_t>(pieces.list.size());
  inst.immediate = static_cast<std::int64_t>(bytes / pieces.list.size() * 8);
  inst.flags = shape == Shape::kWide ? 1 : 0;
  out_.begin_extra();
  if (packs) {
    for (const std::uint32_t value : values) out_.extra_value(value);
    operands_.destination(kDst, whole, shape);
  } else {
    for (const Operand& piece : pieces.list) operands_.extra_result(piece, Shape::kRow);
    out_.source_value(kSrc0, values[0]);
  }
}

}  // namespace warpwright::emu
