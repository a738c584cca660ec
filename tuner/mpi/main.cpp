// `mpirun -n 9 warpwright-mpi sweep CONFIG` runs the program `warpwright` at rank 0, and agents at
// all other ranks. A process that runs as a worker, or alone, does not use MPI.
#include <fmt/format.h>
#include <mpi.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <thread>

#include "cli/cli.h"
#include "core/error.h"
#include "mpi/mpi_link.h"
#include "nodes/node_agent.h"
#include "nodes/remote_nodes.h"

namespace warpwright {
namespace {

constexpr std::chrono::milliseconds kLastWords{5'000};

// "Open MPI v4.1.4, package: ..." -> "Open MPI v4.1.4"
std::string library_name() {
  char text[MPI_MAX_LIBRARY_VERSION_STRING] = {};
  int length = 0;
  MPI_Get_library_version(text, &length);
  std::string name(text, static_cast<std::size_t>(length));
  name.resize(std::min(name.find_first_of(",\n"), name.size()));
  for (char& c : name)
    if (c == '\t') c = ' ';
  return name;
}

// Open MPI gives rank 0 a terminal of unknown size, wherever its output finally goes.
void distrust_terminal() {
  winsize size{};
  if (::isatty(STDOUT_FILENO) != 1 || ::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 ||
      size.ws_col != 0)
    return;
  ::setenv("COLUMNS", "100000", 0);
  ::setenv("NO_COLOR", "1", 0);
}

[[noreturn]] void leave(int code) {
  std::fflush(stdout);
  std::fflush(stderr);
  std::_Exit(code);
}

// Runs `work` in a thread next to the one that carries its messages. If MPI does not return, which
// can happen once a rank is gone, the process still ends when the work ends.
bool beside(MpiLink& link, const std::function<void()>& work, const int& code) {
  std::atomic<bool> done = false, carried = false;
  std::thread worker([&] {
    work();
    done = true;
    const auto give_up = std::chrono::steady_clock::now() + 2 * kLastWords;
    while (!carried && std::chrono::steady_clock::now() < give_up)
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    if (!carried) leave(code);
  });
  const bool all_left = link.carry([&] { return done.load(); }, kLastWords);
  carried = true;
  worker.join();
  return all_left;
}

int run_rank_0(MpiLink& link, int argc, char** argv, bool& complete) {
  int code = 0;
  const bool all_left = beside(
      link,
      [&] {
        std::optional<RemoteNodes> nodes;
        try {
          nodes.emplace(link, node_times_from_environment());
        } catch (const Error& error) {
          fmt::print(stderr, "warpwright: {}\n", error.what());
          code = error.exit_code();
          nodes.emplace(link);
          return;
        }
        const std::string_view verb = argc > 1 ? argv[1] : "";
        if (verb != "sweep" && !verb.empty() && verb.front() != '-')
          fmt::print(stderr,
                     "warpwright: only `sweep` is spread over ranks; `{}` runs at rank 0 alone\n",
                     verb);
        code = run_cli(argc, argv, &*nodes);
        complete = nodes->complete();
      },
      code);
  complete = complete && all_left;
  return code;
}

int run(int argc, char** argv) {
  if (argc > 1 && argv[1] == std::string_view("worker")) return run_cli(argc, argv);
  if (argc == 2 && argv[1] == std::string_view("--version")) {
    const int code = run_cli(argc, argv);
    fmt::print("{}\n", library_name());
    return code;
  }
  int provided = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
  if (provided < MPI_THREAD_FUNNELED) {
    fmt::print(stderr,
               "warpwright: this MPI ({}) does not allow additional threads; expected "
               "MPI_THREAD_FUNNELED\n",
               library_name());
    return 3;
  }
  // MPICH's launcher sends this signal when another rank is gone; unless ignored, it would end the
  // rank.
  std::signal(SIGUSR1, SIG_IGN);
  distrust_terminal();
  MpiLink link;
  int code = 0;
  bool complete = true;
  if (link.ranks() == 1) {
    code = run_cli(argc, argv);
  } else if (link.rank() == 0) {
    code = run_rank_0(link, argc, argv, complete);
  } else {
    const auto work = [&] {
      const AgentEnd end = run_node_agent(link);
      complete = end.complete;
      if (!end.why.empty())
        fmt::print(stderr, "warpwright: rank {} ends: {}\n", link.rank(), end.why);
    };
    const bool all_left = beside(link, work, code);
    complete = complete && all_left;
  }
  // This call involves all ranks, so it might not return if one is gone.
  if (complete) MPI_Finalize();
  leave(code);
}

}  // namespace
}  // namespace warpwright

int main(int argc, char** argv) { return warpwright::run(argc, argv); }
