// The C interface, called as a program that links to the shared library calls it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <cstdlib>
#include <fstream>
#include <initializer_list>
#include <iterator>
#include <memory>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "pteproof/pteproof.h"

namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

struct Free {
  void operator()(pteproof_call* call) const { pteproof_call_free(call); }
};
using Owned = std::unique_ptr<pteproof_call, Free>;

std::string Content(const std::string& name) {
  std::ifstream stream(PTEPROOF_CORPUS_DIR "/" + name, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

const std::string& Safe() {
  static const std::string content = Content("public/add_model.pte");
  return content;
}

const std::string& Unsafe() {
  static const std::string content = Content("real/bugs/cond-siblings/cond-siblings.pte");
  return content;
}

std::string Text(pteproof_bytes bytes) {
  return bytes.size == 0 ? "" : std::string(static_cast<const char*>(bytes.data), bytes.size);
}

// Null where it is refused.
Owned Made(std::string_view options, const pteproof_settings* settings = nullptr) {
  pteproof_call* call = nullptr;
  const int32_t code = pteproof_call_make(options.data(), options.size(), settings, &call);
  EXPECT_EQ(code == PTEPROOF_SAFE, call != nullptr);
  return Owned(call);
}

Owned MadeOfWords(const std::vector<const char*>& words) {
  pteproof_call* call = nullptr;
  EXPECT_EQ(pteproof_call_make_of_words(words.data(), words.size(), nullptr, &call), 0);
  return Owned(call);
}

void Lend(const Owned& call, const char* name, const std::string& content) {
  EXPECT_EQ(pteproof_call_lend(call.get(), name, content.data(), content.size()), 0);
}
void Lend(const Owned&, const char*, const std::string&&) = delete;  // it would not last

TEST(CallOfC, ChecksBytesInMemory) {
  const auto check = [](const std::string& content) {
    const Owned call = Made(R"({"verb": "check", "files": ["m"], "json": true})");
    Lend(call, "m", content);
    const int32_t code = pteproof_call_run(call.get());
    EXPECT_EQ(pteproof_call_code(call.get()), code);
    EXPECT_THAT(Text(pteproof_call_output(call.get())), StartsWith("{"));
    return code;
  };
  EXPECT_EQ(check(Safe()), PTEPROOF_SAFE);
  EXPECT_EQ(check(Unsafe()), PTEPROOF_UNSAFE);
  EXPECT_EQ(check(Safe().substr(0, 100)), PTEPROOF_MALFORMED);
  EXPECT_EQ(check(""), PTEPROOF_MALFORMED);
}

TEST(CallOfC, HandsBackBothFormsOfAReport) {
  const Owned call = Made(R"({"verb": "check", "files": "m", "json": true})");
  Lend(call, "m", Unsafe());
  ASSERT_EQ(pteproof_call_run(call.get()), PTEPROOF_UNSAFE);
  EXPECT_THAT(Text(pteproof_call_output(call.get())), HasSubstr("\"rule\":"));
  EXPECT_THAT(Text(pteproof_call_text(call.get())), HasSubstr("region-escape"));
  EXPECT_THAT(Text(pteproof_call_complaints(call.get())), IsEmpty());
}

TEST(CallOfC, TakesTheWordsOfACommandLine) {
  const Owned call = MadeOfWords({"rules", "plan-overlap"});
  EXPECT_EQ(pteproof_call_run(call.get()), PTEPROOF_SAFE);
  EXPECT_THAT(Text(pteproof_call_output(call.get())), HasSubstr("plan-overlap"));
}

TEST(CallOfC, KeepsWhatItWouldWrite) {
  const Owned call = Made(R"({"verb": "replan", "files": "m.pte", "output": "out.pte"})");
  Lend(call, "m.pte", Safe());
  EXPECT_EQ(pteproof_call_keep(call.get(), "out.pte"), 0);
  ASSERT_EQ(pteproof_call_run(call.get()), PTEPROOF_SAFE)
      << Text(pteproof_call_complaints(call.get()));
  EXPECT_EQ(Text(pteproof_call_kept(call.get(), "out.pte")).substr(4, 2), "ET");
  EXPECT_EQ(pteproof_call_kept(call.get(), "other").size, 0U);
}

TEST(OptionsOfC, AreFlagsByTheirLongNames) {
  const auto said = [](std::string_view options) {
    const Owned call = Made(options);
    Lend(call, "-m", Safe());
    EXPECT_EQ(pteproof_call_run(call.get()), PTEPROOF_SAFE);
    return Text(pteproof_call_output(call.get()));
  };
  EXPECT_EQ(said(R"({"verb": "check", "files": "-m", "quiet": true, "policy": "private",
                     "github": false, "manifest": null, "timeout": 1.5, "optimum": true})"),
            "-m: safe with C++ Module's default (private)\n");
  EXPECT_EQ(said(R"({"verb": "diff", "files": ["-m"], "seed": 3, "json": false,
                     "sequences": 2})"),
            said(R"({"verb": "diff", "files": ["-m"], "seed": 3,
                     "sequences": 2})"));
}

