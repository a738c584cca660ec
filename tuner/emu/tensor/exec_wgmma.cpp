// wgmma: every warp of a warpgroup computes its own 16 of the 64 rows when it issues the wgmma.
//
// Operands in shared memory are found through matrix descriptors (PTX ISA, "Asynchronous warpgroup
// level matrix shared memory layout"). An operand consists of 16-byte pieces. If it is K-major, a
// piece holds bytes along k of one line (a row of A or a column of B) and every line has two
// pieces; if it is MN-major, a piece holds eight 16-bit elements of consecutive lines for one k.
// With a swizzle of w bytes, bits 4 and up of a piece's shared address are XORed with its bits 7
// and up, which permutes the pieces within w bytes by eight lines.
#include <fmt/format.h>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "emu/exec/block.h"
#include "emu/exec/observer.h"
#include "emu/exec/warp.h"
#include "emu/tensor/exec_tensor.h"
#include "emu/tensor/tensor_fragment.h"
#include "emu/tensor/tensor_sums.h"

namespace warpwright::emu {
namespace {

constexpr std::size_t kWarpRows = 16;
constexpr std::size_t kLineBytes = 32;  // of an operand along K, whatever its format
constexpr std::uint32_t kGroupThreads = 128;
constexpr std::size_t kPieceBytes = 16;
constexpr std::size_t kMaxPieces = 512;  // 256 lines of 32 bytes

// --- operands in shared memory

// All in bytes.
struct MatrixDescriptor {
  std::uint32_t start = 0;
  std::uint32_t leading = 0;      // offset from one column of pieces to the next
  std::uint32_t stride = 0;       // offset from eight lines (K-major) or rows of pieces to the next
  std::uint32_t base_offset = 0;  // offset of the pattern's start, in rows of 128 bytes
  std::uint32_t swizzle = 0;      // 0, 32, 64 or 128
};

// Offset of a piece before swizzling. `line` counts lines (K-major) or runs of eight of them.
std::uint32_t k_major_offset(const MatrixDescriptor& d, std::uint32_t line, std::uint32_t piece) {
  const std::uint32_t in_group = line % 8;
  const std::uint32_t group = line / 8 * d.stride;
  return d.swizzle == 0 ? group + in_group * 16 + piece * d.leading
                        : group + in_group * d.swizzle + piece * 16;
}
std::uint32_t mn_major_offset(const MatrixDescriptor& d, std::uint32_t run, std::uint32_t k) {
  if (d.swizzle == 0) return run * d.stride + k % 8 * 16 + k / 8 * d.leading;
  const std::uint32_t width = d.swizzle / 16;
  return run % width * 16 + run / width * d.leading + k % 8 * d.swizzle + k / 8 * d.stride;
}

std::uint32_t swizzled(const MatrixDescriptor& d, std::uint32_t address) {
  const std::uint32_t row = (address >> 7) - d.base_offset;
  const std::uint32_t mask = d.swizzle == 0 ? 0 : d.swizzle / 16 - 1;
  return address ^ (row & mask) << 4;
}

[[noreturn]] void fail_outside(Warp& warp, char name, std::uint32_t address,
                               const MatrixDescriptor& d) {
  throw KernelFault{
      FindingKind::kOutOfBounds,
      fmt::format("wgmma reads 16 bytes of operand {} at shared address {} at {{place}}, but the "
                  "block has {} bytes of shared memory; the descriptor says start {}, leading "
                  "offset {}, stride offset {}, swizzle {}: check them or launch with more dynamic "
                  "shared memory",
                  name, address, warp.block().shared_bytes(), d.start, d.leading, d.stride,
                  d.swizzle)};
}

// Throws KernelFault for bits that are not valid in the format; `operand` is 'A' or 'B'.
MatrixDescriptor decode_descriptor(std::uint64_t bits, char operand) {
  constexpr std::uint64_t kReserved = std::uint64_t{3} << 14 | std::uint64_t{3} << 30 |
                                      std::uint64_t{7} << 46 | std::uint64_t{0x3ff} << 52;
  if ((bits & kReserved) != 0) {
    throw KernelFault{
        FindingKind::kTrap,
        fmt::format("descriptor {:#018x} of wgmma's operand {} has reserved bits {:#x} set at "
                    "{{place}}; expected address, leading and stride offset, each shifted right by "
                    "4 and of 14 bits, in bits 0, 16 and 32, base offset in bits 49-51, swizzle in "
                    "62-63",
                    bits, operand, bits & kReserved)};
  }
  static constexpr std::uint32_t kSwizzles[] = {0, 128, 64, 32};
  MatrixDescriptor d;
  d.start = static_cast<std::uint32_t>(bits & 0x3fff) << 4;
  d.leading = static_cast<std::uint32_t>(bits >> 16 & 0x3fff) << 4;
  d.stride = static_cast<std::uint32_t>(bits >> 32 & 0x3fff) << 4;
  d.base_offset = static_cast<std::uint32_t>(bits >> 49 & 7);
  d.swizzle = kSwizzles[bits >> 62];
  if (d.swizzle == 0 && d.base_offset != 0) {
    throw KernelFault{FindingKind::kTrap,
                      fmt::format("descriptor {:#018x} of wgmma's operand {} has base offset {} "
                                  "without a swizzle at {{place}}; expected 0 in bits 49-51",
                                  bits, operand, d.base_offset)};
  }
  return d;
}

struct OperandRequest {
  char name = 'A';
  bool mn_major = false;
  std::size_t first_line = 0;  // a multiple of 8
  std::size_t lines = 0;       // a multiple of 8, at most 256
  std::size_t row_bytes = 0;  // from one line (K-major) or one k (MN-major) to the next in the copy
};

// Copies the operand's lines out of shared memory: K-major as lines of 32 bytes, MN-major as 16
// rows, one for every k, with 2 bytes per line. wgmma reads shared memory only here. Throws
// KernelFault outside the block's shared memory.
void read_operand_rows(Warp& warp, const MatrixDescriptor& descriptor,
                       const OperandRequest& request, std::byte* copy) {
  struct Piece {
    std::uint32_t address;
    std::uint32_t to;
  };
  Piece pieces[kMaxPieces];
  std::size_t count = 0;
  const auto add = [&](std::uint32_t offset, std::size_t to) {
    pieces[count++] = {swizzled(descriptor, descriptor.start + offset),
                       static_cast<std::uint32_t>(to)};
  };
  if (request.mn_major) {
    const auto first = static_cast<std::uint32_t>(request.first_line / 8);
    for (std::uint32_t k = 0; k < 16; ++k) {
      for (std::uint32_t run = 0; run < request.lines / 8; ++run)
        add(mn_major_offset(descriptor, first + run, k), k * request.row_bytes + run * kPieceBytes);
    }
  } else {
    const auto first = static_cast<std::uint32_t>(request.first_line);
    for (std::uint32_t line = 0; line < request.lines; ++line) {
      for (std::uint32_t piece = 0; piece < 2; ++piece)
        add(k_major_offset(descriptor, first + line, piece),
            line * request.row_bytes + piece * kPieceBytes);
    }
  }
  const std::size_t limit = warp.block().shared_bytes();
  const std::byte* shared = warp.block().shared();
  Observer* observer = warp.block().observer();
  for (std::size_t i = 0; i < count; ++i) {
    const Piece piece = pieces[i];
    if (piece.address + kPieceBytes > limit)
      fail_outside(warp, request.name, piece.address, descriptor);
    std::memcpy(copy + piece.to, shared + piece.address, kPieceBytes);
    if (observer == nullptr) continue;
    observer->async_access(warp, 0, warp.async_actor(), kSharedWindow | piece.address, kPieceBytes,
                           false, true);
  }
}

// --- the product

[[noreturn]] void fail(const Warp& warp, const std::string& what) {
  throw KernelFault{FindingKind::kTrap,
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
  if (Observer* observer = warp.block().observer()) {
    WgmmaStart start{adds, 0, uniform_descriptor(warp, inst.src[1], 'B')};
    if (!form.has(MmaForm::kRegisterA)) start.a = uniform_descriptor(warp, inst.src[0], 'A');
    warp.set_async_actor(observer->begin_wgmma(warp, start));
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
  if (Observer* observer = warp.block().observer()) observer->fence_wgmma(warp);
}
void exec_wgmma_commit(Warp& warp, const Inst&) {
  if (!whole_warp(warp)) return;
  warp.wgmma().commit();
  if (Observer* observer = warp.block().observer()) observer->commit_wgmma(warp);
}
// On an H200 the first warp's wait took as long as the last warp was late with its wgmma.
void exec_wgmma_wait(Warp& warp, const Inst& inst) {
  if (!whole_warp(warp)) return;
  const auto unfinished = static_cast<std::uint32_t>(inst.immediate);
  const std::uint32_t awaited = warp.wgmma().awaited(unfinished);
  if (awaited > warp.block().wgmma_of_group(warp)) return warp.wait_for(Wait::kWarpgroup, awaited);
  if (Observer* observer = warp.block().observer()) observer->wait_wgmma(warp, unfinished, awaited);
  warp.wgmma().waited(unfinished);
}

}  // namespace warpwright::emu
