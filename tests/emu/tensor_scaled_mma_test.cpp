// mma.sync of floats of 4, 6 and 8 bits: .kind::f8f6f4, and with block scaling .kind::mxf8f6f4,
// .kind::mxf4 and .kind::mxf4nvf4. Containers, fragments and selectors follow the PTX ISA
// ("Block scaling for mma.sync"; "Matrix fragments for mma.m16n8k32" and "m16n8k64"); CUTLASS'
// mma_traits_sm120.hpp agrees (SFALayout, SFBLayout, fp4_shift_A).
#include "emu/numbers/small_float.h"
#include "tensor_harness.h"

namespace warpwright::emu {
namespace {

struct ScaledCase {
  std::string kind;   // the part after "mma.sync.aligned."
  std::string a, b;   // elements
  std::string scale;  // "" without block scaling
  int k = 32;
  int blocks = 1;
  std::string d = "f32";
  int byte_a = 0, thread_a = 0, byte_b = 0, thread_b = 0;

  [[nodiscard]] bool packed() const { return k == 64; }
  [[nodiscard]] std::string opcode() const {
    const std::string shape = ".m16n8k" + std::to_string(k) + ".row.col";
    const std::string types = "." + d + "." + a + "." + b + "." + d;
    if (scale.empty()) return "mma.sync.aligned" + shape + kind + types;
    return "mma.sync.aligned" + kind + shape + types + "." + scale;
  }
};

ScaledCase mxf4() { return {".kind::mxf4.block_scale", "e2m1", "e2m1", "ue8m0", 64, 2}; }
ScaledCase nvf4_powers() {
  return {".kind::mxf4nvf4.block_scale.scale_vec::2X", "e2m1", "e2m1", "ue8m0", 64, 2};
}
ScaledCase nvf4() {
  return {".kind::mxf4nvf4.block_scale.scale_vec::4X", "e2m1", "e2m1", "ue4m3", 64, 4};
}
ScaledCase mxf8(const std::string& a, const std::string& b) {
  return {".kind::mxf8f6f4.block_scale.scale_vec::1X", a, b, "ue8m0", 32, 1};
}

const char* const kElements[] = {"e4m3", "e5m2", "e3m2", "e2m3", "e2m1"};

std::vector<ScaledCase> scaled_cases() {
  std::vector<ScaledCase> all = {mxf4(), nvf4_powers(), nvf4()};
  for (const char* a : kElements) {
    for (const char* b : kElements) all.push_back(mxf8(a, b));
  }
  return all;
}

// Bits of an element within 32: a nibble, or a byte in which e2m1 is in the middle.
std::uint64_t contained(const std::string& format, bool packed, std::uint64_t code) {
  return !packed && format == "e2m1" ? code << 2 : code;
}

// The operands of one instruction: elements by code, and for every lane a register of scales for A
// and one for B.
struct Product {
  Matrix a, b, c;
  Words scales_a = Words(32), scales_b = Words(32);
  explicit Product(const ScaledCase& test)
      : a(test.a, 16, test.k), b(test.b, test.k, 8), c(test.d, 16, 8) {}

  // Block j of row m: byte byte-id-a + j of thread 2 * thread-id-a + m / 8 of the quad of row m
  // % 8.
  [[nodiscard]] double scale_a(const ScaledCase& test, int m, int k) const {
    const int lane = 4 * (m % 8) + 2 * test.thread_a + m / 8;
    return scale(test, scales_a[static_cast<std::size_t>(lane)], test.byte_a, k);
  }
  [[nodiscard]] double scale_b(const ScaledCase& test, int n, int k) const {
    return scale(test, scales_b[static_cast<std::size_t>(4 * n + test.thread_b)], test.byte_b, k);
  }
  [[nodiscard]] double term(const ScaledCase& test, int m, int n, int k) const {
    return a.value(m, k) * scale_a(test, m, k) * (b.value(k, n) * scale_b(test, n, k));
  }
  [[nodiscard]] double exact(const ScaledCase& test, int m, int n) const {
    double sum = c.value(m, n);
    for (int k = 0; k < test.k; ++k) sum += term(test, m, n, k);
    return sum;
  }

