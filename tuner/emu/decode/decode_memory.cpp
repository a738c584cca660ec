#include "emu/decode/decode_memory.h"

#include <algorithm>
#include <charconv>

#include "emu/exec/exec.h"
#include "emu/exec/memory.h"

namespace warpwright::emu {
namespace {

struct Access32 {
  Space space = Space::kGeneric;
  bool visible = false;  // volatile, relaxed, acquire, release
  std::size_t count = 1;
  std::string_view type;
  bool known = true;
};

// Parses the qualifiers between the opcode and its type. Scopes, cache operators and eviction hints
// have no effect here, because every access is visible to all threads at once.
Access32 parse_access(const std::vector<std::string_view>& parts) {
  Access32 access;
  for (std::size_t i = 1; i < parts.size(); ++i) {
    const std::string_view part = parts[i];
    if (part == "global")
      access.space = Space::kGlobal;
    else if (part == "shared" || part == "shared::cta" || part == "shared::cluster")
      access.space = Space::kShared;
    else if (part == "local")
      access.space = Space::kLocal;
    else if (part == "const")
      access.space = Space::kConst;
    else if (part == "param" || part == "param::entry" || part == "param::func")
      access.space = Space::kParam;
    else if (part == "volatile" || part == "relaxed" || part == "acquire" || part == "release" ||
             part == "mmio")
      access.visible = true;
    else if (part == "weak" || part == "cta" || part == "cluster" || part == "gpu" ||
             part == "sys" || part == "nc" || part == "ca" || part == "cg" || part == "cs" ||
             part == "lu" || part == "cv" || part == "wb" || part == "wt" ||
             part.starts_with("L1::") || part.starts_with("L2::")) {
    } else if (part == "v2" || part == "v4" || part == "v8")
      access.count = static_cast<std::size_t>(part[1] - '0');
    else if (i + 1 == parts.size())
      access.type = part;
    else
      access.known = false;
  }
  return access;
}

std::size_t type_bytes(std::string_view type) {
  const std::size_t digits = type.find_first_of("0123456789");
  if (digits == std::string_view::npos) return 0;
  int bits = 0;
  std::from_chars(type.data() + digits, type.data() + type.size(), bits);
  return static_cast<std::size_t>(bits) / 8 * (type.ends_with("x2") ? 2 : 1);
}

}  // namespace

std::vector<std::string> MemoryDecoder::opcodes() {
  return {"ld",       "ldu",      "st",        "atom",    "red",           "cvta",
          "isspacep", "prefetch", "prefetchu", "discard", "applypriority", "createpolicy"};
}

bool MemoryDecoder::decode() {
  const std::string_view base = at_.parts()[0];
  if (base == "ld" || base == "ldu") {
    decode_load_store(true);
  } else if (base == "st") {
    decode_load_store(false);
  } else if (base == "atom") {
    decode_atomic(true);
  } else if (base == "red") {
    decode_atomic(false);
  } else if (base == "cvta") {
    decode_cvta();
  } else if (base == "isspacep") {
    const Space space = parse_access(at_.parts()).space != Space::kGeneric
                            ? parse_access(at_.parts()).space
                        : at_.parts().back() == "shared"          ? Space::kShared
                        : at_.parts().back() == "local"           ? Space::kLocal
                        : at_.parts().back() == "const"           ? Space::kConst
                        : at_.parts().back().starts_with("param") ? Space::kParam
                                                                  : Space::kGlobal;
    const std::uint32_t address = operands_.value(at_.operand(1), Shape::kWide, Literal::kBits);
    out_.emit(&exec_isspacep, InstClass::kInteger).immediate = static_cast<std::int64_t>(space);
    out_.source_value(kSrc0, address);
    operands_.destination(kDst, at_.operand(0), Shape::kPredicate);
  } else if (base == "prefetch" || base == "prefetchu" || base == "discard" ||
             base == "applypriority") {
    out_.emit(&exec_nothing, InstClass::kLoadStore);
  } else if (base == "createpolicy") {
    out_.lane_op("mov.b64", operands_.result(at_.operand(0), Shape::kWide),
                 {out_.constant_value(0, Shape::kWide, {})});
  } else {
    return false;
  }
  return true;
}

// ld{...}.type d, [a]{, cache-policy} and st{...}.type [a], b: element rows go to Inst's extra
// list.
void MemoryDecoder::decode_load_store(bool load) {
  const Access32 access = parse_access(at_.parts());
  // 128 bits are moved like a vector of two halves.
  const bool quad = access.type == "b128" && access.count == 1;
  const std::size_t bytes = quad ? 8 : type_bytes(access.type);
  if (!access.known || bytes == 0 || bytes > 8) at_.unsupported();
  const DecodedAddress at = operands_.address(at_.operand(load ? 1 : 0), access.space);
  const Operand& data = at_.operand(load ? 0 : 1);
  const std::vector<Operand> elements = quad ? operands_.halves_of(data)
                                        : data.kind == Operand::Kind::kVector
                                            ? data.list
                                            : std::vector<Operand>{data};
  if (elements.size() != (quad ? 2 : access.count)) at_.unsupported();
  if (at.frame_param)
    operands_.require_within(at_.operand(load ? 1 : 0).list[0], bytes * elements.size());
  bool wide = bytes == 8;
  for (const Operand& element : elements) {
    if (element.kind == Operand::Kind::kRegister && out_.register_bits(element.index) == 64)
      wide = true;
  }
  const Shape shape = wide ? Shape::kWide : Shape::kRow;
  std::vector<std::uint32_t> values;
  if (!load) {
    const Literal literal = access.type == "f32"   ? Literal::kFloat
                            : access.type == "f64" ? Literal::kDouble
                                                   : Literal::kBits;
    for (const Operand& element : elements)
      values.push_back(operands_.value(element, shape, literal));
  }
  out_.emit(memory_handler(load ? Access::kLoad : Access::kStore, bytes, at.frame_param),
            InstClass::kLoadStore);
  Inst& inst = out_.last();
  inst.count = static_cast<std::uint8_t>(elements.size());
  inst.flags = static_cast<std::uint16_t>((access.type[0] == 's' ? MemoryFlags::kSigned : 0) |
                                          (wide ? MemoryFlags::kWideRow : 0) |
                                          (access.visible ? MemoryFlags::kShared : 0));
  operands_.use_address(inst, at);
  if (load && !at.frame_param && (at.space == Space::kGlobal || at.space == Space::kGeneric))
    out_.mark_global_load();
  out_.begin_extra();
  for (std::size_t i = 0; i < elements.size(); ++i) {
    if (load) {
      operands_.extra_result(elements[i], shape);
    } else {
      out_.extra_value(values[i]);
    }
  }
}

// atom.op.type d, [a], b{, c} and red.op.type [a], b; an operation that PTX does not define for a
// type has no handler and is reported as unsupported.
void MemoryDecoder::decode_atomic(bool returns) {
  static constexpr std::pair<std::string_view, AtomicOp> kOps[] = {
      {"add", AtomicOp::kAdd}, {"min", AtomicOp::kMin}, {"max", AtomicOp::kMax},
      {"and", AtomicOp::kAnd}, {"or", AtomicOp::kOr},   {"xor", AtomicOp::kXor},
      {"inc", AtomicOp::kInc}, {"dec", AtomicOp::kDec}, {"exch", AtomicOp::kExch},
      {"cas", AtomicOp::kCas}};
  static constexpr std::pair<std::string_view, AtomicType> kTypes[] = {
      {"u32", AtomicType::kU32},     {"b32", AtomicType::kU32},   {"s32", AtomicType::kS32},
      {"u64", AtomicType::kU64},     {"b64", AtomicType::kU64},   {"s64", AtomicType::kS64},
      {"f32", AtomicType::kF32},     {"f64", AtomicType::kF64},   {"f16", AtomicType::kF16},
      {"f16x2", AtomicType::kF16x2}, {"bf16", AtomicType::kBf16}, {"bf16x2", AtomicType::kBf16x2},
      {"b16", AtomicType::kB16}};
  Space space = Space::kGeneric;
  if (at_.has_part("global")) space = Space::kGlobal;
  if (at_.has_part("shared") || at_.has_part("shared::cta") || at_.has_part("shared::cluster"))
    space = Space::kShared;
  if (returns && at_.parts().back() == "b128") return decode_quad_atomic(space);
  const AtomicOp* op = nullptr;
  const AtomicType* type = nullptr;
  for (const auto& [name, value] : kOps) {
    if (at_.has_part(name)) op = &value;
  }
  for (const auto& [name, value] : kTypes) {
    if (at_.parts().back() == name) type = &value;
  }
  if (op == nullptr || type == nullptr) at_.unsupported();
  if (at_.has_part("v2") || at_.has_part("v4") || at_.has_part("v8"))
    return decode_vector_atomic(returns, *op, *type);
  const Handler handler = atomic_handler(*op, *type);
  if (handler == nullptr) at_.unsupported();
  const std::size_t first = returns ? 1 : 0;
  const DecodedAddress at = operands_.address(at_.operand(first), space);
  if (at.frame_param) at_.unsupported();
  const Shape shape = type_bytes(at_.parts().back()) == 8 ? Shape::kWide : Shape::kRow;
  const Literal literal = *type == AtomicType::kF32   ? Literal::kFloat
                          : *type == AtomicType::kF64 ? Literal::kDouble
                                                      : Literal::kBits;
  const std::uint32_t b = operands_.value(at_.operand(first + 1), shape, literal);
  const std::uint32_t c =
      *op == AtomicOp::kCas ? operands_.value(at_.operand(first + 2), shape, literal) : b;
  out_.emit(handler, InstClass::kLoadStore);
  Inst& inst = out_.last();
  const bool keeps = returns && at_.operand(0).kind != Operand::Kind::kSink;
  if (!keeps) inst.flags |= MemoryFlags::kNoResult;
  operands_.use_address(inst, at);
  out_.source_value(kSrc1, b);
  out_.source_value(kSrc2, c);
  if (keeps) operands_.destination(kDst, at_.operand(0), shape);
}

// Windows have fixed addresses, so a conversion adds or subtracts the window's base.
void MemoryDecoder::decode_cvta() {
  const bool to = at_.has_part("to");
  const Space space = parse_access(at_.parts()).space;
  const bool wide = at_.parts().back() == "u64";
  if (!wide) at_.unsupported();
  std::uint64_t base = 0;
  if (space == Space::kShared) base = kSharedWindow;
  if (space == Space::kParam) base = kParamWindow;
  const std::uint32_t from = operands_.value(at_.operand(1), Shape::kWide, Literal::kBits);
  const std::uint32_t target = operands_.result(at_.operand(0), Shape::kWide);
  if (space == Space::kLocal) {
    out_.emit(&exec_cvta_local, InstClass::kInteger).flags = to ? 1 : 0;
    out_.source_value(kSrc0, from);
    operands_.destination(kDst, at_.operand(0), Shape::kWide);
  } else if (base == 0) {
    out_.lane_op("mov.b64", target, {from});
  } else {
    out_.lane_op("add.u64", target,
                 {from, out_.constant_value(to ? ~base + 1 : base, Shape::kWide, {})});
  }
}

// atom.cas.b128 d, [a], b, c; atom.exch.b128 d, [a], b
void MemoryDecoder::decode_quad_atomic(Space space) {
  const bool compares = at_.has_part("cas");
  if (!compares && !at_.has_part("exch")) at_.unsupported();
  const DecodedAddress at = operands_.address(at_.operand(1), space);
  if (at.frame_param) at_.unsupported();
  std::vector<Operand> sources = operands_.halves_of(at_.operand(2));
  if (compares) {
    for (const Operand& half : operands_.halves_of(at_.operand(3))) sources.push_back(half);
  }
  const std::vector<Operand> results = operands_.halves_of(at_.operand(0));
  out_.emit(&exec_wide_atomic, InstClass::kLoadStore);
  Inst& inst = out_.last();
  inst.count = static_cast<std::uint8_t>(sources.size() + 2);
  operands_.use_address(inst, at);
  out_.begin_extra();
  for (const Operand& half : sources) out_.extra_value(half.index);
  for (const Operand& half : results) operands_.extra_result(half, Shape::kWide);
}

// atom.global.op.vec.type {d...}, [a], {b...}, and red with the same form.
void MemoryDecoder::decode_vector_atomic(bool returns, AtomicOp op, AtomicType type) {
  const bool halves = type == AtomicType::kF16 || type == AtomicType::kBf16;
  const std::size_t count = at_.has_part("v8") ? 8 : at_.has_part("v4") ? 4 : 2;
  const Handler handler = vector_atomic_handler(op, type);
  const bool shared = std::any_of(at_.parts().begin(), at_.parts().end(),
                                  [](std::string_view part) { return part.starts_with("shared"); });
  if (handler == nullptr || shared || (count == 8 && !halves)) at_.unsupported();
  const std::size_t first = returns ? 1 : 0;
  const DecodedAddress at = operands_.address(
      at_.operand(first), at_.has_part("global") ? Space::kGlobal : Space::kGeneric);
  const Operand& data = at_.operand(first + 1);
  const Operand& old = at_.operand(0);
  if (at.frame_param || data.kind != Operand::Kind::kVector || data.list.size() != count ||
      (returns && (old.kind != Operand::Kind::kVector || old.list.size() != count)))
    at_.unsupported();
  std::vector<std::uint32_t> values;
  for (const Operand& element : data.list) {
    values.push_back(operands_.value(element, Shape::kRow,
                                     type == AtomicType::kF32 ? Literal::kFloat : Literal::kBits));
  }
  out_.emit(handler, InstClass::kLoadStore);
  Inst& inst = out_.last();
  inst.count = static_cast<std::uint8_t>(count);
  if (!returns) inst.flags |= MemoryFlags::kNoResult;
  operands_.use_address(inst, at);
  out_.begin_extra();
  for (const std::uint32_t value : values) out_.extra_value(value);
  for (std::size_t i = 0; returns && i < count; ++i)
    operands_.extra_result(old.list[i], Shape::kRow);
}

}  // namespace warpwright::emu
