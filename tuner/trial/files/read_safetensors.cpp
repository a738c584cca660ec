// .safetensors files: 8 bytes with the length of the header, little-endian; the header, a JSON map
// from a tensor's name to its dtype, shape and place; the elements.
// https://github.com/huggingface/safetensors#format
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <optional>
#include <tuple>

#include "core/utf8.h"
#include "core/words.h"
#include "trial/files/input_file.h"

namespace warpwright {
namespace {

constexpr std::uint64_t kLengthBytes = 8;
// The header of a model with ten thousand tensors has a megabyte; as JSON it takes a multiple.
constexpr std::uint64_t kLongestJson = std::uint64_t{16} << 20;
constexpr int kDeepestJson = 8;
constexpr std::size_t kTensorShown = 100;
constexpr std::string_view kMetadata = "__metadata__";

std::vector<std::string_view> safetensors_names(DType dtype) {
  switch (dtype) {
    case DType::kF64:
      return {"F64"};
    case DType::kF32:
      return {"F32"};
    case DType::kF16:
      return {"F16"};
    case DType::kBf16:
      return {"BF16", "U16"};
    case DType::kI64:
      return {"I64"};
    case DType::kU64:
      return {"U64"};
    case DType::kI32:
      return {"I32"};
    case DType::kU32:
      return {"U32"};
    case DType::kI16:
      return {"I16"};
    case DType::kU16:
      return {"U16"};
    case DType::kI8:
      return {"I8"};
    case DType::kU8:
      return {"U8", "BOOL"};
    case DType::kE4m3:
      return {"F8_E4M3", "U8"};
    case DType::kE5m2:
      return {"F8_E5M2", "U8"};
  }
  return {};
}

// One entry of the header. Fields that are missing, or do not follow the format, are absent.
struct HeaderEntry {
  std::string name;
  bool is_map = false;
  std::optional<std::string> dtype;
  std::optional<std::vector<std::int64_t>> shape;
  std::optional<std::vector<std::int64_t>> offsets;
};

// Processes the header while it is read: a JSON tree would take several times its memory, and hide
// names that are given twice.
class HeaderReader {
 public:
  explicit HeaderReader(const InputSource& source) : source_(source) {}
  [[nodiscard]] std::vector<HeaderEntry>& entries() { return entries_; }

  // The parser's events; returning false ends the parsing.
  using string_t = nlohmann::json::string_t;
  bool null() { return value(); }
  bool boolean(bool) { return value(); }
  bool number_float(double, const string_t&) { return value(); }
  bool binary(nlohmann::json::binary_t&) { return value(); }
  bool number_integer(std::int64_t) { return value(); }  // below 0
  bool number_unsigned(std::uint64_t number) {
    if (list_ == nullptr || depth_ != kListDepth || !list_->has_value() ||
        (*list_)->size() == kMaxSizes || (number > INT64_MAX && key_ != Key::kOffsets))
      return value();
    // A larger offset lies beyond every file as well.
    (*list_)->push_back(static_cast<std::int64_t>(std::min<std::uint64_t>(number, INT64_MAX)));
    return true;
  }
  bool string(string_t& text) {
    const bool is_dtype = depth_ == kEntryDepth && key_ == Key::kDtype;
    const bool known = value();
    if (is_dtype) entries_.back().dtype = std::move(text);
    return known;
  }
  bool start_object(std::size_t) {
    if (depth_ == 1) entries_.back().is_map = true;
    return descend();
  }
  bool start_array(std::size_t) {
    if (depth_ == 0) return false;
    if (depth_ == kEntryDepth && (key_ == Key::kShape || key_ == Key::kOffsets)) {
      HeaderEntry& entry = entries_.back();
      list_ = key_ == Key::kShape ? &entry.shape : &entry.offsets;
      list_->emplace();
    }
    return descend();
  }
  bool key(string_t& name) {
    if (depth_ == 1) {
      entries_.emplace_back().name = std::move(name);
      given_ = {};
    } else if (depth_ == kEntryDepth) {
      key_ = name == "dtype"          ? Key::kDtype
             : name == "shape"        ? Key::kShape
             : name == "data_offsets" ? Key::kOffsets
                                      : Key::kOther;
      bool& given = given_[static_cast<std::size_t>(key_)];
      if (given && key_ != Key::kOther && entries_.back().name != kMetadata)
        refuse_input(source_,
                     fmt::format("tensor '{}' has '{}' twice",
                                 shortened_line(entries_.back().name, kTensorShown), name));
      given = true;
    }
    return true;
  }
  bool end_object() { return ascend(); }
  bool end_array() { return ascend(); }
  bool parse_error(std::size_t, const std::string&, const nlohmann::json::exception&) {
    return false;
  }

