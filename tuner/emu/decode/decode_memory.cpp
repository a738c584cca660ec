// ld, st, atom, red, tex, cvta, isspacep, prefetch and similar hints, and the non-bulk cp.async.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <charconv>

#include "core/error.h"
#include "emu/decode/function_decoder.h"
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

std::vector<std::string> FunctionDecoder::memory_opcodes() {
  return {"ld",       "ldu",      "st",        "atom",    "red",           "cvta",
          "isspacep", "prefetch", "prefetchu", "discard", "applypriority", "createpolicy"};
}

bool FunctionDecoder::decode_memory() {
  const std::string_view base = parts_[0];
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
    const Space space = parse_access(parts_).space != Space::kGeneric ? parse_access(parts_).space
                        : parts_.back() == "shared"                   ? Space::kShared
                        : parts_.back() == "local"                    ? Space::kLocal
                        : parts_.back() == "const"                    ? Space::kConst
                        : parts_.back().starts_with("param")          ? Space::kParam
                                                                      : Space::kGlobal;
    const std::uint32_t address = prepare(operand(1), Shape::kWide, Literal::kBits);
    emit(&exec_isspacep, InstClass::kInteger).immediate = static_cast<std::int64_t>(space);
    prepared(kSrc0, address);
    destination(kDst, operand(0), Shape::kPredicate);
  } else if (base == "prefetch" || base == "prefetchu" || base == "discard" ||
             base == "applypriority") {
    emit(&exec_nothing, InstClass::kLoadStore);
  } else if (base == "createpolicy") {
    lane_op("mov.b64", result(operand(0), Shape::kWide), {constant_value(0, Shape::kWide, {})});
  } else {
    return false;
  }
  return true;
}

// [register + n], [variable + n] or [n]. Variables of a function's parameter area do not have an
// address: their offset is known here, and they have their own handlers.
FunctionDecoder::Address FunctionDecoder::address(const Operand& bracket, Space space) {
  if (bracket.kind != Operand::Kind::kAddress || bracket.list.size() != 1) unsupported();
  Address result;
  result.space = space;
  Operand base = bracket.list[0];
  result.offset = base.offset;
  base.offset = 0;
  if (base.kind == Operand::Kind::kRegister) {
    if (register_bits(base.index) == 128) unsupported();
    result.wide = register_bits(base.index) == 64;
    result.base = base.index;
    return result;
  }
  if (base.kind == Operand::Kind::kImmediate) {
    result.base = constant_value(base.bits, Shape::kWide, {});
    return result;
  }
  if (base.kind != Operand::Kind::kVariable) unsupported();
  const Variable& var = variable(base);
  if (var.space == Space::kParam && !base.module_scope && !is_launch_parameter_[base.index]) {
    result.frame_param = true;
    // Added as unsigned, because the offset can be any value before require_within() checks it.
    result.offset = static_cast<std::int64_t>(static_cast<std::uint64_t>(result.offset) +
                                              variable_offsets_[base.index]);
    return result;
  }
  result.base = variable_address(base, Shape::kWide);
  if (result.space == Space::kGeneric) result.space = var.space;
  return result;
}

// Accesses of a function's parameter area must stay within one of its variables.
void FunctionDecoder::require_within(const Operand& base, std::size_t bytes) const {
  const Variable& var = variable(base);
  const auto offset = static_cast<std::uint64_t>(base.offset);  // negative ones are very large
  if (offset <= var.size && bytes <= var.size - offset) return;
  throw user_error(SourceLocation{module_.module->name, statement_->ptx_line, 0},
                   fmt::format("PTX: `{}` takes {} bytes at offset {} of '{}', which has {}",
                               statement_->opcode, bytes, base.offset, var.name, var.size));
}

void FunctionDecoder::use_address(Inst& inst, const Address& address) {
  inst.immediate = address.offset;
  inst.flags |= static_cast<std::uint16_t>(address.space);
  if (address.frame_param) return;
  if (address.wide) inst.flags |= MemoryFlags::kWideAddress;
  prepared(kSrc0, address.base);
}

