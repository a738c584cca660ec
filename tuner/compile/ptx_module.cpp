#include "compile/ptx_module.h"

#include <cxxabi.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <set>
#include <vector>

#include "core/words.h"
#include "records/codec.h"
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

bool is_name_start(char c) { return is_letter(c) || c == '_' || c == '$' || c == '%'; }

bool is_name_part(char c) { return is_name_start(c) || is_digit(c); }

// Splits PTX into words: names, directives with their dot (".global"), opcodes with their modifiers
// ("st.global.u32") and single punctuation characters. Numbers and strings are skipped.
class Words {
 public:
  explicit Words(std::string_view text) : text_(text) {}

  // Returns false at the end of the text.
  bool next(std::string_view& word) {
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (skip_comment() || skip_string()) continue;
      const bool directive = c == '.' && at_ + 1 < text_.size() && is_name_start(text_[at_ + 1]);
      if (is_name_start(c) || directive) {
        const std::size_t begin = at_++;
        while (at_ < text_.size() && (is_name_part(text_[at_]) || text_[at_] == '.')) ++at_;
        word = text_.substr(begin, at_ - begin);
        if (is_line(word)) {
          skip_line();
          continue;
        }
        return true;
      }
      if (is_digit(c)) {
        while (at_ < text_.size() && (is_name_part(text_[at_]) || text_[at_] == '.')) ++at_;
        continue;
      }
      ++at_;
      if (std::string_view(";{}[]()=@,:").find(c) == std::string_view::npos) continue;
      word = text_.substr(at_ - 1, 1);
      return true;
    }
    return false;
  }

 private:
  // Directives that end with their line instead of a semicolon.
  static bool is_line(std::string_view word) {
    return word == ".version" || word == ".target" || word == ".address_size" || word == ".file" ||
           word == ".loc" || word == ".section";
  }
  void skip_line() {
    const std::size_t end = text_.find('\n', at_);
    at_ = end == std::string_view::npos ? text_.size() : end + 1;
  }
  bool skip_comment() {
    const bool line = text_.substr(at_, 2) == "//";
    if (!line && text_.substr(at_, 2) != "/*") return false;
    const std::size_t end = text_.find(line ? "\n" : "*/", at_ + 2);
    at_ = end == std::string_view::npos ? text_.size() : end + (line ? 1 : 2);
    return true;
  }
  bool skip_string() {
    if (text_[at_] != '"') return false;
    const std::size_t end = text_.find('"', at_ + 1);
    at_ = end == std::string_view::npos ? text_.size() : end + 1;
    return true;
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

// Records how the instructions of a module use one variable.
struct Uses {
  std::size_t order = 0;
  bool used = false;
  bool read = false;  // includes taking its address
};

// True for CUDA runtime functions that leave no state which a later launch could read.
bool keeps_nothing(std::string_view function) {
  return function == "vprintf" || function == "printf" || function == "__assertfail" ||
         function == "__assert_fail" || function == "__trap";
}

std::string describe_call(std::string_view function) {
  if (function == "malloc" || function == "free" || function == "cudaMalloc" ||
      function == "cudaFree")
    return fmt::format("it calls {}() on the device, and that heap outlives a launch", function);
  if (function.find("Launch") != std::string_view::npos ||
      function.find("ParameterBuffer") != std::string_view::npos)
    return fmt::format("it launches kernels from the device ({})", function);
  return fmt::format("it calls {}(), and nothing is known of what that function keeps", function);
}

class StateReader {
 public:
  explicit StateReader(std::string_view ptx) : words_(ptx) {}

  ModuleState read() {
    std::string_view word;
    while (words_.next(word)) {
      statement_.push_back(word);
      // The braces of an initialiser do not end a declaration.
      const bool initialised =
          std::find(statement_.begin(), statement_.end(), "=") != statement_.end();
      const bool ends = word == ";" || ((word == "{" || word == "}") && !initialised);
      if (ends) take_statement();
    }
    ModuleState state;
    state.unrestorable = unrestorable_;
    std::vector<std::pair<std::size_t, StateVariable>> found;
    for (const auto& [name, uses] : variables_) {
      if (uses.used) found.push_back({uses.order, {std::string(name), !uses.read}});
    }
    std::sort(found.begin(), found.end(),
              [](const auto& a, const auto& b) { return a.first < b.first; });
    for (auto& [order, variable] : found) state.variables.push_back(std::move(variable));
    return state;
  }

 private:
  [[nodiscard]] bool has(std::string_view word) const {
    return std::find(statement_.begin(), statement_.end(), word) != statement_.end();
  }

  void take_statement() {
    if (!statement_.empty()) {
      if (statement_.front().front() == '.' && has(".global")) {
        declare();
      } else if (has(".extern") && has(".func")) {
        note_external();
      } else if (!variables_.empty()) {
        note_uses();
      }
    }
    statement_.clear();
  }

  // Parses declarations such as ".visible .global .align 4 .b8 cache[16] = {...};".
  void declare() {
    if (has(".texref") || has(".samplerref") || has(".surfref") || has(".func") || has(".entry"))
      return;
    std::size_t at = 0;
    for (; at < statement_.size() && statement_[at] != "="; ++at) {
      if (!is_name_start(statement_[at].front())) continue;
      variables_.try_emplace(statement_[at], Uses{variables_.size()});
    }
    // An initialiser may hold the address of another variable.
    for (; at < statement_.size(); ++at) {
      const auto found = variables_.find(statement_[at]);
      if (found != variables_.end()) found->second.used = found->second.read = true;
    }
  }

  // Parses declarations such as ".extern .func (.param .b64 result) malloc (.param .b64 size);".
  void note_external() {
    int depth = 0;
    for (const std::string_view word : statement_) {
      if (word == "(") ++depth;
      if (word == ")") --depth;
      if (depth != 0 || !is_name_start(word.front())) continue;
      if (unrestorable_.empty() && !keeps_nothing(word)) unrestorable_ = describe_call(word);
    }
  }

  void note_uses() {
    std::string_view opcode;
    bool in_address = false;
    bool guard = false;
    for (const std::string_view word : statement_) {
      if (word == "[") in_address = true;
      if (word == "]") in_address = false;
      if (word == "@") guard = true;
      if (word == ":") opcode = {};  // the word before it was a label
      if (!is_name_start(word.front())) continue;
      if (guard) {
        guard = false;  // the predicate of "@%p1 st.global ..."
        continue;
      }
      if (opcode.empty()) {
        opcode = word;
        continue;
      }
      const auto found = variables_.find(word);
      if (found == variables_.end()) continue;
      const bool writes = opcode.starts_with("st.") || opcode.starts_with("red.");
      found->second.used = true;
      found->second.read = found->second.read || !writes || !in_address;
    }
  }

  Words words_;
  std::vector<std::string_view> statement_;
  std::map<std::string_view, Uses> variables_;
  std::string unrestorable_;
};

// Most modules declare neither, and reading all of a long module takes milliseconds.
bool declares_state(std::string_view ptx) {
  if (ptx.find(".extern .func") != std::string_view::npos) return true;
  for (std::size_t at = ptx.find(".global"); at != std::string_view::npos;
       at = ptx.find(".global", at + 1)) {
    const bool directive = at == 0 || ptx[at - 1] == ' ' || ptx[at - 1] == '\n' ||
                           ptx[at - 1] == '\t' || ptx[at - 1] == '\r';
    if (directive) return true;
  }
  return false;
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

WARPWRIGHT_CODEC(StateVariable, name, write_only)
WARPWRIGHT_CODEC(ModuleState, variables, unrestorable)

ModuleState find_module_state(std::string_view ptx) {
  return declares_state(ptx) ? StateReader(ptx).read() : ModuleState();
}

}  // namespace warpwright
