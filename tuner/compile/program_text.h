// The texts that NVRTC is given for a job's files: the source and, under its path, every header
// that was found, all in memory. NVRTC asks for headers by the name in the #include, so the texts
// name paths there (with_paths(), or compiler_name() of paths that no #include can contain). It
// finds the toolkit's own headers in their folders and has no other folders to search. If a macro
// provides the name of an include, the name is unknown beforehand: then each header is also
// available under the name by which it was found, and where that cannot be determined, the job's
// folders stay.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "compile/compile_job.h"

namespace warpwright {

class ProgramText {
 public:
  // `files` is the result of collect_sources(), with the source first.
  ProgramText(const CompileJob& job, const std::vector<SourceFile>& files);
  // Not copyable, because it holds pointers into itself.
  ProgramText(const ProgramText&) = delete;
  ProgramText& operator=(const ProgramText&) = delete;

  [[nodiscard]] const char* source() const { return source_.c_str(); }
  [[nodiscard]] int header_count() const { return static_cast<int>(names_.size()); }
  // Null if there are no headers.
  [[nodiscard]] const char* const* header_names() const { return raw_names_.data(); }
  [[nodiscard]] const char* const* header_texts() const { return raw_texts_.data(); }
  // Replaces the names that the compiler was given for paths by the paths.
  [[nodiscard]] std::string with_real_paths(std::string text) const;
  // The job's options followed by those of the toolkit.
  [[nodiscard]] const std::vector<std::string>& options() const { return options_; }

 private:
  void add_header(std::string name, std::string text);

  std::string source_;
  std::vector<std::string> names_, texts_;
  std::vector<const char*> raw_names_, raw_texts_;
  std::vector<std::string> options_;
  std::vector<std::pair<std::string, std::string>> renamed_;  // compiler_name() and path
};

}  // namespace warpwright
