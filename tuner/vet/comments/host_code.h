// One file of a program whose kernels are looked at, and its host code, which the device compiler
// does not take: functions and declarations without an annotation such as __device__ are blanked
// out where that compiler complains about them. What is left keeps its lines. Bodies go first, so
// that a class keeps what kernels need of it; code for the device is never touched.
#pragma once

#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace warpwright {

struct Declaration;  // host_code.cpp

class HostCode {
 public:
  // `device_words` as device_words() gives them.
  HostCode(std::string text, const std::set<std::string>& device_words);
  ~HostCode();
  HostCode(HostCode&&) noexcept;
  HostCode& operator=(HostCode&&) noexcept;

  [[nodiscard]] const std::string& text() const { return text_; }
  // Bodies of host functions that launch kernels, and of main().
  void remove_launching();
  // What stands at this place, anywhere on the line for column 0, or an #include there. False when
  // it is code for the device, or blank.
  bool remove_at(int line, int column = 0);
  // Every #include of this name; false when there is none.
  bool remove_include(std::string_view name);

 private:
  void blank(std::size_t begin, std::size_t end);
  bool remove(Declaration& declaration, std::size_t begin, std::size_t end);

  std::string text_;
  std::unique_ptr<Declaration> file_;
};

// __device__ and its like, and the macros of these texts that stand for them.
[[nodiscard]] std::set<std::string> device_words(const std::vector<std::string_view>& texts);

// What follows __global__ and a type: the names of kernels, as written.
[[nodiscard]] std::vector<std::string> kernel_names(std::string_view text);

}  // namespace warpwright
