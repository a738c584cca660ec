// The primary context of one GPU, one stream in it, and whether the context is still usable.
// Everything on the device goes through this one stream, so that order is program order. Once it is
// `lost()`, the driver must not be called again, not even to free memory: after a hung kernel such
// a call never returns.
#pragma once

#include <chrono>
#include <memory>
#include <string>

#include "device/cuda/driver.h"
#include "device/device.h"

namespace warpwright::cuda {

class Context {
 public:
  // Retains the primary context and makes it current on the calling thread, which must be the only
  // user of the device. Throws Error (environment).
  Context(std::shared_ptr<const Driver> driver, int ordinal);
  ~Context();
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;

  [[nodiscard]] const Driver& driver() const { return *driver_; }
  [[nodiscard]] const Driver::Functions& fn() const { return driver_->functions(); }
  [[nodiscard]] CUstream stream() const { return stream_; }
  [[nodiscard]] CUdevice device() const { return device_; }

  [[nodiscard]] bool lost() const { return lost_; }
  void mark_lost() { lost_ = true; }
  // Records a sticky error; returns the result unchanged.
  CUresult note(CUresult result);
  // note(), then Error (environment) "<error> while <doing>" unless it succeeded.
  void require(CUresult result, const std::string& doing);

  // Waits until the stream is idle. CUDA_ERROR_NOT_READY means that `limit` passed first (0 means
  // unlimited); the caller decides whether that loses the device.
  [[nodiscard]] CUresult wait(std::chrono::milliseconds limit);

 private:
  std::shared_ptr<const Driver> driver_;
  CUdevice device_ = 0;
  CUstream stream_ = nullptr;
  bool lost_ = false;
};

// An event with timing.
class Event {
 public:
  explicit Event(std::shared_ptr<Context> context);
  ~Event();
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;

  // Returns the driver's result, which may be the fault of an earlier launch; it is recorded in the
  // context.
  [[nodiscard]] CUresult record();
  // The same as a node of a graph that is being captured, so that its time can be read after the
  // graph has run.
  [[nodiscard]] CUresult record_in_graph();
  // Microseconds from `start` to this; both must have happened.
  [[nodiscard]] double since_us(const Event& start) const;

 private:
  std::shared_ptr<Context> context_;
  CUevent event_ = nullptr;
};

// Device memory whose addresses are valid only while it is mapped, so that no launch can read it at
// other times.
class HiddenBuffer : public DeviceBuffer {
 public:
  // Null when the device does not support virtual memory management, or has too little of it.
  [[nodiscard]] static std::unique_ptr<HiddenBuffer> make(std::shared_ptr<Context> context,
                                                          std::size_t bytes);
  ~HiddenBuffer() override;
  HiddenBuffer(const HiddenBuffer&) = delete;
  HiddenBuffer& operator=(const HiddenBuffer&) = delete;

  // Throws Error (environment).
  void map();
  // Nothing that uses the memory may be queued on the stream. Does nothing when it is not mapped.
  void unmap();

 private:
  explicit HiddenBuffer(std::shared_ptr<Context> context) : context_(std::move(context)) {}

  std::shared_ptr<Context> context_;
  std::size_t reserved_ = 0;  // bytes, a multiple of the granularity
  CUmemGenericAllocationHandle handle_ = 0;
  bool mapped_ = false;
};

// Device memory from cuMemAlloc.
class Buffer : public DeviceBuffer {
 public:
  // Throws Error (environment) with the sizes when there is not enough memory.
  Buffer(std::shared_ptr<Context> context, std::size_t bytes, const std::string& label);
  ~Buffer() override;
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;

 private:
  std::shared_ptr<Context> context_;
};

// A CUDA graph captured from the context's stream: what is queued between begin and end is recorded
// instead of run, and can then be launched as one piece of work, without the host between its
// nodes.
class Graph {
 public:
  // Captures what `queue` puts on the context's stream; nullptr, with the driver's first error in
  // `result`, when that cannot be captured. `queue` returns its first error.
  template <typename Queue>
  [[nodiscard]] static std::unique_ptr<Graph> capture(const std::shared_ptr<Context>& context,
                                                      Queue queue, CUresult& result) {
    result = begin(*context);
    if (result != CUDA_SUCCESS) return nullptr;
    const CUresult queued = queue();
    return end(context, queued, result);
  }
  ~Graph();
  Graph(const Graph&) = delete;
  Graph& operator=(const Graph&) = delete;

  // Puts the whole graph on the stream; the result is noted in the context.
  [[nodiscard]] CUresult launch();

 private:
  Graph(std::shared_ptr<Context> context, CUgraph graph, CUgraphExec executable)
      : context_(std::move(context)), graph_(graph), executable_(executable) {}
  [[nodiscard]] static CUresult begin(Context& context);
  [[nodiscard]] static std::unique_ptr<Graph> end(const std::shared_ptr<Context>& context,
                                                  CUresult queued, CUresult& result);

  std::shared_ptr<Context> context_;
  CUgraph graph_;
  CUgraphExec executable_;
};

}  // namespace warpwright::cuda
