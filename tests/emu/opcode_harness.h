// Runs one instruction over many operands and compares with a formula. Operand classes, by letter:
// h 16-bit, r 32-bit, d 64-bit, p predicate (results only). The instruction runs twice: for all
// lanes, and under a guard that is true for odd threads only, where the other threads must keep
// their old values.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>

#include "emu_harness.h"

namespace warpwright::emu {

struct OpcodeCase {
  std::string opcode;
  std::string shapes;  // result first: "rrr" is a 32-bit result of two 32-bit sources
  std::function<std::uint64_t(std::uint64_t, std::uint64_t, std::uint64_t)> expected;
  std::vector<std::uint64_t> inputs;
  std::string tail;  // further operands, with a leading comma: ", 0xCA"
};

inline std::string test_name(const std::string& opcode) {
  std::string name;
  for (const char c : opcode) name += std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
  return name;
}

inline std::string opcode_ptx(const OpcodeCase& test, bool guarded) {
  const auto bits = [](char shape) { return shape == 'h' ? "16" : shape == 'd' ? "64" : "32"; };
  const auto name = [](char shape) {
    return shape == 'h' ? "%h" : shape == 'd' ? "%d" : shape == 'p' ? "%q" : "%r";
  };
  std::string text =
      ptx_header() +
      ".visible .entry op(.param .u64 pa, .param .u64 pb, .param .u64 pc, .param .u64 pd) {\n"
      ".reg .b16 %h<8>; .reg .b32 %r<8>; .reg .b64 %d<8>; .reg .pred %q<8>; .reg .pred %odd;\n"
      ".reg .b32 %i<4>; .reg .b64 %x<16>;\n"
      "mov.u32 %i0, %ctaid.x; mov.u32 %i1, %ntid.x; mov.u32 %i2, %tid.x;\n"
      "mad.lo.u32 %i3, %i0, %i1, %i2; and.b32 %i0, %i3, 1; setp.eq.u32 %odd, %i0, 1;\n"
      "mul.wide.u32 %x8, %i3, 8;\n";
  const char* parameters[] = {"pd", "pa", "pb", "pc"};
  for (std::size_t i = 0; i < 4; ++i) {
    text += "ld.param.u64 %x" + std::to_string(i) + ", [" + parameters[i] + "]; add.u64 %x" +
            std::to_string(i) + ", %x" + std::to_string(i) + ", %x8;\n";
  }
  std::string instruction =
      (guarded ? "@%odd " : "") + test.opcode + " " + name(test.shapes[0]) + "0";
  for (std::size_t i = 1; i < test.shapes.size(); ++i) {
    const std::string reg = name(test.shapes[i]) + std::to_string(i);
    text += std::string("ld.global.b") + bits(test.shapes[i]) + " " + reg + ", [%x" +
            std::to_string(i) + "];\n";
    instruction += ", " + reg;
  }
  if (test.shapes[0] == 'p') {
    text += "setp.ne.u32 %q0, 0, 0;\n" + instruction + test.tail +
            ";\nselp.b32 %r0, 1, 0, %q0;\nst.global.b32 [%x0], %r0;\n";
  } else {
    const std::string result = std::string(name(test.shapes[0])) + "0";
    text += std::string("mov.b") + bits(test.shapes[0]) + " " + result + ", 77;\n" + instruction +
            test.tail + ";\nst.global.b" + bits(test.shapes[0]) + " [%x0], " + result + ";\n";
  }
  return text + "ret;\n}\n";
}

inline std::uint64_t shape_mask(char shape) {
  return shape == 'd'   ? ~std::uint64_t{0}
         : shape == 'h' ? 0xffffu
         : shape == 'p' ? 1u
                        : 0xffffffffu;
}

// All combinations of the inputs over the sources.
struct Operands {
  std::vector<std::uint64_t> a, b, c;
};
inline Operands combinations(const OpcodeCase& test) {
  Operands out;
  const std::size_t n = test.inputs.size();
  const std::size_t sources = test.shapes.size() - 1;
  const std::size_t total = sources == 1 ? n : sources == 2 ? n * n : n * n * n;
  for (std::size_t i = 0; i < total; ++i) {
    out.a.push_back(test.inputs[i % n]);
    out.b.push_back(test.inputs[i / n % n]);
    out.c.push_back(test.inputs[i / n / n % n]);
  }
  return out;
}

using Check = std::function<bool(std::uint64_t got, std::uint64_t expected)>;

inline void run_opcode(const OpcodeCase& test, const Check& same = std::equal_to<>()) {
  const Operands operands = combinations(test);
  const std::size_t count = operands.a.size();
  for (const bool guarded : {false, true}) {
    Harness harness(opcode_ptx(test, guarded));
    const std::size_t padded = (count + 95) / 96 * 96;
    const auto pad = [padded](std::vector<std::uint64_t> values) {
      values.resize(padded);
      return values;
    };
    const auto a = harness.upload(pad(operands.a));
    const auto b = harness.upload(pad(operands.b));
    const auto c = harness.upload(pad(operands.c));
    const auto d = harness.zeros<std::uint64_t>(padded);
    harness.launch.block = {96, 1, 1};
    harness.launch.grid = {static_cast<std::uint32_t>(padded / 96), 1, 1};
    harness.run_clean(a, b, c, d);
    const std::vector<std::uint64_t> got = harness.download(d);
    int reported = 0;
    for (std::size_t i = 0; i < count && reported < 5; ++i) {
      const std::uint64_t mask = shape_mask(test.shapes[0]);
      const std::uint64_t expected =
          guarded && i % 2 == 0 ? (test.shapes[0] == 'p' ? 0 : 77)
                                : test.expected(operands.a[i], operands.b[i], operands.c[i]);
      if (guarded && i % 2 == 0 ? (got[i] & mask) == expected
                                : same(got[i] & mask, expected & mask))
        continue;
      ++reported;
      ADD_FAILURE() << test.opcode << (guarded ? " (guarded)" : "") << std::hex << " a=0x"
                    << operands.a[i] << " b=0x" << operands.b[i] << " c=0x" << operands.c[i]
                    << ": got 0x" << (got[i] & mask) << ", expected 0x" << (expected & mask);
    }
  }
}

inline const std::vector<std::uint64_t>& integer_edges() {
  static const std::vector<std::uint64_t> values = {0,
                                                    1,
                                                    2,
                                                    3,
                                                    7,
                                                    31,
                                                    32,
                                                    33,
                                                    63,
                                                    64,
                                                    0x7f,
                                                    0x80,
                                                    0xff,
                                                    0x7fff,
                                                    0x8000,
                                                    0xffff,
                                                    0x12345678,
                                                    0x7fffffff,
                                                    0x80000000u,
                                                    0xfffffffeu,
                                                    0xffffffffu,
                                                    0x100000000u,
                                                    0x7fffffffffffffffu,
                                                    0x8000000000000000u,
                                                    0xfffffffffffffffeu,
                                                    0xffffffffffffffffu,
                                                    0x123456789abcdef0u};
  return values;
}

inline const std::vector<std::uint64_t>& float_edges() {
  static const std::vector<std::uint64_t> values = {
      0x00000000, 0x80000000, 0x00000001, 0x80000001, 0x007fffff, 0x00800000,
      0x80800000, 0x3f800000, 0xbf800000, 0x3f7fffff, 0x3f800001, 0x40490fdb,
      0xc2f6e979, 0x4b7fffff, 0x4f000000, 0xcf000000, 0x5f000000, 0x7e800000,
      0x7f7fffff, 0xff7fffff, 0x7f800000, 0xff800000, 0x7fc00000, 0xffc00001,
      0x7f800001, 0x33800000, 0x3f7ff800, 0x00800400, 0x3effffff, 0x42280000};
  return values;
}

inline const std::vector<std::uint64_t>& double_edges() {
  static const std::vector<std::uint64_t> values = {
      0x0000000000000000, 0x8000000000000000, 0x0000000000000001, 0x000fffffffffffff,
      0x0010000000000000, 0x3ff0000000000000, 0xbff0000000000000, 0x3ff0000000000001,
      0x400921fb54442d18, 0xc05edd2f1a9fbe77, 0x41dfffffffc00000, 0xc1e0000000000000,
      0x43e0000000000000, 0x7fefffffffffffff, 0x7ff0000000000000, 0xfff0000000000000,
      0x7ff8000000000000, 0x36a0000000000000, 0x3690000000000001, 0x47efffffe0000000,
      0x3fe0000000000000, 0xfff0000000000001};
  return values;
}

inline const std::vector<std::uint64_t>& half_edges() {
  static const std::vector<std::uint64_t> values = {
      0x0000, 0x8000, 0x0001, 0x8001, 0x03ff, 0x0400, 0x3c00, 0xbc00, 0x3bff, 0x3c01, 0x4248,
      0xd7b4, 0x7bff, 0xfbff, 0x7c00, 0xfc00, 0x7e00, 0xfe01, 0x1400, 0x2e66, 0x6400, 0x5555};
  return values;
}

inline float as_float(std::uint64_t bits) {
  return std::bit_cast<float>(static_cast<std::uint32_t>(bits));
}
inline std::uint64_t float_bits(float value) {
  return std::isnan(value) ? 0x7fffffffu : std::bit_cast<std::uint32_t>(value);
}
inline double as_double(std::uint64_t bits) { return std::bit_cast<double>(bits); }
inline std::uint64_t double_bits(double value) { return std::bit_cast<std::uint64_t>(value); }

// All NaNs of a double count as equal.
inline bool same_double(std::uint64_t got, std::uint64_t expected) {
  return got == expected || (std::isnan(as_double(got)) && std::isnan(as_double(expected)));
}

}  // namespace warpwright::emu
