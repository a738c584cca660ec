// Numbers as people read them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace warpwright {

// "0.250", "4.49", "49.41", "372.1", "12,345": decimals by magnitude, so that three or more digits
// are significant. "n/a" if the value is not finite.
[[nodiscard]] std::string format_us(double microseconds);

// "1,234,567": rounded to a whole number.
[[nodiscard]] std::string format_thousands(double value);

// "3,100 problems", "1 problem".
[[nodiscard]] std::string counted(std::uint64_t count, std::string_view one, std::string_view many);

// "0.85 s", "41 s", "3 min 20 s", "2 h 5 min".
[[nodiscard]] std::string format_duration(double seconds);

}  // namespace warpwright
