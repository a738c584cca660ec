// .npy files: 6 bytes "\x93NUMPY", two of the version, the length of the header (2 bytes in version
// 1, 4 in 2 and 3, little-endian), the header, which is a dictionary in Python's spelling, and the
// elements. https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>

#include "core/utf8.h"
#include "core/words.h"
#include "trial/files/input_file.h"

namespace warpwright {
namespace {

constexpr std::string_view kNumpyMagic = "\x93NUMPY";
// numpy writes a few hundred bytes at most.
constexpr std::uint64_t kLongestHeader = std::uint64_t{1} << 20;
constexpr std::size_t kMaxNumpyAxes = 32;
constexpr std::size_t kNumpyShown = 60;

struct NumpyHeader {
  std::string descr;
  bool fortran_order = false;
  std::vector<std::int64_t> shape;
};

// Parses the dictionary: the three keys that numpy writes, in any order.
class NumpyHeaderParser {
 public:
  NumpyHeaderParser(const InputSource& source, std::string_view text)
      : source_(source), text_(text) {}

  NumpyHeader parse() {
    NumpyHeader header;
    bool descr = false, order = false, shape = false;
    expect('{');
    while (!take('}')) {
      const std::string key = quoted();
      expect(':');
      bool& known = key == "descr" ? descr : key == "fortran_order" ? order : shape;
      if (known || (&known == &shape && key != "shape"))
        fail(fmt::format("unexpected key '{}'", shortened_line(key, kNumpyShown)));
      known = true;
      if (&known == &descr) {
        header.descr = descr_text();
      } else if (&known == &order) {
        header.fortran_order = boolean();
      } else {
        header.shape = tuple();
      }
      if (!take(',')) {
        expect('}');
        break;
      }
    }
    skip_space();
    if (at_ < text_.size()) fail("expected its end after '}'" + got());
    if (!descr || !order || !shape)
      fail(fmt::format("missing key '{}'", !descr ? "descr" : !order ? "fortran_order" : "shape"));
    return header;
  }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    refuse_input(source_, fmt::format("the header of the .npy file: {}", what));
  }
  [[nodiscard]] std::string got() const {
    if (at_ >= text_.size()) return ", got its end";
    return fmt::format(", got '{}'", shortened_line(text_.substr(at_), kNumpyShown));
  }
  void skip_space() {
    while (at_ < text_.size() && is_blank(text_[at_])) ++at_;
  }
  bool take(char c) {
    skip_space();
    if (at_ >= text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  bool take(std::string_view word) {
    skip_space();
    if (!text_.substr(at_).starts_with(word)) return false;
    at_ += word.size();
    return true;
  }
  void expect(char c) {
    if (!take(c)) fail(fmt::format("expected '{}'", c) + got());
  }
  std::string quoted() {
    skip_space();
    const char quote = at_ < text_.size() ? text_[at_] : '\0';
    const std::size_t end =
        quote == '\'' || quote == '"' ? text_.find(quote, at_ + 1) : std::string_view::npos;
    if (end == std::string_view::npos) fail("expected text in quotes" + got());
    std::string text(text_.substr(at_ + 1, end - at_ - 1));
    at_ = end + 1;
    return text;
  }
  std::string descr_text() {
    if (take('[')) fail("its elements are records, expected numbers");
    return quoted();
  }
  bool boolean() {
    if (take(std::string_view("True"))) return true;
    if (!take(std::string_view("False"))) fail("fortran_order: expected True or False" + got());
    return false;
  }
  std::vector<std::int64_t> tuple() {
    std::vector<std::int64_t> shape;
    expect('(');
    while (!take(')')) {
      if (shape.size() == kMaxNumpyAxes) fail("its shape has too many axes");
      skip_space();
      std::int64_t extent = 0;
      const char* first = text_.data() + at_;
      const auto [end, error] = std::from_chars(first, text_.data() + text_.size(), extent);
      if (error != std::errc() || extent < 0)
        fail("shape: expected a size of at least 0 that 64 bits hold" + got());
      at_ += static_cast<std::size_t>(end - first);
      shape.push_back(extent);
      if (!take(',')) {
        expect(')');
        break;
      }
    }
    return shape;
  }

  const InputSource& source_;
  std::string_view text_;
  std::size_t at_ = 0;
};

// The names that numpy uses for a dtype. Formats that numpy lacks are stored as raw integers of
// their width, or under the names of ml_dtypes.
std::vector<std::string_view> numpy_names(DType dtype) {
  switch (dtype) {
    case DType::kF64:
      return {"<f8"};
    case DType::kF32:
      return {"<f4"};
    case DType::kF16:
      return {"<f2"};
    case DType::kBf16:
      return {"<u2", "|V2", "<V2"};
    case DType::kI64:
      return {"<i8"};
    case DType::kU64:
      return {"<u8"};
    case DType::kI32:
      return {"<i4"};
    case DType::kU32:
      return {"<u4"};
    case DType::kI16:
      return {"<i2"};
    case DType::kU16:
      return {"<u2"};
    case DType::kI8:
      return {"|i1"};
    case DType::kU8:
      return {"|u1", "|b1"};
    case DType::kE4m3:
    case DType::kE5m2:
      return {"|u1", "|V1", "<V1"};
  }
  return {};
}

void require_numpy_dtype(const InputSource& source, const std::string& descr,
                         const WantedArray& wanted) {
  const std::vector<std::string_view> names = numpy_names(wanted.dtype);
  if (std::find(names.begin(), names.end(), descr) != names.end()) return;
  refuse_input(
      source,
      fmt::format("the array holds '{}'{}, expected '{}' for argument '{}', which "
                  "is {}; save it with .astype()",
                  shortened_line(descr, kNumpyShown), descr.starts_with('>') ? " (big-endian)" : "",
                  fmt::join(names, "' or '"), wanted.argument, dtype_name(wanted.dtype)));
}

std::uint64_t little_endian(const std::string& bytes) {
  std::uint64_t value = 0;
  for (std::size_t i = bytes.size(); i-- > 0;)
    value = value << 8 | static_cast<unsigned char>(bytes[i]);
  return value;
}

}  // namespace

std::vector<std::byte> read_numpy(const InputSource& source, const WantedArray& wanted) {
  constexpr std::uint64_t kVersionEnd = 8;
  const std::uint64_t size = source.size();
  if (size < kVersionEnd + 2 || source.text(0, kNumpyMagic.size()) != kNumpyMagic)
    refuse_input(source, "it does not begin as .npy files do; save it with numpy.save()");
  const int version = static_cast<unsigned char>(source.text(kNumpyMagic.size(), 1)[0]);
  if (version < 1 || version > 3)
    refuse_input(source,
                 fmt::format("got version {} of the .npy format, expected 1 to 3", version));
  const std::uint64_t width = version == 1 ? 2 : 4;
  if (size < kVersionEnd + width) refuse_input(source, "it ends inside of its header");
  const std::uint64_t length = little_endian(source.text(kVersionEnd, width));
  const std::uint64_t start = kVersionEnd + width + length;
  if (length > kLongestHeader)
    refuse_input(source, fmt::format("its header is said to have {} bytes, expected at most {}",
                                     length, kLongestHeader));
  if (start > size) refuse_input(source, "it ends inside of its header");
  const std::string text = source.text(kVersionEnd + width, length);
  const NumpyHeader header = NumpyHeaderParser(source, text).parse();
  require_numpy_dtype(source, header.descr, wanted);
  if (header.fortran_order)
    refuse_input(source,
                 "the array is in Fortran order, expected C order; save "
                 "numpy.ascontiguousarray() of it");
  require_shape(source, "the array", header.shape, wanted);
  if (size - start != wanted.bytes)
    refuse_input(source, fmt::format("it holds {} bytes of elements, expected {}", size - start,
                                     wanted.bytes));
  std::vector<std::byte> content(wanted.bytes);
  source.read(start, content);
  return content;
}

}  // namespace warpwright
