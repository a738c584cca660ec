// The files of a kernel under the names that do not depend on where it lies
// ("kernels/softmax_topk/block_row.cu"), their texts, and the way back to the files.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "check/check_report.h"
#include "check/line_growth.h"
#include "core/source_bundle.h"
#include "spec/kernel_spec.h"

namespace warpwright {

class SourceNames {
 public:
  // Of everything that the variant consists of. Files that cannot be read are left out.
  SourceNames(const KernelSpec& kernel, const std::string& variant,
              const std::filesystem::path& common_headers);

  // The name of a file as the compiler was given it; the path itself for other files.
  [[nodiscard]] std::string name_of(const std::filesystem::path& file) const;
  [[nodiscard]] const SourceTexts& texts() const { return texts_; }

  // A line of a named file, with its text, for people. Line 0 is the file.
  [[nodiscard]] CheckPlace place(const std::string& name, int line) const;
  // Where the entry point is defined in the variant's source; the file alone when it is not found.
  [[nodiscard]] CheckPlace entry_place(const std::string& entry) const;

 private:
  [[nodiscard]] std::filesystem::path file_of(const std::string& name) const;

  KernelSpec kernel_;
  std::vector<std::filesystem::path> include_folders_;  // the kernel's own, the common headers
  std::string source_;                                  // of the variant
  SourceTexts texts_;
};

// Relative to the working folder where the file lies below it, as code hosts want it.
[[nodiscard]] std::string shown_path(const std::filesystem::path& file);

// "kernels/x/y.cu:12: error ..." begins with the place of a file that was read, with a column or
// without; it is cut from the message. nullopt when there is none: no other file is opened or
// looked for, since what a message names may come from a #line of the source.
[[nodiscard]] std::optional<CheckPlace> take_place(std::string& message, const SourceBundle* read);

// What limits the registers of an entry, as its PTX says: "__launch_bounds__(256, 8)", "maxnreg
// 32"; "no __launch_bounds__" without any.
[[nodiscard]] std::string register_limits(const std::string& ptx, const std::string& entry);

}  // namespace warpwright
