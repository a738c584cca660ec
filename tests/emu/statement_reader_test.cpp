// Tests how the parts of an opcode are found, and the place that an error names.
#include "emu/decode/statement_reader.h"

#include <gtest/gtest.h>

#include "emu/emulator.h"

namespace warpwright::emu {
namespace {

std::string refusal(const StatementReader& at) {
  try {
    at.unsupported();
  } catch (const UnsupportedPtx& error) {
    return error.what();
  }
}

class StatementReaderTest : public ::testing::Test {
 protected:
  StatementReaderTest() {
    module_.name = "k.ptx";
    statement_.opcode = "ld.global.f32";
    statement_.ptx_line = 7;
    at_.read(statement_);
  }
  ParsedModule module_;
  Statement statement_;
  StatementReader at_{module_};
};

TEST_F(StatementReaderTest, SplitsTheOpcodeAtDots) {
  EXPECT_EQ(at_.parts().size(), 3u);
  EXPECT_EQ(at_.part(1), "global");
  EXPECT_EQ(at_.part(3), "");
  EXPECT_TRUE(at_.has_part("f32"));
  EXPECT_FALSE(at_.has_part("f3"));
}

TEST_F(StatementReaderTest, AMissingOperandIsUnsupported) {
  EXPECT_THROW((void)at_.operand(0), UnsupportedPtx);
}

TEST_F(StatementReaderTest, ErrorsNameTheLineOfThePtx) {
  EXPECT_EQ(refusal(at_), "emulator lacks `ld.global.f32` at k.ptx:7 (PTX)");
}

TEST_F(StatementReaderTest, SelectorsAreFoundInListsToo) {
  EXPECT_FALSE(at_.has_selector());
  Operand list;
  list.list.resize(2);
  list.list[1].selector = "b0";
  statement_.operands = {list};
  EXPECT_TRUE(at_.has_selector());
}

}  // namespace
}  // namespace warpwright::emu
