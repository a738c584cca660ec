// Decides for every verb which files it may write. The inputs of a command are never overwritten,
// nor are the journals next to a database that it reads, under whatever name, link or file
// descriptor. An existing file is replaced if it is of the kind that is being written, which is
// recognised by a mark in its content; any other file is replaced only with --force.
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
  const char* what;  // such as "a report page of warpwright"
  // Every such file contains one of these in its first 64 KiB, after decompression.
  std::span<const std::string_view> marks;
};

extern const OutputKind kPageOutput;      // written by report and replay
extern const OutputKind kTracesOutput;    // written by replay
extern const OutputKind kTableOutput;     // CSV and JSON
extern const OutputKind kT4Output;        // written by export
extern const OutputKind kSourceOutput;    // headers, launchers and their build files
extern const OutputKind kSelectOutput;    // select-json
extern const OutputKind kSarifOutput;     // written by vet
extern const OutputKind kJunitOutput;     // written by check
extern const OutputKind kRankingOutput;   // written by profile --save
extern const OutputKind kSelftestOutput;  // written by selftest --save
extern const OutputKind kBaselineOutput;  // baseline.yaml
extern const OutputKind kBenchOutput;     // written by bench --benchmark_out

class Outputs {
 public:
  bool force = false;  // the --force option

  // Adds --force to a verb.
  void add_option(CLI::App& verb);

  // Declares a file or a folder that the command reads. All files in a folder count as read, except
  // those of the kind that is being written.
  void reads(const std::filesystem::path& input);
  void reads(std::span<const std::string> inputs);

  // Throws Error (user) unless a file of this kind may be written to `output`, or replace it.
  void require(const std::filesystem::path& output, const OutputKind& kind) const;
  // As require(), for text that is appended to a file.
  void require_text(const std::filesystem::path& output) const;
  // As require(), for outputs that must not exist or that other rules govern: only checks that
  // `output` is not an input.
  void require_no_input(const std::filesystem::path& output) const;

 private:
  [[nodiscard]] bool is_below_input(const std::filesystem::path& output) const;

  std::vector<std::filesystem::path> inputs_;
};

}  // namespace warpwright
