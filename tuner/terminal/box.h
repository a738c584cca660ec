// Sections in a frame, one above the other, each with a title in the line above it: a sequence of
// steps, or a map of ranges.
#pragma once

#include <string>
#include <vector>

#include "terminal/screen.h"

namespace warpwright {

struct BoxSection {
  std::string title;
  std::vector<std::string> lines;  // wrapped at blanks where they are too wide
};

// `end` is the title of the last line, if not empty. The frame is as wide as its widest line, and
// fits text_width(screen). `indent` spaces precede each line. "" without sections.
[[nodiscard]] std::string render_box(const std::vector<BoxSection>& sections,
                                     const std::string& end, int indent, const Screen& screen = {});

}  // namespace warpwright
