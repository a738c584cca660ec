// Video instructions against the pseudo-code of the PTX ISA, written with plain integers: every
// type, every modifier, and parts of registers that rotate with the forms.
#include <algorithm>
#include <functional>
#include <random>
#include <set>

#include "emu/decode/decoder.h"
#include "emu_harness.h"

namespace warpwright::emu {
namespace {

using Word = std::uint32_t;
using Number = __int128_t;

struct VideoTest {
  std::string text;  // with %o, %a, %b and %c
  std::function<Word(Word a, Word b, Word c)> expected;
};

const std::vector<std::string> kParts = {"", ".b0", ".b1", ".b2", ".b3", ".h0", ".h1"};
const std::vector<std::string> kTypes = {"u32", "s32"};
bool is_signed_type(const std::string& type) { return type[0] == 's'; }

// Bytes of a part, lowest first.
std::vector<std::uint8_t> bytes_of(Word value, const std::string& part) {
  std::vector<std::uint8_t> all(4);
  std::memcpy(all.data(), &value, 4);
  if (part.empty()) return all;
  const auto index = static_cast<std::size_t>(part[2] - '0');
  if (part[1] == 'b') return {all[index]};
  return {all[2 * index], all[2 * index + 1]};
}

Number number_of(const std::vector<std::uint8_t>& bytes, bool is_signed) {
  std::int64_t value = 0;
  for (std::size_t i = bytes.size(); i-- > 0;) value = value * 256 + bytes[i];
  if (is_signed && bytes.back() >= 128) value -= std::int64_t{1} << (8 * bytes.size());
  return value;
}

Number clamp_to(Number value, int bits, bool is_signed) {
  const Number most = (Number{1} << (is_signed ? bits - 1 : bits)) - 1;
  const Number least = is_signed ? -most - 1 : 0;
  return value < least ? least : value > most ? most : value;
}

int bits_of_part(const std::string& part) { return part.empty() ? 32 : part[1] == 'b' ? 8 : 16; }

Word merged(Number value, const std::string& part, Word c) {
  const auto low = static_cast<Word>(value);
  if (part.empty()) return low;
  std::uint8_t bytes[4];
  std::memcpy(bytes, &c, 4);
  const int index = part[2] - '0';
  if (part[1] == 'b') {
    bytes[index] = static_cast<std::uint8_t>(low);
  } else {
    bytes[2 * index] = static_cast<std::uint8_t>(low);
    bytes[2 * index + 1] = static_cast<std::uint8_t>(low >> 8);
  }
  Word result = 0;
  std::memcpy(&result, bytes, 4);
  return result;
}

Word then(const std::string& second, Number value, Number c) {
  if (second == ".add") value += c;
  if (second == ".min") value = std::min(value, c);
  if (second == ".max") value = std::max(value, c);
  return static_cast<Word>(value);
}

Number basic(const std::string& op, Number a, Number b) {
  if (op == "vadd") return a + b;
  if (op == "vsub") return a - b;
  if (op == "vabsdiff") return a > b ? a - b : b - a;
  if (op == "vmin") return std::min(a, b);
  if (op == "vmax") return std::max(a, b);
  const Number sum = a + b;  // vavrg: the nearest, halves away from zero
  return sum >= 0 ? (sum + 1) / 2 : -((-sum + 1) / 2);
}

bool holds(const std::string& how, Number a, Number b) {
  if (how == "eq") return a == b;
  if (how == "ne") return a != b;
  if (how == "lt") return a < b;
  if (how == "le") return a <= b;
  return how == "gt" ? a > b : a >= b;
}

std::vector<Word> interesting_words() {
  std::vector<Word> words = {0,          1,          0x7f,       0x80,       0xff,
                             0x7fff,     0x8000,     0xffff,     0x7fffffff, 0x80000000,
                             0xffffffff, 0x80ff7f01, 0x017f80ff, 0x00010020, 0x20212223};
  std::mt19937 random(7);
  while (words.size() < 48) words.push_back(static_cast<Word>(random()));
  return words;
}

// Runs all tests in one launch, with a lane for each set of operands. The guard is true for odd
// lanes only, so the other lanes must keep the old value of %o, which is c.
void run_video(const std::vector<VideoTest>& tests) {
  std::string text = ptx_header() +
                     ".visible .entry k(.param .u64 in, .param .u64 out) {\n"
                     ".reg .b32 %a, %b, %c, %o, %t; .reg .b64 %i, %z, %w; .reg .pred %odd;\n"
                     "ld.param.u64 %i, [in]; ld.param.u64 %z, [out]; mov.u32 %t, %tid.x;\n"
                     "mul.wide.u32 %w, %t, 12; add.u64 %i, %i, %w; mul.wide.u32 %w, %t, 4;\n"
                     "add.u64 %z, %z, %w; ld.global.u32 %a, [%i]; ld.global.u32 %b, [%i+4];\n"
                     "ld.global.u32 %c, [%i+8]; and.b32 %t, %t, 1; setp.eq.u32 %odd, %t, 1;\n";
  constexpr std::size_t kThreads = 128;
  for (std::size_t i = 0; i < tests.size(); ++i) {
    const bool guarded = i % 4 == 3;
    text += "mov.u32 %o, %c;\n" + std::string(guarded ? "@%odd " : "") + tests[i].text +
            ";\nst.global.u32 [%z+" + std::to_string(4 * kThreads * i) + "], %o;\n";
  }
  Harness harness(text + "ret;\n}\n");
  const std::vector<Word> words = interesting_words();
  std::mt19937 random(11);
  std::vector<Word> in(3 * kThreads);
  for (Word& word : in) word = words[random() % words.size()];
  const auto from = harness.upload(in);
  const auto to = harness.zeros<Word>(kThreads * tests.size());
  harness.launch.block = {kThreads, 1, 1};
  harness.run_clean(from, to);
  const std::vector<Word> got = harness.download(to);
  int reported = 0;
  for (std::size_t i = 0; i < tests.size(); ++i) {
    for (std::size_t t = 0; t < kThreads && reported < 10; ++t) {
      const Word a = in[3 * t], b = in[3 * t + 1], c = in[3 * t + 2];
      const Word expected = i % 4 == 3 && t % 2 == 0 ? c : tests[i].expected(a, b, c);
      if (got[kThreads * i + t] == expected) continue;
      ++reported;
      ADD_FAILURE() << tests[i].text << std::hex << " a=" << a << " b=" << b << " c=" << c
                    << ": got " << got[kThreads * i + t] << ", expected " << expected;
    }
  }
}

// Cycles through the parts, so that every kind of instruction is tested with all of them.
class PartsInTurn {
 public:
  std::string next() { return kParts[at_++ % kParts.size()]; }
  std::string next_named() {
    const std::string part = next();
    return part.empty() ? next() : part;
  }

