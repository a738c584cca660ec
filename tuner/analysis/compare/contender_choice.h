// Finds the contenders that a command line names. A word is split as FILE#part#part; each part
// narrows the selection: `device:NAME` (an id, a name, the start of a fingerprint or part of a
// name), `run:N` or N, `commit:HASH`, or any of these without its prefix where only one of them
// fits. When a word leaves several devices, those of one name, architecture and driver are one
// contender, or each is one if GPUs are to be compared with each other. Every fault is an Error
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

enum class ContendersBy {
  kName,  // GPUs of one name that recorded side by side are one contender
  kGpu,   // every GPU is a contender
};

// `anywhere` are the databases that a word without a file is looked up in, `files` those of the
// words with one, in the same order. Without words all devices of `anywhere` are contenders.
[[nodiscard]] std::vector<ChosenContender> choose_contenders(
    const std::vector<ContenderWord>& words, const std::vector<ContenderSource>& anywhere,
    const std::vector<ContenderSource>& files, ContendersBy by = ContendersBy::kName);

}  // namespace warpwright
