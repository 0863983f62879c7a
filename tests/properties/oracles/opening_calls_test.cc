#include "properties/oracles/opening_calls.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "properties/manifest/calls.h"
#include "tests/support/method_builder.h"

namespace pteproof {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

// `get` gives an output and takes nothing; `init` and `warm` neither give nor take anything.
Program InitWarmGet() {
  MethodBuilder get("get");
  get.Output(get.Planned(1, 0, {4}));
  return ProgramOf({get.Build(), MethodBuilder("init").Build(), MethodBuilder("warm").Build()});
}

std::vector<std::string> OpeningOf(const std::string& calls) {
  Manifest manifest;
  manifest.calls = CallProtocol{calls, ParseCalls(calls).value()};
  return OpeningCalls(InitWarmGet(), &manifest);
}

TEST(OpeningCalls, AreThoseThatEveryHistoryBeginsWith) {
  EXPECT_THAT(OpeningOf("init (get | warm)*"), ElementsAre("init"));
  EXPECT_THAT(OpeningOf("init warm get*"), ElementsAre("init", "warm"));
  EXPECT_THAT(OpeningOf("init+ get"), ElementsAre("init"));
}

TEST(OpeningCalls, AreNoneIfAnotherCallMayComeFirst) {
  EXPECT_THAT(OpeningOf("init? get*"), IsEmpty());
  EXPECT_THAT(OpeningOf("(init | warm) get*"), IsEmpty());
  EXPECT_THAT(OpeningOf("get init"), IsEmpty());
  EXPECT_THAT(OpeningCalls(InitWarmGet(), nullptr), IsEmpty());
  const Manifest silent;
  EXPECT_THAT(OpeningCalls(InitWarmGet(), &silent), IsEmpty());
}

TEST(OpeningCalls, GoAheadOfRecordedCallsOnce) {
  Manifest manifest;
  manifest.calls = CallProtocol{"init get*", ParseCalls("init get*").value()};
  Recording recording;
  recording.sequences.resize(2);
  for (const char* method : {"get", "get"}) {
    recording.sequences[0].calls.emplace_back().method = method;
  }
  recording.sequences[1].calls.emplace_back().method = "init";
  AddOpeningCalls(InitWarmGet(), &manifest, recording);
  ASSERT_EQ(recording.sequences[0].calls.size(), 3U);
  EXPECT_EQ(recording.sequences[0].calls[0].method, "init");
  EXPECT_EQ(recording.sequences[0].calls[0].truth, Truth::kSkip);
  EXPECT_EQ(recording.sequences[1].calls.size(), 1U);
}

}  // namespace
}  // namespace pteproof
