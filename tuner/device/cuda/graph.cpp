#include "device/cuda/graph.h"

namespace warpwright::cuda {

CUresult Graph::begin(Context& context) {
  // The capture is thread-local, because other threads of this process may call the driver
  // meanwhile.
  return context.note(
      context.fn().stream_begin_capture(context.stream(), CU_STREAM_CAPTURE_MODE_THREAD_LOCAL));
}

std::unique_ptr<Graph> Graph::end(const std::shared_ptr<Context>& context, CUresult queued,
                                  CUresult& result) {
  const auto& fn = context->fn();
  CUgraph graph = nullptr;
  // The capture is always ended, or the stream would stay in capture mode.
  result = context->note(fn.stream_end_capture(context->stream(), &graph));
  if (queued != CUDA_SUCCESS) result = queued;
  CUgraphExec executable = nullptr;
  if (result == CUDA_SUCCESS) result = context->note(fn.graph_instantiate(&executable, graph, 0));
  if (result == CUDA_SUCCESS)
    result = context->note(fn.graph_upload(executable, context->stream()));
  if (result == CUDA_SUCCESS) return std::unique_ptr<Graph>(new Graph(context, graph, executable));
  if (!context->lost()) {
    if (executable != nullptr) fn.graph_exec_destroy(executable);
    if (graph != nullptr) fn.graph_destroy(graph);
  }
  return nullptr;
}

Graph::~Graph() {
  if (context_->lost()) return;
  context_->fn().graph_exec_destroy(executable_);
  context_->fn().graph_destroy(graph_);
}

CUresult Graph::launch() {
  return context_->note(context_->fn().graph_launch(executable_, context_->stream()));
}

}  // namespace warpwright::cuda
