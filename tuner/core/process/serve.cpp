#include "core/process/serve.h"

#include <unistd.h>

#include <array>
#include <exception>
#include <new>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "core/notices.h"
#include "core/process/memory_limit.h"

namespace warpwright {
namespace {

constexpr std::array<std::pair<Fault, const char*>, 3> kFaults = {{
    {Fault::kUser, "user"},
    {Fault::kEnvironment, "environment"},
    {Fault::kInternal, "internal"},
}};

const char* fault_name(Fault fault) {
  for (const auto& [one, name] : kFaults)
    if (one == fault) return name;
  check_failed("a fault has a name", __FILE__, __LINE__, "a fault without a name");
}

Fault fault_of(const std::string& name) {
  for (const auto& [fault, known] : kFaults)
    if (known == name) return fault;
  return Fault::kInternal;
}

}  // namespace

nlohmann::json error_frame(const Error& error) {
  nlohmann::json content = {{"fault", fault_name(error.fault())}, {"message", error.what()}};
  if (const SourceLocation& where = error.where(); where.known())
    content["place"] = {{"file", where.file}, {"line", where.line}, {"column", where.column}};
  return {{"error", std::move(content)}};
}

std::optional<Error> reported_error(const nlohmann::json& message) {
  const auto error = message.find("error");
  if (error == message.end()) return std::nullopt;
  const auto fault = error->find("fault");
  const auto text = error->find("message");
  if (fault == error->end() || text == error->end()) return std::nullopt;
  if (!fault->is_string() || !text->is_string()) return std::nullopt;
  auto said = text->get<std::string>();
  SourceLocation where;
  if (const auto place = error->find("place"); place != error->end()) {
    where = {place->value("file", ""), place->value("line", 0), place->value("column", 0)};
    const std::string lead = where.to_string() + ": ";
    if (!said.starts_with(lead)) return std::nullopt;
    said.erase(0, lead.size());
  }
  return Error(fault_of(fault->get<std::string>()), where, std::move(said));
}

std::optional<int> report_errors(WorkerChannel& channel, const std::function<void()>& body) {
  const auto report = [&channel](const Error& error) {
    channel.send(error_frame(error));
    return error.exit_code();
  };
  try {
    body();
    return std::nullopt;
  } catch (const std::bad_alloc&) {
    ::_exit(kOutOfMemoryExit);
  } catch (const Error& error) {
    return report(error);
  } catch (const std::exception& error) {
    return report(Error(Fault::kInternal, error.what()));
  }
}

int serve(WorkerChannel& channel, Serving serving,
          const std::function<nlohmann::json(nlohmann::json& message)>& answer) {
  bool answered = false;
  nlohmann::json message;
  while (channel.receive(message)) {
    const std::optional<int> failed =
        report_errors(channel, [&] { channel.send(with_notices(answer(message))); });
    if (failed && !(answered && serving == Serving::kOnceItAnswers)) return *failed;
    if (serving == Serving::kOneMessage) return 0;
    answered = true;
  }
  return 0;
}

}  // namespace warpwright