// ld{...}.type d, [a]{, cache-policy} and st{...}.type [a], b: element rows go to Inst's extra
// list.
void FunctionDecoder::decode_load_store(bool load) {
  const Access32 access = parse_access(parts_);
  // 128 bits are moved like a vector of two halves.
  const bool quad = access.type == "b128" && access.count == 1;
  const std::size_t bytes = quad ? 8 : type_bytes(access.type);
  if (!access.known || bytes == 0 || bytes > 8) unsupported();
  const Address at = address(operand(load ? 1 : 0), access.space);
  const Operand& data = operand(load ? 0 : 1);
  const std::vector<Operand> elements = quad ? halves_of(data)
                                        : data.kind == Operand::Kind::kVector
                                            ? data.list
                                            : std::vector<Operand>{data};
  if (elements.size() != (quad ? 2 : access.count)) unsupported();
  if (at.frame_param) require_within(operand(load ? 1 : 0).list[0], bytes * elements.size());
  bool wide = bytes == 8;
  for (const Operand& element : elements) {
    if (element.kind == Operand::Kind::kRegister && register_bits(element.index) == 64) wide = true;
  }
  const Shape shape = wide ? Shape::kWide : Shape::kRow;
  std::vector<std::uint32_t> values;
  if (!load) {
    const Literal literal = access.type == "f32"   ? Literal::kFloat
                            : access.type == "f64" ? Literal::kDouble
                                                   : Literal::kBits;
    for (const Operand& element : elements) values.push_back(prepare(element, shape, literal));
  }
  emit(memory_handler(load ? Access::kLoad : Access::kStore, bytes, at.frame_param),
       InstClass::kLoadStore);
  Inst& inst = code_.back();
  inst.count = static_cast<std::uint8_t>(elements.size());
  inst.flags = static_cast<std::uint16_t>((access.type[0] == 's' ? MemoryFlags::kSigned : 0) |
                                          (wide ? MemoryFlags::kWideRow : 0) |
                                          (access.visible ? MemoryFlags::kShared : 0));
  use_address(inst, at);
  if (load && !at.frame_param && (at.space == Space::kGlobal || at.space == Space::kGeneric))
    global_loads_.push_back(static_cast<std::uint32_t>(code_.size() - 1));
  begin_extra();
  for (std::size_t i = 0; i < elements.size(); ++i) {
    if (load) {
      extra(elements[i], shape, true);
    } else {
      extra_value(values[i]);
    }
  }
}

// atom.op.type d, [a], b{, c} and red.op.type [a], b; an operation that PTX does not define for a
// type has no handler and is reported as unsupported.
void FunctionDecoder::decode_atomic(bool returns) {
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
  if (has_part("global")) space = Space::kGlobal;
  if (has_part("shared") || has_part("shared::cta") || has_part("shared::cluster"))
    space = Space::kShared;
  if (returns && parts_.back() == "b128") return decode_quad_atomic(space);
  const AtomicOp* op = nullptr;
  const AtomicType* type = nullptr;
  for (const auto& [name, value] : kOps) {
    if (has_part(name)) op = &value;
  }
  for (const auto& [name, value] : kTypes) {
    if (parts_.back() == name) type = &value;
  }
  if (op == nullptr || type == nullptr) unsupported();
  if (has_part("v2") || has_part("v4") || has_part("v8"))
    return decode_vector_atomic(returns, *op, *type);
  const Handler handler = atomic_handler(*op, *type);
  if (handler == nullptr) unsupported();
  const std::size_t first = returns ? 1 : 0;
  const Address at = address(operand(first), space);
  if (at.frame_param) unsupported();
  const Shape shape = type_bytes(parts_.back()) == 8 ? Shape::kWide : Shape::kRow;
  const Literal literal = *type == AtomicType::kF32   ? Literal::kFloat
                          : *type == AtomicType::kF64 ? Literal::kDouble
                                                      : Literal::kBits;
  const std::uint32_t b = prepare(operand(first + 1), shape, literal);
  const std::uint32_t c = *op == AtomicOp::kCas ? prepare(operand(first + 2), shape, literal) : b;
  emit(handler, InstClass::kLoadStore);
  Inst& inst = code_.back();
  const bool keeps = returns && operand(0).kind != Operand::Kind::kSink;
  if (!keeps) inst.flags |= MemoryFlags::kNoResult;
  use_address(inst, at);
  prepared(kSrc1, b);
  prepared(kSrc2, c);
  if (keeps) destination(kDst, operand(0), shape);
}

