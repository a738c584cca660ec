#include "core/process/frame.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/error.h"

namespace warpwright {
namespace {

// A wrong length must not cost a gigabyte of memory before the first byte of the body arrives.
constexpr std::size_t kReadPiece = 1u << 20;
// None of our messages is nested nearly this deep; the decoder recurses once per level.
constexpr int kMaxMessageDepth = 100;

// Checks a body for input that would break the decoder: nesting too deep for the stack, and
// containers that claim more items than the body has bytes.
class Inspector final : public nlohmann::json_sax<nlohmann::json> {
 public:
  explicit Inspector(std::size_t body_bytes) : body_bytes_(body_bytes) {}

  bool null() override { return true; }
  bool boolean(bool) override { return true; }
  bool number_integer(number_integer_t) override { return true; }
  bool number_unsigned(number_unsigned_t) override { return true; }
  bool number_float(number_float_t, const string_t&) override { return true; }
  bool string(string_t&) override { return true; }
  bool binary(binary_t&) override { return true; }
  bool key(string_t&) override { return true; }
  bool start_object(std::size_t items) override { return open(items); }
  bool end_object() override { return close(); }
  bool start_array(std::size_t items) override { return open(items); }
  bool end_array() override { return close(); }
  bool parse_error(std::size_t, const std::string&, const nlohmann::json::exception&) override {
    return false;
  }

 private:
  bool open(std::size_t items) {
    constexpr auto kUnknown = static_cast<std::size_t>(-1);
    return ++depth_ <= kMaxMessageDepth && (items == kUnknown || items <= body_bytes_);
  }
  bool close() {
    --depth_;
    return true;
  }

  std::size_t body_bytes_;
  int depth_ = 0;
};

std::optional<nlohmann::json> decode_body(const std::string& body) {
  Inspector inspector(body.size());
  if (!nlohmann::json::sax_parse(body, &inspector, nlohmann::json::input_format_t::cbor))
    return std::nullopt;
  return nlohmann::json::from_cbor(body);
}

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
  std::optional<nlohmann::json> message = decode_body(body_);
  header_bytes_ = 0;
  body_.clear();
  return message;
}

}  // namespace warpwright
