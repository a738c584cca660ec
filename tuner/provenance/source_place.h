// A place in the sources, as messages show it.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "core/error.h"
#include "core/source_bundle.h"
#include "core/source_location.h"

namespace warpwright {

// Returns the path relative to the working folder if the file lies below it, as code hosts expect.
[[nodiscard]] std::string shown_path(const std::filesystem::path& file);

// An error's place, if it is in a file that was read, and its text: without the place if that is
// there, else as it is. No other file is opened.
struct PlacedText {
  std::string text;
  std::optional<QuotedLocation> place;
};
[[nodiscard]] PlacedText placed_text(const Error& error, const SourceBundle* read);

// The same for the words of a compiler, CompileResult::failure: if the message begins with the
// place of a file that was read, such as "kernels/x/y.cu:12: error ...", with or without a column,
// cuts the place off and returns it; otherwise nullopt. No other file is looked for, since names in
// messages may come from a #line of the source.
[[nodiscard]] std::optional<QuotedLocation> take_place(std::string& message,
                                                       const SourceBundle* read);

}  // namespace warpwright
