#include "emu/decode/decode_video.h"

#include <bit>
#include <optional>

#include "emu/exec/exec.h"
#include "emu/lanes/video.h"

namespace warpwright::emu {
namespace {

struct VideoName {
  std::string_view name;
  VideoOp op;
  bool scalar;
  bool parts;  // has variants with suffix 2 and 4
};
constexpr VideoName kVideoNames[] = {
    {"vadd", VideoOp::kAdd, true, true},
    {"vsub", VideoOp::kSub, true, true},
    {"vabsdiff", VideoOp::kAbsoluteDifference, true, true},
    {"vmin", VideoOp::kMin, true, true},
    {"vmax", VideoOp::kMax, true, true},
    {"vavrg", VideoOp::kAverage, false, true},
    {"vshl", VideoOp::kShiftLeft, true, false},
    {"vshr", VideoOp::kShiftRight, true, false},
    {"vmad", VideoOp::kMultiplyAdd, true, false},
    {"vset", VideoOp::kSet, true, true},
};

std::optional<VideoForm> form_named(std::string_view word) {
  for (const VideoName& known : kVideoNames) {
    if (!word.starts_with(known.name)) continue;
    const std::string_view rest = word.substr(known.name.size());
    VideoForm form;
    form.op = known.op;
    form.parts = rest == "2" ? 2 : rest == "4" ? 4 : 1;
    if (rest.empty() ? known.scalar : form.parts != 1 && known.parts) return form;
  }
  return std::nullopt;
}

// The words of an opcode, consumed one after the other.
class Words {
 public:
  explicit Words(const std::vector<std::string_view>& parts) : parts_(parts) {}

  bool take(std::string_view word) {
    if (at_ >= parts_.size() || parts_[at_] != word) return false;
    ++at_;
    return true;
  }
  // Consumes the next word if it is in the list and returns its index; otherwise returns the length
  // of the list.
  std::size_t take_one_of(std::initializer_list<std::string_view> words) {
    std::size_t place = 0;
    for (const std::string_view word : words) {
      if (take(word)) return place;
      ++place;
    }
    return place;
  }
  [[nodiscard]] bool done() const { return at_ == parts_.size(); }

