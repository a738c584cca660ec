// Exported headers, mutated as texts and as bytes: what `export --verify` reads of them. A header
// that was changed never passes for what was written.
#include <gtest/gtest.h>

#include "core/error.h"
#include "exchange/header/header_origin.h"
#include "fuzz/corpus.h"
#include "fuzz/fuzz.h"
#include "fuzz/mutator.h"

namespace warpwright::fuzz {
namespace {

void check_header(const std::vector<std::string>& written, const std::string& text) {
  const std::optional<HeaderOrigin> origin = read_header_origin(text);
  if (!origin) throw user_error("no header of warpwright's");
  const bool known = std::find(written.begin(), written.end(), text) != written.end();
  if (verify_intact(*origin).agrees && !known)
    throw PropertyFault{"a changed header passes for what was written"};
  static_cast<void>(verify_commits(*origin));
  static_cast<void>(verify_sources(*origin, {"kernels"}));
  for (const std::string& one : written) {
    if (verify_database(text, one, "r.db").agrees && without_version(text) != without_version(one))
      throw PropertyFault{"a database gives another header, and that is not said"};
  }
}

TEST(Fuzz, ExportedHeaders) {
  const std::vector<std::string> written = read_all(corpus_files("tests/golden", "selection.h"));
  ASSERT_EQ(written.size(), 1u);
  const Mutator mutator(written,
                        {"/* export: ", "/* written by ", "/* sha256 of what is above: ", " */\n",
                         "WW_DATA ww_file ", "\n};", "\"", "\\", "\\777", "\\0", "-dirty",
                         "(commit ", "warpwright 0.1.0 (commit 1a2b)", "../../etc/passwd"},
                        "(){}[]");
  FuzzTarget target;
  target.name = "header";
  target.inputs = 2000;
  target.make = [&](Random& random) {
    return random.one_in(4) ? mutate_bytes(written.front(), random) : mutator.make(random);
  };
  target.check = [&](const std::string& text) { check_header(written, text); };
  run_fuzz(target);
}

}  // namespace
}  // namespace warpwright::fuzz
