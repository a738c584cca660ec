#include "cli/cli.h"

int main(int argc, char** argv) { return warpwright::run_cli(argc, argv); }
