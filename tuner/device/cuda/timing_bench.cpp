#include "device/cuda/timing_bench.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "core/error.h"
#include "stats/median.h"

namespace warpwright::cuda {
namespace {

// A correct kernel that ran before does not hang, so this only has to be longer than any batch.
constexpr std::chrono::milliseconds kHangLimit{10'000};
// How many places readings are spread over; 8 already average out a shift of 0.2 us.
constexpr std::size_t kPlaces = 32;
// Long enough for a steady median, short enough to follow a clock that drifts.
constexpr std::size_t kFloorWindow = 256;

std::optional<PreparedLaunch> prepare_helper(Context& context, const DeviceLaunch& launch) {
  LaunchResult failure;
  std::optional<PreparedLaunch> prepared = PreparedLaunch::prepare(context, launch, failure);
  if (!prepared)
    throw environment_error(fmt::format("preparing {}: {}", launch.entry, failure.reason));
  return prepared;
}

}  // namespace

TimingBench::TimingBench(std::shared_ptr<Context> context, std::shared_ptr<const Module> helpers,
                         std::size_t l2_bytes)
    : context_(std::move(context)), helpers_(std::move(helpers)), evict_bytes_(2 * l2_bytes) {
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

void TimingBench::allocate_evict_buffer() {
  if (!evict_) evict_ = std::make_unique<Buffer>(context_, evict_bytes_, "L2 eviction");
}

CUresult TimingBench::queue_evict() {
  WARPWRIGHT_CHECK(evict_ != nullptr, "the eviction buffer is made before it is written");
  return context_->note(
      context_->fn().memset_d32(evict_->address(), 0, evict_bytes_ / 4, context_->stream()));
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
