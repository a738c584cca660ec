#include "emu/decode/decode_async.h"

#include <algorithm>
#include <optional>

#include "emu/async/exec_async.h"
#include "emu/exec/exec.h"
#include "emu/exec/reduce_bytes.h"

namespace warpwright::emu {

std::vector<std::string> AsyncDecoder::opcodes() {
  return {"mbarrier", "cp",        "mapa",       "getctarank", "barrier",
          "st.async", "red.async", "setmaxnreg", "fence",      "membar"};
}

bool AsyncDecoder::decode() {
  const std::string_view base = at_.parts()[0];
  if (base == "mbarrier") {
    decode_mbarrier();
  } else if (base == "cp") {
    decode_copy();
  } else if ((base == "st" || base == "red") && at_.has_part("async")) {
    decode_store_async(base == "red");
  } else if (base == "mapa") {
    const bool wide = at_.parts().back() == "u64";
    const std::uint32_t address = operands_.value(at_.operand(1), Shape::kWide, Literal::kBits);
    const std::uint32_t rank = operands_.value(at_.operand(2), Shape::kRow, Literal::kBits);
    out_.emit(&exec_mapa, InstClass::kInteger).flags = wide ? 1 : 0;
    out_.source_value(kSrc0, address);
    out_.source_value(kSrc1, rank);
    operands_.destination(kDst, at_.operand(0), wide ? Shape::kWide : Shape::kRow);
  } else if (base == "getctarank") {
    const std::uint32_t address = operands_.value(at_.operand(1), Shape::kWide, Literal::kBits);
    out_.emit(&exec_getctarank, InstClass::kInteger);
    out_.source_value(kSrc0, address);
    operands_.destination(kDst, at_.operand(0), Shape::kRow);
  } else if (base == "barrier" && at_.has_part("cluster")) {
    out_.emit(at_.has_part("arrive") ? &exec_cluster_arrive : &exec_cluster_wait,
              InstClass::kControl);
  } else if (base == "setmaxnreg") {
    if (at_.operand(0).kind != Operand::Kind::kImmediate) at_.unsupported();
    Inst& inst = out_.emit(&exec_setmaxnreg, InstClass::kOther);
    inst.immediate = static_cast<std::int64_t>(at_.operand(0).bits);
    inst.flags = at_.has_part("inc") ? 1 : 0;
  } else if (base == "fence" || base == "membar") {
    Inst& inst = out_.emit(&exec_fence, InstClass::kOther);
    if (at_.has_part("async") || at_.has_part("async::generic"))
      inst.flags |= FenceFlags::kAsyncProxy;
    if (at_.has_part("mbarrier_init")) inst.flags |= FenceFlags::kMbarrierInit;
    if (at_.has_part("tensormap::generic") && at_.has_part("acquire"))
      inst.flags |= FenceFlags::kTensorMap;
  } else {
    return false;
  }
  return true;
}

// mbarrier.op{...}.b64 {state|p,} [address] {, count | bytes | token | parity}
void AsyncDecoder::decode_mbarrier() {
  if (at_.has_part("pending_count")) {
    const std::uint32_t token = operands_.value(at_.operand(1), Shape::kWide, Literal::kBits);
    out_.emit(&exec_mbarrier_pending_count, InstClass::kInteger);
    out_.source_value(kSrc0, token);
    operands_.destination(kDst, at_.operand(0), Shape::kRow);
    return;
  }
  static constexpr std::pair<std::string_view, MbarrierOp> kOps[] = {
      {"init", MbarrierOp::kInit},          {"inval", MbarrierOp::kInval},
      {"arrive", MbarrierOp::kArrive},      {"arrive_drop", MbarrierOp::kArriveDrop},
      {"expect_tx", MbarrierOp::kExpectTx}, {"complete_tx", MbarrierOp::kCompleteTx},
      {"test_wait", MbarrierOp::kTestWait}, {"try_wait", MbarrierOp::kTryWait}};
  const auto* const op = std::find_if(std::begin(kOps), std::end(kOps), [this](const auto& known) {
    return at_.part(1) == known.first;
  });
  if (op == std::end(kOps)) at_.unsupported();
  const bool arrives = op->second == MbarrierOp::kArrive || op->second == MbarrierOp::kArriveDrop;
  const bool waits = op->second == MbarrierOp::kTestWait || op->second == MbarrierOp::kTryWait;
  const std::size_t first = arrives || waits ? 1 : 0;
  const std::uint32_t address = operands_.wide_address(at_.operand(first));
  std::uint32_t count = kNoRegister;
  std::uint32_t bytes = kNoRegister;
  if (at_.current().operands.size() > first + 1) {
    const std::uint32_t given =
        operands_.value(at_.operand(first + 1), Shape::kWide, Literal::kBits);
    (arrives && at_.has_part("expect_tx") ? bytes : count) = given;
  } else if (op->second != MbarrierOp::kInval && !arrives) {
    at_.unsupported();
  }
  Inst& inst = out_.emit(&exec_mbarrier, InstClass::kLoadStore);
  inst.immediate = static_cast<std::int64_t>(op->second);
  inst.flags = at_.has_part("parity") ? MbarrierFlags::kParity : 0;
  inst.count = 3;
  out_.begin_extra();
  out_.extra_value(address);
  out_.extra_optional(count);
  out_.extra_optional(bytes);
  if (waits) {
    operands_.destination(kDst, at_.operand(0), Shape::kPredicate);
  } else if (arrives && at_.operand(0).kind != Operand::Kind::kSink) {
    operands_.destination(kDst, at_.operand(0), Shape::kWide);
  }
}

void AsyncDecoder::decode_copy() {
  if (at_.has_part("prefetch")) {
    out_.emit(&exec_nothing, InstClass::kLoadStore);
  } else if (at_.has_part("mbarrier") && !at_.has_part("bulk")) {
    const std::uint32_t address = operands_.wide_address(at_.operand(0));
    Inst& inst = out_.emit(&exec_mbarrier, InstClass::kLoadStore);
    inst.immediate = static_cast<std::int64_t>(MbarrierOp::kCopiesArrive);
    inst.flags = at_.has_part("noinc") ? MbarrierFlags::kNoIncrement : 0;
    inst.count = 1;
    out_.begin_extra();
    out_.extra_value(address);
  } else if (at_.has_part("commit_group")) {
    out_.emit(at_.has_part("bulk") ? &exec_commit_bulk : &exec_commit_copies,
              InstClass::kLoadStore);
  } else if (at_.has_part("wait_all")) {
    out_.emit(&exec_wait_all_copies, InstClass::kLoadStore);
  } else if (at_.has_part("wait_group")) {
    if (at_.operand(0).kind != Operand::Kind::kImmediate) at_.unsupported();
    Inst& inst = out_.emit(at_.has_part("bulk") ? &exec_wait_bulk : &exec_wait_copies,
                           InstClass::kLoadStore);
    inst.immediate = static_cast<std::int64_t>(at_.operand(0).bits);
    inst.flags = at_.has_part("read") ? 1 : 0;
  } else if (at_.has_part("tensor")) {
    decode_tensor_copy();
  } else if (at_.has_part("bulk")) {
    decode_bulk_copy();
  } else {
    decode_cp_async();
  }
}

// cp.async [to], [from], bytes{, bytes to read}{, policy}
void AsyncDecoder::decode_cp_async() {
  const DecodedAddress to = operands_.address(at_.operand(0), Space::kShared);
  const DecodedAddress from = operands_.address(at_.operand(1), Space::kGlobal);
  if (to.frame_param || from.frame_param) at_.unsupported();
  if (at_.operand(2).kind != Operand::Kind::kImmediate) at_.unsupported();
  const std::uint64_t bytes = at_.operand(2).bits;
  if (bytes != 4 && bytes != 8 && bytes != 16) at_.unsupported();
  const std::size_t policies = at_.has_part("L2::cache_hint") ? 1 : 0;
  const bool sized = at_.current().operands.size() - policies >= 4;
  const std::uint32_t size =
      sized ? operands_.value(at_.operand(3), Shape::kRow, Literal::kBits) : 0;
  out_.emit(&exec_cp_async, InstClass::kLoadStore);
  Inst& inst = out_.last();
  inst.count = static_cast<std::uint8_t>(bytes);
  inst.immediate = to.offset << 32 | (from.offset & 0xffffffff);
  inst.flags = to.wide ? MemoryFlags::kWideAddress : 0;
  inst.src[2] = kNoRegister;
  out_.source_value(kSrc0, to.base);
  out_.source_value(kSrc1, from.base);
  if (sized) out_.source_value(kSrc2, size);
}

// The reduction of cp.reduce.async and red.async, for Inst::immediate.
std::int64_t AsyncDecoder::reduction(bool typed) const {
  std::optional<ReduceOp> op;
  for (const std::string_view part : at_.parts()) {
    if (const auto found = find_reduce_op(part)) op = found;
  }
  if (!op) at_.unsupported();
  if (!typed) return static_cast<std::int64_t>(*op);
  const std::optional<ReduceType> type = find_reduce_type(at_.parts().back());
  if (!type || find_combine(*op, *type) == nullptr) at_.unsupported();
  return static_cast<std::int64_t>(*op) | static_cast<std::int64_t>(*type) << 8;
}

// cp{.reduce}.async.bulk.to.from... [to], [from], bytes{, [mbarrier]}{, block mask}{, policy}
void AsyncDecoder::decode_bulk_copy() {
  const std::size_t to = at_.part(1) == "reduce" ? 4 : 3;
  if (at_.parts().size() < to + 2) at_.unsupported();
  const bool to_global = at_.part(to) == "global";
  const bool from_shared = at_.part(to + 1).starts_with("shared");
  if (at_.has_part("cp_mask") || (to_global && !from_shared)) at_.unsupported();
  const bool reduces = at_.part(1) == "reduce";
  const std::uint32_t target = operands_.wide_address(at_.operand(0));
  const std::uint32_t source = operands_.wide_address(at_.operand(1));
  const std::uint32_t bytes = operands_.value(at_.operand(2), Shape::kWide, Literal::kBits);
  const std::uint32_t barrier = to_global ? kNoRegister : operands_.wide_address(at_.operand(3));
  const std::uint32_t mask = at_.has_part("multicast::cluster")
                                 ? operands_.value(at_.operand(4), Shape::kWide, Literal::kBits)
                                 : kNoRegister;
  const std::int64_t immediate = reduces ? reduction(true) : 0;
  Inst& inst = out_.emit(&exec_bulk_copy, InstClass::kLoadStore);
  inst.immediate = immediate;
  inst.flags = static_cast<std::uint16_t>((to_global ? BulkFlags::kToGlobal : 0) |
                                          (from_shared ? BulkFlags::kFromShared : 0) |
                                          (reduces ? BulkFlags::kReduce : 0));
  inst.count = 5;
  out_.begin_extra();
  out_.extra_value(target);
  out_.extra_value(source);
  out_.extra_value(bytes);
  out_.extra_optional(barrier);
  out_.extra_optional(mask);
}

// Into shared memory: [to], [map, {coordinates}], [mbarrier]{, mask}{, policy}; out of it:
// [map, {coordinates}], [from]{, policy}
void AsyncDecoder::decode_tensor_copy() {
  const bool reduces = at_.part(1) == "reduce";
  const std::size_t to = reduces ? 5 : 4;
  if (at_.parts().size() < to + 3 || at_.has_part("im2col") || at_.has_part("im2col_no_offs") ||
      at_.has_part("tile::scatter4") || at_.has_part("tile::gather4"))
    at_.unsupported();
  const bool to_global = at_.part(to + 1) == "global";
  const Operand& tensor = at_.operand(to_global ? 0 : 1);
  if (tensor.kind != Operand::Kind::kAddress || tensor.list.size() != 2) at_.unsupported();
  const Operand& coordinates = tensor.list[1];
  const std::uint32_t map = operands_.wide_address(tensor);
  const std::uint32_t shared = operands_.wide_address(at_.operand(to_global ? 1 : 0));
  const std::uint32_t barrier = to_global ? kNoRegister : operands_.wide_address(at_.operand(2));
  const std::uint32_t mask = at_.has_part("multicast::cluster")
                                 ? operands_.value(at_.operand(3), Shape::kWide, Literal::kBits)
                                 : kNoRegister;
  std::vector<std::uint32_t> at;
  for (const Operand& coordinate : coordinates.list)
    at.push_back(operands_.value(coordinate, Shape::kRow, Literal::kBits));
  const std::int64_t immediate = reduces ? reduction(false) : 0;
  Inst& inst = out_.emit(&exec_tensor_copy, InstClass::kLoadStore);
  inst.immediate = immediate;
  inst.flags = static_cast<std::uint16_t>((to_global ? BulkFlags::kToGlobal : 0) |
                                          (reduces ? BulkFlags::kReduce : 0));
  inst.count = static_cast<std::uint8_t>(4 + at.size());
  out_.begin_extra();
  out_.extra_value(map);
  out_.extra_value(shared);
  out_.extra_optional(barrier);
  out_.extra_optional(mask);
  for (const std::uint32_t coordinate : at) out_.extra_value(coordinate);
}

// st.async / red.async [address], value or {values}, [mbarrier]
void AsyncDecoder::decode_store_async(bool reduces) {
  const std::string_view type = at_.parts().back();
  const std::size_t bytes = type.ends_with("64") ? 8 : type.ends_with("32") ? 4 : 0;
  if (bytes == 0 || at_.current().operands.size() != 3) at_.unsupported();
  const std::uint32_t address = operands_.wide_address(at_.operand(0));
  const std::uint32_t barrier = operands_.wide_address(at_.operand(2));
  const Operand& data = at_.operand(1);
  std::vector<std::uint32_t> values;
  for (const Operand& element :
       data.kind == Operand::Kind::kVector ? data.list : std::vector<Operand>{data}) {
    const std::uint32_t value = operands_.value(element, bytes == 8 ? Shape::kWide : Shape::kRow,
                                                type == "f32"   ? Literal::kFloat
                                                : type == "f64" ? Literal::kDouble
                                                                : Literal::kBits);
    std::uint32_t wide = value;
    if (bytes == 4) {
      wide = out_.temporary(Shape::kWide);
      out_.lane_op("cvt.u64.u32", wide, {value});
    }
    values.push_back(wide);
  }
  const std::int64_t immediate = reduces ? reduction(true) : 0;
  Inst& inst = out_.emit(&exec_store_async, InstClass::kLoadStore);
  inst.immediate = immediate;
  inst.flags = static_cast<std::uint16_t>((reduces ? BulkFlags::kReduce : 0) | bytes << 8);
  inst.count = static_cast<std::uint8_t>(2 + values.size());
  out_.begin_extra();
  out_.extra_value(address);
  out_.extra_value(barrier);
  for (const std::uint32_t value : values) out_.extra_value(value);
}

}  // namespace warpwright::emu
