// Finds every file that a source includes, without running a preprocessor: code disabled by #if
// counts too, which can only add files to a cache key and never lose one. One scan serves cache
// keys, storage and the compiler. The compiler is given the files that were found, and can look for
// others only in the toolkit.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "compile/compile_job.h"

namespace warpwright {

// One #include or __has_include, as written.
struct IncludeName {
  enum class Form { kQuoted, kAngled, kComputed };  // "x", <x>, or a macro that expands to either
  Form form = Form::kQuoted;
  std::string name;
  bool next = false;  // true for #include_next
  friend bool operator==(const IncludeName&, const IncludeName&) = default;
};

// The prefix of the reasons in SourceFile::refused, which compilers repeat as an error of the
// source.
inline constexpr std::string_view kRefusalMark = "warpwright: ";

// Returns includes in order of appearance, each once.
[[nodiscard]] std::vector<IncludeName> scan_includes(std::string_view text);

// Collects the source and everything that it includes, recursively, each file once, in order of
// appearance. A quoted name is looked up first in the including file's folder, then, like an angled
// one, in the job's folders. Toolkit headers are not in those and count as not found. A computed
// include stands for all names that its macro is defined as, by the job or anywhere in the files.
// Files are read through the job's texts and their bounds. A name that leads out of them is refused
// (SourceFile::refused), and so is a computed include whose macro is not explained by any
// definition, unless all_files_are_trusted(): then it stands for every header and source in the
// folders. Throws Error (user) when the source itself is missing, and where a symbolic link leads
// out. A job that already carries its files returns those.
[[nodiscard]] std::vector<SourceFile> collect_sources(const CompileJob& job);

// Returns the name in a --pre-include= option; nullopt for any other option.
[[nodiscard]] std::optional<std::string> pre_included(const std::string& option);

// Returns the name under which a compiler is given a file in memory: its path, with characters that
// an #include cannot contain or that end it written as %22 and so on.
[[nodiscard]] std::string compiler_name(const std::filesystem::path& path);

// Decodes a compiler_name() into its path, unless the path itself contains %22 and the like.
[[nodiscard]] std::filesystem::path path_of_compiler_name(const std::string& name);

// Returns the file's text for a compiler that is given every found file by compiler_name() and no
// folders. Each include that was found names that. A quoted include that was not found becomes an
// angled one of the same length, so that it is looked up in the toolkit and never next to the
// source, where the file may have appeared since. A refused include becomes an #error, or within
// __has_include a name that no toolkit has. Line numbers are kept; a byte order mark is removed,
// because NVRTC takes it for text.
[[nodiscard]] std::string with_paths(const SourceFile& file);
// Returns the text with only the includes of refused names changed, for other compilers.
[[nodiscard]] std::string with_refusals(const SourceFile& file);

}  // namespace warpwright
