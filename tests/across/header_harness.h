// The base of the tests of kernels/common: fixtures of fixtures/common, compiled in their current
// state with the current headers, and launches under many schedules with all checkers on. A
// fixture uses a header as its comment says, and once for every way of misusing it that the
// checkers are able to see.
#pragma once

#include <optional>
#include <random>
#include <set>
#include <utility>

#include "compile/fixtures.h"
#include "emu/hazard_fixture.h"
#include "emu/tensor_harness.h"

namespace warpwright::emu {

class HeaderTest : public testing::Test {
 protected:
  using Defines = std::vector<std::pair<std::string, std::string>>;

  void SetUp() override { SKIP_WITHOUT_NVRTC(); }

  void compile(const std::string& fixture, Defines defines = {},
               const std::string& arch = "sm_90a") {
    const std::filesystem::path root = WARPWRIGHT_SOURCE_DIR;
    CompileJob job = job_for(root / "tests/emu/fixtures/common" / fixture);
    job.include_folders = {root / "kernels/common"};
    job.defines = std::move(defines);
    job.arch = arch;
    job.want_cubin = false;
    const CompileResult compiled = nvrtc().compile(job);
    ASSERT_TRUE(compiled.ok) << compiled.failure;
    harness_.emplace(compiled.ptx, fixture);
    harness_->options.check = true;
    // A wait that spins for ever instead of being seen as a deadlock ends here.
    harness_->options.instruction_limit = 5'000'000;
  }

  void shape(const std::string& entry, std::uint32_t threads, std::uint32_t shared = 0) {
    harness_->launch.entry = entry;
    harness_->launch.block = {threads, 1, 1};
    harness_->launch.dynamic_shared_bytes = shared;
  }

  // Nothing is found under any schedule, and `check` accepts what each left.
  template <class Check, class... Arguments>
  void works(Check check, Arguments... arguments) {
    for (std::uint64_t seed = 1; seed <= schedules_ && !HasFailure(); ++seed) {
      SCOPED_TRACE("schedule " + std::to_string(seed));
      harness_->options.seed = seed;
      for (const Finding& finding : findings_of(harness_->run(arguments...)))
        ADD_FAILURE() << shown(finding);
      check();
    }
  }

  // One of `kinds` is found under every schedule: what is wrong must not depend on luck.
  template <class... Arguments>
  void fails(const std::set<std::string>& kinds, Arguments... arguments) {
    for (std::uint64_t seed = 1; seed <= schedules_ && !HasFailure(); ++seed) {
      harness_->options.seed = seed;
      std::ostringstream found;
      bool expected = false;
      for (const Finding& finding : findings_of(harness_->run(arguments...))) {
        expected = expected || kinds.contains(std::string(finding_kind_name(finding.kind)));
        found << shown(finding) << "\n";
      }
      EXPECT_TRUE(expected) << harness_->launch.entry << ", schedule " << seed << ", found:\n"
                            << found.str();
    }
  }

  // A tensor map as an argument of a launch.
  struct alignas(64) Map {
    std::array<std::byte, kTensorMapBytes> bytes;
  };
  // Four dimensions, innermost first. Strides are those of a contiguous array.
  static Map map_of(std::uint64_t address, TensorElement element, TensorSwizzle swizzle,
                    std::array<std::uint64_t, 4> sizes, std::array<std::uint16_t, 4> box) {
    TensorMap map;
    map.rank = 4;
    map.element = element;
    map.swizzle = swizzle;
    map.address = address;
    std::uint64_t stride = map.element_bytes();
    for (std::size_t i = 0; i < 4; ++i) {
      map.sizes[i] = sizes[i];
      if (i > 0) map.strides[i - 1] = stride;
      stride *= sizes[i];
      map.box[i] = box[i];
      map.element_strides[i] = 1;
    }
    return {to_bytes(map)};
  }

  // Elements one after the other, row by row.
  Buffer<std::uint32_t> upload(const Matrix& matrix) {
    const int bits = number_format(matrix.format).bits;
    Words words((matrix.bits.size() * static_cast<std::size_t>(bits) + 31) / 32);
    for (std::size_t i = 0; i < matrix.bits.size(); ++i)
      put_element(words, 0, bits, static_cast<int>(i), matrix.bits[i]);
    return harness_->upload(words);
  }
  // Small integers, whose sums of products are exact.
  Matrix integers(const std::string& format, int rows, int columns) {
    Matrix made(format, rows, columns);
    made.fill_integers(random_, 4);
    return made;
  }
  // a * b^T if rows of b lie along k, a * b otherwise; T is float or int.
  template <class T>
  static std::vector<T> product(const Matrix& a, const Matrix& b, bool rows_along_k) {
    const int columns = rows_along_k ? b.rows : b.columns;
    std::vector<T> out;
    for (int i = 0; i < a.rows; ++i) {
      for (int j = 0; j < columns; ++j) {
        double sum = 0;
        for (int k = 0; k < a.columns; ++k)
          sum += a.value(i, k) * (rows_along_k ? b.value(j, k) : b.value(k, j));
        out.push_back(static_cast<T>(sum));
      }
    }
    return out;
  }

  std::uint64_t schedules_ = 20;
  std::optional<Harness> harness_;
  std::mt19937 random_{11};
};

}  // namespace warpwright::emu
