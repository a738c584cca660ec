// What is compiled and what comes back. A job is a pure description: equal jobs on equal files give
// equal results. Once its files have been read, their texts go with it, and compiling it does not
// read them again.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <utility>
#include <vector>

#include "compile/module_state.h"
#include "compile/symbols.h"
#include "core/source_bundle.h"
#include "records/kernel_resources.h"

namespace warpwright {

// One file that takes part in a compilation. The content of one that was not found is that of its
// stand-in (compile/standard_headers.h), or empty.
struct SourceFile {
  std::string name;            // as written
  std::filesystem::path path;  // the folder it was found in, and the name
  std::string content;
  bool found = false;
  // Paths of what it includes, keyed as written: "x" or <x> with its delimiters, and in front of
  // them `next` and a blank for #include_next. What was not found is left out.
  std::map<std::string, std::string> includes;
  bool computes = false;  // it has an #include that names a macro
  // Why an include is not followed, by how it is written or by the macro that it names.
  std::map<std::string, std::string> refused = {};
  bool unforeseen = false;  // it has an #include of a macro that may stand for anything
  friend bool operator==(const SourceFile&, const SourceFile&) = default;
};

// What a macro says about something outside the source, to explain the failure of a static_assert
// that checks the source against it.
struct MacroPromise {
  std::string macro;
  std::string says;  // "kernel.yaml:12: `shared` of the launch of 'scale' is 4096 bytes"
};

struct CompileJob {
  std::filesystem::path source;  // a .cu file
  std::vector<std::filesystem::path>
      include_folders;  // searched in order; the source's own folder comes first
  std::vector<std::pair<std::string, std::string>> defines;  // name, value; passed as -Dname=value
  std::string arch;                                          // "sm_90a": a real architecture
  std::vector<std::string> extra_options;                    // passed as they are
  bool want_cubin = true;                                    // false: PTX only, no ptxas figures
  // C++ names of what the compiler has to make of templates: "reduce<float, 256>".
  std::vector<std::string> names;
  // Where its files are read from. Null: from the disk, when they are needed. Does not cross the
  // pipe.
  std::shared_ptr<SourceBundle> texts;
  // The result of collect_sources() once it has run; empty before. This is what crosses the pipe.
  std::vector<SourceFile> files;
  // Only for messages: not sent to workers, not part of keys.
  std::vector<MacroPromise> promises;

  // What describes the compilation, in order, with everything that determines the output: part of
  // keys, and stored with trials.
  [[nodiscard]] std::vector<std::string> options() const;
  // The same without the folders: for a compiler that is given the files.
  [[nodiscard]] std::vector<std::string> options_without_folders() const;
  // The folders among the extra options.
  [[nodiscard]] std::vector<std::filesystem::path> extra_folders() const;
};

struct CompileResult {
  bool ok = false;
  // When not ok: one sentence, with the kernel's own file:line where the compiler named one, and
  // the first errors.
  std::string failure;
  std::string log;  // everything NVRTC and ptxas said
  std::string ptx;
  std::string cubin;  // empty for PTX-only jobs
  // Entries by the names that launches give them: those of CompileJob::names, else as in `symbols`.
  std::vector<KernelResources> resources;
  SymbolNames symbols;
  ModuleState state;                  // what its launches can keep
  std::vector<std::string> warnings;  // "a.cu:12: warning: ...", of code that compiled
  std::string nvrtc_version;          // "13.0"
  std::string key;                    // the cache entry's
  double seconds = 0;                 // the compiler's, when it ran for this entry
  bool cached = false;                // came from the cache this time
  bool timed_out = false;
  bool crashed = false;  // the compiler process died on this job, or had too little memory for it
  // The machine is why there is no result, not the source: another try may give one. Never kept.
  bool by_machine = false;

  [[nodiscard]] const KernelResources* find(const std::string& entry) const;
  // What the module calls an entry or a variable of the source.
  [[nodiscard]] const std::string& symbol(const std::string& name) const;
};

// CBOR-friendly: ptx and cubin travel as binary.
void to_json(nlohmann::json& json, const SourceFile& file);
void from_json(const nlohmann::json& json, SourceFile& file);
void to_json(nlohmann::json& json, const CompileJob& job);
void from_json(const nlohmann::json& json, CompileJob& job);
void to_json(nlohmann::json& json, const CompileResult& result);
void from_json(const nlohmann::json& json, CompileResult& result);

}  // namespace warpwright
