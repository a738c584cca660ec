#include <gmock/gmock.h>

#include "emu/check/shadow.h"

namespace warpwright::emu {
namespace {

using ::testing::ElementsAre;
using ::testing::UnorderedElementsAre;

AccessRecord read_of(std::uint32_t block, std::uint16_t warp, std::uint32_t lanes,
                     std::uint32_t pc = 7) {
  AccessRecord read;
  read.block = block;
  read.actor = warp;
  read.epoch = 1;
  read.pc = pc;
  read.lanes = lanes;
  read.bytes = 0xf;
  return read;
}

TEST(ReadSets, HoldWhoRead) {
  ReadSets sets;
  const ReadSets::Set two =
      sets.with(sets.with(ReadSets::kNobody, read_of(3, 1, 1)), read_of(2, 0, 4));
  EXPECT_THAT(sets.readers(two), UnorderedElementsAre(read_of(3, 1, 1), read_of(2, 0, 4)));
  EXPECT_TRUE(sets.readers(ReadSets::kNobody).empty());
}

TEST(ReadSets, AreTheSameInWhateverOrderTheirReadersCame) {
  ReadSets sets;
  ReadSets::Set up = ReadSets::kNobody, down = ReadSets::kNobody;
  for (std::uint32_t i = 0; i < 1000; ++i) {
    up = sets.with(up, read_of(i / 10, static_cast<std::uint16_t>(i % 10), 1));
    down = sets.with(down, read_of((999 - i) / 10, static_cast<std::uint16_t>((999 - i) % 10), 1));
  }
  EXPECT_EQ(up, down);
  EXPECT_EQ(sets.readers(up).size(), 1000u);
}

TEST(ReadSets, WordsWithEqualReadersShareASet) {
  ReadSets sets;
  ReadSets::Set a = ReadSets::kNobody, b = ReadSets::kNobody;
  for (std::uint32_t block = 0; block < 100; ++block) a = sets.with(a, read_of(block, 0, 1));
  for (std::uint32_t block = 0; block < 100; ++block) b = sets.with(b, read_of(block, 0, 1));
  EXPECT_EQ(a, b);
  EXPECT_NE(sets.with(a, read_of(0, 1, 1)), a);
}

TEST(ReadSets, LanesOfOneInstructionAreOneReader) {
  ReadSets sets;
  ReadSets::Set set = sets.with(ReadSets::kNobody, read_of(0, 0, 1));
  set = sets.with(set, read_of(1, 0, 1));
  set = sets.with(set, read_of(0, 0, 2));
  EXPECT_THAT(sets.readers(set), UnorderedElementsAre(read_of(1, 0, 1), read_of(0, 0, 3)));
}

TEST(ReadSets, ALaterReadOfTheSameLanesStandsForTheEarlier) {
  ReadSets sets;
  ReadSets::Set set = sets.with(ReadSets::kNobody, read_of(0, 0, 1, 7));
  set = sets.with(set, read_of(0, 0, 3, 9));
  EXPECT_EQ(sets.readers(set), (std::vector<AccessRecord>{read_of(0, 0, 3, 9)}));
}

TEST(ReadSets, AnEarlierReadOfOtherLanesOrBytesStays) {
  ReadSets sets;
  AccessRecord half = read_of(0, 0, 1, 9);
  half.bytes = 3;
  ReadSets::Set set = sets.with(ReadSets::kNobody, read_of(0, 0, 1, 7));
  set = sets.with(set, half);
  set = sets.with(set, read_of(0, 0, 2, 11));
  EXPECT_THAT(sets.readers(set), ElementsAre(read_of(0, 0, 1, 7), half, read_of(0, 0, 2, 11)));
}

TEST(ReadSets, AReadThatIsThereChangesNothing) {
  ReadSets sets;
  ReadSets::Set set = sets.with(ReadSets::kNobody, read_of(0, 0, 1));
  EXPECT_EQ(sets.with(set, read_of(0, 0, 1)), set);
}

}  // namespace
}  // namespace warpwright::emu
