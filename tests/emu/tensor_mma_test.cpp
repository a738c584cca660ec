// mma.sync: every shape and format, with fragments as defined in the PTX ISA.
#include "tensor_harness.h"

namespace warpwright::emu {
namespace {

struct Place {
  int row = 0;
  int column = 0;
};

struct MmaCase {
  std::string opcode;  // the part after "mma.sync.aligned."
  int m, n, k;
  std::string a, b, c, d;
};

std::vector<MmaCase> cases() {
  std::vector<MmaCase> all;
  const auto add = [&](int m, int n, int k, const std::string& d, const std::string& a,
                       const std::string& b, const std::string& c, const std::string& extra = "") {
    const std::string shape =
        "m" + std::to_string(m) + "n" + std::to_string(n) + "k" + std::to_string(k);
    all.push_back(
        {shape + ".row.col" + extra + "." + d + "." + a + "." + b + "." + c, m, n, k, a, b, c, d});
  };
  for (const int k : {8, 16}) {
    add(16, 8, k, "f32", "f16", "f16", "f32");
    add(16, 8, k, "f16", "f16", "f16", "f16");
    add(16, 8, k, "f32", "bf16", "bf16", "f32");
    add(16, 8, k / 2, "f32", "tf32", "tf32", "f32");
  }
  add(8, 8, 4, "f64", "f64", "f64", "f64");
  for (const int k : {4, 8, 16}) add(16, 8, k, "f64", "f64", "f64", "f64");
  for (const char* a : {"s8", "u8"}) {
    for (const char* b : {"s8", "u8"}) {
      for (const char* extra : {"", ".satfinite"}) {
        add(8, 8, 16, "s32", a, b, "s32", extra);
        add(16, 8, 16, "s32", a, b, "s32", extra);
        add(16, 8, 32, "s32", a, b, "s32", extra);
      }
    }
  }
  for (const char* a : {"s4", "u4"}) {
    for (const char* b : {"s4", "u4"}) {
      add(8, 8, 32, "s32", a, b, "s32");
      add(16, 8, 32, "s32", a, b, "s32");
      add(16, 8, 64, "s32", a, b, "s32", ".satfinite");
    }
  }
  for (const char* a : {"e4m3", "e5m2"}) {
    for (const char* b : {"e4m3", "e5m2"}) {
      for (const char* sum : {"f32", "f16"}) {
        add(16, 8, 16, sum, a, b, sum);
        add(16, 8, 32, sum, a, b, sum);
      }
    }
  }
  return all;
}

int bits_of_case(const std::string& format) { return number_format(format).bits; }
int words_of(int elements, const std::string& format) {
  return elements * bits_of_case(format) / 32;
}

// Fragments as described in the PTX ISA, shape by shape: element i of the lane with groupID g and
// threadID_in_group t.
Place a_place(const MmaCase& test, int lane, int i) {
  const int g = lane / 4;
  const int t = lane % 4;
  switch (bits_of_case(test.a)) {
    case 64:
      if (test.m == 8) return {g, t};
      return {i % 2 == 0 ? g : g + 8, i / 2 * 4 + t};
    case 32:
      return {i == 0 || i == 2 ? g : g + 8, i < 2 ? t : t + 4};
    case 16:
      return {i < 2 || (i >= 4 && i < 6) ? g : g + 8, t * 2 + (i & 1) + (i >= 4 ? 8 : 0)};
    case 8:
      if (test.m == 8) return {g, t * 4 + i};
      return {i < 4 || (i >= 8 && i < 12) ? g : g + 8, t * 4 + (i & 3) + (i >= 8 ? 16 : 0)};
    default:
      if (test.m == 8) return {g, t * 8 + i};
      return {i < 8 || (i >= 16 && i < 24) ? g : g + 8, t * 8 + (i & 7) + (i >= 16 ? 32 : 0)};
  }
}
Place b_place(const MmaCase& test, int lane, int i) {
  const int g = lane / 4;
  const int t = lane % 4;
  switch (bits_of_case(test.b)) {
    case 64:
    case 32:
      return {t + 4 * i, g};
    case 16:
      return {t * 2 + (i & 1) + (i >= 2 ? 8 : 0), g};
    case 8:
      return {t * 4 + (i & 3) + (i >= 4 ? 16 : 0), g};
    default:
      return {t * 8 + (i & 7) + (i >= 8 ? 32 : 0), g};
  }
}
Place c_place(int lane, int i) { return {i < 2 ? lane / 4 : lane / 4 + 8, lane % 4 * 2 + (i & 1)}; }

struct Inputs {
  Matrix a, b, c;
};

Inputs make_inputs(const MmaCase& test) {
  return {Matrix(test.a, test.m, test.k), Matrix(test.b, test.k, test.n),
          Matrix(test.c, test.m, test.n)};
}

// `guard` is placed before the instruction; results that are not written keep 77 in every word.
TileKernel make_kernel(const MmaCase& test, const std::vector<Inputs>& blocks,
                       const std::string& guard = "") {
  const int counts[] = {test.m * test.n / 32, test.m * test.k / 32, test.k * test.n / 32,
                        test.m * test.n / 32};
  const std::string formats[] = {test.d, test.a, test.b, test.c};
  int registers[4];
  int words[4];
  for (int i = 0; i < 4; ++i) {
    words[i] = words_of(counts[i], formats[i]);
    registers[i] = formats[i] == "f64" ? counts[i] : words[i];
  }
  const int bits = test.a == "f64" ? 64 : 32;
  const int record = words[1] + words[2] + words[3];
  const std::string b = ".b" + std::to_string(bits);
  TileKernel kernel;
  kernel.blocks = static_cast<std::uint32_t>(blocks.size());
  kernel.ptx = tile_head(static_cast<std::size_t>(record), static_cast<std::size_t>(words[0]),
                         ".reg " + b + " %a<16>; .reg " + b + " %b<16>; .reg " + b +
                             " %c<16>; .reg " + b + " %d<16>;\n") +
               load_registers("%a", registers[1], bits, 0) +
               load_registers("%b", registers[2], bits, words[1]) +
               load_registers("%c", registers[3], bits, words[1] + words[2]);
  for (int i = 0; i < registers[0]; ++i)
    kernel.ptx += "mov" + b + " %d" + std::to_string(i) + ", 77;\n";
  kernel.ptx += "setp.lt.u32 %p1, %thread, 16; setp.lt.u32 %p2, %thread, 32;\n" + guard +
                "mma.sync.aligned." + test.opcode + " " + register_list("%d", registers[0]) + ", " +
                register_list("%a", registers[1]) + ", " + register_list("%b", registers[2]) +
                ", " + register_list("%c", registers[3]) + ";\n" +
                store_registers("%d", registers[0], bits) + "ret;\n}\n";
  for (const Inputs& inputs : blocks) {
    for (int lane = 0; lane < 32; ++lane) {
      Words lane_record(static_cast<std::size_t>(record));
      for (int i = 0; i < counts[1]; ++i) {
        const Place at = a_place(test, lane, i);
        put_element(lane_record, 0, bits_of_case(test.a), i, inputs.a.at(at.row, at.column));
      }
      for (int i = 0; i < counts[2]; ++i) {
        const Place at = b_place(test, lane, i);
        put_element(lane_record, static_cast<std::size_t>(words[1]), bits_of_case(test.b), i,
                    inputs.b.at(at.row, at.column));
      }
      for (int i = 0; i < counts[3]; ++i) {
        const Place at = c_place(lane, i);
        put_element(lane_record, static_cast<std::size_t>(words[1] + words[2]),
                    bits_of_case(test.c), i, inputs.c.at(at.row, at.column));
      }
      kernel.input.insert(kernel.input.end(), lane_record.begin(), lane_record.end());
    }
  }
  kernel.output_words = blocks.size() * 32 * static_cast<std::size_t>(words[0]);
  return kernel;
}

// Returns the results as matrices, one for each block.
std::vector<Matrix> results_of(const MmaCase& test, const Words& output, std::size_t blocks) {
  std::vector<Matrix> results;
  const int count = test.m * test.n / 32;
  const std::size_t words = static_cast<std::size_t>(words_of(count, test.d));
  for (std::size_t block = 0; block < blocks; ++block) {
    Matrix d(test.d, test.m, test.n);
    for (int lane = 0; lane < 32; ++lane) {
      for (int i = 0; i < count; ++i) {
        const Place at = c_place(lane, i);
        d.at(at.row, at.column) = get_element(
            output, (block * 32 + static_cast<std::size_t>(lane)) * words, bits_of_case(test.d), i);
      }
    }
    results.push_back(std::move(d));
  }
  return results;
}

TEST(Mma, EveryFormPlacesEveryElement) {
  std::mt19937 random(7);
  for (const MmaCase& test : cases()) {
    std::vector<Inputs> blocks(3, make_inputs(test));
    for (Inputs& inputs : blocks) {
      inputs.a.fill_integers(random, number_format(test.a).bits == 4 ? 7 : 8);
      inputs.b.fill_integers(random, number_format(test.b).bits == 4 ? 7 : 8);
      inputs.c.fill_integers(random, 100);
    }
    Counters counters;
    const auto results =
        results_of(test, run_tile(make_kernel(test, blocks), &counters), blocks.size());
    int wrong = 0;
    for (std::size_t block = 0; block < blocks.size(); ++block) {
      const Inputs& in = blocks[block];
      for (int m = 0; m < test.m; ++m) {
        for (int n = 0; n < test.n; ++n) {
          if (results[block].value(m, n) != exact_sum(in.a, in.b, in.c, m, n) && ++wrong < 4)
            ADD_FAILURE() << test.opcode << " d[" << m << "][" << n
                          << "] = " << results[block].value(m, n) << ", expected "
                          << exact_sum(in.a, in.b, in.c, m, n);
        }
      }
    }
    EXPECT_EQ(wrong, 0) << test.opcode;
    const std::uint64_t operations = counters.tensor_f16_ops + counters.tensor_bf16_ops +
                                     counters.tensor_tf32_ops + counters.tensor_f64_ops +
                                     counters.tensor_int8_ops + counters.tensor_fp8_ops;
    EXPECT_EQ(operations, 3u * 2 * static_cast<unsigned>(test.m * test.n * test.k)) << test.opcode;
    EXPECT_EQ(counters.tensor, 3u) << test.opcode;
  }
}

TEST(Mma, RandomSumsStayWithinTheStatedBound) {
  std::mt19937 random(11);
  for (const MmaCase& test : cases()) {
    if (test.c != "f32" && test.c != "f16") continue;
    std::vector<Inputs> blocks(20, make_inputs(test));
    for (Inputs& inputs : blocks) {
      inputs.a.fill_random(random, 1);
      inputs.b.fill_random(random, 1);
      inputs.c.fill_random(random, 1);
    }
    const auto results = results_of(test, run_tile(make_kernel(test, blocks)), blocks.size());
    double worst = 0;
    for (std::size_t block = 0; block < blocks.size(); ++block) {
      const Inputs& in = blocks[block];
      for (int m = 0; m < test.m; ++m) {
        for (int n = 0; n < test.n; ++n) {
          const double error =
              std::fabs(results[block].value(m, n) - exact_sum(in.a, in.b, in.c, m, n));
          const bool half_steps = number_format(test.a).bits == 8 && test.d == "f16";
          worst =
              std::max(worst, error / sum_bound(in.a, in.b, in.c, m, n, test.d, false, half_steps));
        }
      }
    }
    EXPECT_LE(worst, 1) << test.opcode;
    EXPECT_GT(worst, 0) << test.opcode << " is never inexact: the inputs test nothing";
  }
}

// Uses ranges in which every rule of the sums matters: alignment, truncation, subnormals, overflow.
TEST(Mma, WideRangesGiveTheBitsOfAnH200) {
  const auto recorded = recorded_fingerprints();
  for (const MmaCase& test : cases()) {
    if (number_format(test.a).exponent_bits == 0) continue;
    for (const int spread : {2, 8, 20, 40}) {
      std::mt19937 random(static_cast<unsigned>(spread));
      std::vector<Inputs> blocks(4, make_inputs(test));
      for (Inputs& inputs : blocks) {
        inputs.a.fill_wide(random, spread);
        inputs.b.fill_wide(random, spread);
        inputs.c.fill_wide(random, test.c == "f16" ? std::min(spread, 14) : spread);
      }
      TileKernel kernel = make_kernel(test, blocks);
      kernel.name = "mma." + test.opcode + " spread " + std::to_string(spread);
      const Words output = run_tile(kernel);
      const auto found = recorded.find(kernel.name);
      ASSERT_NE(found, recorded.end()) << kernel.name;
      EXPECT_EQ(fingerprint(output), found->second) << kernel.name;
    }
  }
}

TEST(Mma, DoublesAreFusedInAscendingK) {
  std::mt19937 random(12);
  for (const MmaCase& test : cases()) {
    if (test.a != "f64") continue;
    std::vector<Inputs> blocks(1, make_inputs(test));
    Inputs& in = blocks[0];
    in.a.fill_random(random, 1);
    in.b.fill_random(random, 1);
    in.c.fill_random(random, 1);
    const Matrix d = results_of(test, run_tile(make_kernel(test, blocks)), 1)[0];
    for (int m = 0; m < test.m; ++m) {
      for (int n = 0; n < test.n; ++n) {
        double sum = in.c.value(m, n);
        for (int k = 0; k < test.k; ++k) sum = std::fma(in.a.value(m, k), in.b.value(k, n), sum);
        EXPECT_EQ(d.value(m, n), sum) << test.opcode;
      }
    }
  }
}

TEST(Mma, IntegersWrapOrSaturate) {
  for (const MmaCase& test : cases()) {
    if (test.c != "s32") continue;
    std::vector<Inputs> blocks(1, make_inputs(test));
    Inputs& in = blocks[0];
    const double largest = std::ldexp(1.0, number_format(test.a).bits - 1) - 1;
    for (auto& bits : in.a.bits) bits = encode(test.a, largest);
    for (auto& bits : in.b.bits)
      bits = encode(test.b, std::ldexp(1.0, number_format(test.b).bits - 1) - 1);
    for (auto& bits : in.c.bits) bits = 0x7fffffff - 5;
    const Matrix d = results_of(test, run_tile(make_kernel(test, blocks)), 1)[0];
    const double exact = exact_sum(in.a, in.b, in.c, 0, 0);
    const bool saturates = test.opcode.find("satfinite") != std::string::npos;
    EXPECT_EQ(d.value(0, 0), saturates ? 2147483647.0 : exact - 4294967296.0) << test.opcode;
  }
}

TEST(Mma, InfinitiesAndNanSpreadToTheirRowAndColumnOnly) {
  for (const char* format : {"f16", "bf16", "tf32", "e5m2"}) {
    for (const MmaCase& test : cases()) {
      if (test.a != format || test.b != format || test.d != "f32") continue;
      std::vector<Inputs> blocks(1, make_inputs(test));
      Inputs& in = blocks[0];
      for (auto& bits : in.a.bits) bits = encode(format, 1);
      for (auto& bits : in.b.bits) bits = encode(format, 2);
      const NumberFormat f = number_format(format);
      const std::uint64_t infinity = ((1ull << f.exponent_bits) - 1) << f.fraction_bits;
      in.a.at(2, 1) = infinity;
      in.a.at(3, 0) = infinity;
      in.a.at(3, 1) = infinity | 1ull << (f.bits - 1);  // inf - inf
      in.b.at(0, 5) = infinity | 1ull << (f.fraction_bits - 1);
      in.c.at(7, 7) = 0xff800000u;
      const Matrix d = results_of(test, run_tile(make_kernel(test, blocks)), 1)[0];
      for (int m = 0; m < test.m; ++m) {
        for (int n = 0; n < test.n; ++n) {
          const std::uint64_t got = d.at(m, n);
          const std::uint64_t expected = n == 5 || m == 3   ? 0x7fffffffu
                                         : m == 2           ? 0x7f800000u
                                         : m == 7 && n == 7 ? 0xff800000u
                                                            : encode("f32", 2 * test.k);
          EXPECT_EQ(got, expected) << test.opcode << " " << m << " " << n;
        }
      }
    }
  }
}

TEST(Mma, TheLowBitsOfTf32AreIgnored) {
  const MmaCase test{"m16n8k8.row.col.f32.tf32.tf32.f32", 16, 8, 8, "tf32", "tf32", "f32", "f32"};
  std::vector<Inputs> blocks(1, make_inputs(test));
  for (auto& bits : blocks[0].a.bits) bits = 0x3f801fff;
  for (auto& bits : blocks[0].b.bits) bits = 0x40001fff;
  const Matrix d = results_of(test, run_tile(make_kernel(test, blocks)), 1)[0];
  EXPECT_EQ(d.value(9, 5), 16.0);
}

TEST(Mma, ExtremeRangesGoTheExactWay) {
  const MmaCase test{"m16n8k16.row.col.f32.bf16.bf16.f32", 16, 8, 16, "bf16", "bf16", "f32", "f32"};
  std::vector<Inputs> blocks(1, make_inputs(test));
  Inputs& in = blocks[0];
  in.a.at(0, 0) = encode("bf16", 0x1p100);
  in.b.at(0, 0) = encode("bf16", 0x1p20);
  in.a.at(1, 1) = encode("bf16", 0x1p-100);
  in.b.at(1, 1) = encode("bf16", 0x1.8p-30);
  in.a.at(2, 2) = encode("bf16", -0x1p-100);
  in.b.at(2, 2) = encode("bf16", 0x1p-49);
  in.a.at(3, 3) = encode("bf16", 0x1p100);
  in.b.at(3, 3) = encode("bf16", -0x1p100);
  in.c.at(4, 4) = encode("f32", 0x1p-149);
  const Matrix d = results_of(test, run_tile(make_kernel(test, blocks)), 1)[0];
  EXPECT_EQ(d.value(0, 0), 0x1p120);
  EXPECT_EQ(d.value(1, 1), 0x1.8p-130);
  EXPECT_EQ(d.value(2, 2), -0x1p-149);
  EXPECT_EQ(d.value(3, 3), -INFINITY);
  EXPECT_EQ(d.value(4, 4), 0x1p-149);
  EXPECT_EQ(d.at(5, 5), 0u);
}

TEST(Mma, AGuardThatHoldsForTheWholeWarpSkipsOrRunsIt) {
  const MmaCase test{"m16n8k16.row.col.f32.f16.f16.f32", 16, 8, 16, "f16", "f16", "f32", "f32"};
  std::vector<Inputs> blocks(1, make_inputs(test));
  blocks[0].c.at(3, 4) = encode("f32", 5);
  EXPECT_EQ(results_of(test, run_tile(make_kernel(test, blocks, "@%p2 ")), 1)[0].value(3, 4), 5);
  EXPECT_EQ(results_of(test, run_tile(make_kernel(test, blocks, "@!%p2 ")), 1)[0].at(3, 4), 77u);
}

TEST(Mma, PartOfAWarpIsAFault) {
  const MmaCase test{"m16n8k16.row.col.f32.f16.f16.f32", 16, 8, 16, "f16", "f16", "f32", "f32"};
  Words output;
  const auto report = launch_tile(make_kernel(test, {make_inputs(test)}, "@!%p1 exit;\n"), output);
  ASSERT_TRUE(report.fault.has_value());
  EXPECT_EQ(report.fault->kind, FindingKind::kTrap);
  EXPECT_NE(report.fault->message.find(
                "`mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32` is executed by 16 of the 32 "
                "threads of a warp at "),
            std::string::npos)
      << report.fault->message;
}

TEST(Mma, WhatIsNotThereIsNamed) {
  for (const char* opcode : {"mma.sp.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16",
                             "mma.sync.aligned.m8n8k4.row.col.f32.f16.f16.f32",
                             "mma.sync.aligned.m16n8k16.row.col.satfinite.f32.f16.f16.f32",
                             "mma.sync.aligned.m16n8k16.row.col.f32.f16.bf16.f32"}) {
    try {
      (void)Module::parse(ptx_header() + ".visible .entry k() {\n.reg .b32 r<4>;\n" + opcode +
                              " {r0,r1,r2,r3}, {r0,r1,r2,r3}, {r0,r1}, {r0,r1,r2,r3};\nret;\n}\n",
                          "k.ptx");
      ADD_FAILURE() << opcode << " was accepted";
    } catch (const UnsupportedPtx& error) {
      EXPECT_EQ(std::string(error.what()),
                std::string("emulator lacks `") + opcode + "` at k.ptx:6 (PTX)");
    }
  }
}

}  // namespace
}  // namespace warpwright::emu
