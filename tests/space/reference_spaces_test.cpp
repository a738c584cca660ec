// Twenty-one published search spaces, restated with their exact counts and two checksums over the
// set of valid configurations. They are stored outside the repository; WARPWRIGHT_PUBLIC_DATA names
// their folder.
#include "space/reference_spaces.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "core/files.h"
#include "core/hash.h"
#include "space/search_space.h"

namespace warpwright {
namespace {

namespace fs = std::filesystem;
using testing::definition_of;
using testing::reference_folder;

constexpr double kSecondsAllowed = 60;

// "v1,...,vn\n" per configuration, and the sum of FNV-1a over the values taken as 64-bit units.
struct Checksums {
  std::vector<std::string> lines;
  std::uint64_t fnv_sum = 0;
};

Checksums checksums_of(const SearchSpace& space) {
  const std::vector<SearchSpace::Axis> axes = space.axes("");
  Checksums result;
  result.lines.reserve(space.count());
  space.for_each([&](const Configuration& configuration) {
    std::uint64_t hash = 0xcbf29ce484222325ULL;
    std::string line;
    for (const SearchSpace::Axis& axis : axes) {
      const std::int64_t value = configuration.values.find(axis.name)->second.as_integer();
      hash = (hash ^ static_cast<std::uint64_t>(value)) * 0x100000001b3ULL;
      if (!line.empty()) line += ',';
      line += std::to_string(value);
    }
    line += '\n';
    result.fnv_sum += hash;
    result.lines.push_back(std::move(line));
    return true;
  });
  return result;
}

// Together with the checksums of the set, an ascending walk proves that the order is canonical.
void expect_ascending_places(const SearchSpace& space) {
  std::vector<std::uint32_t> previous;
  std::uint64_t next = 0;
  std::uint64_t wrong = 0;
  space.for_each_place([&](const SearchSpace::Place& place) {
    wrong += space.index_of(place) != next ? 1 : 0;
    wrong += next > 0 && place.levels <= previous ? 1 : 0;
    previous = place.levels;
    ++next;
    return true;
  });
  EXPECT_EQ(next, space.count());
  EXPECT_EQ(wrong, 0U);
}

std::vector<std::uint64_t> probed_neighbours(const SearchSpace& space, std::uint64_t index) {
  const std::vector<SearchSpace::Axis> axes = space.axes("");
  std::vector<std::uint64_t> found;
  for (std::size_t i = 0; i < axes.size(); ++i) {
    SearchSpace::Place place = space.place_at(index);
    const std::uint32_t own = place.levels[i];
    for (std::uint32_t level = 0; level < axes[i].values.size(); ++level) {
      place.levels[i] = level;
      const std::optional<std::uint64_t> neighbour = space.index_of(place);
      if (level != own && neighbour) found.push_back(*neighbour);
    }
  }
  std::sort(found.begin(), found.end());
  return found;
}

class ReferenceSpace : public ::testing::TestWithParam<const char*> {};

TEST_P(ReferenceSpace, HasTheCountAndTheChecksums) {
  if (reference_folder().empty())
    GTEST_SKIP() << "WARPWRIGHT_PUBLIC_DATA is not set: no reference spaces";
  const fs::path file = reference_folder() / fmt::format("{}.json", GetParam());
  if (!fs::exists(file)) GTEST_SKIP() << "no file " << file;
  const nlohmann::json reference = nlohmann::json::parse(read_file(file));

  const auto start = std::chrono::steady_clock::now();
  const std::unique_ptr<SearchSpace> space = solve_space(definition_of(reference));
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
  RecordProperty("seconds", fmt::format("{:.3f}", elapsed.count()));

  EXPECT_EQ(space->count(), reference.at("valid_count").get<std::uint64_t>());
  EXPECT_EQ(space->cartesian_size(), reference.at("cartesian_size").get<double>());
  EXPECT_LT(elapsed.count(), kSecondsAllowed);

  Checksums checksums = checksums_of(*space);
  EXPECT_EQ(fmt::format("{:016x}", checksums.fnv_sum),
            reference.at("valid_fnv64_sum").get<std::string>());
  std::sort(checksums.lines.begin(), checksums.lines.end());
  Sha256 sha;
  for (const std::string& line : checksums.lines) sha.raw(line);
  EXPECT_EQ(sha.hex(), reference.at("valid_sha256").get<std::string>());

  // Take a stride through the whole space: an index and its configuration must map to each other.
  const std::uint64_t stride = std::max<std::uint64_t>(1, space->count() / 500);
  for (std::uint64_t index = 0; index < space->count(); index += stride) {
    ASSERT_EQ(space->index_of(space->at(index)), index);
    ASSERT_EQ(space->neighbours(index), probed_neighbours(*space, index));
  }
  expect_ascending_places(*space);
}

INSTANTIATE_TEST_SUITE_P(Published, ReferenceSpace,
                         ::testing::Values("atf_gaussian_pow2_64", "atf_prl_16x16", "atf_prl_2x2",
                                           "atf_prl_4x4", "atf_prl_8x8", "bat_nbody", "bat_triad",
                                           "clblast_xgemm_direct", "cltune_gemm", "convolution",
                                           "convolution_milo", "dedispersion", "expdist", "gemm",
                                           "gemm_kt", "hotspot", "hotspot_milo", "ktt_coulomb",
                                           "microhh", "microhh_xl", "pnpoly"),
                         [](const ::testing::TestParamInfo<const char*>& instance) {
                           return std::string(instance.param);
                         });

}  // namespace
}  // namespace warpwright
