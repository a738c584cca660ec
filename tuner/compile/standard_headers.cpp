#include "compile/standard_headers.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace warpwright {
namespace {

// NVRTC provides the functions of <math.h>, but not its macros, whose POSIX names host compilers
// define by default.
constexpr std::string_view kMathMacros = R"cpp(
#ifndef M_PI
#define M_E 2.7182818284590452354
#define M_LOG2E 1.4426950408889634074
#define M_LOG10E 0.43429448190325182765
#define M_LN2 0.69314718055994530942
#define M_LN10 2.30258509299404568402
#define M_PI 3.14159265358979323846
#define M_PI_2 1.57079632679489661923
#define M_PI_4 0.78539816339744830962
#define M_1_PI 0.31830988618379067154
#define M_2_PI 0.63661977236758134308
#define M_2_SQRTPI 1.12837916709551257390
#define M_SQRT2 1.41421356237309504880
#define M_SQRT1_2 0.70710678118654752440
#endif
#ifndef INFINITY
#define INFINITY __builtin_bit_cast(float, 0x7f800000)
#endif
#ifndef NAN
#define NAN __builtin_bit_cast(float, 0x7fffffff)
#endif
#ifndef HUGE_VAL
#define HUGE_VAL __builtin_bit_cast(double, 0x7ff0000000000000)
#define HUGE_VALF __builtin_bit_cast(float, 0x7f800000)
#endif
)cpp";

constexpr std::string_view kFloatLimits = R"cpp(
#ifndef FLT_MAX
#define FLT_RADIX 2
#define FLT_MANT_DIG 24
#define FLT_DIG 6
#define FLT_MIN_EXP (-125)
#define FLT_MAX_EXP 128
#define FLT_MIN_10_EXP (-37)
#define FLT_MAX_10_EXP 38
#define FLT_MAX 3.40282346638528859812e+38F
#define FLT_MIN 1.17549435082228750797e-38F
#define FLT_EPSILON 1.1920928955078125e-7F
#define DBL_MANT_DIG 53
#define DBL_DIG 15
#define DBL_MIN_EXP (-1021)
#define DBL_MAX_EXP 1024
#define DBL_MIN_10_EXP (-307)
#define DBL_MAX_10_EXP 308
#define DBL_MAX 1.79769313486231570815e+308
#define DBL_MIN 2.22507385850720138309e-308
#define DBL_EPSILON 2.2204460492503130808e-16
#endif
)cpp";

std::string passed_on(std::string_view header) {
  return fmt::format("#include <cuda/std/{}>\n", header);
}

constexpr std::string_view kIntoStd = "namespace std { using namespace ::cuda::std; }\n";

std::map<std::string, std::string> make_headers() {
  std::map<std::string, std::string> headers;
  for (const char* name :
       {"array",      "atomic",           "bit",      "bitset",  "chrono",  "cmath",
        "complex",    "concepts",         "cstddef",  "cstdint", "cstdlib", "cstring",
        "functional", "initializer_list", "iterator", "limits",  "memory",  "numbers",
        "numeric",    "optional",         "ratio",    "span",    "tuple",   "type_traits",
        "utility",    "variant"})
    headers[name] = passed_on(name) + std::string(kIntoStd);
  headers["cmath"] += kMathMacros;
  // The public header of this content is younger than the content itself.
  headers["algorithm"] =
      "#if __has_include(<cuda/std/algorithm>)\n#include <cuda/std/algorithm>\n"
      "#else\n#include <cuda/std/__algorithm_>\n#endif\n" +
      std::string(kIntoStd);
  headers["stdint.h"] = passed_on("cstdint");
  headers["stddef.h"] = passed_on("cstddef") + "using ::cuda::std::ptrdiff_t;\n";
  headers["climits"] = headers["limits.h"] = passed_on("climits");
  headers["cassert"] = headers["assert.h"] = passed_on("cassert");
  headers["cfloat"] = headers["float.h"] = kFloatLimits;
  headers["math.h"] = kMathMacros;
  // NVRTC provides printf, malloc, free, memcpy and memset.
  headers["stdio.h"] = headers["stdlib.h"] = headers["string.h"] = "\n";
  headers["stdbool.h"] = "\n";
  headers["cstdio"] = "namespace std { using ::printf; }\n";
  for (auto& [name, text] : headers) text = "#pragma once\n" + text;
  return headers;
}

const std::map<std::string, std::string>& headers() {
  static const std::map<std::string, std::string> kHeaders = make_headers();
  return kHeaders;
}

}  // namespace

std::string standard_header(std::string_view name) {
  const auto found = headers().find(std::string(name));
  return found == headers().end() ? "" : found->second;
}

std::vector<std::string> standard_header_names() {
  std::vector<std::string> names;
  for (const auto& [name, text] : headers()) names.push_back(name);
  return names;
}

}  // namespace warpwright
