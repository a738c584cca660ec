// Stores numbers from external sources as elements. Unlike fills, which saturate, these must fit
// the type.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "trial/data/dtype.h"

namespace warpwright {

// Writes element `index`, rounded where the type is a floating one. When the type cannot hold the
// value, writes nothing and returns why: "300, which u8 cannot hold (0 to 255)".
[[nodiscard]] std::optional<std::string> store_checked(DType dtype, void* array, std::size_t index,
                                                       double value);
[[nodiscard]] std::optional<std::string> store_checked(DType dtype, void* array, std::size_t index,
                                                       std::int64_t value);

// Reads an element of an integer type without loss; u64 needs more than 64 bits with a sign.
__extension__ using WideInteger = __int128;
[[nodiscard]] WideInteger load_integer(DType dtype, const void* array, std::size_t index);
// Like store_checked().
[[nodiscard]] std::optional<std::string> store_integer(DType dtype, void* array, std::size_t index,
                                                       WideInteger value);

}  // namespace warpwright