TEST(OptionsOfC, AreRefusedUnlessTheyAreAnObjectWithAVerb) {
  for (const char* options :
       {"", "[]", "{", "12", R"({"files": "m"})", R"({"verb": 3})", R"({"verb": ""})",
        R"({"verb": "--help"})", R"({"verb": "check", "files": 3})",
        R"({"verb": "check", "files": [3]})", R"({"verb": "check", "policy": {}})",
        R"({"verb": "check", "policy": [["private"]]})", R"({"verb": "check", "-x": true})",
        R"({"verb": "check", "a=b": true})", R"({"verb": "check", "j": 2})"}) {
    EXPECT_EQ(Made(options), nullptr) << options;
  }
  const std::string deep(1 << 20, '[');
  EXPECT_EQ(Made(deep), nullptr);
}

TEST(OptionsOfC, ThatTheVerbDoesNotHaveAreExplained) {
  const Owned call = Made(R"({"verb": "check", "files": "m", "polcy": "private"})");
  EXPECT_EQ(pteproof_call_run(call.get()), PTEPROOF_USAGE);
  EXPECT_THAT(Text(pteproof_call_complaints(call.get())), HasSubstr("did you mean '--policy'"));
}

TEST(CallOfC, LeavesTheProcessAsItIs) {
  const char* before = std::getenv("FORCE_COLOR");
  const Owned coloured = Made(R"({"verb": "rules", "color": "always"})");
  EXPECT_EQ(pteproof_call_run(coloured.get()), PTEPROOF_SAFE);
  EXPECT_EQ(std::getenv("FORCE_COLOR"), before);
  const Owned other = MadeOfWords({"dev", "mutants"});  // the command becomes another program
  EXPECT_EQ(pteproof_call_run(other.get()), PTEPROOF_USAGE);
  EXPECT_THAT(Text(pteproof_call_complaints(other.get())), HasSubstr("start the command"));
}

TEST(CallOfC, IsEmptyUntilItHasEnded) {
  const Owned call = Made(R"({"verb": "rules"})");
  EXPECT_EQ(pteproof_call_code(call.get()), PTEPROOF_USAGE);
  EXPECT_EQ(pteproof_call_output(call.get()).size, 0U);
  EXPECT_EQ(pteproof_call_wait(call.get(), 0), 0);
  pteproof_call_stop(call.get());  // nothing runs
  EXPECT_EQ(pteproof_call_start(call.get()), 0);
  EXPECT_EQ(pteproof_call_wait(call.get(), -1), 1);
  EXPECT_EQ(pteproof_call_code(call.get()), PTEPROOF_SAFE);
}

TEST(CallOfC, StartsOnceAndTakesNothingAfterwards) {
  const Owned call = Made(R"({"verb": "rules"})");
  EXPECT_EQ(pteproof_call_run(call.get()), PTEPROOF_SAFE);
  EXPECT_EQ(pteproof_call_start(call.get()), PTEPROOF_USAGE);
  EXPECT_EQ(pteproof_call_run(call.get()), PTEPROOF_USAGE);
  EXPECT_EQ(pteproof_call_lend(call.get(), "m", "", 0), PTEPROOF_USAGE);
  EXPECT_EQ(pteproof_call_keep(call.get(), "m"), PTEPROOF_USAGE);
}

constexpr std::string_view kLong = R"({"verb": "diff", "files": "m", "time": 100})";

TEST(CallOfC, IsStoppedFromAnotherThread) {
  const std::string shared = Content("real/models/put_get/put_get.pte");
  const Owned call = Made(kLong);
  Lend(call, "m", shared);
  ASSERT_EQ(pteproof_call_start(call.get()), 0);
  EXPECT_EQ(pteproof_call_wait(call.get(), 100), 0);
  std::thread([&] { pteproof_call_stop(call.get()); }).join();
  EXPECT_EQ(pteproof_call_wait(call.get(), -1), 1);
  EXPECT_EQ(pteproof_call_code(call.get()), PTEPROOF_STOPPED);
}

TEST(CallOfC, IsStoppedWhenItIsFreed) {
  const std::string shared = Content("real/models/put_get/put_get.pte");
  const Owned call = Made(kLong);
  Lend(call, "m", shared);
  EXPECT_EQ(pteproof_call_start(call.get()), 0);
}

TEST(CallOfC, TellsItsProgress) {
  std::atomic<size_t> told = 0;
  const auto tell = [](void* user, const char* stage, size_t, size_t) {
    if (*stage != '\0') ++*static_cast<std::atomic<size_t>*>(user);
  };
  const pteproof_settings settings = {sizeof(settings), tell, &told};
  const Owned call = Made(R"({"verb": "check", "files": ["a", "b", "c"]})", &settings);
  for (const char* name : {"a", "b", "c"}) Lend(call, name, Safe());
  EXPECT_EQ(pteproof_call_run(call.get()), PTEPROOF_SAFE);
  EXPECT_GE(told, 3U);
}