 private:
  std::size_t at_ = 0;
};

// The forms that all scalar instructions apply to their own result: none, a second operation, a
// merge. `value` computes the result before saturation.
void add_scalar_forms(std::vector<VideoTest>& tests, PartsInTurn& parts, const std::string& head,
                      const std::string& tail, bool result_signed, bool saturates, bool a_signed,
                      bool b_signed, const std::function<Number(Number, Number)>& value) {
  for (const std::string second : {"", ".add", ".min", ".max", "merge"}) {
    const bool merges = second == "merge";
    const std::string pa = parts.next(), pb = parts.next(), pd = merges ? parts.next_named() : "";
    const std::string text = head + tail + (merges ? "" : second) + " %o" + pd + ", %a" + pa +
                             ", %b" + pb + (second.empty() ? "" : ", %c");
    tests.push_back({text, [=](Word a, Word b, Word c) {
                       Number result = value(number_of(bytes_of(a, pa), a_signed),
                                             number_of(bytes_of(b, pb), b_signed));
                       if (saturates) result = clamp_to(result, bits_of_part(pd), result_signed);
                       if (merges) return merged(result, pd, c);
                       return then(second, result, number_of(bytes_of(c, ""), result_signed));
                     }});
  }
}

TEST(VideoOpcodes, SumsDifferencesAndExtremesOfParts) {
  std::vector<VideoTest> tests;
  PartsInTurn parts;
  for (const std::string op : {"vadd", "vsub", "vabsdiff", "vmin", "vmax"}) {
    for (const std::string& d : kTypes) {
      for (const std::string& a : kTypes) {
        for (const std::string& b : kTypes) {
          for (const std::string sat : {"", ".sat"}) {
            add_scalar_forms(tests, parts, op + "." + d + "." + a + "." + b, sat, is_signed_type(d),
                             !sat.empty(), is_signed_type(a), is_signed_type(b),
                             [op](Number x, Number y) { return basic(op, x, y); });
          }
        }
      }
    }
  }
  run_video(tests);
}

TEST(VideoOpcodes, ShiftsOfParts) {
  std::vector<VideoTest> tests;
  PartsInTurn parts;
  for (const bool left : {true, false}) {
    for (const std::string& d : kTypes) {
      for (const std::string& a : kTypes) {
        for (const std::string sat : {"", ".sat"}) {
          for (const bool wraps : {true, false}) {
            const auto shift = [=](Number x, Number by) {
              by = wraps ? by % 32 : std::min<Number>(by, 32);
              const Number power = Number{1} << by;
              if (left) return x * power;
              return x >= 0 ? x / power : -((-x + power - 1) / power);
            };
            add_scalar_forms(tests, parts, (left ? "vshl." : "vshr.") + d + "." + a + ".u32",
                             sat + (wraps ? ".wrap" : ".clamp"), is_signed_type(d), !sat.empty(),
                             is_signed_type(a), false, shift);
          }
        }
      }
    }
  }
  run_video(tests);
}

TEST(VideoOpcodes, MultiplyAddsOfParts) {
  std::vector<VideoTest> tests;
  PartsInTurn parts;
  for (const std::string& d : kTypes) {
    for (const std::string& a : kTypes) {
      for (const std::string& b : kTypes) {
        for (const std::string sat : {"", ".sat"}) {
          for (const int shift : {0, 7, 15}) {
            for (const std::string sign : {"", "a", "b", "ab", "c", "po"}) {
              const std::string pa = parts.next(), pb = parts.next();
              const bool plus_one = sign == "po";
              const bool minus_product = sign == "a" || sign == "b", minus_c = sign == "c";
              const auto minus = [&](char of) {
                return !plus_one && sign.find(of) != sign.npos ? "-%" : "%";
              };
              const std::string text = "vmad." + d + "." + a + "." + b + (plus_one ? ".po" : "") +
                                       sat + (shift == 0 ? "" : ".shr" + std::to_string(shift)) +
                                       " %o, " + minus('a') + "a" + pa + ", " + minus('b') + "b" +
                                       pb + ", " + minus('c') + "c";
              const bool is_signed =
                  is_signed_type(a) || is_signed_type(b) || minus_product || minus_c;
              tests.push_back({text, [=](Word x, Word y, Word z) {
                                 Number sum = number_of(bytes_of(x, pa), is_signed_type(a)) *
                                              number_of(bytes_of(y, pb), is_signed_type(b));
                                 if (minus_product) sum = -sum;
                                 const Number c = number_of(bytes_of(z, ""), is_signed);
                                 sum += (minus_c ? -c : c) + (plus_one ? 1 : 0);
                                 sum >>= shift;
                                 if (!sat.empty()) sum = clamp_to(sum, 32, is_signed);
                                 return static_cast<Word>(sum);
                               }});
            }
          }
        }
      }
    }
  }
  run_video(tests);
}

TEST(VideoOpcodes, ComparisonsOfParts) {
  std::vector<VideoTest> tests;
  PartsInTurn parts;
  for (const std::string& a : kTypes) {
    for (const std::string& b : kTypes) {
      for (const std::string how : {"eq", "ne", "lt", "le", "gt", "ge"}) {
        add_scalar_forms(tests, parts, "vset." + a + "." + b + "." + how, "", false, false,
                         is_signed_type(a), is_signed_type(b),
                         [how](Number x, Number y) { return Number{holds(how, x, y) ? 1 : 0}; });
      }
    }
  }
  run_video(tests);
}

// A selector such as h32 or b7650, or the default, and the selected parts of a and b; the first is
// for part 0.
struct Chosen {
  std::string text;
  std::vector<int> parts;
};
Chosen choose(int parts, int first, std::mt19937& random) {
  Chosen chosen;
  if (random() % 4 == 0) {
    for (int i = 0; i < parts; ++i) chosen.parts.push_back(first + i);
    return chosen;
  }
  chosen.text = parts == 2 ? ".h" : ".b";
  for (int i = 0; i < parts; ++i) {
    chosen.parts.insert(chosen.parts.begin(), static_cast<int>(random() % (2u * unsigned(parts))));
    chosen.text += std::to_string(chosen.parts.front());
  }
  return chosen;
}
// Chooses the parts that are written.
Chosen choose_mask(int parts, std::mt19937& random) {
  Chosen chosen;
  for (int i = 0; i < parts; ++i)
    if (random() % 2 == 0) chosen.parts.push_back(i);
  if (chosen.parts.empty() || random() % 3 == 0) {
    chosen.parts = parts == 2 ? std::vector<int>{0, 1} : std::vector<int>{0, 1, 2, 3};
    return chosen;
  }
  chosen.text = parts == 2 ? ".h" : ".b";
  for (std::size_t i = chosen.parts.size(); i-- > 0;)
    chosen.text += std::to_string(chosen.parts[i]);
  return chosen;
}

VideoTest test_of_parts(int parts, const std::string& opcode, bool saturates, bool adds,
                        bool d_signed, bool a_signed, bool b_signed, std::mt19937& random,
                        const std::function<Number(Number, Number)>& value) {
  const Chosen of_a = choose(parts, 0, random), of_b = choose(parts, parts, random);
  const Chosen mask = choose_mask(parts, random);
  const std::string text =
      opcode + " %o" + mask.text + ", %a" + of_a.text + ", %b" + of_b.text + ", %c";
  const std::string letter = parts == 2 ? ".h" : ".b";
  return {text, [=](Word a, Word b, Word c) {
            const auto part = [&](int which, bool is_signed) {
              const std::string name = letter + std::to_string(which % parts);
              return number_of(bytes_of(which < parts ? a : b, name), is_signed);
            };
            Word result = c;
            for (const int i : mask.parts) {
              const auto at = static_cast<std::size_t>(i);
              Number one = value(part(of_a.parts[at], a_signed), part(of_b.parts[at], b_signed));
              if (saturates) one = clamp_to(one, 32 / parts, d_signed);
              result = adds ? result + static_cast<Word>(one)
                            : merged(one, letter + std::to_string(i), result);
            }
            return result;
          }};
}

TEST(VideoOpcodes, HalvesAndBytesAtOnce) {
  std::vector<VideoTest> tests;
  std::mt19937 random(3);
  for (const int parts : {2, 4}) {
    for (const std::string& a : kTypes) {
      for (const std::string& b : kTypes) {
        for (const std::string op : {"vadd", "vsub", "vavrg", "vabsdiff", "vmin", "vmax"}) {
          for (const std::string& d : kTypes) {
            for (const std::string tail : {"", ".sat", ".add"}) {
              const std::string opcode =
                  op + std::to_string(parts) + "." + d + "." + a + "." + b + tail;
              const auto value = [op](Number x, Number y) { return basic(op, x, y); };
              for (int more = 0; more < 2; ++more) {
                tests.push_back(test_of_parts(parts, opcode, tail == ".sat", tail == ".add",
                                              is_signed_type(d), is_signed_type(a),
                                              is_signed_type(b), random, value));
              }
            }
          }
        }
        for (const std::string how : {"eq", "ne", "lt", "le", "gt", "ge"}) {
          for (const std::string tail : {"", ".add"}) {
            const std::string opcode =
                "vset" + std::to_string(parts) + "." + a + "." + b + "." + how + tail;
            tests.push_back(test_of_parts(
                parts, opcode, false, tail == ".add", false, is_signed_type(a), is_signed_type(b),
                random, [how](Number x, Number y) { return Number{holds(how, x, y) ? 1 : 0}; }));
          }
        }
      }
    }
  }
  run_video(tests);
}

// Forms that PTX does not define are reported before anything runs.
TEST(VideoOpcodes, OtherFormsAreUnsupported) {
  for (const std::string text :
       {"vadd.u32.u32.u32.min.sat %r0, %r1, %r2, %r3", "vadd.u32.u32.u32.min %r0.b0, %r1, %r2, %r3",
        "vadd.u32.u32.u32 %r0, %r1.b4, %r2", "vadd2.u32.u32.u32.sat.add %r0, %r1, %r2, %r3",
        "vadd2.u32.u32.u32 %r0, %r1, %r2", "vadd2.u32.u32.u32 %r0.h01, %r1, %r2, %r3",
        "vadd4.u32.u32.u32 %r0, %r1.b321, %r2, %r3", "vset.u32.u32.lo %r0, %r1, %r2",
        "vshl.u32.u32.s32.wrap %r0, %r1, %r2", "vmad.u32.u32.u32 %r0, -%r1, %r2, -%r3",
        "vshl4.u32.u32.u32.wrap %r0, %r1, %r2, %r3", "vavrg.u32.u32.u32 %r0, %r1, %r2",
        "add.u32 %r0, %r1.b0, %r2"}) {
    const std::string module =
        ptx_header() + ".visible .entry k() {\n.reg .b32 %r<4>;\n" + text + ";\nret;\n}\n";
    try {
      (void)Module::parse(module, "test.ptx");
      ADD_FAILURE() << text << " was taken";
    } catch (const UnsupportedPtx& unsupported) {
      const std::string opcode = text.substr(0, text.find(' '));
      EXPECT_EQ(std::string(unsupported.what()),
                "emulator lacks `" + opcode + "` at test.ptx:6 (PTX)");
    }
  }
}

}  // namespace
}  // namespace warpwright::emu
