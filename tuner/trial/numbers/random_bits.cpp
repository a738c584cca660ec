#include "trial/numbers/random_bits.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

// Compiled a second time for processors with AVX2, whose results are the same: neither version has
// a fused multiply-add.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(__SANITIZE_THREAD__)
#define WW_VECTORISED [[gnu::target_clones("avx2", "default")]]
#else
#define WW_VECTORISED
#endif
// Calls are vectorised only when they are inlined.
#define WW_INLINE [[gnu::always_inline]] inline

namespace warpwright {
namespace {

constexpr std::uint64_t kGolden = 0x9E3779B97F4A7C15;

// The finaliser of SplitMix64 (Steele, Lea, Flood 2014).
WW_INLINE std::uint64_t mix(std::uint64_t x) {
  x ^= x >> 30;
  x *= 0xBF58476D1CE4E5B9;
  x ^= x >> 27;
  x *= 0x94D049BB133111EB;
  return x ^ (x >> 31);
}

WW_INLINE std::uint64_t bits_at(std::uint64_t key, std::uint64_t index) {
  return mix(key + (index + 1) * kGolden);
}

// FNV-1a.
std::uint64_t hash(std::string_view text) {
  std::uint64_t value = 0xCBF29CE484222325;
  for (const char c : text) value = (value ^ static_cast<unsigned char>(c)) * 0x100000001B3;
  return value;
}

// Horner's rule, highest power last in `c`. The order of operations is part of the result.
WW_INLINE double polynomial(const std::array<double, 8>& c, double x) {
  double sum = c[7];
  for (int i = 6; i >= 0; --i) sum = sum * x + c[static_cast<std::size_t>(i)];
  return sum;
}

// The upper 52 bits of a number and a half, scaled to (0, 1): exact.
WW_INLINE double open_uniform(std::uint64_t bits) {
  // A double in [2^52, 2^53) holds an integer below 2^52 in its mantissa; no vector instruction of
  // AVX2 converts one.
  const double number = std::bit_cast<double>(bits >> 12 | 0x4330000000000000) - 0x1p52;
  return (number + 0.5) * 0x1p-52;
}

// Natural logarithm of a positive normal number by log m = 2 atanh((m - 1) / (m + 1)), m in
// [sqrt(1/2), sqrt(2)).
WW_INLINE double plain_log(double x) {
  constexpr double kLn2 = 0x1.62E42FEFA39EFp-1;
  constexpr double kSqrt2 = 0x1.6A09E667F3BCDp+0;
  const std::uint64_t bits = std::bit_cast<std::uint64_t>(x);
  const double whole = std::bit_cast<double>((bits & 0x000FFFFFFFFFFFFF) | 0x3FF0000000000000);
  const bool high = whole >= kSqrt2;
  const double m = high ? whole * 0.5 : whole;
  const int exponent = static_cast<int>(bits >> 52) - (high ? 1022 : 1023);
  const double s = (m - 1.0) / (m + 1.0);
  const double s2 = s * s;
  // 1 + s^2/3 + s^4/5 + ...; |s| <= 0.1716, so the term after s^20 is below 1e-17 of the first.
  constexpr std::array<double, 11> kOdd{1.0,        1.0 / 3.0,  1.0 / 5.0,  1.0 / 7.0,
                                        1.0 / 9.0,  1.0 / 11.0, 1.0 / 13.0, 1.0 / 15.0,
                                        1.0 / 17.0, 1.0 / 19.0, 1.0 / 21.0};
  double sum = kOdd.back();
  for (std::size_t i = kOdd.size() - 1; i-- > 0;) sum = sum * s2 + kOdd[i];
  return exponent * kLn2 + 2.0 * s * sum;
}

constexpr std::array<double, 8> kA{3.3871328727963666080e0,  1.3314166789178437745e+2,
                                   1.9715909503065514427e+3, 1.3731693765509461125e+4,
                                   4.5921953931549871457e+4, 6.7265770927008700853e+4,
                                   3.3430575583588128105e+4, 2.5090809287301226727e+3};
constexpr std::array<double, 8> kB{1.0,
                                   4.2313330701600911252e+1,
                                   6.8718700749205790830e+2,
                                   5.3941960214247511077e+3,
                                   2.1213794301586595867e+4,
                                   3.9307895800092710610e+4,
                                   2.8729085735721942674e+4,
                                   5.2264952788528545610e+3};
constexpr std::array<double, 8> kC{1.42343711074968357734e0,  4.63033784615654529590e0,
                                   5.76949722146069140550e0,  3.64784832476320460504e0,
                                   1.27045825245236838258e0,  2.41780725177450611770e-1,
                                   2.27238449892691845833e-2, 7.74545014278341407640e-4};
constexpr std::array<double, 8> kD{1.0,
                                   2.05319162663775882187e0,
                                   1.67638483018380384940e0,
                                   6.89767334985100004550e-1,
                                   1.48103976427480074590e-1,
                                   1.51986665636164571966e-2,
                                   5.47593808499534494600e-4,
                                   1.05075007164441684324e-9};
constexpr std::array<double, 8> kE{6.65790464350110377720e0,  5.46378491116411436990e0,
                                   1.78482653991729133580e0,  2.96560571828504891230e-1,
                                   2.65321895265761230930e-2, 1.24266094738807843860e-3,
                                   2.71155556874348757815e-5, 2.01033439929228813265e-7};
constexpr std::array<double, 8> kF{1.0,
                                   5.99832206555887937690e-1,
                                   1.36929880922735805310e-1,
                                   1.48753612908506148525e-2,
                                   7.86869131145613259100e-4,
                                   1.84631831751005468180e-5,
                                   1.42151175831644588870e-7,
                                   2.04426310338993978564e-15};

// The three parts of AS 241: around the middle, where q = p - 1/2, and towards either end, where r
// is the square root of -log of the tail probability.
constexpr double kMiddle = 0.425;
constexpr double kFar = 5;

WW_INLINE double middle(double q) {
  const double r = 0.180625 - q * q;
  return q * polynomial(kA, r) / polynomial(kB, r);
}

WW_INLINE double near_end(double r) { return polynomial(kC, r - 1.6) / polynomial(kD, r - 1.6); }

WW_INLINE double far_end(double r) { return polynomial(kE, r - kFar) / polynomial(kF, r - kFar); }

// IEEE 754 rounds sqrt correctly everywhere.
WW_INLINE double root_of_log(double tail) { return std::sqrt(-plain_log(tail)); }

WW_INLINE bool is_middle(double q) { return std::fabs(q) <= kMiddle; }

}  // namespace

double inverse_normal(double p) {
  const double q = p - 0.5;
  if (is_middle(q)) return middle(q);
  const double r = root_of_log(q < 0 ? p : 1.0 - p);
  const double x = r <= kFar ? near_end(r) : far_end(r);
  return q < 0 ? -x : x;
}

RandomStream::RandomStream(std::uint64_t seed, std::string_view name, std::uint64_t number)
    : key_(mix(mix(mix(seed + kGolden) ^ hash(name)) + number * kGolden)) {}

std::uint64_t RandomStream::bits(std::uint64_t index) const { return bits_at(key_, index); }

double RandomStream::uniform(std::uint64_t index) const {
  return static_cast<double>(bits(index) >> 11) * 0x1p-53;
}

std::uint64_t RandomStream::below(std::uint64_t index, std::uint64_t count) const {
  // Multiply and keep the high half (Lemire 2019); the bias is below count / 2^64.
  __extension__ using Wide = unsigned __int128;
  return static_cast<std::uint64_t>((Wide{bits(index)} * count) >> 64);
}

double RandomStream::normal(std::uint64_t index) const {
  return inverse_normal(open_uniform(bits(index)));
}

WW_VECTORISED
void RandomStream::normals(std::uint64_t first, std::span<double> values) const {
  // Loops without branches, which compilers turn into vector instructions: all values are computed
  // as if they were in the middle, then those that are not are replaced.
  constexpr std::size_t kPiece = 256;
  std::array<double, kPiece> offset, end;
  std::array<std::uint8_t, kPiece> is_end;
  std::array<std::uint32_t, kPiece> places;
  for (std::size_t begin = 0; begin < values.size(); begin += kPiece) {
    const std::span<double> piece = values.subspan(begin, std::min(kPiece, values.size() - begin));
    for (std::size_t i = 0; i < piece.size(); ++i) {
      const double p = open_uniform(bits_at(key_, first + begin + i));
      offset[i] = p - 0.5;
      end[i] = std::min(p, 1.0 - p);
    }
    for (std::size_t i = 0; i < piece.size(); ++i) {
      piece[i] = middle(offset[i]);
      is_end[i] = is_middle(offset[i]) ? 0 : 1;
    }
    std::size_t count = 0;
    for (std::size_t i = 0; i < piece.size(); ++i) {
      places[count] = static_cast<std::uint32_t>(i);
      end[count] = end[i];
      count += is_end[i];
    }
    bool any_far = false;
    for (std::size_t i = 0; i < count; ++i) end[i] = root_of_log(end[i]);
    for (std::size_t i = 0; i < count; ++i) any_far |= end[i] > kFar;
    if (any_far) {
      for (std::size_t i = 0; i < count; ++i)
        end[i] = end[i] > kFar ? far_end(end[i]) : near_end(end[i]);
    } else {
      for (std::size_t i = 0; i < count; ++i) end[i] = near_end(end[i]);
    }
    for (std::size_t i = 0; i < count; ++i)
      piece[places[i]] = std::copysign(end[i], offset[places[i]]);
  }
}

}  // namespace warpwright
