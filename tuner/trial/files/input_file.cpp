#include "trial/files/input_file.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstring>
#include <fstream>

#include "core/error.h"

namespace warpwright {
namespace {

namespace fs = std::filesystem;

void read_from_disk(const fs::path& file, const LargeFile& stamp, std::uint64_t at,
                    std::span<std::byte> out) {
  std::ifstream in(file, std::ios::binary);
  in.seekg(static_cast<std::streamoff>(at));
  in.read(reinterpret_cast<char*>(out.data()), static_cast<std::streamsize>(out.size()));
  // Checked after reading, so that an edit before or during the read is detected.
  if (!is_unchanged(file, stamp))
    throw user_error(
        fmt::format("{}: it has changed since it was first read; run again to use it "
                    "as it is now",
                    file.string()));
  if (!in) throw environment_error(fmt::format("cannot read {}", file.string()));
}

std::vector<std::byte> read_raw(const InputSource& source, const WantedArray& wanted) {
  if (source.size() != wanted.bytes)
    refuse_input(source, fmt::format("got {} bytes, expected {}: argument '{}' has shape [{}] of "
                                     "{}",
                                     source.size(), wanted.bytes, wanted.argument,
                                     fmt::join(wanted.shape, ", "), dtype_name(wanted.dtype)));
  std::vector<std::byte> content(wanted.bytes);
  source.read(0, content);
  return content;
}

}  // namespace

InputSource::InputSource(std::string name, std::string_view text)
    : name_(std::move(name)),
      size_(text.size()),
      read_([text](std::uint64_t at, std::span<std::byte> out) {
        WARPWRIGHT_CHECK(at <= text.size() && out.size() <= text.size() - at,
                         "readers stay within the file");
        if (!out.empty()) std::memcpy(out.data(), text.data() + at, out.size());
      }) {}

InputSource::InputSource(const fs::path& file, const LargeFile& stamp)
    : name_(file.string()),
      size_(stamp.bytes),
      read_([file, stamp](std::uint64_t at, std::span<std::byte> out) {
        WARPWRIGHT_CHECK(at <= stamp.bytes && out.size() <= stamp.bytes - at,
                         "readers stay within the file");
        read_from_disk(file, stamp, at, out);
      }) {}

std::string InputSource::text(std::uint64_t at, std::uint64_t bytes) const {
  std::string text(bytes, '\0');
  read(at, std::as_writable_bytes(std::span(text)));
  return text;
}

std::vector<std::byte> read_input_file(const InputSource& source, const FillOrigin& origin,
                                       const WantedArray& wanted) {
  switch (input_format(origin, {})) {
    case InputFormat::kNumpy:
      return read_numpy(source, wanted);
    case InputFormat::kSafetensors:
      return read_safetensors(source, origin.part, wanted);
    case InputFormat::kMatrixMarket:
      return read_matrix_market(source, origin.part, wanted);
    case InputFormat::kRaw:
      break;
  }
  return read_raw(source, wanted);
}

void refuse_input(const InputSource& source, const std::string& what) {
  throw user_error(fmt::format("{}: {}", source.name(), what));
}

void require_shape(const InputSource& source, std::string_view what,
                   const std::vector<std::int64_t>& got, const WantedArray& wanted) {
  if (got == wanted.shape) return;
  refuse_input(source,
               fmt::format("{} has shape [{}], expected [{}], the shape of argument '{}'", what,
                           fmt::join(got, ", "), fmt::join(wanted.shape, ", "), wanted.argument));
}

}  // namespace warpwright
