// Causal attention by the launcher of attention_prefill: on a Hopper GPU, tensor maps are encoded
// and a counter is set to zero while the call is prepared, after which it can be captured.
//
//   attention_prefill [HEADS LENGTH]     exit code 1 where a value is wrong
#include <cmath>
#include <cstring>

#include "attention_prefill_launcher.h"
#include "gpu.h"

static unsigned short to_bf16(float value) {  // exact for what number() gives
  unsigned bits = 0;
  std::memcpy(&bits, &value, 4);
  return static_cast<unsigned short>(bits >> 16);
}
static float from_bf16(unsigned short value) {
  const unsigned bits = static_cast<unsigned>(value) << 16;
  float result = 0;
  std::memcpy(&result, &bits, 4);
  return result;
}

int main(int argc, char** argv) {
  const long long heads = argc > 2 ? std::atoll(argv[1]) : 2;
  const long long length = argc > 2 ? std::atoll(argv[2]) : 100;
  constexpr std::size_t d = 128;
  warpwright::set_options(open_gpu());
  const auto n = static_cast<std::size_t>(length);
  std::vector<unsigned short> numbers(static_cast<std::size_t>(heads) * n * d);
  const auto filled = [&](unsigned salt, float scale) {
    for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = to_bf16(scale * number(i, salt));
    return Array<unsigned short>(numbers);
  };
  const auto q = filled(4, 0.25F), k = filled(5, 0.25F), v = filled(6, 1);
  Array<unsigned short> out(numbers.size());

  warpwright::AttentionPrefillCall call;
  call.q = q.data();
  call.k = k.data();
  call.v = v.data();
  call.out = out.data();
  call.heads = call.kv_heads = heads;
  call.q_len = call.kv_len = length;
  CUstream stream = nullptr;
  CUgraph graph = nullptr;
  CUgraphExec again = nullptr;
  check(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING), "cuStreamCreate");
  warpwright::Status status = warpwright::attention_prefill_prepare(stream, call);
  check(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_THREAD_LOCAL), "cuStreamBeginCapture");
  if (status.ok()) status = warpwright::attention_prefill(stream, call);
  check(cuStreamEndCapture(stream, &graph), "cuStreamEndCapture");
  if (!status.ok()) {
    std::fprintf(stderr, "%s\n", status.message.c_str());
    return 2;
  }
  check(cuGraphInstantiateWithFlags(&again, graph, 0), "cuGraphInstantiate");
  for (int i = 0; i < 2; ++i) check(cuGraphLaunch(again, stream), "cuGraphLaunch");
  check(cuStreamSynchronize(stream), "cuStreamSynchronize");
  out.download();

  int wrong = 0;
  for (std::size_t row = 0; row < static_cast<std::size_t>(heads) * n; row += 7) {
    const std::size_t head = row / n * n;  // its first row
    double sum = 0, expected[d] = {};
    for (std::size_t key = head; key <= row; ++key) {
      double score = 0;
      for (std::size_t i = 0; i < d; ++i)
        score += double{from_bf16(q.host[row * d + i])} * from_bf16(k.host[key * d + i]);
      const double weight = std::exp(score / std::sqrt(double{d}));
      sum += weight;
      for (std::size_t i = 0; i < d; ++i) expected[i] += weight * from_bf16(v.host[key * d + i]);
    }
    for (std::size_t i = 0; i < d; ++i)
      wrong += !(std::fabs(from_bf16(out.host[row * d + i]) - expected[i] / sum) <= 0.04);
  }
  std::printf("attention_prefill: %d values wrong\n", wrong);
  return wrong == 0 ? 0 : 1;
}
