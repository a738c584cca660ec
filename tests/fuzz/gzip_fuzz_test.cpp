// Compressed files of results: damaged members, and lengths that lie.
#include <gtest/gtest.h>

#include "core/files.h"
#include "exchange/gzip.h"
#include "fuzz/corpus.h"
#include "fuzz/fuzz.h"
#include "fuzz/mutator.h"

namespace warpwright::fuzz {
namespace {

TEST(Fuzz, GzipFiles) {
  const TemporaryFolder folder;
  const std::string text = read_file(source_folder() / "tests/exchange/blur-X100.json");
  const std::string packed = pack_gzip(text) + pack_gzip(std::string(5000, 'x'));
  FuzzTarget target;
  target.name = "gzip";
  target.inputs = 1000;
  target.make = [&](Random& random) { return mutate_bytes(packed, random); };
  target.check = [&](const std::string& bytes) {
    const std::filesystem::path file = folder.path() / "x.gz";
    write_quickly(file, bytes);
    std::size_t unpacked = 0;
    unpack_gzip(file, [&](std::string_view piece) { unpacked += piece.size(); });
    if (unpacked > 100 * bytes.size() + (std::size_t{256} << 20))
      throw PropertyFault{"beyond its limits"};
  };
  target.least_refused = target.inputs / 20;
  run_fuzz(target);
}

}  // namespace
}  // namespace warpwright::fuzz
