#include "vet/comments/comment_subject.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "core/file_bounds.h"
#include "core/files.h"
#include "core/terminal_text.h"
#include "core/words.h"
#include "vet/comments/comment_contract.h"
#include "vet/comments/comment_text.h"
#include "vet/comments/host_code.h"
#include "vet/comments/read_launch_comments.h"
#include "vet/vet_subject.h"

namespace warpwright {
namespace fs = std::filesystem;
namespace {

// Limit on launch comments, since each is compiled and run on its own.
constexpr std::size_t kMaxVetted = 200;

std::map<std::string, Value> given_values(const std::vector<std::string>& overrides) {
  std::map<std::string, Value> given;
  for (const std::string& text : overrides) {
    Assignment assignment = read_assignment(text);
    given[assignment.name] = std::move(assignment.value);
  }
  return given;
}

void require_known(const std::map<std::string, Value>& given,
                   const std::vector<LaunchComment>& comments) {
  std::vector<std::string> known;
  for (const LaunchComment& comment : comments)
    for (const auto& [name, value] : comment.constants) known.push_back(name);
  for (const auto& [name, value] : given) {
    if (std::find(known.begin(), known.end(), name) == known.end())
      throw user_error(fmt::format("--set {}={}: no launch comment has a constant '{}'{}", name,
                                   value.to_string(), name, suggestion(name, known)));
  }
}

// Keeps the comments whose `name_of_one` equals `wanted`; keeps all of them when it is empty.
template <class Name>
void keep_comments(std::vector<LaunchComment>& comments, const std::string& wanted,
                   const char* what, const std::string& file, Name name_of_one) {
  if (wanted.empty()) return;
  std::vector<std::string> known;
  for (const LaunchComment& one : comments) known.push_back(name_of_one(one));
  std::erase_if(comments, [&](const LaunchComment& one) { return name_of_one(one) != wanted; });
  if (comments.empty())
    throw user_error(
        fmt::format("{} has no {} '{}'{}", file, what, wanted, suggestion(wanted, known)));
}

CompileJob probing_job(const VetOptions& options, const fs::path& source, const DeviceInfo& device,
                       const fs::path& common_headers, const std::vector<LaunchComment>& comments) {
  CompileJob job;
  job.source = source;
  job.include_folders = options.added.include;
  job.include_folders.push_back(source.parent_path());
  job.include_folders.push_back(common_headers);
  for (const CompileOption& option : options.added.options)
    if (auto text = option.evaluate(Environment())) job.extra_options.push_back(*std::move(text));
  job.arch = device.arch;
  job.want_cubin = false;
  std::set<std::string> entries;
  for (const LaunchComment& comment : comments)
    for (const CommentLaunch& launch : comment.launches)
      if (entries.insert(launch.entry).second) job.names.push_back(probe_name(launch.entry));
  return job;
}

// Finds the compiler's errors about kernel names that comments launch, keyed by kernel.
std::map<std::string, std::string> name_errors(std::string_view log) {
  constexpr std::string_view kLead = "__nv_name_map(";
  constexpr std::string_view kError = "): error: ";
  std::map<std::string, std::string> errors;
  for (std::size_t at = log.find(kLead); at != std::string_view::npos; at = log.find(kLead, at)) {
    const std::size_t end = std::min(log.find('\n', at), log.size());
    const std::string_view line = log.substr(at, end - at);
    at = end;
    const std::size_t message = line.find(kError);
    if (message == std::string_view::npos) continue;
    // The next line of the log quotes the name.
    const std::size_t next = std::min(log.find('\n', end + 1), log.size());
    const std::string kernel = probed_kernel(log.substr(end, next - end));
    if (!kernel.empty()) errors.emplace(kernel, line.substr(message + kError.size()));
  }
  return errors;
}

std::string joined_up(std::string text) {
  std::erase(text, ' ');
  return text;
}

// Throws if a launch names a kernel that is at fault; returns if the source itself is.
void explain_names(const DeviceSource& made, const std::vector<LaunchComment>& comments) {
  const std::map<std::string, std::string> errors = name_errors(made.compiled.log);
  if (errors.empty()) return;
  std::vector<std::string> known;
  for (const auto& [path, text] : made.texts)
    for (std::string& name : kernel_names(text)) known.push_back(std::move(name));
  for (const LaunchComment& comment : comments) {
    for (const CommentLaunch& launch : comment.launches) {
      const auto error = errors.find(joined_up(launch.entry));
      if (error == errors.end()) continue;
      if (error->second.find("is undefined") != std::string::npos ||
          error->second.find("has no member") != std::string::npos) {
        throw user_error(launch.where,
                         fmt::format("there is no kernel '{}'{}", shown_name(launch.entry),
                                     suggestion(launch.entry, known)));
      }
      throw user_error(launch.where,
                       fmt::format("'{}' does not identify a kernel: {}; name one kernel, a "
                                   "template with all of its arguments",
                                   shown_name(launch.entry), error->second));
    }
  }
}

std::string not_found(const DeviceSource& made) {
  std::vector<std::string> names;
  for (const std::vector<LeftOut>* all : {&made.missing, &made.left_out})
    for (const LeftOut& one : *all)
      if (one.what == LeftOut::What::kHeader) names.push_back(shown_name(one.name));
  if (names.empty()) return "";
  return fmt::format(
      "; these headers were not found and left out: {}; name their folders with -I, or put what "
      "needs them between #ifndef __CUDACC_RTC__ and #endif",
      fmt::join(names, ", "));
}

// Allows reads from the source's folder, and of the source itself wherever it is, but not through a
// link that leads elsewhere.
std::shared_ptr<SourceBundle> bundle_of_source(const fs::path& source) {
  auto texts = std::make_shared<SourceBundle>();
  const fs::path file = fs::absolute(source).lexically_normal();
  texts->allow(file.parent_path(), FolderUse::kOwn);
  texts->refuse_link_out(file);
  texts->add(file, read_file(file));
  return texts;
}

}  // namespace

bool has_launch_comment(const fs::path& source) {
  return !find_vet_comments(bundle_of_source(source)->require(source), "").empty();
}

CommentSubjects comment_subjects(const VetOptions& options, const DeviceInfo& device,
                                 const fs::path& common_headers, const CompileOne& compile) {
  const std::map<std::string, Value> given = given_values(options.overrides);
  const fs::path source = fs::absolute(options.subject).lexically_normal();
  const std::shared_ptr<SourceBundle> texts = bundle_of_source(source);
  std::vector<LaunchComment> comments =
      read_launch_comments(texts->require(source), options.subject, given);
  if (comments.empty())
    throw user_error(fmt::format(
        "{}: its `// vet:` comments launch nothing; write // vet: kernel<<<grid, block>>>(x[n], n)",
        options.subject));
  require_known(given, comments);
  keep_comments(comments, options.case_name, "launch comment", options.subject, case_of);
  keep_comments(comments, options.variant, "launch of", options.subject, name_of);
  if (comments.size() > kMaxVetted) {
    throw user_error(
        fmt::format("{} has {} launch comments, and at most {} are vetted at a time; "
                    "choose one with --case, or divide the file",
                    options.subject, comments.size(), kMaxVetted));
  }

  CompileJob job = probing_job(options, source, device, common_headers, comments);
  texts->allow(common_headers, FolderUse::kOwn);
  job.texts = texts;
  DeviceSource made = make_device_source(std::move(job), std::string(parameter_probe()), compile);
  if (!made.compiled.ok) {
    explain_names(made, comments);
    throw user_error(made.compiled.failure + not_found(made));
  }
  if (!made.missing.empty()) {
    const LeftOut& header = made.missing.front();
    throw user_error(
        header.where,
        fmt::format("error: the header '{}' was not found, and device code may need it; name its "
                    "folder with -I, or put what needs it between #ifndef __CUDACC_RTC__ and "
                    "#endif",
                    shown_name(header.name)));
  }
  std::map<std::string, std::vector<ParameterType>> parameters;
  for (const LaunchComment& comment : comments) {
    for (const CommentLaunch& launch : comment.launches) {
      const auto read = read_parameters(made.compiled.symbol(probe_name(launch.entry)));
      WARPWRIGHT_CHECK(read.has_value(), "the compiler names what it was asked for");
      parameters[launch.entry] = *read;
    }
  }
  CommentSubjects subjects;
  for (const LaunchComment& comment : comments) {
    // The contract exists in memory only. Its path is next to the source, so that both have the
    // same folder.
    const fs::path file = source.string() + ".yaml";
    SourceTexts all = made.texts;
    all[file.string()] = contract_of(comment, source, parameters) + options.added.section();
    subjects.kernels.push_back(
        read_launch_contract(file, std::make_shared<SourceBundle>(std::move(all))));
  }
  subjects.left_out = std::move(made.left_out);
  return subjects;
}

}  // namespace warpwright
