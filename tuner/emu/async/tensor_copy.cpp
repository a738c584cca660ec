#include "emu/async/tensor_copy.h"

#include <fmt/format.h>

#include <algorithm>

#include "emu/exec/block.h"

namespace warpwright::emu {
namespace {

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
          FaultKind::kOutOfBounds,
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

}  // namespace

std::size_t box_bytes(const TensorMap& map) {
  std::size_t bytes = map.element_bytes();
  for (std::size_t d = 0; d < map.rank; ++d) bytes *= extent(map, d);
  return bytes;
}

std::vector<Move> tensor_moves(Warp& warp, std::uint32_t lane, const TensorMap& map,
                               const Coordinates& at, const SharedPlace& shared, bool to_shared) {
  return Walk(warp, lane, map, shared, to_shared).moves(at);
}

}  // namespace warpwright::emu
