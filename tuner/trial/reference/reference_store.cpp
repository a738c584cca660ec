// File format, little-endian: 8 bytes "WWREFA01"; u64 checksum (device/checksum.h) of everything
// after it; u64 number of outputs; then for each output u64 count and that many f64.
#include <cstring>

#include "core/error.h"
#include "core/files.h"
#include "device/checksum.h"
#include "trial/reference/reference.h"

namespace warpwright {
namespace {

constexpr std::string_view kMagic = "WWREFA01";
constexpr std::size_t kHeader = 16;
// A disk soon has more bytes to give than answers of this size are worth the time to compute.
constexpr std::uintmax_t kLargestAnswer = std::uintmax_t{1} << 30;

void append(std::string& text, const void* data, std::size_t bytes) {
  text.append(static_cast<const char*>(data), bytes);
}

void append(std::string& text, std::uint64_t value) { append(text, &value, sizeof value); }

std::uint64_t body_checksum(std::string_view file) {
  return checksum_of(std::as_bytes(std::span(file.data(), file.size()).subspan(kHeader)));
}

// Reads forward; every read says whether the bytes were there.
class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}
  bool read(void* to, std::size_t bytes) {
    if (text_.size() < bytes) return false;
    if (bytes == 0) return true;  // an empty vector has no memory to name
    std::memcpy(to, text_.data(), bytes);
    text_.remove_prefix(bytes);
    return true;
  }
  [[nodiscard]] std::size_t left() const { return text_.size(); }

 private:
  std::string_view text_;
};

}  // namespace

std::optional<ReferenceAnswer> ReferenceStore::find(const std::string& key) const {
  if (folder_.empty()) return std::nullopt;
  std::error_code none;
  const std::uintmax_t size = std::filesystem::file_size(file(key), none);
  if (none || size > kLargestAnswer) return std::nullopt;
  const std::optional<std::string> text = read_file_if_present(file(key));
  if (!text || text->size() < kHeader || !text->starts_with(kMagic)) return std::nullopt;
  Reader reader(std::string_view(*text).substr(kMagic.size()));
  std::uint64_t checksum = 0;
  std::uint64_t outputs = 0;
  if (!reader.read(&checksum, sizeof checksum) || checksum != body_checksum(*text))
    return std::nullopt;
  if (!reader.read(&outputs, sizeof outputs)) return std::nullopt;
  ReferenceAnswer answer;
  for (std::uint64_t i = 0; i < outputs; ++i) {
    std::uint64_t count = 0;
    if (!reader.read(&count, sizeof count) || count > reader.left() / sizeof(double))
      return std::nullopt;
    answer.emplace_back(count);
    if (!reader.read(answer.back().data(), count * sizeof(double))) return std::nullopt;
  }
  return answer;
}

void ReferenceStore::store(const std::string& key, const ReferenceAnswer& answer) const {
  if (folder_.empty()) return;
  std::uintmax_t bytes = kHeader;
  for (const std::vector<double>& output : answer) bytes += (1 + output.size()) * sizeof(double);
  if (bytes > kLargestAnswer) return;
  std::string text(kMagic);
  append(text, std::uint64_t{0});
  append(text, answer.size());
  for (const std::vector<double>& output : answer) {
    append(text, output.size());
    append(text, output.data(), output.size() * sizeof(double));
  }
  const std::uint64_t checksum = body_checksum(text);
  std::memcpy(text.data() + kMagic.size(), &checksum, sizeof checksum);
  try {
    std::filesystem::create_directories(folder_);
    publish_file(file(key), text);
  } catch (const Error&) {
  } catch (const std::filesystem::filesystem_error&) {
  }
}

}  // namespace warpwright
