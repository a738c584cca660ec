// What NVRTC is given of a job's files: the source and, under its path, every header that was
// found, all from memory. NVRTC asks for headers by the name in the #include, so the texts name
// paths there (with_paths(); compiler_name() of those that no #include can hold); it finds the
// toolkit's own headers in their folders, and has no other folders to look in. If a macro makes the
// name of an include, it is not known beforehand: then each header also has the name under which it
// was found, and where that cannot be told, the job's folders stay.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "compile/compile_job.h"

namespace warpwright {

class ProgramText {
 public:
  // `files` as collect_sources() gives them: the source first.
  ProgramText(const CompileJob& job, const std::vector<SourceFile>& files);
  // Holds pointers into itself.
  ProgramText(const ProgramText&) = delete;
  ProgramText& operator=(const ProgramText&) = delete;

  [[nodiscard]] const char* source() const { return source_.c_str(); }
  [[nodiscard]] int header_count() const { return static_cast<int>(names_.size()); }
  // Null when there are none.
  [[nodiscard]] const char* const* header_names() const { return raw_names_.data(); }
  [[nodiscard]] const char* const* header_texts() const { return raw_texts_.data(); }
  // The text with paths where the compiler was given other names for them.
  [[nodiscard]] std::string with_real_paths(std::string text) const;
  // The job's options, to which those of the toolkit are added.
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
