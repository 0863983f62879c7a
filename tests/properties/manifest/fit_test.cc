// CheckFit: a manifest of another program is refused, with the place of what is not there.
#include "properties/manifest/fit.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "tests/support/collection.h"
#include "tests/support/method_builder.h"
#include "tests/support/real_file.h"

namespace pteproof {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using ::testing::UnorderedElementsAre;

enum class Names : uint8_t { kInFile, kNone };

// put(x, 1): stores x to buffer 'memory' (v0) and returns it.
Method Put(Names names) {
  MethodBuilder b("put");
  const int32_t memory = b.Planned(2, 0, {4}, names == Names::kInFile ? "memory" : "");
  const int32_t x = b.Planned(1, 0, {4});
  b.Input(x);
  b.Input(b.Int(1));
  b.Copy(memory, x);
  b.Output(x);
  return b.Build();
}

// get(): returns twice the buffer.
Method Get(Names names) {
  MethodBuilder b("get");
  const int32_t memory = b.Planned(2, 0, {4}, names == Names::kInFile ? "memory" : "");
  const int32_t out = b.Planned(1, 0, {4});
  b.Add(memory, memory, out);
  b.Output(out);
  return b.Build();
}

// run(x): one delegate call with two arguments, of which it writes the last.
Method Delegated() {
  MethodBuilder b("run");
  const int32_t x = b.Planned(1, 0, {4});
  b.Input(x);
  const int32_t out = b.Planned(1, 16, {4});
  b.Delegate({x, out});
  b.Output(out);
  return b.Build();
}

Program PutGet(Names names = Names::kInFile) {
  return ProgramOf({Put(names), Get(names)});
}

std::vector<ManifestError> Misfits(const Program& program, const std::string& members) {
  const auto manifest = ParseManifest(R"({"pteproof": 1, )" + members + "}");
  if (manifest) return CheckFit(manifest.value(), program);
  ADD_FAILURE() << manifest.error().front().where << ": " << manifest.error().front().what;
  return {};
}

std::vector<std::string> PlacesOf(const std::vector<ManifestError>& errors) {
  std::vector<std::string> places;
  for (const ManifestError& error : errors) places.push_back(error.where);
  return places;
}

std::vector<std::string> Places(const Program& program, const std::string& members) {
  return PlacesOf(Misfits(program, members));
}

std::string InPut(const std::string& members) {
  return R"("methods": {"put": {)" + members + "}}";
}

struct Misfit {
  std::string members;
  std::string where;
  std::string what;  // a part of the message
};

void ExpectMisfits(const Program& program, const std::vector<Misfit>& cases) {
  for (const Misfit& wrong : cases) {
    SCOPED_TRACE(wrong.members);
    const auto errors = Misfits(program, wrong.members);
    ASSERT_THAT(PlacesOf(errors), ElementsAre(wrong.where));
    EXPECT_THAT(errors.front().what, HasSubstr(wrong.what));
  }
}

TEST(ManifestFit, AcceptsWhatTheProgramHas) {
  EXPECT_THAT(Places(PutGet(), R"("buffers": {"memory": {"shared": true}}, "methods": {
      "put": {"reads": [], "mutates": ["memory"], "mutates_inputs": [0], "in_place_inputs": [0],
              "inputs": [{"name": "x", "sizes": [4]}, {"name": "n"}],
              "outputs": [{"value": "entry", "of_input": 1}], "values": {"0": "memory"}},
      "get": {"reads": ["memory"], "mutates": [], "inputs": [], "outputs": [{"value": "result"}]}},
      "suppress": [{"rule": "state-split", "method": "get", "reason": "one loader only"},
                   {"rule": "plan-waste", "reason": "small"}])"),
              IsEmpty());
  EXPECT_THAT(Places(PutGet(), R"("policy": "private")"), IsEmpty());
  EXPECT_THAT(Places(PutGet(), R"("calls": "put? (get | put+)*")"), IsEmpty());
}

TEST(ManifestFit, RefusesUnknownMethodsInTheProtocol) {
  ExpectMisfits(PutGet(), {{R"("calls": "put (got get)*")", "/calls",
                            "column 6: the program has no method \"got\" (it has \"put\""}});
}

