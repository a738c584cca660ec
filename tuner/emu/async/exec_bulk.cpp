// Bulk and tensor copies, st.async and red.async: every lane of the mask issues its own. A tensor
// copy becomes the moves that its tensor map describes.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <vector>

#include "emu/async/encoded_map.h"
#include "emu/async/exec_async.h"
#include "emu/exec/address.h"
#include "emu/exec/async.h"
#include "emu/exec/block.h"
#include "emu/exec/cluster.h"
#include "emu/exec/observer.h"
#include "emu/exec/reduce_bytes.h"

namespace warpwright::emu {
namespace {

constexpr std::size_t kBulkAlignment = 16;
constexpr std::size_t kTensorAlignment = 128;

using Coordinates = std::array<std::int32_t, 5>;  // dimension 0 is the innermost

constexpr std::uint32_t kPiece = 16;  // bytes that a swizzle moves together

// Bits 4 to 6 of the shared address are XORed with its bits 7 to 9; the mode determines how many of
// these bits are used.
std::uint32_t swizzled(std::uint32_t address, TensorSwizzle mode) {
  const std::uint32_t mask = mode == TensorSwizzle::k128  ? 7
                             : mode == TensorSwizzle::k64 ? 3
                             : mode == TensorSwizzle::k32 ? 1
                                                          : 0;
  return address ^ (address >> 7 & mask) << 4;
}

std::uint32_t fill_pattern(const TensorMap& map) {
  if (map.fill == TensorFill::kZero) return 0;
  switch (map.element) {
    case TensorElement::kF16:
      return 0x7fff7fffu;
    case TensorElement::kBf16:
      return 0x7fff7fffu;
    default:
      return 0x7fffffffu;
  }
}

// The number of elements of a box along a dimension.
std::uint32_t extent(const TensorMap& map, std::size_t d) {
  const std::uint32_t step = std::max<std::uint32_t>(map.element_strides[d], 1);
  return (map.box[d] + step - 1) / step;
}

// Translates a tensor copy into moves, according to its tensor map.
class Walk {
 public:
  Walk(Warp& warp, std::uint32_t lane, const TensorMap& map, const SharedPlace& shared,
       bool to_shared)
      : warp_(warp), lane_(lane), map_(map), shared_(shared), to_shared_(to_shared) {}

  std::vector<Move> moves(const Coordinates& at) {
    std::array<std::uint32_t, 5> index{};
    std::uint32_t offset = 0;
    for (;;) {
      row(at, index, offset);
      offset += extent(map_, 0) * element();
      std::size_t d = 1;
      for (; d < map_.rank; ++d) {
        if (++index[d] < extent(map_, d)) break;
        index[d] = 0;
      }
      if (d >= map_.rank) break;
    }
    return std::move(moves_);
  }

 private:
  [[nodiscard]] std::uint32_t element() const {
    return static_cast<std::uint32_t>(map_.element_bytes());
  }

  // Adds the moves of one row along dimension 0: the part inside the tensor, with fills before and
  // after it.
  void row(const Coordinates& at, const std::array<std::uint32_t, 5>& index, std::uint32_t offset) {
    std::uint64_t address = map_.address;
    bool inside = true;
    for (std::size_t d = 1; d < map_.rank; ++d) {
      const std::int64_t i =
          at[d] + std::int64_t{index[d]} * std::max<int>(map_.element_strides[d], 1);
      inside = inside && i >= 0 && static_cast<std::uint64_t>(i) < map_.sizes[d];
      address += static_cast<std::uint64_t>(i) * map_.strides[d - 1];
    }
    const std::uint32_t step = std::max<std::uint32_t>(map_.element_strides[0], 1);
    const std::uint32_t count = extent(map_, 0);
    if (!inside) return outside(offset, count * element());
    if (step == 1) {
      const std::int64_t first = std::clamp<std::int64_t>(-std::int64_t{at[0]}, 0, count);
      const std::int64_t last =
          std::clamp<std::int64_t>(static_cast<std::int64_t>(map_.sizes[0]) - at[0], first, count);
      outside(offset, static_cast<std::uint32_t>(first) * element());
      move(address + static_cast<std::uint64_t>(at[0] + first) * element(),
           offset + static_cast<std::uint32_t>(first) * element(),
           static_cast<std::uint32_t>(last - first) * element());
      outside(offset + static_cast<std::uint32_t>(last) * element(),
              (count - static_cast<std::uint32_t>(last)) * element());
      return;
    }
    for (std::uint32_t i = 0; i < count; ++i) {
      const std::int64_t x = at[0] + std::int64_t{i} * step;
      if (x < 0 || static_cast<std::uint64_t>(x) >= map_.sizes[0]) {
        outside(offset + i * element(), element());
      } else {
        move(address + static_cast<std::uint64_t>(x) * element(), offset + i * element(),
             element());
      }
    }
  }

