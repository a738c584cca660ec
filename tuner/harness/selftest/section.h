// What the sections of the selftest share: each asks for numbers (of worker processes, or of
// sweeps) and turns them into figures. Sections reach the outside world through this alone, so that
// tests can replace it.
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
  nlohmann::json raw = nlohmann::json::object();  // every number that the figures rest on
  std::set<std::string> protocols;                // of the times in it
};

struct Workers {
  // One task in a fresh process; the task is one of selftest_worker.h. Throws Error.
  std::function<nlohmann::json(const nlohmann::json& task)> ask;
  // Called before each task or sweep, with what it is.
  std::function<void(const std::string& note)> step = [](const std::string&) {};
};

// "A of B": counts in details.
[[nodiscard]] std::string of(std::size_t part, std::size_t whole);
// 100 * part / whole; NaN of nothing.
[[nodiscard]] double percent(std::size_t part, std::size_t whole);
// A reason on one line of a table: line breaks become "; ", and its end is cut when it is long.
[[nodiscard]] std::string one_line(const std::string& text);

}  // namespace warpwright
