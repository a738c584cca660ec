#include "device/cuda/sampler.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "core/error.h"

namespace warpwright::cuda {
namespace {

using std::chrono::microseconds;
using std::chrono::milliseconds;
using std::chrono::nanoseconds;

constexpr nanoseconds kShortestSpin = microseconds(20);
constexpr nanoseconds kLongestSpin = milliseconds(2);
// Work queued at a time: far below the driver's queue (about 1024 entries), whose filling up would
// stall the host.
constexpr int kQueueEntries = 256;
constexpr int kLargestBatch = 32;
constexpr double kBatchUs = 50e3;
// A correct kernel that ran before does not hang, so this only has to be longer than any batch.
constexpr milliseconds kShortestHang{10'000};

double median_of(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

void fail(Samples& samples, const LaunchResult& failure) {
  samples.status = failure.status;
  samples.reason = failure.reason;
  samples.device_lost = failure.device_lost;
}

}  // namespace

Sampler::Sampler(std::shared_ptr<Context> context, std::shared_ptr<const Module> helpers,
                 Nvml::Gpu gpu, std::size_t l2_bytes)
    : context_(std::move(context)),
      helpers_(std::move(helpers)),
      gpu_(std::move(gpu)),
      evict_bytes_(2 * l2_bytes) {
  spin_launch_.module = helpers_;
  spin_launch_.entry = "ww_spin";
  spin_launch_.arguments.emplace_back(sizeof(std::uint64_t));
  LaunchResult failure;
  spin_prepared_ = PreparedLaunch::prepare(*context_, spin_launch_, failure);
  if (!spin_prepared_) throw environment_error("preparing the spin kernel: " + failure.reason);
}

CUresult Sampler::queue_spin(Clock::duration length) {
  const auto ns =
      static_cast<std::uint64_t>(std::chrono::duration_cast<nanoseconds>(length).count());
  // The driver copies the parameters during the launch call, so the same bytes serve every spin.
  std::memcpy(spin_launch_.arguments.front().data(), &ns, sizeof ns);
  return spin_prepared_->enqueue(*context_);
}

CUresult Sampler::queue_one(std::vector<PreparedLaunch>& launches, const SampleRequest& request,
                            Timed& timed) {
  const auto& fn = context_->fn();
  for (const RestoreCopy& restore : request.restore) {
    const CUresult result = fn.copy_on_device(restore.to->address(), restore.from->address(),
                                              restore.bytes, context_->stream());
    if (result != CUDA_SUCCESS) return context_->note(result);
  }
  if (request.evict_l2) {
    const CUresult result =
        fn.memset_d32(evict_->address(), 0, evict_bytes_ / 4, context_->stream());
    if (result != CUDA_SUCCESS) return context_->note(result);
  }
  const auto queued_from = Clock::now();
  CUresult result = queue_spin(timed.spin);
  if (result == CUDA_SUCCESS) result = timed.start->record();
  for (PreparedLaunch& launch : launches) {
    if (result == CUDA_SUCCESS) result = launch.enqueue(*context_);
  }
  if (result == CUDA_SUCCESS) result = timed.end->record();
  timed.queueing = Clock::now() - queued_from;
  return result;
}

bool Sampler::finish(Samples& samples, milliseconds limit) {
  const CUresult result = context_->wait(limit);
  if (result == CUDA_SUCCESS) return true;
  if (result == CUDA_ERROR_NOT_READY) {
    context_->mark_lost();
    samples.status = Status::kTimeout;
    samples.reason = fmt::format("did not finish within {} ms while being timed", limit.count());
    samples.device_lost = true;
  } else {
    fail(samples, launch_failure(*context_, result, "timing the launches"));
  }
  return false;
}

Samples Sampler::collect(std::span<const DeviceLaunch> launches, const SampleRequest& request) {
  Samples samples;
  LaunchResult failure;
  std::vector<PreparedLaunch> prepared;
  for (const DeviceLaunch& launch : launches) {
    std::optional<PreparedLaunch> one = PreparedLaunch::prepare(*context_, launch, failure);
    if (!one) {
      fail(samples, failure);
      return samples;
    }
    prepared.push_back(std::move(*one));
  }
  const milliseconds hang_limit = std::max(kShortestHang, 2 * request.time_limit);
  const int entries = 4 + static_cast<int>(launches.size() + request.restore.size());
  const int largest_batch = std::clamp(kQueueEntries / entries, 1, kLargestBatch);

  std::vector<Timed> batch;
  for (int i = 0; i < largest_batch; ++i) {
    batch.push_back({std::make_unique<Event>(context_), std::make_unique<Event>(context_), {}, {}});
  }
  const auto start = Clock::now();
  std::vector<double> doubtful;  // queued too slowly; used only when nothing better was had
  double one_us = 0;             // wall time of one whole sample; 0 until the warm-up told
  bool warm = false;
  int attempts_left = 2 * request.samples + 8;
  while (static_cast<int>(samples.elapsed_us.size()) < request.samples && attempts_left > 0) {
    const int missing = request.samples - static_cast<int>(samples.elapsed_us.size());
    const int affordable = one_us > 0 ? static_cast<int>(std::min(kBatchUs / one_us, 1e6)) : 1;
    const int size = std::clamp(std::min(missing, affordable), 1, largest_batch);
    const auto batch_start = Clock::now();
    for (int i = 0; i < size; ++i) {
      batch[i].spin = spin_;
      if (const CUresult result = queue_one(prepared, request, batch[i]); result != CUDA_SUCCESS) {
        fail(samples, launch_failure(*context_, result, "timing " + prepared.front().describe()));
        if (!context_->lost()) (void)context_->wait(hang_limit);
        return samples;
      }
      // The next spin is twice the slowest queueing seen, and shrinks slowly, so that one slow call
      // is not forgotten.
      const auto wanted =
          std::max<Clock::duration>(2 * batch[i].queueing + microseconds(10), spin_ * 9 / 10);
      spin_ = std::clamp<Clock::duration>(wanted, kShortestSpin, kLongestSpin);
    }
    if (warm && !clock_mhz_) clock_mhz_ = gpu_.sm_clock_mhz();
    if (!finish(samples, hang_limit)) return samples;
    one_us = std::chrono::duration<double, std::micro>(Clock::now() - batch_start).count() / size;
    if (!warm) {  // the first sample is the warm-up: it loads the kernels and is thrown away
      warm = true;
      continue;
    }
    attempts_left -= size;
    for (int i = 0; i < size; ++i) {
      const double elapsed_us = batch[i].end->since_us(*batch[i].start);
      (batch[i].queueing <= batch[i].spin ? samples.elapsed_us : doubtful).push_back(elapsed_us);
    }
    const bool any = !samples.elapsed_us.empty() || !doubtful.empty();
    if (any && Clock::now() - start > request.time_limit) break;
  }
  if (samples.elapsed_us.empty()) samples.elapsed_us = std::move(doubtful);
  return samples;
}

double Sampler::floor_us(bool evict_l2) {
  if (const auto known = floors_us_.find(evict_l2); known != floors_us_.end()) return known->second;
  constexpr int kFloorSamples = 51;
  DeviceLaunch empty;
  empty.module = helpers_;
  empty.entry = "ww_empty";
  SampleRequest request;
  request.samples = kFloorSamples;
  request.evict_l2 = evict_l2;
  const Samples samples = collect(std::span(&empty, 1), request);
  const double floor = samples.elapsed_us.empty() ? 0 : median_of(samples.elapsed_us);
  floors_us_[evict_l2] = floor;
  return floor;
}

Samples Sampler::sample(std::span<const DeviceLaunch> launches, const SampleRequest& request) {
  if (request.evict_l2 && !evict_)
    evict_ = std::make_unique<Buffer>(context_, evict_bytes_, "L2 eviction");
  const double floor = floor_us(request.evict_l2);
  clock_mhz_.reset();
  Samples samples = collect(launches, request);
  samples.protocol = request.evict_l2 ? "cold-events-1" : "hot-events-1";
  samples.floor_us = floor;
  samples.sm_clock_mhz = clock_mhz_.value_or(0);
  return samples;
}

}  // namespace warpwright::cuda
