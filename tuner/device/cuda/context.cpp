#include "device/cuda/context.h"

#include <fmt/format.h>

#include <algorithm>
#include <thread>

#include "core/error.h"

namespace warpwright::cuda {

Context::Context(std::shared_ptr<const Driver> driver, int ordinal) : driver_(std::move(driver)) {
  const std::string doing = fmt::format("opening cuda:{}", ordinal);
  driver_->require(fn().device_get(&device_, ordinal), doing);
  CUcontext context = nullptr;
  driver_->require(fn().primary_context_retain(&context, device_), doing);
  driver_->require(fn().context_set_current(context), doing);
  driver_->require(fn().stream_create(&stream_, CU_STREAM_NON_BLOCKING),
                   doing + ": creating a stream");
}

Context::~Context() {
  if (lost_) return;
  fn().stream_destroy(stream_);
  fn().primary_context_release(device_);
}

CUresult Context::note(CUresult result) {
  if (is_sticky(result)) lost_ = true;
  return result;
}

void Context::require(CUresult result, const std::string& doing) {
  driver_->require(note(result), doing);
}

CUresult Context::wait(std::chrono::milliseconds limit) {
  using Clock = std::chrono::steady_clock;
  // Polling occupies a core but detects the end within a microsecond; long kernels are polled with
  // pauses.
  constexpr auto kBusy = std::chrono::milliseconds(2);
  constexpr auto kPause = std::chrono::microseconds(50);
  const auto start = Clock::now();
  while (true) {
    const CUresult result = fn().stream_query(stream_);
    if (result != CUDA_ERROR_NOT_READY) return note(result);
    const auto waited = Clock::now() - start;
    if (limit.count() > 0 && waited > limit) return CUDA_ERROR_NOT_READY;
    if (waited > kBusy) std::this_thread::sleep_for(kPause);
  }
}

Event::Event(std::shared_ptr<Context> context) : context_(std::move(context)) {
  context_->require(context_->fn().event_create(&event_, CU_EVENT_DEFAULT), "creating an event");
}

Event::~Event() {
  if (!context_->lost()) context_->fn().event_destroy(event_);
}

CUresult Event::record() {
  return context_->note(context_->fn().event_record(event_, context_->stream()));
}

CUresult Event::record_in_graph() {
  return context_->note(
      context_->fn().event_record_with_flags(event_, context_->stream(), CU_EVENT_RECORD_EXTERNAL));
}

double Event::since_us(const Event& start) const {
  float milliseconds = 0;
  context_->require(context_->fn().event_elapsed_time(&milliseconds, start.event_, event_),
                    "reading an event's time");
  return 1e3 * static_cast<double>(milliseconds);
}

Buffer::Buffer(std::shared_ptr<Context> context, std::size_t bytes, const std::string& label)
    : context_(std::move(context)) {
  CUdeviceptr address = 0;
  // cuMemAlloc refuses 0 bytes; an empty argument still needs an address of its own.
  const CUresult result =
      context_->note(context_->fn().mem_alloc(&address, std::max<std::size_t>(bytes, 1)));
  if (result == CUDA_ERROR_OUT_OF_MEMORY) {
    std::size_t free = 0;
    std::size_t total = 0;
    context_->require(context_->fn().mem_get_info(&free, &total), "asking for free memory");
    throw environment_error(
        fmt::format("not enough device memory for '{}': it needs {} bytes, {} of {} are free",
                    label, bytes, free, total));
  }
  context_->require(result, fmt::format("allocating {} bytes for '{}'", bytes, label));
  address_ = address;
  bytes_ = bytes;
}

Buffer::~Buffer() {
  if (!context_->lost()) context_->fn().mem_free(address_);
}

namespace {

CUmemAllocationProp placed_on(CUdevice device) {
  CUmemAllocationProp properties{};
  properties.type = CU_MEM_ALLOCATION_TYPE_PINNED;
  properties.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
  properties.location.id = device;
  return properties;
}

}  // namespace

std::unique_ptr<HiddenBuffer> HiddenBuffer::make(std::shared_ptr<Context> context,
                                                 std::size_t bytes) {
  const auto& fn = context->fn();
  const CUmemAllocationProp properties = placed_on(context->device());
  std::size_t granularity = 0;
  if (context->note(fn.mem_granularity(&granularity, &properties,
                                       CU_MEM_ALLOC_GRANULARITY_MINIMUM)) != CUDA_SUCCESS ||
      granularity == 0)
    return nullptr;
  std::unique_ptr<HiddenBuffer> hidden(new HiddenBuffer(context));
  const std::size_t wanted =
      (std::max<std::size_t>(bytes, 1) + granularity - 1) / granularity * granularity;
  CUdeviceptr address = 0;
  if (context->note(fn.mem_reserve(&address, wanted, 0, 0, 0)) != CUDA_SUCCESS) return nullptr;
  hidden->address_ = address;
  hidden->reserved_ = wanted;
  hidden->bytes_ = bytes;
  if (context->note(fn.mem_create(&hidden->handle_, wanted, &properties, 0)) != CUDA_SUCCESS) {
    hidden->handle_ = 0;
    return nullptr;
  }
  return hidden;
}

HiddenBuffer::~HiddenBuffer() {
  if (context_->lost()) return;
  unmap();
  if (handle_ != 0) context_->fn().mem_release(handle_);
  if (reserved_ != 0) context_->fn().mem_unreserve(address_, reserved_);
}

void HiddenBuffer::map() {
  if (mapped_) return;
  const std::string doing = "mapping expected values";
  context_->require(context_->fn().mem_map(address_, reserved_, 0, handle_, 0), doing);
  mapped_ = true;
  CUmemAccessDesc access{};
  access.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
  access.location.id = context_->device();
  access.flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
  context_->require(context_->fn().mem_set_access(address_, reserved_, &access, 1), doing);
}

void HiddenBuffer::unmap() {
  if (!mapped_ || context_->lost()) return;
  mapped_ = false;
  (void)context_->note(context_->fn().mem_unmap(address_, reserved_));
}

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
