// The resources that the timing plans of one GPU share: the context, the helper kernels, the
// buffers that overwrite and clean L2, and recent times of an empty kernel under each cold
// protocol. Also the parts that every plan repeats: queue a sequence, wait for it, turn a fault
// into Samples.
#pragma once

#include <chrono>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "device/cuda/context.h"
#include "device/cuda/cuda_module.h"
#include "device/timing.h"
#include "stats/split_mix.h"

namespace warpwright::cuda {

using PreparedSequence = std::vector<PreparedLaunch>;

// The state in which samples of a sequence begin: a table on the device of the memory to restore
// and to overwrite, and the launch that does both.
struct PreparedState {
  std::unique_ptr<Buffer> table;
  DeviceLaunch launch;
  std::optional<PreparedLaunch> prepared;  // refers to `launch`
  // Overwrites local memory, for launches that use it.
  DeviceLaunch local_launch;
  std::optional<PreparedLaunch> local;
  // Sums the outputs after a sample, if there are any; its last argument is the place of the sums.
  std::unique_ptr<Buffer> outputs;
  DeviceLaunch sums_launch;
  std::optional<PreparedLaunch> sums;
};

// The place of the checksums of a sample's outputs.
struct PendingCheck {
  const TimedSequence* sequence = nullptr;
  std::size_t first = 0;  // place of the checksum of its first output
};

// A pair of events around something.
struct Interval {
  explicit Interval(const std::shared_ptr<Context>& context) : start(context), end(context) {}
  [[nodiscard]] double us() const { return end.since_us(start); }
  Event start, end;
};

class TimingBench {
 public:
  // `helpers` is the module of helper_kernels.h. Throws Error (environment) when those cannot run.
  TimingBench(std::shared_ptr<Context> context, std::shared_ptr<const Module> helpers,
              std::size_t l2_bytes, int sm_count, std::size_t shared_bytes,
              std::size_t threads_per_sm);
  TimingBench(const TimingBench&) = delete;
  TimingBench& operator=(const TimingBench&) = delete;

  [[nodiscard]] const std::shared_ptr<Context>& context() const { return context_; }

  // The placement of events and graph nodes in memory shifts readings by up to 0.2 us on an H200
  // during their lifetime, and objects that are made and dropped in turn get the same place each
  // time. Therefore events are drawn at random from many, and a random one of many parked graphs is
  // dropped before the next one is made: shifts become noise that samples average out. The latest
  // drawn event pair is never drawn again at once, so that two draws may be in use together.
  [[nodiscard]] Interval& any_interval();
  void make_room();
  void park(std::unique_ptr<Graph> graph);

  // Resolves the launches; nullopt, with the reason in `failure`, when the driver refuses one. The
  // sequence must outlive the result.
  [[nodiscard]] std::optional<PreparedSequence> prepare(const LaunchSequence& sequence,
                                                        LaunchResult& failure);
  // True when some launch of the sequence keeps lines in L2.
  [[nodiscard]] static bool pins_l2(const LaunchSequence& sequence);
  // True when every kernel of the sequence has run on this device, so that its code is there.
  [[nodiscard]] static bool have_run(const LaunchSequence& sequence);

  // Each queues on the stream and returns the first error, noted in the context.
  [[nodiscard]] CUresult queue(PreparedSequence& sequence);
  // Writes the contents that launches specify for variables of their modules.
  [[nodiscard]] CUresult queue_variables(const PreparedSequence& sequence);
  // Makes the state in which samples of the sequence begin. The sequence must outlive the result.
  // Must not be called during a capture.
  [[nodiscard]] std::unique_ptr<PreparedState> prepare_state(const TimedSequence& sequence);
  // Puts memory into that state: module state and the memory that the sequence restores get their
  // original content, outputs and scratch poisoned with a pattern drawn anew, shared memory
  // overwritten on every SM, and the local memory of every thread that can be resident.
  [[nodiscard]] CUresult queue_state(PreparedState& state);
  // A random number below `count`, which no kernel can foresee.
  [[nodiscard]] std::size_t draw(std::size_t count) {
    return unforeseen_.below(static_cast<std::uint32_t>(count));
  }
  // After a sample: queues the checksums of its outputs, but only for random samples, because that
  // costs as much as a short kernel; for every sample with `always`.
  [[nodiscard]] CUresult queue_checks(const TimedSequence& sequence, PreparedState& state,
                                      bool always = false);
  // Compares the checksums that were queued since the last call with the expected ones. Returns
  // false, with status and reason in `samples`, when one differs.
  [[nodiscard]] bool checks_hold(Samples& samples);
  // True when checks_hold() has to be called before another sample.
  [[nodiscard]] bool checks_full() const;
  // Forgets checksums that were queued since the last checks_hold(): after a failure, and when the
  // launches that compute them could not be captured.
  void drop_checks();
  // Evicts all previous content from L2. Afterwards `dirty_bytes` of the lines in L2, those written
  // last, have not been written back to memory yet.
  [[nodiscard]] CUresult queue_evict(std::size_t dirty_bytes);
  [[nodiscard]] CUresult queue_empty();
  // The same kernel, which now writes one word, as every useful kernel does. `i` selects the line
  // that the word lies in.
  [[nodiscard]] CUresult queue_store(std::size_t i);
  [[nodiscard]] CUresult queue_spin(std::chrono::nanoseconds length);
  // The SM clock between two stamps, in MHz: the median of cycles over time on the SMs that ran a
  // block of both. 0 when none did, and when the stamps could not be read.
  enum class Stamp { kBefore, kAfter };
  [[nodiscard]] CUresult queue_stamp(Stamp stamp);
  [[nodiscard]] double clock_between_stamps_mhz();
  // Resets the persisting L2 lines of any kernel to normal; takes effect before work queued later.
  [[nodiscard]] CUresult reset_persisting_lines();
  // Allocates the buffers of queue_evict() and queue_stamp(). Must not be called during a capture.
  void allocate_buffers();

