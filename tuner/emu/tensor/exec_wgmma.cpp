// wgmma: every warp of a warpgroup computes its own 16 of the 64 rows when it issues the wgmma.
#include <fmt/format.h>

#include <bit>
#include <cstring>

#include "emu/check/checker.h"
#include "emu/exec/block.h"
#include "emu/tensor/exec_tensor.h"
#include "emu/tensor/tensor_fragment.h"
#include "emu/tensor/tensor_sums.h"
#include "emu/tensor/wgmma_operand.h"

namespace warpwright::emu {
namespace {

constexpr std::size_t kWarpRows = 16;
constexpr std::size_t kLineBytes = 32;  // of an operand along K, whatever its format
constexpr std::uint32_t kGroupThreads = 128;

[[noreturn]] void fail(const Warp& warp, const std::string& what) {
  throw KernelFault{FaultKind::kTrap,
                    fmt::format("`{}` {}", warp.program().opcodes[warp.current_pc()], what)};
}

void require_warpgroup(Warp& warp) {
  const std::uint32_t threads = warp.block().context().threads_per_block;
  const std::uint32_t group = warp.index() / 4;
  if (threads >= (group + 1) * kGroupThreads) return;
  fail(warp,
       fmt::format("needs the 128 threads of a warpgroup at {{place}}, but of warpgroup {} the "
                   "block of {} threads has {}; launch a multiple of 128 threads",
                   group, threads, threads - group * kGroupThreads));
}

// Reads a scalar operand of the instruction, which must be equal in every lane.
std::uint64_t uniform_descriptor(const Warp& warp, std::uint32_t row, char name) {
  const std::uint64_t* lanes = warp.wide(row);
  for (std::uint32_t lane = 1; lane < kWarpSize; ++lane) {
    if (lanes[lane] != lanes[0]) {
      fail(warp, fmt::format("has a descriptor of operand {} that differs between threads at "
                             "{{place}} ({:#x} and {:#x}); compute it from values that all threads "
                             "of the warpgroup share",
                             name, lanes[0], lanes[lane]));
    }
  }
  return lanes[0];
}

bool adds_to_d(const Warp& warp, const Inst& inst, const MmaForm& form) {
  const std::uint32_t flip = form.has(MmaForm::kScaleFlip) ? kAllLanes : 0;
  const std::uint32_t scale = warp.predicate(inst.src[2]) ^ flip;
  if (scale == 0 || scale == kAllLanes) return scale != 0;
  fail(warp,
       "has a scale-d that differs between threads at {place}; compute it from values that "
       "all threads of the warpgroup share");
}

// Reads this warp's 16 lines of A as lines of 32 bytes.
void read_a(Warp& warp, const Inst& inst, const MmaForm& form, std::byte* lines) {
  if (form.has(MmaForm::kRegisterA)) {
    gather_operand(warp, warp.extra(inst) + inst.count, layout_of_a(kWarpRows, form.k, form.a),
                   lines);
    return;
  }
  const auto descriptor = decode_descriptor(uniform_descriptor(warp, inst.src[0], 'A'), 'A');
  OperandRequest request{'A', form.has(MmaForm::kTransposeA), warp.index() % 4 * kWarpRows,
                         kWarpRows, kLineBytes};
  if (!request.mn_major) return read_operand_rows(warp, descriptor, request, lines);
  std::byte across[kWarpRows * kLineBytes];
  read_operand_rows(warp, descriptor, request, across);
  for (std::size_t line = 0; line < kWarpRows; ++line) {
    for (std::size_t k = 0; k < 16; ++k)
      std::memcpy(lines + line * kLineBytes + 2 * k, across + k * kLineBytes + 2 * line, 2);
  }
}

// Loads the columns of B, padded with zeros to the vector width of the kernels.
void load_b(Warp& warp, const Inst& inst, const MmaForm& form, SumTile& tile) {
  alignas(64) std::byte lines[kMaxTensorColumns * kLineBytes];
  const auto descriptor = decode_descriptor(uniform_descriptor(warp, inst.src[1], 'B'), 'B');
  OperandRequest request{'B', form.has(MmaForm::kTransposeB), 0, form.n(), kLineBytes};
  if (request.mn_major) {
    request.row_bytes = 2 * tile.columns;
    if (tile.columns != form.n()) std::memset(lines, 0, 16 * request.row_bytes);
    read_operand_rows(warp, descriptor, request, lines);
    tensor_kernels().load_columns_across(tile, form.b, lines, request.row_bytes);
  } else {
    std::memset(lines + form.n() * kLineBytes, 0, (tile.columns - form.n()) * kLineBytes);
    read_operand_rows(warp, descriptor, request, lines);
    tensor_kernels().load_columns(tile, form.b, lines, kLineBytes);
  }
}

}  // namespace

void exec_wgmma(Warp& warp, const Inst& inst) {
  if (!whole_warp(warp)) return;
  require_warpgroup(warp);
  const auto form = std::bit_cast<MmaForm>(inst.immediate);
  const bool adds = adds_to_d(warp, inst, form);
  if (Checker* checker = warp.block().checker()) {
    WgmmaStart start{adds, 0, uniform_descriptor(warp, inst.src[1], 'B')};
    if (!form.has(MmaForm::kRegisterA)) start.a = uniform_descriptor(warp, inst.src[0], 'A');
    warp.set_async_actor(checker->begin_wgmma(warp, start));
  }
  const std::uint32_t* d = warp.extra(inst);
  alignas(64) std::byte a_lines[kWarpRows * kLineBytes];
  read_a(warp, inst, form, a_lines);
  SumTile tile;
  tile.rows = kWarpRows;
  tile.depth = form.k;
  tile.columns = (form.n() + kColumnsAtOnce - 1) / kColumnsAtOnce * kColumnsAtOnce;
  const bool clear = !adds || tile.columns != form.n();
  load_b(warp, inst, form, tile);
  const TensorKernels& kernels = tensor_kernels();
  kernels.load_rows(tile, form.a, a_lines, kLineBytes, form.has(MmaForm::kNegateProduct));
  if (is_integer(form.a)) {
    if (clear) std::memset(tile.integer_sums, 0, tile.rows * tile.columns * sizeof(std::int32_t));
    if (adds)
      read_accumulators(warp, d, form, kWarpRows, form.d, tile.integer_sums, tile.columns, 1);
    kernels.add_integer_products(tile, form.has(MmaForm::kSaturate));
    write_accumulators(warp, d, form, kWarpRows, form.d, tile.integer_sums, tile.columns, 1);
  } else {
    if (clear) std::memset(tile.sums, 0, tile.rows * tile.columns * sizeof(float));
    if (adds) read_accumulators(warp, d, form, kWarpRows, form.d, tile.sums, tile.columns, 1);
    kernels.add_products(tile, sum_rule(form.a, form.d, true));
    write_accumulators(warp, d, form, kWarpRows, form.d, tile.sums, tile.columns, 1);
  }
  count_tensor_operations(warp.counters().memory, form.a,
                          std::uint64_t{2} * kWarpRows * form.n() * form.k);
  warp.wgmma().issue();
  warp.block().wgmma_issued(warp);
}

// The sums are ready at once; only the checkers enforce that they are not used before the wait.
void exec_wgmma_fence(Warp& warp, const Inst&) {
  if (!whole_warp(warp)) return;
  if (Checker* checker = warp.block().checker()) checker->fence_wgmma(warp);
}
void exec_wgmma_commit(Warp& warp, const Inst&) {
  if (!whole_warp(warp)) return;
  warp.wgmma().commit();
  if (Checker* checker = warp.block().checker()) checker->commit_wgmma(warp);
}
// On an H200 the first warp's wait took as long as the last warp was late with its wgmma.
void exec_wgmma_wait(Warp& warp, const Inst& inst) {
  if (!whole_warp(warp)) return;
  const auto unfinished = static_cast<std::uint32_t>(inst.immediate);
  const std::uint32_t awaited = warp.wgmma().awaited(unfinished);
  if (awaited > warp.block().wgmma_of_group(warp)) return warp.wait_for(Wait::kWarpgroup, awaited);
  if (Checker* checker = warp.block().checker()) checker->wait_wgmma(warp, unfinished, awaited);
  warp.wgmma().waited(unfinished);
}

}  // namespace warpwright::emu
