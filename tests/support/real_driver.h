// libcuda as a program finds it at run time, for tests that call what launchers call. Launchers
// that are opened later find its functions too.
#pragma once

#include <cuda.h>
#include <dlfcn.h>

#include <cstddef>
#include <random>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace warpwright::testing {

class RealDriver {
 public:
  RealDriver() : library_(dlopen("libcuda.so.1", RTLD_NOW | RTLD_GLOBAL)) {
    if (library_ == nullptr) throw std::runtime_error(dlerror());
  }
  // The driver's function of that name, which with some functions is not the header's.
  template <typename Function>
  Function find(const char* name) const {
    void* const found = dlsym(library_, name);
    if (found == nullptr) throw std::runtime_error(std::string("libcuda has no ") + name);
    return reinterpret_cast<Function>(found);
  }
  // Throws with the function's name and the error.
  template <typename Signature, typename... Arguments>
  void call(const char* name, Arguments... arguments) const {
    const CUresult result = find<Signature>(name)(arguments...);
    if (result != CUDA_SUCCESS)
      throw std::runtime_error(std::string(name) + " failed with error " + std::to_string(result));
  }

 private:
  void* library_;
};

// A stream of the current context, and what becomes a graph on it.
class DriverStream {
 public:
  explicit DriverStream(const RealDriver& driver) : driver_(driver) {
    driver_.call<decltype(&cuStreamCreate)>("cuStreamCreate", &stream_,
                                            static_cast<unsigned>(CU_STREAM_NON_BLOCKING));
  }
  ~DriverStream() {
    while (!parked_.empty()) drop(parked_.size() - 1);
    driver_.find<decltype(&cuStreamDestroy)>("cuStreamDestroy_v2")(stream_);
  }
  DriverStream(const DriverStream&) = delete;
  DriverStream& operator=(const DriverStream&) = delete;

  [[nodiscard]] CUstream get() const { return stream_; }
  void wait() const {
    driver_.call<decltype(&cuStreamSynchronize)>("cuStreamSynchronize", stream_);
  }
  // From now on this many graphs are kept, a random one of which makes room for the next: where a
  // graph lies shifts the times measured in it (device/cuda/timing_bench.h).
  void keep_graphs(std::size_t places) { places_ = places; }
  // The work that `work` puts on the stream becomes a graph, which is launched once; does not wait.
  // `work` returns an error message, or an empty string.
  template <typename Work>
  std::string launch_captured(Work work) {
    while (parked_.size() >= places_) drop(random_() % parked_.size());
    driver_.call<decltype(&cuStreamBeginCapture)>("cuStreamBeginCapture_v2", stream_,
                                                  CU_STREAM_CAPTURE_MODE_THREAD_LOCAL);
    const std::string error = work();
    CUgraph graph = nullptr;
    driver_.call<decltype(&cuStreamEndCapture)>("cuStreamEndCapture", stream_, &graph);
    CUgraphExec instance = nullptr;
    driver_.call<decltype(&cuGraphInstantiateWithFlags)>("cuGraphInstantiateWithFlags", &instance,
                                                         graph, 0ULL);
    // As trials do: a launch that uploads as well has its nodes elsewhere, and other times.
    driver_.call<decltype(&cuGraphUpload)>("cuGraphUpload", instance, stream_);
    driver_.call<decltype(&cuGraphLaunch)>("cuGraphLaunch", instance, stream_);
    parked_.emplace_back(graph, instance);
    return error;
  }

 private:
  void drop(std::size_t position) {
    const auto [graph, instance] = parked_[position];
    driver_.find<decltype(&cuGraphExecDestroy)>("cuGraphExecDestroy")(instance);
    driver_.find<decltype(&cuGraphDestroy)>("cuGraphDestroy")(graph);
    std::swap(parked_[position], parked_.back());
    parked_.pop_back();
  }

  const RealDriver& driver_;
  CUstream stream_ = nullptr;
  std::size_t places_ = 1;
  std::vector<std::pair<CUgraph, CUgraphExec>> parked_;
  std::minstd_rand random_;
};

}  // namespace warpwright::testing
