// A value that a database keeps as JSON text. A value read from a column keeps that text and is
// written back as the same text: nothing that another version of warpwright or another program put
// there is lost, and a damaged column passes through a merge unchanged. The text is parsed when the
// value is first asked for, once for all copies: a board mostly needs few columns, so it pays for
// few and fails for few. Copies are cheap and may be read by several threads.
#pragma once

#include <compare>
#include <cstdint>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "core/error.h"

namespace warpwright {

// Whose column it is, for messages: trial 7, "configuration".
struct ColumnName {
  const char* owner = "";
  std::int64_t row = 0;
  const char* column = "";
};

// The one message for a column that does not hold a value of its kind.
[[nodiscard]] Error damaged_column(const ColumnName& name, const std::string& text);

// What turns a column's text into JSON, or throws damaged_column().
using ParseColumn = nlohmann::json (*)(const std::string& text, const ColumnName& name);

// For the types at the end of stored.cpp.
template <class T>
class Stored {
 public:
  Stored() = default;  // not known: NULL
  // NOLINTNEXTLINE(google-explicit-constructor): records are filled with values.
  Stored(T value);
  // From other programs' JSON, whose extra members are kept. Throws what reading a T throws.
  [[nodiscard]] static Stored of(const nlohmann::json& document);
  // As a database has it; "" means not known. Only for tuner/store.
  [[nodiscard]] static Stored from_column(std::string text, const ColumnName& name,
                                          ParseColumn parse);

  [[nodiscard]] bool known() const { return state_ != nullptr; }
  // The text of the column; "" when not known.
  [[nodiscard]] const std::string& text() const;
  // An empty T when not known; throws damaged_column().
  [[nodiscard]] const T& value() const;
  [[nodiscard]] const T& operator*() const { return value(); }
  [[nodiscard]] const T* operator->() const { return &value(); }
  // nullptr when not known or damaged: for callers that can do without.
  [[nodiscard]] const T* readable() const;
  // Everything that the column holds, for passing on; null when not known. Throws damaged_column()
  // when it is not JSON.
  [[nodiscard]] nlohmann::json document() const;

  friend bool operator==(const Stored& a, const Stored& b) { return a.text() == b.text(); }
  friend std::strong_ordering operator<=>(const Stored& a, const Stored& b) {
    return a.text() <=> b.text();
  }

 private:
  struct State;
  std::shared_ptr<const State> state_;
};

}  // namespace warpwright