 private:
  const std::vector<std::string_view>& parts_;
  std::size_t at_ = 1;
};

// Reads the types and modifiers; returns false if PTX has no such form.
bool read_form(Words& words, VideoForm& form) {
  const auto type = [&](std::uint8_t flag) {
    const std::size_t is = words.take_one_of({"u32", "s32"});
    if (is == 1) form.flags |= flag;
    return is < 2;
  };
  const bool sets = form.op == VideoOp::kSet;
  if (!sets && !type(VideoForm::kSignedResult)) return false;
  if (!type(VideoForm::kSignedA) || !type(VideoForm::kSignedB)) return false;
  const bool shifts = form.op == VideoOp::kShiftLeft || form.op == VideoOp::kShiftRight;
  if (shifts && form.has(VideoForm::kSignedB)) return false;
  if (sets) {
    form.how = words.take_one_of({"eq", "ne", "lt", "le", "gt", "ge"}) & 15;
    if (form.how == 6) return false;
  }
  if (form.op == VideoOp::kMultiplyAdd && words.take("po")) form.flags |= VideoForm::kPlusOne;
  if (!sets && words.take("sat")) form.flags |= VideoForm::kSaturate;
  if (form.op == VideoOp::kMultiplyAdd) {
    form.how = words.take("shr7") ? 1 : words.take("shr15") ? 2 : 0;
    return words.done();
  }
  if (shifts) {
    const std::size_t mode = words.take_one_of({"wrap", "clamp"});
    if (mode == 2) return false;
    if (mode == 0) form.flags |= VideoForm::kWrap;
  }
  if (form.parts != 1) {
    if (words.take("add")) form.secondary = static_cast<std::uint8_t>(VideoSecondary::kAdd);
    return words.done() && (form.secondary == 0 || !form.has(VideoForm::kSaturate));
  }
  form.secondary = (words.take_one_of({"add", "min", "max"}) + 1) & 3;
  return words.done();
}

// Parses the selector of a part of a register, such as b2 or h1; nullopt if it is not one.
std::optional<std::uint8_t> part_of(std::string_view selector) {
  if (selector.empty()) return 0;
  if (selector.size() != 2) return std::nullopt;
  const bool halves = selector[0] == 'h';
  const int digit = selector[1] - '0';
  if (digit < 0 || digit >= (halves ? 2 : 4)) return std::nullopt;
  return static_cast<std::uint8_t>((halves ? kVideoFirstHalf : kVideoFirstByte) + digit);
}

// Parses a selector of several parts, such as h32 or b7650; the last digit is for part 0.
std::optional<std::uint16_t> parts_of(std::string_view selector, int parts, std::uint16_t implied) {
  if (selector.empty()) return implied;
  if (static_cast<int>(selector.size()) != parts + 1 || selector[0] != (parts == 2 ? 'h' : 'b'))
    return std::nullopt;
  std::uint16_t chosen = 0;
  for (int part = 0; part < parts; ++part) {
    const int digit = selector[selector.size() - 1 - static_cast<std::size_t>(part)] - '0';
    if (digit >= 2 * parts) return std::nullopt;
    chosen = static_cast<std::uint16_t>(chosen | digit << (3 * part));
  }
  return chosen;
}

// Parses the parts that are written, such as h0 or b310: each at most once, the highest first.
std::optional<std::uint8_t> mask_of(std::string_view selector, int parts) {
  if (selector.empty()) return static_cast<std::uint8_t>((1 << parts) - 1);
  if (selector[0] != (parts == 2 ? 'h' : 'b')) return std::nullopt;
  std::uint8_t mask = 0;
  for (const char digit : selector.substr(1)) {
    const int part = digit - '0';
    if (part >= parts || (mask != 0 && part >= std::countr_zero(static_cast<unsigned>(mask))))
      return std::nullopt;
    mask = static_cast<std::uint8_t>(mask | 1 << part);
  }
  return mask;
}

}  // namespace

std::vector<std::string> VideoDecoder::opcodes() {
  std::vector<std::string> names;
  for (const VideoName& known : kVideoNames) {
    if (known.scalar) names.emplace_back(known.name);
    if (!known.parts) continue;
    for (const char* parts : {"2", "4"}) names.push_back(std::string(known.name) + parts);
  }
  return names;
}

bool VideoDecoder::is_video(std::string_view base) { return form_named(base).has_value(); }

// vadd.d.a.b{.sat}{.op} d{.part}, a{.part}, b{.part}{, c}; vadd2 and vadd4 always have c.
bool VideoDecoder::decode() {
  std::optional<VideoForm> named = form_named(at_.parts()[0]);
  if (!named) return false;
  VideoForm form = *named;
  Words words(at_.parts());
  if (!read_form(words, form)) return false;
  const auto plain = [&](std::size_t i) {
    Operand whole = at_.operand(i);
    whole.selector = {};
    whole.negated = false;
    return whole;
  };
  const bool adds = form.op == VideoOp::kMultiplyAdd;
  const auto selector = [&](std::size_t i) { return at_.operand(i).selector; };
  if (form.parts == 1) {
    const auto a = part_of(selector(1));
    const auto b = part_of(selector(2));
    const auto d = part_of(selector(0));
    if (!a || !b || !d || (*d != 0 && (adds || form.secondary != 0))) return false;
    form.a = *a;
    form.b = *b;
    form.result = *d & 15;
  } else {
    const bool two = form.parts == 2;
    const auto a = parts_of(selector(1), form.parts, two ? 010 : 03210);
    const auto b = parts_of(selector(2), form.parts, two ? 032 : 07654);
    const auto d = mask_of(selector(0), form.parts);
    if (!a || !b || !d) return false;
    form.a = *a;
    form.b = *b;
    form.result = *d & 15;
  }
  const bool third = form.parts != 1 || adds || form.secondary != 0 || form.result != 0;
  if (at_.current().operands.size() != (third ? 4 : 3)) return false;
  const bool negated_product = at_.operand(1).negated != at_.operand(2).negated;
  const bool negated_c = third && at_.operand(3).negated;
  const bool negated = at_.operand(1).negated || at_.operand(2).negated || negated_c;
  if (at_.operand(0).negated) return false;
  if (negated && (!adds || form.has(VideoForm::kPlusOne) || (negated_product && negated_c)))
    return false;
  if (negated_product) form.flags |= VideoForm::kNegateProduct;
  if (negated_c) form.flags |= VideoForm::kNegateC;
  if (third && !selector(3).empty()) return false;
  std::uint32_t values[3];
  for (std::size_t i = 0; i < 3; ++i)
    values[i] = i == 2 && !third ? out_.constant_value(0, Shape::kRow, {})
                                 : operands_.value(plain(i + 1), Shape::kRow, Literal::kBits);
  out_.emit(&exec_video, InstClass::kInteger).immediate = std::bit_cast<std::int64_t>(form);
  for (std::size_t i = 0; i < 3; ++i) out_.source_value(static_cast<Field>(kSrc0 + i), values[i]);
  operands_.destination(kDst, plain(0), Shape::kRow);
  return true;
}

}  // namespace warpwright::emu