TEST(ManifestFit, RefusesAMethodThatTheProgramLacks) {
  ExpectMisfits(PutGet(), {{R"("methods": {"putt": {}})", "/methods/putt", R"(has "put", "get")"},
                           {R"("suppress": [{"rule": "plan-waste", "reason": "small"},
                        {"rule": "plan-waste", "method": "nope", "reason": "small"}])",
                            "/suppress/1/method", R"(no method "nope")"}});
}

TEST(ManifestFit, ListsAFewMethodsOnly) {
  std::vector<Method> methods;
  for (int i = 0; i < 20; ++i) methods.push_back(MethodBuilder("m" + std::to_string(i)).Build());
  ExpectMisfits(ProgramOf(std::move(methods)),
                {{R"("methods": {"put": {}})", "/methods/put", R"("m7" and 12 more)"}});
}

TEST(ManifestFit, RefusesAnotherNumberOfInputs) {
  ExpectMisfits(PutGet(), {{InPut(R"("inputs": [{}, {}, {}])"), "/methods/put/inputs",
                            "3 inputs; the program's method has 2"},
                           {InPut(R"("inputs": [{}])"), "/methods/put/inputs", "1 input; "}});
}

TEST(ManifestFit, RefusesSizesOfANumber) {
  ExpectMisfits(PutGet(), {{InPut(R"("inputs": [{"sizes": [4]}, {"sizes": []}])"),
                            "/methods/put/inputs/1/sizes", "not a tensor"}});
}

TEST(ManifestFit, RefusesPositionsBeyondTheInputs) {
  ExpectMisfits(
      PutGet(),
      {{InPut(R"("mutates_inputs": [0, 9])"), "/methods/put/mutates_inputs/1", "has 2 inputs"},
       {InPut(R"("in_place_inputs": [2])"), "/methods/put/in_place_inputs/0", "is 2;"},
       {InPut(R"("outputs": [{"value": "entry", "of_input": 2}])"),
        "/methods/put/outputs/0/of_input", "is 2;"}});
}

TEST(ManifestFit, RefusesANumberThatIsSaidToBeWritten) {
  ExpectMisfits(
      PutGet(),
      {{InPut(R"("mutates_inputs": [1])"), "/methods/put/mutates_inputs/0", "not a tensor"},
       {InPut(R"("in_place_inputs": [1])"), "/methods/put/in_place_inputs/0", "not a tensor"}});
}

TEST(ManifestFit, RefusesOutputsThatTheProgramDoesNotReturn) {
  const std::string two = R"("outputs": [{"value": "result"}, {"value": "result"}])";
  const std::string told = "2 outputs; the program's method returns 1";
  ExpectMisfits(PutGet(),
                {{InPut(two), "/methods/put/outputs", told},
                 {InPut(two + R"(, "mutates_inputs": [])"), "/methods/put/outputs", told}});
}

// Each input that is mutated comes back too, so that many more outputs can be right, and no more.
TEST(ManifestFit, RefusesFewerOutputsThanTheInputsExplain) {
  MethodBuilder b("put");
  const int32_t x = b.Planned(1, 0, {4});
  b.Input(x);
  for (int i = 0; i < 3; ++i) b.Output(x);
  const Program program = ProgramOf({b.Build()});
  ExpectMisfits(program, {{InPut(R"("outputs": [{"value": "result"}])"), "/methods/put/outputs",
                           "1 output; the program's method returns 3"}});
  EXPECT_THAT(Places(program, InPut(R"("outputs": [{"value": "result"}, {"value": "result"}])")),
              IsEmpty());
}

TEST(ManifestFit, RefusesValuesThatAreNotThereOrNoTensors) {
  ExpectMisfits(
      PutGet(),
      {{InPut(R"("values": {"999": "memory"})"), "/methods/put/values/999", "has 4 values"},
       {InPut(R"("values": {"2": "memory"})"), "/methods/put/values/2", "not a tensor"}});
}

TEST(ManifestFit, RefusesDelegateCallsThatAreNotThere) {
  const auto calls = [](const std::string& call) {
    return R"("methods": {"run": {"delegates": [)" + call + "]}}";
  };
  const Program program = ProgramOf({Delegated()});
  ExpectMisfits(program, {{calls(R"({"index": 7, "outputs": 1})"), "/methods/run/delegates/0/index",
                           "has 1 delegate call,"},
                          {calls(R"({"index": 0, "outputs": 3})"),
                           "/methods/run/delegates/0/outputs", "has 2 arguments"}});
  EXPECT_THAT(Places(program, calls(R"({"index": 0, "outputs": 2})")), IsEmpty());
}

