// The frames between the program and its workers: what arrives may be cut, doubled or not a frame
// at all when a worker dies or prints where it must not.
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>

#include "core/error.h"
#include "core/process/frame.h"
#include "fuzz/fuzz.h"
#include "fuzz/mutator.h"

namespace warpwright::fuzz {
namespace {

using Json = nlohmann::json;

std::vector<Json> messages() {
  const Json small = {{"kind", "done"}, {"status", "ok"}, {"reason", ""}};
  const Json samples = {{"samples_us", {1.5, 2.25, 1e-3}}, {"count", 3}, {"clock", nullptr}};
  const Json nested = {
      {"outputs", {{{"name", "y"}, {"wrong", 0}, {"bits", Json::binary({0, 255, 7})}}}},
      {"text", std::string(300, 'x')},
      {"limits", {-1, 4294967296, 18446744073709551615U}}};
  return {small, samples, nested, Json::array({small, nested}), Json(7)};
}

// A container of CBOR whose length is a claim: an array, a map, a text or bytes.
std::string claim(Random& random) {
  static const std::string kKinds = "\x9b\xbb\x7b\x5b";
  std::string bytes(1, random.of(kKinds.substr(0, 4)));
  for (int i = 0; i < 8; ++i)
    bytes += static_cast<char>(random.one_in(2) ? 0xff : random.below(256));
  return bytes;
}

std::string with_header(const std::string& body) {
  std::string frame;
  for (int i = 0; i < 4; ++i) frame += static_cast<char>((body.size() >> (8 * i)) & 0xff);
  return frame + body;
}

std::string make_stream(Random& random) {
  const std::vector<Json> known = messages();
  std::string stream;
  const std::size_t frames = 1 + random.below(3);
  for (std::size_t i = 0; i < frames; ++i) {
    std::string frame = encode_frame(random.of(known));
    const std::string body = frame.substr(kFrameHeaderBytes);
    switch (random.below(8)) {
      case 0:
        break;
      case 1:
        frame = mutate_bytes(frame, random);
        break;
      case 2: {
        // Arrays, maps or tags in one another, to the end of the body.
        static const std::string kOpeners = "\x81\x9f\xa1\xbf\xc1\xd8";
        frame = with_header(
            std::string(1 + random.below(random.one_in(8) ? 1'000'000 : 400), random.of(kOpeners)));
        break;
      }
      case 3:
        frame = with_header(claim(random) + body);
        break;
      default:
        frame = with_header(mutate_bytes(body, random));
        break;
    }
    stream += frame;
  }
  return stream;
}

// As both ends of a channel read: never beyond the frame, in whatever pieces arrive.
void check_stream(const std::string& stream) {
  FrameReader reader;
  std::string_view rest = stream;
  std::size_t piece = 1 + stream.size() % 7;
  bool refused = false;
  while (!rest.empty()) {
    if (reader.wanted() == 0) throw PropertyFault{"an incomplete frame wants nothing"};
    const std::size_t take = std::min({reader.wanted(), rest.size(), piece});
    piece = piece * 3 % 4099 + 1;
    const FrameReader::State state = reader.add(rest.substr(0, take));
    rest.remove_prefix(take);
    if (state == FrameReader::State::kMalformed) {
      refused = true;
      break;
    }
    if (state != FrameReader::State::kComplete) continue;
    if (reader.take() == std::nullopt) refused = true;
    if (reader.in_frame()) throw PropertyFault{"a frame that was taken is still there"};
  }
  if (refused) throw user_error("not a frame");
}

TEST(Fuzz, Frames) {
  FuzzTarget target;
  target.name = "frame";
  target.inputs = 4000;
  target.make = make_stream;
  target.check = check_stream;
  target.least_taken = target.least_refused = target.inputs / 20;
  run_fuzz(target);
}

}  // namespace
}  // namespace warpwright::fuzz
