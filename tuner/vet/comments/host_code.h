// One file of a program whose kernels are vetted. Host code that the device compiler rejects, that
// is functions and declarations without an annotation such as __device__, is blanked out where the
// compiler complains about it. The remaining code keeps its line numbers. Bodies are removed before
// declarations, so that a class keeps the members that kernels need; device code and static_asserts
// are never touched. Every removed body leaves a mark, which appears in the PTX of code that calls
// it.
#pragma once

#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace warpwright {

struct Declaration;  // defined in host_code.cpp

// A piece of code that was blanked out.
struct RemovedCode {
  std::string name;      // best guess; "" if it has none
  int line = 0;          // where it begins
  bool is_body = false;  // only the body was removed
  bool is_asked = true;  // the compiler complained about it; false for launching code
};

class HostCode {
 public:
  // `device_words` is the result of device_words().
  HostCode(std::string text, const std::set<std::string>& device_words);
  ~HostCode();
  HostCode(HostCode&&) noexcept;
  HostCode& operator=(HostCode&&) noexcept;

  [[nodiscard]] const std::string& text() const { return text_; }
  // Numbers the marks of removed bodies. marked_text() has the mark `asm("//...N");` in the place
  // of each, where N is `first` plus the body's index in removed(). The call also records that the
  // compiler will see the marks of everything removed so far.
  void number_from(std::size_t first);
  [[nodiscard]] std::string marked_text() const;
  [[nodiscard]] const std::vector<RemovedCode>& removed() const { return removed_; }
  // Removes the bodies of main() and of host functions that launch kernels.
  void remove_launching();
  // Removes the code at this position of the marked text, or anywhere on the line for column 0.
  // Returns false if it is device code or blank.
  bool remove_at(int line, int column = 0);
  // Removes every #include of this name and returns the lines of the removed directives.
  std::vector<int> remove_include(std::string_view name);
  // The #includes within declarations, keyed by line; the included file is part of the declaration.
  [[nodiscard]] std::map<int, std::string> inner_includes() const;

 private:
  void blank(std::size_t begin, std::size_t end);
  void note(const Declaration& declaration, bool is_body, bool is_asked);
  [[nodiscard]] int line_of(std::size_t offset) const;
  bool remove(Declaration& declaration, std::size_t begin, std::size_t end);

  struct Mark {
    std::size_t offset = 0;  // in the text without marks
    std::size_t removed = 0;
    bool is_seen = false;
  };
  std::string text_;
  std::vector<std::size_t> lines_;  // offset of the start of each line
  std::unique_ptr<Declaration> file_;
  std::vector<RemovedCode> removed_;
  std::vector<Mark> marks_;
  std::size_t first_ = 0;
  std::size_t seen_ = 0;  // number of removals that the compiler has seen
};

// Returns the numbers of the bodies whose marks appear in this PTX.
[[nodiscard]] std::set<std::size_t> marks_in(std::string_view ptx);

// Returns __device__ and similar words, and the macros of these texts that expand to them.
[[nodiscard]] std::set<std::string> device_words(const std::vector<std::string_view>& texts);

// Returns the names of kernels as written, that is the names that follow __global__ and a type.
[[nodiscard]] std::vector<std::string> kernel_names(std::string_view text);

}  // namespace warpwright
