// Reading, checking and proving hold nothing that threads share: each of eight gets what one gets
// alone. With the preset tsan every access of theirs is watched (scripts/threads).
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <barrier>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "properties/proofs/prove.h"
#include "pteproof/check.h"
#include "pteproof/read.h"
#include "runtime/same_program.h"
#include "tests/support/real_file.h"

namespace pteproof {
namespace {

constexpr size_t kThreads = 8;

// All that a report says.
std::string TextOf(const Report& report) {
  std::string text;
  for (const Finding& f : report.findings) {
    text += fmt::format("{} {} {} {} {} {} {} {} {} {}\n", f.rule, static_cast<int>(f.severity),
                        f.policies.bits, f.undecided, f.method, f.instruction,
                        fmt::join(f.values, ","), f.bank, f.explanation, f.suppressed_because);
    if (f.bytes) text += fmt::format("[{}, {})\n", f.bytes->lo, f.bytes->hi);
  }
  for (const Verdict verdict : report.verdicts)
    text += fmt::format("{} ", static_cast<int>(verdict));
  for (const BankUse& use : report.banks) {
    text += fmt::format("{} {} {} {} {} {}\n", use.method, use.bank, use.size, use.peak, use.load,
                        use.phantom);
  }
  for (const IoOverlay& o : report.overlays) {
    text += fmt::format("{} {} {}\n", o.method, o.output, o.input);
  }
  return text + fmt::format("{}", fmt::join(report.assumptions, "\n"));
}

std::string TextOf(const proofs::Proof& proof) {
  std::string text;
  for (size_t o = 0; o < proof.decisions.size(); ++o) {
    const proofs::Decision& decision = proof.decisions[o];
    text += fmt::format("{} {} {}\n", proof.obligations.list[o].kind,
                        static_cast<int>(decision.answer), fmt::join(decision.core, ", "));
  }
  for (const Verdict verdict : proof.verdicts)
    text += fmt::format("{} ", static_cast<int>(verdict));
  return text;
}

// What each of the threads gets of `work`, which all begin at once; `work` gets its number.
std::vector<std::string> OnThreads(const std::function<std::string(size_t)>& work) {
  std::vector<std::string> texts(kThreads);
  std::barrier start(kThreads);
  {
    std::vector<std::jthread> threads;
    for (size_t t = 0; t < kThreads; ++t) {
      threads.emplace_back([&, t] {
        start.arrive_and_wait();
        texts[t] = work(t);
      });
    }
  }
  return texts;
}

void ExpectAllAre(const std::string& alone, const std::vector<std::string>& texts) {
  for (const std::string& text : texts) EXPECT_EQ(text, alone);
}

// The first thing that this process does: what is made once is made by eight threads.
TEST(AThreads, CheckOneProgramAtOnceBeforeAnythingElseIsDone) {
  const auto root = OwnRealRoot();
  const auto file = ReadReal(root, root / "models/put_get/put_get.pte");
  const auto texts = OnThreads([&](size_t) { return TextOf(Check(*file->program)); });
  ExpectAllAre(TextOf(Check(*file->program)), texts);
}

TEST(Threads, CheckOneProgramAtOnceAndGetOneReport) {
  RecordProperty("slow", "several threads do the same work");
  size_t findings = 0;
  for (const auto& file : ReadAllReal(OwnRealRoot())) {
    if (!file->program.has_value()) continue;
    SCOPED_TRACE(file->name);
    const auto check = [&] { return CheckReal(*file, file->manifest.has_value()); };
    findings += check().findings.size();
    ExpectAllAre(TextOf(check()), OnThreads([&](size_t) { return TextOf(check()); }));
  }
  EXPECT_GT(findings, 50U);
}

TEST(Threads, ReadTheSameBytesAtOnceAndGetOneProgram) {
  RecordProperty("slow", "several threads do the same work");
  for (const auto& file : ReadAllReal(OwnRealRoot())) {
    if (!file->program.has_value() || !file->name.ends_with(".pte")) continue;
    SCOPED_TRACE(file->name);
    ExpectAllAre("same", OnThreads([&](size_t) {
                   const auto read = ReadProgram(file->bytes);
                   const bool same = read.ok() && SameProgram(read.value(), *file->program);
                   return same ? "same" : "another";
                 }));
  }
}

// Each thread begins at another program, so that different ones are under way at once.
TEST(Threads, CheckDifferentProgramsAtOnce) {
  std::vector<std::unique_ptr<const RealFile>> files = ReadAllReal(OwnRealRoot());
  std::erase_if(files, [](const auto& file) { return !file->program.has_value(); });
  std::string alone;
  for (const auto& file : files) alone += TextOf(Check(*file->program)) + "\n";
  ExpectAllAre(alone, OnThreads([&](size_t thread) {
                 const size_t count = files.size();
                 std::vector<std::string> parts(count);
                 for (size_t i = 0; i < count; ++i) {
                   const size_t at = (i + thread * count / kThreads) % count;
                   parts[at] = TextOf(Check(*files[at]->program));
                 }
                 return fmt::format("{}\n", fmt::join(parts, "\n"));
               }));
}

TEST(Threads, ProveOneProgramAtOnceAndGetOneProof) {
  const auto root = OwnRealRoot();
  for (const char* name : {"models/put_get/put_get.pte", "models/cond_state/cond_state.pte",
                           "models/counter_initialized/counter_initialized.pte",
                           "bugs/cond-siblings/cond-siblings.pte"}) {
    SCOPED_TRACE(name);
    const auto file = ReadReal(root, root / name);
    const auto prove = [&] { return TextOf(proofs::Prove(*file->program, {})); };
    const std::string alone = prove();
    EXPECT_FALSE(alone.empty());
    ExpectAllAre(alone, OnThreads([&](size_t) { return prove(); }));
  }
}

}  // namespace
}  // namespace pteproof
