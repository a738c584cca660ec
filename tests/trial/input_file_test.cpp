// Arrays from .npy, raw and .safetensors files: the accepted ones, and the refused ones with their
// messages.
#include "trial/files/input_file.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <chrono>

#include "core/error.h"
#include "core/files.h"
#include "support/input_files.h"
#include "support/write_text.h"

namespace warpwright::testing {
namespace {

using ::testing::ElementsAre;

WantedArray array_of(DType dtype, std::vector<std::int64_t> shape) {
  std::size_t bytes = dtype_size(dtype);
  for (const std::int64_t extent : shape) bytes *= static_cast<std::size_t>(extent);
  return {"filter", dtype, std::move(shape), bytes};
}

template <typename Read>
std::string input_error(Read read) {
  try {
    read();
  } catch (const Error& error) {
    EXPECT_EQ(error.fault(), Fault::kUser);
    return error.message();
  }
  return "no error";
}

std::string numpy_error(const std::string& text, const WantedArray& array) {
  return input_error([&] { static_cast<void>(read_numpy({"f.npy", text}, array)); });
}
std::string tensor_error(const std::string& text, const std::string& name,
                         const WantedArray& array) {
  return input_error([&] {
    static_cast<void>(read_safetensors({"w.safetensors", text}, name, array));
  });
}

const std::string kSixFloats = bytes_of<float>({1, 2, 3, 4, 5, 6});

TEST(NumpyFile, ElementsAreThoseOfTheFile) {
  const std::string text = numpy_text("<f4", "(2, 3)", kSixFloats);
  EXPECT_THAT(numbers_of<float>(read_numpy({"f.npy", text}, array_of(DType::kF32, {2, 3}))),
              ElementsAre(1, 2, 3, 4, 5, 6));
}

TEST(NumpyFile, LaterVersionsHaveALongerLength) {
  for (const char version : {'\x02', '\x03'}) {
    const std::string header = "{\"shape\": (2,), \"fortran_order\": False, \"descr\": \"<i8\"}";
    std::string text = "\x93NUMPY";
    text += version;
    text += '\0';
    text += bytes_of<std::uint32_t>({static_cast<std::uint32_t>(header.size())}) + header;
    text += bytes_of<std::int64_t>({-7, 9});
    EXPECT_THAT(numbers_of<std::int64_t>(read_numpy({"f.npy", text}, array_of(DType::kI64, {2}))),
                ElementsAre(-7, 9));
  }
}

TEST(NumpyFile, TypesThatNumpyLacksAreRawIntegersOfTheirWidth) {
  const std::string two = bytes_of<std::uint16_t>({0x3F80, 0x4000});
  for (const char* descr : {"<u2", "|V2"}) {
    const std::string text = numpy_text(descr, "(2,)", two);
    EXPECT_THAT(numbers_of<std::uint16_t>(read_numpy({"f.npy", text}, array_of(DType::kBf16, {2}))),
                ElementsAre(0x3F80, 0x4000));
  }
  const std::string text = numpy_text("|u1", "(2,)", "\x38\x40");
  EXPECT_THAT(numbers_of<std::uint8_t>(read_numpy({"f.npy", text}, array_of(DType::kE4m3, {2}))),
              ElementsAre(0x38, 0x40));
  const std::string flags = numpy_text("|b1", "(2,)", std::string("\x01\x00", 2));
  EXPECT_THAT(numbers_of<std::uint8_t>(read_numpy({"f.npy", flags}, array_of(DType::kU8, {2}))),
              ElementsAre(1, 0));
}

TEST(NumpyFile, AnotherShapeNamesBoth) {
  EXPECT_EQ(numpy_error(numpy_text("<f4", "(2, 3)", kSixFloats), array_of(DType::kF32, {3, 2})),
            "f.npy: the array has shape [2, 3], expected [3, 2], the shape of argument 'filter'");
  EXPECT_EQ(numpy_error(numpy_text("<f4", "()", kSixFloats), array_of(DType::kF32, {1})),
            "f.npy: the array has shape [], expected [1], the shape of argument 'filter'");
}

TEST(NumpyFile, AnotherTypeNamesBoth) {
  EXPECT_EQ(
      numpy_error(numpy_text("<f8", "(3,)", kSixFloats), array_of(DType::kF32, {3})),
      "f.npy: the array holds '<f8', expected '<f4' for argument 'filter', which is f32; save "
      "it with .astype()");
  EXPECT_EQ(
      numpy_error(numpy_text(">f4", "(6,)", kSixFloats), array_of(DType::kF32, {6})),
      "f.npy: the array holds '>f4' (big-endian), expected '<f4' for argument 'filter', which "
      "is f32; save it with .astype()");
  EXPECT_EQ(numpy_error(numpy_text("<f2", "(1,)", "ab"), array_of(DType::kBf16, {1})),
            "f.npy: the array holds '<f2', expected '<u2' or '|V2' or '<V2' for argument 'filter', "
            "which is bf16; save it with .astype()");
}

TEST(NumpyFile, FortranOrderIsRefused) {
  const std::string text =
      numpy_with_header("{'descr': '<f4', 'fortran_order': True, 'shape': (2, 3)}", kSixFloats);
  EXPECT_EQ(numpy_error(text, array_of(DType::kF32, {2, 3})),
            "f.npy: the array is in Fortran order, expected C order; save "
            "numpy.ascontiguousarray() of it");
}

TEST(NumpyFile, BytesMustBeAllAndNoMore) {
  const WantedArray six = array_of(DType::kF32, {6});
  const std::string whole = numpy_text("<f4", "(6,)", kSixFloats);
  EXPECT_EQ(numpy_error(whole.substr(0, whole.size() - 1), six),
            "f.npy: it holds 23 bytes of elements, expected 24");
  EXPECT_EQ(numpy_error(whole + "x", six), "f.npy: it holds 25 bytes of elements, expected 24");
}

TEST(NumpyFile, NoPrefixOfAFileIsTaken) {
  const std::string whole = numpy_text("<f4", "(6,)", kSixFloats);
  for (std::size_t size = 0; size < whole.size(); ++size)
    EXPECT_NE(numpy_error(whole.substr(0, size), array_of(DType::kF32, {6})), "no error") << size;
}

TEST(NumpyFile, BrokenHeadersSayWhatIsWrong) {
  // Removes the padding that messages quote.
  const auto header = [](const std::string& text) {
    std::string message =
        numpy_error(numpy_with_header(text, kSixFloats), array_of(DType::kF32, {6}));
    const auto end = std::unique(message.begin(), message.end(),
                                 [](char a, char b) { return a == ' ' && b == ' '; });
    message.erase(end, message.end());
    const std::string lead = "f.npy: the header of the .npy file: ";
    EXPECT_EQ(message.substr(0, lead.size()), lead);
    return message.substr(std::min(message.size(), lead.size()));
  };
  EXPECT_EQ(header("{'descr': '<f4', 'fortran_order': False}"), "missing key 'shape'");
  EXPECT_EQ(header("{'descr': '<f4', 'descr': '<f4'}"), "unexpected key 'descr'");
  EXPECT_EQ(header("{'order': 'C'}"), "unexpected key 'order'");
  EXPECT_EQ(header("{'descr': [('a', '<f4')]}"), "its elements are records, expected numbers");
  EXPECT_EQ(header("{'fortran_order': 0}"), "fortran_order: expected True or False, got '0} '");
  for (const std::string size : {"nan", "-1", "99999999999999999999", "x"})
    EXPECT_EQ(header("{'shape': (" + size + ",)}"),
              "shape: expected a size of at least 0 that 64 bits hold, got '" + size + ",)} '");
  EXPECT_EQ(header("{'shape': (1.5,)}"), "expected ')', got '.5,)} '");
  std::string axes;
  for (int i = 0; i < 33; ++i) axes += "1,";
  EXPECT_EQ(header("{'shape': (" + axes + ")}"), "its shape has too many axes");
  EXPECT_EQ(header("(3, 4)"), "expected '{', got '(3, 4) '");
  EXPECT_EQ(header("{'descr"), "expected text in quotes, got ''descr '");
  EXPECT_EQ(header("\xff\xfe"), "expected '{', got '\xff\xfe '");
}

TEST(NumpyFile, AHugeLengthAllocatesNothing) {
  std::string text = "\x93NUMPY";
  text += '\x02';
  text += '\0';
  text += "\xff\xff\xff\xff";
  EXPECT_EQ(numpy_error(text, array_of(DType::kF32, {6})),
            "f.npy: its header is said to have 4294967295 bytes, expected at most 1048576");
  EXPECT_EQ(numpy_error("PK\x03\x04 an archive", array_of(DType::kF32, {6})),
            "f.npy: it does not begin as .npy files do; save it with numpy.save()");
  EXPECT_EQ(numpy_error("\x93NUMPY\x09\x01 and more", array_of(DType::kF32, {6})),
            "f.npy: got version 9 of the .npy format, expected 1 to 3");
}

TEST(RawFile, IsExactlyTheBytes) {
  const FillOrigin origin = parse_fill_origin("file('f.bin')", {});
  EXPECT_THAT(numbers_of<float>(
                  read_input_file({"f.bin", kSixFloats}, origin, array_of(DType::kF32, {3, 2}))),
              ElementsAre(1, 2, 3, 4, 5, 6));
  EXPECT_EQ(input_error([&] {
              static_cast<void>(
                  read_input_file({"f.bin", kSixFloats}, origin, array_of(DType::kF32, {5})));
            }),
            "f.bin: got 24 bytes, expected 20: argument 'filter' has shape [5] of f32");
}

constexpr const char* kTwoTensors =
    R"({"__metadata__":{"format":"pt"},)"
    R"("a.weight":{"dtype":"F32","shape":[2,3],"data_offsets":[2,26]},)"
    R"("b":{"dtype":"I16","shape":[1],"data_offsets":[0,2]}})";

std::string two_tensors() {
  return safetensors_text(kTwoTensors, bytes_of<std::int16_t>({-5}) + kSixFloats);
}

TEST(SafetensorsFile, ATensorIsFoundByItsName) {
  const std::string text = two_tensors();
  EXPECT_THAT(
      numbers_of<float>(read_safetensors({"w", text}, "a.weight", array_of(DType::kF32, {2, 3}))),
      ElementsAre(1, 2, 3, 4, 5, 6));
  EXPECT_THAT(
      numbers_of<std::int16_t>(read_safetensors({"w", text}, "b", array_of(DType::kI16, {1}))),
      ElementsAre(-5));
}

TEST(SafetensorsFile, WhatDoesNotFitIsNamed) {
  const std::string text = two_tensors();
  EXPECT_EQ(tensor_error(text, "a.weigth", array_of(DType::kF32, {2, 3})),
            "w.safetensors: unknown tensor 'a.weigth'; did you mean 'a.weight'?");
  EXPECT_EQ(tensor_error(text, "__metadata__", array_of(DType::kF32, {2, 3})),
            "w.safetensors: unknown tensor '__metadata__'; known: a.weight, b");
  EXPECT_EQ(
      tensor_error(text, "a.weight", array_of(DType::kF32, {6})),
      "w.safetensors: tensor 'a.weight' has shape [2, 3], expected [6], the shape of argument "
      "'filter'");
  EXPECT_EQ(
      tensor_error(text, "b", array_of(DType::kBf16, {1})),
      "w.safetensors: tensor 'b' holds I16, expected BF16 or U16 for argument 'filter', which "
      "is bf16");
}

TEST(SafetensorsFile, BrokenHeadersSayWhatIsWrong) {
  const WantedArray one = array_of(DType::kI16, {1});
  const auto with = [&](const std::string& header) {
    return tensor_error(safetensors_text(header, "ab"), "b", one);
  };
  EXPECT_EQ(with("{"), "w.safetensors: its header is not a JSON map");
  EXPECT_EQ(with("[]"), "w.safetensors: its header is not a JSON map");
  EXPECT_EQ(with("{\"b\": \"\xff\"}"), "w.safetensors: its header is not a JSON map");
  EXPECT_EQ(with(R"({"b": 3})"), "w.safetensors: tensor 'b': expected a map");
  EXPECT_EQ(with(R"({"b": {}})"), "w.safetensors: tensor 'b' has no dtype");
  for (const char* shape : {"[-1]", "[1.5]", "1", "[1e999]", "[18446744073709551615]", "[NaN]"})
    EXPECT_NE(with(R"({"b": {"dtype": "I16", "shape": )" + std::string(shape) + "}}"), "no error")
        << shape;
  for (const char* place : {"[0, 3]", "[2, 0]", "[0]", "[-2, 0]", "\"x\""})
    EXPECT_EQ(with(R"({"b": {"dtype": "I16", "shape": [1], "data_offsets": )" + std::string(place) +
                   "}}"),
              "w.safetensors: tensor 'b': its data_offsets lie outside of the file")
        << place;
  EXPECT_EQ(with(R"({"b": {"dtype": "I16", "shape": [1], "data_offsets": [0, 1]}})"),
            "w.safetensors: tensor 'b' has 1 bytes, expected 2");
  EXPECT_EQ(tensor_error("short", "b", one), "w.safetensors: it ends inside of its header");
  EXPECT_EQ(
      tensor_error(std::string(8, '\xff'), "b", one),
      "w.safetensors: its header is said to have 18446744073709551615 bytes, expected at most "
      "16777216");
  EXPECT_EQ(tensor_error(std::string("\x09\0\0\0\0\0\0\0{}", 10), "b", one),
            "w.safetensors: it ends inside of its header");
}

std::string floats_at(const char* name, std::int64_t begin, std::int64_t end) {
  return fmt::format(R"("{}":{{"dtype":"F32","shape":[{}],"data_offsets":[{},{}]}})", name,
                     (end - begin) / 4, begin, end);
}

std::string header_error(const std::string& header) {
  return tensor_error(safetensors_text(header, std::string(64, '\0')), "b",
                      array_of(DType::kF32, {4}));
}

TEST(SafetensorsFile, TensorsThatOverlapAreRefusedWithBothNames) {
  EXPECT_EQ(header_error("{" + floats_at("b", 0, 16) + "," + floats_at("a", 12, 28) + "}"),
            "w.safetensors: tensor 'b' at bytes [0, 16) of the data and tensor 'a' at [12, 28) "
            "overlap");
  EXPECT_EQ(header_error("{" + floats_at("x", 16, 32) + "," + floats_at("b", 0, 16) + "," +
                         floats_at("y", 16, 32) + "}"),
            "w.safetensors: tensor 'x' at bytes [16, 32) of the data and tensor 'y' at [16, 32) "
            "overlap")
      << "though neither is wanted: a file that lies about one may lie about the other";
  EXPECT_EQ(header_error("{" + floats_at("e", 16, 16) + "," + floats_at("b", 8, 24) + "}"),
            "no error")
      << "one without bytes overlaps with nothing";
}

TEST(SafetensorsFile, WhatIsGivenTwiceIsRefused) {
  EXPECT_EQ(header_error("{" + floats_at("b", 0, 16) + "," + floats_at("b", 16, 32) + "}"),
            "w.safetensors: tensor 'b' is in its header twice, expected each once");
  EXPECT_EQ(header_error(R"({"b":{"dtype":"F32","shape":[4],"data_offsets":[0,16],"shape":[4]}})"),
            "w.safetensors: tensor 'b' has 'shape' twice");
  EXPECT_EQ(header_error("{" + floats_at("b", 0, 16) +
                         R"(,"__metadata__":{"a":"1"},"__metadata__":{"a":"2","a":"3"}})"),
            "no error");
}

TEST(SafetensorsFile, HostileNumbersAreRefusedWithTheTensor) {
  for (const char* offsets :
       {"[0,9223372036854775807]", "[0,9223372036854775808]", "[0,18446744073709551615]",
        "[9223372036854775807,9223372036854775807]", "[16,0]", "[0,65]"})
    EXPECT_EQ(header_error("{" + floats_at("b", 0, 16) + R"(,"other":{"dtype":"F32","shape":[4],)" +
                           R"("data_offsets":)" + offsets + "}}"),
              "w.safetensors: tensor 'other': its data_offsets lie outside of the file")
        << offsets;
  for (const char* shape : {"[-4]", "[18446744073709551616]", "[9223372036854775808]", "[4.0]",
                            "[[4]]", "[4,\"4\"]", "{\"4\":4}", "null"})
    EXPECT_EQ(header_error(R"({"b":{"dtype":"F32","shape":)" + std::string(shape) +
                           R"(,"data_offsets":[0,16]}})"),
              "w.safetensors: tensor 'b': its shape is not a list of sizes")
        << shape;
  EXPECT_EQ(header_error(R"({"b":{"dtype":"F32","shape":[4294967296,4294967296],)"
                         R"("data_offsets":[0,16]}})"),
            "w.safetensors: tensor 'b' has shape [4294967296, 4294967296], expected [4], the shape "
            "of argument 'filter'");
}

TEST(SafetensorsFile, AHeaderThatIsNestedDeepIsRefusedWithTheLimit) {
  std::string deep = R"({"__metadata__":)";
  for (int i = 0; i < 100'000; ++i) deep += '[';
  EXPECT_EQ(header_error(deep), "w.safetensors: its header is nested more than 8 deep");
}

// The time must be linear in their number: quadratic time would take minutes.
TEST(SafetensorsFile, AHundredThousandTensorsAreRead) {
  std::string header = "{";
  for (int i = 0; i < 100'000; ++i)
    header += fmt::format(R"("t{}":{{"dtype":"F32","shape":[1],"data_offsets":[{},{}]}},)", i,
                          4 * i, 4 * i + 4);
  const std::string data = std::string(400'000, '\0') + bytes_of<float>({1, 2, 3, 4});
  const std::string text = safetensors_text(header + floats_at("b", 400'000, 400'016) + "}", data);
  EXPECT_THAT(numbers_of<float>(read_safetensors({"w", text}, "b", array_of(DType::kF32, {4}))),
              ElementsAre(1, 2, 3, 4));
  EXPECT_EQ(tensor_error(text, "t99999x", array_of(DType::kF32, {4})).substr(0, 39),
            "w.safetensors: unknown tensor 't99999x'");
}

TEST(LargeInput, IsReadFromTheDiskWhileItIsTheOneThatWasStamped) {
  const TemporaryFolder folder;
  const std::filesystem::path file = folder.path() / "f.npy";
  write_text(file, numpy_text("<f4", "(6,)", kSixFloats));
  const auto stamp = [&] {
    return LargeFile{"unused", std::filesystem::file_size(file),
                     std::chrono::duration_cast<std::chrono::nanoseconds>(
                         std::filesystem::last_write_time(file).time_since_epoch())
                         .count()};
  };
  const InputSource source(file, stamp());
  EXPECT_THAT(numbers_of<float>(read_numpy(source, array_of(DType::kF32, {6}))),
              ElementsAre(1, 2, 3, 4, 5, 6));
  std::filesystem::resize_file(file, std::filesystem::file_size(file) - 4);
  EXPECT_EQ(
      input_error([&] { static_cast<void>(read_numpy(source, array_of(DType::kF32, {6}))); }),
      file.string() + ": it has changed since it was first read; run again to use it as it is now");
}

}  // namespace
}  // namespace warpwright::testing
