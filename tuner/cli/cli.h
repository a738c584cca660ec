// The command line: one file per verb, each of which adds itself to the CLI11 application. Verbs
// parse arguments, call a layer, print, and choose an exit code; how the work is done is decided
// elsewhere. Exit codes: 0 ok; 1 regression, or no configuration passed; 2 the user's input; 3
// device or internal; 4 inconclusive; 130 stopped by Ctrl-C.
#pragma once

namespace warpwright {

class WorkerNodes;

// Runs the program and returns the exit code; never throws. A sweep works on `nodes`, if there are
// any.
[[nodiscard]] int run_cli(int argc, char** argv, WorkerNodes* nodes = nullptr);

}  // namespace warpwright
