// Framing shared by both ends of a worker's pipes: a 4-byte little-endian length, followed by that
// number of bytes of CBOR. Internal to core; other code uses Subprocess and WorkerChannel.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>

namespace warpwright {

inline constexpr std::size_t kFrameHeaderBytes = 4;
inline constexpr std::uint32_t kMaxFrameBytes = 1u << 30;

// Returns header and body. Throws Error (internal) for a message above kMaxFrameBytes.
[[nodiscard]] std::string encode_frame(const nlohmann::json& message);

// Assembles one frame from pieces of any size. It never requests a byte beyond the frame, so that
// the result of poll() for the descriptor also holds for messages.
class FrameReader {
 public:
  enum class State { kIncomplete, kComplete, kMalformed };

  // How many bytes to read next, at most; never 0 while the state is kIncomplete.
  [[nodiscard]] std::size_t wanted() const;
  State add(std::string_view bytes);
  // True between the first byte of a frame and its last.
  [[nodiscard]] bool in_frame() const { return header_bytes_ > 0; }
  // Decodes the complete frame and prepares for the next one; nullopt if it is not CBOR or is
  // nested deeper than any of our messages.
  [[nodiscard]] std::optional<nlohmann::json> take();

 private:
  std::array<unsigned char, kFrameHeaderBytes> header_{};
  std::size_t header_bytes_ = 0;
  std::uint32_t body_bytes_ = 0;
  std::string body_;
};

}  // namespace warpwright
