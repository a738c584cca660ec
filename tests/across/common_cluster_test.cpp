// kernels/common: cluster.cuh.
#include <numeric>

#include "header_harness.h"

namespace warpwright::emu {
namespace {

class ClusterHeader : public HeaderTest {
 protected:
  static constexpr std::size_t kTiles = 3, kTileWords = 16 * 32;

  void SetUp() override {
    HeaderTest::SetUp();
    if (!IsSkipped()) compile("cluster.cu");
    schedules_ = 10;
  }
  void cluster_shape(const std::string& entry, std::uint32_t threads) {
    shape(entry, threads);
    harness_->launch.grid = {4, 1, 1};
    harness_->launch.cluster = {4, 1, 1};
  }
};

TEST_F(ClusterHeader, BlocksReadEachOther) {
  const auto out = harness_->zeros<float>(4 * 64);
  std::vector<float> expected;
  for (int block = 0; block < 4; ++block) {
    for (int i = 0; i < 64; ++i) {
      // 0 + 100 + 200 + 300, and the same of four neighbours.
      const int first = i / 4 * 4;
      expected.push_back(static_cast<float>(600 + 4 * i + 4 * 600 + 4 * (4 * first + 6)));
    }
  }
  cluster_shape("exchange_right", 64);
  works([&] { EXPECT_EQ(harness_->download(out), expected); }, out);
}

TEST_F(ClusterHeader, ABarrierOfTheBlockAloneIsARace) {
  const auto out = harness_->zeros<float>(4 * 64);
  cluster_shape("exchange_no_sync", 64);
  fails({"shared race", "uninitialised shared memory"}, out);
}

TEST_F(ClusterHeader, ATileComesToAllThatAreNamed) {
  std::vector<std::uint32_t> values(kTiles * kTileWords);
  std::iota(values.begin(), values.end(), 1u);
  const Map map = map_of(harness_->upload(values).address, TensorElement::kU32,
                         TensorSwizzle::kNone, {32, 16 * kTiles, 1, 1}, {32, 16, 1, 1});
  std::vector<std::uint32_t> expected;
  for (int block = 0; block < 4; ++block) {
    for (const std::uint32_t value : values) expected.push_back(block == 2 ? 0 : value);
  }
  const auto out = harness_->zeros<std::uint32_t>(expected.size());
  cluster_shape("multicast_right", 64);
  works([&] { EXPECT_EQ(harness_->download(out), expected); }, map, out, static_cast<int>(kTiles));
  cluster_shape("multicast_no_wait", 64);
  fails({"missing wait", "shared race", "uninitialised shared memory"}, map, out,
        static_cast<int>(kTiles));
  cluster_shape("multicast_no_acquire", 64);
  fails({"missing wait", "shared race"}, map, out, static_cast<int>(kTiles));
}

}  // namespace
}  // namespace warpwright::emu
