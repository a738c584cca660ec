#include "check/source_names.h"

#include <fmt/format.h>

#include <charconv>
#include <system_error>

#include "compile/include_scan.h"
#include "core/error.h"
#include "core/words.h"
#include "sweep/kernel_sources.h"

namespace warpwright {
namespace fs = std::filesystem;
namespace {

constexpr std::string_view kLead = "kernels/";

std::optional<std::string> below(const fs::path& file, const fs::path& root) {
  const fs::path relative = file.lexically_normal().lexically_relative(root.lexically_normal());
  if (relative.empty() || *relative.begin() == "..") return std::nullopt;
  return relative.generic_string();
}

// Reads the integers of a PTX directive such as ".maxntid 256, 1, 1".
std::vector<int> directive(std::string_view header, std::string_view name) {
  std::vector<int> numbers;
  std::size_t at = header.find(name);
  if (at == std::string_view::npos) return numbers;
  header = header.substr(at + name.size());
  header = header.substr(0, header.find_first_of("\n{."));
  while (!header.empty()) {
    const std::size_t digit = header.find_first_of("0123456789");
    if (digit == std::string_view::npos) break;
    header.remove_prefix(digit);
    int value = 0;
    const auto [end, error] = std::from_chars(header.data(), header.data() + header.size(), value);
    if (error != std::errc()) break;
    numbers.push_back(value);
    header.remove_prefix(static_cast<std::size_t>(end - header.data()));
  }
  return numbers;
}

QuotedLocation place_in(const fs::path& file, int line, const std::string& text) {
  QuotedLocation place{{shown_path(file), line}};
  const std::vector<std::string_view> lines = split_lines(text);
  if (line > 0 && static_cast<std::size_t>(line) <= lines.size())
    place.text = trim(lines[static_cast<std::size_t>(line) - 1]);
  return place;
}

}  // namespace

std::string shown_path(const fs::path& file) {
  std::error_code ignored;
  const fs::path here = fs::current_path(ignored);
  return below(file, here).value_or(file.lexically_normal().string());
}

PlacedText placed_text(const Error& error, const SourceBundle* read) {
  const SourceLocation& where = error.where();
  const std::string* text = read == nullptr || !where.known() ? nullptr : read->known(where.file);
  if (text == nullptr) return {error.message(), std::nullopt};
  return {error.text(), place_in(where.file, where.line, *text)};
}

std::optional<QuotedLocation> take_place(std::string& message, const SourceBundle* read) {
  const std::size_t colon = message.find(':');
  if (read == nullptr || colon == std::string::npos || colon == 0) return std::nullopt;
  const fs::path file = message.substr(0, colon);
  const std::string* text = read->known(file);
  if (text == nullptr) return std::nullopt;
  // ":12: " or ":12:5: ".
  std::size_t rest = colon + 1;
  int numbers[2] = {0, 0};
  for (int& number : numbers) {
    const char* first = message.data() + rest;
    const char* last = message.data() + message.size();
    const auto [end, error] = std::from_chars(first, last, number);
    if (error != std::errc() || end == last || *end != ':') break;
    rest = static_cast<std::size_t>(end - message.data()) + 1;
  }
  const QuotedLocation place = place_in(file, numbers[0], *text);
  message = std::string(trim(std::string_view(message).substr(rest)));
  return place;
}

std::string register_limits(const std::string& ptx, const std::string& entry) {
  std::size_t at = ptx.find(".entry " + entry + "(");
  if (at == std::string::npos) at = ptx.find(".entry " + entry + "\n");
  if (at == std::string::npos) return "";
  const std::string_view rest = std::string_view(ptx).substr(at);
  const std::string_view header = rest.substr(0, rest.find('{'));
  long threads = 1;
  const std::vector<int> block = directive(header, ".maxntid");
  for (const int extent : block) threads *= extent;
  const std::vector<int> blocks = directive(header, ".minnctapersm");
  const std::vector<int> registers = directive(header, ".maxnreg");
  std::string text;
  if (!block.empty()) {
    text = blocks.empty() ? fmt::format("__launch_bounds__({})", threads)
                          : fmt::format("__launch_bounds__({}, {})", threads, blocks.front());
  }
  if (!registers.empty())
    text += fmt::format("{}maxnreg {}", text.empty() ? "" : ", ", registers.front());
  return text.empty() ? "no __launch_bounds__" : text;
}

SourceNames::SourceNames(const KernelSpec& kernel, const std::string& variant,
                         const fs::path& common_headers)
    : kernel_(kernel), include_folders_{kernel.folder, common_headers} {
  const VariantSpec* found = kernel.find_variant(variant);
  if (found == nullptr) return;
  try {
    for (KernelSource& source : kernel_sources(kernel, *found, include_folders_))
      texts_.emplace(std::move(source.path), std::move(source.text));
  } catch (const Error&) {
    // The source cannot be read; the compiler will report it.
  }
  source_ = name_of(found->source);
}

std::string SourceNames::name_of(const fs::path& file) const {
  std::string name = stored_path(file, kernel_, include_folders_).value_or(file.string());
  if (texts_.count(name) > 0) return name;
  const fs::path path = path_of_compiler_name(file.string());
  std::string other = stored_path(path, kernel_, include_folders_).value_or("");
  return texts_.count(other) > 0 ? other : name;
}

fs::path SourceNames::file_of(const std::string& name) const {
  if (!name.starts_with(kLead)) return name;
  const std::string rest = name.substr(kLead.size());
  for (const fs::path& folder : include_folders_) {
    const fs::path file = folder.parent_path() / rest;
    std::error_code ignored;
    if (fs::exists(file, ignored) && name_of(file) == name) return file;
  }
  return include_folders_.back().parent_path() / rest;
}

QuotedLocation SourceNames::place(const std::string& name, int line) const {
  QuotedLocation place{{shown_path(file_of(name)), line}};
  const auto text = texts_.find(name);
  if (text == texts_.end() || line < 1) return place;
  const std::vector<std::string_view> lines = split_lines(text->second);
  if (static_cast<std::size_t>(line) <= lines.size())
    place.text = trim(lines[static_cast<std::size_t>(line) - 1]);
  return place;
}

QuotedLocation SourceNames::entry_place(const std::string& entry) const {
  // Sources declare the entry without namespace and template arguments.
  std::string name = entry.substr(0, entry.find('<'));
  if (const std::size_t colon = name.rfind(':'); colon != std::string::npos)
    name.erase(0, colon + 1);
  const auto text = texts_.find(source_);
  if (text == texts_.end()) return place(source_, 0);
  const std::vector<std::string_view> lines = split_lines(text->second);
  bool global = false;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    global = global || lines[i].find("__global__") != std::string_view::npos;
    const std::size_t at = lines[i].find(name + "(");
    if (global && at != std::string_view::npos) return place(source_, static_cast<int>(i) + 1);
    if (lines[i].find('{') != std::string_view::npos) global = false;
  }
  return place(source_, 0);
}

}  // namespace warpwright
