// The text of an expected Error, for tests that compare messages to the letter.
#pragma once

#include <string>
#include <utility>

#include "core/error.h"

namespace warpwright::testing {

// what() of the Error that `action` throws, "(no error)" when it returns.
template <typename Action>
std::string error_text(Action&& action) {
  try {
    std::forward<Action>(action)();
  } catch (const Error& error) {
    return error.what();
  }
  return "(no error)";
}

}  // namespace warpwright::testing