// Windows have fixed addresses, so a conversion adds or subtracts the window's base.
void FunctionDecoder::decode_cvta() {
  const bool to = has_part("to");
  const Space space = parse_access(parts_).space;
  const bool wide = parts_.back() == "u64";
  if (!wide) unsupported();
  std::uint64_t base = 0;
  if (space == Space::kShared) base = kSharedWindow;
  if (space == Space::kParam) base = kParamWindow;
  const std::uint32_t from = prepare(operand(1), Shape::kWide, Literal::kBits);
  const std::uint32_t target = result(operand(0), Shape::kWide);
  if (space == Space::kLocal) {
    emit(&exec_cvta_local, InstClass::kInteger).flags = to ? 1 : 0;
    prepared(kSrc0, from);
    destination(kDst, operand(0), Shape::kWide);
  } else if (base == 0) {
    lane_op("mov.b64", target, {from});
  } else {
    lane_op("add.u64", target, {from, constant_value(to ? ~base + 1 : base, Shape::kWide, {})});
  }
}

// cp.async [to], [from], bytes{, bytes to read}{, policy}
void FunctionDecoder::decode_cp_async() {
  const Address to = address(operand(0), Space::kShared);
  const Address from = address(operand(1), Space::kGlobal);
  if (to.frame_param || from.frame_param) unsupported();
  if (operand(2).kind != Operand::Kind::kImmediate) unsupported();
  const std::uint64_t bytes = operand(2).bits;
  if (bytes != 4 && bytes != 8 && bytes != 16) unsupported();
  const std::size_t policies = has_part("L2::cache_hint") ? 1 : 0;
  const bool sized = statement_->operands.size() - policies >= 4;
  const std::uint32_t size = sized ? prepare(operand(3), Shape::kRow, Literal::kBits) : 0;
  emit(&exec_cp_async, InstClass::kLoadStore);
  Inst& inst = code_.back();
  inst.count = static_cast<std::uint8_t>(bytes);
  inst.immediate = to.offset << 32 | (from.offset & 0xffffffff);
  inst.flags = to.wide ? MemoryFlags::kWideAddress : 0;
  inst.src[2] = kNoRegister;
  prepared(kSrc0, to.base);
  prepared(kSrc1, from.base);
  if (sized) prepared(kSrc2, size);
}

// --- textures of one and two dimensions through a handle in a register, as generated for
// cudaTextureObject_t

std::vector<std::string> FunctionDecoder::texture_opcodes() { return {"tex"}; }

// tex{.level}.geom.v4.dtype.ctype d, [handle, {x{, y}}]{, level}; arrays without mipmaps only have
// level 0.
bool FunctionDecoder::decode_texture() {
  if (parts_[0] != "tex") return false;
  const std::size_t level = has_part("level") ? 1 : 0;
  if (parts_.size() != 5 + level || parts_[level] != (level != 0 ? "level" : "tex")) return false;
  const std::string_view shape = parts_[1 + level];
  const std::string_view type = parts_[3 + level];
  const std::string_view coordinates = parts_[4 + level];
  TextureForm form;
  form.dimensions = shape == "1d" ? 1 : shape == "2d" ? 2 : 0;
  form.floats = type == "f32";
  form.whole = coordinates == "s32";
  const bool known = form.dimensions != 0 && parts_[2 + level] == "v4" &&
                     (type == "f32" || type == "u32" || type == "s32") &&
                     (coordinates == "f32" || (coordinates == "s32" && level == 0));
  if (!known || statement_->operands.size() != 2 + level) return false;
  const Operand& results = operand(0);
  const Operand& place = operand(1);
  if (results.kind != Operand::Kind::kVector || results.list.size() != 4 ||
      place.kind != Operand::Kind::kAddress || place.list.size() != 2 ||
      place.list[1].kind != Operand::Kind::kVector || place.list[1].list.size() < form.dimensions)
    return false;
  const Literal literal = form.whole ? Literal::kBits : Literal::kFloat;
  const std::uint32_t handle = prepare(place.list[0], Shape::kWide, Literal::kBits);
  std::vector<std::uint32_t> values;
  for (std::size_t i = 0; i < form.dimensions; ++i)
    values.push_back(prepare(place.list[1].list[i], Shape::kRow, literal));
  emit(&exec_texture, InstClass::kLoadStore).immediate = std::bit_cast<std::uint32_t>(form);
  code_.back().count = 4;
  prepared(kSrc0, handle);
  for (std::size_t i = 0; i < values.size(); ++i)
    prepared(static_cast<Field>(kSrc1 + i), values[i]);
  begin_extra();
  for (const Operand& result : results.list) extra(result, Shape::kRow, true);
  return true;
}

// --- atomics that are wider than a register: vectors, and 128 bits. A .b128 register is
// represented by a pair of 64-bit registers, the lower half first; moves, loads and stores support
// it, too.

