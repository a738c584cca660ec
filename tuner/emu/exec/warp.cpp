#include "emu/exec/warp.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <new>

#include "emu/exec/block.h"
#include "emu/exec/observer.h"
#include "emu/model/tally.h"

namespace warpwright::emu {
namespace {

constexpr std::uint32_t kMaxCallDepth = 512;

Rows make_rows(std::size_t count) {
  const std::size_t words = std::max<std::size_t>(count, 1) * kWarpSize;
  auto* rows = static_cast<std::uint32_t*>(
      ::operator new[](words * sizeof(std::uint32_t), std::align_val_t{64}));
  std::memset(rows, 0, words * sizeof(std::uint32_t));
  return Rows(rows);
}

// Values that were never written must not depend on the block that used the frame before.
void clear(Frame& frame) {
  const Function& function = *frame.function;
  std::size_t constant_rows = 0;
  for (const ConstantRow& constant : function.constants) {
    constant_rows = std::max<std::size_t>(constant_rows, constant.row + (constant.wide ? 2 : 1));
  }
  std::memset(frame.rows.get() + constant_rows * kWarpSize, 0,
              (function.rows - constant_rows) * kRowBytes);
  std::fill(frame.predicates.begin() + 1, frame.predicates.end(), 0);
  std::fill(frame.params.begin(), frame.params.end(), std::byte{0});
}

}  // namespace

Warp::Warp(Block& block, const Program& program, std::uint32_t index)
    : block_(&block), program_(&program), index_(index) {}

std::uint64_t Warp::instructions() const {
  std::uint64_t sum = 0;
  for (const InstructionTally& tally : counters_.classes) sum += tally.instructions;
  return sum;
}

// Immediates and symbol addresses become rows once per frame, so that all operands of instructions
// can be read as registers.
void Warp::fill_constants(Frame& frame) const {
  for (const ConstantRow& constant : frame.function->constants) {
    std::uint64_t bits = constant.bits;
    if (!constant.symbol.empty()) bits += block_->context().symbol_address(constant.symbol);
    std::uint32_t* row = frame.rows.get() + std::size_t{constant.row} * kWarpSize;
    if (constant.wide) {
      std::fill_n(reinterpret_cast<std::uint64_t*>(row), kWarpSize, bits);
    } else {
      std::fill_n(row, kWarpSize, static_cast<std::uint32_t>(bits));
    }
  }
}

// Frames of the same function are kept for the next call, because their constants stay valid. The
// frame released last is reused first, so that frames that the block has not used yet count as new.
std::uint32_t Warp::make_frame(const Function& function) {
  for (std::size_t i = free_frames_.size(); i-- > 0;) {
    const std::uint32_t index = free_frames_[i];
    if (frames_[index]->function != &function) continue;
    free_frames_.erase(free_frames_.begin() + static_cast<std::ptrdiff_t>(i));
    frames_[index]->users = 0;
    return index;
  }
  auto frame = std::make_unique<Frame>();
  frame->function = &function;
  frame->rows = make_rows(function.rows);
  frame->predicates.assign(function.predicates, 0);
  frame->predicates[0] = kAllLanes;
  frame->params.resize(function.param_bytes * kWarpSize);
  fill_constants(*frame);
  frames_.push_back(std::move(frame));
  return static_cast<std::uint32_t>(frames_.size() - 1);
}

void Warp::drop_frame_user(std::uint32_t index) {
  Frame& frame = *frames_[index];
  if (--frame.users != 0 || frame.depth == 0) return;
  free_frames_.push_back(index);
  drop_frame_user(frame.parent);
}

void Warp::reset(const Function& entry, std::uint32_t lanes) {
  groups_.clear();
  free_frames_.clear();
  if (frames_.empty()) {
    make_frame(entry);
  } else {
    for (const auto& frame : frames_) clear(*frame);
    for (std::size_t i = 1; i < frames_.size(); ++i)
      free_frames_.push_back(static_cast<std::uint32_t>(i));
  }
  frames_[0]->users = 1;
  if (entry.local_bytes != 0) local(0, entry.local_bytes);
  std::fill(local_.begin(), local_.end(), std::byte{0});
  live_ = lanes;
  groups_.push_back({entry.first_pc, lanes, 0});
  state_ = lanes == 0 ? State::kExited : State::kRunnable;
  active_ = 0;
  carry_ = 0;
  pc_ = executing_pc_ = entry.first_pc;
  stop_ = 0;
  patience_ = kPatience;
  touched_shared_state_ = favoured_ = yields_ = polled_ = spins_ = false;
  polls_ = 0;
  load_rounds_ = {};
  cluster_arrived_ = cluster_owing_ = 0;
  wgmma_.clear();
  rotation_ = 0;
  bind(0);
}

// The main loop. Anything that ends straight-line execution sets stop_ to zero, so this costs only
// one comparison per instruction.
template <bool kByLine, bool kChecked>
std::uint32_t Warp::run_loop(std::uint32_t budget) {
  const Inst* code = program_->code.data();
  [[maybe_unused]] Observer* const observer = block_->observer();
  while (budget != 0) {
    if (pc_ >= stop_) {
      schedule();
      if (state_ != State::kRunnable) return budget;
    }
    do {
      const std::uint32_t pc = pc_;
      const Inst& inst = code[pc];
      executing_pc_ = pc;
      pc_ = pc + 1;
      mask_ = active_ & (predicates_[inst.guard] ^ inst.guard_flip);
      counters_.count(inst.klass, mask_);
      --budget;
      if constexpr (kByLine) profile_->begin(pc, mask_, counters_.memory);
      if constexpr (kChecked) {
        if (observer->looks_at(pc) || observer->watches_registers(*this))
          observer->step(*this, pc, active_);
      }
      if (mask_ != 0) inst.run(*this, inst);
      if constexpr (kByLine) profile_->end(pc, counters_.memory);
    } while (pc_ < stop_ && budget != 0);
    if (yields_) {
      yields_ = false;
      return budget;
    }
  }
  return 0;
}

std::uint32_t Warp::run(std::uint32_t budget) {
  spins_ = false;
  polls_ = 0;
  if (block_->observer() != nullptr)
    return profile_ == nullptr ? run_loop<false, true>(budget) : run_loop<true, true>(budget);
  return profile_ == nullptr ? run_loop<false, false>(budget) : run_loop<true, false>(budget);
}

void Warp::split(std::uint32_t lanes, std::uint32_t pc) {
  active_ &= ~lanes;
  groups_[current_].mask = active_;
  groups_.push_back({pc, lanes, frame_});
  ++frames_[frame_]->users;
  reschedule();
}

// Lanes that jump leave the group unless all of them jump; only a backward jump can be part of a
// spin loop.
void Warp::branch(std::uint32_t target) {
  if (mask_ != active_) {
    split(mask_, target);
  } else {
    pc_ = target;
  }
  if (polled_ && target <= executing_pc_) {
    polled_ = false;
    if (++polls_ == kSpinTurns && block_->context().seed != 1) {
      spins_ = true;
      yield();
    }
  }
  if (target <= executing_pc_ && groups_.size() > 1) {
    const std::uint32_t cost = touched_shared_state_ ? kSpinCost : 1;
    touched_shared_state_ = false;
    if (patience_ <= cost) {
      favoured_ = true;
      reschedule();
    } else {
      patience_ -= cost;
    }
  }
}

// Makes a new group for every distinct target.
void Warp::branch_indexed(const std::uint32_t* targets, std::uint32_t count,
                          const std::uint32_t* index) {
  std::uint32_t left = mask_;
  while (left != 0) {
    const std::uint32_t value = index[std::countr_zero(left)];
    std::uint32_t same = 0;
    for (std::uint32_t lane = 0; lane < kWarpSize; ++lane) {
      if ((left >> lane & 1) != 0 && index[lane] == value) same |= 1u << lane;
    }
    left &= ~same;
    if (value < count)
      split(same, targets[value]);  // an index past the table falls through, as on the hardware
  }
}

void Warp::exit_lanes() {
  live_ &= ~mask_;
  active_ &= ~mask_;
  groups_[current_].mask = active_;
  reschedule();
  block_->lanes_exited(*this);
}

// The lanes of the mask enter a new frame; the other lanes of the group stay at the next
// instruction.
void Warp::call(const CallSite& site, std::uint32_t function) {
  const Function& callee = program_->functions[function];
  const std::uint32_t caller = frame_;
  if (frames_[caller]->depth + 1 >= kMaxCallDepth) {
    throw KernelFault{
        FindingKind::kTrap,
        fmt::format("calls nested deeper than {} in '{}' at {{place}}; bound the recursion",
                    kMaxCallDepth, callee.name)};
  }
  const std::uint32_t index = make_frame(callee);
  Frame& to = *frames_[index];
  Frame& from = *frames_[caller];
  to.parent = caller;
  to.return_pc = pc_;
  to.call = &site;
  to.depth = from.depth + 1;
  to.local_base = from.local_base + (from.function->local_bytes + 15) / 16 * 16;
  to.users = 1;
  ++from.users;
  if (callee.local_bytes != 0) local(0, to.local_base + callee.local_bytes);
  for (std::uint32_t lane = 0; lane < kWarpSize; ++lane) {
    if ((mask_ >> lane & 1) == 0) continue;
    for (const CallSite::Copy& copy : site.arguments) {
      std::memcpy(to.params.data() + lane * callee.param_bytes + copy.to,
                  from.params.data() + lane * from.function->param_bytes + copy.from, copy.bytes);
    }
  }
  if (Observer* observer = block_->observer()) observer->enter_function(*this, to);
  active_ &= ~mask_;
  groups_[current_].mask = active_;
  groups_.push_back({callee.first_pc, mask_, index});
  reschedule();
}

// Returns to the caller's frame, where the group merges with lanes that are already there.
void Warp::ret() {
  Frame& from = *frames_[frame_];
  if (from.depth == 0) {
    exit_lanes();
    return;
  }
  Frame& to = *frames_[from.parent];
  for (std::uint32_t lane = 0; lane < kWarpSize; ++lane) {
    if ((mask_ >> lane & 1) == 0) continue;
    for (const CallSite::Copy& copy : from.call->returns) {
      std::memcpy(to.params.data() + lane * to.function->param_bytes + copy.to,
                  from.params.data() + lane * from.function->param_bytes + copy.from, copy.bytes);
    }
  }
  active_ &= ~mask_;
  groups_[current_].mask = active_;
  groups_.push_back({from.return_pc, mask_, from.parent});
  ++to.users;
  reschedule();
}

// Each lane's local memory is contiguous and grows with the deepest call so far.
std::byte* Warp::local(std::uint32_t lane, std::size_t bytes) {
  if (bytes > local_stride_) {
    if (bytes > kMaxLocalBytes) {
      throw KernelFault{
          FindingKind::kOutOfBounds,
          fmt::format(
              "local memory of a thread grew past {} bytes at {{place}}; bound the recursion or "
              "move the array to shared memory",
              kMaxLocalBytes)};
    }
    const std::size_t stride = (std::max(bytes, local_stride_ * 2) + 63) / 64 * 64;
    std::vector<std::byte> grown(stride * kWarpSize);
    for (std::size_t l = 0; l < kWarpSize && local_stride_ != 0; ++l) {
      std::memcpy(grown.data() + l * stride, local_.data() + l * local_stride_, local_stride_);
    }
    local_ = std::move(grown);
    local_stride_ = stride;
  }
  return local_.data() + lane * local_stride_;
}

std::size_t Warp::local_limit() {
  const Frame& current = frame();
  return current.local_base + current.function->local_bytes;
}

}  // namespace warpwright::emu
