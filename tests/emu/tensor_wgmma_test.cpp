// wgmma.mma_async: layouts of both operands, formats, signs, scale-d, and refused operands.
#include "tensor_harness.h"

namespace warpwright::emu {
namespace {

constexpr int kTileB = 8192;  // B's place in shared memory; A is at 0
constexpr int kSharedBytes = 40960;

// The layout of an operand in shared memory.
struct Layout {
  int swizzle = 0;
  bool mn_major = false;
  int skip = 0;  // bytes along K before the first element, inside a swizzled row
};

struct WgmmaCase {
  int n = 256;
  std::string d = "f32";
  std::string a = "bf16";
  std::string b = "bf16";
  Layout a_layout;
  Layout b_layout;
  bool register_a = false;
  bool add = true;
  int sign_a = 1;
  int sign_b = 1;
  std::string extra;

  [[nodiscard]] int k() const { return 256 / number_format(a).bits; }
  [[nodiscard]] bool is_integer() const { return number_format(a).exponent_bits == 0; }
  [[nodiscard]] std::string opcode() const {
    return "wgmma.mma_async.sync.aligned.m64n" + std::to_string(n) + "k" + std::to_string(k()) +
           extra + "." + d + "." + a + "." + b;
  }
  [[nodiscard]] std::string name() const {
    const auto layout = [](const Layout& l) {
      return std::string(l.mn_major ? "mn" : "k") + std::to_string(l.swizzle) + "+" +
             std::to_string(l.skip);
    };
    return opcode() + " a " + (register_a ? "registers" : layout(a_layout)) + " b " +
           layout(b_layout) + " signs " + std::to_string(sign_a) + std::to_string(sign_b) +
           (add ? "" : " replacing");
  }
};

// Byte offsets between pieces, chosen so that neither has the value that the other would have.
struct Offsets {
  int leading = 0;
  int stride = 0;
};
Offsets offsets_of(const Layout& layout, int lines) {
  if (!layout.mn_major) {
    if (layout.swizzle == 0) return {16 * lines, 128};
    return {16, 8 * layout.swizzle};
  }
  if (layout.swizzle == 0) return {16 * lines, 128};
  return {16 * layout.swizzle, 8 * layout.swizzle};
}

// Shared address of one element (PTX ISA, canonical layouts).
int element_address(const Layout& layout, int tile, int lines, int bytes, int line, int k) {
  const Offsets offsets = offsets_of(layout, lines);
  int address = tile;
  if (!layout.mn_major) {
    const int byte = k * bytes + layout.skip;
    const int width = layout.swizzle == 0 ? 16 : layout.swizzle;
    address += line / 8 * offsets.stride + line % 8 * width + byte / width * offsets.leading +
               byte % width;
  } else {
    const int width = layout.swizzle == 0 ? 16 : layout.swizzle;
    const int across = width / bytes;
    const int between_lines = layout.swizzle == 0 ? offsets.stride : offsets.leading;
    const int between_k = layout.swizzle == 0 ? offsets.leading : offsets.stride;
    address +=
        line / across * between_lines + line % across * bytes + k % 8 * width + k / 8 * between_k;
  }
  // Bits 4 and up change by bits 7 and up: three of them for 128 bytes, one for 32.
  const int rows = layout.swizzle / 16;
  return rows == 0 ? address : address ^ (address / 128 % rows) * 16;
}

std::uint64_t descriptor(const Layout& layout, int tile, int lines) {
  const Offsets offsets = offsets_of(layout, lines);
  const std::uint64_t swizzle = layout.swizzle == 128  ? 1
                                : layout.swizzle == 64 ? 2
                                : layout.swizzle == 32 ? 3
                                                       : 0;
  return static_cast<std::uint64_t>(tile + layout.skip) >> 4 |
         static_cast<std::uint64_t>(offsets.leading >> 4) << 16 |
         static_cast<std::uint64_t>(offsets.stride >> 4) << 32 | swizzle << 62;
}

struct WgmmaInputs {
  Matrix a, b, d;
};
WgmmaInputs make_inputs(const WgmmaCase& test) {
  return {Matrix(test.a, 64, test.k()), Matrix(test.b, test.k(), test.n),
          Matrix(test.d, 64, test.n)};
}

struct WgmmaPlace {
  int row = 0;
  int column = 0;
};
// Element i of thread t's accumulators (PTX ISA, "Register fragments for wgmma").
WgmmaPlace d_place(int thread, int i) {
  return {16 * (thread / 32) + thread % 32 / 4 + 8 * (i / 2 % 2),
          8 * (i / 4) + 2 * (thread % 4) + i % 2};
}
// The place of element i of A in registers that hold `per_register` elements each.
WgmmaPlace a_place(int thread, int i, int per_register) {
  const int reg = i / per_register;
  return {16 * (thread / 32) + thread % 32 / 4 + 8 * (reg % 2),
          per_register * (thread % 4) + i % per_register + 4 * per_register * (reg / 2)};
}

constexpr int kSharedWords = kSharedBytes / 4 / 128;  // of every thread's record

struct Sizes {
  int d_registers, d_elements, record;
};
Sizes sizes_of(const WgmmaCase& test) {
  const int registers = test.n / (test.d == "f16" ? 4 : 2);
  return {registers, test.n / 2, kSharedWords + 4 + 4 + registers};
}

// The record has shared memory, descriptors of A and B, and the registers of A and D. `before` and
// `instruction` replace the parts that the tests of faults change.
TileKernel make_kernel(const WgmmaCase& test, const WgmmaInputs& in) {
  const Sizes sizes = sizes_of(test);
  TileKernel kernel;
  kernel.threads = 128;
  kernel.shared_bytes = kSharedBytes;
  kernel.ptx =
      tile_head(static_cast<std::size_t>(sizes.record), static_cast<std::size_t>(sizes.d_registers),
                ".reg .b32 %a<4>; .reg .b32 %d<128>; .reg .b32 %w; .reg .b32 %s; .reg "
                ".b64 %base; .reg .b64 %da; .reg .b64 %db;\n");
  kernel.ptx +=
      "mov.u32 %s, tile; cvt.u64.u32 %base, %s; shr.u64 %base, %base, 4;\n"
      "mad.lo.u32 %s, %thread, " +
      std::to_string(4 * kSharedWords) + ", %s;\n";
  for (int i = 0; i < kSharedWords; ++i) {
    kernel.ptx += "ld.global.b32 %w, [%in + " + std::to_string(4 * i) + "]; st.shared.b32 [%s + " +
                  std::to_string(4 * i) + "], %w;\n";
  }
  kernel.ptx += "ld.global.b64 %da, [%in + " + std::to_string(4 * kSharedWords) +
                "]; ld.global.b64 %db, [%in + " + std::to_string(4 * kSharedWords + 8) +
                "];\nadd.u64 %da, %da, %base; add.u64 %db, %db, %base;\n" +
                load_registers("%a", 4, 32, kSharedWords + 4) +
                load_registers("%d", sizes.d_registers, 32, kSharedWords + 8) +
                "setp.ne.u32 %p1, " + (test.add ? "1" : "0") +
                ", 0;\nfence.proxy.async.shared::cta;\nbar.sync 0;\n"
                "wgmma.fence.sync.aligned;\n" +
                test.opcode() + " " + register_list("%d", sizes.d_registers) + ", " +
                (test.register_a ? "{%a0, %a1, %a2, %a3}" : "%da") + ", %db, %p1";
  if (!test.is_integer())
    kernel.ptx += ", " + std::to_string(test.sign_a) + ", " + std::to_string(test.sign_b);
  if (number_format(test.a).bits == 16) {
    if (!test.register_a) kernel.ptx += test.a_layout.mn_major ? ", 1" : ", 0";
    kernel.ptx += test.b_layout.mn_major ? ", 1" : ", 0";
  }
  kernel.ptx += ";\nwgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned 0;\n" +
                store_registers("%d", sizes.d_registers, 32) + "ret;\n}\n";

  const int bits = number_format(test.a).bits;
  std::vector<std::byte> shared(kSharedBytes, std::byte{0x3f});
  for (int k = 0; k < test.k(); ++k) {
    for (int m = 0; m < 64 && !test.register_a; ++m) {
      std::memcpy(
          &shared[static_cast<std::size_t>(element_address(test.a_layout, 0, 64, bits / 8, m, k))],
          &in.a.bits[static_cast<std::size_t>(m * test.k() + k)],
          static_cast<std::size_t>(bits / 8));
    }
    for (int n = 0; n < test.n; ++n) {
      std::memcpy(&shared[static_cast<std::size_t>(
                      element_address(test.b_layout, kTileB, test.n, bits / 8, n, k))],
                  &in.b.bits[static_cast<std::size_t>(k * test.n + n)],
                  static_cast<std::size_t>(bits / 8));
    }
  }
  const std::uint64_t descriptors[] = {descriptor(test.a_layout, 0, 64),
                                       descriptor(test.b_layout, kTileB, test.n)};
  for (int thread = 0; thread < 128; ++thread) {
    Words record(static_cast<std::size_t>(sizes.record));
    std::memcpy(record.data(), shared.data() + thread * 4 * kSharedWords, 4 * kSharedWords);
    std::memcpy(record.data() + kSharedWords, descriptors, sizeof descriptors);
    for (int i = 0; i < 128 / bits; ++i) {
      const WgmmaPlace at = a_place(thread, i, 32 / bits);
      put_element(record, kSharedWords + 4, bits, i, in.a.at(at.row, at.column));
    }
    for (int i = 0; i < sizes.d_elements; ++i) {
      const WgmmaPlace at = d_place(thread, i);
      put_element(record, kSharedWords + 8, number_format(test.d).bits, i,
                  in.d.at(at.row, at.column));
    }
    kernel.input.insert(kernel.input.end(), record.begin(), record.end());
  }
  kernel.output_words = static_cast<std::size_t>(128 * sizes.d_registers);
  return kernel;
}

Matrix result_of(const WgmmaCase& test, const Words& output) {
  const Sizes sizes = sizes_of(test);
  Matrix d(test.d, 64, test.n);
  for (int thread = 0; thread < 128; ++thread) {
    for (int i = 0; i < sizes.d_elements; ++i) {
      const WgmmaPlace at = d_place(thread, i);
      d.at(at.row, at.column) =
          get_element(output, static_cast<std::size_t>(thread * sizes.d_registers),
                      number_format(test.d).bits, i);
    }
  }
  return d;
}

// The operands of the exact result: D is zero if it is replaced, and A has the sign of the product.
WgmmaInputs effective(const WgmmaCase& test, WgmmaInputs in) {
  if (!test.add) std::fill(in.d.bits.begin(), in.d.bits.end(), 0);
  if (test.sign_a * test.sign_b < 0) {
    for (auto& bits : in.a.bits) bits = encode(test.a, -decode(test.a, bits));
  }
  return in;
}

void expect_exact(const WgmmaCase& test, unsigned seed) {
  std::mt19937 random(seed);
  WgmmaInputs in = make_inputs(test);
  in.a.fill_integers(random, 8);
  in.b.fill_integers(random, 8);
  in.d.fill_integers(random, 100);
  Counters counters;
  const Matrix d = result_of(test, run_tile(make_kernel(test, in), &counters));
  const WgmmaInputs exact = effective(test, in);
  int wrong = 0;
  for (int m = 0; m < 64; ++m) {
    for (int n = 0; n < test.n; ++n) {
      const double expected = exact_sum(exact.a, exact.b, exact.d, m, n);
      if (d.value(m, n) != expected && ++wrong < 4)
        ADD_FAILURE() << test.name() << " d[" << m << "][" << n << "] = " << d.value(m, n)
                      << ", expected " << expected;
    }
  }
  EXPECT_EQ(wrong, 0) << test.name();
  const std::uint64_t operations = counters.tensor_f16_ops + counters.tensor_bf16_ops +
                                   counters.tensor_tf32_ops + counters.tensor_int8_ops +
                                   counters.tensor_fp8_ops;
  EXPECT_EQ(operations, 2u * 64 * static_cast<unsigned>(test.n * test.k())) << test.name();
  EXPECT_EQ(counters.tensor, 4u);
}

TEST(Wgmma, EveryLayoutOfEitherOperand) {
  for (const int n : {8, 24, 128, 256}) {
    for (const int swizzle : {0, 32, 64, 128}) {
      for (const int other : {0, 32, 64, 128}) {
        for (const bool a_across : {false, true}) {
          for (const bool b_across : {false, true}) {
            WgmmaCase test;
            test.n = n;
            test.a_layout = {swizzle, a_across};
            test.b_layout = {other, b_across};
            // A swizzled row of elements must be whole.
            if (b_across && n % (other / 2 == 0 ? 8 : other / 2) != 0) continue;
            expect_exact(test, static_cast<unsigned>(n + swizzle));
          }
        }
      }
    }
  }
}

TEST(Wgmma, TheStartMovesAlongKInsideASwizzledRow) {
  for (const int swizzle : {64, 128}) {
    for (int skip = 32; skip < swizzle; skip += 32) {
      WgmmaCase test;
      test.n = 64;
      test.a_layout = {swizzle, false, skip};
      test.b_layout = {swizzle, false, swizzle - skip};
      expect_exact(test, 3);
      test.a = test.b = "e4m3";
      expect_exact(test, 4);
    }
  }
}

std::vector<WgmmaCase> formats() {
  std::vector<WgmmaCase> all;
  const auto add = [&](const std::string& d, const std::string& a, const std::string& b,
                       const std::string& extra = "") {
    WgmmaCase test;
    test.d = d;
    test.a = a;
    test.b = b;
    test.extra = extra;
    test.a_layout.swizzle = test.b_layout.swizzle = 128;
    for (const bool registers : {false, true}) {
      for (const int n : {8, 40, 256}) {
        test.register_a = registers;
        test.n = test.is_integer() && n == 40 ? 48 : n;
        all.push_back(test);
      }
    }
  };
  add("f32", "f16", "f16");
  add("f16", "f16", "f16");
  add("f32", "bf16", "bf16");
  add("f32", "tf32", "tf32");
  for (const char* a : {"e4m3", "e5m2"}) {
    for (const char* b : {"e4m3", "e5m2"}) {
      add("f32", a, b);
      add("f16", a, b);
    }
  }
  for (const char* a : {"s8", "u8"}) {
    for (const char* b : {"s8", "u8"}) {
      add("s32", a, b);
      add("s32", a, b, ".satfinite");
    }
  }
  return all;
}

TEST(Wgmma, EveryFormat) {
  for (const WgmmaCase& test : formats()) expect_exact(test, 5);
}

TEST(Wgmma, SignsAndScaleD) {
  for (WgmmaCase test : formats()) {
    if (test.n != 40 && test.n != 48) continue;
    test.add = false;
    expect_exact(test, 6);
    if (test.is_integer()) continue;
    for (const int a : {-1, 1}) {
      for (const int b : {-1, 1}) {
        test.add = a != b;
        test.sign_a = a;
        test.sign_b = b;
        expect_exact(test, 7);
      }
    }
  }
}

TEST(Wgmma, RandomSumsStayWithinTheStatedBound) {
  std::mt19937 random(9);
  for (const WgmmaCase& test : formats()) {
    if (test.is_integer()) continue;
    WgmmaInputs in = make_inputs(test);
    in.a.fill_random(random, 1);
    in.b.fill_random(random, 1);
    in.d.fill_random(random, 1);
    const Matrix d = result_of(test, run_tile(make_kernel(test, in)));
    double worst = 0;
    for (int m = 0; m < 64; ++m) {
      for (int n = 0; n < test.n; ++n) {
        worst = std::max(
            worst, std::fabs(d.value(m, n) - exact_sum(in.a, in.b, in.d, m, n)) /
                       sum_bound(in.a, in.b, in.d, m, n, test.d, number_format(test.a).bits == 8));
      }
    }
    EXPECT_LE(worst, 1) << test.name();
    EXPECT_GT(worst, 0) << test.name() << " is never inexact: the inputs test nothing";
  }
}

TEST(Wgmma, WideRangesGiveTheBitsOfAnH200) {
  const auto recorded = recorded_fingerprints();
  for (const WgmmaCase& test : formats()) {
    if (test.is_integer() || test.n != 40) continue;
    for (const int spread : {2, 8, 20, 40}) {
      std::mt19937 random(static_cast<unsigned>(spread));
      WgmmaInputs in = make_inputs(test);
      in.a.fill_wide(random, spread);
      in.b.fill_wide(random, spread);
      in.d.fill_wide(random, test.d == "f16" ? std::min(spread, 14) : spread);
      TileKernel kernel = make_kernel(test, in);
      kernel.name = test.name() + " spread " + std::to_string(spread);
      const Words output = run_tile(kernel);
      const auto found = recorded.find(kernel.name);
      ASSERT_NE(found, recorded.end()) << kernel.name;
      EXPECT_EQ(fingerprint(output), found->second) << kernel.name;
    }
  }
}

// A tile that does not start where the swizzle's pattern does, with and without a base offset.
TEST(Wgmma, StartsInsideThePatternReadTheBitsOfAnH200) {
  const auto recorded = recorded_fingerprints();
  for (const int swizzle : {32, 64, 128}) {
    for (const bool across : {false, true}) {
      for (const int rows : {1, 4, 7}) {
        for (const int base : {0, rows}) {
          std::mt19937 random(static_cast<unsigned>(swizzle + rows));
          WgmmaCase test;
          test.n = 64;
          test.b_layout = {swizzle, across};
          WgmmaInputs in = make_inputs(test);
          in.a.fill_integers(random, 8);
          in.b.fill_integers(random, 8);
          TileKernel kernel = make_kernel(test, in);
          const std::uint64_t change =
              static_cast<std::uint64_t>(8 * rows) | static_cast<std::uint64_t>(base) << 49;
          const std::string from = "add.u64 %db, %db, %base;";
          kernel.ptx.replace(kernel.ptx.find(from), from.size(),
                             from + " add.u64 %db, %db, " + std::to_string(change) + ";");
          kernel.name = test.name() + " start " + std::to_string(rows) + " base offset " +
                        std::to_string(base);
          const Words output = run_tile(kernel);
          const auto found = recorded.find(kernel.name);
          ASSERT_NE(found, recorded.end()) << kernel.name;
          EXPECT_EQ(fingerprint(output), found->second) << kernel.name;
        }
      }
    }
  }
}

// --- faults

void replace(std::string& text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  ASSERT_NE(at, std::string::npos) << from;
  text.replace(at, from.size(), to);
}

void expect_fault(const TileKernel& kernel, FindingKind kind, const std::string& message) {
  Words output;
  const LaunchReport report = launch_tile(kernel, output);
  ASSERT_TRUE(report.fault.has_value());
  EXPECT_EQ(report.fault->kind, kind);
  EXPECT_NE(report.fault->message.find(message), std::string::npos) << report.fault->message;
}

WgmmaCase small() {
  WgmmaCase test;
  test.n = 8;
  return test;
}

TEST(WgmmaFaults, OutsideSharedMemory) {
  TileKernel kernel = make_kernel(small(), make_inputs(small()));
  replace(kernel.ptx, "add.u64 %db, %db, %base;", "add.u64 %db, %db, 2043;");
  expect_fault(kernel, FindingKind::kOutOfBounds,
               "wgmma reads 16 bytes of operand B at shared address 41008 at ");
}

TEST(WgmmaFaults, ReservedBitsOfADescriptor) {
  TileKernel kernel = make_kernel(small(), make_inputs(small()));
  replace(kernel.ptx, "add.u64 %da, %da, %base;", "or.b64 %da, %da, 0x4000;");
  expect_fault(kernel, FindingKind::kTrap, "has reserved bits 0x4000 set at ");
}

TEST(WgmmaFaults, ABaseOffsetWithoutASwizzle) {
  TileKernel kernel = make_kernel(small(), make_inputs(small()));
  replace(kernel.ptx, "add.u64 %da, %da, %base;", "or.b64 %da, %da, 0x2000000000000;");
  expect_fault(kernel, FindingKind::kTrap, "has base offset 1 without a swizzle at ");
}

TEST(WgmmaFaults, ADescriptorThatDiffersBetweenThreads) {
  TileKernel kernel = make_kernel(small(), make_inputs(small()));
  replace(kernel.ptx, "add.u64 %da, %da, %base;", "cvt.u64.u32 %da, %thread;");
  expect_fault(kernel, FindingKind::kTrap,
               "descriptor of operand A that differs between threads at ");
}

TEST(WgmmaFaults, AScaleDThatDiffersBetweenThreads) {
  TileKernel kernel = make_kernel(small(), make_inputs(small()));
  replace(kernel.ptx, "setp.ne.u32 %p1, 1, 0;", "setp.lt.u32 %p1, %thread, 7;");
  expect_fault(kernel, FindingKind::kTrap, "has a scale-d that differs between threads at ");
}

TEST(WgmmaFaults, ABlockSmallerThanAWarpgroup) {
  TileKernel kernel = make_kernel(small(), make_inputs(small()));
  kernel.threads = 96;
  expect_fault(kernel, FindingKind::kTrap, "needs the 128 threads of a warpgroup at ");
}

TEST(WgmmaFaults, PartOfAWarp) {
  TileKernel kernel = make_kernel(small(), make_inputs(small()));
  replace(kernel.ptx, "wgmma.mma_async", "setp.lt.u32 %p2, %thread, 5; @%p2 exit; wgmma.mma_async");
  expect_fault(kernel, FindingKind::kTrap, "is executed by 27 of the 32 threads of a warp at ");
}

TEST(WgmmaFaults, ThreadsThatWaitElsewhere) {
  TileKernel kernel = make_kernel(small(), make_inputs(small()));
  replace(
      kernel.ptx, "wgmma.mma_async",
      "setp.lt.u32 %p2, %thread, 5; @%p2 bar.warp.sync 0xffffffff; @%p2 bra out; wgmma.mma_async");
  replace(kernel.ptx, "wgmma.commit_group", "out: wgmma.commit_group");
  expect_fault(kernel, FindingKind::kTrap,
               "threads of a warp wait for each other at `wgmma.mma_async");
}

TEST(Wgmma, WhatIsNotThereIsNamed) {
  for (const char* opcode : {"wgmma.mma_async.sp.sync.aligned.m64n8k32.f32.bf16.bf16",
                             "wgmma.mma_async.sync.aligned.m64n12k16.f32.bf16.bf16",
                             "wgmma.mma_async.sync.aligned.m64n40k32.s32.s8.s8",
                             "wgmma.mma_async.sync.aligned.m64n8k16.f16.bf16.bf16",
                             "wgmma.mma_async.sync.aligned.m64n8k256.s32.b1.b1.and.popc"}) {
    try {
      (void)Module::parse(
          ptx_header() + ".visible .entry k() {\n.reg .b32 r<4>; .reg .b64 x; .reg .pred p;\n" +
              opcode + " {r0,r1,r2,r3}, x, x, p, 1, 1, 0, 0;\nret;\n}\n",
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
