// Files that inputs are read from: .npy, .safetensors and Matrix Market, with headers that lie.
// An accepted file has exactly the bytes that were wanted, and is a matrix where it says so.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <nlohmann/json.hpp>
#include <utility>

#include "fuzz/fuzz.h"
#include "fuzz/json_mutator.h"
#include "fuzz/mutator.h"
#include "support/input_files.h"
#include "trial/files/input_file.h"

namespace warpwright::fuzz {
namespace {

using warpwright::testing::bytes_of;
using warpwright::testing::numbers_of;
using warpwright::testing::numpy_with_header;
using warpwright::testing::safetensors_text;

const std::string kFuzzedFloats = bytes_of<float>({1, 2, 3, 4, 5, 6});

WantedArray six_floats() { return {"x", DType::kF32, {2, 3}, 24}; }

void require_bytes(const std::vector<std::byte>& content, const WantedArray& wanted) {
  if (content.size() != wanted.bytes) throw PropertyFault{"not the bytes that were wanted"};
}

TEST(Fuzz, NumpyFiles) {
  const std::vector<std::string> headers = {
      "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }",
      "{\"shape\": (2,3,), \"descr\": \"<f4\", \"fortran_order\": False}",
      "{'descr': '>f4', 'fortran_order': True, 'shape': (3, 2), }",
      "{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (6,), }"};
  const Mutator mutator(headers,
                        {"{", "}", "(", ")", "'", "\"", ":", ",", "True", "False", "nan", "-1",
                         "99999999999999999999", "1e9", "3L", "\xff", "'shape'", "'descr'"},
                        "(){}[]");
  std::string second = numpy_with_header(headers.front(), kFuzzedFloats);
  second[6] = '\x02';
  second.insert(10, 2, '\0');
  FuzzTarget target;
  target.name = "numpy";
  target.inputs = 4000;
  target.make = [&](Random& random) {
    if (random.one_in(3)) return mutate_bytes(second, random);
    return numpy_with_header(mutator.make(random), kFuzzedFloats);
  };
  target.check = [](const std::string& text) {
    require_bytes(read_numpy({"x.npy", text}, six_floats()), six_floats());
  };
  target.least_taken = target.inputs / 40;
  target.least_refused = target.inputs / 20;
  run_fuzz(target);
}

// In an accepted header no byte belongs to two tensors.
void require_apart(const std::string& text) {
  std::uint64_t length = 0;
  std::memcpy(&length, text.data(), sizeof length);
  const nlohmann::json header = nlohmann::json::parse(text.substr(sizeof length, length));
  std::vector<std::pair<std::uint64_t, std::uint64_t>> places;
  for (const auto& [name, entry] : header.items()) {
    if (name == "__metadata__" || !entry.is_object() || !entry.contains("data_offsets")) continue;
    const nlohmann::json& offsets = entry["data_offsets"];
    if (!offsets.is_array() || offsets.size() != 2 || !offsets[0].is_number_unsigned() ||
        !offsets[1].is_number_unsigned())
      continue;
    const std::pair place(offsets[0].get<std::uint64_t>(), offsets[1].get<std::uint64_t>());
    for (const auto& other : places)
      if (std::max(place.first, other.first) < std::min(place.second, other.second))
        throw PropertyFault{"a byte is of two tensors"};
    places.push_back(place);
  }
}

TEST(Fuzz, SafetensorsFiles) {
  const std::string header =
      R"({"__metadata__":{"format":"pt"},"x":{"dtype":"F32","shape":[2,3],"data_offsets":[0,24]},)"
      R"("y":{"dtype":"F16","shape":[],"data_offsets":[24,26]}})";
  const std::vector<nlohmann::json> trees = {nlohmann::json::parse(header)};
  // Texts that a tree cannot represent: duplicate names, numbers that no type can hold.
  const Mutator mutator({header, R"({"x":{"dtype":"F32","shape":[2,3],"data_offsets":[2,26]},)"
                                 R"("y":{"dtype":"I8","shape":[2],"data_offsets":[0,2]},)"
                                 R"("z":{"dtype":"I8","shape":[0],"data_offsets":[9,9]}})"},
                        {"{",
                         "}",
                         "[",
                         "]",
                         "\"",
                         ":",
                         ",",
                         "0",
                         "1",
                         "2",
                         "24",
                         "26",
                         "-1",
                         "null",
                         "1e999",
                         "9223372036854775807",
                         "9223372036854775808",
                         "18446744073709551615",
                         "18446744073709551616",
                         "\"x\"",
                         "\"shape\"",
                         "\"data_offsets\"",
                         "\"__metadata__\"",
                         R"("y":{"dtype":"I8","shape":[2],"data_offsets":[0,2]},)"},
                        "{}[]");
  const std::string data = kFuzzedFloats + "yy";
  FuzzTarget target;
  target.name = "safetensors";
  target.inputs = 4000;
  target.make = [&](Random& random) {
    if (random.one_in(4)) return mutate_bytes(safetensors_text(header, data), random);
    if (random.one_in(2)) return safetensors_text(mutator.make(random), data);
    return safetensors_text(mutate_json(random.of(trees), random), data);
  };
  target.check = [](const std::string& text) {
    require_bytes(read_safetensors({"w.safetensors", text}, "x", six_floats()), six_floats());
    require_apart(text);
  };
  target.least_taken = target.inputs / 40;
  target.least_refused = target.inputs / 20;
  run_fuzz(target);
}

// Each row's columns ascend, and lie between offsets that ascend too.
void check_rows(const std::string& text) {
  const InputSource source("m.mtx", text);
  const auto part = [&](const std::string& name, std::int64_t count) {
    const WantedArray wanted{"x", DType::kI32, {count}, static_cast<std::size_t>(count) * 4};
    const std::vector<std::byte> content = read_matrix_market(source, name, wanted);
    require_bytes(content, wanted);
    return numbers_of<std::int32_t>(content);
  };
  const std::vector<std::int32_t> offsets = part("row_offsets", 4);
  const std::int32_t entries = offsets.back();
  if (entries == 0) return;
  const std::vector<std::int32_t> columns = part("columns", entries);
  for (std::size_t row = 0; row + 1 < offsets.size(); ++row) {
    if (offsets[row] > offsets[row + 1] || offsets[0] != 0)
      throw PropertyFault{"offsets do not ascend"};
    for (std::int32_t i = offsets[row]; i < offsets[row + 1]; ++i)
      if (columns[static_cast<std::size_t>(i)] < 0 ||
          (i > offsets[row] &&
           columns[static_cast<std::size_t>(i)] <= columns[static_cast<std::size_t>(i) - 1]))
        throw PropertyFault{"columns of a row do not ascend"};
  }
}

TEST(Fuzz, MatrixMarketFiles) {
  const std::vector<std::string> texts = {
      "%%MatrixMarket matrix coordinate real general\n% text\n3 4 4\n1 1 1.5\n3 2 -2e3\n3 4 .5\n"
      "2 2 +7\n",
      "%%MatrixMarket matrix coordinate pattern symmetric\n3 3 3\n1 1\n3 1\n3 2\n",
      "%%MatrixMarket matrix coordinate integer general\n3 9 1\n2 9 -4\n",
      "%%MatrixMarket matrix array real symmetric\n2 2\n1\n2\n3\n"};
  FuzzTarget target;
  target.name = "matrix_market";
  target.inputs = 4000;
  const Mutator mutator(
      texts,
      {"\n", " ", "%", "0", "-1", "nan", "inf", "1e999", "9007199254740992", "9223372036854775807",
       "99999999999999999999", "coordinate", "array", "\xff", "\r\n"},
      "()");
  target.make = [&](Random& random) {
    return random.one_in(4) ? mutate_bytes(random.of(texts), random) : mutator.make(random);
  };
  target.check = [](const std::string& text) {
    if (text.find("array") == std::string::npos) return check_rows(text);
    const WantedArray wanted{"x", DType::kF64, {2, 2}, 32};
    require_bytes(read_matrix_market({"m.mtx", text}, "", wanted), wanted);
  };
  target.least_taken = target.inputs / 40;
  target.least_refused = target.inputs / 20;
  run_fuzz(target);
}

}  // namespace
}  // namespace warpwright::fuzz
