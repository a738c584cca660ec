// Independent implementations of the kernels of proof/ in plain C++, with every rounding that CUDA
// C++ defines for them; exact sums may use any order.
#include <algorithm>
#include <cmath>
#include <functional>

#include "proof_cases.h"

namespace warpwright::emu {
namespace {

using Values = std::vector<double>;
using Reference = std::function<Values(const ProofValues&)>;

float f(double value) { return static_cast<float>(value); }

// One rounding to 11 significant bits, ties to even; the results here are far from the limits of
// the exponent.
double round_to_half(double value) {
  if (value == 0) return value;
  int exponent = 0;
  std::frexp(value, &exponent);
  const int last = std::max(exponent - 11, -24);
  return std::ldexp(std::nearbyint(std::ldexp(value, -last)), last);
}

Values stream_scale(const ProofValues& in) {
  Values out(in.at("out").size());
  const auto offset = in.size(2);
  for (std::size_t i = 0; i < in.size(0); ++i)
    out[i + offset] = std::fma(f(in.scalars[3]), f(in.at("in")[i * in.size(1) + offset]), 1.0f);
  return out;
}

Values stream_vector(const ProofValues& in) {
  Values out(in.at("out").size());
  for (std::size_t i = 0; i < 4 * in.size(0); ++i)
    out[i] = std::fma(f(in.scalars[1]), f(in.at("in")[i]), 1.0f);
  return out;
}

Values row_reduction(const ProofValues& in) {
  Values out(in.at("out").size());
  for (std::size_t i = 0; i < in.at("in").size(); ++i) out[i / in.size(0)] += in.at("in")[i];
  return out;
}

Values transpose(const ProofValues& in) {
  const std::size_t width = in.size(0);
  const std::size_t height = in.size(1);
  Values out(width * height);
  for (std::size_t i = 0; i < out.size(); ++i) out[i % width * height + i / width] = in.at("in")[i];
  return out;
}

Values histogram(const ProofValues& in) {
  Values bins(in.at("bins").size());
  for (const double value : in.at("in")) ++bins[static_cast<std::size_t>(value)];
  return bins;
}

Values stencil_five(const ProofValues& in) {
  const std::size_t width = in.size(0);
  const std::size_t height = in.size(1);
  const Values& x = in.at("in");
  Values out = x;
  for (std::size_t row = 1; row + 1 < height; ++row) {
    for (std::size_t i = row * width + 1; i + 1 < (row + 1) * width; ++i) {
      const float sides = f(x[i - 1]) + f(x[i + 1]);
      const float around = sides + (f(x[i - width]) + f(x[i + width]));
      out[i] = std::fma(0.5f, f(x[i]), 0.125f * around);
    }
  }
  return out;
}

Values polynomial(const ProofValues& in) {
  Values out(in.at("out").size());
  for (std::size_t i = 0; i < in.size(0); ++i) {
    const float x = f(in.at("in")[i]);
    float value = 0.25f;
    for (std::size_t r = 0; r < in.size(1); ++r) {
      value = std::fma(value, x, 0.5f);
      value = std::fma(value, x, -0.75f);
      value = std::fma(value, x, 0.125f);
      value = value * x;
      value = value * 0.8125f;
      value = value + x;
      for (std::size_t s = 0; s < r && i % 3 != 0; ++s) {
        value = value * 0.5f;
        value = value + 0.375f;
      }
    }
    out[i] = value;
  }
  return out;
}

Values polynomial_double(const ProofValues& in) {
  Values out(in.at("out").size());
  for (std::size_t i = 0; i < in.size(0); ++i) {
    const double x = in.at("in")[i];
    double value = 0.25;
    for (std::size_t r = 0; r < in.size(1); ++r) {
      value = std::fma(value, x, 0.5);
      value = value * 0.8125;
      value = value + x;
      value = value + 0.375;
    }
    out[i] = value;
  }
  return out;
}

Values sgemm_tiled(const ProofValues& in) {
  const std::size_t n = in.size(0);
  const std::size_t k = in.size(1);
  Values out(in.at("c").size());
  for (std::size_t i = 0; i < out.size(); ++i) {
    float sum = 0;
    for (std::size_t t = 0; t < k; ++t)
      sum = std::fma(f(in.at("a")[i / n * k + t]), f(in.at("b")[t * n + i % n]), sum);
    out[i] = sum;
  }
  return out;
}

// B is stored by columns; products of 8-bit values and their sums are exact.
Values mma_tile(const ProofValues& in) {
  const std::size_t n = in.size(0);
  const std::size_t k = in.size(1);
  Values out(in.at("c").size());
  for (std::size_t i = 0; i < out.size(); ++i) {
    for (std::size_t t = 0; t < k; ++t)
      out[i] += in.at("a")[i / n * k + t] * in.at("b")[i % n * k + t];
  }
  return out;
}

Values gather(const ProofValues& in) {
  Values out;
  for (const double index : in.at("index"))
    out.push_back(in.at("in")[static_cast<std::size_t>(index)]);
  return out;
}

Reference shared_read(std::size_t width) {
  return [width](const ProofValues& in) {
    Values out(in.at("out").size());
    for (std::size_t i = 0; i < out.size(); ++i)
      out[i] = in.at("in")[(i / width % 128 * in.size(0) * width + i % width) % 4096];
    return out;
  };
}

Reference shared_write(std::size_t width) {
  return [width](const ProofValues& in) {
    Values out(in.at("out").size());
    for (std::size_t i = 0; i < 128 * width; ++i)
      out[(i / width * in.size(0) * width + i % width) % 4096] = in.at("in")[i];
    return out;
  };
}

Values softmax_rows(const ProofValues& in) {
  const std::size_t columns = in.size(0);
  Values out = in.at("in");
  for (auto row = out.begin(); row != out.end(); row += static_cast<std::ptrdiff_t>(columns)) {
    const auto end = row + static_cast<std::ptrdiff_t>(columns);
    const double top = *std::max_element(row, end);
    double sum = 0;
    std::for_each(row, end, [&](double& x) { sum += x = std::exp(x - top); });
    std::for_each(row, end, [&](double& x) { x /= sum; });
  }
  return out;
}

Values half_axpy(const ProofValues& in) {
  Values out = in.at("y");
  const double factor = round_to_half(in.scalars[1]);
  for (std::size_t i = 0; i < 2 * in.size(0); ++i)
    out[i] = round_to_half(factor * in.at("x")[i] + out[i]);
  return out;
}

Values async_reverse(const ProofValues& in) {
  Values out = in.at("in");
  for (auto tile = out.begin(); tile != out.end(); tile += 1024) std::reverse(tile, tile + 1024);
  return out;
}

// Groups the lanes of one warp by t % 4.
Values warp_groups(const ProofValues& in) {
  Values out(in.at("out").size());
  const Values& values = in.at("in");
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::size_t warp = i / 32, lane = i % 32;
    const auto value = [&](std::size_t of) {
      return static_cast<unsigned>(values[warp * 32 + of % 32]);
    };
    unsigned sum = 0, most = 0, odd = 0, same = 0, members = 0;
    bool any = false, all = true, equal = true;
    for (std::size_t other = lane % 4; other < 32; other += 4) {
      members |= 1u << other;
      sum += value(other);
      most = std::max(most, value(other));
      odd |= (value(other) % 2) << other;
      any = any || value(other) == 5;
      all = all && value(other) < 6;
      same |= (value(other) % 3 == value(lane) % 3 ? 1u : 0u) << other;
      equal = equal && value(other) / 7 == value(lane) / 7;
    }
    const unsigned got[] = {sum,
                            most,
                            odd,
                            (any ? 1u : 0u) | (all ? 2u : 0u),
                            same,
                            equal ? members + 1 : 0,
                            value(lane + 4) + 16 * value(lane ^ 8)};
    for (std::size_t k = 0; k < std::size(got); ++k) out[warp * 224 + 32 * k + lane] = got[k];
  }
  return out;
}

// The input of one step has the two columns of 64 x 8 halves of a, then the two of 8 x 8 of b.
Values collective_wgmma(const ProofValues& in) {
  Values out(64 * 8);
  for (std::size_t step = 0; step < in.size(0); ++step) {
    const double* a = in.at("in").data() + step * 1152;
    const double* b = a + 1024;
    for (std::size_t i = 0; i < out.size(); ++i) {
      for (std::size_t k = 0; k < 16; ++k)
        out[i] += a[k / 8 * 512 + i / 8 * 8 + k % 8] * b[k / 8 * 64 + i % 8 * 8 + k % 8];
    }
  }
  return out;
}

}  // namespace

Values proof_reference(const ProofCase& proof, const ProofValues& inputs) {
  static const std::map<std::string, Reference> references = {
      {"stream_scale", stream_scale},
      {"stream_vector", stream_vector},
      {"row_reduction", row_reduction},
      {"transpose_conflicting", transpose},
      {"transpose_padded", transpose},
      {"histogram", histogram},
      {"stencil_five", stencil_five},
      {"polynomial", polynomial},
      {"polynomial_double", polynomial_double},
      {"sgemm_tiled", sgemm_tiled},
      {"mma_tile", mma_tile},
      {"gather", gather},
      {"shared_read_4", shared_read(1)},
      {"shared_read_8", shared_read(2)},
      {"shared_read_16", shared_read(4)},
      {"shared_write_4", shared_write(1)},
      {"shared_write_8", shared_write(2)},
      {"shared_write_16", shared_write(4)},
      {"softmax_rows", softmax_rows},
      {"half_axpy", half_axpy},
      {"async_reverse", async_reverse},
      {"warp_groups", warp_groups},
      {"collective_wgmma", collective_wgmma},
  };
  return references.at(proof.entry)(inputs);
}

}  // namespace warpwright::emu
