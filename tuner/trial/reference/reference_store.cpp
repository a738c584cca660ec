// File format, little-endian: 8 bytes "WWREFA02"; u64 checksum (device/checksum.h) of everything
// after it; u64 length of the key, and the key; u64 number of outputs; then for each output u64
// count and that many f64.
#include <cstring>

#include "core/cache_folder.h"
#include "core/error.h"
#include "core/files.h"
#include "core/notices.h"
#include "device/checksum.h"
#include "trial/reference/reference.h"

namespace warpwright {
namespace {

constexpr std::string_view kMagic = "WWREFA02";
constexpr std::size_t kHeader = 16;
constexpr const char* kAnswerRemedy = "the reference is asked again";
// Larger answers take more disk space than the time to compute them is worth.
constexpr std::uintmax_t kLargestAnswer = std::uintmax_t{1} << 30;

void append(std::string& text, const void* data, std::size_t bytes) {
  text.append(static_cast<const char*>(data), bytes);
}

void append(std::string& text, std::uint64_t value) { append(text, &value, sizeof value); }

std::uint64_t body_checksum(std::string_view file) {
  return checksum_of(std::as_bytes(std::span(file.data(), file.size()).subspan(kHeader)));
}

// Reads forward; every read returns whether the bytes were available.
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

// nullopt when it is damaged, or belongs to another key.
std::optional<ReferenceAnswer> decode(const std::string& key, std::string_view text) {
  if (text.size() < kHeader || !text.starts_with(kMagic)) return std::nullopt;
  Reader reader(text.substr(kMagic.size()));
  std::uint64_t checksum = 0;
  std::uint64_t key_bytes = 0;
  std::uint64_t outputs = 0;
  if (!reader.read(&checksum, sizeof checksum) || checksum != body_checksum(text))
    return std::nullopt;
  if (!reader.read(&key_bytes, sizeof key_bytes) || key_bytes != key.size()) return std::nullopt;
  std::string held(key.size(), '\0');
  if (!reader.read(held.data(), held.size()) || held != key) return std::nullopt;
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

}  // namespace

std::optional<ReferenceAnswer> ReferenceStore::find(const std::string& key) const {
  if (folder_.empty()) return std::nullopt;
  std::error_code none;
  const std::uintmax_t size = std::filesystem::file_size(file(key), none);
  if (none) return std::nullopt;
  if (size > kLargestAnswer) {
    drop_damaged_entry(file(key), kAnswerRemedy);
    return std::nullopt;
  }
  std::optional<std::string> text;
  try {
    text = read_file_if_present(file(key));
  } catch (const Error& error) {
    add_notice(error.message() + "; " + kAnswerRemedy);
  }
  if (!text) return std::nullopt;
  std::optional<ReferenceAnswer> answer = decode(key, *text);
  if (answer)
    note_cache_use(file(key));
  else
    drop_damaged_entry(file(key), kAnswerRemedy);
  return answer;
}

void ReferenceStore::store(const std::string& key, const ReferenceAnswer& answer) const {
  if (folder_.empty()) return;
  std::uintmax_t bytes = kHeader + key.size();
  for (const std::vector<double>& output : answer) bytes += (1 + output.size()) * sizeof(double);
  if (bytes > kLargestAnswer) return;
  std::string text(kMagic);
  append(text, std::uint64_t{0});
  append(text, key.size());
  append(text, key.data(), key.size());
  append(text, answer.size());
  for (const std::vector<double>& output : answer) {
    append(text, output.size());
    append(text, output.data(), output.size() * sizeof(double));
  }
  const std::uint64_t checksum = body_checksum(text);
  std::memcpy(text.data() + kMagic.size(), &checksum, sizeof checksum);
  publish_cache_file(folder_, file(key), text);
}

void ReferenceStore::verify(CacheCheck& check) const {
  verify_cache(folder_, kAnswerRemedy, check, [](const CacheFile& entry, const std::string& text) {
    return decode(entry.path.stem().string(), text).has_value();
  });
}

}  // namespace warpwright