  // Waits for the stream. Returns false, with status and reason in `samples`, when it failed or
  // hung.
  [[nodiscard]] bool finish(Samples& samples, const std::string& doing);
  // Stores the failure of `result` in `samples`.
  void fail(Samples& samples, CUresult result, const std::string& doing);
  static void fail(Samples& samples, const LaunchResult& failure);

  // The empty kernel's times under a protocol: the latest ones, at most `window`, whose median is
  // the floor.
  void note_floor(const std::string& protocol, double elapsed_us, std::size_t window);
  [[nodiscard]] std::size_t floors_known(const std::string& protocol) const;
  [[nodiscard]] double floor_us(const std::string& protocol) const;

 private:
  void prepare_local(const TimedSequence& sequence, PreparedState& state);
  void prepare_sums(const TimedSequence& sequence, PreparedState& state);
  [[nodiscard]] CUresult queue_empty(std::uint64_t address);
  [[nodiscard]] std::unique_ptr<Buffer> put_table(const std::vector<std::uint64_t>& table);

  std::shared_ptr<Context> context_;
  std::shared_ptr<const Module> helpers_;
  std::size_t evict_bytes_;
  std::unique_ptr<Buffer> evict_;  // is overwritten
  std::unique_ptr<Buffer> clean_;  // is read
  std::unique_ptr<Buffer> sum_;    // of the words read
  std::unique_ptr<Buffer> words_;  // of queue_store()
  std::size_t sm_count_;
  std::size_t shared_bytes_;  // the most that one block can have
  std::size_t threads_per_sm_;
  std::map<std::size_t, std::shared_ptr<const Module>> local_helpers_;  // by bytes of a frame
  std::unique_ptr<Buffer> sums_;  // checksums of outputs after samples
  std::size_t sums_used_ = 0;
  bool prepares_ = false;  // the code of ww_prepare is loaded
  bool sums_up_ = false;   // the code of ww_checksums is loaded
  std::vector<PendingCheck> pending_;
  std::size_t unchecked_ = 0;       // samples since the last one whose outputs were summed
  std::unique_ptr<Buffer> stamps_;  // slots of kBefore, then of kAfter
  DeviceLaunch spin_launch_, empty_launch_, read_launch_, before_launch_, after_launch_;
  // Refer to the launches above.
  std::optional<PreparedLaunch> spin_, empty_, read_, before_, after_;
  std::map<std::string, std::deque<double>> floors_us_;
  SplitMix64 random_{1};
  SplitMix64 unforeseen_;  // seeded by the operating system
  std::vector<std::unique_ptr<Interval>> intervals_;
  std::size_t last_interval_ = 0;
  std::vector<std::unique_ptr<Graph>> graphs_;
};

// Measures the floor of cold-graph-3, unless that was done before. A plan also does this itself.
void calibrate_cold(TimingBench& bench);

// The plans. Each takes ownership of the request, because it refers to the request's launches.
[[nodiscard]] std::unique_ptr<TimingPlan> make_cold_graph_plan(TimingBench& bench,
                                                               TimingRequest request);
[[nodiscard]] std::unique_ptr<TimingPlan> make_cold_events_plan(TimingBench& bench,
                                                                TimingRequest request);
[[nodiscard]] std::unique_ptr<TimingPlan> make_hot_plan(TimingBench& bench, TimingRequest request);
[[nodiscard]] std::unique_ptr<TimingPlan> make_slope_plan(TimingBench& bench,
                                                          TimingRequest request);
[[nodiscard]] std::unique_ptr<TimingPlan> make_gap_plan(TimingBench& bench, TimingRequest request);
[[nodiscard]] std::unique_ptr<TimingPlan> make_end_to_end_plan(TimingBench& bench,
                                                               TimingRequest request);

}  // namespace warpwright::cuda
