#include "compile/compiler_log.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <regex>
#include <system_error>

#include "compile/include_scan.h"
#include "core/cpp_scan.h"
#include "core/utf8.h"
#include "core/words.h"

namespace warpwright {
namespace {

// Returns the integer directly before `unit`: number_before("Used 12 registers", " registers") is
// 12.
std::optional<int> number_before(std::string_view line, std::string_view unit,
                                 std::size_t from = 0) {
  const std::size_t end = line.find(unit, from);
  if (end == std::string_view::npos) return std::nullopt;
  std::size_t begin = end;
  while (begin > 0 && is_digit(line[begin - 1])) --begin;
  int value = 0;
  const auto parsed = std::from_chars(line.data() + begin, line.data() + end, value);
  if (begin == end || parsed.ec != std::errc()) return std::nullopt;
  return value;
}

// Returns the quoted name after `lead`, or "".
std::string quoted_after(std::string_view line, std::string_view lead) {
  std::size_t begin = line.find(lead);
  if (begin == std::string_view::npos) return "";
  begin += lead.size();
  return std::string(line.substr(begin, line.find('\'', begin) - begin));
}

std::string demangle_quoted(std::string text) {
  const std::size_t begin = text.find("'_Z");
  if (begin == std::string::npos) return text;
  const std::size_t end = text.find('\'', begin + 1);
  if (end == std::string::npos) return text;
  return text.replace(begin + 1, end - begin - 1,
                      demangle(text.substr(begin + 1, end - begin - 1)));
}

struct Diagnostic {
  std::string where;  // "a.cu:12", or "" if unknown
  std::string what;
  std::string from;  // the place in the kernel's own source that led to the error
};

// Parses errors of the front end: `a.cu(12): error: text`, `a.cu(12): catastrophic error: text`.
std::optional<Diagnostic> front_end_error(std::string_view line) {
  for (const std::string_view kind : {"): error: ", "): catastrophic error: "}) {
    const std::size_t at = line.find(kind);
    if (at == std::string_view::npos) continue;
    const std::size_t open = line.rfind('(', at);
    if (open == std::string_view::npos) continue;
    std::string what(trim(line.substr(at + kind.size())));
    // with_paths() writes this #error for an include that was refused.
    const std::string lead = "#error directive: " + std::string(kRefusalMark);
    if (what.starts_with(lead)) what.erase(0, lead.size());
    return Diagnostic{
        fmt::format("{}:{}", line.substr(0, open), line.substr(open + 1, at - open - 1)),
        std::move(what),
        {}};
  }
  return std::nullopt;
}

// NVRTC reads the requested entries as a file of its own, and shows an invalid one below the error:
// `  #pragma nv_mangled_name lib::scale<float, 4>`. Since that file does not exist for the user,
// returns a description of the entry, or "" for an error elsewhere.
std::string entry_at_fault(const std::vector<std::string_view>& lines, std::size_t error) {
  constexpr std::string_view kPragma = "#pragma nv_mangled_name ";
  if (!lines[error].starts_with("__nv_name_map(") || error + 1 == lines.size()) return "";
  const std::size_t at = lines[error + 1].find(kPragma);
  if (at == std::string_view::npos) return "";
  return fmt::format("the entry '{}'", trim(lines[error + 1].substr(at + kPragma.size())));
}

// The front end lists an error's instantiations below it, innermost first: `instantiation of "..."
// at line 3 of a.cu`, or without `of` in the error's own file. Returns the last one that names the
// source, since that is where the author should look.
std::string instantiated_from(const std::vector<std::string_view>& lines, std::size_t error,
                              std::string_view error_file, std::string_view source) {
  static const std::regex kAtLine(R"( at line (\d+)(?: of (.*))?$)");
  std::string from;
  for (std::size_t i = error + 1; i < lines.size() && !lines[i].empty(); ++i) {
    std::match_results<std::string_view::const_iterator> match;
    if (lines[i].find("instantiation of") == std::string_view::npos ||
        !std::regex_search(lines[i].begin(), lines[i].end(), match, kAtLine)) {
      continue;
    }
    std::string file = match[2].matched ? match[2].str() : std::string(error_file);
    std::erase(file, '"');
    if (file == source) from = fmt::format("{}:{}", file, match[1].str());
  }
  return from;
}

// Returns the source line of this line of PTX: the last .loc before it, whose file is named by a
// .file at the end.
std::string place_of_ptx_line(std::string_view ptx, int line) {
  const auto lines = split_lines(ptx);
  static const std::regex kLoc(R"(^\s*\.loc\s+(\d+)\s+(\d+)\s)");
  static const std::regex kFile(R"re(^\s*\.file\s+(\d+)\s+"((?:[^"\\]|\\.)*)")re");
  std::match_results<std::string_view::const_iterator> loc;
  std::size_t at = std::min(static_cast<std::size_t>(std::max(line, 0)), lines.size());
  for (; at > 0; --at) {
    const std::string_view candidate = lines[at - 1];
    if (std::regex_search(candidate.begin(), candidate.end(), loc, kLoc)) break;
    if (candidate == "{") return "";  // the start of the function: the source line is unknown
  }
  if (at == 0) return "";
  for (const std::string_view candidate : lines) {
    std::match_results<std::string_view::const_iterator> file;
    if (std::regex_search(candidate.begin(), candidate.end(), file, kFile) &&
        file[1].str() == loc[1].str()) {
      return fmt::format("{}:{}", without_escapes(file[2].str()), loc[2].str());
    }
  }
  return "";
}

// Parses errors of ptxas: `ptxas application ptx input, line 29; error   : text`, `ptxas error   :
// text`, `ptxas fatal   : text`.
std::optional<Diagnostic> ptxas_error(std::string_view line, std::string_view source,
                                      std::string_view ptx) {
  if (!line.starts_with("ptxas")) return std::nullopt;
  static const std::regex kError(R"((?:input, line (\d+); )?(?:error|fatal)\s*: (.*)$)");
  std::match_results<std::string_view::const_iterator> match;
  if (!std::regex_search(line.begin(), line.end(), match, kError)) return std::nullopt;
  Diagnostic result;
  result.what = demangle_quoted(match[2].str());
  int number = 0;
  const std::string digits = match[1].str();
  if (std::from_chars(digits.data(), digits.data() + digits.size(), number).ec == std::errc())
    result.where = place_of_ptx_line(ptx, number);
  // .file holds the absolute path, but the author uses the name that was given to the compiler.
  const std::size_t colon = result.where.rfind(':');
  if (colon != std::string::npos &&
      std::string_view(result.where).substr(0, colon).ends_with(source)) {
    result.where = std::string(source) + result.where.substr(colon);
  }
  if (match[1].matched) result.what += " (inline PTX)";
  return result;
}

// `Ptx assembly aborted due to errors` only summarises the errors before it.
bool is_summary(const Diagnostic& diagnostic) {
  return diagnostic.what.starts_with("Ptx assembly aborted");
}

// An assertion longer than this is shown, and searched, only up to this line.
constexpr int kMaxLines = 20;

std::string_view take_line(std::string_view& text) {
  const std::size_t end = std::min(text.find('\n'), text.size());
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return line;
}

// Returns nullopt for a file that was not compiled, whatever a #line directive names.
std::optional<std::string> text_of(const std::string& file, const std::vector<SourceFile>& files) {
  for (const SourceFile& known : files)
    if (known.found && known.path == file) return known.content;
  return std::nullopt;
}

// Returns the static_assert that begins in this line of `file`, up to its semicolon and joined into
// one line; "" when it cannot be read. The log itself shows only its first line.
std::string assertion_at(const std::string& file, int number,
                         const std::vector<SourceFile>& files) {
  const std::optional<std::string> text = text_of(file, files);
  if (!text) return "";
  std::string_view rest = *text;
  for (int i = 1; i < number && !rest.empty(); ++i) take_line(rest);
  std::string assertion;
  for (int i = 0; i < kMaxLines && !rest.empty(); ++i) {
    std::string line(trim(take_line(rest)));
    if (i == 0) line.erase(0, std::min(line.find("static_assert"), line.size()));
    assertion += (assertion.empty() || assertion.back() == '(' ? "" : " ") + line;
    if (const std::size_t end = assertion.find(';'); end != std::string::npos)
      return assertion.substr(0, end);
  }
  return assertion;
}

bool uses_word(std::string_view text, std::string_view word) {
  for (std::size_t at = text.find(word); at != std::string_view::npos;
       at = text.find(word, at + 1)) {
    const std::size_t end = at + word.size();
    if ((at == 0 || !is_word(text[at - 1])) && (end == text.size() || !is_word(text[end])))
      return true;
  }
  return false;
}

}  // namespace

std::vector<KernelResources> parse_resources(std::string_view log) {
  std::vector<KernelResources> result;
  bool of_entry_itself = false;
  for (const std::string_view line : split_lines(log)) {
    if (!line.starts_with("ptxas") && !line.starts_with("    ")) continue;
    if (const std::string entry = quoted_after(line, "Compiling entry function '");
        !entry.empty()) {
      result.push_back({});
      result.back().entry = entry;
      continue;
    }
    if (result.empty()) continue;
    KernelResources& current = result.back();
    // Device functions that were not inlined are listed with properties too, which are not those of
    // the entry.
    constexpr std::string_view kProperties = "Function properties for ";
    if (const std::size_t at = line.find(kProperties); at != std::string_view::npos) {
      of_entry_itself = trim(line.substr(at + kProperties.size())) == current.entry;
    } else if (line.find(" bytes stack frame") != std::string_view::npos) {
      if (!of_entry_itself) continue;
      current.stack = number_before(line, " bytes stack frame").value_or(0);
      current.spill_stores = number_before(line, " bytes spill stores").value_or(0);
      current.spill_loads = number_before(line, " bytes spill loads").value_or(0);
    } else if (line.find("Used ") != std::string_view::npos) {
      current.registers = number_before(line, " registers").value_or(0);
      current.static_shared = number_before(line, " bytes smem").value_or(0);
      // "used 2 barriers, 384 bytes cumulative stack size" includes calls, so it is at least the
      // entry's own frame.
      current.stack =
          std::max(current.stack, number_before(line, " bytes cumulative stack size").value_or(0));
      for (std::size_t bank = line.find(" bytes cmem["); bank != std::string_view::npos;
           bank = line.find(" bytes cmem[", bank + 1)) {
        current.constant += number_before(line, " bytes cmem[", bank).value_or(0);
      }
    }
  }
  return result;
}

std::optional<std::string> first_error(std::string_view log, std::string_view source,
                                       std::string_view ptx) {
  const auto lines = split_lines(log);
  std::optional<Diagnostic> first;
  int count = 0;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    std::optional<Diagnostic> found = front_end_error(lines[i]);
    const bool front_end = found.has_value();
    if (!found) found = ptxas_error(lines[i], source, ptx);
    if (!found || is_summary(*found)) continue;
    if (std::string entry = entry_at_fault(lines, i); !entry.empty()) {
      // The front end reports an entry that does not parse several times.
      if (first && first->where == entry) continue;
      found->where = std::move(entry);
    }
    ++count;
    if (first) continue;
    if (front_end) {
      const std::string file = found->where.substr(0, found->where.rfind(':'));
      if (file != source) found->from = instantiated_from(lines, i, file, source);
    }
    first = std::move(found);
  }
  if (!first) {
    constexpr std::string_view kOption = "nvrtc: error: ";
    const std::size_t at = log.find(kOption);
    if (at == std::string_view::npos) return std::nullopt;
    return std::string(source) + ": " +
           std::string(split_lines(log.substr(at + kOption.size())).front());
  }
  const std::string where = first->where.empty() ? std::string(source) : first->where;
  const std::string from = first->from.empty() ? "" : ", from " + first->from;
  const std::string all = count > 1 ? fmt::format(" ({} errors in all)", count) : "";
  return fmt::format("{}: error: {}{}{}", where, first->what, from, all);
}

std::vector<std::string> front_end_warnings(std::string_view log) {
  static const std::regex kWarning(R"(^(.*)\((\d+)\): warning #[\w-]+: (.*)$)");
  constexpr std::size_t kMax = 20;
  constexpr std::size_t kLongest = 300;
  std::vector<std::string> warnings;
  for (const std::string_view line : split_lines(log)) {
    std::match_results<std::string_view::const_iterator> match;
    if (warnings.size() == kMax || line.find("): warning #") == std::string_view::npos ||
        !std::regex_search(line.begin(), line.end(), match, kWarning)) {
      continue;
    }
    std::string text =
        fmt::format("{}:{}: warning: {}", match[1].str(), match[2].str(), match[3].str());
    if (text.size() > kLongest) text = std::string(whole_characters(text, kLongest)) + "...";
    if (std::find(warnings.begin(), warnings.end(), text) == warnings.end())
      warnings.push_back(std::move(text));
  }
  return warnings;
}

std::optional<std::string> broken_promise(std::string_view log) {
  for (const std::string_view line : split_lines(log)) {
    if (!line.starts_with("ptxas")) continue;
    const bool serialised = line.find("(C7510)") != std::string_view::npos ||
                            line.find("instructions are serialized") != std::string_view::npos;
    const bool ignored = line.find("(C7508)") != std::string_view::npos ||
                         line.find("'setmaxnreg' ignored") != std::string_view::npos;
    if (!serialised && !ignored) continue;
    const std::size_t code = line.find("(C");
    std::string_view said = line.substr(code == std::string_view::npos ? 0 : code);
    return fmt::format("{}: ptxas {}", serialised ? "wgmma is serialised" : "setmaxnreg is ignored",
                       demangle_quoted(std::string(trim(said))));
  }
  return std::nullopt;
}

std::string broken_assertion(std::string_view log, const std::vector<MacroPromise>& promises,
                             const std::vector<SourceFile>& files) {
  static const std::regex kFailed(R"(^(.*)\((\d+)\): error: static assertion failed)");
  if (promises.empty()) return "";
  while (!log.empty()) {
    const std::string_view line = take_line(log);
    std::match_results<std::string_view::const_iterator> match;
    if (!std::regex_search(line.begin(), line.end(), match, kFailed)) continue;
    int number = 0;
    const std::string digits = match[2].str();
    if (std::from_chars(digits.data(), digits.data() + digits.size(), number).ec != std::errc())
      continue;
    const std::string assertion = assertion_at(match[1].str(), number, files);
    for (const MacroPromise& promise : promises) {
      if (!uses_word(assertion, promise.macro)) continue;
      return fmt::format("; {}, but the source needs a different number: {}; make the two agree",
                         promise.says, assertion);
    }
  }
  return "";
}

}  // namespace warpwright