  // Calls `body` for the pieces that the swizzle keeps together.
  template <class Body>
  void pieces(std::uint32_t offset, std::uint32_t bytes, Body&& body) {
    for (std::uint32_t done = 0; done < bytes;) {
      const std::uint32_t plain = shared_.offset + offset + done;
      const std::uint32_t part = map_.swizzle == TensorSwizzle::kNone
                                     ? bytes
                                     : std::min(bytes - done, kPiece - plain % kPiece);
      body(swizzled(plain, map_.swizzle), done, part);
      done += part;
    }
  }

  void outside(std::uint32_t offset, std::uint32_t bytes) {
    if (!to_shared_) return;
    pieces(offset, bytes, [&](std::uint32_t at, std::uint32_t, std::uint32_t part) {
      Move fill;
      fill.to = shared_.block->shared() + at;
      fill.to_address = SharedPlace{shared_.block, at}.generic_address();
      fill.bytes = part;
      fill.fill = fill_pattern(map_);
      moves_.push_back(fill);
    });
  }

  void move(std::uint64_t address, std::uint32_t offset, std::uint32_t bytes) {
    if (bytes == 0) return;
    const Allocation* allocation = warp_.block().context().memory->find(address, bytes);
    if (allocation == nullptr) {
      throw KernelFault{
          FindingKind::kOutOfBounds,
          fmt::format("a tensor copy at {{place}} reaches {} bytes at {:#x}, which lie in no "
                      "buffer; encode the tensor map with the buffer's sizes and strides",
                      bytes, address),
          lane_};
    }
    warp_.counters().memory.global_distinct_bytes +=
        allocation->touch(address - allocation->address, bytes) * kSectorBytes;
    pieces(offset, bytes, [&](std::uint32_t at, std::uint32_t done, std::uint32_t part) {
      std::byte* global = allocation->host + (address - allocation->address) + done;
      std::byte* shared = shared_.block->shared() + at;
      const std::uint64_t shared_address = SharedPlace{shared_.block, at}.generic_address();
      Move move;
      move.from = to_shared_ ? global : shared;
      move.to = to_shared_ ? shared : global;
      move.from_address = to_shared_ ? address + done : shared_address;
      move.to_address = to_shared_ ? shared_address : address + done;
      move.bytes = part;
      moves_.push_back(move);
    });
  }

