// Matrix Market files (https://math.nist.gov/MatrixMarket/formats.html): a banner, comments, a line
// of sizes, one entry a line. Indices count from 1; a symmetric matrix lists one triangle; a dense
// one ("array") lists its columns one after the other.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "core/utf8.h"
#include "core/words.h"
#include "trial/files/input_file.h"
#include "trial/numbers/dtype.h"

namespace warpwright {
namespace {

// Larger sizes are rejected, so that sums with 1 and products with counts stay within 64 bits.
constexpr std::int64_t kLargestExtent = std::int64_t{1} << 53;
constexpr std::uint64_t kLargestMatrixFile = std::uint64_t{2} << 30;
constexpr std::size_t kMatrixShown = 60;

struct MatrixBanner {
  bool sparse = false;
  bool pattern = false;
  bool integer = false;
  bool symmetric = false;
};

struct MatrixNumber {
  double real = 1;  // also for a pattern
  std::int64_t integer = 1;
};

struct MatrixEntry {
  std::int64_t row = 0;  // from 0
  std::int64_t column = 0;
  MatrixNumber number;
  friend bool operator<(const MatrixEntry& a, const MatrixEntry& b) {
    return a.row != b.row ? a.row < b.row : a.column < b.column;
  }
};

// Reads the lines that are not empty, word by word.
class MatrixLines {
 public:
  MatrixLines(const InputSource& source, std::string_view text) : source_(source), text_(text) {}

  [[noreturn]] void fail(const std::string& what) const {
    refuse_input(source_, fmt::format("line {}: {}", line_, what));
  }
  [[nodiscard]] std::size_t left() const { return text_.size() - at_; }

  // Returns false at the end of the file.
  bool next(bool comments = true) {
    while (at_ < text_.size()) {
      const std::size_t end = std::min(text_.find('\n', at_), text_.size());
      rest_ = text_.substr(at_, end - at_);
      at_ = std::min(end + 1, text_.size());
      ++line_;
      skip_space();
      if (!rest_.empty() && !(comments && rest_.front() == '%')) return true;
    }
    ++line_;
    rest_ = {};
    return false;
  }
  std::string_view word() {
    std::size_t end = 0;
    while (end < rest_.size() && !is_blank(rest_[end])) ++end;
    const std::string_view found = rest_.substr(0, end);
    rest_.remove_prefix(end);
    skip_space();
    return found;
  }
  template <typename Number>
  Number number(std::string_view what) {
    const std::string_view text = word();
    // from_chars takes no plus sign.
    const std::string_view digits = text.starts_with('+') ? text.substr(1) : text;
    Number value{};
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (error != std::errc() || end != digits.data() + digits.size() || digits.empty())
      fail(fmt::format("expected {}, got {}", what, shown(text)));
    return value;
  }
  void end_of_line() const {
    if (!rest_.empty()) fail(fmt::format("expected the end of the line, got {}", shown(rest_)));
  }
  static std::string shown(std::string_view text) {
    return text.empty() ? "the end of the line"
                        : fmt::format("'{}'", shortened_line(text, kMatrixShown));
  }

 private:
  void skip_space() {
    while (!rest_.empty() && is_blank(rest_.front())) rest_.remove_prefix(1);
  }

