#include "core/error.h"

#include <fmt/format.h>

namespace warpwright {

Error::Error(Fault fault, std::string message) : fault_(fault), message_(std::move(message)) {
  render();
}

Error::Error(Fault fault, const SourceLocation& where, std::string message)
    : fault_(fault), where_(where) {
  if (where.known()) message_ = where.to_string() + ": ";
  text_at_ = message_.size();
  message_ += message;
  render();
}

Error& Error::add_context(std::string context) {
  context_.push_back(std::move(context));
  render();
  return *this;
}

const char* Error::what() const noexcept { return rendered_.c_str(); }

void Error::render() {
  rendered_ = message_;
  for (const std::string& frame : context_) rendered_ += "\n  " + frame;
}

void check_failed(const char* condition, const char* file, int line, std::string_view why) {
  throw Error(Fault::kInternal,
              fmt::format("{}:{}: internal check `{}` failed: {}; please report this", file, line,
                          condition, why));
}

}  // namespace warpwright
