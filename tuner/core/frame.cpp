#include "core/frame.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/error.h"

namespace warpwright {
namespace {

// A wrong length must not cost a gigabyte of memory before the first byte of the body is there.
constexpr std::size_t kReadPiece = 1u << 20;

}  // namespace

std::string encode_frame(const nlohmann::json& message) {
  std::string frame(kFrameHeaderBytes, '\0');
  nlohmann::json::to_cbor(message, frame);
  const std::size_t body = frame.size() - kFrameHeaderBytes;
  WARPWRIGHT_CHECK(body <= kMaxFrameBytes, "a worker message is larger than 1 GiB");
  for (std::size_t i = 0; i < kFrameHeaderBytes; ++i) {
    frame[i] = static_cast<char>((body >> (8 * i)) & 0xff);
  }
  return frame;
}

std::size_t FrameReader::wanted() const {
  if (header_bytes_ < kFrameHeaderBytes) return kFrameHeaderBytes - header_bytes_;
  return std::min(body_bytes_ - body_.size(), kReadPiece);
}

FrameReader::State FrameReader::add(std::string_view bytes) {
  while (header_bytes_ < kFrameHeaderBytes && !bytes.empty()) {
    header_[header_bytes_++] = static_cast<unsigned char>(bytes.front());
    bytes.remove_prefix(1);
  }
  if (header_bytes_ < kFrameHeaderBytes) return State::kIncomplete;
  if (body_.empty()) {
    body_bytes_ = 0;
    for (std::size_t i = 0; i < kFrameHeaderBytes; ++i) {
      body_bytes_ |= std::uint32_t{header_[i]} << (8 * i);
    }
    // No CBOR value is empty.
    if (body_bytes_ == 0 || body_bytes_ > kMaxFrameBytes) return State::kMalformed;
  }
  body_ += bytes;
  return body_.size() == body_bytes_ ? State::kComplete : State::kIncomplete;
}

std::optional<nlohmann::json> FrameReader::take() {
  nlohmann::json message =
      nlohmann::json::from_cbor(body_, /*strict=*/true, /*allow_exceptions=*/false);
  header_bytes_ = 0;
  body_.clear();
  if (message.is_discarded()) return std::nullopt;
  return message;
}

}  // namespace warpwright
