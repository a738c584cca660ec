#include "core/process/frame.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace warpwright {
namespace {

std::optional<nlohmann::json> decoded(const std::string& body) {
  std::string frame;
  for (int i = 0; i < 4; ++i) frame += static_cast<char>((body.size() >> (8 * i)) & 0xff);
  FrameReader reader;
  EXPECT_EQ(reader.add(frame + body), FrameReader::State::kComplete);
  return reader.take();
}

TEST(Frame, AMessageComesBackAsItWas) {
  const nlohmann::json message = {{"status", "ok"}, {"samples_us", {1.5, 2.25}}, {"none", nullptr}};
  FrameReader reader;
  EXPECT_EQ(reader.add(encode_frame(message)), FrameReader::State::kComplete);
  EXPECT_EQ(reader.take(), message);
}

TEST(Frame, AnArrayThatClaimsMoreItemsThanThereAreBytesIsNoMessage) {
  EXPECT_EQ(decoded("\x9b\x7f\xff\xff\xff\xff\xff\xff\xff\x01"), std::nullopt);
}

TEST(Frame, AMapThatClaimsMoreMembersThanThereAreBytesIsNoMessage) {
  EXPECT_EQ(decoded("\xbb\x7f\xff\xff\xff\xff\xff\xff\xff\x01"), std::nullopt);
}

// Deep enough to overflow the stack if each level takes a call.
TEST(Frame, NestingWithoutEndIsNoMessage) {
  EXPECT_EQ(decoded(std::string(1'000'000, '\x81')), std::nullopt);
  EXPECT_EQ(decoded(std::string(1'000'000, '\x9f')), std::nullopt);
}

TEST(Frame, ABodyWithSomethingBehindItsValueIsNoMessage) {
  EXPECT_EQ(decoded(std::string("\x01\x02")), std::nullopt);
}

}  // namespace
}  // namespace warpwright
