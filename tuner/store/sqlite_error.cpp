#include "store/sqlite_error.h"

#include <fmt/format.h>
#include <sqlite3.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>

namespace warpwright {
namespace {

// "; 12 trials committed so far are safe", or "" if nothing was being written.
std::string safe_clause(const std::optional<std::uint64_t>& committed) {
  if (!committed) return "";
  return *committed == 1 ? "; 1 trial committed so far is safe"
                         : fmt::format("; {} trials committed so far are safe", *committed);
}

// SQLite reports a quota or a file size limit as a plain I/O error; to the user, both are a full
// disk.
bool means_full(const SqliteFault& fault) {
  if ((fault.code & 0xff) == SQLITE_FULL) return true;
  return (fault.code & 0xff) == SQLITE_IOERR &&
         (fault.system_errno == ENOSPC || fault.system_errno == EDQUOT ||
          fault.system_errno == EFBIG);
}

Error full_error(const SqliteFault& fault) {
  const std::string why =
      fault.system_errno != 0 ? std::strerror(fault.system_errno) : "no room for another trial";
  return environment_error(fmt::format(
      "disk is full: {}: {}{}; free some space and run the same command again, it resumes",
      fault.path, why, safe_clause(fault.committed)));
}

// Our statements fit the schema that every open checks or creates, so an object that they miss was
// removed from the file by damage or by hand, and a forbidden action in its schema was added the
// same way.
bool comes_from_the_file(const SqliteFault& fault) {
  constexpr std::array kBeginnings = {
      "no such column: ", "no such table: ", "access to view ",
      "unsafe use of ",   "malformed JSON",  "unsupported file format"};
  return fault.code == SQLITE_ERROR &&
         std::any_of(kBeginnings.begin(), kBeginnings.end(),
                     [&](const char* beginning) { return fault.detail.starts_with(beginning); });
}

Error io_error(const SqliteFault& fault) {
  const std::string why =
      fault.system_errno != 0 ? std::strerror(fault.system_errno) : fault.detail;
  return environment_error(fmt::format(
      "{}: the disk failed: {}{}; check the disk and run the same command again, it resumes",
      fault.path, why, safe_clause(fault.committed)));
}

}  // namespace

Error damaged_error(const std::string& path, const std::string& why) {
  const std::filesystem::path file(path);
  const std::string saved =
      (file.parent_path() / (file.stem().string() + "-recovered.db")).string();
  return user_error(fmt::format(
      "{} is damaged: {}; save what is left with `warpwright salvage {} -o {}`, then use --db {}",
      path, why, path, saved, saved));
}

Error not_ours_error(const std::string& path, const std::string& why) {
  return user_error(
      fmt::format("{} is not a Warpwright database: {}; it was left untouched; use --db FILE for "
                  "another database",
                  path, why));
}

Error sqlite_error(const SqliteFault& fault) {
  if (means_full(fault)) return full_error(fault);
  if (comes_from_the_file(fault)) return damaged_error(fault.path, fault.detail);
  switch (fault.code & 0xff) {
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      return environment_error(
          fmt::format("{} is locked by another process; wait for it or use --db FILE for another "
                      "database",
                      fault.path));
    case SQLITE_READONLY:
      if (fault.code == SQLITE_READONLY_DBMOVED) {
        return environment_error(fmt::format(
            "{} was moved or deleted while it was in use{}; put it back or run the command again",
            fault.path, safe_clause(fault.committed)));
      }
      return environment_error(fmt::format(
          "{} cannot be written: the file or its folder is read-only; make both writable "
          "or use --db FILE for another database",
          fault.path));
    case SQLITE_CANTOPEN:
    case SQLITE_PERM:
    case SQLITE_AUTH:
      return environment_error(fmt::format(
          "{} cannot be opened: {}; check the folder and its permissions or use --db FILE for "
          "another "
          "database",
          fault.path, fault.system_errno != 0 ? std::strerror(fault.system_errno) : fault.detail));
    case SQLITE_IOERR:
      return io_error(fault);
    case SQLITE_NOTADB:
      return not_ours_error(fault.path, fault.detail);
    case SQLITE_CORRUPT:
      return damaged_error(fault.path, fault.detail);
    case SQLITE_TOOBIG:
      return user_error(fmt::format(
          "{}: a row with a text or blob of more than 256 MiB, which nothing of warpwright's comes "
          "near; take it out, or use --db FILE for another database",
          fault.path));
    case SQLITE_NOMEM:
      return environment_error(fmt::format("{}: out of memory{}; free some memory and run again",
                                           fault.path, safe_clause(fault.committed)));
    default:
      return Error(Fault::kInternal, fmt::format("{}: SQLite error {}: {}; please report this",
                                                 fault.path, fault.code, fault.detail));
  }
}

}  // namespace warpwright
