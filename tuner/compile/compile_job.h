// The input and the output of a compilation. A job is a pure description: equal jobs on equal files
// give equal results. Once its files have been read, the job carries their texts, and compiling it
// does not read them again.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <utility>
#include <vector>

#include "compile/ptx_module.h"
#include "core/source_bundle.h"
#include "records/kernel_resources.h"

namespace warpwright {

// One file that takes part in a compilation. A file that was not found has the content of its
// stand-in (compile/standard_headers.h), or none.
struct SourceFile {
  std::string name;            // as written in the include
  std::filesystem::path path;  // the folder in which it was found, and the name
  std::string content;
  bool found = false;
  // Paths of the included files, keyed as written: "x" or <x> with its delimiters, preceded by
  // `next` and a blank for #include_next. Includes that were not found are left out.
  std::map<std::string, std::string> includes;
  bool computes = false;  // it has an #include that names a macro
  // The reasons why includes are not followed, keyed by the include as written or by the macro that
  // it names.
  std::map<std::string, std::string> refused = {};
  bool unforeseen = false;  // some #include names a macro that may have any value
  friend bool operator==(const SourceFile&, const SourceFile&) = default;
};

// States a fact outside the source that a macro carries, in order to explain why a static_assert
// that checks the source against it failed.
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
  std::vector<std::string> extra_options;                    // passed unchanged
  bool want_cubin = true;                                    // false: PTX only, no ptxas figures
  // C++ names of the template instances that the compiler must generate: "reduce<float, 256>".
  std::vector<std::string> names;
  // The origin of the job's files. If null, they are read from the disk when needed. Not sent to
  // workers.
  std::shared_ptr<SourceBundle> texts;
  // The result of collect_sources() once it has run; empty before. Sent to workers.
  std::vector<SourceFile> files;
  // Used in messages only: not sent to workers, not part of keys.
  std::vector<MacroPromise> promises;

  // Returns the options of the compilation, in order, including all that determine the output. They
  // are part of keys and are stored with trials.
  [[nodiscard]] std::vector<std::string> options() const;
  // The same without folders, for a compiler that is given the files in memory.
  [[nodiscard]] std::vector<std::string> options_without_folders() const;
  // The folders among the extra options.
  [[nodiscard]] std::vector<std::filesystem::path> extra_folders() const;
};

struct CompileResult {
  bool ok = false;
  // If not ok: one sentence with the kernel's own file:line, if the compiler named one, and the
  // first errors.
  std::string failure;
  std::string log;  // all output of NVRTC and ptxas
  std::string ptx;
  std::string cubin;  // empty for PTX-only jobs
  // Entries under the names that launches use: those in CompileJob::names, or else as in `symbols`.
  std::vector<KernelResources> resources;
  SymbolNames symbols;
  ModuleState state;                  // state that its launches can keep
  std::vector<std::string> warnings;  // such as "a.cu:12: warning: ..."; only if ok
  std::string nvrtc_version;          // "13.0"
  std::string key;                    // key of the cache entry
  double seconds = 0;                 // compiler time, when it ran for this entry
  bool cached = false;                // found in the cache this time
  bool timed_out = false;
  bool crashed = false;  // the compiler process died on this job, or had too little memory for it
  // There is no result because of the machine and not of the source: a retry may succeed. Not
  // cached.
  bool by_machine = false;

  [[nodiscard]] const KernelResources* find(const std::string& entry) const;
  // Returns the module's symbol for an entry or a variable of the source.
  [[nodiscard]] const std::string& symbol(const std::string& name) const;
};

// Suitable for CBOR: ptx and cubin are stored as binary.
void to_json(nlohmann::json& json, const SourceFile& file);
void from_json(const nlohmann::json& json, SourceFile& file);
void to_json(nlohmann::json& json, const CompileJob& job);
void from_json(const nlohmann::json& json, CompileJob& job);
void to_json(nlohmann::json& json, const CompileResult& result);
void from_json(const nlohmann::json& json, CompileResult& result);

}  // namespace warpwright
