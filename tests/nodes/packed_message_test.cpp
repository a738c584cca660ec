// Tests sending large parts of messages by content hash, and the caches of parts.
#include "nodes/packed_message.h"

#include <gmock/gmock.h>

namespace warpwright {
namespace {

using ::testing::ElementsAre;
using ::testing::SizeIs;

const std::string kCode(5000, 'c');

nlohmann::json trial() {
  return {{"trial",
           {{"ptx", kCode},
            {"cubin", nlohmann::json::binary(std::vector<std::uint8_t>(4000, 7))},
            {"cases", {{{"ptx", kCode}}, {{"name", "odd"}}}}}}};
}

TEST(PackedMessage, LargePartsTravelBesideTheMessageOnceEach) {
  const PackedMessage packed = pack_message(trial());
  EXPECT_THAT(packed.blobs, SizeIs(2));
  EXPECT_LT(packed.message.dump().size(), 600u);
  EXPECT_EQ(packed.message["trial"]["ptx"], packed.message["trial"]["cases"][0]["ptx"]);
}

TEST(PackedMessage, UnpackingGivesTheMessageBack) {
  PackedMessage packed = pack_message(trial());
  EXPECT_THAT(unpack_message(packed.message,
                             [&](const std::string& hash) { return packed.blobs.at(hash); }),
              SizeIs(0));
  EXPECT_EQ(packed.message, trial());
}

TEST(PackedMessage, WhatIsMissingIsNamedAndCanBeAddedLater) {
  PackedMessage packed = pack_message({{"ptx", kCode}});
  const std::string hash = packed.blobs.begin()->first;
  EXPECT_THAT(unpack_message(packed.message, [](const std::string&) { return nullptr; }),
              ElementsAre(hash));
  EXPECT_THAT(
      unpack_message(packed.message, [&](const std::string&) { return packed.blobs.at(hash); }),
      SizeIs(0));
  EXPECT_EQ(packed.message["ptx"], kCode);
}

TEST(PackedMessage, TextAndBytesOfOneContentAreTwoParts) {
  const auto bytes = nlohmann::json::binary(std::vector<std::uint8_t>(5000, 'c'));
  EXPECT_NE(blob_hash(nlohmann::json(kCode)), blob_hash(bytes));
}

TEST(BlobCache, ForgetsWhatWasNotUsedForTheLongestTime) {
  BlobCache cache(100);
  cache.put("a", nullptr, 40);
  cache.put("b", nullptr, 40);
  EXPECT_TRUE(cache.touch("a"));
  cache.put("c", nullptr, 40);
  EXPECT_TRUE(cache.touch("a"));
  EXPECT_FALSE(cache.touch("b"));
  EXPECT_EQ(cache.bytes(), 80u);
}

TEST(BlobCache, KeepsNothingThatAloneIsTooLarge) {
  BlobCache cache(100);
  cache.put("a", nullptr, 101);
  EXPECT_FALSE(cache.touch("a"));
}

}  // namespace
}  // namespace warpwright
