// For source files: the JSON of a struct from one declaration of its members, so that writing and
// reading cannot differ. WARPWRIGHT_CODEC lists members that are stored under their own names:
//
//   WARPWRIGHT_CODEC(Reading, protocol, value_us)
//
// WARPWRIGHT_MEMBERS is followed by a block with one statement for each member, for all other
// cases, and WARPWRIGHT_CODEC_OF defines the functions from it:
//
//   WARPWRIGHT_MEMBERS(Race, io, race) {
//     io("problem", race.problem_text);                // under another name
//     io.unless_empty("notes", race.notes);            // no key for {}, "", false and nullopt
//     io.named("status", race.status, status_name, parse_status);
//     io.unbounded("worst", race.worst);               // JSON has no infinity: it is null
//     io.as("texts", race.texts, texts_to_json, texts_from_json);
//   }
//   WARPWRIGHT_CODEC_OF(Race)
//
// An empty std::optional is null, and is also read where the key is missing. Durations are counts
// of their unit, paths are strings. Any other member that is missing or has another type throws
// nlohmann::json::exception, with the names of the struct and the member. The codecs named
// WARPWRIGHT_STORED_... are for records in databases, which other versions of warpwright may have
// written with more or fewer members: such members are left as they are.
//
// The functions are ordinary ones: only the source that defines them needs <nlohmann/json.hpp>.
#pragma once

#include <chrono>
#include <cmath>
#include <filesystem>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace warpwright {

// Conversions of single values.

template <class T>
[[nodiscard]] nlohmann::json member_json(const T& value) {
  return value;
}
template <class Count, class Period>
[[nodiscard]] nlohmann::json member_json(const std::chrono::duration<Count, Period>& value) {
  return value.count();
}
[[nodiscard]] inline nlohmann::json member_json(const std::filesystem::path& value) {
  return value.string();
}
[[nodiscard]] inline nlohmann::json member_json(const std::vector<std::filesystem::path>& value) {
  nlohmann::json list = nlohmann::json::array();
  for (const std::filesystem::path& path : value) list.push_back(path.string());
  return list;
}
template <class T>
[[nodiscard]] nlohmann::json member_json(const std::optional<T>& value) {
  return value ? member_json(*value) : nlohmann::json(nullptr);
}

template <class T>
void get_member(const nlohmann::json& from, T& to) {
  to = from.get<T>();
}
template <class Count, class Period>
void get_member(const nlohmann::json& from, std::chrono::duration<Count, Period>& to) {
  to = std::chrono::duration<Count, Period>(from.get<Count>());
}
inline void get_member(const nlohmann::json& from, std::filesystem::path& to) {
  to = from.get<std::string>();
}
inline void get_member(const nlohmann::json& from, std::vector<std::filesystem::path>& to) {
  to.clear();
  for (const nlohmann::json& path : from) to.emplace_back(path.get<std::string>());
}
template <class T>
void get_member(const nlohmann::json& from, std::optional<T>& to) {
  to.reset();
  if (from.is_null()) return;
  T value{};
  get_member(from, value);
  to = std::move(value);
}

// null for an unknown value.
template <class T>
[[nodiscard]] nlohmann::json json_or_null(const std::optional<T>& value) {
  return member_json(value);
}

// Reads a member that is present and has a fitting type; otherwise leaves `to` as it is.
template <class T>
void read_member(const nlohmann::json& from, const char* name, T& to) {
  const auto found = from.find(name);
  if (found == from.end() || found->is_null()) return;
  try {
    T value{};
    get_member(*found, value);
    to = std::move(value);
  } catch (const nlohmann::json::exception&) {
    return;
  }
}

// The three classes that a declaration of members is used with.

class MemberWriter {
 public:
  explicit MemberWriter(nlohmann::json& to) : to_(to) { to_ = nlohmann::json::object(); }

  template <class T>
  void operator()(const char* name, const T& value) {
    to_[name] = member_json(value);
  }
  template <class T>
  void unless_empty(const char* name, const T& value) {
    if (!is_empty(value)) to_[name] = member_json(value);
  }
  template <class T, class NameOf, class Parse>
  void named(const char* name, const T& value, NameOf name_of, Parse) {
    to_[name] = name_of(value);
  }
  template <class T, class Write, class Read>
  void as(const char* name, const T& value, Write write, Read) {
    to_[name] = write(value);
  }
  void unbounded(const char* name, double value) {
    to_[name] = std::isfinite(value) ? nlohmann::json(value) : nlohmann::json(nullptr);
  }

 private:
  static bool is_empty(bool value) { return !value; }
  template <class T>
  static bool is_empty(const std::optional<T>& value) {
    return !value;
  }
  template <class T>
  static bool is_empty(const T& value) {
    return value.empty();
  }

