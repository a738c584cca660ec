#include "device/cuda/timing_bench.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "core/error.h"
#include "device/clock_stamp.h"
#include "device/cuda/helper_kernels.h"
#include "stats/median.h"

namespace warpwright::cuda {
namespace {

// A correct kernel that ran before does not hang, so this only has to be longer than any batch.
constexpr std::chrono::milliseconds kHangLimit{10'000};
// How many places readings are spread over; 8 already average out a shift of 0.2 us.
constexpr std::size_t kPlaces = 32;
// Long enough for a steady median, short enough to follow a clock that drifts.
constexpr std::size_t kFloorWindow = 256;
// Enough for reads at the speed of memory.
constexpr std::size_t kReadingBlocksPerSm = 8;

std::optional<PreparedLaunch> prepare_helper(Context& context, const DeviceLaunch& launch) {
  LaunchResult failure;
  std::optional<PreparedLaunch> prepared = PreparedLaunch::prepare(context, launch, failure);
  if (!prepared)
    throw environment_error(fmt::format("preparing {}: {}", launch.entry, failure.reason));
  return prepared;
}

void add_argument(DeviceLaunch& launch, std::uint64_t value) {
  std::vector<std::byte>& argument = launch.arguments.emplace_back(sizeof value);
  std::memcpy(argument.data(), &value, sizeof value);
}

}  // namespace

TimingBench::TimingBench(std::shared_ptr<Context> context, std::shared_ptr<const Module> helpers,
                         std::size_t l2_bytes, int sm_count)
    : context_(std::move(context)),
      helpers_(std::move(helpers)),
      evict_bytes_(2 * l2_bytes),
      sm_count_(static_cast<std::size_t>(sm_count)) {
  spin_launch_.module = helpers_;
  spin_launch_.entry = "ww_spin";
  spin_launch_.arguments.emplace_back(sizeof(std::uint64_t));
  empty_launch_.module = helpers_;
  empty_launch_.entry = "ww_empty";
  empty_launch_.arguments.emplace_back(sizeof(std::uint64_t));
  spin_ = prepare_helper(*context_, spin_launch_);
  empty_ = prepare_helper(*context_, empty_launch_);
}

Interval& TimingBench::any_interval() {
  // All made at once, so that they lie apart.
  while (intervals_.size() < kPlaces) intervals_.push_back(std::make_unique<Interval>(context_));
  std::size_t pick = random_.below(static_cast<std::uint32_t>(kPlaces - 1));
  if (pick >= last_interval_) ++pick;
  last_interval_ = pick;
  return *intervals_[pick];
}

void TimingBench::make_room() {
  if (graphs_.size() < kPlaces) return;
  const std::size_t pick = random_.below(static_cast<std::uint32_t>(graphs_.size()));
  std::swap(graphs_[pick], graphs_.back());
  graphs_.pop_back();
}

void TimingBench::park(std::unique_ptr<Graph> graph) { graphs_.push_back(std::move(graph)); }

std::optional<PreparedSequence> TimingBench::prepare(const LaunchSequence& sequence,
                                                     LaunchResult& failure) {
  PreparedSequence prepared;
  for (const DeviceLaunch& launch : sequence) {
    std::optional<PreparedLaunch> one = PreparedLaunch::prepare(*context_, launch, failure);
    if (!one) return std::nullopt;
    prepared.push_back(std::move(*one));
  }
  return prepared;
}

bool TimingBench::pins_l2(const LaunchSequence& sequence) {
  return std::any_of(sequence.begin(), sequence.end(), [](const DeviceLaunch& launch) {
    const auto* module = dynamic_cast<const Module*>(launch.module.get());
    return module != nullptr && module->pins_l2();
  });
}

bool TimingBench::have_run(const LaunchSequence& sequence) {
  return !sequence.empty() &&
         std::all_of(sequence.begin(), sequence.end(), [](const DeviceLaunch& launch) {
           const auto* module = dynamic_cast<const Module*>(launch.module.get());
           return module != nullptr && module->has_run(launch.entry);
         });
}

CUresult TimingBench::queue(PreparedSequence& sequence) {
  for (PreparedLaunch& launch : sequence) {
    if (const CUresult result = launch.enqueue(*context_); result != CUDA_SUCCESS) return result;
  }
  return CUDA_SUCCESS;
}

CUresult TimingBench::queue_restores(const std::vector<RestoreCopy>& restores) {
  for (const RestoreCopy& restore : restores) {
    const CUresult result = context_->note(context_->fn().copy_on_device(
        restore.to->address(), restore.from->address(), restore.bytes, context_->stream()));
    if (result != CUDA_SUCCESS) return result;
  }
  return CUDA_SUCCESS;
}

void TimingBench::allocate_buffers() {
  if (!evict_) evict_ = std::make_unique<Buffer>(context_, evict_bytes_, "L2 eviction");
  if (!clean_) {
    sum_ = std::make_unique<Buffer>(context_, sizeof(std::uint64_t), "a sum of what was read");
    auto clean = std::make_unique<Buffer>(context_, evict_bytes_, "clean lines for L2");
    context_->require(
        context_->fn().memset_d32(clean->address(), 0, evict_bytes_ / 4, context_->stream()),
        "clearing what L2 is cleaned with");
    read_launch_.module = helpers_;
    read_launch_.entry = "ww_checksum";
    read_launch_.grid[0] = static_cast<std::uint32_t>(kReadingBlocksPerSm * sm_count_);
    read_launch_.block[0] = kChecksumThreads;
    add_argument(read_launch_, clean->address());
    add_argument(read_launch_, evict_bytes_ / sizeof(std::uint64_t));
    add_argument(read_launch_, sum_->address());
    read_ = prepare_helper(*context_, read_launch_);
    // Loads its code, which no capture may.
    context_->require(read_->enqueue(*context_), "reading what L2 is cleaned with");
    clean_ = std::move(clean);
  }
  if (stamps_) return;
  const std::size_t bytes = sm_count_ * sizeof(ClockStamp);
  stamps_ = std::make_unique<Buffer>(context_, 2 * bytes, "clock stamps");
  context_->require(
      context_->fn().memset_d32(stamps_->address(), 0, 2 * bytes / 4, context_->stream()),
      "clearing the clock stamps");
  const auto prepare_stamp = [&](DeviceLaunch& launch, std::uint64_t address) {
    launch.module = helpers_;
    launch.entry = "ww_stamp";
    launch.grid[0] = static_cast<std::uint32_t>(sm_count_);
    add_argument(launch, address);
    add_argument(launch, sm_count_);
    return prepare_helper(*context_, launch);
  };
  before_ = prepare_stamp(before_launch_, stamps_->address());
  after_ = prepare_stamp(after_launch_, stamps_->address() + bytes);
}

CUresult TimingBench::queue_stamp(Stamp stamp) {
  WARPWRIGHT_CHECK(stamps_ != nullptr, "the buffer of stamps is made before it is written");
  return (stamp == Stamp::kBefore ? before_ : after_)->enqueue(*context_);
}

double TimingBench::clock_between_stamps_mhz() {
  std::vector<ClockStamp> stamps(2 * sm_count_);
  const std::size_t bytes = stamps.size() * sizeof(ClockStamp);
  CUresult result = context_->note(
      context_->fn().copy_to_host(stamps.data(), stamps_->address(), bytes, context_->stream()));
  if (result == CUDA_SUCCESS) result = context_->wait(kHangLimit);
  if (result != CUDA_SUCCESS) return 0;
  const std::span<const ClockStamp> all(stamps);
  return clock_between(all.first(sm_count_), all.subspan(sm_count_));
}

CUresult TimingBench::queue_evict(std::size_t dirty_bytes) {
  WARPWRIGHT_CHECK(evict_ && clean_, "the eviction buffers are made before they are used");
  const auto write = [&](std::size_t bytes) {
    return context_->note(
        context_->fn().memset_d32(evict_->address(), 0, bytes / 4, context_->stream()));
  };
  CUresult result = write(evict_bytes_);
  if (result != CUDA_SUCCESS || dirty_bytes >= evict_bytes_) return result;
  result = read_->enqueue(*context_);
  // Never nothing, so that what is timed always follows the same kind of node.
  const std::size_t words = std::max<std::size_t>(1, (dirty_bytes + 3) / 4);
  return result == CUDA_SUCCESS ? write(4 * words) : result;
}

CUresult TimingBench::queue_empty() { return empty_->enqueue(*context_); }

CUresult TimingBench::queue_spin(std::chrono::nanoseconds length) {
  const auto ns = static_cast<std::uint64_t>(length.count());
  // The driver copies the parameters during the launch call, so the same bytes serve every spin.
  std::memcpy(spin_launch_.arguments.front().data(), &ns, sizeof ns);
  return spin_->enqueue(*context_);
}

CUresult TimingBench::reset_persisting_lines() {
  return context_->note(context_->fn().reset_persisting_l2());
}

bool TimingBench::finish(Samples& samples, const std::string& doing) {
  const CUresult result = context_->wait(kHangLimit);
  if (result == CUDA_SUCCESS) return true;
  if (result == CUDA_ERROR_NOT_READY) {
    context_->mark_lost();
    samples.status = Status::kTimeout;
    samples.reason =
        fmt::format("did not finish within {} ms while being timed", kHangLimit.count());
    samples.device_lost = true;
  } else {
    fail(samples, result, doing);
  }
  return false;
}

void TimingBench::fail(Samples& samples, CUresult result, const std::string& doing) {
  fail(samples, launch_failure(*context_, result, doing));
}

void TimingBench::fail(Samples& samples, const LaunchResult& failure) {
  samples.status = failure.status;
  samples.reason = failure.reason;
  samples.device_lost = failure.device_lost;
}

void TimingBench::note_floor(const std::string& protocol, double elapsed_us) {
  std::deque<double>& window = floors_us_[protocol];
  window.push_back(elapsed_us);
  if (window.size() > kFloorWindow) window.pop_front();
}

std::size_t TimingBench::floors_known(const std::string& protocol) const {
  const auto found = floors_us_.find(protocol);
  return found == floors_us_.end() ? 0 : found->second.size();
}

double TimingBench::floor_us(const std::string& protocol) const {
  const auto found = floors_us_.find(protocol);
  if (found == floors_us_.end() || found->second.empty()) return 0;
  std::vector<double> window(found->second.begin(), found->second.end());
  return median_in_place(window);
}

}  // namespace warpwright::cuda
