// The C ABI between Warpwright and a kernel's CPU reference (host C++, FP64, compiled into a small
// shared object).
//
// A reference defines `int ww_reference(const ww_call*)`, which computes in double precision the
// outputs of the units listed in the call: unit u is row u of every output, whose leading axes
// multiply to the number of units. It returns 0, or writes a sentence to `message` and returns 1,
// or throws a std::exception that says why. It may be called from several threads at once, for
// different units.
//
// For outputs with `match: ranked` it also defines `double ww_score(const ww_call*, const char*
// output, int64_t unit, int64_t index)`: the exact score by which candidates are ranked, so that
// near-ties can be settled.
//
// For arguments with `fill: generator` it also defines `int ww_fill(const ww_call*, const char*
// argument, const ww_fill_target*)`: it writes every element of that input with ww::store, from the
// sizes, the seed and the inputs that were filled before it. It ends as ww_reference does. It must
// write the same for the same seed, sizes and inputs, on every machine: no clock, no
// std::random_device, none of the distributions of <random>; ww::below and ww::uniform do.
#pragma once

#include <stdint.h>
#include <string.h>

#include <cmath>
#include <exception>
#include <limits>
#include <stdexcept>
#include <string>
#include <type_traits>

extern "C" {

enum ww_dtype {
  WW_F64,
  WW_F32,
  WW_F16,
  WW_BF16,
  WW_I64,
  WW_U64,
  WW_I32,
  WW_U32,
  WW_I16,
  WW_U16,
  WW_I8,
  WW_U8,
  WW_E4M3,
  WW_E5M2
};

// An input in host memory, row-major; exactly the bytes the kernel is given.
struct ww_tensor {
  const char* name;
  enum ww_dtype dtype;
  int32_t rank;
  int64_t shape[8];
  const void* data;
};

// Where to write an output: unit_elements doubles for each listed unit, in the order of
// ww_call.units.
struct ww_output {
  const char* name;
  int64_t unit_elements;
  double* data;
};

// A problem size ("rows" = 8192), a choice ("dtype" = "f32") or a scalar argument.
struct ww_size {
  const char* name;
  int64_t integer;
  double real;
  const char* text;  // null unless it is a string
};

struct ww_call {
  int32_t tensor_count;
  const struct ww_tensor* tensors;
  int32_t output_count;
  const struct ww_output* outputs;
  int32_t size_count;
  const struct ww_size* sizes;
  int64_t unit_count;
  const int64_t* units;
  char* message;
  int64_t message_capacity;
};

// An input that ww_fill is to write. One of the two arrays, the one that suits the dtype, has an
// element for each of the input's; the other is null. Use ww::store.
struct ww_fill_target {
  const char* name;       // the argument
  const char* generator;  // "lengths" of `fill: generator("lengths")`; "" without
  enum ww_dtype dtype;
  int32_t rank;
  int64_t shape[8];
  int64_t elements;
  uint64_t seed;
  double* reals;
  int64_t* integers;
};

// Weak, so that who includes this only to call references need not define them.
__attribute__((weak)) int ww_reference(const struct ww_call* call);
__attribute__((weak)) int ww_fill(const struct ww_call* call, const char* argument,
                                  const struct ww_fill_target* target);
double ww_score(const struct ww_call* call, const char* output, int64_t unit, int64_t index);
}

