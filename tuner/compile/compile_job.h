// What is compiled and what comes back. A job is a pure description: equal jobs on equal files give
// equal results.
#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <utility>
#include <vector>

namespace warpwright {

struct CompileJob {
  std::filesystem::path source;  // a .cu file
  std::vector<std::filesystem::path>
      include_folders;  // searched in order; the source's own folder comes first
  std::vector<std::pair<std::string, std::string>> defines;  // name, value; passed as -Dname=value
  std::string arch;                                          // "sm_90a": a real architecture
  std::vector<std::string> extra_options;                    // passed as they are
  bool want_cubin = true;                                    // false: PTX only, no ptxas figures

  // The options that NVRTC is given, in order, with everything that determines the output.
  [[nodiscard]] std::vector<std::string> options() const;
};

// ptxas figures of one entry. Bytes unless named otherwise.
struct KernelResources {
  std::string entry;
  int registers = 0;      // per thread
  int static_shared = 0;  // per block
  int constant = 0;
  int stack = 0;         // per thread
  int spill_stores = 0;  // per thread
  int spill_loads = 0;   // per thread
};

struct CompileResult {
  bool ok = false;
  // When not ok: one sentence, with the kernel's own file:line where the compiler named one, and
  // the first errors.
  std::string failure;
  std::string log;  // everything NVRTC and ptxas said
  std::string ptx;
  std::string cubin;  // empty for PTX-only jobs
  std::vector<KernelResources> resources;
  std::string nvrtc_version;  // "13.0"
  std::string key;            // of the cache entry
  double seconds = 0;         // of the compiler, when it ran for this entry
  bool cached = false;        // came from the cache this time
  bool timed_out = false;
  bool crashed = false;  // the compiler process died on this job, or had too little memory for it

  [[nodiscard]] const KernelResources* find(const std::string& entry) const;
};

// CBOR-friendly: ptx and cubin travel as binary.
void to_json(nlohmann::json& json, const CompileJob& job);
void from_json(const nlohmann::json& json, CompileJob& job);
void to_json(nlohmann::json& json, const CompileResult& result);
void from_json(const nlohmann::json& json, CompileResult& result);

}  // namespace warpwright
