#include "exchange/gzip.h"

#include <gtest/gtest.h>

#include "core/files.h"
#include "store/sample_records.h"

namespace warpwright::testing {
namespace {

class Gzip : public ::testing::Test {
 protected:
  std::string unpacked(const std::string& packed, const GzipLimits& limits = {}) const {
    write_bytes(path_, packed);
    std::string text;
    unpack_gzip(
        path_, [&](std::string_view piece) { text += piece; }, limits);
    return text;
  }
  std::string message(const std::string& packed, const GzipLimits& limits = {}) const {
    return message_of([&] { static_cast<void>(unpacked(packed, limits)); }, path_);
  }

  TemporaryFolder folder_;
  std::filesystem::path path_ = folder_.path() / "x.gz";
};

std::string varied(std::size_t bytes) {
  std::string text(bytes, ' ');
  std::uint32_t state = 1;
  for (char& c : text) {
    state = state * 1664525 + 1013904223;
    c = static_cast<char>(state >> 24);
  }
  return text;
}

TEST_F(Gzip, GivesBackWhatWasPacked) {
  for (const std::size_t bytes : {0, 1, 65536, 65537, 1000000})
    EXPECT_EQ(unpacked(pack_gzip(varied(bytes))), varied(bytes)) << bytes;
}

TEST_F(Gzip, ThePackedBytesDependOnTheContentAlone) {
  const std::string packed = pack_gzip("content");
  EXPECT_TRUE(is_gzip(packed));
  EXPECT_EQ(packed, pack_gzip("content"));
  EXPECT_EQ(packed.substr(4, 4), std::string(4, '\0')) << "no time";
}

TEST_F(Gzip, ReadsSeveralMembersAndTheZerosOfATape) {
  EXPECT_EQ(unpacked(pack_gzip("one ") + pack_gzip("two") + std::string(512, '\0')), "one two");
}

TEST_F(Gzip, TruncatedDataIsRefusedAtEveryLength) {
  const std::string packed = pack_gzip("some content that is not too short to be cut");
  for (std::size_t bytes = 1; bytes < packed.size(); ++bytes) {
    EXPECT_EQ(message(packed.substr(0, bytes)),
              "{}: the gzip data is truncated: its end is missing after " + std::to_string(bytes) +
                  " bytes; get the file again");
  }
}

TEST_F(Gzip, DamagedDataIsRefused) {
  std::string packed = pack_gzip(varied(1000));
  packed[packed.size() - 6] ^= 1;  // of the checksum
  EXPECT_EQ(message(packed),
            "{}: the gzip data is damaged (incorrect data check); get the file again");
  EXPECT_EQ(message("\x1f\x8b\x07 no such method, and some more bytes"),
            "{}: the gzip data is damaged (unknown compression method); get the file again");
}

TEST_F(Gzip, WhatFollowsAMemberMustBeOne) {
  EXPECT_EQ(message(pack_gzip("one") + "trailing garbage"),
            "{}: the gzip data is damaged (incorrect header check); get the file again");
}

TEST_F(Gzip, ABombIsRefusedBeforeItIsUnpacked) {
  std::size_t handed_out = 0;
  const std::string bomb = pack_gzip(std::string(50'000'000, 'x'));
  write_bytes(path_, bomb);
  const GzipLimits limits{.bytes = 1'000'000, .times = 100};
  const std::string message = message_of(
      [&] {
        unpack_gzip(
            path_, [&](std::string_view piece) { handed_out += piece.size(); }, limits);
      },
      path_);
  EXPECT_EQ(
      message,
      "{}: " + std::to_string(bomb.size()) +
          " bytes of gzip data unpack to more than 1000000 bytes and 100 times their "
          "size; if that is what you expect, unpack it with `gunzip` and give the unpacked file");
  EXPECT_LE(handed_out, bomb.size() * 101);
}

TEST_F(Gzip, WhatShrinksALotButIsSmallPasses) {
  const std::string text(900'000, 'x');
  EXPECT_EQ(unpacked(pack_gzip(text), {.bytes = 1'000'000, .times = 100}), text);
}

TEST_F(Gzip, AMissingFileIsNamed) {
  EXPECT_EQ(message_of([&] { unpack_gzip(folder_.path() / "none", [](std::string_view) {}); },
                       folder_.path() / "none"),
            "no such file: {}");
}

}  // namespace
}  // namespace warpwright::testing
