#include <gtest/gtest.h>

#include "store/columns.h"
#include "store/sample_records.h"

namespace warpwright {
namespace {

using testing::message_of;

TEST(SampleCodec, LayoutIsLittleEndianBinary32) {
  const std::vector<std::byte> data = encode_samples(std::vector<double>{1.0, 372.125});
  const std::vector<int> expected = {0, 0, 0x80, 0x3f, 0, 0x10, 0xba, 0x43};
  ASSERT_EQ(data.size(), expected.size());
  for (std::size_t i = 0; i < data.size(); ++i)
    EXPECT_EQ(std::to_integer<int>(data[i]), expected[i]);
}

TEST(SampleCodec, RoundsToBinary32AndNoFurther) {
  const std::vector<double> samples = {4.49, 372.1, 1e-3, 123456.789, 0.0};
  const std::vector<double> back = decode_samples(kSampleEncoding, encode_samples(samples));
  ASSERT_EQ(back.size(), samples.size());
  for (std::size_t i = 0; i < samples.size(); ++i)
    EXPECT_EQ(back[i], static_cast<float>(samples[i]));
}

TEST(SampleCodec, RefusesAnUnknownEncoding) {
  EXPECT_EQ(message_of([] { static_cast<void>(decode_samples("zstd", {})); }),
            "samples have encoding 'zstd', this warpwright reads 'f32le'; update it");
}

TEST(SampleCodec, RefusesACutBlob) {
  const std::vector<std::byte> data(7);
  EXPECT_EQ(message_of([&] { static_cast<void>(decode_samples("f32le", data)); }),
            "samples are damaged: expected a multiple of 4 bytes, got 7");
}

}  // namespace
}  // namespace warpwright