// Helpers for references; everything below is C++ and inline.
namespace ww {

// Asking for what is not there ends the reference with a message that names what there is.
template <typename Item>
const Item& find_named(const char* kind, const Item* items, int32_t count, const char* name,
                       const char* lacks = "which the contract does not have") {
  std::string there;
  for (int32_t i = 0; i < count; ++i) {
    if (strcmp(items[i].name, name) == 0) return items[i];
    there += (i == 0 ? "" : ", ") + std::string(items[i].name);
  }
  throw std::invalid_argument(std::string("it asks for the ") + kind + " '" + name + "', " + lacks +
                              "; there " +
                              (count == 0   ? "is none"
                               : count == 1 ? "is "
                                            : "are ") +
                              there);
}

inline const ww_tensor* find_tensor(const ww_call* call, const char* name) {
  // No units are asked for while inputs are made.
  return &find_named("input", call->tensors, call->tensor_count, name,
                     call->unit_count == 0 ? "which is not filled before this one"
                                           : "which the contract does not have");
}

inline double* find_output(const ww_call* call, const char* name) {
  return find_named("output", call->outputs, call->output_count, name).data;
}

inline int64_t size(const ww_call* call, const char* name) {
  return find_named("size", call->sizes, call->size_count, name).integer;
}

inline double real(const ww_call* call, const char* name) {
  return find_named("size", call->sizes, call->size_count, name).real;
}

inline bool is(const ww_call* call, const char* name, const char* text) {
  const ww_size& size = find_named("size", call->sizes, call->size_count, name);
  return size.text != nullptr && strcmp(size.text, text) == 0;
}

inline double from_f16(uint16_t bits) {
  const int exponent = (bits >> 10) & 31, mantissa = bits & 1023;
  double value;
  if (exponent == 0)
    value = std::ldexp(mantissa, -24);
  else if (exponent == 31)
    value = mantissa ? std::numeric_limits<double>::quiet_NaN()
                     : std::numeric_limits<double>::infinity();
  else
    value = std::ldexp(mantissa + 1024, exponent - 25);
  return (bits & 0x8000) ? -value : value;
}

inline double from_bf16(uint16_t bits) {
  const uint32_t wide = uint32_t{bits} << 16;
  float value;
  memcpy(&value, &wide, 4);
  return value;
}

// FP8 of either kind. e4m3 has no infinity, and its only NaN is all ones behind the sign; e5m2 is
// the upper half of an f16.
inline double from_e4m3(uint8_t bits) {
  const int exponent = (bits >> 3) & 15, mantissa = bits & 7;
  double value;
  if (exponent == 15 && mantissa == 7)
    value = std::numeric_limits<double>::quiet_NaN();
  else if (exponent == 0)
    value = std::ldexp(mantissa, -9);
  else
    value = std::ldexp(mantissa + 8, exponent - 10);
  return (bits & 0x80) ? -value : value;
}

inline double from_e5m2(uint8_t bits) { return from_f16(static_cast<uint16_t>(bits << 8)); }

// Element `index` of a tensor, exactly, as double (64-bit integers above 2^53 are rounded).
inline double load(const ww_tensor* tensor, int64_t index) {
  switch (tensor->dtype) {
    case WW_F64:
      return static_cast<const double*>(tensor->data)[index];
    case WW_F32:
      return static_cast<const float*>(tensor->data)[index];
    case WW_F16:
      return from_f16(static_cast<const uint16_t*>(tensor->data)[index]);
    case WW_BF16:
      return from_bf16(static_cast<const uint16_t*>(tensor->data)[index]);
    case WW_I64:
      return static_cast<double>(static_cast<const int64_t*>(tensor->data)[index]);
    case WW_U64:
      return static_cast<double>(static_cast<const uint64_t*>(tensor->data)[index]);
    case WW_I32:
      return static_cast<const int32_t*>(tensor->data)[index];
    case WW_U32:
      return static_cast<const uint32_t*>(tensor->data)[index];
    case WW_I16:
      return static_cast<const int16_t*>(tensor->data)[index];
    case WW_U16:
      return static_cast<const uint16_t*>(tensor->data)[index];
    case WW_I8:
      return static_cast<const int8_t*>(tensor->data)[index];
    case WW_U8:
      return static_cast<const uint8_t*>(tensor->data)[index];
    case WW_E4M3:
      return from_e4m3(static_cast<const uint8_t*>(tensor->data)[index]);
    case WW_E5M2:
      return from_e5m2(static_cast<const uint8_t*>(tensor->data)[index]);
  }
  return std::numeric_limits<double>::quiet_NaN();
}

// Writes element `index` of the input that ww_fill makes. An index outside of it, and a fraction
// where the dtype holds integers, end the fill with a message.
template <typename Number>
void store(const ww_fill_target* target, int64_t index, Number value) {
  static_assert(std::is_arithmetic<Number>::value, "elements are numbers");
  const auto refuse = [&](const std::string& what) {
    throw std::invalid_argument("it writes " + what + " of '" + target->name + "', which has " +
                                std::to_string(target->elements) + " elements of " +
                                (target->reals != nullptr ? "a floating type" : "an integer type"));
  };
  if (index < 0 || index >= target->elements) refuse("element " + std::to_string(index));
  if (target->reals != nullptr) {
    target->reals[index] = static_cast<double>(value);
    return;
  }
  const double real = static_cast<double>(value);
  const bool fits = std::is_floating_point<Number>::value
                        ? real >= -0x1p63 && real < 0x1p63 && real == std::floor(real)
                        : std::is_signed<Number>::value || real < 0x1p63;
  if (!fits) refuse(std::to_string(value) + " to element " + std::to_string(index));
  target->integers[index] = static_cast<int64_t>(value);
}

// 64 random bits for each index, other ones for another argument or seed (SplitMix64).
inline uint64_t random_bits(const ww_fill_target* target, uint64_t index) {
  uint64_t state = target->seed;
  const auto mix = [&](uint64_t more) {
    state += 0x9E3779B97F4A7C15u + more;
    state = (state ^ (state >> 30)) * 0xBF58476D1CE4E5B9u;
    state = (state ^ (state >> 27)) * 0x94D049BB133111EBu;
    state ^= state >> 31;
  };
  for (const char* c = target->name; *c != '\0'; ++c) mix(static_cast<unsigned char>(*c));
  mix(index);
  return state;
}

// A random number of [0, 1), and a random integer of [0, bound).
inline double uniform(const ww_fill_target* target, uint64_t index) {
  return static_cast<double>(random_bits(target, index) >> 11) * 0x1p-53;
}
inline int64_t below(const ww_fill_target* target, uint64_t index, int64_t bound) {
  if (bound < 1) throw std::invalid_argument("ww::below needs a bound of at least 1");
  return static_cast<int64_t>(random_bits(target, index) % static_cast<uint64_t>(bound));
}

// Says why the reference cannot answer; use as `return ww::fail(call, "...")`.
inline int fail(const ww_call* call, const char* why) {
  if (call->message != nullptr && call->message_capacity > 0) {
    strncpy(call->message, why, static_cast<size_t>(call->message_capacity) - 1);
    call->message[call->message_capacity - 1] = '\0';
  }
  return 1;
}

}  // namespace ww

// The functions that Warpwright calls: an exception must not leave the library.
extern "C" __attribute__((used, visibility("default"))) inline int ww_reference_caught(
    const struct ww_call* call) {
  try {
    return ww_reference(call);
  } catch (const std::exception& error) {
    return ww::fail(call, error.what());
  } catch (...) {
    return ww::fail(call, "it threw something that is no std::exception");
  }
}

extern "C" __attribute__((used, visibility("default"))) inline int ww_fill_caught(
    const struct ww_call* call, const char* argument, const struct ww_fill_target* target) {
  try {
    return ww_fill(call, argument, target);
  } catch (const std::exception& error) {
    return ww::fail(call, error.what());
  } catch (...) {
    return ww::fail(call, "it threw something that is no std::exception");
  }
}
