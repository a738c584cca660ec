// libcuda as a program finds it at run time, for tests that call what launchers call. Launchers
// that are opened later find its functions too.
#pragma once

#include <cuda.h>
#include <dlfcn.h>

#include <stdexcept>
#include <string>

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
  ~DriverStream() { driver_.find<decltype(&cuStreamDestroy)>("cuStreamDestroy_v2")(stream_); }
  DriverStream(const DriverStream&) = delete;
  DriverStream& operator=(const DriverStream&) = delete;

  [[nodiscard]] CUstream get() const { return stream_; }
  void wait() const {
    driver_.call<decltype(&cuStreamSynchronize)>("cuStreamSynchronize", stream_);
  }
  // What `work` puts on the stream becomes a graph, which is launched once; does not wait. `work`
  // says what failed, or nothing.
  template <typename Work>
  std::string launch_captured(Work work) const {
    driver_.call<decltype(&cuStreamBeginCapture)>("cuStreamBeginCapture_v2", stream_,
                                                  CU_STREAM_CAPTURE_MODE_THREAD_LOCAL);
    const std::string error = work();
    CUgraph graph = nullptr;
    driver_.call<decltype(&cuStreamEndCapture)>("cuStreamEndCapture", stream_, &graph);
    CUgraphExec instance = nullptr;
    driver_.call<decltype(&cuGraphInstantiateWithFlags)>("cuGraphInstantiateWithFlags", &instance,
                                                         graph, 0ULL);
    driver_.call<decltype(&cuGraphLaunch)>("cuGraphLaunch", instance, stream_);
    driver_.find<decltype(&cuGraphExecDestroy)>("cuGraphExecDestroy")(instance);
    driver_.find<decltype(&cuGraphDestroy)>("cuGraphDestroy")(graph);
    return error;
  }

 private:
  const RealDriver& driver_;
  CUstream stream_ = nullptr;
};

}  // namespace warpwright::testing