 private:
  [[nodiscard]] static double scale(const ScaledCase& test, std::uint32_t word, int byte, int k) {
    if (test.scale.empty()) return 1;
    const std::uint32_t code = word >> 8 * (byte + k * test.blocks / test.k) & 0xff;
    if (test.scale == "ue4m3") return decode("e4m3", code & 0x7f);
    return code == 255 ? NAN : std::ldexp(1.0, static_cast<int>(code) - 127);
  }
};

void fill_scales(const ScaledCase& test, std::mt19937& random, Product& product) {
  for (Words* words : {&product.scales_a, &product.scales_b}) {
    for (std::uint32_t& word : *words) {
      word = 0;
      for (int byte = 0; byte < 4; ++byte) {
        const std::uint32_t code = test.scale == "ue4m3" ? 0x38 + random() % 8 : 125 + random() % 5;
        word |= code << 8 * byte;
      }
    }
  }
}

TileKernel kernel_of(const ScaledCase& test, const std::vector<Product>& products,
                     bool in_registers = false, const std::string& change = "") {
  const int width = test.packed() ? 4 : 8;
  const int half = test.packed() ? 8 : 4;  // elements of a register
  TileKernel kernel;
  kernel.blocks = static_cast<std::uint32_t>(products.size());
  kernel.ptx = tile_head(12, 4,
                         ".reg .b32 %a<4>; .reg .b32 %b<2>; .reg .b32 %c<4>; "
                         ".reg .b32 %d<4>; .reg .b32 %s<2>; .reg .b16 %h<4>;\n") +
               load_registers("%a", 4, 32, 0) + load_registers("%b", 2, 32, 4) +
               load_registers("%c", 4, 32, 6) + load_registers("%s", 2, 32, 10) +
               "mov.b32 %d2, 0; mov.b32 %d3, 0;\n";
  const int sums = test.d == "f16" ? 2 : 4;
  std::string scales;
  if (!test.scale.empty()) {
    const int selectors[] = {test.byte_a, test.thread_a, test.byte_b, test.thread_b};
    std::string names[4];
    for (int i = 0; i < 4; ++i) {
      names[i] = in_registers ? "%h" + std::to_string(i) : std::to_string(selectors[i]);
      if (in_registers)
        kernel.ptx += "mov.b16 " + names[i] + ", " + std::to_string(selectors[i]) + ";\n";
    }
    scales =
        ", {%s0}, {" + names[0] + ", " + names[1] + "}, %s1, {" + names[2] + ", " + names[3] + "}";
  }
  kernel.ptx += change + test.opcode() + " " + register_list("%d", sums) + ", " +
                register_list("%a", 4) + ", " + register_list("%b", 2) + ", " +
                register_list("%c", sums) + scales + ";\n" + store_registers("%d", 4, 32) +
                "ret;\n}\n";
  for (const Product& product : products) {
    for (int lane = 0; lane < 32; ++lane) {
      const int g = lane / 4;
      const int t = lane % 4;
      Words record(12);
      for (int i = 0; i < 4 * half; ++i) {
        const int row = g + (i / half % 2) * 8;
        const int column = t * half + i % half + (i / (2 * half)) * 4 * half;
        put_element(record, 0, width, i,
                    contained(test.a, test.packed(), product.a.at(row, column)));
      }
      for (int i = 0; i < 2 * half; ++i) {
        const int row = t * half + i % half + i / half * 4 * half;
        put_element(record, 4, width, i, contained(test.b, test.packed(), product.b.at(row, g)));
      }
      const int sum_bits = number_format(test.d).bits;
      for (int i = 0; i < 4; ++i)
        put_element(record, 6, sum_bits, i, product.c.at(g + i / 2 * 8, 2 * t + i % 2));
      record[10] = product.scales_a[static_cast<std::size_t>(lane)];
      record[11] = product.scales_b[static_cast<std::size_t>(lane)];
      kernel.input.insert(kernel.input.end(), record.begin(), record.end());
    }
  }
  kernel.output_words = products.size() * 32 * 4;
  return kernel;
}

Matrix result_of(const ScaledCase& test, const Words& output, std::size_t block) {
  Matrix d(test.d, 16, 8);
  for (int lane = 0; lane < 32; ++lane) {
    for (int i = 0; i < 4; ++i)
      d.at(lane / 4 + i / 2 * 8, lane % 4 * 2 + i % 2) = get_element(
          output, (block * 32 + static_cast<std::size_t>(lane)) * 4, number_format(test.d).bits, i);
  }
  return d;
}

// Small integers and scales, for which every sum is exact.
Product exact_product(const ScaledCase& test, std::mt19937& random) {
  Product product(test);
  product.a.fill_integers(random, 4);
  product.b.fill_integers(random, 4);
  product.c.fill_integers(random, 100);
  fill_scales(test, random, product);
  return product;
}

void expect_exact(const ScaledCase& test, const std::vector<Product>& products,
                  bool in_registers = false) {
  const Words output = run_tile(kernel_of(test, products, in_registers));
  for (std::size_t block = 0; block < products.size(); ++block) {
    const Matrix d = result_of(test, output, block);
    for (int m = 0; m < 16; ++m) {
      for (int n = 0; n < 8; ++n)
        ASSERT_EQ(d.value(m, n), products[block].exact(test, m, n))
            << test.opcode() << " " << m << " " << n << ", selectors " << test.byte_a
            << test.thread_a << test.byte_b << test.thread_b;
    }
  }
}

TEST(ScaledMma, EveryKindPlacesEveryElement) {
  std::mt19937 random(3);
  for (const ScaledCase& test : scaled_cases()) {
    std::vector<Product> products;
    for (int i = 0; i < 3; ++i) products.push_back(exact_product(test, random));
    expect_exact(test, products);
  }
}

TEST(ScaledMma, EverySelectorPicksItsScales) {
  std::mt19937 random(4);
  for (ScaledCase test : {mxf8("e4m3", "e2m3"), mxf4(), nvf4_powers(), nvf4()}) {
    for (test.byte_a = 0; test.byte_a <= 4 - test.blocks; test.byte_a += test.blocks) {
      for (test.byte_b = 0; test.byte_b <= 4 - test.blocks; test.byte_b += test.blocks) {
        for (test.thread_a = 0; test.thread_a < 2; ++test.thread_a) {
          for (test.thread_b = 0; test.thread_b < 4; ++test.thread_b)
            expect_exact(test, {exact_product(test, random)}, test.thread_b % 2 == 1);
        }
      }
    }
  }
}

TEST(ScaledMma, OperationsAreCountedByWidth) {
  std::mt19937 random(5);
  for (const ScaledCase& test : scaled_cases()) {
    Counters counters;
    (void)run_tile(kernel_of(test, {exact_product(test, random)}), &counters);
    const std::uint64_t operations = 2ull * 16 * 8 * static_cast<unsigned>(test.k);
    EXPECT_EQ(counters.tensor_fp4_ops, test.packed() ? operations : 0) << test.opcode();
    EXPECT_EQ(counters.tensor_fp8_ops, test.packed() ? 0 : operations) << test.opcode();
    EXPECT_EQ(counters.tensor, 1u) << test.opcode();
  }
}

// Tests every code of an element with every power of two as its scale; B cancels the power, so that
// the result is the element itself. Far from 1, floats cannot represent the factors.
TEST(ScaledMma, EveryElementUnderEveryPowerOfTwo) {
  for (const char* format : kElements) {
    ScaledCase test = mxf8(format, "e4m3");
    const unsigned codes = 1u << number_format(format).bits;
    std::vector<Product> products;
    for (unsigned scale = 0; scale < 256; ++scale) {
      for (unsigned first = 0; first < codes; first += 16) {
        Product product(test);
        for (unsigned m = 0; m < 16; ++m) product.a.at(static_cast<int>(m), 9) = first + m;
        for (int n = 0; n < 8; ++n) product.b.at(9, n) = encode("e4m3", 1);
        std::fill(product.scales_a.begin(), product.scales_a.end(), scale);
        std::fill(product.scales_b.begin(), product.scales_b.end(), 254 - std::min(scale, 254u));
        products.push_back(std::move(product));
      }
      if (std::string(format) != "e4m3" && scale == 2) scale = 252;
    }
    const Words output = run_tile(kernel_of(test, products));
    for (std::size_t block = 0; block < products.size(); ++block) {
      const Matrix d = result_of(test, output, block);
      const Product& in = products[block];
      for (int m = 0; m < 16; ++m) {
        const double element = decode(format, in.a.at(m, 9));
        if (std::isnan(element) || in.scales_a[0] == 255) {
          ASSERT_EQ(d.at(m, 3), 0x7fffffffu) << format << in.a.at(m, 9) << " " << in.scales_a[0];
        } else {
          ASSERT_EQ(d.value(m, 3), element) << format << in.a.at(m, 9) << " " << in.scales_a[0];
        }
      }
    }
  }
}

TEST(ScaledMma, EveryElementUnderEveryScaleOfE4m3) {
  const ScaledCase test = nvf4();
  std::vector<Product> products;
  for (std::uint32_t scale = 0; scale < 256; ++scale) {
    Product product(test);
    for (int m = 0; m < 16; ++m) product.a.at(m, 20) = static_cast<std::uint64_t>(m);
    for (int n = 0; n < 8; ++n) product.b.at(20, n) = encode("e2m1", 1);
    // The elements under the other blocks' scales are all zero.
    std::fill(product.scales_a.begin(), product.scales_a.end(), 0x38380038u | scale << 8);
    std::fill(product.scales_b.begin(), product.scales_b.end(), 0x38383838u);
    products.push_back(std::move(product));
  }
  const Words output = run_tile(kernel_of(test, products));
  for (std::uint32_t scale = 0; scale < 256; ++scale) {
    const Matrix d = result_of(test, output, scale);
    for (int m = 0; m < 16; ++m) {
      const double expected =
          decode("e2m1", static_cast<std::uint64_t>(m)) * small_values(SmallFormat::kUe4m3)[scale];
      if ((scale & 0x7f) == 0x7f) {
        EXPECT_EQ(d.at(m, 0), 0x7fffffffu) << m << " " << scale;
      } else {
        EXPECT_EQ(d.value(m, 0), expected) << m << " " << scale;
      }
    }
  }
}

TEST(ScaledMma, RandomSumsStayWithinTheStatedBound) {
  std::mt19937 random(6);
  for (const ScaledCase& test : {mxf8("e5m2", "e4m3"), mxf8("e3m2", "e2m1"), mxf4(), nvf4()}) {
    std::vector<Product> products;
    for (int i = 0; i < 20; ++i) {
      Product product(test);
      product.a.fill_random(random, 1);
      product.b.fill_random(random, 1);
      product.c.fill_random(random, 1);
      fill_scales(test, random, product);
      for (std::uint32_t& word : product.scales_a) word ^= random() & 0x07070707u;
      products.push_back(std::move(product));
    }
    const Words output = run_tile(kernel_of(test, products));
    double worst = 0;
    for (std::size_t block = 0; block < products.size(); ++block) {
      const Matrix d = result_of(test, output, block);
      for (int m = 0; m < 16; ++m) {
        for (int n = 0; n < 8; ++n) {
          double size = std::fabs(products[block].c.value(m, n));
          for (int k = 0; k < test.k; ++k) size += std::fabs(products[block].term(test, m, n, k));
          const int steps = test.k / 16;
          const double bound =
              std::ldexp((test.k + steps) * size, -25) + std::ldexp(steps * size, -23);
          const double error = std::fabs(d.value(m, n) - products[block].exact(test, m, n));
          worst = std::max(worst, error / bound);
        }
      }
    }
    EXPECT_LE(worst, 1) << test.opcode();
    EXPECT_GT(worst, 0) << test.opcode() << " is never inexact: the inputs test nothing";
  }
}

// Opposite powers on A and B do not change a bit, although floats can no longer represent the
// factors.
TEST(ScaledMma, FactorsBeyondFloatsGiveTheSameBits) {
  std::mt19937 random(7);
  const ScaledCase test = mxf8("e5m2", "e4m3");
  Product plain(test);
  plain.a.fill_wide(random, 16);
  plain.b.fill_wide(random, 10);
  plain.c.fill_random(random, 1);
  std::fill(plain.scales_a.begin(), plain.scales_a.end(), 127);
  std::fill(plain.scales_b.begin(), plain.scales_b.end(), 127);
  Product shifted = plain;
  std::fill(shifted.scales_a.begin(), shifted.scales_a.end(), 127 + 125);
  std::fill(shifted.scales_b.begin(), shifted.scales_b.end(), 127 - 125);
  const Words output = run_tile(kernel_of(test, {plain, shifted}));
  EXPECT_EQ(result_of(test, output, 0).bits, result_of(test, output, 1).bits);
}

TEST(ScaledMma, InfinitiesAndNanSpreadToTheirRowAndColumnOnly) {
  const ScaledCase test = mxf8("e5m2", "e4m3");
  Product product(test);
  for (auto& bits : product.a.bits) bits = encode("e5m2", 1);
  for (auto& bits : product.b.bits) bits = encode("e4m3", 2);
  std::fill(product.scales_a.begin(), product.scales_a.end(), 127);
  std::fill(product.scales_b.begin(), product.scales_b.end(), 127);
  product.a.at(2, 1) = 0x7c;          // infinity
  product.b.at(7, 5) = 0x7f;          // NaN
  product.scales_a[4 * 1 + 1] = 255;  // of row 9
  const Matrix d = result_of(test, run_tile(kernel_of(test, {product})), 0);
  for (int m = 0; m < 16; ++m) {
    for (int n = 0; n < 8; ++n)
      EXPECT_EQ(d.at(m, n), n == 5 || m == 9 ? 0x7fffffffu
                            : m == 2         ? 0x7f800000u
                                             : encode("f32", 64))
          << m << " " << n;
  }
}

std::string fault_of(const TileKernel& kernel) {
  Words output;
  const LaunchReport report = launch_tile(kernel, output);
  return report.fault ? report.fault->message : "";
}

TEST(ScaledMma, SelectorsThatPtxDoesNotDefineAreFaults) {
  const auto message = [](const ScaledCase& test, const std::string& change = "") {
    const std::string text = fault_of(kernel_of(test, {Product(test)}, true, change));
    const std::size_t place = text.find(" at ");
    const std::size_t colon = text.find(": ", place);
    return place == text.npos ? text : text.substr(0, place) + text.substr(colon);
  };
  ScaledCase odd = mxf4();
  odd.byte_b = 1;
  EXPECT_EQ(message(odd), "`" + odd.opcode() +
                              "`: byte-id-b is 1, expected 0 or 2 in all threads: it selects which "
                              "part of the scales counts");
  ScaledCase high = mxf8("e4m3", "e4m3");
  high.thread_a = 2;
  EXPECT_EQ(message(high), "`" + high.opcode() +
                               "`: thread-id-a is 2, expected 0 to 1 in all threads: it selects "
                               "which part of the scales counts");
  ScaledCase whole = nvf4();
  whole.byte_a = 2;
  EXPECT_EQ(message(whole), "`" + whole.opcode() +
                                "`: byte-id-a is 2, expected 0 in all threads: it selects which "
                                "part of the scales counts");
  EXPECT_EQ(message(nvf4(), "setp.gt.u32 %p1, %thread, 4;\n@%p1 mov.b16 %h3, 3;\n"),
            "`" + nvf4().opcode() +
                "`: thread-id-b is 0 and in thread 5 3, expected 0 to 3 in all threads: it selects "
                "which part of the scales counts");
}

TEST(ScaledMma, WithoutScalesEveryPairOfFormatsPlacesEveryElement) {
  std::mt19937 random(8);
  for (const char* a : kElements) {
    for (const char* b : kElements) {
      for (const char* d : {"f32", "f16"}) {
        ScaledCase test{".kind::f8f6f4", a, b, "", 32, 1, d};
        expect_exact(test, {exact_product(test, random), exact_product(test, random)});
      }
    }
  }
}

TEST(ScaledMma, WithoutScalesTheKindChangesNoBitOfEightBitFloats) {
  std::mt19937 random(9);
  for (const char* d : {"f32", "f16"}) {
    ScaledCase with{".kind::f8f6f4", "e4m3", "e5m2", "", 32, 1, d};
    ScaledCase without{"", "e4m3", "e5m2", "", 32, 1, d};
    Product product(with);
    product.a.fill_wide(random, 12);
    product.b.fill_wide(random, 12);
    product.c.fill_random(random, 1);
    EXPECT_EQ(run_tile(kernel_of(with, {product})), run_tile(kernel_of(without, {product}))) << d;
  }
}

TEST(ScaledMma, WhatIsNotThereIsNamed) {
  const std::string scaled = "mma.sync.aligned.";
  for (const std::string& opcode :
       {scaled +
            "kind::mxf8f6f4.block_scale.scale_vec::2X.m16n8k32.row.col.f32.e4m3.e4m3.f32.ue8m0",
        scaled +
            "kind::mxf8f6f4.block_scale.scale_vec::1X.m16n8k32.row.col.f32.e4m3.e4m3.f32.ue4m3",
        scaled + "kind::mxf4.block_scale.scale_vec::4X.m16n8k64.row.col.f32.e2m1.e2m1.f32.ue4m3",
        scaled + "kind::mxf4.block_scale.scale_vec::2X.m16n8k64.row.col.f32.e2m1.e2m3.f32.ue8m0",
        scaled +
            "kind::mxf4nvf4.block_scale.scale_vec::2X.m16n8k64.row.col.f32.e2m1.e2m1.f32.ue4m3",
        scaled + "kind::mxf4nvf4.block_scale.m16n8k64.row.col.f32.e2m1.e2m1.f32.ue4m3",
        scaled +
            "kind::mxf4nvf4.block_scale.scale_vec::4X.m16n8k64.row.col.f32.e2m1.e2m1.f32.ue8m0",
        scaled +
            "kind::mxf4nvf4.block_scale.scale_vec::4X.m16n8k32.row.col.f32.e2m1.e2m1.f32.ue4m3",
        scaled +
            "kind::mxf8f6f4.block_scale.scale_vec::1X.m16n8k32.row.col.f16.e4m3.e4m3.f16.ue8m0"}) {
    try {
      (void)Module::parse(ptx_header() + ".visible .entry k() {\n.reg .b32 r<4>;\n" + opcode +
                              " {r0,r1,r2,r3}, {r0,r1,r2,r3}, {r0,r1}, {r0,r1,r2,r3}, r0, {0,0}, "
                              "r1, {0,0};\nret;\n}\n",
                          "k.ptx");
      ADD_FAILURE() << opcode << " was accepted";
    } catch (const UnsupportedPtx& error) {
      EXPECT_EQ(std::string(error.what()), "emulator lacks `" + opcode + "` at k.ptx:6 (PTX)");
    }
  }
}

TEST(ScaledMma, SmallFloatsNeedTheirKind) {
  const std::string opcode = "mma.sync.aligned.m16n8k32.row.col.f32.e3m2.e4m3.f32";
  try {
    (void)Module::parse(ptx_header() + ".visible .entry k() {\n.reg .b32 r<4>;\n" + opcode +
                            " {r0,r1,r2,r3}, {r0,r1,r2,r3}, {r0,r1}, {r0,r1,r2,r3};\nret;\n}\n",
                        "k.ptx");
    ADD_FAILURE() << opcode << " was accepted";
  } catch (const UnsupportedPtx& error) {
    EXPECT_EQ(std::string(error.what()), "emulator lacks `" + opcode + "` at k.ptx:6 (PTX)");
  }
}

}  // namespace
}  // namespace warpwright::emu
