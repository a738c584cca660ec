#include "emu/program/register_allocation.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <queue>

#include "emu/emulator.h"

namespace warpwright::emu {
namespace {

class BitSet {
 public:
  explicit BitSet(std::size_t size) : words_((size + 63) / 64, 0) {}
  void set(std::size_t i) { words_[i / 64] |= std::uint64_t{1} << (i % 64); }
  void clear(std::size_t i) { words_[i / 64] &= ~(std::uint64_t{1} << (i % 64)); }
  [[nodiscard]] bool test(std::size_t i) const { return (words_[i / 64] >> (i % 64) & 1) != 0; }
  // this |= other; returns true if this set has grown.
  bool merge(const BitSet& other) {
    std::uint64_t fresh = 0;
    for (std::size_t w = 0; w < words_.size(); ++w) {
      fresh |= other.words_[w] & ~words_[w];
      words_[w] |= other.words_[w];
    }
    return fresh != 0;
  }
  // this |= (live & ~killed)
  void merge_unless(const BitSet& live, const BitSet& killed) {
    for (std::size_t w = 0; w < words_.size(); ++w) words_[w] |= live.words_[w] & ~killed.words_[w];
  }
  template <class Body>
  void for_each(Body&& body) const {
    for (std::size_t w = 0; w < words_.size(); ++w) {
      for (std::uint64_t left = words_[w]; left != 0; left &= left - 1) {
        body(w * 64 + static_cast<std::size_t>(__builtin_ctzll(left)));
      }
    }
  }

 private:
  std::vector<std::uint64_t> words_;
};

struct BasicBlock {
  std::uint32_t first = 0;
  std::uint32_t end = 0;
  std::vector<std::uint32_t> successors;
  BitSet read;     // before any overwriting definition
  BitSet written;  // overwritten as a whole
  BitSet live_in;
  BitSet live_out;
};

struct Interval {
  std::uint32_t first = 0xffffffffu;
  std::uint32_t last = 0;
  std::uint32_t reg = 0;
  void extend(std::uint32_t inst) {
    first = std::min(first, inst);
    last = std::max(last, inst);
  }
};

// Returns, by instruction, whether a basic block begins there.
std::vector<bool> find_leaders(const Successors& successors) {
  const std::size_t count = successors.size();
  std::vector<bool> leader(count + 1, false);
  leader[0] = true;
  for (std::size_t i = 0; i < count; ++i) {
    const auto& next = successors[i];
    const bool falls_through = next.size() == 1 && next[0] == i + 1;
    if (falls_through) continue;
    leader[i + 1] = true;
    for (const std::uint32_t target : next) leader[target] = true;
  }
  return leader;
}

// Each block keeps a few bits for each register.
void require_room(const Successors& successors, std::size_t registers) {
  constexpr std::size_t kMaxBits = std::size_t{1} << 30;
  const std::vector<bool> leader = find_leaders(successors);
  const auto blocks = static_cast<std::size_t>(std::count(leader.begin(), leader.end() - 1, true));
  if (registers == 0 || blocks <= kMaxBits / registers) return;
  throw UnsupportedPtx(fmt::format(
      "emulator lacks room for a function of {} registers in {} basic blocks, expected at most {} "
      "for that many registers",
      registers, blocks, kMaxBits / registers));
}

std::vector<BasicBlock> split_blocks(const Successors& successors, std::size_t registers) {
  const std::size_t count = successors.size();
  const std::vector<bool> leader = find_leaders(successors);
  std::vector<BasicBlock> blocks;
  std::vector<std::uint32_t> block_of(count, 0);
  for (std::uint32_t i = 0; i < count; ++i) {
    if (leader[i]) {
      blocks.push_back(
          {i, i, {}, BitSet(registers), BitSet(registers), BitSet(registers), BitSet(registers)});
    }
    blocks.back().end = i + 1;
    block_of[i] = static_cast<std::uint32_t>(blocks.size() - 1);
  }
  for (BasicBlock& block : blocks) {
    for (const std::uint32_t target : successors[block.end - 1])
      block.successors.push_back(block_of[target]);
  }
  return blocks;
}

void collect(std::vector<BasicBlock>& blocks, const std::vector<RegisterUse>& uses) {
  std::size_t at = 0;
  for (BasicBlock& block : blocks) {
    while (at < uses.size() && uses[at].inst < block.end) {
      // Within an instruction every read comes before every write.
      std::size_t end = at;
      while (end < uses.size() && uses[end].inst == uses[at].inst) ++end;
      for (std::size_t i = at; i < end; ++i) {
        if (!uses[i].defines && !block.written.test(uses[i].reg)) block.read.set(uses[i].reg);
      }
      for (std::size_t i = at; i < end; ++i) {
        if (uses[i].defines && uses[i].whole) block.written.set(uses[i].reg);
      }
      at = end;
    }
  }
}

void propagate(std::vector<BasicBlock>& blocks) {
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t i = blocks.size(); i-- > 0;) {
      BasicBlock& block = blocks[i];
      bool grew = false;
      for (const std::uint32_t next : block.successors)
        grew = block.live_out.merge(blocks[next].live_in) || grew;
      BitSet in = block.read;
      in.merge_unless(block.live_out, block.written);
      changed = block.live_in.merge(in) || grew || changed;
    }
  }
}

