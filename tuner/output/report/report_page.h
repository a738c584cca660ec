// The report as one self-contained HTML page: no server, no network, no other file. A
// Content-Security-Policy in it allows its own scripts by their hashes and nothing from elsewhere,
// so that no text of a database can become code or fetch anything.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

namespace warpwright {

// `document` comes from report_json(). Bytes in it that are not UTF-8 become U+FFFD.
[[nodiscard]] std::string report_page(const nlohmann::json& document);

// The same for another page: `frame` is an embedded file like page.html.
[[nodiscard]] std::string page_of(std::string_view frame, const nlohmann::json& document);

// JSON that is safe inside a <script> element: without <, > and &, which could end or comment out
// the element, and without U+2028 and U+2029.
[[nodiscard]] std::string script_safe_json(const nlohmann::json& document);

// The text with every {{NAME}} replaced by the unchanged embedded file NAME. Throws Error
// (internal) for a name that is not embedded.
[[nodiscard]] std::string expand_page_files(std::string_view text);

}  // namespace warpwright
