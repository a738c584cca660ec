// The interface of the sections of the selftest: each requests numbers (from worker processes, or
// from sweeps) and turns them into figures. Sections have no other access to the outside, so tests
// can replace it.
#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "harness/selftest/figure.h"
#include "harness/selftest/selftest_options.h"

namespace warpwright {

struct SectionResult {
  std::vector<Figure> figures;
  nlohmann::json raw = nlohmann::json::object();  // every number behind the figures
  std::set<std::string> protocols;                // of its times
};

struct Workers {
  // Runs one task of selftest_worker.h in a fresh process. Throws Error.
  std::function<nlohmann::json(const nlohmann::json& task)> ask;
  // Called before each task or sweep, with a description of it.
  std::function<void(const std::string& note)> step = [](const std::string&) {};
};

// "A of B": counts in details.
[[nodiscard]] std::string of(std::size_t part, std::size_t whole);
// 100 * part / whole; NaN when `whole` is 0.
[[nodiscard]] double percent(std::size_t part, std::size_t whole);
// A reason on one line of a table: line breaks become "; ", and its end is cut when it is long.
[[nodiscard]] std::string one_line(const std::string& text);

}  // namespace warpwright