// The halves of a 128-bit register as operands.
std::vector<Operand> FunctionDecoder::halves_of(const Operand& operand) {
  if (operand.kind == Operand::Kind::kSink) return {operand, operand};
  if (operand.kind != Operand::Kind::kRegister || register_bits(operand.index) != 128)
    unsupported();
  auto [found, added] = quad_halves_.try_emplace(operand.index, 0);
  if (added) {
    found->second = add_register(64);
    (void)add_register(64);
  }
  std::vector<Operand> halves(2, operand);
  halves[0].index = found->second;
  halves[1].index = found->second + 1;
  return halves;
}

// mov.b128 %q, {%d1, %d2}; mov.b128 {%d1, %d2}, %q; mov.b128 %q, %r
bool FunctionDecoder::decode_quad_move() {
  if (parts_.size() != 2 || parts_[0] != "mov" || parts_[1] != "b128") return false;
  const auto pair = [&](std::size_t i) {
    if (operand(i).kind != Operand::Kind::kVector) return halves_of(operand(i));
    if (operand(i).list.size() != 2) unsupported();
    return operand(i).list;
  };
  const std::vector<Operand> to = pair(0);
  const std::vector<Operand> from = pair(1);
  std::uint32_t values[2];
  for (std::size_t i = 0; i < 2; ++i) values[i] = prepare(from[i], Shape::kWide, Literal::kBits);
  // The first register written may be the second source, so copy that source first.
  const std::uint32_t kept = temporary(Shape::kWide);
  lane_op("mov.b64", kept, {values[1]});
  for (std::size_t i = 0; i < 2; ++i) {
    const Operand& half = to[i];
    if (half.kind == Operand::Kind::kSink) continue;
    if (half.kind != Operand::Kind::kRegister || register_bits(half.index) != 64) unsupported();
    lane_op("mov.b64", half.index, {i == 0 ? values[0] : kept});
  }
  return true;
}

// atom.cas.b128 d, [a], b, c; atom.exch.b128 d, [a], b
void FunctionDecoder::decode_quad_atomic(Space space) {
  const bool compares = has_part("cas");
  if (!compares && !has_part("exch")) unsupported();
  const Address at = address(operand(1), space);
  if (at.frame_param) unsupported();
  std::vector<Operand> sources = halves_of(operand(2));
  if (compares) {
    for (const Operand& half : halves_of(operand(3))) sources.push_back(half);
  }
  const std::vector<Operand> results = halves_of(operand(0));
  emit(&exec_wide_atomic, InstClass::kLoadStore);
  Inst& inst = code_.back();
  inst.count = static_cast<std::uint8_t>(sources.size() + 2);
  use_address(inst, at);
  begin_extra();
  for (const Operand& half : sources) extra_value(half.index);
  for (const Operand& half : results) extra(half, Shape::kWide, true);
}

// atom.global.op.vec.type {d...}, [a], {b...}, and red with the same form.
void FunctionDecoder::decode_vector_atomic(bool returns, AtomicOp op, AtomicType type) {
  const bool halves = type == AtomicType::kF16 || type == AtomicType::kBf16;
  const std::size_t count = has_part("v8") ? 8 : has_part("v4") ? 4 : 2;
  const Handler handler = vector_atomic_handler(op, type);
  const bool shared = std::any_of(parts_.begin(), parts_.end(),
                                  [](std::string_view part) { return part.starts_with("shared"); });
  if (handler == nullptr || shared || (count == 8 && !halves)) unsupported();
  const std::size_t first = returns ? 1 : 0;
  const Address at = address(operand(first), has_part("global") ? Space::kGlobal : Space::kGeneric);
  const Operand& data = operand(first + 1);
  const Operand& old = operand(0);
  if (at.frame_param || data.kind != Operand::Kind::kVector || data.list.size() != count ||
      (returns && (old.kind != Operand::Kind::kVector || old.list.size() != count)))
    unsupported();
  std::vector<std::uint32_t> values;
  for (const Operand& element : data.list) {
    values.push_back(
        prepare(element, Shape::kRow, type == AtomicType::kF32 ? Literal::kFloat : Literal::kBits));
  }
  emit(handler, InstClass::kLoadStore);
  Inst& inst = code_.back();
  inst.count = static_cast<std::uint8_t>(count);
  if (!returns) inst.flags |= MemoryFlags::kNoResult;
  use_address(inst, at);
  begin_extra();
  for (const std::uint32_t value : values) extra_value(value);
  for (std::size_t i = 0; returns && i < count; ++i) extra(old.list[i], Shape::kRow, true);
}

}  // namespace warpwright::emu
