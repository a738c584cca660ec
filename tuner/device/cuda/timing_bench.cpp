#include "device/cuda/timing_bench.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <random>
#include <utility>

#include "core/error.h"
#include "device/cuda/helper_kernels.h"
#include "device/timing.h"
#include "stats/median.h"

namespace warpwright::cuda {
namespace {

// A correct kernel that ran before does not hang, so this only has to be longer than any batch.
constexpr std::chrono::milliseconds kHangLimit{10'000};
// The number of places over which readings are spread; 8 already average out a shift of 0.2 us.
constexpr std::size_t kPlaces = 32;
// The words of queue_store(): one in each of many lines, because the end of a kernel waits for its
// stores, and how long they take depends on the part of L2 that they go to.
constexpr std::size_t kWords = 64;
constexpr std::size_t kWordStride = 16384 + 128;
// Enough blocks to read at the speed of memory.
constexpr std::size_t kReadingBlocksPerSm = 8;

// The number of checksums that fit before they have to be compared.
constexpr std::size_t kSums = 4096;
// No kernel has more outputs, because the driver allows fewer parameters.
constexpr std::size_t kMaxOutputs = 1024;
// On average outputs are summed after one sample in this number, and large ones more rarely.
constexpr std::size_t kSummedEvery = 4;
constexpr std::size_t kLargeSummedEvery = 8;
constexpr std::size_t kLargeBytes = std::size_t{16} << 20;

std::uint64_t seed_from_the_system() {
  std::random_device device;
  return std::uint64_t{device()} << 32 | device();
}

std::optional<PreparedLaunch> prepare_helper(Context& context, const DeviceLaunch& launch) {
  LaunchResult failure;
  std::optional<PreparedLaunch> prepared = PreparedLaunch::prepare(context, launch, failure);
  if (!prepared)
    throw environment_error(fmt::format("preparing {}: {}", launch.entry, failure.reason));
  return prepared;
}

template <typename Value>
void add_argument(DeviceLaunch& launch, Value value) {
  std::vector<std::byte>& argument = launch.arguments.emplace_back(sizeof value);
  std::memcpy(argument.data(), &value, sizeof value);
}

}  // namespace

TimingBench::TimingBench(std::shared_ptr<Context> context, std::shared_ptr<const Module> helpers,
                         std::size_t l2_bytes, int sm_count, std::size_t shared_bytes,
                         std::size_t threads_per_sm)
    : context_(std::move(context)),
      helpers_(std::move(helpers)),
      evict_bytes_(2 * l2_bytes),
      sm_count_(static_cast<std::size_t>(sm_count)),
      shared_bytes_(shared_bytes),
      threads_per_sm_(threads_per_sm),
      unforeseen_(seed_from_the_system()) {
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
  // All are made at once, so that they lie at different places.
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

CUresult TimingBench::queue_variables(const PreparedSequence& sequence) {
  for (const PreparedLaunch& launch : sequence) {
    const auto& module = dynamic_cast<const Module&>(*launch.source().module);
    for (const VariableContent& content : launch.source().variables) {
      if (const CUresult result = module.write(content); result != CUDA_SUCCESS) return result;
    }
  }
  return CUDA_SUCCESS;
}

std::unique_ptr<PreparedState> TimingBench::prepare_state(const TimedSequence& sequence) {
  std::vector<std::uint64_t> table;
  const auto add = [&](std::uint64_t to, std::uint64_t from, std::size_t bytes) {
    table.insert(table.end(), {to, from, bytes});
  };
  for (const RestoreCopy& copy : sequence.restore)
    add(copy.to->address(), copy.from->address(), copy.bytes);
  for (const PoisonedRegion& region : sequence.poison)
    add(region.buffer->address() + region.offset, 0, region.bytes);
  for (const StatePart* part : state_of(sequence.launches))
    add(part->address, part->pristine, part->bytes);
  const std::uint64_t entries = table.size() / 3;

  auto state = std::make_unique<PreparedState>();
  state->table = put_table(table);
  DeviceLaunch& launch = state->launch;
  launch.module = helpers_;
  launch.entry = "ww_prepare";
  launch.grid[0] = static_cast<std::uint32_t>(sm_count_);
  launch.block[0] = kPrepareThreads;
  // The maximum of a block, so that each SM runs one block and all of its shared memory is
  // overwritten.
  launch.dynamic_shared = static_cast<std::uint32_t>(shared_bytes_);
  add_argument(launch, state->table->address());
  add_argument(launch, std::uint64_t{0});
  add_argument(launch, std::uint32_t{0});
  add_argument(launch, launch.dynamic_shared / 4);
  state->prepared = prepare_helper(*context_, launch);
  if (!prepares_) {
    // A launch without entries loads the code, which must not happen in a capture.
    context_->require(state->prepared->enqueue(*context_), "loading what prepares samples");
    prepares_ = true;
  }
  std::memcpy(launch.arguments[1].data(), &entries, sizeof entries);
  prepare_local(sequence, *state);
  prepare_sums(sequence, *state);
  return state;
}

std::unique_ptr<Buffer> TimingBench::put_table(const std::vector<std::uint64_t>& table) {
  const std::size_t bytes = table.size() * sizeof(std::uint64_t);
  auto buffer = std::make_unique<Buffer>(context_, bytes, "a table of what samples work on");
  if (bytes == 0) return buffer;
  const std::string doing = "listing what samples work on";
  context_->require(
      context_->fn().copy_to_device(buffer->address(), table.data(), bytes, context_->stream()),
      doing);
  context_->require(context_->wait(kHangLimit), doing);
  return buffer;
}

void TimingBench::prepare_sums(const TimedSequence& sequence, PreparedState& state) {
  if (sequence.outputs.empty()) return;
  std::vector<std::uint64_t> table;
  std::uint64_t most = 0;
  for (const ExpectedOutput& output : sequence.outputs) {
    const std::uint64_t words = output.bytes / sizeof(std::uint64_t);
    table.insert(table.end(), {output.buffer->address() + output.offset, words});
    most = std::max(most, words);
  }
  state.outputs = put_table(table);
  DeviceLaunch& launch = state.sums_launch;
  launch.module = helpers_;
  launch.entry = "ww_checksums";
  launch.block[0] = kChecksumThreads;
  launch.grid[0] = static_cast<std::uint32_t>(
      std::clamp<std::uint64_t>(most / kChecksumThreads + 1, 1, kReadingBlocksPerSm * sm_count_));
  add_argument(launch, state.outputs->address());
  add_argument(launch, std::uint64_t{0});
  add_argument(launch, std::uint64_t{0});
  state.sums = prepare_helper(*context_, launch);
  if (!sums_up_) {
    // A launch without entries loads the code, which must not happen in a capture.
    context_->require(state.sums->enqueue(*context_), "loading what sums outputs");
    sums_up_ = true;
  }
  const std::uint64_t entries = sequence.outputs.size();
  std::memcpy(launch.arguments[1].data(), &entries, sizeof entries);
}

void TimingBench::prepare_local(const TimedSequence& sequence, PreparedState& state) {
  std::size_t frame = 0;
  for (const DeviceLaunch& launch : sequence.launches) {
    if (const std::optional<KernelResources> resources = launch.module->resources(launch.entry))
      frame = std::max(frame, static_cast<std::size_t>(resources->stack));
  }
  if (frame == 0) return;
  std::shared_ptr<const Module>& helper = local_helpers_[frame];
  if (!helper) {
    LaunchResult failure;
    helper = Module::load(context_, local_helper_ptx(frame), failure);
    if (!helper) throw environment_error("loading what overwrites local memory: " + failure.reason);
  }
  constexpr std::uint64_t kTogetherNs = 5000;  // until all blocks have begun
  DeviceLaunch& launch = state.local_launch;
  launch.module = helper;
  launch.entry = "ww_local";
  launch.grid[0] = static_cast<std::uint32_t>(
      sm_count_ * std::max<std::size_t>(threads_per_sm_ / kPrepareThreads, 1));
  launch.block[0] = kPrepareThreads;
  add_argument(launch, std::uint32_t{0});
  add_argument(launch, kTogetherNs);
  state.local = prepare_helper(*context_, launch);
  // This loads its code, which must not happen in a capture.
  context_->require(state.local->enqueue(*context_), "overwriting local memory");
}

CUresult TimingBench::queue_state(PreparedState& state) {
  constexpr std::size_t kPattern = 2;
  const auto pattern = static_cast<std::uint32_t>(unforeseen_.bits());
  // The driver copies the parameters during the launch call.
  std::memcpy(state.launch.arguments[kPattern].data(), &pattern, sizeof pattern);
  const CUresult result = state.prepared->enqueue(*context_);
  if (result != CUDA_SUCCESS || !state.local) return result;
  std::memcpy(state.local_launch.arguments.front().data(), &pattern, sizeof pattern);
  return state.local->enqueue(*context_);
}

CUresult TimingBench::queue_checks(const TimedSequence& sequence, PreparedState& state,
                                   bool always) {
  if (!state.sums) return CUDA_SUCCESS;
  std::size_t bytes = 0;
  for (const ExpectedOutput& output : sequence.outputs) bytes += output.bytes;
  const std::size_t every = bytes > kLargeBytes ? kLargeSummedEvery : kSummedEvery;
  // At least one in 2 * `every` samples is summed, so that a short series does not stay unchecked.
  const bool now = always || draw(every) == 0 || ++unchecked_ >= 2 * every;
  if (!now) return CUDA_SUCCESS;
  unchecked_ = 0;
  WARPWRIGHT_CHECK(sums_ && sums_used_ + sequence.outputs.size() <= kSums,
                   "there is room for the checksums of a sample");
  pending_.push_back({&sequence, sums_used_});
  const std::uint64_t place = sums_->address() + sums_used_ * sizeof(std::uint64_t);
  sums_used_ += sequence.outputs.size();
  // The driver copies the parameters during the launch call.
  std::memcpy(state.sums_launch.arguments.back().data(), &place, sizeof place);
  return state.sums->enqueue(*context_);
}

bool TimingBench::checks_hold(Samples& samples) {
  if (pending_.empty()) return true;
  const std::vector<PendingCheck> pending = std::exchange(pending_, {});
  std::vector<std::uint64_t> sums(std::exchange(sums_used_, 0));
  const std::size_t bytes = sums.size() * sizeof(std::uint64_t);
  CUresult result = context_->note(
      context_->fn().copy_to_host(sums.data(), sums_->address(), bytes, context_->stream()));
  if (result == CUDA_SUCCESS) {
    result = context_->note(
        context_->fn().memset_d32(sums_->address(), 0, bytes / 4, context_->stream()));
  }
  if (result != CUDA_SUCCESS) {
    fail(samples, result, "summing outputs");
    return false;
  }
  if (!finish(samples, "summing outputs")) return false;
  WrongLaunches wrong;
  for (const PendingCheck& check : pending) {
    const std::vector<ExpectedOutput>& outputs = check.sequence->outputs;
    const auto differs = [&](const ExpectedOutput& output) {
      const std::size_t at = check.first + static_cast<std::size_t>(&output - outputs.data());
      return sums[at] != output.checksum;
    };
    const auto first = std::find_if(outputs.begin(), outputs.end(), differs);
    wrong.note(first == outputs.end() ? "" : first->name);
  }
  return wrong.none() || wrong.fail(samples);
}

bool TimingBench::checks_full() const { return sums_used_ + kMaxOutputs > kSums; }

void TimingBench::drop_checks() {
  pending_.clear();
  const std::size_t bytes = std::exchange(sums_used_, 0) * sizeof(std::uint64_t);
  // Some may have been summed already, and sums are added up in place. The memory of a lost context
  // is gone.
  if (bytes > 0 && !context_->lost()) {
    (void)context_->note(
        context_->fn().memset_d32(sums_->address(), 0, bytes / 4, context_->stream()));
  }
}

void TimingBench::allocate_buffers() {
  if (!sums_) {
    sums_ = std::make_unique<Buffer>(context_, kSums * sizeof(std::uint64_t), "checksums");
    context_->require(context_->fn().memset_d32(sums_->address(), 0, kSums * 2, context_->stream()),
                      "clearing checksums");
  }
  if (!words_)
    words_ = std::make_unique<Buffer>(context_, kWords * kWordStride, "words to be written");
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
    // This loads its code, which must not happen in a capture.
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
  // At least one word is written, so that the timed launches always follow the same kind of node.
  const std::size_t words = std::max<std::size_t>(1, (dirty_bytes + 3) / 4);
  return result == CUDA_SUCCESS ? write(4 * words) : result;
}

CUresult TimingBench::queue_empty() { return queue_empty(0); }

CUresult TimingBench::queue_store(std::size_t i) {
  WARPWRIGHT_CHECK(words_ != nullptr, "buffers are allocated before a capture");
  return queue_empty(words_->address() + i % kWords * kWordStride);
}

CUresult TimingBench::queue_empty(std::uint64_t address) {
  // The driver copies the parameters during the launch call.
  std::memcpy(empty_launch_.arguments.front().data(), &address, sizeof address);
  return empty_->enqueue(*context_);
}

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

void TimingBench::note_floor(const std::string& protocol, double elapsed_us, std::size_t window) {
  std::deque<double>& latest = floors_us_[protocol];
  latest.push_back(elapsed_us);
  if (latest.size() > window) latest.pop_front();
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
