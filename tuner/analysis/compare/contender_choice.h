// Finds the contenders that a command line names. A word is split as FILE#part#part; each part
// narrows the selection: `device:NAME` (an id, a name, the start of a fingerprint or part of a
// name), `run:N` or N, `commit:HASH`, or any of these without its prefix where only one of them
// fits. When a word leaves several devices, each becomes a contender. Every fault is an Error
// (user) that lists the choices.
#pragma once

#include <string>
#include <vector>

#include "analysis/compare/contender.h"

namespace warpwright {

struct ContenderWord {
  std::string text;                // as given
  std::string file;                // "" means any of the databases given elsewhere
  std::vector<std::string> parts;  // none means all devices
};
// Checks whether files exist: "a#b.db" may be one. A prefix that ends like the name of a result
// file but does not exist is an Error.
[[nodiscard]] ContenderWord parse_contender_word(const std::string& text);

// A database that contenders may come from. The pointer is not owned.
struct ContenderSource {
  std::string name;  // as given by the user
  const Database* database = nullptr;
};

struct ChosenContender {
  std::string name;    // unique
  std::string source;  // the database's name
  const Database* database = nullptr;
  ContenderTrials trials;
};

// `anywhere` are the databases that a word without a file is looked up in, `files` those of the
// words with one, in the same order. Without words every device of `anywhere` is a contender.
[[nodiscard]] std::vector<ChosenContender> choose_contenders(
    const std::vector<ContenderWord>& words, const std::vector<ContenderSource>& anywhere,
    const std::vector<ContenderSource>& files);

}  // namespace warpwright
