// ldmatrix, stmatrix and wmma: every element must be in the right place.
#include "tensor_harness.h"

namespace warpwright::emu {
namespace {

constexpr int kRowBytes16 = 16;

// A lane's record has its address offset in the shared tile, then `count` registers for stores.
std::string fill_shared(int bytes) {
  std::string text = "mov.u32 %i2, tile; mov.u32 %i3, %thread;\n";
  // Every 16-bit element holds its own number.
  text +=
      "LOOP: mul.lo.u32 %i4, %i3, 4; add.u32 %i4, %i4, %i2; mul.lo.u32 %i5, %i3, 131074;\n"
      "add.u32 %i5, %i5, 65536; st.shared.b32 [%i4], %i5; add.u32 %i3, %i3, 32;\n"
      "setp.lt.u32 %p0, %i3, " +
      std::to_string(bytes / 4) + "; @%p0 bra LOOP; bar.sync 0;\n";
  return text;
}

TEST(Matrix, LoadsEveryMatrixAndTransposes) {
  for (const int count : {1, 2, 4}) {
    for (const bool transposed : {false, true}) {
      for (const std::string space : {".shared", ".shared::cta", ""}) {
        TileKernel kernel;
        const std::string opcode = "ldmatrix.sync.aligned.m8n8.x" + std::to_string(count) +
                                   (transposed ? ".trans" : "") + space + ".b16 ";
        kernel.ptx = tile_head(1, static_cast<std::size_t>(count), ".reg .b32 %d<4>;\n") +
                     fill_shared(2048) +
                     "ld.global.b32 %i3, [%in]; add.u32 %i3, %i3, %i2; cvt.u64.u32 %x1, %i3;\n"
                     "cvta.shared.u64 %x1, %x1;\n" +
                     opcode + register_list("%d", count) + ", [" + (space.empty() ? "%x1" : "%i3") +
                     " + 16];\n" + store_registers("%d", count, 32) + "ret;\n}\n";
        kernel.shared_bytes = 2048;
        kernel.output_words = static_cast<std::size_t>(32 * count);
        // Rows are in a permuted order; lanes whose address is not used have an invalid one.
        for (int lane = 0; lane < 32; ++lane) {
          const std::uint32_t row = static_cast<std::uint32_t>(lane * 37 % 64);
          kernel.input.push_back(lane < 8 * count ? row * kRowBytes16 : 0x40000000u + 3);
        }
        Counters counters;
        const Words output = run_tile(kernel, &counters);
        for (int lane = 0; lane < 32; ++lane) {
          for (int matrix = 0; matrix < count; ++matrix) {
            for (int half = 0; half < 2; ++half) {
              const int row = transposed ? lane % 4 * 2 + half : lane / 4;
              const int column = transposed ? lane / 4 : lane % 4 * 2 + half;
              const std::uint32_t address =
                  kernel.input[static_cast<std::size_t>(8 * matrix + row)] + 16;
              const std::uint32_t expected = address / 2 + static_cast<std::uint32_t>(column);
              EXPECT_EQ(
                  output[static_cast<std::size_t>(lane * count + matrix)] >> (16 * half) & 0xffff,
                  expected)
                  << opcode << " lane " << lane << " matrix " << matrix;
            }
          }
        }
      }
    }
  }
}

// 16 elements of 6 or 4 bits with padding to 16 bytes; a lane receives four bytes.
TEST(Matrix, LoadsSmallElementsIntoBytes) {
  for (const int bits : {4, 6}) {
    for (const int count : {1, 2, 4}) {
      TileKernel kernel;
      const std::string opcode = "ldmatrix.sync.aligned.m8n16.x" + std::to_string(count) +
                                 ".shared.b8x16.b" + std::to_string(bits) + "x16_p" +
                                 std::to_string(128 - 16 * bits) + " ";
      kernel.ptx = tile_head(5, static_cast<std::size_t>(count), ".reg .b32 %d<4>;\n") +
                   load_registers("%d", 4, 32, 0) +
                   "mov.u32 %i2, tile; mad.lo.u32 %i3, %thread, 16, %i2;\n"
                   "st.shared.v4.b32 [%i3], {%d0, %d1, %d2, %d3};\nbar.sync 0;\n"
                   "ld.global.b32 %i3, [%in + 16]; add.u32 %i3, %i3, %i2;\n" +
                   opcode + register_list("%d", count) + ", [%i3];\n" +
                   store_registers("%d", count, 32) + "ret;\n}\n";
      kernel.shared_bytes = 512;
      kernel.output_words = static_cast<std::size_t>(32 * count);
      std::mt19937 random(6);
      for (int lane = 0; lane < 32; ++lane) {
        for (int word = 0; word < 4; ++word)
          kernel.input.push_back(static_cast<std::uint32_t>(random()));
        kernel.input.push_back(static_cast<std::uint32_t>(lane * 13 % 32 * kRowBytes16));
      }
      const Words output = run_tile(kernel);
      for (int lane = 0; lane < 32; ++lane) {
        for (int matrix = 0; matrix < count; ++matrix) {
          const int line = (8 * matrix + lane / 4) * 13 % 32;
          for (int i = 0; i < 4; ++i) {
            std::uint32_t expected = 0;
            for (int bit = 0; bit < bits; ++bit) {
              const int at = (4 * (lane % 4) + i) * bits + bit;
              const std::uint32_t word = kernel.input[static_cast<std::size_t>(5 * line + at / 32)];
              expected |= (word >> at % 32 & 1) << bit;
            }
            EXPECT_EQ(output[static_cast<std::size_t>(lane * count + matrix)] >> 8 * i & 0xff,
                      expected)
                << opcode << lane << " " << matrix << " " << i;
          }
        }
      }
    }
  }
}

TEST(Matrix, StoresEveryMatrixAndTransposes) {
  for (const int count : {1, 2, 4}) {
    for (const bool transposed : {false, true}) {
      TileKernel kernel;
      const std::string opcode = "stmatrix.sync.aligned.m8n8.x" + std::to_string(count) +
                                 (transposed ? ".trans" : "") + ".shared.b16 ";
      std::string copy;
      for (int i = 0; i < 16; ++i) {
        copy += "ld.shared.b32 %i5, [%i4 + " + std::to_string(128 * i) +
                "]; st.global.b32 [%out + " + std::to_string(4 * i) + "], %i5;\n";
      }
      kernel.ptx = tile_head(static_cast<std::size_t>(count + 1), 16, ".reg .b32 %d<4>;\n") +
                   fill_shared(2048) + load_registers("%d", count, 32, 1) +
                   "ld.global.b32 %i3, [%in]; add.u32 %i3, %i3, %i2;\n" + opcode + "[%i3], " +
                   register_list("%d", count) +
                   ";\nbar.sync 0; mul.lo.u32 %i4, %thread, 4; add.u32 %i4, %i4, %i2;\n" + copy +
                   "ret;\n}\n";
      kernel.shared_bytes = 2048;
      kernel.output_words = 512;
      std::vector<std::uint16_t> expected(1024);
      for (std::size_t i = 0; i < 1024; ++i) expected[i] = static_cast<std::uint16_t>(i);
      std::vector<std::uint32_t> addresses;
      for (int lane = 0; lane < 32; ++lane)
        addresses.push_back(static_cast<std::uint32_t>(lane * 37 % 64 * kRowBytes16));
      for (int lane = 0; lane < 32; ++lane) {
        kernel.input.push_back(lane < 8 * count ? addresses[static_cast<std::size_t>(lane)] : 1u);
        for (int matrix = 0; matrix < count; ++matrix) {
          std::uint32_t word = 0;
          for (int half = 0; half < 2; ++half) {
            const int row = transposed ? lane % 4 * 2 + half : lane / 4;
            const int column = transposed ? lane / 4 : lane % 4 * 2 + half;
            const auto value = static_cast<std::uint16_t>(40000 + lane * 8 + matrix * 2 + half);
            word |= std::uint32_t{value} << (16 * half);
            expected[addresses[static_cast<std::size_t>(8 * matrix + row)] / 2 +
                     static_cast<std::uint32_t>(column)] = value;
          }
          kernel.input.push_back(word);
        }
      }
      const Words output = run_tile(kernel);
      for (std::size_t i = 0; i < 1024; ++i) {
        const std::uint32_t word = output[i / 2 % 32 * 16 + i / 64];
        EXPECT_EQ(word >> (16 * (i % 2)) & 0xffff, expected[i]) << opcode << " element " << i;
      }
    }
  }
}

std::string ldmatrix_at(const std::string& address) {
  return tile_head(1, 1, ".reg .b32 %d<4>;\n") + fill_shared(2048) + "add.u32 %i3, %i2, " +
         address + ";\nldmatrix.sync.aligned.m8n8.x1.shared.b16 {%d0}, [%i3];\nret;\n}\n";
}

TEST(Matrix, AddressesAreChecked) {
  TileKernel kernel;
  kernel.shared_bytes = 2048;
  kernel.input.resize(32);
  kernel.output_words = 32;
  Words output;
  kernel.ptx = ldmatrix_at("2048");
  auto report = launch_tile(kernel, output);
  ASSERT_TRUE(report.fault.has_value());
  EXPECT_EQ(report.fault->kind, FindingKind::kOutOfBounds);
  EXPECT_EQ(report.fault->message.find("load of 16 bytes at shared address 2048 at "), 0u)
      << report.fault->message;
  kernel.ptx = ldmatrix_at("8");
  report = launch_tile(kernel, output);
  ASSERT_TRUE(report.fault.has_value());
  EXPECT_EQ(report.fault->kind, FindingKind::kMisaligned);
}

TEST(Matrix, WavefrontsAreThoseOfEightRowsAtATime) {
  TileKernel kernel;
  kernel.shared_bytes = 2048;
  kernel.input.resize(32);
  kernel.output_words = 32;
  const auto wavefronts = [&](const std::string& stride) {
    kernel.ptx = tile_head(1, 1, ".reg .b32 %d<4>;\n") +
                 "mov.u32 %i2, tile; mul.lo.u32 %i3, %thread, " + stride +
                 "; and.b32 %i3, %i3, 1023; add.u32 %i3, %i3, %i2;\n"
                 "ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%d0, %d1, %d2, %d3}, [%i3];\nret;\n}\n";
    Counters counters;
    run_tile(kernel, &counters);
    return counters.shared_wavefronts;
  };
  EXPECT_EQ(wavefronts("16"), 4u);
  EXPECT_EQ(wavefronts("128"), 32u);
}

// --- wmma

struct WmmaCase {
  int m, n, k;
  std::string a, c, d;
  int a_registers, b_registers;  // as the PTX ISA counts them, copies included
  bool a_column = false;
  bool b_column = false;
  bool d_column = false;
};

std::vector<WmmaCase> wmma_cases() {
  std::vector<WmmaCase> all;
  const int shapes[][3] = {{16, 16, 16}, {32, 8, 16}, {8, 32, 16}};
  for (const auto& s : shapes) {
    const int m = s[0];
    const int n = s[1];
    for (const char* c : {"f16", "f32"}) {
      for (const char* d : {"f16", "f32"}) all.push_back({m, n, 16, "f16", c, d, 8, 8});
    }
    all.push_back({m, n, 16, "bf16", "f32", "f32", m / 4, n / 4});
    all.push_back({m, n, 16, "s8", "s32", "s32", m / 8, n / 8});
    all.push_back({m, n, 16, "u8", "s32", "s32", m / 8, n / 8});
  }
  all.push_back({16, 16, 8, "tf32", "f32", "f32", 4, 4});
  all.push_back({8, 8, 4, "f64", "f64", "f64", 1, 1});
  std::vector<WmmaCase> laid_out;
  for (int layout = 0; layout < 8; ++layout) {
    for (WmmaCase test : all) {
      test.a_column = (layout & 1) != 0;
      test.b_column = (layout & 2) != 0;
      test.d_column = (layout & 4) != 0;
      laid_out.push_back(test);
    }
  }
  return laid_out;
}

int accumulators(const WmmaCase& test, const std::string& format) {
  return test.m * test.n / 32 / (format == "f16" ? 2 : 1);
}

// The place of an element in a matrix whose rows (or columns) are `stride` elements apart.
std::size_t place(int row, int column, bool by_column, int stride) {
  return static_cast<std::size_t>(by_column ? column * stride + row : row * stride + column);
}

std::string wmma_ptx(const WmmaCase& test, bool shared, int stride, int bytes) {
  const std::string shape =
      ".m" + std::to_string(test.m) + "n" + std::to_string(test.n) + "k" + std::to_string(test.k);
  const auto layout = [](bool column) { return std::string(column ? ".col" : ".row"); };
  const std::string type = test.a == "f64" ? ".b64" : ".b32";
  const std::string tail = ", " + std::to_string(stride) + ";\n";
  // The four matrices are stored in sequence, each `bytes` long, in global or shared memory.
  std::string text = tile_head(0, 0,
                               ".reg " + type + " %a<8>; .reg " + type + " %b<8>; .reg " + type +
                                   " %c<8>; .reg " + type + " %d<8>;\n");
  const std::string space = shared ? ".shared" : "";
  const std::string base = shared ? "%i2" : "%in";
  if (shared) {
    text +=
        "mov.u32 %i2, tile; mov.u32 %i3, %thread;\n"
        "LOOP: mul.wide.u32 %x1, %i3, 4; add.u64 %x1, %x1, %in; ld.global.b32 %i4, [%x1];\n"
        "mul.lo.u32 %i5, %i3, 4; add.u32 %i5, %i5, %i2; st.shared.b32 [%i5], %i4;\n"
        "add.u32 %i3, %i3, 32; setp.lt.u32 %p0, %i3, " +
        std::to_string(bytes * 3 / 4) + "; @%p0 bra LOOP; bar.sync 0;\n";
  }
  const auto load = [&](const std::string& which, bool column, const std::string& format,
                        int registers, int matrix) {
    text += "wmma.load." + which + ".sync.aligned" + layout(column) + shape + space + "." + format +
            " " + register_list("%" + which, registers) + ", [" + base + " + " +
            std::to_string(matrix * bytes) + "]" + tail;
  };
  load("a", test.a_column, test.a, test.a_registers, 0);
  load("b", test.b_column, test.a, test.b_registers, 1);
  load("c", test.d_column, test.c, accumulators(test, test.c), 2);
  const std::string types = test.a == "f16"
                                ? "." + test.d + "." + test.c
                                : "." + test.d + "." + test.a + "." + test.a + "." + test.c;
  text += "wmma.mma.sync.aligned" + layout(test.a_column) + layout(test.b_column) + shape + types +
          " " + register_list("%d", accumulators(test, test.d)) + ", " +
          register_list("%a", test.a_registers) + ", " + register_list("%b", test.b_registers) +
          ", " + register_list("%c", accumulators(test, test.c)) + ";\n";
  text += "wmma.store.d.sync.aligned" + layout(test.d_column) + shape + ".global." + test.d +
          " [%out], " + register_list("%d", accumulators(test, test.d)) + tail;
  return text + "ret;\n}\n";
}

void put(Words& words, std::size_t byte, const Matrix& matrix, bool by_column, int stride) {
  const auto bytes = static_cast<std::size_t>(number_format(matrix.format).bits / 8);
  for (int r = 0; r < matrix.rows; ++r) {
    for (int c = 0; c < matrix.columns; ++c) {
      const std::uint64_t bits = matrix.at(r, c);
      std::memcpy(reinterpret_cast<std::byte*>(words.data()) + byte +
                      bytes * place(r, c, by_column, stride),
                  &bits, bytes);
    }
  }
}

TEST(Wmma, EveryFormAndLayout) {
  std::mt19937 random(3);
  constexpr int kStride = 48;
  constexpr int kBytes = 48 * 32 * 4;  // of the largest matrix, elements between rows included
  for (const WmmaCase& test : wmma_cases()) {
    for (const bool shared : {false, true}) {
      Matrix a(test.a, test.m, test.k);
      Matrix b(test.a, test.k, test.n);
      Matrix c(test.c, test.m, test.n);
      a.fill_integers(random, 8);
      b.fill_integers(random, 8);
      c.fill_integers(random, 100);
      TileKernel kernel;
      kernel.ptx = wmma_ptx(test, shared, kStride, kBytes);
      kernel.shared_bytes = 3 * kBytes;
      kernel.input.resize(3 * kBytes / 4);
      put(kernel.input, 0, a, test.a_column, kStride);
      put(kernel.input, kBytes, b, test.b_column, kStride);
      put(kernel.input, 2 * kBytes, c, test.d_column, kStride);
      kernel.output_words = kBytes / 4;
      Counters counters;
      const Words output = run_tile(kernel, &counters);
      const auto bytes = static_cast<std::size_t>(number_format(test.d).bits / 8);
      int wrong = 0;
      for (int m = 0; m < test.m; ++m) {
        for (int n = 0; n < test.n; ++n) {
          std::uint64_t bits = 0;
          std::memcpy(&bits,
                      reinterpret_cast<const std::byte*>(output.data()) +
                          bytes * place(m, n, test.d_column, kStride),
                      bytes);
          const double expected = exact_sum(a, b, c, m, n);
          if (decode(test.d, bits) != expected && ++wrong < 4)
            ADD_FAILURE() << "d[" << m << "][" << n << "] = " << decode(test.d, bits)
                          << ", expected " << expected;
        }
      }
      EXPECT_EQ(wrong, 0) << kernel.ptx;
      EXPECT_EQ(counters.tensor, 1u);
    }
  }
}

TEST(Wmma, WithoutAStrideRowsFollowEachOther) {
  std::string ptx = tile_head(0, 0, ".reg .b32 %a<8>; .reg .b32 %c<8>;\n") +
                    "wmma.load.c.sync.aligned.row.m32n8k16.global.f32 " + register_list("%c", 8) +
                    ", [%in];\nwmma.store.d.sync.aligned.col.m32n8k16.global.f32 [%out], " +
                    register_list("%c", 8) + ";\nret;\n}\n";
  TileKernel kernel;
  kernel.ptx = ptx;
  for (std::uint32_t i = 0; i < 256; ++i) kernel.input.push_back(i);
  kernel.output_words = 256;
  const Words output = run_tile(kernel);
  for (std::uint32_t row = 0; row < 32; ++row) {
    for (std::uint32_t column = 0; column < 8; ++column)
      EXPECT_EQ(output[column * 32 + row], row * 8 + column);
  }
}

TEST(Wmma, WhatIsNotThereIsNamed) {
  for (const char* opcode :
       {"wmma.load.a.sync.aligned.row.m8n8k32.s4", "wmma.load.a.sync.aligned.row.m8n8k128.b1",
        "ldmatrix.sync.aligned.m16n16.x1.trans.shared.b8"}) {
    try {
      (void)Module::parse(ptx_header() + ".visible .entry k() {\n.reg .b32 r<4>; .reg .b64 x;\n" +
                              opcode + " {r0}, [x];\nret;\n}\n",
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
