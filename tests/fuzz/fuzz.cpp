#include "fuzz/fuzz.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <utility>

#include "core/error.h"
#include "core/files.h"
#include "fuzz/allocation_limit.h"

namespace warpwright::fuzz {
namespace fs = std::filesystem;
namespace {

// Further failures give no new information.
constexpr int kMaxFailures = 5;

std::string& replayed() {
  static std::string file;
  return file;
}

fs::path folder() {
  const fs::path path = fs::path(WARPWRIGHT_BINARY_DIR) / "fuzz";
  fs::create_directories(path);
  return path;
}

// The file with the input that is being tried: not flushed to the disk, because it outlives the
// process anyway.
class CurrentInput {
 public:
  explicit CurrentInput(std::string_view target)
      : path_(folder() / fmt::format("{}.input", target)),
        file_(::open(path_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644)) {
    if (file_ < 0) throw environment_error(fmt::format("cannot write {}", path_.string()));
  }
  ~CurrentInput() {
    ::close(file_);
    fs::remove(path_);
  }
  CurrentInput(const CurrentInput&) = delete;
  CurrentInput& operator=(const CurrentInput&) = delete;

  void write(const std::string& input) const {
    if (::ftruncate(file_, 0) != 0 || ::lseek(file_, 0, SEEK_SET) != 0)
      throw environment_error(fmt::format("cannot write {}", path_.string()));
    write_all(file_, input, path_);
  }

 private:
  fs::path path_;
  int file_;
};

struct Outcome {
  bool taken = false;
  std::string fault;  // "" when the input was taken or refused as it should be
};

Outcome try_input(const FuzzTarget& target, const std::string& input) {
  const AllocationLimit limit(target.most_live_bytes, target.most_allocated_bytes);
  Outcome outcome;
  try {
    target.check(input);
    outcome.taken = true;
  } catch (const Error& error) {
    if (error.fault() == Fault::kInternal) {
      outcome.fault = fmt::format("an internal fault: {}", error.what());
    } else if (error.message().empty()) {
      outcome.fault = "an Error without a message";
    }
  } catch (const PropertyFault& fault) {
    outcome.fault = fault.what;
  } catch (const std::exception& other) {
    outcome.fault = fmt::format("not an Error: {}", other.what());
  }
  if (AllocationLimit::exceeded()) outcome.fault = "it allocates more than the target allows";
  return outcome;
}

// A positive integer of the environment; `otherwise` where there is none.
int setting(const char* name, int otherwise, const char* example) {
  const char* given = std::getenv(name);
  if (given == nullptr) return otherwise;
  const std::string_view text = given;
  int value = 0;
  const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (fault == std::errc() && end == text.data() + text.size() && value >= 1) return value;
  throw user_error(fmt::format("{}={}: expected an integer from 1; {}", name, text, example));
}

// Under sanitizers, where each input takes several times as long, a part of them must suffice:
// every one whose number this divides.
int every_nth() { return setting("WARPWRIGHT_FUZZ_EVERY", 1, "4 tries a quarter"); }

// For a long search: this many times the inputs of a test run, the same ones first.
int times_as_many() { return setting("WARPWRIGHT_FUZZ_TIMES", 1, "7 tries seven times as many"); }

// For a long search that goes on: the multiple of a test run's inputs that it leaves out.
int times_before() {
  return setting("WARPWRIGHT_FUZZ_FROM", 0, "60 leaves out the inputs of 60 runs");
}

std::string keep(const FuzzTarget& target, int number, const std::string& input) {
  const fs::path path = folder() / fmt::format("{}-{}.input", target.name, number);
  publish_file(path, input);
  return path.string();
}

// "ptx-317.input" and "ptx.input" are of the target "ptx".
bool is_of(const FuzzTarget& target, const std::string& file) {
  const std::string name = fs::path(file).filename().string();
  return name.substr(0, name.find_first_of("-.")) == target.name;
}

void replay(const FuzzTarget& target, const std::string& file) {
  if (!is_of(target, file)) GTEST_SKIP() << "the replayed input is of another target";
  const Outcome outcome = try_input(target, read_file(file));
  EXPECT_EQ(outcome.fault, "") << file;
  if (outcome.fault.empty()) fmt::print("{}: {}\n", file, outcome.taken ? "taken" : "refused");
}

// An input that once failed must never fail again.
void replay_corpus(const FuzzTarget& target) {
  for (const auto& entry :
       fs::directory_iterator(fs::path(WARPWRIGHT_SOURCE_DIR) / "tests/fuzz/corpus")) {
    if (!is_of(target, entry.path().string())) continue;
    EXPECT_EQ(try_input(target, read_file(entry.path())).fault, "") << entry.path();
  }
}

}  // namespace

void replay_only(std::string file) { replayed() = std::move(file); }

void run_fuzz(const FuzzTarget& target) {
  if (!replayed().empty()) return replay(target, replayed());
  replay_corpus(target);
  const CurrentInput current(target.name);
  const int every = every_nth();
  const int first = target.inputs * times_before();
  const int end = first + target.inputs * times_as_many();
  int taken = 0;
  int refused = 0;
  for (int number = first; number < end; number += every) {
    Random random(target.seed * 1'000'003 + static_cast<std::uint64_t>(number));
    const std::string input = target.make(random);
    current.write(input);
    const Outcome outcome = try_input(target, input);
    ++(outcome.taken ? taken : refused);
    if (outcome.fault.empty()) continue;
    ADD_FAILURE() << target.name << ", seed " << target.seed << ", input " << number << ": "
                  << outcome.fault << "\n  again with: fuzz_tests --replay "
                  << keep(target, number, input);
    const auto* result = ::testing::UnitTest::GetInstance()->current_test_info()->result();
    if (result->total_part_count() >= kMaxFailures) return;
  }
  EXPECT_GE(taken, target.least_taken / every) << "of " << taken + refused;
  EXPECT_GE(refused, target.least_refused / every) << "of " << taken + refused;
  fmt::print("{}: {} inputs, {} taken, {} refused\n", target.name, taken + refused, taken, refused);
}

}  // namespace warpwright::fuzz
