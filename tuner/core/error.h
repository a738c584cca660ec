// The one exception type for faults of the user's input, of the environment and of Warpwright
// itself. A failed configuration is never an Error: it is an Outcome (see records/status.h) and is
// stored as data. An Error gains context while it unwinds and is caught once, in main, which turns
// its fault into an exit code. Message form: `file:line:col: what, got, expected; fix`.
#pragma once

#include <cstddef>
#include <exception>
#include <string>
#include <string_view>
#include <vector>

#include "core/source_location.h"

namespace warpwright {

enum class Fault {
  kUser,         // the user's input: exit code 2
  kEnvironment,  // device, file system, missing library: exit code 3
  kInternal,     // a broken invariant of ours: exit code 3
};

class Error : public std::exception {
 public:
  Error(Fault fault, std::string message);
  Error(Fault fault, const SourceLocation& where, std::string message);

  // Adds an outer frame ("while reading configs/x.yaml"); returns *this so that `throw
  // e.add_context(..)` reads well.
  Error& add_context(std::string context);

  [[nodiscard]] Fault fault() const { return fault_; }
  [[nodiscard]] const std::string& message() const { return message_; }         // with the place
  [[nodiscard]] std::string text() const { return message_.substr(text_at_); }  // without it
  [[nodiscard]] const SourceLocation& where() const { return where_; }          // may be unknown
  [[nodiscard]] const std::vector<std::string>& context() const { return context_; }
  // The message, then one indented line per context, innermost first.
  [[nodiscard]] const char* what() const noexcept override;
  [[nodiscard]] int exit_code() const { return fault_ == Fault::kUser ? 2 : 3; }

 private:
  void render();

  Fault fault_;
  SourceLocation where_;
  std::string message_;
  std::size_t text_at_ = 0;  // in message_
  std::vector<std::string> context_;
  std::string rendered_;
};

[[nodiscard]] inline Error user_error(std::string message) {
  return Error(Fault::kUser, std::move(message));
}
[[nodiscard]] inline Error user_error(const SourceLocation& where, std::string message) {
  return Error(Fault::kUser, where, std::move(message));
}
[[nodiscard]] inline Error environment_error(std::string message) {
  return Error(Fault::kEnvironment, std::move(message));
}

// Reports a broken invariant; always on. Never use it on input that a user can influence.
[[noreturn]] void check_failed(const char* condition, const char* file, int line,
                               std::string_view why);

}  // namespace warpwright

#define WARPWRIGHT_CHECK(condition, why)                               \
  do {                                                                 \
    if (!(condition)) {                                                \
      ::warpwright::check_failed(#condition, __FILE__, __LINE__, why); \
    }                                                                  \
  } while (false)
