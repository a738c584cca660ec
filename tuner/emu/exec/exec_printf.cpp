// vprintf and __assertfail: the two device functions that the toolkit's headers call and no PTX
// defines.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstdio>
#include <cstring>
#include <string>

#include "emu/exec/address.h"
#include "emu/exec/block.h"
#include "emu/exec/exec.h"

namespace warpwright::emu {
namespace {

constexpr std::size_t kLongestString = 4096;

// Every byte goes through the bounds check, so an unterminated string is a fault, not a crash.
std::string read_string(Warp& warp, std::uint32_t lane, std::uint64_t address) {
  std::string text;
  while (text.size() < kLongestString) {
    const auto c = static_cast<char>(*resolve_generic(warp, lane, address + text.size(), 1));
    if (c == '\0') break;
    text += c;
  }
  return text;
}

std::uint64_t read_param(Warp& warp, std::uint32_t lane, std::size_t offset, std::size_t bytes) {
  const Frame& frame = warp.frame();
  std::uint64_t value = 0;
  std::memcpy(&value, frame.params.data() + lane * frame.function->param_bytes + offset, bytes);
  return value;
}

// Reads arguments from the buffer that the compiler packed: natural alignment, floats as doubles.
class Arguments {
 public:
  Arguments(Warp& warp, std::uint32_t lane, std::uint64_t address)
      : warp_(warp), lane_(lane), address_(address) {}

  std::uint64_t next(std::size_t bytes) {
    offset_ = (offset_ + bytes - 1) / bytes * bytes;
    std::uint64_t value = 0;
    std::memcpy(&value, resolve_generic(warp_, lane_, address_ + offset_, bytes), bytes);
    offset_ += bytes;
    return value;
  }

 private:
  Warp& warp_;
  std::uint32_t lane_;
  std::uint64_t address_;
  std::size_t offset_ = 0;
};

template <class T>
std::string print_one(const std::string& specification, T value) {
  char text[512];
  const int length = std::snprintf(text, sizeof text, specification.c_str(), value);
  return std::string(
      text, static_cast<std::size_t>(std::clamp(length, 0, static_cast<int>(sizeof text) - 1)));
}

constexpr const char* kFlagsAndSizes = "+-# 0123456789.*";
constexpr const char* kLengths = "hlLjzt";
constexpr const char* kConversions = "diouxXcsfFeEgGaAp";

// Adds a width or precision that is an argument. Negative precisions are ignored.
void add_size(std::int32_t size, std::string& specification) {
  const bool precision = specification.find('.') != std::string::npos;
  if (!precision || size >= 0) {
    specification += std::to_string(size);
  } else {
    specification.pop_back();
  }
}

// The subset of printf that CUDA documents; lengths are those of the device.
std::string format(Warp& warp, std::uint32_t lane, const std::string& pattern,
                   std::uint64_t arguments_address) {
  Arguments arguments(warp, lane, arguments_address);
  std::string out;
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    if (pattern[i] != '%') {
      out += pattern[i];
      continue;
    }
    if (i + 1 < pattern.size() && pattern[i + 1] == '%') {
      out += '%';
      ++i;
      continue;
    }
    const std::size_t begin = i++;
    std::string specification = "%";
    for (; i < pattern.size() && std::strchr(kFlagsAndSizes, pattern[i]) != nullptr; ++i) {
      if (pattern[i] == '*') {
        add_size(static_cast<std::int32_t>(arguments.next(4)), specification);
      } else {
        specification += pattern[i];
      }
    }
    bool wide = false;
    for (; i < pattern.size() && std::strchr(kLengths, pattern[i]) != nullptr; ++i)
      wide |= pattern[i] != 'h' && pattern[i] != 'L';
    // A sequence that is not one of these conversions is printed unchanged: the host's printf
    // supports others, including one that writes to memory.
    if (i >= pattern.size() || std::strchr(kConversions, pattern[i]) == nullptr) {
      out += pattern.substr(begin, i - begin);
      --i;
      continue;
    }
    const char conversion = pattern[i];
    if (std::strchr("fFeEgGaA", conversion) != nullptr) {
      out += print_one(specification + conversion, std::bit_cast<double>(arguments.next(8)));
    } else if (conversion == 's') {
      out += fmt::format("{}", read_string(warp, lane, arguments.next(8)));
    } else if (conversion == 'p') {
      out += fmt::format("{:#x}", arguments.next(8));
    } else if (wide) {
      out +=
          print_one(specification + "ll" + conversion, static_cast<long long>(arguments.next(8)));
    } else {
      out += print_one(specification + conversion, static_cast<int>(arguments.next(4)));
    }
  }
  return out;
}

}  // namespace

void exec_printf(Warp& warp, const Inst& inst) {
  for (std::uint32_t left = warp.mask(); left != 0; left &= left - 1) {
    const auto lane = static_cast<std::uint32_t>(std::countr_zero(left));
    const std::uint64_t pattern =
        read_param(warp, lane, static_cast<std::size_t>(inst.immediate), 8);
    const std::uint64_t arguments = read_param(warp, lane, inst.src[0], 8);
    warp.block().output() += format(warp, lane, read_string(warp, lane, pattern), arguments);
    if (inst.dst2 != kNoRegister) {
      Frame& frame = warp.frame();
      std::memset(frame.params.data() + lane * frame.function->param_bytes + inst.dst2, 0, 4);
    }
  }
}

void exec_assert_fail(Warp& warp, const Inst& inst) {
  const auto lane = static_cast<std::uint32_t>(std::countr_zero(warp.mask()));
  const std::string condition = read_string(warp, lane, read_param(warp, lane, inst.src[0], 8));
  const std::string file = read_string(warp, lane, read_param(warp, lane, inst.src[1], 8));
  const auto line = read_param(warp, lane, inst.src[2], 4);
  const std::string function = read_string(warp, lane, read_param(warp, lane, inst.src[3], 8));
  throw KernelFault{FindingKind::kTrap,
                    fmt::format("assertion `{}` failed in {} ({}:{}) at {{place}}", condition,
                                function, file, line),
                    lane};
}

}  // namespace warpwright::emu
