// Matrix Market files, read as the parts of a sparse matrix and as dense matrices.
#include <gmock/gmock.h>

#include "core/error.h"
#include "support/input_files.h"
#include "trial/files/input_file.h"

namespace warpwright::testing {
namespace {

using ::testing::ElementsAre;

// Rows out of order, a row without entries, and comments.
constexpr const char* kGeneral =
    "%%MatrixMarket matrix coordinate real general\n"
    "% a comment\n"
    "\n"
    "4 5 5\n"
    "3 2 2.5\r\n"
    "1 5 -1e2\n"
    "% another\n"
    "1 1 +1\n"
    "4 4 .5\n"
    "3 1 7\n";

WantedArray matrix_part(DType dtype, std::vector<std::int64_t> shape) {
  std::size_t bytes = dtype_size(dtype);
  for (const std::int64_t extent : shape) bytes *= static_cast<std::size_t>(extent);
  return {"part", dtype, std::move(shape), bytes};
}

template <typename Number>
std::vector<Number> part_of(const std::string& text, const std::string& part, DType dtype,
                            std::vector<std::int64_t> shape) {
  return numbers_of<Number>(
      read_matrix_market({"m.mtx", text}, part, matrix_part(dtype, std::move(shape))));
}

std::string matrix_error(const std::string& text, const std::string& part = "columns",
                         DType dtype = DType::kI32, std::vector<std::int64_t> shape = {5}) {
  try {
    static_cast<void>(
        read_matrix_market({"m.mtx", text}, part, matrix_part(dtype, std::move(shape))));
  } catch (const Error& error) {
    EXPECT_EQ(error.fault(), Fault::kUser);
    return error.message();
  }
  return "no error";
}

TEST(MatrixMarket, PartsAreThoseOfTheMatrixByRows) {
  EXPECT_THAT(part_of<std::int32_t>(kGeneral, "row_offsets", DType::kI32, {5}),
              ElementsAre(0, 2, 2, 4, 5));
  EXPECT_THAT(part_of<std::int64_t>(kGeneral, "columns", DType::kI64, {5}),
              ElementsAre(0, 4, 0, 1, 3));
  EXPECT_THAT(part_of<std::uint8_t>(kGeneral, "rows", DType::kU8, {5}), ElementsAre(0, 0, 2, 2, 3));
  EXPECT_THAT(part_of<float>(kGeneral, "values", DType::kF32, {5}),
              ElementsAre(1, -100, 7, 2.5, 0.5));
}

TEST(MatrixMarket, ASymmetricMatrixIsMirrored) {
  const std::string text =
      "%%MatrixMarket MATRIX Coordinate Integer Symmetric\n3 3 3\n1 1 4\n3 1 5\n3 2 -6\n";
  EXPECT_THAT(part_of<std::int32_t>(text, "row_offsets", DType::kI32, {4}),
              ElementsAre(0, 2, 3, 5));
  EXPECT_THAT(part_of<std::int32_t>(text, "columns", DType::kI32, {5}), ElementsAre(0, 2, 2, 0, 1));
  EXPECT_THAT(part_of<std::int64_t>(text, "values", DType::kI64, {5}),
              ElementsAre(4, 5, -6, 5, -6));
}

TEST(MatrixMarket, APatternHoldsOnes) {
  const std::string text = "%%MatrixMarket matrix coordinate pattern general\n2 2 2\n1 2\n2 1";
  EXPECT_THAT(part_of<float>(text, "values", DType::kF32, {2}), ElementsAre(1, 1));
}

TEST(MatrixMarket, AMatrixMayHaveNoEntries) {
  const std::string text = "%%MatrixMarket matrix coordinate real general\n2 2 0\n";
  EXPECT_THAT(part_of<std::int32_t>(text, "row_offsets", DType::kI32, {3}), ElementsAre(0, 0, 0));
}

TEST(MatrixMarket, DenseMatricesAreStoredByRows) {
  const std::string text = "%%MatrixMarket matrix array real general\n2 3\n1\n4\n2\n5\n3\n6\n";
  EXPECT_THAT(part_of<float>(text, "", DType::kF32, {2, 3}), ElementsAre(1, 2, 3, 4, 5, 6));
  EXPECT_THAT(part_of<float>(text, "values", DType::kF32, {2, 3}), ElementsAre(1, 2, 3, 4, 5, 6));
  const std::string lower = "%%MatrixMarket matrix array integer symmetric\n2 2\n1\n2\n3\n";
  EXPECT_THAT(part_of<std::int8_t>(lower, "", DType::kI8, {2, 2}), ElementsAre(1, 2, 2, 3));
  const std::string vector = "%%MatrixMarket matrix array real general\n3 1\n1\n2\n3\n";
  EXPECT_THAT(part_of<double>(vector, "", DType::kF64, {3}), ElementsAre(1, 2, 3));
  EXPECT_THAT(part_of<double>(vector, "", DType::kF64, {3, 1}), ElementsAre(1, 2, 3));
}

TEST(MatrixMarket, AnotherShapeNamesBoth) {
  EXPECT_EQ(matrix_error(kGeneral, "row_offsets", DType::kI32, {4}),
            "m.mtx: row_offsets has shape [5], expected [4], the shape of argument 'part'");
  EXPECT_EQ(matrix_error(kGeneral, "columns", DType::kI32, {7}),
            "m.mtx: columns has shape [5], expected [7], the shape of argument 'part'");
  EXPECT_EQ(
      matrix_error("%%MatrixMarket matrix array real general\n2 3\n", "", DType::kF32, {3, 2}),
      "m.mtx: the matrix has shape [2, 3], expected [3, 2], the shape of argument 'part'");
}

TEST(MatrixMarket, PartsMustSuitTheMatrix) {
  EXPECT_EQ(matrix_error(kGeneral, ""),
            "m.mtx: the matrix is sparse; give a part of it: row_offsets, columns, values or rows");
  EXPECT_EQ(matrix_error("%%MatrixMarket matrix array real general\n1 1\n1\n", "columns"),
            "m.mtx: the matrix is dense and has no 'columns'; leave that out");
}

TEST(MatrixMarket, ValuesMustFitTheType) {
  EXPECT_EQ(
      matrix_error(kGeneral, "values", DType::kI32),
      "m.mtx: element 3 of argument 'part' is 2.5, which is not an integer that i32 can hold");
  EXPECT_EQ(matrix_error("%%MatrixMarket matrix coordinate integer general\n1 1 1\n1 1 300\n",
                         "values", DType::kU8, {1}),
            "m.mtx: element 0 of argument 'part' is 300, which u8 cannot hold (0 to 255)");
  EXPECT_EQ(
      matrix_error("%%MatrixMarket matrix coordinate real general\n1 1 1\n1 1 1e5\n", "values",
                   DType::kF16, {1}),
      "m.mtx: element 0 of argument 'part' is 100000, beyond the largest f16, which is 65504");
}

TEST(MatrixMarket, BrokenFilesNameTheLine) {
  const auto with = [](const std::string& rest) {
    return matrix_error("%%MatrixMarket matrix coordinate real general\n" + rest);
  };
  EXPECT_EQ(matrix_error(""),
            "m.mtx: line 1: expected '%%MatrixMarket matrix ...' as Matrix Market files begin");
  EXPECT_EQ(matrix_error("%%MatrixMarket matrix coordinate complex general\n"),
            "m.mtx: line 1: got 'complex', expected real, integer or pattern");
  EXPECT_EQ(matrix_error("%%MatrixMarket matrix coordinate real hermitian\n"),
            "m.mtx: line 1: got 'hermitian', expected general or symmetric");
  EXPECT_EQ(matrix_error("%%MatrixMarket matrix array pattern general\n"),
            "m.mtx: line 1: a pattern is sparse: expected 'coordinate'");
  EXPECT_EQ(with(""), "m.mtx: line 2: expected the sizes of the matrix, got the end of the file");
  EXPECT_EQ(with("3 nan 1\n"), "m.mtx: line 2: expected a number of columns, got 'nan'");
  EXPECT_EQ(with("3 3\n"), "m.mtx: line 2: expected a number of entries, got the end of the line");
  EXPECT_EQ(with("0 3 1\n"), "m.mtx: line 2: expected a number of rows of 1 to 2^53, got 0");
  EXPECT_EQ(with("9223372036854775807 3 1\n"),
            "m.mtx: line 2: expected a number of rows of 1 to 2^53, got 9223372036854775807");
  EXPECT_EQ(with("3 3 9007199254740992\n1 1 1\n"),
            "m.mtx: line 2: 9007199254740992 entries do not fit in the 6 bytes that follow");
  EXPECT_EQ(with("3 3 2\n1 1 1.0000000\n"), "m.mtx: line 4: the file ends after 1 of 2 entries");
  EXPECT_EQ(with("3 3 1\n1 1 1\n2 2 2\n"),
            "m.mtx: line 4: expected the end of the file: all entries have been given");
  EXPECT_EQ(with("3 3 1\n0 1 1\n"), "m.mtx: line 3: got row 0, expected 1 to 3");
  EXPECT_EQ(with("3 2 1\n3 3 1\n"), "m.mtx: line 3: got column 3, expected 1 to 2");
  EXPECT_EQ(with("3 3 1\n1 1\n  \n"), "m.mtx: line 3: expected a number, got the end of the line");
  EXPECT_EQ(with("3 3 1\n1 1 1 1\n"), "m.mtx: line 3: expected the end of the line, got '1'");
  EXPECT_EQ(with("3 3 1\n1 1 \xff\xfe\n"), "m.mtx: line 3: expected a number, got '\xff\xfe'");
  EXPECT_EQ(with("3 3 2\n1 2 1\n1 2 2\n"), "m.mtx: row 1, column 2 is given twice");
  EXPECT_EQ(matrix_error("%%MatrixMarket matrix coordinate real symmetric\n3 3 2\n1 2 1\n2 1 1\n"),
            "m.mtx: row 1, column 2 is given twice; a symmetric matrix lists one triangle");
  EXPECT_EQ(matrix_error("%%MatrixMarket matrix coordinate real symmetric\n3 2 1\n1 2 1\n"),
            "m.mtx: line 2: a symmetric matrix must be square");
}

}  // namespace
}  // namespace warpwright::testing
