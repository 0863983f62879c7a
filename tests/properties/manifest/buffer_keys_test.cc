// One buffer of the model under several names: the manifest says which, and all judges go by it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "base/rule_names.h"
#include "properties/oracles/diff_program.h"
#include "properties/proofs/prove.h"
#include "pteproof/check.h"
#include "pteproof/manifest.h"
#include "tests/support/method_builder.h"
#include "tests/support/report_queries.h"

namespace pteproof {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

// put(x): stores x to its buffer.
Method Put(const std::string& name, uint64_t offset) {
  MethodBuilder b("put");
  const int32_t memory = b.Planned(2, offset, {4}, name);
  const int32_t x = b.Planned(1, 0, {4});
  b.Input(x);
  b.Copy(memory, x);
  return b.Build();
}

// get(): returns twice its buffer.
Method Get(const std::string& name, uint64_t offset) {
  MethodBuilder b("get");
  const int32_t memory = b.Planned(2, offset, {4}, name);
  const int32_t out = b.Planned(1, 0, {4});
  b.Add(memory, memory, out);
  b.Output(out);
  return b.Build();
}

Manifest Read(std::string_view json) {
  auto manifest = ParseManifest(json);
  EXPECT_TRUE(manifest.ok());
  return manifest.ok() ? std::move(manifest).value() : Manifest();
}

Manifest OneTensor() {
  return Read(R"({
    "pteproof": 1,
    "buffers": {"m.k": {"shared": true, "names": {"put": ["m.k"], "get": ["model.k"]}}},
    "methods": {
      "put": {"reads": [], "mutates": ["m.k"]},
      "get": {"reads": ["m.k"], "mutates": []}
    }
  })");
}

TEST(BufferKeys, TwoPlacesForOneTensorAreAnError) {
  const Program program = ProgramOf({Put("m.k", 0), Get("model.k", 16)});
  EXPECT_THAT(LinesOf(Check(program), rule::kSharedLayout), IsEmpty());
  const Manifest manifest = OneTensor();
  const Report report = Check(program, {.manifest = &manifest});
  EXPECT_EQ(VerdictRow(report), "unsafe unsafe unsafe");
  EXPECT_THAT(LinesOf(report, rule::kSharedLayout),
              ElementsAre("error shared-layout get v0 bank 2 [16,32) under share-1-2 share-all"));
  const Finding& finding = report.findings.front();
  EXPECT_THAT(finding.fix, HasSubstr("'model.k' of 'get' and 'm.k' of 'put' are one tensor"));
}

TEST(BufferKeys, TheProofAndRunsGoByThemToo) {
  const Manifest manifest = OneTensor();
  const Program apart = ProgramOf({Put("m.k", 0), Get("model.k", 16)});
  const Program one = ProgramOf({Put("m.k", 0), Get("model.k", 0)});
  const auto verdict = [&](const Program& program) {
    const proofs::Proof proof = proofs::Prove(program, {.manifest = &manifest}, {});
    return proof.verdicts[static_cast<size_t>(Policy::kShareAll)];
  };
  EXPECT_EQ(verdict(apart), Verdict::kUnsafe);
  EXPECT_EQ(verdict(one), Verdict::kSafe);
  const auto differs = [&](const Manifest* stated) {
    const DiffOptions options = {.policy = Policy::kShareAll, .manifest = stated};
    return DiffProgram(one, options).disagreement.has_value();
  };
  EXPECT_FALSE(differs(&manifest));
  EXPECT_TRUE(differs(nullptr));  // by their names they are two
}

TEST(BufferKeys, OnePlaceForOneTensorIsRight) {
  const Program program = ProgramOf({Put("m.k", 0), Get("model.k", 0)});
  const Manifest manifest = OneTensor();
  const Report report = Check(program, {.manifest = &manifest});
  EXPECT_THAT(VerdictRow(report), testing::EndsWith("safe safe"));
}

// f(x): returns twice its buffer, and stores x to it.
Method Step(const std::string& method) {
  MethodBuilder b(method);
  const int32_t memory = b.Planned(2, 0, {4}, "m.k");
  const int32_t x = b.Planned(1, 0, {4});
  const int32_t out = b.Planned(1, 16, {4});
  b.Input(x);
  b.Add(memory, memory, out);
  b.Copy(memory, x);
  b.Output(out);
  return b.Build();
}

// Of two models: each method means its own.
TEST(BufferKeys, OnePlaceForTwoTensorsOfOneNameIsAnError) {
  const Program program = ProgramOf({Step("put"), Step("get")});
  const Manifest manifest = Read(R"({
    "pteproof": 1,
    "buffers": {"m.k": {"names": {"put": ["m.k"]}}, "get.m.k": {"names": {"get": ["m.k"]}}},
    "methods": {
      "put": {"reads": ["m.k"], "mutates": ["m.k"]},
      "get": {"reads": ["get.m.k"], "mutates": ["get.m.k"]}
    }
  })");
  EXPECT_EQ(VerdictRow(Check(program, {.manifest = &manifest})), "safe unsafe unsafe");
}

TEST(BufferKeys, AMethodHasANameForOneBuffer) {
  const auto manifest = ParseManifest(R"({
    "pteproof": 1,
    "buffers": {"a": {"names": {"f": ["x"], "g": ["y"]}}, "b": {"names": {"f": ["x"]}}},
    "methods": {"f": {}}
  })");
  ASSERT_FALSE(manifest.ok());
  ASSERT_EQ(manifest.error().size(), 2U);
  EXPECT_EQ(manifest.error()[0].where, "/buffers/a/names/g");
  EXPECT_THAT(manifest.error()[0].what, HasSubstr("/methods has no method \"g\""));
  EXPECT_EQ(manifest.error()[1].where, "/buffers/b/names/f");
  EXPECT_THAT(manifest.error()[1].what, HasSubstr("\"x\" is a name of \"a\" already"));
}

}  // namespace
}  // namespace pteproof
