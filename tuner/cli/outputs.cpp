#include "cli/outputs.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <fstream>
#include <optional>

#include "core/error.h"
#include "core/files.h"
#include "core/terminal_text.h"
#include "exchange/gzip.h"
#include "store/file_header.h"

namespace warpwright {
namespace fs = std::filesystem;
namespace {

constexpr std::size_t kHead = 64 << 10;

constexpr std::string_view kPageMarks[] = {"<title>Warpwright "};
constexpr std::string_view kTracesMarks[] = {"{\"budget\":"};
constexpr std::string_view kTableMarks[] = {"trial,kernel,problem,", "[\n{\"trial\":"};
constexpr std::string_view kT4Marks[] = {"\"warpwright\""};
// The second mark is that of .pc files.
constexpr std::string_view kSourceMarks[] = {"ritten by `warpwright export", "Name: warpwright_"};
constexpr std::string_view kSelectMarks[] = {"\"format\": \"warpwright-select-"};
constexpr std::string_view kSarifMarks[] = {"\"name\": \"warpwright\""};
constexpr std::string_view kJunitMarks[] = {"<testsuites name=\"warpwright check\""};
constexpr std::string_view kRankingMarks[] = {"\"best_pick\""};
constexpr std::string_view kSelftestMarks[] = {"\"selftest\""};
constexpr std::string_view kBaselineMarks[] = {"\nwarpwright_baseline: "};
constexpr std::string_view kBenchMarks[] = {"\"executable\": \"warpwright bench\"",
                                            "name,iterations,real_time"};

// Returns an empty string for anything but a regular file.
std::string raw_head(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::string head(kHead, '\0');
  in.read(head.data(), static_cast<std::streamsize>(head.size()));
  head.resize(static_cast<std::size_t>(in.gcount()));
  return head;
}

struct EnoughRead {};

std::string head_of(const fs::path& file) {
  const std::string raw = raw_head(file);
  if (!is_gzip(raw)) return raw;
  std::string head;
  try {
    unpack_gzip(file, [&](std::string_view piece) {
      head += piece;
      if (head.size() >= kHead) throw EnoughRead();
    });
  } catch (const EnoughRead&) {
  } catch (const Error&) {  // damaged, so not one of our databases
    return raw;
  }
  return head.substr(0, kHead);
}

bool has_mark(std::string_view head, const OutputKind& kind) {
  return std::any_of(kind.marks.begin(), kind.marks.end(), [&](std::string_view mark) {
    return head.find(mark) != std::string_view::npos;
  });
}

// Describes the existing file at an output's path for messages.
std::string described(const fs::path& file, std::string_view head) {
  if (head.starts_with("SQLite format 3")) {
    try {
      if (inspect_file(file).kind == FileKind::kOurs) return "a database of warpwright";
    } catch (const Error&) {
    }
    return "an SQLite database";
  }
  for (const OutputKind* kind : {&kPageOutput, &kTracesOutput, &kTableOutput, &kSourceOutput,
                                 &kSelectOutput, &kSarifOutput, &kJunitOutput, &kBaselineOutput}) {
    if (has_mark(head, *kind)) return fmt::format("{}, which is another kind of file", kind->what);
  }
  return "a file that warpwright did not write";
}

std::optional<struct stat> status_of(const fs::path& path) {
  struct stat status = {};
  if (::stat(path.c_str(), &status) != 0) return std::nullopt;
  return status;
}

bool is_same(const fs::path& a, const fs::path& b) {
  const auto first = status_of(a);
  const auto second = status_of(b);
  if (first && second) return first->st_dev == second->st_dev && first->st_ino == second->st_ino;
  if (first || second) return false;
  std::error_code ignored;
  return fs::weakly_canonical(a, ignored) == fs::weakly_canonical(b, ignored);
}

std::string shown(const fs::path& path) { return terminal_line(path.string()); }

}  // namespace

const OutputKind kPageOutput = {"a page of warpwright", kPageMarks};
const OutputKind kTracesOutput = {"a file of traces of `warpwright replay`", kTracesMarks};
const OutputKind kTableOutput = {"a table of `warpwright export`", kTableMarks};
const OutputKind kT4Output = {"a T4 file of `warpwright export`", kT4Marks};
const OutputKind kSourceOutput = {"a source of `warpwright export`", kSourceMarks};
const OutputKind kSelectOutput = {"a selection of `warpwright export`", kSelectMarks};
const OutputKind kSarifOutput = {"a SARIF file of `warpwright vet`", kSarifMarks};
const OutputKind kJunitOutput = {"a JUnit file of `warpwright check`", kJunitMarks};
const OutputKind kRankingOutput = {"a ranking of `warpwright profile`", kRankingMarks};
const OutputKind kSelftestOutput = {"a report of `warpwright selftest`", kSelftestMarks};
const OutputKind kBaselineOutput = {"a baseline of warpwright", kBaselineMarks};
const OutputKind kBenchOutput = {"a result of `warpwright bench`", kBenchMarks};

void Outputs::add_option(CLI::App& verb) {
  verb.add_flag("--force", force,
                "Also replace a file that warpwright did not write; never one that is read");
}

void Outputs::reads(const fs::path& input) {
  if (!input.empty()) inputs_.push_back(input);
}

void Outputs::reads(std::span<const std::string> inputs) {
  for (const std::string& input : inputs) reads(fs::path(input));
}

void Outputs::require_no_input(const fs::path& output) const {
  for (const fs::path& input : inputs_) {
    if (is_same(output, input)) {
      throw user_error(
          fmt::format("cannot write {}: it is {}, which this command reads; what is read is never "
                      "written over, not even with --force; name another file",
                      shown(output), shown(input)));
    }
    for (const char* companion : {"-wal", "-shm", "-journal"}) {
      if (!is_same(output, input.string() + companion)) continue;
      throw user_error(
          fmt::format("cannot write {}: SQLite keeps a part of {} there, which this command reads; "
                      "name another file",
                      shown(output), shown(input)));
    }
  }
}

bool Outputs::is_below_input(const fs::path& output) const {
  std::error_code ignored;
  const fs::path place = fs::weakly_canonical(output, ignored);
  return std::any_of(inputs_.begin(), inputs_.end(), [&](const fs::path& input) {
    if (!fs::is_directory(input, ignored)) return false;
    const fs::path below = place.lexically_relative(fs::weakly_canonical(input, ignored));
    return !below.empty() && *below.begin() != "..";
  });
}

void Outputs::require(const fs::path& output, const OutputKind& kind) const {
  require_no_input(output);
  if (!is_output_file(output)) return;
  const auto status = status_of(output);
  if (!status || !S_ISREG(status->st_mode) || status->st_size == 0) return;
  const std::string head = head_of(output);
  if (has_mark(head, kind)) return;
  if (is_below_input(output)) {
    throw user_error(
        fmt::format("cannot write {}: it lies in a folder that this command reads, and is {}; what "
                    "is read is never written over, not even with --force; name another file",
                    shown(output), described(output, head)));
  }
  if (force) return;
  throw user_error(
      fmt::format("cannot write {}: there is {}; name another file, or replace it with --force",
                  shown(output), described(output, head)));
}

void Outputs::require_text(const fs::path& output) const {
  require_no_input(output);
  if (!is_output_file(output)) return;
  const auto status = status_of(output);
  if (!status || !S_ISREG(status->st_mode)) return;
  const std::string head = raw_head(output);
  if (head.find('\0') == std::string::npos && !is_gzip(head)) return;
  throw user_error(
      fmt::format("cannot write {}: there is {}, expected a text to add to; name "
                  "another file",
                  shown(output), described(output, head)));
}

}  // namespace warpwright
