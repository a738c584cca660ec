// z = x + r and its RMSNorm by the launcher of rmsnorm_residual, which chooses the variant and its
// list of parameters.
//
//   rmsnorm_residual [ROWS D]        exit code 1 where a value is wrong
#include <cmath>

#include "gpu.h"
#include "rmsnorm_residual_launcher.h"

int main(int argc, char** argv) {
  const long long rows = argc > 2 ? std::atoll(argv[1]) : 7;
  const long long d = argc > 2 ? std::atoll(argv[2]) : 1024;
  warpwright::set_options(open_gpu());
  const auto width = static_cast<std::size_t>(d);
  const auto count = static_cast<std::size_t>(rows) * width;
  std::vector<float> numbers(count);
  for (std::size_t i = 0; i < count; ++i) numbers[i] = number(i, 1);
  const Array<float> x(numbers);
  for (std::size_t i = 0; i < count; ++i) numbers[i] = number(i, 2);
  const Array<float> r(numbers);
  numbers.resize(width);
  const Array<float> w(numbers);
  Array<float> y(count);
  Array<float> z(count);

  warpwright::RmsnormResidualCall call;
  call.x = x.data();
  call.r = r.data();
  call.w = w.data();
  call.y = y.data();
  call.z = z.data();
  call.rows = rows;
  call.d = d;
  call.dtype = WW_RMSNORM_RESIDUAL_DTYPE_F32;
  const warpwright::Status status = warpwright::rmsnorm_residual(nullptr, call);
  if (!status.ok()) {
    std::fprintf(stderr, "%s\n", status.message.c_str());
    return 2;
  }
  check(cuStreamSynchronize(nullptr), "cuStreamSynchronize");
  y.download();
  z.download();

  int wrong = 0;
  for (std::size_t row = 0; row < static_cast<std::size_t>(rows); ++row) {
    double squares = 0;
    for (std::size_t i = 0; i < width; ++i) {
      const double sum = double{x.host[row * width + i]} + r.host[row * width + i];
      squares += sum * sum;
      wrong += z.host[row * width + i] != static_cast<float>(sum);
    }
    const double scale = 1 / std::sqrt(squares / static_cast<double>(d) + 1e-6);
    for (std::size_t i = 0; i < width; ++i) {
      const double expected = z.host[row * width + i] * scale * w.host[i];
      wrong += !(std::fabs(y.host[row * width + i] - expected) <= 2e-5 * std::fabs(expected));
    }
  }
  std::printf("rmsnorm_residual: %d of %zu values wrong\n", wrong, 2 * count);
  return wrong == 0 ? 0 : 1;
}
