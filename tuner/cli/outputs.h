// Decides for every verb which files it may write. What a command reads is never written over, nor
// are the journals beside a database that it reads, by whatever name, link or file descriptor. A
// file that is there already is replaced when it is of the kind that is about to be written, which
// is seen from what every such file holds; anything else only with --force.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace CLI {
class App;
}

namespace warpwright {

// A kind of file that warpwright writes.
struct OutputKind {
  const char* what;  // "a report page of warpwright"
  // One of them stands in the first 64 KiB of every such file, unpacked.
  std::span<const std::string_view> marks;
};

extern const OutputKind kPageOutput;      // of report and replay
extern const OutputKind kTracesOutput;    // of replay
extern const OutputKind kTableOutput;     // CSV and JSON
extern const OutputKind kT4Output;        // of export
extern const OutputKind kSourceOutput;    // headers, launchers and what builds them
extern const OutputKind kSelectOutput;    // select-json
extern const OutputKind kSarifOutput;     // of vet
extern const OutputKind kJunitOutput;     // of check
extern const OutputKind kRankingOutput;   // of profile --save
extern const OutputKind kSelftestOutput;  // of selftest --save
extern const OutputKind kBaselineOutput;  // baseline.yaml
extern const OutputKind kBenchOutput;     // of bench --benchmark_out

class Outputs {
 public:
  bool force = false;  // as given

  // Adds --force to a verb.
  void add_option(CLI::App& verb);

  // A file or a folder that the command reads. Of a folder, what is in it counts as read, but for
  // files of the kind that is written.
  void reads(const std::filesystem::path& input);
  void reads(std::span<const std::string> inputs);

  // Throws Error (user) unless `output` may be written, or replaced, by a file of this kind.
  void require(const std::filesystem::path& output, const OutputKind& kind) const;
  // The same for what is added to the end of a text.
  void require_text(const std::filesystem::path& output) const;
  // The same for what must not exist, or is added to by other rules: it is no input.
  void require_no_input(const std::filesystem::path& output) const;

 private:
  [[nodiscard]] bool is_below_input(const std::filesystem::path& output) const;

  std::vector<std::filesystem::path> inputs_;
};

}  // namespace warpwright