TEST(ManifestFit, RefusesBuffersThatTheProgramDoesNotHave) {
  const auto errors = Misfits(PutGet(), R"("buffers": {"zzz": {}}, "methods": {
      "put": {"mutates": []}, "get": {"reads": ["zzz"]}})");
  ASSERT_THAT(errors, SizeIs(1));
  EXPECT_EQ(errors.front().where, "/buffers/zzz");
  EXPECT_THAT(errors.front().what,
              AllOf(HasSubstr(R"(no buffer "zzz")"), HasSubstr(R"(has "memory")")));
  EXPECT_THAT(Places(PutGet(), R"("methods": {
      "put": {"outputs": [{"value": "entry", "of": "yyy"}]},
      "get": {"reads": ["memory", "zzz"]}})"),
              UnorderedElementsAre("/methods/put/outputs/0/of", "/methods/get/reads/1"));
}

// A program may lack a buffer because a store to it was lost: that is for the checks to find.
TEST(ManifestFit, LeavesABufferThatSomeMethodMutatesToTheChecks) {
  EXPECT_THAT(Places(PutGet(), R"("buffers": {"zzz": {}}, "methods": {
      "put": {"mutates": ["zzz"]}, "get": {"reads": ["zzz"]}})"),
              IsEmpty());
}

TEST(ManifestFit, AcceptsABufferThatOnlyAnotherMethodHas) {
  MethodBuilder constant("get");
  constant.Output(constant.Constant(1, {4}));
  EXPECT_THAT(Places(ProgramOf({Put(Names::kInFile), constant.Build()}),
                     R"("methods": {"get": {"reads": ["memory"]}})"),
              IsEmpty());
}

TEST(ManifestFit, AcceptsABufferThatTheManifestNamesByItsValue) {
  EXPECT_THAT(Places(PutGet(), R"("methods": {"get": {"reads": ["cache"]},
                                              "put": {"values": {"0": "cache"}}})"),
              IsEmpty());
}

// Any of these may be the buffer that the manifest means.
TEST(ManifestFit, AcceptsAnyBufferWhereTheFileHasStateWithoutAName) {
  const std::string reads = R"("buffers": {"zzz": {}})";
  EXPECT_THAT(Places(PutGet(Names::kNone), reads), IsEmpty());

  MethodBuilder unplanned("get");
  const int32_t memory = unplanned.Unplanned({4});
  const int32_t out = unplanned.Planned(1, 0, {4});
  unplanned.Add(memory, memory, out);
  unplanned.Output(out);
  EXPECT_THAT(Places(ProgramOf({Put(Names::kInFile), unplanned.Build()}), reads), IsEmpty());

  EXPECT_THAT(Places(ProgramOf({Put(Names::kInFile), Delegated()}), reads), IsEmpty());
}

TEST(ManifestFit, ListsAllMisfits) {
  EXPECT_THAT(Places(PutGet(), R"("methods": {
          "gone": {}, "put": {"inputs": [], "values": {"77": "a", "78": "b"}}})"),
              UnorderedElementsAre("/methods/gone", "/methods/put/inputs", "/methods/put/values/77",
                                   "/methods/put/values/78"));
}

class RealManifests : public testing::TestWithParam<std::filesystem::path> {};

TEST_P(RealManifests, FitTheirPrograms) {
  int compared = 0;
  for (const auto& file : ReadAllReal(GetParam())) {
    if (!file->manifest || !file->program) continue;
    for (const ManifestError& error : CheckFit(*file->manifest, *file->program)) {
      ADD_FAILURE() << file->name << ": " << error.where << ": " << error.what;
    }
    ++compared;
  }
  EXPECT_GE(compared, 100);
}

INSTANTIATE_TEST_SUITE_P(Own, RealManifests, testing::Values(OwnRealRoot()), NameOfFolder);
INSTANTIATE_TEST_SUITE_P(Collection, RealManifests,
                         testing::ValuesIn(InCollection("corpus/exported")), NameOfFolder);

}  // namespace
}  // namespace pteproof
