// What may follow on a command line, for the shells: read off the options and verbs that CLI11
// parses with, so that nothing is listed twice. The scripts of `warpwright completion` ask for it
// as `warpwright complete WORD...`, which is no verb: its words are of a line that is not finished,
// and none of them may be taken for an option of its own. It never fails, since a shell has nobody
// to tell: where kernels or devices cannot be listed, nothing is offered for them.
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
    std::string text;  // the whole word: "--device=emu:sm_90a"
    std::string help;
  };
  enum class Paths { kNone, kFiles, kFolders };
  std::vector<Candidate> candidates;
  Paths paths = Paths::kNone;  // that the shell is to offer as well
};

// `words` are those after the program's name; the last one, which may be empty, is being typed.
[[nodiscard]] Completion complete_words(const CLI::App& app, const std::vector<std::string>& words);

// A candidate and its help a line, divided by a tab; ":files" or ":folders" where paths may follow.
void print_completion(const Completion& completion);

}  // namespace warpwright
