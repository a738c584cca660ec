// The ten likeliest tokens of a few long rows by the launcher of softmax_topk: with few rows, two
// launches that share a workspace, which the launcher gets from this program's allocator.
//
//   softmax_topk [ROWS V]            exit code 1 where an index is wrong
#include <algorithm>
#include <numeric>

#include "gpu.h"
#include "softmax_topk_launcher.h"

// Counts the bytes that it hands out, for the last line.
static CUdeviceptr allocate(void* given, std::size_t bytes, CUstream) {
  CUdeviceptr address = 0;
  check(cuMemAlloc(&address, bytes), "cuMemAlloc");
  *static_cast<std::size_t*>(given) += bytes;
  return address;
}

int main(int argc, char** argv) {
  const long long rows = argc > 2 ? std::atoll(argv[1]) : 2;
  const long long v = argc > 2 ? std::atoll(argv[2]) : 5000;
  constexpr std::size_t kKept = 10;
  warpwright::LauncherOptions options = open_gpu();
  const auto width = static_cast<std::size_t>(v);
  std::vector<float> numbers(static_cast<std::size_t>(rows) * width);
  for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = number(i, 3);
  const Array<float> logits(numbers);
  Array<float> probs(static_cast<std::size_t>(rows) * kKept);
  Array<int> indices(static_cast<std::size_t>(rows) * kKept);

  std::size_t workspace_bytes = 0;
  options.allocator = {allocate, nullptr, &workspace_bytes};
  warpwright::set_options(options);
  warpwright::SoftmaxTopkCall call;
  call.logits = logits.data();
  call.probs = probs.data();
  call.indices = indices.data();
  call.rows = rows;
  call.V = v;
  call.K = kKept;
  const warpwright::Status status = warpwright::softmax_topk(nullptr, call);
  if (!status.ok()) {
    std::fprintf(stderr, "%s\n", status.message.c_str());
    return 2;
  }
  check(cuStreamSynchronize(nullptr), "cuStreamSynchronize");
  indices.download();

  int wrong = 0;
  std::vector<int> order(width);
  for (std::size_t row = 0; row < static_cast<std::size_t>(rows); ++row) {
    const float* own = logits.host.data() + row * width;
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return own[a] > own[b]; });
    for (std::size_t i = 0; i < kKept; ++i) wrong += indices.host[row * kKept + i] != order[i];
  }
  std::printf("softmax_topk: %d of %zu indices wrong, %zu bytes of workspace\n", wrong,
              indices.host.size(), workspace_bytes);
  return wrong == 0 ? 0 : 1;
}
