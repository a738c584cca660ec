// Finds every file that a source includes, without running a preprocessor: whatever stands under
// #if or in a comment counts too. That can only add files to a cache key, never lose one.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "compile/compile_job.h"

namespace warpwright {

// One #include or __has_include as written.
struct IncludeName {
  enum class Form { kQuoted, kAngled, kComputed };  // "x", <x>, and a macro that stands for either
  Form form = Form::kQuoted;
  std::string name;
  friend bool operator==(const IncludeName&, const IncludeName&) = default;
};

// In order of appearance, each once.
[[nodiscard]] std::vector<IncludeName> scan_includes(std::string_view text);

// One file that takes part in a compilation; content is empty for one that was not found.
struct SourceFile {
  std::string name;  // as written
  std::filesystem::path path;
  std::string content;
  bool found = false;
};

// The source and everything it includes, recursively, each file once, in order of appearance. A
// quoted name is looked up beside the including file first, then like an angled one in the folders
// of the job. Toolkit headers are not among those and come out as not found. A computed include
// that the job's defines do not explain stands for every file of the folders. Throws Error (user)
// when the source itself is missing.
[[nodiscard]] std::vector<SourceFile> collect_sources(const CompileJob& job);

}  // namespace warpwright
