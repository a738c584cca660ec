// The options of a command line that must be repeated in every command suggested afterwards: a hint
// without the named database would lead to another one.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace CLI {
class App;
}

namespace warpwright {

class GivenOptions {
 public:
  GivenOptions() = default;
  // Reads a parsed command line. A database is repeated only if it is the only one, since a hint
  // could otherwise mean any of them.
  explicit GivenOptions(const CLI::App& app);

  // Returns " --db 'my results.db' --kernels mine", with only the options that the verb takes; ""
  // if none was given.
  [[nodiscard]] std::string for_verb(const std::string& verb) const;
  // Adds the options to every command in backquotes, as in `warpwright show KERNEL`, that lacks
  // them.
  [[nodiscard]] std::string complete(std::string_view text) const;

 private:
  struct Takes {
    bool database = false, kernels = false;
  };
  [[nodiscard]] std::string missing_in(std::string_view command) const;

  std::string database_;  // as it is added to a command, quoted; "" if none
  std::string kernels_;
  std::map<std::string, Takes, std::less<>> verbs_;
};

}  // namespace warpwright
