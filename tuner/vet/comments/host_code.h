// One file of a program whose kernels are looked at, and its host code, which the device compiler
// does not take: functions and declarations without an annotation such as __device__ are blanked
// out where that compiler complains about them. What is left keeps its lines. Bodies go first, so
// that a class keeps what kernels need of it; code for the device is never touched, and nor are
// static_asserts. Every body that goes leaves a mark, which is in the PTX of code that calls it.
#pragma once

#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace warpwright {

struct Declaration;  // host_code.cpp

// What was blanked out.
struct RemovedCode {
  std::string name;      // as well as it can be told; "" for what has none
  int line = 0;          // where it begins
  bool is_body = false;  // the rest of the function is still there
  bool is_asked = true;  // by the compiler's complaint; false for what launches
};

class HostCode {
 public:
  // `device_words` as device_words() gives them.
  HostCode(std::string text, const std::set<std::string>& device_words);
  ~HostCode();
  HostCode(HostCode&&) noexcept;
  HostCode& operator=(HostCode&&) noexcept;

  [[nodiscard]] const std::string& text() const { return text_; }
  // The text with a mark in the place of each body that is gone: `asm("//...N");`, N being the
  // body's place among removed() and the number given here last, which also says that the compiler
  // will see the marks of what has been removed by now.
  void number_from(std::size_t first);
  [[nodiscard]] std::string marked_text() const;
  [[nodiscard]] const std::vector<RemovedCode>& removed() const { return removed_; }
  // Bodies of host functions that launch kernels, and of main().
  void remove_launching();
  // What stands at this place of the marked text, anywhere on the line for column 0. False when it
  // is code for the device, or blank.
  bool remove_at(int line, int column = 0);
  // Every #include of this name; the lines that they stood on.
  std::vector<int> remove_include(std::string_view name);
  // #includes that stand within a declaration, by their lines: what they name is a part of it.
  [[nodiscard]] std::map<int, std::string> inner_includes() const;

 private:
  void blank(std::size_t begin, std::size_t end);
  void note(const Declaration& declaration, bool is_body, bool is_asked);
  [[nodiscard]] int line_of(std::size_t offset) const;
  bool remove(Declaration& declaration, std::size_t begin, std::size_t end);

  struct Mark {
    std::size_t offset = 0;  // in the text, which the mark is not a part of
    std::size_t removed = 0;
    bool is_seen = false;
  };
  std::string text_;
  std::vector<std::size_t> lines_;  // where each begins
  std::unique_ptr<Declaration> file_;
  std::vector<RemovedCode> removed_;
  std::vector<Mark> marks_;
  std::size_t first_ = 0;
  std::size_t seen_ = 0;  // removals that the compiler has seen
};

// The numbers of the bodies whose marks are in this PTX.
[[nodiscard]] std::set<std::size_t> marks_in(std::string_view ptx);

// __device__ and its like, and the macros of these texts that stand for them.
[[nodiscard]] std::set<std::string> device_words(const std::vector<std::string_view>& texts);

// What follows __global__ and a type: the names of kernels, as written.
[[nodiscard]] std::vector<std::string> kernel_names(std::string_view text);

}  // namespace warpwright