  nlohmann::json& to_;
};

class MemberReader {
 public:
  MemberReader(const nlohmann::json& from, const char* type) : from_(from), type_(type) {}

  template <class T>
  void operator()(const char* name, T& value) {
    required(name, [&](const nlohmann::json& found) { get_member(found, value); });
  }
  template <class T>
  void operator()(const char* name, std::optional<T>& value) {
    unless_empty(name, value);
  }
  template <class T>
  void unless_empty(const char* name, T& value) {
    if (from_.contains(name))
      required(name, [&](const nlohmann::json& found) { get_member(found, value); });
    else
      value = T{};
  }
  template <class T, class NameOf, class Parse>
  void named(const char* name, T& value, NameOf, Parse parse) {
    required(name, [&](const nlohmann::json& found) {
      const auto known = parse(found.get<std::string>());
      if (!known) refuse(name, "has the unknown value " + found.dump());
      value = *known;
    });
  }
  template <class T, class Write, class Read>
  void as(const char* name, T& value, Write, Read read) {
    required(name, [&](const nlohmann::json& found) { value = read(found); });
  }

 private:
  [[noreturn]] void refuse(const char* name, const std::string& why) const {
    throw nlohmann::json::other_error::create(501, std::string(type_) + "." + name + " " + why,
                                              nullptr);
  }
  // An exception of a struct within this one passes: it names its own struct and member.
  template <class Read>
  void required(const char* name, Read read) const {
    const auto found = from_.find(name);
    if (found == from_.end()) refuse(name, "is missing");
    try {
      read(*found);
    } catch (const nlohmann::json::type_error& error) {
      refuse(name, std::string("has another type: ") + error.what());
    } catch (const nlohmann::json::out_of_range& error) {
      refuse(name, std::string("lacks a part: ") + error.what());
    }
  }

  const nlohmann::json& from_;
  const char* type_;
};

class StoredMemberReader {
 public:
  StoredMemberReader(const nlohmann::json& from, const char* /*type*/) : from_(from) {}

  template <class T>
  void operator()(const char* name, T& value) {
    read_member(from_, name, value);
  }
  template <class T>
  void unless_empty(const char* name, T& value) {
    read_member(from_, name, value);
  }
  template <class T, class NameOf, class Parse>
  void named(const char* name, T& value, NameOf, Parse parse) {
    std::string text;
    read_member(from_, name, text);
    if (const auto known = parse(text)) value = *known;
  }
  void unbounded(const char* name, double& value) {
    const auto found = from_.find(name);
    if (found == from_.end()) return;
    value = found->is_number() ? found->get<double>() : std::numeric_limits<double>::infinity();
  }

 private:
  const nlohmann::json& from_;
};

}  // namespace warpwright

#define WARPWRIGHT_MEMBERS(Type, io, it)                                                \
  constexpr const char* codec_name(std::type_identity<Type> /*type*/) { return #Type; } \
  template <class Io, class It>                                                         \
  void visit_members(std::type_identity<Type> /*type*/, Io& io, It& it)

#define WARPWRIGHT_CODEC_WITH(Reader, Type)                  \
  void to_json(nlohmann::json& to, const Type& from) {       \
    MemberWriter io(to);                                     \
    visit_members(std::type_identity<Type>{}, io, from);     \
  }                                                          \
  void from_json(const nlohmann::json& from, Type& to) {     \
    Reader io(from, codec_name(std::type_identity<Type>{})); \
    visit_members(std::type_identity<Type>{}, io, to);       \
  }
#define WARPWRIGHT_CODEC_OF(Type) WARPWRIGHT_CODEC_WITH(MemberReader, Type)
#define WARPWRIGHT_STORED_CODEC_OF(Type) WARPWRIGHT_CODEC_WITH(StoredMemberReader, Type)

#define WARPWRIGHT_MEMBER(member) io(#member, it.member);
#define WARPWRIGHT_MEMBERS_NAMED(Type, ...)                                    \
  WARPWRIGHT_MEMBERS(Type, io, it) {                                           \
    NLOHMANN_JSON_EXPAND(NLOHMANN_JSON_PASTE(WARPWRIGHT_MEMBER, __VA_ARGS__)); \
  }
#define WARPWRIGHT_CODEC(Type, ...)           \
  WARPWRIGHT_MEMBERS_NAMED(Type, __VA_ARGS__) \
  WARPWRIGHT_CODEC_OF(Type)
#define WARPWRIGHT_STORED_CODEC(Type, ...)    \
  WARPWRIGHT_MEMBERS_NAMED(Type, __VA_ARGS__) \
  WARPWRIGHT_STORED_CODEC_OF(Type)