 private:
  static constexpr int kEntryDepth = 2;  // within the map of one tensor
  static constexpr int kListDepth = 3;
  static constexpr std::size_t kMaxSizes = 64;
  enum class Key { kDtype, kShape, kOffsets, kOther };

  // Handles a value that is not a size, possibly inside a list of sizes.
  bool value() {
    if (list_ != nullptr) list_->reset();
    return depth_ > 0;
  }
  bool descend() {
    if (list_ != nullptr && depth_ >= kListDepth) list_->reset();
    if (++depth_ > kDeepestJson)
      refuse_input(source_, fmt::format("its header is nested more than {} deep", kDeepestJson));
    return true;
  }
  bool ascend() {
    if (--depth_ < kListDepth) list_ = nullptr;
    return true;
  }

  const InputSource& source_;
  std::vector<HeaderEntry> entries_;
  int depth_ = 0;
  Key key_ = Key::kOther;
  std::array<bool, 4> given_{};                               // by key, of the last entry
  std::optional<std::vector<std::int64_t>>* list_ = nullptr;  // the list being read
};

std::string tensor_text(const HeaderEntry& entry) {
  return fmt::format("tensor '{}'", shortened_line(entry.name, kTensorShown));
}

std::string bytes_text(const HeaderEntry& entry) {
  return fmt::format("[{}, {})", (*entry.offsets)[0], (*entry.offsets)[1]);
}

// Returns the entries without the file's own metadata, sorted by name. `after` bytes follow the
// header.
std::vector<HeaderEntry> parse_header(const InputSource& source, std::uint64_t length,
                                      std::uint64_t after) {
  const std::string text = source.text(kLengthBytes, length);
  HeaderReader reader(source);
  if (!nlohmann::json::sax_parse(text, &reader))
    refuse_input(source, "its header is not a JSON map");
  std::vector<HeaderEntry> entries = std::move(reader.entries());
  std::erase_if(entries, [](const HeaderEntry& entry) { return entry.name == kMetadata; });
  for (const HeaderEntry& entry : entries) {
    if (!entry.offsets || entry.offsets->size() != 2) continue;  // reported if it is requested
    if ((*entry.offsets)[0] > (*entry.offsets)[1] ||
        static_cast<std::uint64_t>((*entry.offsets)[1]) > after)
      refuse_input(source, tensor_text(entry) + ": its data_offsets lie outside of the file");
  }
  std::stable_sort(entries.begin(), entries.end(),
                   [](const HeaderEntry& a, const HeaderEntry& b) { return a.name < b.name; });
  const auto twice = std::adjacent_find(
      entries.begin(), entries.end(),
      [](const HeaderEntry& a, const HeaderEntry& b) { return a.name == b.name; });
  if (twice != entries.end())
    refuse_input(source, tensor_text(*twice) + " is in its header twice, expected each once");
  return entries;
}

// No byte may belong to two tensors: the content of one would appear in the other.
void refuse_overlaps(const InputSource& source, const std::vector<HeaderEntry>& entries) {
  std::vector<const HeaderEntry*> placed;
  for (const HeaderEntry& entry : entries)
    if (entry.offsets && entry.offsets->size() == 2 && (*entry.offsets)[0] < (*entry.offsets)[1])
      placed.push_back(&entry);
  std::sort(placed.begin(), placed.end(), [](const HeaderEntry* a, const HeaderEntry* b) {
    return std::tie(*a->offsets, a->name) < std::tie(*b->offsets, b->name);
  });
  for (std::size_t i = 1; i < placed.size(); ++i) {
    if ((*placed[i]->offsets)[0] >= (*placed[i - 1]->offsets)[1]) continue;
    refuse_input(source, fmt::format("{} at bytes {} of the data and {} at {} overlap",
                                     tensor_text(*placed[i - 1]), bytes_text(*placed[i - 1]),
                                     tensor_text(*placed[i]), bytes_text(*placed[i])));
  }
}

const HeaderEntry& find_tensor(const InputSource& source, const std::vector<HeaderEntry>& entries,
                               const std::string& name) {
  const auto found = std::lower_bound(
      entries.begin(), entries.end(), name,
      [](const HeaderEntry& entry, const std::string& of) { return entry.name < of; });
  if (found != entries.end() && found->name == name) return *found;
  // The maximum number of names that are compared for a suggestion.
  constexpr std::size_t kMaxCompared = 10'000;
  std::vector<std::string> names;
  for (const HeaderEntry& entry : entries)
    if (names.size() < kMaxCompared) names.push_back(shortened_line(entry.name, kTensorShown));
  refuse_input(source, fmt::format("unknown tensor '{}'{}", name, suggestion(name, names)));
}

}  // namespace

std::vector<std::byte> read_safetensors(const InputSource& source, const std::string& tensor,
                                        const WantedArray& wanted) {
  if (source.size() < kLengthBytes) refuse_input(source, "it ends inside of its header");
  std::uint64_t length = 0;
  source.read(0, std::as_writable_bytes(std::span(&length, 1)));
  if (length > kLongestJson)
    refuse_input(source, fmt::format("its header is said to have {} bytes, expected at most {}",
                                     length, kLongestJson));
  if (length > source.size() - kLengthBytes) refuse_input(source, "it ends inside of its header");
  const std::uint64_t after = source.size() - kLengthBytes - length;
  const std::vector<HeaderEntry> entries = parse_header(source, length, after);
  refuse_overlaps(source, entries);
  const HeaderEntry& entry = find_tensor(source, entries, tensor);
  const std::string what = fmt::format("tensor '{}'", tensor);
  if (!entry.is_map) refuse_input(source, what + ": expected a map");

  if (!entry.dtype) refuse_input(source, what + " has no dtype");
  const std::vector<std::string_view> names = safetensors_names(wanted.dtype);
  if (std::find(names.begin(), names.end(), *entry.dtype) == names.end())
    refuse_input(source,
                 fmt::format("{} holds {}, expected {} for argument '{}', which is {}", what,
                             shortened_line(*entry.dtype, kTensorShown), fmt::join(names, " or "),
                             wanted.argument, dtype_name(wanted.dtype)));
  if (!entry.shape) refuse_input(source, what + ": its shape is not a list of sizes");
  require_shape(source, what, *entry.shape, wanted);
  if (!entry.offsets || entry.offsets->size() != 2)
    refuse_input(source, what + ": its data_offsets lie outside of the file");
  const auto begin = static_cast<std::uint64_t>((*entry.offsets)[0]);
  const std::uint64_t bytes = static_cast<std::uint64_t>((*entry.offsets)[1]) - begin;
  if (bytes != wanted.bytes)
    refuse_input(source, fmt::format("{} has {} bytes, expected {}", what, bytes, wanted.bytes));
  std::vector<std::byte> content(wanted.bytes);
  source.read(kLengthBytes + length + begin, content);
  return content;
}

}  // namespace warpwright
