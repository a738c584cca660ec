// How a device with a clock is timed. A plan is made once for a sequence of launches (its graph is
// built then) and takes samples as often as it is asked; several plans may take turns. Times are in
// microseconds and raw: `floor_us` is what the same protocol reads around an empty kernel, and
// reports of a time subtract it and keep both. Protocols have versioned names:
//   cold-graph-3           a graph of [prepare][evict][event][launches][event][checksum] per
//   sample;
//                          every fifth holds an empty kernel between two events as well, for the
//                          floor. Preparing restores in-out arguments and module variables, poisons
//                          outputs and scratch with a pattern drawn for this sample, and overwrites
//                          shared memory. Evicting is [write 2 x L2][read 2 x L2][write
//                          `written_bytes`]: what the launches find dirty is as much as they leave
//                          dirty themselves
//   cold-graph-3-one-input-set
//                          the same where every sample has the same inputs: memory does not hold
//                          another set, or nothing in them is random
//   cold-events-3, cold-events-3-one-input-set
//                          the same on a stream, behind a spinning kernel; when a launch cannot be
//                          captured
//   hot-graph-1            launches back to back over the rotation's buffers: time per sequence
//   slope-graph-1          (t(4m) - t(m)) / 3m of graphs of m and 4m sequences: fixed costs cancel
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
#include <string>
#include <vector>

#include "records/status.h"

namespace warpwright {

class DeviceBuffer;
struct DeviceLaunch;

// Puts `bytes` of `from` back into `to`: how in-out arguments start every sample from the same
// content.
struct RestoreCopy {
  DeviceBuffer* to = nullptr;
  const DeviceBuffer* from = nullptr;
  std::size_t bytes = 0;
};

// An output and the checksum that right launches leave there. `region` ends at a multiple of 8
// bytes, so that a device can sum it without the host.
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
  // Before every sample, outside the timed region: what is put back, and what is overwritten with a
  // pattern that changes from sample to sample. Chains do so once, before their first launch.
  std::vector<RestoreCopy> restore;
  std::vector<PoisonedRegion> poison;
  // After samples: outputs that must have these checksums. Empty where they may differ between
  // runs.
  std::vector<ExpectedOutput> outputs;
  // After random samples, where `outputs` is empty: why what the launches left is wrong; "" when it
  // is right.
  std::function<std::string()> examine;
};

enum class TimingMode { kCold, kHot, kSlope, kEndToEnd, kEndToEndUncached };

struct TimingRequest {
  TimingMode mode = TimingMode::kCold;
  // Equal work on other buffers. kHot and kSlope take them in turn. The other modes draw one at
  // random for every sample: they hold inputs of different content, so that nothing which an
  // earlier launch computed serves a later one.
  std::vector<TimedSequence> rotation;
  // Bytes that the launches write, for cold modes: so much of L2 they find dirty. By default, and
  // from 2 x L2 on, all of it.
  std::size_t written_bytes = std::numeric_limits<std::size_t>::max();
  // What a sample takes, roughly; 0 where nobody knows. Samples of long kernels tell their clock,
  // and the first one only where it is known to be long.
  double expected_us = 0;
};

struct Samples {
  Status status = Status::kOk;
  std::string reason;
  bool device_lost = false;
  std::vector<double> elapsed_us;  // raw; one per sample: the whole sequence of launches
  // What the SM clock really was during each of these samples, by its cycles over time; 0 where
  // that was not taken, and empty where it never is.
  std::vector<double> clock_mhz;
  std::uint64_t sequences = 0;  // kHot, kSlope: how often the sequence ran for these samples
  std::string protocol;
  bool disturbed =
      false;  // the clock moved while they were taken, although the device was given rests
  // With rests, each held against the clock that it told: what the driver says of the clock before
  // and after means nothing more.
  bool paced = false;
  // How far the median of some twenty readings moves by itself, whatever their spread: a standard
  // deviation, from experience with the protocol. Part of any interval. 0 where nothing is
  // known.
  double wander_us = 0;
  double units = 1;  // of work in what a sample runs: all times here are those of one
  double floor_us =
      0;  // of an empty kernel under the same protocol, recently; 0 where none is needed
};

class TimingPlan {
 public:
  virtual ~TimingPlan() = default;
  // At most `samples`; fewer, but at least one, when `time_limit` of wall time has passed. A fault
  // of the kernel is in the status.
  [[nodiscard]] virtual Samples take(int samples, std::chrono::milliseconds time_limit) = 0;
};

inline constexpr const char* kPowerCap = "power cap";

// What else goes on while samples are taken. Zeros and empty where the device cannot tell.
struct DeviceState {
  int sm_clock_mhz = 0;
  int memory_clock_mhz = 0;
  double power_w = 0;
  double temperature_c = 0;
  std::vector<std::string> slowdown;  // why clocks are held down: "hardware power brake", ...
  std::vector<std::string> limits;    // normal states that bound the clock: kPowerCap, "idle"
  int other_processes = 0;
};

}  // namespace warpwright