  const InputSource& source_;
  std::string_view text_;
  std::string_view rest_;  // of the line
  std::size_t at_ = 0;
  int line_ = 0;
};

MatrixBanner read_banner(MatrixLines& lines) {
  if (!lines.next(/*comments=*/false) || lines.word() != "%%MatrixMarket")
    lines.fail("expected '%%MatrixMarket matrix ...' as Matrix Market files begin");
  const auto one_of = [&](std::string_view what, std::initializer_list<std::string_view> known) {
    const std::string_view text = lines.word();
    const std::string word = lower(text);
    if (std::find(known.begin(), known.end(), word) == known.end())
      lines.fail(fmt::format("got {}, expected {}", MatrixLines::shown(text), what));
    return word;
  };
  one_of("matrix", {"matrix"});
  MatrixBanner banner;
  banner.sparse = one_of("coordinate or array", {"coordinate", "array"}) == "coordinate";
  const std::string field =
      one_of("real, integer or pattern", {"real", "double", "integer", "pattern"});
  banner.pattern = field == "pattern";
  banner.integer = field == "integer";
  banner.symmetric = one_of("general or symmetric", {"general", "symmetric"}) == "symmetric";
  if (banner.pattern && !banner.sparse) lines.fail("a pattern is sparse: expected 'coordinate'");
  lines.end_of_line();
  return banner;
}

std::int64_t read_extent(MatrixLines& lines, std::string_view what, std::int64_t least) {
  const auto extent = lines.number<std::int64_t>(what);
  if (extent < least || extent > kLargestExtent)
    lines.fail(fmt::format("expected {} of {} to 2^53, got {}", what, least, extent));
  return extent;
}

MatrixNumber read_value(MatrixLines& lines, const MatrixBanner& banner) {
  MatrixNumber number;
  if (banner.integer) {
    number.integer = lines.number<std::int64_t>("an integer");
  } else if (!banner.pattern) {
    number.real = lines.number<double>("a number");
  }
  return number;
}

std::int64_t read_index(MatrixLines& lines, std::string_view what, std::int64_t extent) {
  const auto index = lines.number<std::int64_t>(what);
  if (index < 1 || index > extent)
    lines.fail(fmt::format("got {} {}, expected 1 to {}", what, index, extent));
  return index - 1;
}

// Each entry takes a line of at least `least` bytes, including its end.
void require_room(const MatrixLines& lines, std::int64_t entries, std::size_t least) {
  if (static_cast<std::uint64_t>(entries) > (lines.left() + 1) / least)
    lines.fail(
        fmt::format("{} entries do not fit in the {} bytes that follow", entries, lines.left()));
}

void next_entry(MatrixLines& lines, std::int64_t number, std::int64_t entries) {
  if (!lines.next())
    lines.fail(fmt::format("the file ends after {} of {} entries", number, entries));
}

void require_no_more(MatrixLines& lines) {
  if (lines.next()) lines.fail("expected the end of the file: all entries have been given");
}

void store_number(const InputSource& source, const WantedArray& wanted, const MatrixBanner& banner,
                  std::vector<std::byte>& content, std::size_t index, const MatrixNumber& number) {
  const auto fault = banner.integer || banner.pattern
                         ? store_checked(wanted.dtype, content.data(), index, number.integer)
                         : store_checked(wanted.dtype, content.data(), index, number.real);
  if (fault)
    refuse_input(source,
                 fmt::format("element {} of argument '{}' is {}", index, wanted.argument, *fault));
}

struct SparseMatrix {
  std::int64_t rows = 0;
  std::vector<MatrixEntry> entries;  // by row, then by column
};

SparseMatrix read_sparse(const InputSource& source, MatrixLines& lines,
                         const MatrixBanner& banner) {
  SparseMatrix matrix;
  matrix.rows = read_extent(lines, "a number of rows", 1);
  const std::int64_t columns = read_extent(lines, "a number of columns", 1);
  const std::int64_t entries = read_extent(lines, "a number of entries", 0);
  lines.end_of_line();
  if (banner.symmetric && matrix.rows != columns) lines.fail("a symmetric matrix must be square");
  require_room(lines, entries, banner.pattern ? 4 : 6);
  matrix.entries.reserve(static_cast<std::size_t>(entries));
  for (std::int64_t i = 0; i < entries; ++i) {
    next_entry(lines, i, entries);
    MatrixEntry entry;
    entry.row = read_index(lines, "row", matrix.rows);
    entry.column = read_index(lines, "column", columns);
    entry.number = read_value(lines, banner);
    lines.end_of_line();
    matrix.entries.push_back(entry);
    if (!banner.symmetric || entry.row == entry.column) continue;
    std::swap(entry.row, entry.column);
    matrix.entries.push_back(entry);
  }
  require_no_more(lines);
  std::sort(matrix.entries.begin(), matrix.entries.end());
  const auto twice =
      std::adjacent_find(matrix.entries.begin(), matrix.entries.end(),
                         [](const MatrixEntry& a, const MatrixEntry& b) { return !(a < b); });
  if (twice != matrix.entries.end())
    refuse_input(
        source, fmt::format("row {}, column {} is given twice{}", twice->row + 1, twice->column + 1,
                            banner.symmetric ? "; a symmetric matrix lists one triangle" : ""));
  return matrix;
}

std::vector<std::byte> sparse_part(const InputSource& source, const MatrixBanner& banner,
                                   const SparseMatrix& matrix, const std::string& part,
                                   const WantedArray& wanted) {
  const auto count = static_cast<std::int64_t>(matrix.entries.size());
  const bool offsets = part == "row_offsets";
  require_shape(source, part, {offsets ? matrix.rows + 1 : count}, wanted);
  std::vector<std::byte> content(wanted.bytes);
  const auto store = [&](std::size_t index, std::int64_t value) {
    store_number(source, wanted, {.integer = true}, content, index, {0, value});
  };
  if (!offsets) {
    for (std::size_t i = 0; i < matrix.entries.size(); ++i) {
      const MatrixEntry& entry = matrix.entries[i];
      if (part == "values") {
        store_number(source, wanted, banner, content, i, entry.number);
      } else {
        store(i, part == "columns" ? entry.column : entry.row);
      }
    }
    return content;
  }
  std::size_t entry = 0;
  for (std::int64_t row = 0; row <= matrix.rows; ++row) {
    while (entry < matrix.entries.size() && matrix.entries[entry].row < row) ++entry;
    store(static_cast<std::size_t>(row), static_cast<std::int64_t>(entry));
  }
  return content;
}

std::vector<std::byte> read_dense(const InputSource& source, MatrixLines& lines,
                                  const MatrixBanner& banner, const WantedArray& wanted) {
  const std::int64_t rows = read_extent(lines, "a number of rows", 1);
  const std::int64_t columns = read_extent(lines, "a number of columns", 1);
  lines.end_of_line();
  if (banner.symmetric && rows != columns) lines.fail("a symmetric matrix must be square");
  // A vector is a matrix of one column.
  if (columns == 1 && wanted.shape.size() == 1) {
    require_shape(source, "the matrix", {rows}, wanted);
  } else {
    require_shape(source, "the matrix", {rows, columns}, wanted);
  }
  std::vector<std::byte> content(wanted.bytes);
  const std::int64_t entries = banner.symmetric ? rows * (rows + 1) / 2 : rows * columns;
  require_room(lines, entries, 2);
  std::int64_t given = 0;
  for (std::int64_t column = 0; column < columns; ++column) {
    for (std::int64_t row = banner.symmetric ? column : 0; row < rows; ++row) {
      next_entry(lines, given++, entries);
      const MatrixNumber number = read_value(lines, banner);
      lines.end_of_line();
      const auto at = [&](std::int64_t r, std::int64_t c) {
        return static_cast<std::size_t>(r * columns + c);
      };
      store_number(source, wanted, banner, content, at(row, column), number);
      if (banner.symmetric) store_number(source, wanted, banner, content, at(column, row), number);
    }
  }
  require_no_more(lines);
  return content;
}

}  // namespace

std::vector<std::byte> read_matrix_market(const InputSource& source, const std::string& part,
                                          const WantedArray& wanted) {
  if (source.size() > kLargestMatrixFile)
    refuse_input(source, fmt::format("it has {} bytes, expected at most 2 GiB of text; convert it "
                                     "to .npy files",
                                     source.size()));
  const std::string text = source.text(0, source.size());
  MatrixLines lines(source, text);
  const MatrixBanner banner = read_banner(lines);
  if (!lines.next()) lines.fail("expected the sizes of the matrix, got the end of the file");
  if (banner.sparse) {
    if (part.empty())
      refuse_input(source,
                   "the matrix is sparse; give a part of it: row_offsets, columns, values "
                   "or rows");
    return sparse_part(source, banner, read_sparse(source, lines, banner), part, wanted);
  }
  if (!part.empty() && part != "values")
    refuse_input(source, fmt::format("the matrix is dense and has no '{}'; leave that out", part));
  return read_dense(source, lines, banner, wanted);
}

}  // namespace warpwright
