// Names the files of a kernel independently of their location
// ("kernels/softmax_topk/block_row.cu"), and maps these names back to the files and their texts.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "check/check_report.h"
#include "check/line_growth.h"
#include "core/error.h"
#include "core/source_bundle.h"
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

// Returns the path relative to the working folder if the file lies below it, as code hosts expect.
[[nodiscard]] std::string shown_path(const std::filesystem::path& file);

// An error's place, if it is in a file that was read, and its text: without the place if that is
// there, else as it is. No other file is opened.
struct PlacedText {
  std::string text;
  std::optional<QuotedLocation> place;
};
[[nodiscard]] PlacedText placed_text(const Error& error, const SourceBundle* read);

// The same for the words of a compiler, CompileResult::failure: if the message begins with the
// place of a file that was read, such as "kernels/x/y.cu:12: error ...", with or without a column,
// cuts the place off and returns it; otherwise nullopt. No other file is looked for, since names in
// messages may come from a #line of the source.
[[nodiscard]] std::optional<QuotedLocation> take_place(std::string& message, const SourceBundle* read);

// Describes the register limits of an entry according to its PTX: "__launch_bounds__(256, 8)",
// "maxnreg 32", or "no __launch_bounds__" if it has none.
[[nodiscard]] std::string register_limits(const std::string& ptx, const std::string& entry);

}  // namespace warpwright
