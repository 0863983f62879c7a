// Buffers that a delegate has for itself, beside others that have a buffer of that name.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/rule_names.h"
#include "pteproof/check.h"
#include "runtime/delegates/opened_blob.h"
#include "tests/support/method_builder.h"
#include "tests/support/report_queries.h"

namespace pteproof {
namespace {

using delegates::BlobState;
using delegates::OpenedBlob;
using testing::ElementsAre;
using testing::IsEmpty;

// A call of a delegate with one input and one output.
struct Delegated {
  MethodBuilder b;
  int32_t x = -1;
  int32_t made = -1;

  explicit Delegated(std::string name) : b(std::move(name)) {
    x = b.Planned(1, 0, {8});
    made = b.Planned(1, 32, {8});
    b.Input(x);
    b.Output(made);
  }

  Delegated& With(std::vector<BlobState> states, std::string_view backend = "MLX") {
    b.Delegate({x, made});
    OpenedBlob opened{.backend = backend};
    opened.values = {{.name = "x", .made = true}, {.name = "made", .made = true}};
    opened.inputs = {{0}};
    opened.outputs = {{1}};
    opened.states = std::move(states);
    opened.plain_letters = backend == "Core ML";
    opened.shares_states = backend == "native";
    b.method().delegates.back().opened = std::make_shared<const OpenedBlob>(std::move(opened));
    return *this;
  }
};

Method Keeps(const char* name, const char* buffer, bool updates, std::string_view backend) {
  return Delegated(name).With({{buffer, -1, updates}}, backend).b.Build();
}

// The rest of a method stores to the buffer, or reads it.
Method Stores(std::string_view buffer) {
  Delegated put("put");
  const int32_t state = put.b.Planned(2, 0, {8}, buffer);
  put.b.Add(put.x, state, put.made);
  put.b.Copy(state, put.made);
  return put.b.Build();
}

std::vector<std::string> Told(const Program& program) {
  return LinesOf(Check(program), rule::kMutabilityMismatch);
}

TEST(KeptBuffers, OfTwoMethodsAreOpen) {
  const Program program =
      ProgramOf({Keeps("put", "a.total", true, "MLX"), Keeps("get", "a.total", false, "MLX")});
  EXPECT_THAT(Told(program), ElementsAre("note mutability-mismatch get#0 undecided"));
  EXPECT_EQ(VerdictRow(Check(program)), "undecided undecided undecided");
}

TEST(KeptBuffers, OfTwoMethodsAreWrongIfTheModelHasOne) {
  const Program program =
      ProgramOf({Keeps("put", "a.total", true, "MLX"), Keeps("get", "a.total", false, "MLX")});
  const auto told = [&](const char* shared) {
    return LinesOf(
        CheckWith(program, std::string(R"({"pteproof": 1, "buffers": {"a.total": {"shared": )") +
                               shared + "}}}"),
        rule::kMutabilityMismatch);
  };
  EXPECT_THAT(told("true"), ElementsAre("error mutability-mismatch get#0"));
  EXPECT_THAT(told("false"), IsEmpty());
}

TEST(KeptBuffers, AreRightIfNobodyStores) {
  EXPECT_THAT(Told(ProgramOf(
                  {Keeps("put", "a.total", false, "MLX"), Keeps("get", "a.total", false, "MLX")})),
              IsEmpty());
  EXPECT_THAT(Told(ProgramOf(
                  {Keeps("put", "a.total", true, "MLX"), Keeps("get", "a.other", false, "MLX")})),
              IsEmpty());
}

TEST(KeptBuffers, AreOneOfTheNativeBackend) {
  EXPECT_THAT(Told(ProgramOf({Keeps("put", "a.total", true, "native"),
                              Keeps("get", "a.total", true, "native")})),
              IsEmpty());
  EXPECT_THAT(Told(ProgramOf({Keeps("put", "a.total", true, "native"),
                              Keeps("get", "a.total", true, "Core ML")})),
              ElementsAre("note mutability-mismatch get#0 undecided"));
}

TEST(KeptBuffers, MissWhatTheRestStores) {
  EXPECT_THAT(Told(ProgramOf({Stores("a.total"), Keeps("get", "a_total", false, "Core ML")})),
              ElementsAre("note mutability-mismatch get#0 undecided"));
  EXPECT_THAT(Told(ProgramOf({Stores("a.total"), Keeps("get", "a_total", false, "MLX")})),
              IsEmpty());
}

TEST(KeptBuffers, OfTwoDelegatesOfAMethodAreWrong) {
  Delegated both("forward");
  both.With({{"total", -1, true}}).With({{"total", -1, false}});
  EXPECT_THAT(Told(ProgramOf({both.b.Build()})),
              ElementsAre("error mutability-mismatch forward#1"));
}

// A method with a delegate that reads the buffer, whose rest stores to another one, or the same.
Delegated StoresBeside(const char* kept, std::string_view stored, std::string_view backend) {
  Delegated put("put");
  put.With({{kept, -1, false}}, backend);
  const int32_t state = put.b.Planned(2, 0, {8}, stored);
  put.b.Add(put.x, state, put.made);
  put.b.Copy(state, put.made);
  return put;
}

std::vector<std::string> ToldWith(const Program& program, std::string_view buffers) {
  const std::string manifest = R"({"pteproof": 1, "buffers": )" + std::string(buffers) + "}";
  return LinesOf(CheckWith(program, manifest), rule::kMutabilityMismatch);
}

// What `shared` says is about methods: a method and its delegates are of one model.
TEST(KeptBuffers, OfOneMethodAreWrongWhateverIsSaidOfMethods) {
  const Program program = ProgramOf({StoresBeside("a.total", "a.total", "MLX").b.Build()});
  const auto error = ElementsAre("error mutability-mismatch put#0");
  EXPECT_THAT(Told(program), error);
  EXPECT_THAT(ToldWith(program, R"({"a.total": {"shared": false}})"), error);
  EXPECT_THAT(ToldWith(program, R"({"a.total": {"shared": true}})"), error);
}

TEST(KeptBuffers, OfOneMethodAreToldAheadOfThoseOfOthers) {
  const Program program = ProgramOf(
      {Keeps("get", "a.total", true, "MLX"), StoresBeside("a.total", "a.total", "MLX").b.Build()});
  EXPECT_THAT(Told(program), ElementsAre("error mutability-mismatch put#0"));
}

TEST(KeptBuffers, ThatAgreeInPlainLettersAloneAreOpen) {
  const Program program = ProgramOf({StoresBeside("a_total", "a.total", "Core ML").b.Build()});
  EXPECT_THAT(Told(program), ElementsAre("note mutability-mismatch put#0 undecided"));
  EXPECT_THAT(ToldWith(program, R"({"a.total": {}})"),
              ElementsAre("error mutability-mismatch put#0"));
  EXPECT_THAT(ToldWith(program, R"({"a.total": {}, "a_total": {}})"),
              ElementsAre("note mutability-mismatch put#0 undecided"));
}

TEST(KeptBuffers, OfCallsThatNoPathReachesAreNobodys) {
  Delegated put = StoresBeside("a.other", "a.total", "MLX");
  Delegated skips("get");
  skips.b.JumpFalse(skips.b.Bool(false), 2);
  skips.With({{"a.total", -1, false}});
  EXPECT_THAT(Told(ProgramOf({put.b.Build(), skips.b.Build()})), IsEmpty());
}

// As many holders as delegates times buffers are never made.
TEST(KeptBuffers, OfManyDelegatesThatShareABlobAreJudgedOrOpen) {
  std::vector<BlobState> states;
  for (int i = 0; i < 20'000; ++i) states.push_back({"b" + std::to_string(i), -1, i == 7});
  Delegated many("forward");
  many.With(states, "native");
  const auto blob = many.b.method().delegates.back().opened;
  for (int i = 0; i < 300; ++i) {
    many.b.Delegate({many.x, many.made});
    many.b.method().delegates.back().opened = blob;
  }
  EXPECT_THAT(Told(ProgramOf({many.b.Build()})), IsEmpty());
  std::vector<Method> methods;
  for (int m = 0; m < 300; ++m) {
    Delegated each("m" + std::to_string(m));
    each.b.Delegate({each.x, each.made});
    each.b.method().delegates.back().opened = blob;
    methods.push_back(each.b.Build());
  }
  EXPECT_THAT(Told(ProgramOf(std::move(methods))),
              ElementsAre("note mutability-mismatch m0 undecided"));
}

TEST(KeptBuffers, OfOneDelegateMayBeNamedTwice) {
  Delegated twice("forward");
  twice.With({{"total", -1, true}, {"total", -1, false}});
  EXPECT_THAT(Told(ProgramOf({twice.b.Build()})), IsEmpty());
}

}  // namespace
}  // namespace pteproof
