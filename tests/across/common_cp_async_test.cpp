// kernels/common: cp_async.cuh.
#include <numeric>

#include "header_harness.h"

namespace warpwright::emu {
namespace {

class CpAsyncHeader : public HeaderTest {};

TEST_F(CpAsyncHeader, CopiesArriveWhereTheyAreWaitedForAndMissingOnesAreZeros) {
  compile("cp_async.cu");
  if (HasFatalFailure()) return;
  constexpr int kCount = 100;  // of 128 threads
  Words values(4 * kCount);
  std::iota(values.begin(), values.end(), 1u);
  Words expected(128);
  for (std::size_t thread = 0; thread < 128; ++thread) {
    const std::size_t other = 127 - thread;
    if (other >= kCount) continue;
    const auto piece = values.begin() + static_cast<std::ptrdiff_t>(4 * other);
    expected[thread] = std::accumulate(piece, piece + 4, piece[0]);
  }
  const auto in = harness_->upload(values);
  const auto out = harness_->zeros<std::uint32_t>(128);
  shape("exchange_right", 128);
  works([&] { EXPECT_EQ(harness_->download(out), expected); }, in, out, kCount);
  shape("exchange_no_wait", 128);
  fails({"missing wait"}, in, out, kCount);
  shape("exchange_early_wait", 128);
  fails({"missing wait"}, in, out, kCount);
  shape("exchange_no_barrier", 128);
  fails({"shared race", "missing wait"}, in, out, kCount);
}

}  // namespace
}  // namespace warpwright::emu
