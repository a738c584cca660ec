// Implements `warpwright completion`, which prints the scripts by which shells complete command
// lines, and computes shell completions from the options and verbs that CLI11 parses with, so that
// nothing is listed twice. The scripts request them as `warpwright complete WORD...`. This is not a
// verb, because its words belong to an unfinished command line and must not be parsed as options.
// It never fails, since a shell could not show an error: if kernels or devices cannot be listed,
// none are offered.
#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace warpwright {

inline constexpr const char* kCompleteWord = "complete";

struct Completion {
  struct Candidate {
    std::string text;  // the whole word, such as "--device=emu:sm_90a"
    std::string help;
  };
  enum class Paths { kNone, kFiles, kFolders };
  std::vector<Candidate> candidates;
  Paths paths = Paths::kNone;  // kind of paths that the shell should offer as well
};

// `words` are the words after the program's name; the last one, which may be empty, is being typed.
[[nodiscard]] Completion complete_words(const CLI::App& app, const std::vector<std::string>& words);

// Prints one candidate per line with its help after a tab; ":files" or ":folders" if paths may
// follow.
void print_completion(const Completion& completion);

}  // namespace warpwright
