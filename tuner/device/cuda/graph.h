// A CUDA graph captured from the context's stream: what is queued between begin and end is recorded
// instead of run, and can then be launched as one piece of work, without the host between its
// nodes.
#pragma once

#include <memory>

#include "device/cuda/context.h"

namespace warpwright::cuda {

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
