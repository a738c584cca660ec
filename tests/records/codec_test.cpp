#include "records/codec.h"

#include <gmock/gmock.h>

#include <limits>
#include <string>

namespace warpwright {

enum class Colour { kRed, kBlue };

struct Plain {
  std::string name;
  int count = 3;
  std::optional<double> seconds;
  std::optional<std::chrono::milliseconds> limit;
};

struct Rich {
  std::string text;
  std::filesystem::path file;
  std::vector<std::filesystem::path> folders;
  Colour colour = Colour::kRed;
  bool noted = false;
  std::vector<std::string> notes;
  std::chrono::milliseconds patience{0};
  Plain plain;
};

struct Old {
  int kept = 7;
  double worst = 0;
};

namespace {

using nlohmann::json;
using testing::HasSubstr;

std::string colour_name(Colour colour) { return colour == Colour::kRed ? "red" : "blue"; }

std::optional<Colour> find_colour(const std::string& name) {
  if (name == "red") return Colour::kRed;
  if (name == "blue") return Colour::kBlue;
  return std::nullopt;
}

template <class T>
std::string refusal(const json& from) {
  try {
    (void)from.get<T>();
  } catch (const json::exception& error) {
    return error.what();
  }
  return "read";
}

}  // namespace

WARPWRIGHT_CODEC(Plain, name, count, seconds, limit)

WARPWRIGHT_MEMBERS(Rich, io, rich) {
  io("words", rich.text);
  io("file", rich.file);
  io("folders", rich.folders);
  io.named("colour", rich.colour, colour_name, find_colour);
  io.unless_empty("noted", rich.noted);
  io.unless_empty("notes", rich.notes);
  io("patience_ms", rich.patience);
  io("plain", rich.plain);
}
WARPWRIGHT_CODEC_OF(Rich)

WARPWRIGHT_MEMBERS(Old, io, old) {
  io("kept", old.kept);
  io.unbounded("worst", old.worst);
}
WARPWRIGHT_STORED_CODEC_OF(Old)

namespace {

TEST(Codec, MembersAreWrittenUnderTheirNames) {
  const Plain plain{"a", 2, std::nullopt, std::chrono::milliseconds(5)};
  EXPECT_EQ(json(plain).dump(), R"({"count":2,"limit":5,"name":"a","seconds":null})");
}

TEST(Codec, EmptyMembersCanBeLeftOut) {
  Rich rich{"t", "/a/b", {"c", "d"}, Colour::kBlue, false, {}, std::chrono::milliseconds(9), {}};
  EXPECT_EQ(json(rich).dump(),
            R"({"colour":"blue","file":"/a/b","folders":["c","d"],"patience_ms":9,)"
            R"("plain":{"count":3,"limit":null,"name":"","seconds":null},"words":"t"})");
  rich.noted = true;
  rich.notes = {"n"};
  EXPECT_EQ(json(rich).at("noted"), true);
  EXPECT_EQ(json(rich).at("notes"), json::array({"n"}));
}

TEST(Codec, WhatWasWrittenIsReadBack) {
  const Rich rich{"t",
                  "/a/b",
                  {"c", "d"},
                  Colour::kBlue,
                  true,
                  {"n"},
                  std::chrono::milliseconds(9),
                  {"p", 4, 0.5, std::nullopt}};
  const json written = rich;
  EXPECT_EQ(json(written.get<Rich>()), written);
}

TEST(Codec, AMissingOptionalMemberIsEmpty) {
  Plain plain{"", 0, 1.5, std::chrono::milliseconds(1)};
  json{{"name", "a"}, {"count", 1}}.get_to(plain);
  EXPECT_EQ(plain.seconds, std::nullopt);
  EXPECT_EQ(plain.limit, std::nullopt);
}

TEST(Codec, AMissingMemberIsNamed) {
  EXPECT_THAT(refusal<Plain>({{"name", "a"}}), HasSubstr("Plain.count is missing"));
}

TEST(Codec, AMemberOfAnotherTypeIsNamed) {
  EXPECT_THAT(refusal<Plain>({{"name", 4}, {"count", 1}}),
              HasSubstr("Plain.name has another type"));
}

TEST(Codec, AMemberOfAMemberIsNamed) {
  json rich = Rich{};
  rich["plain"].erase("name");
  EXPECT_THAT(refusal<Rich>(rich), HasSubstr("Plain.name is missing"));
}

TEST(Codec, AnUnknownNameIsQuoted) {
  json rich = Rich{};
  rich["colour"] = "green";
  EXPECT_THAT(refusal<Rich>(rich), HasSubstr(R"(Rich.colour has the unknown value "green")"));
}

TEST(Codec, StoredMembersThatDoNotFitAreLeftAsTheyAre) {
  EXPECT_EQ(json::object().get<Old>().kept, 7);
  EXPECT_EQ(json({{"kept", nullptr}}).get<Old>().kept, 7);
  EXPECT_EQ(json({{"kept", "four"}}).get<Old>().kept, 7);
  EXPECT_EQ(json({{"kept", 4}, {"new", 1}}).get<Old>().kept, 4);
}

TEST(Codec, InfinityIsNull) {
  const Old endless{1, std::numeric_limits<double>::infinity()};
  EXPECT_EQ(json(endless).dump(), R"({"kept":1,"worst":null})");
  EXPECT_EQ(json(endless).get<Old>().worst, endless.worst);
  EXPECT_EQ(json::object().get<Old>().worst, 0);
}

}  // namespace
}  // namespace warpwright
