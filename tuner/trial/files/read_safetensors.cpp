// .safetensors files: 8 bytes with the length of the header, little-endian; the header, a JSON map
// from a tensor's name to its dtype, shape and place; the elements.
// https://github.com/huggingface/safetensors#format
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/suggest.h"
#include "core/utf8.h"
#include "trial/files/input_file.h"

namespace warpwright {
namespace {

constexpr std::uint64_t kLengthBytes = 8;
// The header of a model with ten thousand tensors has a megabyte; as JSON it takes a multiple.
constexpr std::uint64_t kLongestJson = std::uint64_t{16} << 20;
constexpr int kDeepestJson = 8;
constexpr std::size_t kTensorShown = 100;

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

nlohmann::json parse_header(const InputSource& source, std::uint64_t length) {
  const std::string text = source.text(kLengthBytes, length);
  const auto shallow = [](int depth, nlohmann::json::parse_event_t, nlohmann::json&) {
    return depth <= kDeepestJson;
  };
  nlohmann::json header = nlohmann::json::parse(text, shallow, /*allow_exceptions=*/false);
  if (!header.is_object()) refuse_input(source, "its header is not a JSON map");
  return header;
}

// Integers of at least 0; nullopt for anything else.
std::optional<std::vector<std::int64_t>> sizes_of(const nlohmann::json& tensor, const char* key) {
  const auto list = tensor.find(key);
  if (list == tensor.end() || !list->is_array() || list->size() > 64) return std::nullopt;
  std::vector<std::int64_t> sizes;
  for (const nlohmann::json& item : *list) {
    if (!item.is_number_unsigned() || item.get<std::uint64_t>() > INT64_MAX) return std::nullopt;
    sizes.push_back(item.get<std::int64_t>());
  }
  return sizes;
}

const nlohmann::json& find_tensor(const InputSource& source, const nlohmann::json& header,
                                  const std::string& name) {
  const auto found = header.find(name);
  if (found != header.end() && name != "__metadata__") return *found;
  std::vector<std::string> names;
  for (const auto& [known, value] : header.items())
    if (known != "__metadata__") names.push_back(shortened_line(known, kTensorShown));
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
  const nlohmann::json header = parse_header(source, length);
  const nlohmann::json& entry = find_tensor(source, header, tensor);
  const std::string what = fmt::format("tensor '{}'", tensor);
  if (!entry.is_object()) refuse_input(source, what + ": expected a map");

  const auto dtype = entry.find("dtype");
  if (dtype == entry.end() || !dtype->is_string()) refuse_input(source, what + " has no dtype");
  const std::vector<std::string_view> names = safetensors_names(wanted.dtype);
  const auto& got = dtype->get_ref<const std::string&>();
  if (std::find(names.begin(), names.end(), got) == names.end())
    refuse_input(source,
                 fmt::format("{} holds {}, expected {} for argument '{}', which is {}", what,
                             shortened_line(got, kTensorShown), fmt::join(names, " or "),
                             wanted.argument, dtype_name(wanted.dtype)));
  const auto shape = sizes_of(entry, "shape");
  if (!shape) refuse_input(source, what + ": its shape is not a list of sizes");
  require_shape(source, what, *shape, wanted);
  const auto place = sizes_of(entry, "data_offsets");
  const std::uint64_t after = source.size() - kLengthBytes - length;
  if (!place || place->size() != 2 || (*place)[0] > (*place)[1] ||
      static_cast<std::uint64_t>((*place)[1]) > after)
    refuse_input(source, what + ": its data_offsets lie outside of the file");
  const auto bytes = static_cast<std::uint64_t>((*place)[1] - (*place)[0]);
  if (bytes != wanted.bytes)
    refuse_input(source, fmt::format("{} has {} bytes, expected {}", what, bytes, wanted.bytes));
  std::vector<std::byte> content(wanted.bytes);
  source.read(kLengthBytes + length + static_cast<std::uint64_t>((*place)[0]), content);
  return content;
}

}  // namespace warpwright
