// Helpers for tests of tensor-core instructions: numbers in every element format, and kernels whose
// threads load a record of registers, run one instruction and store another record.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <functional>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "emu_harness.h"

namespace warpwright::emu {

using Words = std::vector<std::uint32_t>;

// --- element formats, by value; written for clarity and independent of the emulator's own

struct NumberFormat {
  int bits = 0;
  int exponent_bits = 0;  // 0: an integer
  int fraction_bits = 0;
  bool is_signed = true;
  bool infinities = true;  // e4m3 has none
  bool finite = false;     // every code is a number
};

inline NumberFormat number_format(const std::string& name) {
  if (name == "f16") return {16, 5, 10};
  if (name == "bf16") return {16, 8, 7};
  if (name == "tf32") return {32, 8, 23};  // 13 bits of fraction that the tensor core ignores
  if (name == "e4m3") return {8, 4, 3, true, false};
  if (name == "e5m2") return {8, 5, 2};
  if (name == "e2m1") return {4, 2, 1, true, false, true};
  if (name == "e2m3") return {6, 2, 3, true, false, true};
  if (name == "e3m2") return {6, 3, 2, true, false, true};
  if (name == "f32") return {32, 8, 23};
  if (name == "f64") return {64, 11, 52};
  const int bits = std::stoi(name.substr(1));
  return {bits, 0, 0, name[0] == 's'};
}

// `value` must be exact in the format.
inline std::uint64_t encode(const std::string& name, double value) {
  const NumberFormat format = number_format(name);
  if (name == "f64") return std::bit_cast<std::uint64_t>(value);
  const std::uint64_t mask = format.bits == 64 ? ~0ull : (1ull << format.bits) - 1;
  if (format.exponent_bits == 0)
    return static_cast<std::uint64_t>(static_cast<std::int64_t>(value)) & mask;
  const std::uint64_t sign = std::signbit(value) ? 1ull << (format.bits - 1) : 0;
  const int bias = (1 << (format.exponent_bits - 1)) - 1;
  const double magnitude = std::fabs(value);
  if (magnitude == 0) return sign;
  const int exponent = std::max(std::ilogb(magnitude), 1 - bias);
  const auto steps =
      static_cast<std::uint64_t>(std::ldexp(magnitude, format.fraction_bits - exponent));
  const bool normal = (steps >> format.fraction_bits) != 0;
  const auto field = static_cast<std::uint64_t>(normal ? exponent + bias : 0);
  return sign | field << format.fraction_bits | (steps & ((1ull << format.fraction_bits) - 1));
}

inline double decode(const std::string& name, std::uint64_t bits) {
  const NumberFormat format = number_format(name);
  if (name == "f64") return std::bit_cast<double>(bits);
  if (format.exponent_bits == 0) {
    const bool negative = format.is_signed && (bits >> (format.bits - 1) & 1) != 0;
    return static_cast<double>(static_cast<std::int64_t>(bits)) -
           (negative ? std::ldexp(1.0, format.bits) : 0);
  }
  if (name == "tf32") bits &= ~0x1fffull;
  const bool negative = (bits >> (format.bits - 1) & 1) != 0;
  const std::uint64_t fraction = bits & ((1ull << format.fraction_bits) - 1);
  const int field =
      static_cast<int>(bits >> format.fraction_bits & ((1ull << format.exponent_bits) - 1));
  const int bias = (1 << (format.exponent_bits - 1)) - 1;
  const bool last = field == (1 << format.exponent_bits) - 1;
  double value = field == 0
                     ? std::ldexp(static_cast<double>(fraction), 1 - bias - format.fraction_bits)
                     : std::ldexp(static_cast<double>(fraction | 1ull << format.fraction_bits),
                                  field - bias - format.fraction_bits);
  if (last && format.infinities) value = fraction == 0 ? INFINITY : NAN;
  if (!format.infinities && !format.finite && (bits & 0x7f) == 0x7f) value = NAN;
  return negative ? -value : value;
}

// Random bits of a value that is truncated to the format, like every random operand before its use.
inline std::uint64_t random_bits(const std::string& name, std::mt19937& random, double deviation) {
  const NumberFormat format = number_format(name);
  if (format.exponent_bits == 0) return random() & ((1ull << format.bits) - 1);
  std::normal_distribution<double> normal(0, deviation);
  const double value = normal(random);
  if (name == "f64") return std::bit_cast<std::uint64_t>(value);
  if (name == "f32" || name == "tf32")
    return std::bit_cast<std::uint32_t>(static_cast<float>(value));
  const int bias = (1 << (format.exponent_bits - 1)) - 1;
  const double magnitude = std::min(std::fabs(value), std::ldexp(1.0, bias));
  const int exponent = magnitude == 0 ? 0 : std::max(std::ilogb(magnitude), 1 - bias);
  const double step = std::ldexp(1.0, exponent - format.fraction_bits);
  return encode(name, std::copysign(std::trunc(magnitude / step) * step, value));
}

// A matrix of raw elements. value() decodes all of them once, so fill the matrix first.
struct Matrix {
  std::string format;
  int rows = 0;
  int columns = 0;
  std::vector<std::uint64_t> bits;
  mutable std::vector<double> decoded;
  Matrix(std::string name, int r, int c)
      : format(std::move(name)), rows(r), columns(c), bits(static_cast<std::size_t>(r * c)) {}
  std::uint64_t& at(int r, int c) { return bits[static_cast<std::size_t>(r * columns + c)]; }
  [[nodiscard]] std::uint64_t at(int r, int c) const {
    return bits[static_cast<std::size_t>(r * columns + c)];
  }
  [[nodiscard]] double value(int r, int c) const {
    if (decoded.empty()) {
      for (const std::uint64_t element : bits) decoded.push_back(decode(format, element));
    }
    return decoded[static_cast<std::size_t>(r * columns + c)];
  }
  // Small integers, so that every sum of products is exact and a misplaced element shows.
  void fill_integers(std::mt19937& random, int limit) {
    const bool negatives = number_format(format).is_signed;
    for (std::uint64_t& element : bits) {
      const int value = static_cast<int>(random() % static_cast<unsigned>(2 * limit + 1)) - limit;
      element = encode(format, negatives ? value : std::abs(value));
    }
  }
  // Fills with exponents over `spread` powers of two around 1, zeros, and subnormals if the range
  // reaches them. The numbers are the same with every standard library.
  void fill_wide(std::mt19937& random, int spread) {
    const NumberFormat f = number_format(format);
    const int bias = (1 << (f.exponent_bits - 1)) - 1;
    for (std::uint64_t& element : bits) {
      const int drawn =
          bias - spread / 2 + static_cast<int>(random() % static_cast<unsigned>(spread + 1));
      const int exponent = std::clamp(drawn, 0, 2 * bias);
      const std::uint64_t fraction = random() & ((1ull << f.fraction_bits) - 1);
      const std::uint64_t sign = random() & 1;
      element =
          static_cast<std::uint64_t>(exponent) << f.fraction_bits | fraction | sign << (f.bits - 1);
      if (random() % 16 == 0) element = 0;
    }
  }
  void fill_random(std::mt19937& random, double deviation) {
    for (std::uint64_t& element : bits) element = random_bits(format, random, deviation);
  }
};

// --- results of an H200: fixtures/tensor_h200.txt has a fingerprint of them by test name

inline std::uint64_t fingerprint(const Words& words) {  // FNV-1a
  std::uint64_t hash = 14695981039346656037ull;
  for (const std::uint32_t word : words) {
    for (int byte = 0; byte < 4; ++byte)
      hash = (hash ^ (word >> (8 * byte) & 0xff)) * 1099511628211ull;
  }
  return hash;
}

inline std::map<std::string, std::uint64_t> recorded_fingerprints() {
  std::istringstream lines(read_fixture("tensor_h200.txt"));
  std::map<std::string, std::uint64_t> recorded;
  for (std::string line; std::getline(lines, line);) {
    if (line.empty() || line[0] == '#') continue;
    const std::size_t space = line.find(' ');
    recorded[line.substr(space + 1)] = std::stoull(line.substr(0, space), nullptr, 16);
  }
  return recorded;
}

// --- kernels

struct TileKernel {
  std::string ptx;
  std::uint32_t threads = 32;
  std::uint32_t blocks = 1;
  std::uint32_t shared_bytes = 0;
  std::string name;  // in fixtures/tensor_h200.txt
  Words input;
  std::size_t output_words = 0;
};

inline LaunchReport launch_tile(const TileKernel& kernel, Words& output) {
  Harness harness(kernel.ptx);
  harness.launch.block = {kernel.threads, 1, 1};
  harness.launch.grid = {kernel.blocks, 1, 1};
  harness.launch.dynamic_shared_bytes = kernel.shared_bytes;
  const auto in = harness.upload(kernel.input, "in");
  const auto out = harness.zeros<std::uint32_t>(kernel.output_words, "out");
  LaunchReport report = harness.run(in, out);
  output = harness.download(out);
  return report;
}

inline Words run_tile(const TileKernel& kernel, Counters* counters = nullptr) {
  Words output;
  const LaunchReport report = launch_tile(kernel, output);
  EXPECT_FALSE(report.fault.has_value()) << report.fault->message << "\n" << kernel.ptx;
  if (counters != nullptr) *counters = report.counters;
  return output;
}

// "{%a0, %a1}"
inline std::string register_list(const std::string& prefix, int count) {
  std::string text = "{";
  for (int i = 0; i < count; ++i) text += (i == 0 ? "" : ", ") + prefix + std::to_string(i);
  return text + "}";
}

// The beginning of a kernel: sets %thread, and %in and %out to this thread's records of `in_words`
// and `out_words` words.
inline std::string tile_head(std::size_t in_words, std::size_t out_words,
                             const std::string& registers) {
  return ptx_header() +
         ".extern .shared .align 1024 .b8 tile[];\n"
         ".visible .entry op(.param .u64 pin, .param .u64 pout) {\n"
         ".reg .b32 %i<8>; .reg .b32 %thread; .reg .b64 %in; .reg .b64 %out; .reg .b64 %x<8>; "
         ".reg .pred %p<8>;\n" +
         registers +
         "mov.u32 %thread, %tid.x; mov.u32 %i0, %ctaid.x; mov.u32 %i1, %ntid.x;\n"
         "mad.lo.u32 %i0, %i0, %i1, %thread;\n"
         "ld.param.u64 %in, [pin]; ld.param.u64 %out, [pout];\n"
         "mul.wide.u32 %x0, %i0, " +
         std::to_string(4 * in_words) +
         "; add.u64 %in, %in, %x0;\n"
         "mul.wide.u32 %x0, %i0, " +
         std::to_string(4 * out_words) + "; add.u64 %out, %out, %x0;\n";
}

inline std::string load_registers(const std::string& prefix, int count, int bits, int first_word) {
  std::string text;
  for (int i = 0; i < count; ++i) {
    text += "ld.global.b" + std::to_string(bits) + " " + prefix + std::to_string(i) + ", [%in + " +
            std::to_string(4 * first_word + i * bits / 8) + "];\n";
  }
  return text;
}
inline std::string store_registers(const std::string& prefix, int count, int bits) {
  std::string text;
  for (int i = 0; i < count; ++i) {
    text += "st.global.b" + std::to_string(bits) + " [%out + " + std::to_string(i * bits / 8) +
            "], " + prefix + std::to_string(i) + ";\n";
  }
  return text;
}

// Puts the bits of one element into a thread's record of registers.
inline void put_element(Words& record, std::size_t first_word, int element_bits, int index,
                        std::uint64_t bits) {
  const std::size_t at = first_word * 32 + static_cast<std::size_t>(index * element_bits);
  if (element_bits == 64) {
    record[at / 32] = static_cast<std::uint32_t>(bits);
    record[at / 32 + 1] = static_cast<std::uint32_t>(bits >> 32);
  } else {
    record[at / 32] |= static_cast<std::uint32_t>(bits) << at % 32;
  }
}
inline std::uint64_t get_element(const Words& record, std::size_t first_word, int element_bits,
                                 int index) {
  const std::size_t at = first_word * 32 + static_cast<std::size_t>(index * element_bits);
  if (element_bits == 64) return record[at / 32] | std::uint64_t{record[at / 32 + 1]} << 32;
  const std::uint64_t word = record[at / 32] >> at % 32;
  return element_bits == 32 ? word : word & ((1ull << element_bits) - 1);
}

// --- expectations

// The maximum error of a sum: every term of a step, and the sum so far, loses less than 2^-25 of
// the largest, or 2^-13 in the short sums of wgmma's 8-bit floats, and the result is truncated to
// its format. For mma with 8-bit floats and f16 sums, the two steps are rounded to f16 as well.
inline double sum_bound(const Matrix& a, const Matrix& b, const Matrix& c, int m, int n,
                        const std::string& result, bool short_sums = false,
                        bool half_steps = false) {
  double magnitude = std::fabs(c.value(m, n));
  double exact = c.value(m, n);
  for (int k = 0; k < a.columns; ++k) {
    const double product = a.value(m, k) * b.value(k, n);
    magnitude += std::fabs(product);
    exact += product;
  }
  const double aligned = (a.columns + 4) * magnitude * std::ldexp(1.0, short_sums ? -13 : -25);
  const double rounded = std::ldexp(std::fabs(exact) + aligned, result == "f16" ? -11
                                                                : short_sums    ? -13
                                                                                : -23);
  const double steps = half_steps ? std::ldexp(magnitude, -9) : 0;
  return aligned + rounded + steps + (result == "f16" ? 0x1p-25 : 0x1p-149);
}

inline double exact_sum(const Matrix& a, const Matrix& b, const Matrix& c, int m, int n) {
  double sum = c.value(m, n);
  for (int k = 0; k < a.columns; ++k) sum += a.value(m, k) * b.value(k, n);
  return sum;
}

}  // namespace warpwright::emu
