#include "core/hash.h"

#include <gtest/gtest.h>

namespace warpwright {
namespace {

// Vectors of FIPS 180-4.
TEST(Sha256, MatchesThePublishedVectors) {
  EXPECT_EQ(sha256_hex(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(sha256_hex("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(sha256_hex("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  EXPECT_EQ(sha256_hex(std::string(1000000, 'a')),
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST(Sha256, RawPiecesJoin) { EXPECT_EQ(Sha256().raw("a").raw("bc").hex(), sha256_hex("abc")); }

TEST(Sha256, FieldsAreKeptApart) {
  EXPECT_NE(Sha256().field("ab").field("c").hex(), Sha256().field("a").field("bc").hex());
  EXPECT_NE(Sha256().field("").hex(), Sha256().hex());
}

TEST(Sha256, AFieldIsItsLengthInEightBytesAndItsContent) {
  EXPECT_EQ(Sha256().field("abc").hex(), sha256_hex(std::string("\3\0\0\0\0\0\0\0abc", 11)));
}

TEST(Sha256, TextAndBytesHashAlike) {
  const std::string text = "bytes";
  EXPECT_EQ(Sha256().field(std::as_bytes(std::span(text))).hex(), Sha256().field(text).hex());
}

}  // namespace
}  // namespace warpwright
