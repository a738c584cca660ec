#include "compile/symbols.h"

#include <cxxabi.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <memory>
#include <set>
#include <vector>

namespace warpwright {
namespace {

struct Free {
  void operator()(char* text) const { std::free(text); }
};

bool is_symbol_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '$';
}

// Returns a declaration at the beginning of the line, of an entry or of a variable that the whole
// module sees. Empty for other lines, and for names that are not mangled.
std::string declared(std::string_view line) {
  constexpr std::array<std::string_view, 4> kBefore = {".visible ", ".weak ", ".extern ",
                                                       ".common "};
  for (const std::string_view word : kBefore)
    if (line.starts_with(word)) line.remove_prefix(word.size());
  const bool known =
      line.starts_with(".entry ") || line.starts_with(".const ") || line.starts_with(".global ");
  if (!known) return "";
  const std::size_t begin = line.find(" _Z");
  if (begin == std::string_view::npos) return "";
  std::size_t end = begin + 1;
  while (end < line.size() && is_symbol_character(line[end])) ++end;
  return std::string(line.substr(begin + 1, end - begin - 1));
}

}  // namespace

std::string demangle(const std::string& symbol) {
  int status = 0;
  const std::unique_ptr<char, Free> text(
      abi::__cxa_demangle(symbol.c_str(), nullptr, nullptr, &status));
  return status == 0 && text ? text.get() : symbol;
}

std::string without_parameters(std::string_view demangled) {
  if (demangled.empty() || demangled.back() != ')') return std::string(demangled);
  int depth = 0;
  std::size_t at = demangled.size();
  while (at > 0) {
    const char c = demangled[--at];
    if (c == ')') ++depth;
    if (c == '(' && --depth == 0) break;
  }
  std::string_view name = demangled.substr(0, at);
  // Demangled names of template functions begin with their return type.
  constexpr std::string_view kReturned = "void ";
  if (name.starts_with(kReturned)) name.remove_prefix(kReturned.size());
  return std::string(name.empty() ? demangled : name);
}

SymbolNames find_symbols(std::string_view ptx) {
  std::set<std::string> symbols;
  for (std::size_t at = 0; at < ptx.size();) {
    const std::size_t end = std::min(ptx.find('\n', at), ptx.size());
    if (ptx[at] == '.') {
      if (std::string symbol = declared(ptx.substr(at, end - at)); !symbol.empty())
        symbols.insert(std::move(symbol));
    }
    at = end + 1;
  }
  std::map<std::string, std::vector<std::string>> by_name;
  for (const std::string& symbol : symbols)
    by_name[without_parameters(demangle(symbol))].push_back(symbol);
  SymbolNames names;
  for (const auto& [name, same] : by_name) {
    for (const std::string& symbol : same)
      names.emplace(same.size() == 1 ? name : demangle(symbol), symbol);
  }
  return names;
}

}  // namespace warpwright