  Warp& warp_;
  std::uint32_t lane_;
  const TensorMap& map_;
  SharedPlace shared_;
  bool to_shared_;
  std::vector<Move> moves_;
};

// The bytes of one box in shared memory, fills included, which a copy reports to its mbarrier.
std::size_t box_bytes(const TensorMap& map) {
  std::size_t bytes = map.element_bytes();
  for (std::size_t d = 0; d < map.rank; ++d) bytes *= extent(map, d);
  return bytes;
}

// Returns the moves of the box at `at` from global to shared memory, or back. Elements outside the
// tensor are filled on the way in and left out on the way back. Shared addresses are swizzled
// according to the map. Throws KernelFault when the tensor extends outside its buffer.
std::vector<Move> tensor_moves(Warp& warp, std::uint32_t lane, const TensorMap& map,
                               const Coordinates& at, const SharedPlace& shared, bool to_shared) {
  return Walk(warp, lane, map, shared, to_shared).moves(at);
}

std::uint64_t value_or_zero(const Warp& warp, std::uint32_t row, std::uint32_t lane) {
  return row == kNoRegister ? 0 : warp.wide(row)[lane];
}

AsyncOperation begin(Warp& warp, std::uint32_t lane) {
  AsyncOperation operation;
  operation.rank = warp.block().rank();
  operation.warp = warp.index();
  operation.lane = lane;
  operation.pc = warp.current_pc();
  return operation;
}

// Reports the reads and writes to the checkers, counts the bytes, and issues the operation.
void issue(Warp& warp, AsyncOperation operation, std::size_t bytes, bool out) {
  if (Observer* observer = warp.block().observer()) {
    for (const AsyncOperation::Signal& signal : operation.signals) {
      Block& block = warp.block().cluster().block(signal.rank);
      if (const Mbarrier* barrier = block.mbarriers().find(signal.address)) {
        observer->use_mbarrier(warp, operation.lane, *barrier, signal.address);
      } else {
        // An init that happens before the copy completes would only be luck.
        throw KernelFault{
            FindingKind::kTrap,
            fmt::format("an asynchronous copy at {{place}} completes on the mbarrier at "
                        "shared address {}, which is not initialised; init it before "
                        "the copy and keep it until the wait",
                        signal.address),
            operation.lane};
      }
    }
    // Reading the source and writing the target are waited for separately.
    const Actor reader = observer->begin_async(warp);
    const Actor writer = observer->begin_async(warp);
    for (const Move& move : operation.moves) {
      if (move.from_address != 0)
        observer->async_access(warp, operation.lane, reader, move.from_address, move.bytes, false,
                               true);
      observer->async_access(warp, operation.lane, writer, move.to_address, move.bytes, true, true,
                             operation.combine != nullptr);
    }
    observer->publish(operation.read_published, reader, kAllLanes);
    operation.done_published = operation.read_published;
    observer->publish(operation.done_published, writer, kAllLanes);
  }
  Counters& counters = warp.counters().memory;
  (out ? counters.async_store_bytes : counters.async_load_bytes) += bytes;
  warp.block().cluster().async().issue(std::move(operation));
}

// The mbarrier that a copy into `block` of the cluster signals.
AsyncOperation::Signal signal_of(const SharedPlace& barrier, const Block& block,
                                 std::size_t bytes) {
  return {block.rank(), barrier.offset, static_cast<std::int64_t>(bytes)};
}

// The blocks that receive a copy: those of its mask at the same offset, or the one that it names.
std::vector<Block*> receivers(Warp& warp, std::uint32_t lane, const SharedPlace& to,
                              std::uint32_t mask_row) {
  if (mask_row == kNoRegister) return {to.block};
  std::vector<Block*> blocks;
  const std::uint64_t mask = value_or_zero(warp, mask_row, lane) & 0xffff;
  Cluster& cluster = warp.block().cluster();
  if (mask == 0 || mask >> cluster.size() != 0) {
    throw KernelFault{
        FindingKind::kOutOfBounds,
        fmt::format("a multicast copy at {{place}} to the blocks {:#x} of a cluster of {}; "
                    "set bits of its ranks only",
                    mask, cluster.size()),
        lane};
  }
  for (std::size_t rank = 0; rank < cluster.size(); ++rank) {
    if ((mask >> rank & 1) != 0) blocks.push_back(&cluster.block(rank));
  }
  return blocks;
}

std::byte* global_range(Warp& warp, std::uint32_t lane, std::uint64_t address, std::size_t bytes) {
  std::byte* at = resolve_generic(warp, lane, address, bytes);
  if (address % kBulkAlignment != 0) {
    throw KernelFault{
        FindingKind::kMisaligned,
        fmt::format("a bulk copy at {{place}} of global address {:#x}; it must be aligned "
                    "to {} bytes",
                    address, kBulkAlignment),
        lane};
  }
  const Allocation* allocation = warp.block().context().memory->find(address, bytes);
  if (allocation != nullptr)
    warp.counters().memory.global_distinct_bytes +=
        allocation->touch(address - allocation->address, bytes) * kSectorBytes;
  return at;
}

void bulk_copy(Warp& warp, const Inst& inst, std::uint32_t lane) {
  const std::uint32_t* rows = warp.extra(inst);
  const std::uint64_t to_address = value_or_zero(warp, rows[0], lane);
  const std::uint64_t from_address = value_or_zero(warp, rows[1], lane);
  const std::uint64_t bytes = value_or_zero(warp, rows[2], lane) & 0xffffffffu;
  if (bytes % kBulkAlignment != 0) {
    throw KernelFault{
        FindingKind::kMisaligned,
        fmt::format("a bulk copy of {} bytes at {{place}}; the size must be a multiple of {}",
                    bytes, kBulkAlignment),
        lane};
  }
  if (bytes == 0) return;
  AsyncOperation operation = begin(warp, lane);
  if ((inst.flags & BulkFlags::kReduce) != 0) {
    operation.combine = find_combine(static_cast<ReduceOp>(inst.immediate & 0xff),
                                     static_cast<ReduceType>(inst.immediate >> 8 & 0xff));
  }
  Move move;
  move.bytes = static_cast<std::uint32_t>(bytes);
  if ((inst.flags & BulkFlags::kFromShared) != 0) {
    const SharedPlace from =
        locate_shared(warp, lane, from_address, bytes, kBulkAlignment, AccessKind::kLoad);
    move.from = from.pointer();
    move.from_address = from.generic_address();
  } else {
    move.from = global_range(warp, lane, from_address, bytes);
    move.from_address = from_address;
  }
  if ((inst.flags & BulkFlags::kToGlobal) != 0) {
    move.to = global_range(warp, lane, to_address, bytes);
    move.to_address = to_address;
    operation.grouped = true;
    operation.moves.push_back(move);
    return issue(warp, std::move(operation), bytes, true);
  }
  const SharedPlace to =
      locate_shared(warp, lane, to_address, bytes, kBulkAlignment, AccessKind::kStore);
  const SharedPlace barrier =
      locate_shared(warp, lane, value_or_zero(warp, rows[3], lane), 8, 8, AccessKind::kAtomic);
  for (Block* block : receivers(warp, lane, to, rows[4])) {
    const SharedPlace here{block, to.offset};
    move.to = here.pointer();
    move.to_address = here.generic_address();
    operation.moves.push_back(move);
    operation.signals.push_back(
        signal_of(barrier, rows[4] == kNoRegister ? *barrier.block : *block, bytes));
  }
  issue(warp, std::move(operation), bytes, false);
}

TensorMap read_map(Warp& warp, std::uint32_t lane, std::uint64_t address) {
  const std::byte* at = resolve_generic(warp, lane, address, kTensorMapBytes);
  const std::optional<TensorMap> map =
      tensor_map_of(std::span<const std::byte, kTensorMapBytes>(at, kTensorMapBytes));
  if (map) {
    if (Observer* observer = warp.block().observer()) observer->use_tensor_map(warp, lane, address);
    return *map;
  }
  throw KernelFault{
      FindingKind::kTrap,
      "a tensor copy at {place} uses a tensor map that was never encoded; pass it as a "
      "const __grid_constant__ parameter and encode it on the host",
      lane};
}

void tensor_copy(Warp& warp, const Inst& inst, std::uint32_t lane) {
  const std::uint32_t* rows = warp.extra(inst);
  const TensorMap map = read_map(warp, lane, value_or_zero(warp, rows[0], lane));
  const std::size_t dimensions = inst.count - 4u;
  if (map.rank != dimensions) {
    throw KernelFault{FindingKind::kTrap,
                      fmt::format("a tensor copy of {} dimensions at {{place}} with a map of {}",
                                  dimensions, map.rank),
                      lane};
  }
  Coordinates at{};
  for (std::size_t d = 0; d < dimensions; ++d)
    at[d] = static_cast<std::int32_t>(warp.row(rows[4 + d])[lane]);
  const std::size_t bytes = box_bytes(map);
  const bool out = (inst.flags & BulkFlags::kToGlobal) != 0;
  const SharedPlace shared =
      locate_shared(warp, lane, value_or_zero(warp, rows[1], lane), bytes, kTensorAlignment,
                    out ? AccessKind::kLoad : AccessKind::kStore);
  AsyncOperation operation = begin(warp, lane);
  if (out) {
    operation.grouped = true;
    operation.moves = tensor_moves(warp, lane, map, at, shared, false);
    if ((inst.flags & BulkFlags::kReduce) != 0) {
      static constexpr ReduceType kTypes[] = {
          ReduceType::kB32, ReduceType::kB32, ReduceType::kU32, ReduceType::kS32, ReduceType::kU64,
          ReduceType::kS64, ReduceType::kF16, ReduceType::kF32, ReduceType::kF64, ReduceType::kBf16,
          ReduceType::kF32, ReduceType::kF32, ReduceType::kF32};
      operation.combine = find_combine(static_cast<ReduceOp>(inst.immediate & 0xff),
                                       kTypes[static_cast<std::size_t>(map.element)]);
    }
    return issue(warp, std::move(operation), bytes, true);
  }
  const SharedPlace barrier =
      locate_shared(warp, lane, value_or_zero(warp, rows[2], lane), 8, 8, AccessKind::kAtomic);
  for (Block* block : receivers(warp, lane, shared, rows[3])) {
    const std::vector<Move> moves = tensor_moves(warp, lane, map, at, {block, shared.offset}, true);
    operation.moves.insert(operation.moves.end(), moves.begin(), moves.end());
    Block& signalled = rows[3] == kNoRegister ? *barrier.block : *block;
    operation.signals.push_back(signal_of(barrier, signalled, bytes));
    const Mbarrier* object = signalled.mbarriers().find(barrier.offset);
    if (Observer* observer = warp.block().observer(); observer != nullptr && object != nullptr)
      observer->complete_on(warp, lane, *object, barrier.offset);
  }
  issue(warp, std::move(operation), bytes, false);
}

void store_async(Warp& warp, const Inst& inst, std::uint32_t lane) {
  const std::uint32_t* rows = warp.extra(inst);
  const std::size_t each = inst.flags >> 8;
  const std::size_t values = inst.count - 2u;
  const std::size_t bytes = each * values;
  AsyncOperation operation = begin(warp, lane);
  for (std::size_t v = 0; v < values; ++v) {
    const std::uint64_t bits = warp.wide(rows[2 + v])[lane];
    const auto* from = reinterpret_cast<const std::byte*>(&bits);
    operation.staged.insert(operation.staged.end(), from, from + each);
  }
  operation.is_read = true;
  const SharedPlace to = locate_shared(warp, lane, value_or_zero(warp, rows[0], lane), bytes, bytes,
                                       AccessKind::kStore);
  const SharedPlace barrier =
      locate_shared(warp, lane, value_or_zero(warp, rows[1], lane), 8, 8, AccessKind::kAtomic);
  if ((inst.flags & BulkFlags::kReduce) != 0) {
    operation.combine = find_combine(static_cast<ReduceOp>(inst.immediate & 0xff),
                                     static_cast<ReduceType>(inst.immediate >> 8 & 0xff));
  }
  Move move;
  move.from = operation.staged.data();
  move.to = to.pointer();
  move.to_address = to.generic_address();
  move.bytes = static_cast<std::uint32_t>(bytes);
  operation.moves.push_back(move);
  operation.signals.push_back(signal_of(barrier, *barrier.block, bytes));
  issue(warp, std::move(operation), bytes, true);
}

template <class Body>
void each_lane(Warp& warp, const Inst& inst, Body&& body) {
  for (std::uint32_t left = warp.mask(); left != 0; left &= left - 1)
    body(warp, inst, static_cast<std::uint32_t>(std::countr_zero(left)));
}

}  // namespace

void exec_bulk_copy(Warp& warp, const Inst& inst) { each_lane(warp, inst, bulk_copy); }
void exec_tensor_copy(Warp& warp, const Inst& inst) { each_lane(warp, inst, tensor_copy); }
void exec_store_async(Warp& warp, const Inst& inst) { each_lane(warp, inst, store_async); }

}  // namespace warpwright::emu
