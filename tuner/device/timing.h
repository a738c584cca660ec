// The timing of a device with a clock. A plan is made once for a sequence of launches (its graph is
// built then) and takes samples on request; several plans may take turns. Times are in
// microseconds and raw: `floor_us` is what the same protocol reads around an empty kernel, and
// reports of a time subtract it and keep both. Protocols have versioned names:
//   cold-graph-3           a graph of [prepare][evict][event][launches][event][checksum] for each
//                          sample; every fifth also holds an empty kernel between two events, for
//                          the floor. Preparing restores in-out arguments and module variables,
//                          poisons outputs and scratch with a pattern drawn for this sample, and
//                          overwrites shared memory. Evicting is [write 2 x L2][read 2 x L2][write
//                          `written_bytes`]: the launches find the same amount of dirty lines that
//                          they leave themselves
//   cold-graph-3-one-input-set
//                          the same, but every sample has the same inputs, because memory does not
//                          hold another set, or nothing in them is random
//   cold-events-3, cold-events-3-one-input-set
//                          the same on a stream, behind a spinning kernel; when a launch cannot be
//                          captured
//   hot-graph-1            launches back to back over the rotation's buffers: time per sequence
//   slope-graph-2          (t(4m) - t(m)) / 3m of graphs of m and 4m sequences, less the same of a
//                          kernel that writes one word: fixed costs cancel
//   end-to-end-1           host clock from the first launch call to completion, everything
//                          prepared
//   end-to-end-uncached-1  the same, with functions looked up, tensor maps encoded and launches
//                          prepared inside
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "records/status.h"

namespace warpwright {

class DeviceBuffer;
struct DeviceLaunch;

// Copies `bytes` of `from` back into `to`, so that in-out arguments start every sample with the
// same content.
struct RestoreCopy {
  DeviceBuffer* to = nullptr;
  const DeviceBuffer* from = nullptr;
  std::size_t bytes = 0;
};

// An output and its checksum after correct launches. `region` ends at a multiple of 8 bytes, so
// that a device can sum it without the host.
struct ExpectedOutput {
  std::string name;
  const DeviceBuffer* buffer = nullptr;
  std::size_t offset = 0;
  std::size_t bytes = 0;
  std::uint64_t checksum = 0;
};

// Bytes of a buffer; `offset` is a multiple of 16.
struct PoisonedRegion {
  DeviceBuffer* buffer = nullptr;
  std::size_t offset = 0;
  std::size_t bytes = 0;
};

using LaunchSequence = std::vector<DeviceLaunch>;

// The launches of one run and the memory that they work on.
struct TimedSequence {
  TimedSequence() = default;
  TimedSequence(LaunchSequence the_launches);  // NOLINT(google-explicit-constructor)
  LaunchSequence launches;
  // Memory that is restored, or overwritten with a pattern that changes from sample to sample,
  // before every sample and outside the timed region. Chains do this once, before their first
  // launch.
  std::vector<RestoreCopy> restore;
  std::vector<PoisonedRegion> poison;
  // Outputs that must have these checksums after samples. Empty if they may differ between runs.
  std::vector<ExpectedOutput> outputs;
  // Called after random samples if `outputs` is empty: returns why the results of the launches are
  // wrong; "" when they are right.
  std::function<std::string()> examine;
};

// kGap times no launch of the request, only empty kernels in chains: the gap between kernels.
enum class TimingMode { kCold, kHot, kSlope, kGap, kEndToEnd, kEndToEndUncached };

struct TimingRequest {
  TimingMode mode = TimingMode::kCold;
  // Equal work on other buffers. kHot and kSlope take them in turn. The other modes draw one at
  // random for every sample: they hold inputs of different content, so that no launch can reuse the
  // results of an earlier one.
  std::vector<TimedSequence> rotation;
  // Bytes that the launches write, for cold modes: they find this amount of L2 dirty. By default,
  // and from 2 x L2 on, they find all of it dirty.
  std::size_t written_bytes = std::numeric_limits<std::size_t>::max();
  // The approximate time of a sample; 0 when unknown. Samples of long kernels report their clock;
  // the first one does so only if it is known to be long.
  double expected_us = 0;
};

struct Samples {
  Status status = Status::kOk;
  std::string reason;
  bool device_lost = false;
  std::vector<double> elapsed_us;  // raw; one per sample: the whole sequence of launches
  // The actual SM clock during each of these samples, computed from cycles over time; 0 for samples
  // without it, and empty when it is never measured.
  std::vector<double> clock_mhz;
  std::uint64_t sequences = 0;  // kHot, kSlope: how often the sequence ran for these samples
  std::string protocol;
  bool disturbed = false;  // the clock moved while they were taken, despite cool-downs
  // Samples were taken with cool-downs, and each was judged by the clock that it reported: the
  // driver's clock before and after is no longer meaningful.
  bool paced = false;
  // The variation of the median of some twenty readings that their spread does not explain: a
  // standard deviation, from experience with the protocol. It is part of any interval; 0 when
  // unknown.
  double drift_us = 0;
  double units = 1;     // of work in a sample: all times here are for one unit
  double floor_us = 0;  // recent, of an empty kernel under the same protocol; 0 if none is needed
};

class TimingPlan {
 public:
  virtual ~TimingPlan() = default;
  // Takes at most `samples`; fewer, but at least one, when `time_limit` of wall time has passed. A
  // fault of the kernel is reported in the status.
  [[nodiscard]] virtual Samples take(int samples, std::chrono::milliseconds time_limit) = 0;
};

inline constexpr const char* kPowerCap = "power cap";

// The conditions under which samples are taken. Zero or empty if the device does not report them.
struct DeviceState {
  int sm_clock_mhz = 0;
  int memory_clock_mhz = 0;
  double power_w = 0;
  double temperature_c = 0;
  std::vector<std::string> slowdown;  // reasons for reduced clocks: "hardware power brake", ...
  std::vector<std::string> limits;    // normal states that bound the clock: kPowerCap, "idle"
  int other_processes = 0;
};

// Timed launches whose outputs differed from those of the validated launches: their number, and the
// failure reason of the configuration.
class WrongLaunches {
 public:
  // Records one launch sequence that was checked; `output` is the first wrong one, empty when all
  // are right.
  void note(const std::string& output) {
    ++seen_;
    if (output.empty()) return;
    ++wrong_;
    if (output_.empty()) output_ = output;
  }
  [[nodiscard]] bool none() const { return wrong_ == 0; }
  // Stores kWrongResult and the reason in the samples; always returns false.
  bool fail(Samples& samples) const;

 private:
  std::uint64_t seen_ = 0;
  std::uint64_t wrong_ = 0;
  std::string output_;
};

// The actual clock of a GPU's multiprocessors (SMs) while something ran is computed from stamps
// taken before and after it. The driver only reports the clock at the moment of the query, which
// misses a clock that falls for milliseconds.

// The stamp of one SM; zeros if no stamp was ever taken on it.
struct ClockStamp {
  std::uint64_t ns = 0;      // from a clock that all SMs share
  std::uint64_t cycles = 0;  // of the SM
};

// MHz: the median over SMs of cycles over time between the stamps of one index. Blocks that take
// stamps run on arbitrary SMs, so an SM may hold an older stamp than others: such SMs do not count.
// 0 when none is left.
[[nodiscard]] double clock_between(std::span<const ClockStamp> before,
                                   std::span<const ClockStamp> after);

}  // namespace warpwright
