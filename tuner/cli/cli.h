// The command line: one file per verb, each of which adds itself to the CLI11 application. Nothing
// here decides how the work is done; verbs parse, call a layer, print and choose an exit code. Exit
// codes: 0 ok; 1 regression, or no configuration passed; 2 the user's input; 3 device or internal;
// 4 inconclusive; 130 stopped by Ctrl-C.
#pragma once

namespace warpwright {

class WorkerNodes;

// Runs the program; never throws. Returns the exit code. A sweep works on `nodes`, where there are
// any.
[[nodiscard]] int run_cli(int argc, char** argv, WorkerNodes* nodes = nullptr);

}  // namespace warpwright
