// mbarrier, cp.async and its groups, bulk and tensor copies, st.async, red.async, clusters,
// setmaxnreg, fences.
#include <algorithm>
#include <utility>

#include "emu/async/exec_async.h"
#include "emu/decode/function_decoder.h"
#include "emu/exec/exec.h"
#include "emu/exec/reduce_bytes.h"

namespace warpwright::emu {

std::vector<std::string> FunctionDecoder::async_opcodes() {
  return {"mbarrier", "cp",        "mapa",       "getctarank", "barrier",
          "st.async", "red.async", "setmaxnreg", "fence",      "membar"};
}

bool FunctionDecoder::decode_async() {
  const std::string_view base = parts_[0];
  if (base == "mbarrier") {
    decode_mbarrier();
  } else if (base == "cp") {
    decode_copy();
  } else if ((base == "st" || base == "red") && has_part("async")) {
    decode_store_async(base == "red");
  } else if (base == "mapa") {
    const bool wide = parts_.back() == "u64";
    const std::uint32_t address = prepare(operand(1), Shape::kWide, Literal::kBits);
    const std::uint32_t rank = prepare(operand(2), Shape::kRow, Literal::kBits);
    emit(&exec_mapa, InstClass::kInteger).flags = wide ? 1 : 0;
    prepared(kSrc0, address);
    prepared(kSrc1, rank);
    destination(kDst, operand(0), wide ? Shape::kWide : Shape::kRow);
  } else if (base == "getctarank") {
    const std::uint32_t address = prepare(operand(1), Shape::kWide, Literal::kBits);
    emit(&exec_getctarank, InstClass::kInteger);
    prepared(kSrc0, address);
    destination(kDst, operand(0), Shape::kRow);
  } else if (base == "barrier" && has_part("cluster")) {
    emit(has_part("arrive") ? &exec_cluster_arrive : &exec_cluster_wait, InstClass::kControl);
  } else if (base == "setmaxnreg") {
    if (operand(0).kind != Operand::Kind::kImmediate) unsupported();
    Inst& inst = emit(&exec_setmaxnreg, InstClass::kOther);
    inst.immediate = static_cast<std::int64_t>(operand(0).bits);
    inst.flags = has_part("inc") ? 1 : 0;
  } else if (base == "fence" || base == "membar") {
    Inst& inst = emit(&exec_fence, InstClass::kOther);
    if (has_part("async") || has_part("async::generic")) inst.flags |= FenceFlags::kAsyncProxy;
    if (has_part("mbarrier_init")) inst.flags |= FenceFlags::kMbarrierInit;
    if (has_part("tensormap::generic") && has_part("acquire")) inst.flags |= FenceFlags::kTensorMap;
  } else {
    return false;
  }
  return true;
}

// The address in a bracket as one wide value, offset included. Elements after it (coordinates) are
// left to the caller.
std::uint32_t FunctionDecoder::wide_address(const Operand& bracket) {
  if (bracket.kind != Operand::Kind::kAddress || bracket.list.empty()) unsupported();
  Operand base = bracket.list[0];
  if (base.kind == Operand::Kind::kVariable) return variable_address(base, Shape::kWide);
  const auto offset = static_cast<std::uint64_t>(std::exchange(base.offset, 0));
  const std::uint32_t value = prepare(base, Shape::kWide, Literal::kBits);
  if (offset == 0) return value;
  const std::uint32_t sum = temporary(Shape::kWide);
  lane_op("add.u64", sum, {value, constant_value(offset, Shape::kWide, {})});
  return sum;
}

void FunctionDecoder::extra_optional(std::uint32_t value) {
  if (value == kNoRegister) {
    extra_.push_back(kNoRegister);
  } else {
    extra_value(value);
  }
}

// mbarrier.op{...}.b64 {state|p,} [address] {, count | bytes | token | parity}
void FunctionDecoder::decode_mbarrier() {
  if (has_part("pending_count")) {
    const std::uint32_t token = prepare(operand(1), Shape::kWide, Literal::kBits);
    emit(&exec_mbarrier_pending_count, InstClass::kInteger);
    prepared(kSrc0, token);
    destination(kDst, operand(0), Shape::kRow);
    return;
  }
  static constexpr std::pair<std::string_view, MbarrierOp> kOps[] = {
      {"init", MbarrierOp::kInit},          {"inval", MbarrierOp::kInval},
      {"arrive", MbarrierOp::kArrive},      {"arrive_drop", MbarrierOp::kArriveDrop},
      {"expect_tx", MbarrierOp::kExpectTx}, {"complete_tx", MbarrierOp::kCompleteTx},
      {"test_wait", MbarrierOp::kTestWait}, {"try_wait", MbarrierOp::kTryWait}};
  const auto* const op = std::find_if(std::begin(kOps), std::end(kOps),
                                      [this](const auto& known) { return part(1) == known.first; });
  if (op == std::end(kOps)) unsupported();
  const bool arrives = op->second == MbarrierOp::kArrive || op->second == MbarrierOp::kArriveDrop;
  const bool waits = op->second == MbarrierOp::kTestWait || op->second == MbarrierOp::kTryWait;
  const std::size_t first = arrives || waits ? 1 : 0;
  const std::uint32_t address = wide_address(operand(first));
  std::uint32_t count = kNoRegister;
  std::uint32_t bytes = kNoRegister;
  if (statement_->operands.size() > first + 1) {
    const std::uint32_t given = prepare(operand(first + 1), Shape::kWide, Literal::kBits);
    (arrives && has_part("expect_tx") ? bytes : count) = given;
  } else if (op->second != MbarrierOp::kInval && !arrives) {
    unsupported();
  }
  Inst& inst = emit(&exec_mbarrier, InstClass::kLoadStore);
  inst.immediate = static_cast<std::int64_t>(op->second);
  inst.flags = has_part("parity") ? MbarrierFlags::kParity : 0;
  inst.count = 3;
  begin_extra();
  extra_value(address);
  extra_optional(count);
  extra_optional(bytes);
  if (waits) {
    destination(kDst, operand(0), Shape::kPredicate);
  } else if (arrives && operand(0).kind != Operand::Kind::kSink) {
    destination(kDst, operand(0), Shape::kWide);
  }
}

void FunctionDecoder::decode_copy() {
  if (has_part("prefetch")) {
    emit(&exec_nothing, InstClass::kLoadStore);
  } else if (has_part("mbarrier") && !has_part("bulk")) {
    const std::uint32_t address = wide_address(operand(0));
    Inst& inst = emit(&exec_mbarrier, InstClass::kLoadStore);
    inst.immediate = static_cast<std::int64_t>(MbarrierOp::kCopiesArrive);
    inst.flags = has_part("noinc") ? MbarrierFlags::kNoIncrement : 0;
    inst.count = 1;
    begin_extra();
    extra_value(address);
  } else if (has_part("commit_group")) {
    emit(has_part("bulk") ? &exec_commit_bulk : &exec_commit_copies, InstClass::kLoadStore);
  } else if (has_part("wait_all")) {
    emit(&exec_wait_all_copies, InstClass::kLoadStore);
  } else if (has_part("wait_group")) {
    if (operand(0).kind != Operand::Kind::kImmediate) unsupported();
    Inst& inst =
        emit(has_part("bulk") ? &exec_wait_bulk : &exec_wait_copies, InstClass::kLoadStore);
    inst.immediate = static_cast<std::int64_t>(operand(0).bits);
    inst.flags = has_part("read") ? 1 : 0;
  } else if (has_part("tensor")) {
    decode_tensor_copy();
  } else if (has_part("bulk")) {
    decode_bulk_copy();
  } else {
    decode_cp_async();
  }
}

// The reduction of cp.reduce.async and red.async, for Inst::immediate.
std::int64_t FunctionDecoder::reduction(bool typed) const {
  std::optional<ReduceOp> op;
  for (const std::string_view part : parts_) {
    if (const auto found = find_reduce_op(part)) op = found;
  }
  if (!op) unsupported();
  if (!typed) return static_cast<std::int64_t>(*op);
  const std::optional<ReduceType> type = find_reduce_type(parts_.back());
  if (!type || find_combine(*op, *type) == nullptr) unsupported();
  return static_cast<std::int64_t>(*op) | static_cast<std::int64_t>(*type) << 8;
}

// cp{.reduce}.async.bulk.to.from... [to], [from], bytes{, [mbarrier]}{, block mask}{, policy}
void FunctionDecoder::decode_bulk_copy() {
  const std::size_t to = part(1) == "reduce" ? 4 : 3;
  if (parts_.size() < to + 2) unsupported();
  const bool to_global = part(to) == "global";
  const bool from_shared = part(to + 1).starts_with("shared");
  if (has_part("cp_mask") || (to_global && !from_shared)) unsupported();
  const bool reduces = part(1) == "reduce";
  const std::uint32_t target = wide_address(operand(0));
  const std::uint32_t source = wide_address(operand(1));
  const std::uint32_t bytes = prepare(operand(2), Shape::kWide, Literal::kBits);
  const std::uint32_t barrier = to_global ? kNoRegister : wide_address(operand(3));
  const std::uint32_t mask = has_part("multicast::cluster")
                                 ? prepare(operand(4), Shape::kWide, Literal::kBits)
                                 : kNoRegister;
  const std::int64_t immediate = reduces ? reduction(true) : 0;
  Inst& inst = emit(&exec_bulk_copy, InstClass::kLoadStore);
  inst.immediate = immediate;
  inst.flags = static_cast<std::uint16_t>((to_global ? BulkFlags::kToGlobal : 0) |
                                          (from_shared ? BulkFlags::kFromShared : 0) |
                                          (reduces ? BulkFlags::kReduce : 0));
  inst.count = 5;
  begin_extra();
  extra_value(target);
  extra_value(source);
  extra_value(bytes);
  extra_optional(barrier);
  extra_optional(mask);
}

// Into shared memory: [to], [map, {coordinates}], [mbarrier]{, mask}{, policy}; out of it:
// [map, {coordinates}], [from]{, policy}
void FunctionDecoder::decode_tensor_copy() {
  const bool reduces = part(1) == "reduce";
  const std::size_t to = reduces ? 5 : 4;
  if (parts_.size() < to + 3 || has_part("im2col") || has_part("im2col_no_offs") ||
      has_part("tile::scatter4") || has_part("tile::gather4"))
    unsupported();
  const bool to_global = part(to + 1) == "global";
  const Operand& tensor = operand(to_global ? 0 : 1);
  if (tensor.kind != Operand::Kind::kAddress || tensor.list.size() != 2) unsupported();
  const Operand& coordinates = tensor.list[1];
  const std::uint32_t map = wide_address(tensor);
  const std::uint32_t shared = wide_address(operand(to_global ? 1 : 0));
  const std::uint32_t barrier = to_global ? kNoRegister : wide_address(operand(2));
  const std::uint32_t mask = has_part("multicast::cluster")
                                 ? prepare(operand(3), Shape::kWide, Literal::kBits)
                                 : kNoRegister;
  std::vector<std::uint32_t> at;
  for (const Operand& coordinate : coordinates.list)
    at.push_back(prepare(coordinate, Shape::kRow, Literal::kBits));
  const std::int64_t immediate = reduces ? reduction(false) : 0;
  Inst& inst = emit(&exec_tensor_copy, InstClass::kLoadStore);
  inst.immediate = immediate;
  inst.flags = static_cast<std::uint16_t>((to_global ? BulkFlags::kToGlobal : 0) |
                                          (reduces ? BulkFlags::kReduce : 0));
  inst.count = static_cast<std::uint8_t>(4 + at.size());
  begin_extra();
  extra_value(map);
  extra_value(shared);
  extra_optional(barrier);
  extra_optional(mask);
  for (const std::uint32_t coordinate : at) extra_value(coordinate);
}

// st.async / red.async [address], value or {values}, [mbarrier]
void FunctionDecoder::decode_store_async(bool reduces) {
  const std::string_view type = parts_.back();
  const std::size_t bytes = type.ends_with("64") ? 8 : type.ends_with("32") ? 4 : 0;
  if (bytes == 0 || statement_->operands.size() != 3) unsupported();
  const std::uint32_t address = wide_address(operand(0));
  const std::uint32_t barrier = wide_address(operand(2));
  const Operand& data = operand(1);
  std::vector<std::uint32_t> values;
  for (const Operand& element :
       data.kind == Operand::Kind::kVector ? data.list : std::vector<Operand>{data}) {
    const std::uint32_t value = prepare(element, bytes == 8 ? Shape::kWide : Shape::kRow,
                                        type == "f32"   ? Literal::kFloat
                                        : type == "f64" ? Literal::kDouble
                                                        : Literal::kBits);
    std::uint32_t wide = value;
    if (bytes == 4) {
      wide = temporary(Shape::kWide);
      lane_op("cvt.u64.u32", wide, {value});
    }
    values.push_back(wide);
  }
  const std::int64_t immediate = reduces ? reduction(true) : 0;
  Inst& inst = emit(&exec_store_async, InstClass::kLoadStore);
  inst.immediate = immediate;
  inst.flags = static_cast<std::uint16_t>((reduces ? BulkFlags::kReduce : 0) | bytes << 8);
  inst.count = static_cast<std::uint8_t>(2 + values.size());
  begin_extra();
  extra_value(address);
  extra_value(barrier);
  for (const std::uint32_t value : values) extra_value(value);
}

}  // namespace warpwright::emu
