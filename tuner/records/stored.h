// A value that a database keeps as JSON text. A value read from a column keeps that text and is
// written back as the same text: no data from another version of warpwright or another program is
// lost, and a damaged column passes through a merge unchanged. The text is parsed when the value is
// first requested, once for all copies: a board usually needs few columns, so it only parses those,
// and only fails for those. Copies are cheap and may be read by several threads.
#pragma once

#include <compare>
#include <cstdint>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "core/error.h"

namespace warpwright {

// The owner and name of a column, for messages: trial 7, "configuration".
struct ColumnName {
  const char* owner = "";
  std::int64_t row = 0;
  const char* column = "";
};

// The error for a column that does not hold a value of its kind.
[[nodiscard]] Error damaged_column(const ColumnName& name, const std::string& text);

// Parses a column's text as JSON, or throws damaged_column().
using ParseColumn = nlohmann::json (*)(const std::string& text, const ColumnName& name);

// Instantiated for the types at the end of stored.cpp.
template <class T>
class Stored {
 public:
  Stored() = default;  // unknown: NULL
  // NOLINTNEXTLINE(google-explicit-constructor): records are filled with values.
  Stored(T value);
  // Makes a value from another program's JSON, whose extra members are kept. Throws the errors of
  // reading a T.
  [[nodiscard]] static Stored of(const nlohmann::json& document);
  // Makes a value from the text in a database; "" means unknown. Only for tuner/store.
  [[nodiscard]] static Stored from_column(std::string text, const ColumnName& name,
                                          ParseColumn parse);

  [[nodiscard]] bool known() const { return state_ != nullptr; }
  // The text of the column; "" when unknown.
  [[nodiscard]] const std::string& text() const;
  // The value; an empty T when unknown. Throws damaged_column().
  [[nodiscard]] const T& value() const;
  [[nodiscard]] const T& operator*() const { return value(); }
  [[nodiscard]] const T* operator->() const { return &value(); }
  // nullptr when unknown or damaged, for callers that do not require the value.
  [[nodiscard]] const T* readable() const;
  // The whole content of the column, for passing on; null when unknown. Throws damaged_column()
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
