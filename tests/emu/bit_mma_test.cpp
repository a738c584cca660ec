// mma of single bits: fragments as defined in the PTX ISA, with every bit counted separately.
#include <random>

#include "emu_harness.h"

namespace warpwright::emu {
namespace {

struct BitForm {
  int m = 0;
  int k = 0;
  bool both = false;  // .and instead of .xor

  [[nodiscard]] std::string opcode() const {
    return "mma.sync.aligned.m" + std::to_string(m) + "n8k" + std::to_string(k) +
           ".row.col.s32.b1.b1.s32." + (both ? "and" : "xor") + ".popc";
  }
  [[nodiscard]] int a_registers() const { return m * k / 1024; }
  [[nodiscard]] int b_registers() const { return k / 128; }
  [[nodiscard]] int sums() const { return m / 4; }
};

std::string list_of(char letter, int count) {
  std::string text;
  for (int i = 0; i < count; ++i)
    text += (i == 0 ? "{%" : ", %") + std::string(1, letter) + std::to_string(i);
  return text + "}";
}

// Reads eight words per lane from `in`: a, then b, then c; writes the sums to `out`.
std::string bit_kernel(const BitForm& form) {
  const int words = form.a_registers() + form.b_registers() + form.sums();
  std::string text = ptx_header() +
                     ".visible .entry k(.param .u64 in, .param .u64 out) {\n"
                     ".reg .b32 %a<4>, %b<4>, %c<4>, %d<4>, %t; .reg .b64 %x<4>;\n"
                     "ld.param.u64 %x0, [in]; ld.param.u64 %x1, [out]; mov.u32 %t, %tid.x;\n"
                     "mul.wide.u32 %x2, %t, " +
                     std::to_string(4 * words) + "; add.u64 %x0, %x0, %x2; mul.wide.u32 %x2, %t, " +
                     std::to_string(4 * form.sums()) + "; add.u64 %x1, %x1, %x2;\n";
  int at = 0;
  for (const auto& [letter, count] :
       {std::pair{'a', form.a_registers()}, {'b', form.b_registers()}, {'c', form.sums()}}) {
    for (int i = 0; i < count; ++i, at += 4) {
      text += std::string("ld.global.b32 %") + letter + std::to_string(i) + ", [%x0+" +
              std::to_string(at) + "];\n";
    }
  }
  text += form.opcode() + " " + list_of('d', form.sums()) + ", " +
          list_of('a', form.a_registers()) + ", " + list_of('b', form.b_registers()) + ", " +
          list_of('c', form.sums()) + ";\n";
  for (int i = 0; i < form.sums(); ++i)
    text += "st.global.b32 [%x1+" + std::to_string(4 * i) + "], %d" + std::to_string(i) + ";\n";
  return text + "ret;\n}\n";
}

// Row and column of bit `i` of a lane's fragment of A. With g = lane / 4 and t = lane % 4: row g,
// for every second register of m16 row g + 8; column 32 t + i % 32, plus 128 from the third
// register on.
std::pair<int, int> place_in_a(const BitForm& form, int lane, int i) {
  const int reg = i / 32;
  const int row = lane / 4 + (form.m == 16 && reg % 2 == 1 ? 8 : 0);
  const int column = lane % 4 * 32 + i % 32 + (form.m == 16 && reg >= 2 ? 128 : 0);
  return {row, column};
}

TEST(BitMma, CountsBitsOfEveryShape) {
  std::mt19937 random(1);
  for (const BitForm form :
       {BitForm{8, 128, false}, BitForm{8, 128, true}, BitForm{16, 128, false},
        BitForm{16, 128, true}, BitForm{16, 256, false}, BitForm{16, 256, true}}) {
    const int words = form.a_registers() + form.b_registers() + form.sums();
    std::vector<std::uint32_t> in;
    for (int i = 0; i < 32 * words; ++i) in.push_back(static_cast<std::uint32_t>(random()));
    const auto word = [&](int lane, int i) {
      return in[static_cast<std::size_t>(lane * words + i)];
    };
    bool a[16][256] = {}, b[256][8] = {};
    for (int lane = 0; lane < 32; ++lane) {
      for (int i = 0; i < 32 * form.a_registers(); ++i) {
        const auto [row, column] = place_in_a(form, lane, i);
        a[row][column] = (word(lane, i / 32) >> i % 32 & 1) != 0;
      }
      for (int i = 0; i < 32 * form.b_registers(); ++i) {
        b[lane % 4 * 32 + i % 32 + i / 32 * 128][lane / 4] =
            (word(lane, form.a_registers() + i / 32) >> i % 32 & 1) != 0;
      }
    }
    Harness harness(bit_kernel(form));
    const auto from = harness.upload(in);
    const auto to = harness.zeros<std::uint32_t>(static_cast<std::size_t>(32 * form.sums()));
    const Counters counters = harness.run_clean(from, to);
    EXPECT_EQ(counters.tensor, 1u);
    EXPECT_EQ(counters.tensor_int8_ops, static_cast<std::uint64_t>(2 * 8 * form.m * form.k));
    const auto got = harness.download(to);
    for (int lane = 0; lane < 32; ++lane) {
      for (int i = 0; i < form.sums(); ++i) {
        const int row = lane / 4 + (i >= 2 ? 8 : 0), column = lane % 4 * 2 + i % 2;
        std::uint32_t expected = word(lane, form.a_registers() + form.b_registers() + i);
        for (int k = 0; k < form.k; ++k) {
          const bool counted = form.both ? a[row][k] && b[k][column] : a[row][k] != b[k][column];
          expected += counted ? 1 : 0;
        }
        EXPECT_EQ(got[static_cast<std::size_t>(lane * form.sums() + i)], expected)
            << form.opcode() << " lane " << lane << " sum " << i;
      }
    }
  }
}

TEST(BitMma, OtherFormsAreUnsupported) {
  for (const std::string opcode :
       {"mma.sync.aligned.m8n8k128.row.col.s32.b1.b1.s32",
        "mma.sync.aligned.m8n8k128.row.col.s32.b1.b1.s32.xor",
        "mma.sync.aligned.m8n8k128.row.col.s32.b1.b1.s32.or.popc",
        "mma.sync.aligned.m8n8k256.row.col.s32.b1.b1.s32.xor.popc",
        "mma.sync.aligned.m8n8k128.row.col.satfinite.s32.b1.b1.s32.xor.popc",
        "wmma.mma.xor.popc.sync.aligned.row.col.m8n8k128.s32.b1.b1.s32"}) {
    const std::string text = ptx_header() + ".visible .entry k() {\n.reg .b32 %a<4>;\n" + opcode +
                             " {%a0, %a1}, {%a0}, {%a0}, {%a0, %a1};\nret;\n}\n";
    try {
      (void)Module::parse(text, "test.ptx");
      ADD_FAILURE() << opcode << " was taken";
    } catch (const UnsupportedPtx& unsupported) {
      EXPECT_EQ(std::string(unsupported.what()),
                "emulator lacks `" + opcode + "` at test.ptx:6 (PTX)");
    }
  }
}

}  // namespace
}  // namespace warpwright::emu
