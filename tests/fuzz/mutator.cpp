#include "fuzz/mutator.h"

#include <algorithm>
#include <set>
#include <utility>

namespace warpwright::fuzz {
namespace {

constexpr std::string_view kNumbers[] = {"0",
                                         "-0",
                                         "-1",
                                         "1",
                                         "2",
                                         "31",
                                         "255",
                                         "65536",
                                         "2147483647",
                                         "2147483648",
                                         "4294967295",
                                         "9007199254740993",
                                         "9223372036854775807",
                                         "-9223372036854775808",
                                         "9223372036854775808",
                                         "18446744073709551615",
                                         "99999999999999999999999",
                                         "0.5",
                                         "-1.5",
                                         "1e308",
                                         "1e-320",
                                         "1e999"};

bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '.' || c == '%' || c == '$';
}
bool is_digit(char c) { return c >= '0' && c <= '9'; }

struct Span {
  std::size_t at = 0;
  std::size_t size = 0;
};

// The word, or the single byte, around a place.
Span word_at(const std::string& text, std::size_t at) {
  if (!is_word(text[at])) return {at, 1};
  std::size_t first = at;
  while (first > 0 && is_word(text[first - 1])) --first;
  std::size_t end = at + 1;
  while (end < text.size() && is_word(text[end])) ++end;
  return {first, end - first};
}

// With its end of line.
Span line_at(const std::string& text, std::size_t at) {
  const std::size_t before = at == 0 ? std::string::npos : text.rfind('\n', at - 1);
  const std::size_t first = before == std::string::npos ? 0 : before + 1;
  const std::size_t after = text.find('\n', at);
  const std::size_t end = after == std::string::npos ? text.size() : after + 1;
  return {first, end - first};
}

void replace(std::string& text, Span span, std::string_view by) {
  text.replace(span.at, span.size, by);
}

std::string_view part(const std::string& text, Span span) {
  return std::string_view(text).substr(span.at, span.size);
}

// Exchanges two parts that do not overlap.
void exchange(std::string& text, Span a, Span b) {
  if (b.at < a.at) std::swap(a, b);
  if (a.at + a.size > b.at) return;
  const std::string first(part(text, a));
  const std::string second(part(text, b));
  replace(text, b, first);
  replace(text, a, second);
}

void replace_number(std::string& text, Random& random) {
  const std::size_t start = random.below(text.size());
  const auto found =
      std::find_if(text.begin() + static_cast<std::ptrdiff_t>(start), text.end(), is_digit);
  if (found == text.end()) return;
  const auto at = static_cast<std::size_t>(found - text.begin());
  std::size_t end = at;
  while (end < text.size() && (is_digit(text[end]) || text[end] == '.')) ++end;
  replace(text, {at, end - at}, random.of(kNumbers));
}

}  // namespace

Mutator::Mutator(std::vector<std::string> texts, std::vector<std::string> pieces,
                 std::string brackets)
    : texts_(std::move(texts)), pieces_(std::move(pieces)), brackets_(std::move(brackets)) {
  std::set<std::string> words;
  for (const std::string& text : texts_) {
    for (std::size_t at = 0; at < text.size();) {
      const Span word = word_at(text, at);
      words.emplace(part(text, word));
      at = word.at + word.size;
    }
  }
  words_.assign(words.begin(), words.end());
}

std::string Mutator::make(Random& random) const { return mutate(random.of(texts_), random); }

std::string Mutator::mutate(std::string text, Random& random) const {
  // Most have one or two: several at once are refused for the first, and the others are not tried.
  const std::size_t edits = 1 + std::min(random.below(6), random.below(6));
  for (std::size_t i = 0; i < edits && !text.empty(); ++i) edit(text, random);
  return text;
}

void Mutator::edit(std::string& text, Random& random) const {
  const std::size_t at = random.below(text.size());
  switch (random.below(16)) {
    case 0:
      return replace(text, word_at(text, at), "");
    case 1:
    case 2:
      return replace(text, word_at(text, at), random.of(words_));
    case 3:
      text.insert(at, random.of(words_) + " ");
      return;
    case 4:
      return exchange(text, word_at(text, at), word_at(text, random.below(text.size())));
    case 5:
      return replace(text, line_at(text, at), "");
    case 6: {
      const std::string line(part(text, line_at(text, at)));
      text.insert(line_at(text, random.below(text.size())).at, line);
      return;
    }
    case 7:
      return exchange(text, line_at(text, at), line_at(text, random.below(text.size())));
    case 8: {
      const std::string& other = random.of(texts_);
      const std::string line(part(other, line_at(other, random.below(other.size()))));
      text.insert(line_at(text, at).at, line);
      return;
    }
    case 9:
    case 10:
      return replace_number(text, random);
    case 11:
      text.insert(at, random.of(pieces_));
      return;
    case 12:
      return replace(text, word_at(text, at), random.of(pieces_));
    case 13:
      text[at] = static_cast<char>(random.below(256));
      return;
    case 14:
      if (random.one_in(4)) text.resize(at);
      return;
    default: {
      // Deep enough to use up a stack that is not guarded, seldom enough to be cheap.
      if (brackets_.empty() || !random.one_in(16)) return;
      const std::size_t pair = 2 * random.below(brackets_.size() / 2);
      const std::size_t depth = random.one_in(2) ? 200'000 : 1 + random.below(300);
      std::string nested(depth, brackets_[pair]);
      if (random.one_in(2)) nested += std::string(depth, brackets_[pair + 1]);
      text.insert(at, nested);
      return;
    }
  }
}

std::string mutate_bytes(std::string bytes, Random& random) {
  const std::size_t edits = 1 + random.below(8);
  for (std::size_t i = 0; i < edits && !bytes.empty(); ++i) {
    const std::size_t at = random.below(bytes.size());
    const std::size_t size = 1 + random.below(std::min<std::size_t>(bytes.size() - at, 64));
    switch (random.below(8)) {
      case 0:
        bytes.erase(at, size);
        break;
      case 1:
        bytes.insert(at, bytes.substr(random.below(bytes.size()), size));
        break;
      case 2:
        if (random.one_in(4)) bytes.resize(at);
        break;
      case 3:
        bytes[at] = static_cast<char>(random.one_in(2) ? 0xff : 0);
        break;
      case 4:
        std::fill_n(bytes.begin() + static_cast<std::ptrdiff_t>(at), size,
                    static_cast<char>(random.below(256)));
        break;
      case 5:
        bytes[at] = static_cast<char>(bytes[at] ^ (1 << random.below(8)));
        break;
      default:
        bytes[at] = static_cast<char>(random.below(256));
        break;
    }
  }
  return bytes;
}

}  // namespace warpwright::fuzz
