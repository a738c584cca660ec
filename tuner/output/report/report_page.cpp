#include "output/report/report_page.h"

#include <fmt/format.h>

#include <array>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "core/error.h"
#include "core/hash.h"
#include "output/report/page_files.h"

namespace warpwright {
namespace {

std::string_view page_file(std::string_view name) {
  for (const EmbeddedFile& file : page_files())
    if (file.name == name) return file.text;
  check_failed("page_file(name)", __FILE__, __LINE__, fmt::format("no embedded file {}", name));
}

int hex_digit(char c) { return c <= '9' ? c - '0' : c - 'a' + 10; }

// Encodes the 32 bytes given as 64 hex digits in base64 (RFC 4648).
std::string base64_of_hex(const std::string& hex) {
  static constexpr std::string_view kDigits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  unsigned bits = 0;
  int held = 0;
  for (const char c : hex) {
    bits = bits << 4 | static_cast<unsigned>(hex_digit(c));
    held += 4;
    if (held < 6) continue;
    held -= 6;
    out += kDigits[bits >> held & 63];
  }
  if (held > 0) out += kDigits[bits << (6 - held) & 63];
  while (out.size() % 4 != 0) out += '=';
  return out;
}

// The 'sha256-…' of every executable script of the page; data has another type and never runs.
std::string script_hashes(std::string_view html) {
  static constexpr std::string_view kOpen = "<script>";
  static constexpr std::string_view kClose = "</script>";
  std::string hashes;
  for (std::size_t at = html.find(kOpen); at != std::string_view::npos; at = html.find(kOpen, at)) {
    at += kOpen.size();
    const std::size_t end = html.find(kClose, at);
    WARPWRIGHT_CHECK(end != std::string_view::npos, "a script of the page has no end");
    hashes += fmt::format("'sha256-{}' ", base64_of_hex(sha256_hex(html.substr(at, end - at))));
    at = end;
  }
  return hashes;
}

void replace_once(std::string& text, std::string_view mark, std::string_view with) {
  const std::size_t at = text.find(mark);
  WARPWRIGHT_CHECK(at != std::string::npos, "the page lacks one of its marks");
  text.replace(at, mark.size(), with);
}

}  // namespace

std::string script_safe_json(const nlohmann::json& document) {
  using Json = nlohmann::json;
  const std::string plain = document.dump(-1, ' ', false, Json::error_handler_t::replace);
  static constexpr std::array<std::pair<std::string_view, std::string_view>, 5> kEscapes = {
      {{"<", "\\u003c"},
       {">", "\\u003e"},
       {"&", "\\u0026"},
       {"\u2028", "\\u2028"},
       {"\u2029", "\\u2029"}}};
  std::string out;
  out.reserve(plain.size() + plain.size() / 16);
  for (std::size_t at = 0; at < plain.size();) {
    bool escaped = false;
    for (const auto& [from, to] : kEscapes) {
      if (!plain.compare(at, from.size(), from)) {
        out += to;
        at += from.size();
        escaped = true;
        break;
      }
    }
    if (!escaped) out += plain[at++];
  }
  return out;
}

std::string expand_page_files(std::string_view text) {
  std::string out;
  while (true) {
    const std::size_t open = text.find("{{");
    const std::size_t close = open == std::string_view::npos ? open : text.find("}}", open);
    if (close == std::string_view::npos) return out += text;
    out += text.substr(0, open);
    out += page_file(text.substr(open + 2, close - open - 2));
    text.remove_prefix(close + 2);
  }
}

std::string report_page(const nlohmann::json& document) { return page_of("page.html", document); }

std::string page_of(std::string_view frame, const nlohmann::json& document) {
  std::string html = expand_page_files(page_file(frame));
  replace_once(html, "[[script-hashes]]", script_hashes(html));
  replace_once(html, "[[data]]", script_safe_json(document));
  return html;
}

}  // namespace warpwright
