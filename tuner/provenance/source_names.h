// Names the files of a kernel independently of their location
// ("kernels/softmax_topk/block_row.cu"), and maps these names back to the files and their texts.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/error.h"
#include "core/source_bundle.h"
#include "provenance/source_place.h"
#include "spec/kernel_spec.h"

namespace warpwright {

class SourceNames {
 public:
  // Covers all files of the variant. Files that cannot be read are left out.
  SourceNames(const KernelSpec& kernel, const std::string& variant,
              const std::filesystem::path& common_headers);

  // Returns the name of a file given by the compiler's path; the path itself for other files.
  [[nodiscard]] std::string name_of(const std::filesystem::path& file) const;
  [[nodiscard]] const SourceTexts& texts() const { return texts_; }

  // A line of a named file with its text, for display. Line 0 means the file.
  [[nodiscard]] QuotedLocation place(const std::string& name, int line) const;
  // The place where the variant's source defines the entry point; only the file if it is not found.
  [[nodiscard]] QuotedLocation entry_place(const std::string& entry) const;

 private:
  [[nodiscard]] std::filesystem::path file_of(const std::string& name) const;

  KernelSpec kernel_;
  std::vector<std::filesystem::path> include_folders_;  // the kernel's own, then the common headers
  std::string source_;                                  // source of the variant
  SourceTexts texts_;
};

}  // namespace warpwright
