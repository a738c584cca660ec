#include "core/process/serve.h"

#include <gmock/gmock.h>

#include <chrono>
#include <new>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>

#include "core/notices.h"
#include "core/process/memory_limit.h"
#include "core/process/subprocess.h"
#include "support/test_worker.h"

namespace warpwright::testing {
namespace {

using nlohmann::json;
using std::chrono::milliseconds;

constexpr milliseconds kServePatience{20'000};

// Messages are {"do": "answer"|"fail"|"throw"|"exhaust"|"note"}.
json obey(const json& message) {
  const auto what = message.at("do").get<std::string>();
  if (what == "fail") throw user_error("k.yaml:1:1: no");
  if (what == "throw") throw std::runtime_error("of another type");
  if (what == "exhaust") throw std::bad_alloc();
  if (what == "note") add_notice("noted");
  return {{"did", what}};
}

int serve_as(Serving serving) {
  WorkerChannel channel;
  return serve(channel, serving, [](json& message) { return obey(message); });
}

WARPWRIGHT_TEST_WORKER(serves_one) { return serve_as(Serving::kOneMessage); }
WARPWRIGHT_TEST_WORKER(serves_until_an_error) { return serve_as(Serving::kUntilAnError); }
WARPWRIGHT_TEST_WORKER(serves_once_it_answers) { return serve_as(Serving::kOnceItAnswers); }

json ask(Subprocess& worker, const std::string& what) {
  json reply;
  if (!worker.send({{"do", what}})) return "not sent";
  if (worker.receive(reply, kServePatience) != Subprocess::ReadResult::kMessage) return "closed";
  return reply;
}

const json kUserFrame = error_frame(user_error("k.yaml:1:1: no"));

TEST(ErrorFrame, CarriesFaultAndMessage) {
  EXPECT_EQ(kUserFrame.dump(), R"({"error":{"fault":"user","message":"k.yaml:1:1: no"}})");
}

TEST(ErrorFrame, IsReadBackForEveryFault) {
  for (const Fault fault : {Fault::kUser, Fault::kEnvironment, Fault::kInternal}) {
    const auto error = reported_error(error_frame(Error(fault, "a text")));
    ASSERT_TRUE(error);
    EXPECT_EQ(error->fault(), fault);
    EXPECT_EQ(error->message(), "a text");
  }
}

TEST(ErrorFrame, KeepsThePlace) {
  const SourceLocation place{"kernels/x/kernel.yaml", 12, 5};
  const auto error = reported_error(error_frame(user_error(place, "no").add_context("of x")));
  ASSERT_TRUE(error);
  EXPECT_EQ(error->where(), place);
  EXPECT_EQ(error->message(), "kernels/x/kernel.yaml:12:5: no\n  of x");
  EXPECT_EQ(error->text(), "no\n  of x");
}

TEST(ErrorFrame, IsFoundInALargerMessage) {
  json message = kUserFrame;
  message["is"] = "claimed";
  EXPECT_TRUE(reported_error(message));
}

TEST(ErrorFrame, OtherMessagesReportNoError) {
  for (const json& message : {json("text"), json(nullptr), json{{"did", 1}},
                              json{{"error", "text"}}, json{{"error", {{"fault", "user"}}}}})
    EXPECT_FALSE(reported_error(message)) << message;
}

TEST(Serve, AWorkerForOneMessageEndsAfterIt) {
  Subprocess worker(test_worker_command("serves_one"));
  EXPECT_EQ(ask(worker, "answer"), (json{{"did", "answer"}}));
  EXPECT_EQ(worker.wait().code, 0);
}

TEST(Serve, AnAnswerCarriesTheNotices) {
  Subprocess worker(test_worker_command("serves_one"));
  EXPECT_EQ(ask(worker, "note").at("notices"), json::array({"noted"}));
}

TEST(Serve, AnErrorEndsTheWorker) {
  Subprocess worker(test_worker_command("serves_until_an_error"));
  EXPECT_EQ(ask(worker, "answer"), (json{{"did", "answer"}}));
  EXPECT_EQ(ask(worker, "fail"), kUserFrame);
  EXPECT_EQ(worker.wait().code, 2);
}

TEST(Serve, AWorkerThatHasAnsweredOutlivesAnError) {
  Subprocess worker(test_worker_command("serves_once_it_answers"));
  EXPECT_EQ(ask(worker, "answer"), (json{{"did", "answer"}}));
  EXPECT_EQ(ask(worker, "fail"), kUserFrame);
  EXPECT_EQ(ask(worker, "answer"), (json{{"did", "answer"}}));
}

TEST(Serve, AnErrorThatIsTheFirstReplyEndsTheWorker) {
  Subprocess worker(test_worker_command("serves_once_it_answers"));
  EXPECT_EQ(ask(worker, "fail"), kUserFrame);
  EXPECT_EQ(worker.wait().code, 2);
}

TEST(Serve, OtherExceptionsAreInternalErrors) {
  Subprocess worker(test_worker_command("serves_until_an_error"));
  EXPECT_EQ(ask(worker, "throw"), error_frame(Error(Fault::kInternal, "of another type")));
  EXPECT_EQ(worker.wait().code, 3);
}

TEST(Serve, AWorkerThatRunsOutOfMemoryEndsWithItsCode) {
  Subprocess worker(test_worker_command("serves_once_it_answers"));
  EXPECT_EQ(ask(worker, "exhaust"), "closed");
  EXPECT_EQ(worker.wait().code, kOutOfMemoryExit);
}

}  // namespace
}  // namespace warpwright::testing
