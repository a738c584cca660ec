// A kernel's CPU reference: a shared object with the C ABI of kernels/common/reference.h, which
// computes in FP64. Later steps trust its answers, so everything is checked when it is read:
// missing symbols, failures the reference reports, and elements it forgot to write.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/cache_folder.h"
#include "core/expr/value.h"
#include "core/source_bundle.h"
#include "records/configuration.h"
#include "spec/kernel_spec.h"
#include "trial/numbers/dtype.h"

struct ww_call;  // kernels/common/reference.h
struct ww_fill_target;

namespace warpwright {

// The inputs, outputs and sizes that a reference computes on. The bytes of the inputs must outlive
// the question.
struct ReferenceQuestion {
  struct Input {
    std::string name;
    DType dtype{};
    std::vector<std::int64_t> shape;
    std::span<const std::byte> data;
  };
  struct Output {
    std::string name;
    std::int64_t unit_elements = 0;
  };
  std::vector<Input> inputs;
  std::vector<Output> outputs;
  Problem sizes;
};

// An input that the reference makes itself (`fill: generator`).
struct GeneratedInput {
  std::string name;
  std::string generator;  // the name given in the fill; may be empty
  DType dtype{};
  std::vector<std::int64_t> shape;
  std::uint64_t seed = 1;
};

// One vector per output: unit_elements doubles for each requested unit, in the order of the
// request.
using ReferenceAnswer = std::vector<std::vector<double>>;

class Reference {
 public:
  // For a contract without a reference: nothing is validated.
  Reference() = default;
  // Opens a shared object; `source` names the reference in messages. Throws Error (user) when it
  // cannot be loaded or lacks ww_reference; the message says what to define.
  Reference(const std::filesystem::path& library, const std::filesystem::path& source);
  ~Reference();
  Reference(const Reference&) = delete;
  Reference& operator=(const Reference&) = delete;

  [[nodiscard]] bool exists() const { return reference_ != nullptr; }
  // SHA-256 of the object.
  [[nodiscard]] const std::string& hash() const { return hash_; }
  [[nodiscard]] bool has_score() const { return score_ != nullptr; }

  // Computes the units, shared among host threads (0: one per core). Throws Error (user) when the
  // reference reports a failure or leaves an element unwritten.
  [[nodiscard]] ReferenceAnswer compute(const ReferenceQuestion& question,
                                        std::span<const std::int64_t> units, int threads = 0) const;
  // ww_score; NaN when `index` is not a candidate. Needs has_score().
  [[nodiscard]] double score(const ReferenceQuestion& question, const std::string& output,
                             std::int64_t unit, std::int64_t index) const;
  // The output of ww_fill, converted to the input's type; the question's inputs are those that
  // exist already. Throws Error (user) when there is no ww_fill, when it fails, and for an element
  // that it leaves unwritten or that does not fit the type.
  [[nodiscard]] std::vector<std::byte> generate(const ReferenceQuestion& question,
                                                const GeneratedInput& wanted) const;

 private:
  class Call;
  void* library_ = nullptr;
  int (*reference_)(const ww_call*) = nullptr;
  double (*score_)(const ww_call*, const char*, std::int64_t, std::int64_t) = nullptr;
  int (*fill_)(const ww_call*, const char*, const ww_fill_target*) = nullptr;
  std::filesystem::path source_;
  std::string hash_;
};

// Compiles a reference with the system's C++ compiler ($CXX, c++, g++, clang++) unless
// `cache_folder` has the object for this content already; returns the object's path.
// `include_folder` holds reference.h. An object in the cache carries a checksum: a damaged one is
// removed, named in a notice, and compiled again. If the cache cannot be written, the object lies
// in a temporary folder of this process. Throws Error (user) with the compiler's first lines when
// it does not compile, Error (environment) when there is no compiler. Its files are read through
// `texts`, and compiled as they were read; null reads the disk.
[[nodiscard]] std::filesystem::path build_reference(
    const std::filesystem::path& source, const std::filesystem::path& include_folder,
    const std::filesystem::path& cache_folder,
    const std::shared_ptr<SourceBundle>& texts = nullptr);

// Checks the objects below the folder against their checksums.
void verify_references(const std::filesystem::path& folder, CacheCheck& check);

// The texts that another process needs to read the contract and to build its reference: every file
// of the kernel that was read. Empty when nothing was read; that process then reads the disk
// itself.
[[nodiscard]] SourceTexts contract_texts(const KernelSpec& kernel,
                                         const std::filesystem::path& include_folder);

// Answers on disk, so that a costly reference runs once per content. With an empty path, nothing is
// stored.
class ReferenceStore {
 public:
  explicit ReferenceStore(std::filesystem::path folder) : folder_(std::move(folder)) {}
  // nullopt when absent, damaged (it is removed, and a notice names it) or larger than 1 GiB.
  [[nodiscard]] std::optional<ReferenceAnswer> find(const std::string& key) const;
  // A full disk only causes a notice, and answers of more than 1 GiB are not kept: they are
  // computed again next time.
  void store(const std::string& key, const ReferenceAnswer& answer) const;
  // Reads every answer, and removes those that are damaged.
  void verify(CacheCheck& check) const;

 private:
  [[nodiscard]] std::filesystem::path file(const std::string& key) const {
    return folder_ / (key + ".answer");
  }
  std::filesystem::path folder_;
};

}  // namespace warpwright
