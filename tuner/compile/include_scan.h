// Finds every file that a source includes, without running a preprocessor: whatever is under #if
// counts too. That can only add files to a cache key, never lose one. One scan serves keys, storage
// and the compiler, which is given the files that it found, and is kept from looking for others
// anywhere but in the toolkit.
#pragma once

#include <optional>
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
  bool next = false;  // of #include_next
  friend bool operator==(const IncludeName&, const IncludeName&) = default;
};

// In front of what SourceFile::refused says, which compilers repeat as an error of the source.
inline constexpr std::string_view kRefusalMark = "warpwright: ";

// In order of appearance, each once.
[[nodiscard]] std::vector<IncludeName> scan_includes(std::string_view text);

// The source and everything it includes, recursively, each file once, in order of appearance. A
// quoted name is looked up beside the including file first, then like an angled one in the folders
// of the job. Toolkit headers are not among those and come out as not found. A computed include
// stands for all names that its macro is defined as, by the job or anywhere in the files. Files are
// read through the job's texts and their bounds; a name that leads out of them is refused
// (SourceFile::refused), and so is a computed include whose macro nothing explains, unless
// all_files_are_trusted(): then it stands for every header and source of the folders. Throws Error
// (user) when the source itself is missing, and where a symbolic link leads out. A job that carries
// its files returns those.
[[nodiscard]] std::vector<SourceFile> collect_sources(const CompileJob& job);

// The name in a --pre-include= option; nullopt for any other option.
[[nodiscard]] std::optional<std::string> pre_included(const std::string& option);

// The name that a compiler is given of a file in memory: its path, with those characters written as
// %22 and so on that cannot stand in an #include or end it.
[[nodiscard]] std::string compiler_name(const std::filesystem::path& path);

// The path of a compiler_name(), unless that is a path with %22 and the like in it.
[[nodiscard]] std::filesystem::path path_of_compiler_name(const std::string& name);

// The file's text for a compiler that is given every found file by compiler_name() and no folders:
// each include that was found names that; a quoted one that was not becomes an angled one of the
// same length, so that it is looked up in the toolkit and never beside the source, where it may
// have appeared since. One that is refused becomes an #error, and within __has_include a name that
// no toolkit has. Lines stay where they are; a byte order mark goes, which NVRTC takes for text.
[[nodiscard]] std::string with_paths(const SourceFile& file);
// The text in which nothing but includes of refused names has changed, for other compilers.
[[nodiscard]] std::string with_refusals(const SourceFile& file);

}  // namespace warpwright
