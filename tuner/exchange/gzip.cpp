#include "exchange/gzip.h"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <limits>
#include <system_error>
#include <vector>

#include "core/error.h"
#include "core/files.h"

namespace warpwright {
namespace fs = std::filesystem;
namespace {

// 15 bits of window, and 16 for a gzip header instead of zlib's own.
constexpr int kGzipWindow = 15 + 16;
constexpr std::size_t kPiece = 1 << 16;

// An inflating stream that frees itself.
class Inflater {
 public:
  Inflater() {
    if (inflateInit2(&stream_, kGzipWindow) != Z_OK) throw environment_error("zlib: out of memory");
  }
  ~Inflater() { inflateEnd(&stream_); }
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;
  z_stream* operator->() { return &stream_; }
  z_stream* get() { return &stream_; }

 private:
  z_stream stream_ = {};
};

class Unpacker {
 public:
  Unpacker(const fs::path& path, const std::function<void(std::string_view)>& take,
           const GzipLimits& limits)
      : name_(path.string()), take_(take), limits_(limits), out_(kPiece) {}

  // Adds a piece of the packed file.
  void feed(std::string_view packed) {
    packed_bytes_ += packed.size();
    // zlib's interface lacks const, but zlib does not write through this pointer.
    inflater_->next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));
    inflater_->avail_in = static_cast<uInt>(packed.size());
    while (inflater_->avail_in > 0) {
      if (member_ended_) {
        // gzip files on tapes are padded to whole blocks with zeros.
        if (*inflater_->next_in == 0) return;
        if (inflateReset(inflater_.get()) != Z_OK) fail();
        member_ended_ = false;
      }
      inflate_some();
    }
  }
  // Checks that the stream ended together with the packed file.
  void finish() const {
    if (!member_ended_) {
      throw user_error(
          fmt::format("{}: the gzip data is truncated: its end is missing after {} "
                      "bytes; get the file again",
                      name_, packed_bytes_));
    }
  }

 private:
  void inflate_some() {
    do {
      inflater_->next_out = reinterpret_cast<Bytef*>(out_.data());
      inflater_->avail_out = static_cast<uInt>(out_.size());
      const int code = inflate(inflater_.get(), Z_NO_FLUSH);
      if (code != Z_OK && code != Z_STREAM_END && code != Z_BUF_ERROR) fail();
      hand_out(out_.size() - inflater_->avail_out);
      member_ended_ = code == Z_STREAM_END;
    } while (!member_ended_ && inflater_->avail_out == 0);
  }

  void hand_out(std::size_t bytes) {
    bytes_ += bytes;
    if (bytes_ > limits_.bytes && bytes_ / limits_.times > packed_bytes_) {
      throw user_error(fmt::format(
          "{}: {} bytes of gzip data unpack to more than {} bytes and {} times their size; if that "
          "is what you expect, unpack it with `gunzip` and give the unpacked file",
          name_, packed_bytes_, limits_.bytes, limits_.times));
    }
    if (bytes > 0) take_(std::string_view(out_.data(), bytes));
  }

  [[noreturn]] void fail() {
    throw user_error(fmt::format("{}: the gzip data is damaged ({}); get the file again", name_,
                                 inflater_->msg == nullptr ? "no reason" : inflater_->msg));
  }

  std::string name_;
  const std::function<void(std::string_view)>& take_;
  GzipLimits limits_;
  Inflater inflater_;
  std::vector<char> out_;
  std::uint64_t packed_bytes_ = 0, bytes_ = 0;
  bool member_ended_ = false;
};

}  // namespace

bool is_gzip(std::string_view start) { return start.starts_with("\x1f\x8b"); }

void unpack_gzip(const fs::path& path, const std::function<void(std::string_view)>& take,
                 const GzipLimits& limits) {
  require_regular_file(path);
  std::ifstream in(path, std::ios::binary);
  if (!in) {
    std::error_code ignored;
    if (!fs::exists(path, ignored))
      throw user_error(fmt::format("no such file: {}", path.string()));
    throw environment_error(fmt::format("cannot read {}", path.string()));
  }
  Unpacker unpacker(path, take, limits);
  std::vector<char> piece(kPiece);
  while (in.read(piece.data(), static_cast<std::streamsize>(piece.size())), in.gcount() > 0)
    unpacker.feed({piece.data(), static_cast<std::size_t>(in.gcount())});
  if (in.bad()) throw environment_error(fmt::format("cannot read {}", path.string()));
  unpacker.finish();
}

std::string pack_gzip(std::string_view content) {
  z_stream stream = {};
  constexpr int kMemoryLevel = 8;  // zlib's default
  if (deflateInit2(&stream, Z_BEST_COMPRESSION, Z_DEFLATED, kGzipWindow, kMemoryLevel,
                   Z_DEFAULT_STRATEGY) != Z_OK) {
    throw environment_error("zlib: out of memory");
  }
  std::string packed;
  std::array<char, kPiece> out;
  int code = Z_OK;
  // The length fields of zlib have 32 bits; larger contents are passed in parts.
  while (code != Z_STREAM_END) {
    if (stream.avail_in == 0 && !content.empty()) {
      const std::size_t part =
          std::min<std::size_t>(content.size(), std::numeric_limits<uInt>::max());
      stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(content.data()));
      stream.avail_in = static_cast<uInt>(part);
      content.remove_prefix(part);
    }
    stream.next_out = reinterpret_cast<Bytef*>(out.data());
    stream.avail_out = static_cast<uInt>(out.size());
    code = deflate(&stream, content.empty() ? Z_FINISH : Z_NO_FLUSH);
    packed.append(out.data(), out.size() - stream.avail_out);
  }
  deflateEnd(&stream);
  return packed;
}

}  // namespace warpwright
