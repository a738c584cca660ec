// The options of a command line that every command suggested afterwards needs as well: a hint that
// leaves out the database that was named leads to another one.
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
  // Of a parsed command line. One of several databases is not repeated: a hint could mean any.
  explicit GivenOptions(const CLI::App& app);

  // " --db 'my results.db' --kernels mine" as far as the verb takes them; "" where none was given.
  [[nodiscard]] std::string for_verb(const std::string& verb) const;
  // The text with them in every command in backquotes, as in `warpwright show KERNEL`, that has not
  // got them already.
  [[nodiscard]] std::string complete(std::string_view text) const;

 private:
  struct Takes {
    bool database = false, kernels = false;
  };
  [[nodiscard]] std::string missing_in(std::string_view command) const;

  std::string database_;  // as a command needs them, quoted; "" without one
  std::string kernels_;
  std::map<std::string, Takes, std::less<>> verbs_;
};

}  // namespace warpwright