// First-fit of runs of `width` rows.
class RowPool {
 public:
  RowPool(std::uint32_t first, std::uint32_t width) : end_(first), width_(width) {}
  std::uint32_t take() {
    if (free_.empty()) {
      end_ += width_;
      return end_ - width_;
    }
    const std::uint32_t row = free_.top();
    free_.pop();
    return row;
  }
  void give_back(std::uint32_t row) { free_.push(row); }
  [[nodiscard]] std::uint32_t end() const { return end_; }

 private:
  std::uint32_t end_;
  std::uint32_t width_;
  std::priority_queue<std::uint32_t, std::vector<std::uint32_t>, std::greater<>> free_;
};

}  // namespace

Allocation32 allocate_registers(const std::vector<int>& bits, const std::vector<RegisterUse>& uses,
                                const Successors& successors, std::uint32_t first_row) {
  std::vector<RegisterUse> ordered = uses;
  std::stable_sort(ordered.begin(), ordered.end(),
                   [](const RegisterUse& a, const RegisterUse& b) { return a.inst < b.inst; });
  require_room(successors, bits.size());
  std::vector<BasicBlock> blocks = split_blocks(successors, bits.size());
  collect(blocks, ordered);
  propagate(blocks);

  std::vector<Interval> intervals(bits.size());
  for (std::uint32_t reg = 0; reg < bits.size(); ++reg) intervals[reg].reg = reg;
  for (const RegisterUse& use : ordered) intervals[use.reg].extend(use.inst);
  for (const BasicBlock& block : blocks) {
    block.live_in.for_each([&](std::size_t reg) { intervals[reg].extend(block.first); });
    block.live_out.for_each([&](std::size_t reg) { intervals[reg].extend(block.end - 1); });
  }
  std::erase_if(intervals, [](const Interval& interval) { return interval.first > interval.last; });
  std::sort(intervals.begin(), intervals.end(), [](const Interval& a, const Interval& b) {
    return a.first != b.first ? a.first < b.first : a.reg < b.reg;
  });

  Allocation32 result;
  result.place.assign(bits.size(), kNoRegister);
  // Registers of different widths never share rows: lanes at different places in the program may
  // hold different registers of one row, which is safe only while a lane's column is the same bytes
  // for all of them.
  RowPool rows(first_row, 1);
  RowPool wide_rows(0, 2);  // placed after `rows` once their number is known
  RowPool predicates(1, 1);
  const auto pool_of = [&](std::uint32_t reg) -> RowPool& {
    return bits[reg] == 1 ? predicates : bits[reg] == 64 ? wide_rows : rows;
  };
  const auto ends_later = [](const Interval& a, const Interval& b) { return a.last > b.last; };
  std::priority_queue<Interval, std::vector<Interval>, decltype(ends_later)> active(ends_later);
  for (const Interval& interval : intervals) {
    // Strictly before: a result never shares a row with a source of its own instruction, which
    // handlers rely on.
    while (!active.empty() && active.top().last < interval.first) {
      pool_of(active.top().reg).give_back(result.place[active.top().reg]);
      active.pop();
    }
    result.place[interval.reg] = pool_of(interval.reg).take();
    active.push(interval);
  }
  const std::uint32_t wide_base = (rows.end() + 1) / 2 * 2;  // even: a wide row is one aligned pair
  for (std::uint32_t reg = 0; reg < bits.size(); ++reg) {
    if (bits[reg] == 64 && result.place[reg] != kNoRegister) result.place[reg] += wide_base;
  }
  result.rows = wide_base + wide_rows.end();
  result.predicates = predicates.end();
  if (!blocks.empty()) {
    blocks[0].live_in.for_each([&](std::size_t reg) {
      result.undefined_at_entry.push_back(static_cast<std::uint32_t>(reg));
    });
  }
  return result;
}

}  // namespace warpwright::emu