TEST(CallOfC, RefusesSettingsThatItDoesNotKnow) {
  pteproof_settings settings = {};
  settings.size = sizeof(settings) - 1;
  EXPECT_EQ(Made(R"({"verb": "rules"})", &settings), nullptr);
}

TEST(CallOfC, TellsAWrongManifest) {
  const Owned call = Made(R"({"verb": "check", "files": "m", "manifest": "x.json"})");
  const std::string wrong = R"({"pteproof": 1, "polizy": "private"})";
  Lend(call, "m", Safe());
  Lend(call, "x.json", wrong);
  EXPECT_EQ(pteproof_call_run(call.get()), PTEPROOF_USAGE);
  EXPECT_EQ(pteproof_call_has_wrong_manifest(call.get()), 1);
}

TEST(CallsOfC, RunSideBySide) {
  std::atomic<int> right = 0;
  std::vector<std::thread> threads;
  for (int t = 0; t < 8; ++t) {
    threads.emplace_back([&, t] {
      const Owned call = Made(R"({"verb": "check", "files": "m"})");
      Lend(call, "m", t % 2 == 0 ? Safe() : Unsafe());
      right += pteproof_call_run(call.get()) == t % 2 ? 1 : 0;
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(right, 8);
}

TEST(LibraryOfC, SaysItsVersions) {
  EXPECT_EQ(pteproof_abi(), PTEPROOF_ABI);
  EXPECT_THAT(pteproof_version(), ::testing::MatchesRegex("[0-9]+\\.[0-9]+\\.[0-9]+"));
}

TEST(LibraryOfC, TakesNullPointersForWrongUse) {
  pteproof_call* call = nullptr;
  EXPECT_EQ(pteproof_call_make("{}", 2, nullptr, nullptr), PTEPROOF_USAGE);
  EXPECT_EQ(pteproof_call_make(nullptr, 0, nullptr, &call), PTEPROOF_USAGE);
  EXPECT_EQ(pteproof_call_make_of_words(nullptr, 1, nullptr, &call), PTEPROOF_USAGE);
  const std::array<const char*, 2> hole = {"rules", nullptr};
  EXPECT_EQ(pteproof_call_make_of_words(hole.data(), 2, nullptr, &call), PTEPROOF_USAGE);
  EXPECT_EQ(call, nullptr);
  EXPECT_EQ(pteproof_call_lend(nullptr, "m", "", 0), PTEPROOF_USAGE);
  EXPECT_EQ(pteproof_call_keep(nullptr, "m"), PTEPROOF_USAGE);
  EXPECT_EQ(pteproof_call_start(nullptr), PTEPROOF_USAGE);
  EXPECT_EQ(pteproof_call_run(nullptr), PTEPROOF_USAGE);
  EXPECT_EQ(pteproof_call_code(nullptr), PTEPROOF_USAGE);
  EXPECT_EQ(pteproof_call_wait(nullptr, -1), 0);
  EXPECT_EQ(pteproof_call_output(nullptr).size, 0U);
  EXPECT_EQ(pteproof_call_kept(nullptr, "m").size, 0U);
  EXPECT_EQ(pteproof_call_has_wrong_manifest(nullptr), 0);
  EXPECT_EQ(pteproof_look_for_solver(nullptr, 1), PTEPROOF_USAGE);
  pteproof_call_stop(nullptr);
  pteproof_call_free(nullptr);
  const Owned made = Made(R"({"verb": "check", "files": "m"})");
  EXPECT_EQ(pteproof_call_lend(made.get(), nullptr, "", 0), PTEPROOF_USAGE);
  EXPECT_EQ(pteproof_call_lend(made.get(), "m", nullptr, 1), PTEPROOF_USAGE);
  EXPECT_EQ(pteproof_call_kept(made.get(), nullptr).size, 0U);
}

// In a process of its own: what is opened stays open.
TEST(SolverOfC, IsToldWhenItIsMissing) {
  const auto prove = [] {
    const std::array<const char*, 1> nowhere = {"/nowhere/libz3.so"};
    if (pteproof_look_for_solver(nowhere.data(), 1) != 0 || pteproof_solver() != nullptr) return 1;
    const Owned call = Made(R"({"verb": "prove", "files": "m"})");
    Lend(call, "m", Safe());
    const int32_t code = pteproof_call_run(call.get());
    const std::string said = Text(pteproof_call_complaints(call.get()));
    return said.find("/nowhere/libz3.so") == std::string::npos ? 2 : code;
  };
  ::testing::FLAGS_gtest_death_test_style = "threadsafe";
  EXPECT_EXIT(std::_Exit(prove()), ::testing::ExitedWithCode(PTEPROOF_NO_SOLVER), "");
}

}  // namespace
