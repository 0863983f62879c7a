// ParseManifest: every key, good and bad, with the exact place of each error.
#include "pteproof/manifest.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace pteproof {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Optional;
using ::testing::Pair;

// The manifest, or an empty one after a test failure that shows the errors.
Manifest Parsed(const std::string& text) {
  const auto result = ParseManifest(text);
  if (result) return result.value();
  for (const ManifestError& error : result.error()) {
    ADD_FAILURE() << error.where << ": " << error.what;
  }
  return {};
}

// A manifest with these further members.
std::string With(const std::string& members) {
  return R"({"pteproof": 1, )" + members + "}";
}

std::string WithBuffer(const std::string& buffer) {
  return With(R"("buffers": {"s": )" + buffer + "}");
}

std::string WithMethod(const std::string& members) {
  return With(R"("methods": {"m": {)" + members + "}}");
}

ManifestBuffer Buffer(const std::string& buffer) {
  const Manifest manifest = Parsed(WithBuffer(buffer));
  if (manifest.buffers && manifest.buffers->contains("s")) return manifest.buffers->at("s");
  ADD_FAILURE() << "no buffer s";
  return {};
}

ManifestMethod MethodIn(const std::string& members) {
  const Manifest manifest = Parsed(WithMethod(members));
  if (manifest.methods.contains("m")) return manifest.methods.at("m");
  ADD_FAILURE() << "no method m";
  return {};
}

struct BadCase {
  std::string text;
  std::string where;
  std::string what;  // a part of the message
};

void ExpectErrors(const std::vector<BadCase>& cases) {
  for (const BadCase& bad : cases) {
    SCOPED_TRACE(bad.text);
    const auto result = ParseManifest(bad.text);
    if (result) {
      ADD_FAILURE() << "was accepted";
      continue;
    }
    ASSERT_EQ(result.error().size(), 1U) << result.error()[1].where << result.error()[1].what;
    EXPECT_EQ(result.error()[0].where, bad.where);
    EXPECT_THAT(result.error()[0].what, HasSubstr(bad.what));
  }
}

TEST(Manifest, NeedsNothingButTheVersion) {
  const Manifest manifest = Parsed(R"({"pteproof": 1})");
  EXPECT_FALSE(manifest.policy);
  EXPECT_FALSE(manifest.all_first);
  EXPECT_FALSE(manifest.buffers);
  EXPECT_THAT(manifest.methods, IsEmpty());
  EXPECT_THAT(manifest.suppress, IsEmpty());
}

TEST(Manifest, RefusesOtherVersionsAndOtherTrees) {
  ExpectErrors({
      {"{}", "/pteproof", "missing"},
      {R"({"pteproof": 2, "new_key": true})", "/pteproof", "is 2;"},
      {R"({"pteproof": "1"})", "/pteproof", "the string \"1\""},
      {R"({"pteproof": 1.0})", "/pteproof", "is 1.0;"},
      {R"({"pteproof": true})", "/pteproof", "is true;"},
      {"[1]", "line 1 column 1", "is a list; a manifest is an object"},
      {"null", "line 1 column 1", "is null;"},
  });
}

TEST(Manifest, ReadsPolicyAndLoad) {
  EXPECT_EQ(Parsed(With(R"("policy": "private")")).policy, Policy::kPrivate);
  EXPECT_EQ(Parsed(With(R"("policy": "share-1-2")")).policy, Policy::kShare12);
  EXPECT_EQ(Parsed(With(R"("policy": "share-all")")).policy, Policy::kShareAll);
  EXPECT_THAT(Parsed(With(R"("load": "lazy")")).all_first, Optional(false));
  EXPECT_THAT(Parsed(With(R"("load": "all-first")")).all_first, Optional(true));
}

TEST(Manifest, RefusesUnknownPoliciesAndLoads) {
  ExpectErrors({
      {With(R"("policy": "shared")"), "/policy", "one of private, share-1-2, share-all"},
      {With(R"("policy": 2)"), "/policy", "is 2;"},
      {With(R"("policy": null)"), "/policy", "is null;"},
      {With(R"("load": "all")"), "/load", "one of lazy, all-first"},
      {With(R"("load": ["lazy"])"), "/load", "is a list;"},
  });
}

TEST(Manifest, ReadsTheProtocol) {
  const Manifest manifest = Parsed(With(R"("calls": "init (encode decode*)*")"));
  ASSERT_TRUE(manifest.calls.has_value());
  EXPECT_EQ(manifest.calls->text, "init (encode decode*)*");
  EXPECT_EQ(manifest.calls->pattern.parts.size(), 2U);
  EXPECT_FALSE(Parsed(With(R"("load": "lazy")")).calls.has_value());
}

TEST(Manifest, TellsWhereAProtocolIsWrong) {
  ExpectErrors({
      {With(R"("calls": "init (encode")"), "/calls", "column 6: the ')' of this '(' is missing"},
      {With(R"("calls": "")"), "/calls", "empty"},
      {With(R"("calls": " ")"), "/calls", "column 2: a method's name"},
      {With(R"("calls": ["init"])"), "/calls", "is a list;"},
  });
}

TEST(Manifest, ReadsBuffers) {
  const ManifestBuffer all = Buffer(
      R"({"dtype": "bfloat16", "sizes": [2, 0, 9223372036854775807],
          "shared": false, "initial": "any"})");
  EXPECT_EQ(all.dtype, ScalarType::kBFloat16);
  EXPECT_THAT(all.sizes, Optional(ElementsAre(2, 0, INT64_MAX)));
  EXPECT_THAT(all.shared, Optional(false));
  EXPECT_EQ(all.initial, InitialValue::kAny);
  EXPECT_EQ(all.initial_sha256, "");
  const ManifestBuffer none = Buffer("{}");
  EXPECT_FALSE(none.dtype || none.sizes || none.shared || none.initial);
  EXPECT_THAT(Buffer(R"({"sizes": []})").sizes, Optional(IsEmpty()));
  EXPECT_THAT(Buffer(R"({"shared": true})").shared, Optional(true));
  EXPECT_EQ(Buffer(R"({"initial": "zero"})").initial, InitialValue::kZero);
  EXPECT_EQ(Buffer(R"({"initial": "stored"})").initial, InitialValue::kStored);
}

TEST(Manifest, TellsNoBuffersFromNothingSaid) {
  EXPECT_THAT(Parsed(With(R"("buffers": {})")).buffers, Optional(IsEmpty()));
}

TEST(Manifest, ReadsTheHashOfAStoredValueInLowerCase) {
  const std::string upper(64, 'A');
  EXPECT_EQ(Buffer(R"({"initial": "stored", "initial_sha256": ")" + upper + "\"}").initial_sha256,
            std::string(64, 'a'));
}

TEST(Manifest, ReadsTheHashOfItsProgramFile) {
  EXPECT_EQ(Parsed(With(R"("load": "lazy")")).program_sha256, "");
  const std::string upper(64, 'B');
  EXPECT_EQ(Parsed(With(R"("program_sha256": ")" + upper + "\"")).program_sha256,
            std::string(64, 'b'));
  ExpectErrors({
      {With(R"("program_sha256": "0g")"), "/program_sha256", "64 hexadecimal digits"},
      {With(R"("program_sha256": 1)"), "/program_sha256", "expected a SHA-256"},
  });
}

TEST(Manifest, RefusesWrongBuffers) {
  const std::string hash(64, '0');
  ExpectErrors({
      {With(R"("buffers": [])"), "/buffers", "is a list; expected an object"},
      {WithBuffer("3"), "/buffers/s", "is 3; expected a buffer"},
      {With(R"("buffers": {"": {}})"), "/buffers/", "empty"},
      {With(R"("buffers": {"a/b~c": 1})"), "/buffers/a~1b~0c", "is 1;"},
      {WithBuffer(R"({"type": 1})"), "/buffers/s/type", "has dtype, sizes, shared, initial"},
      {WithBuffer(R"({"dtype": "fp32"})"), "/buffers/s/dtype", "is \"fp32\";"},
      {WithBuffer(R"({"dtype": 6})"), "/buffers/s/dtype", "is 6;"},
      {WithBuffer(R"({"sizes": 4})"), "/buffers/s/sizes", "is 4;"},
      {WithBuffer(R"({"sizes": [4, -1]})"), "/buffers/s/sizes/1", "is -1;"},
      {WithBuffer(R"({"sizes": [1.5]})"), "/buffers/s/sizes/0", "is 1.5;"},
      {WithBuffer(R"({"sizes": [9223372036854775808]})"), "/buffers/s/sizes/0", "from 0 to 922"},
      {WithBuffer(R"({"shared": "yes"})"), "/buffers/s/shared", "expected true or false"},
      {WithBuffer(R"({"initial": 0})"), "/buffers/s/initial", "one of zero, stored, any"},
      {WithBuffer(R"({"initial": "stored", "initial_sha256": "0g"})"), "/buffers/s/initial_sha256",
       "64 hexadecimal digits"},
      {WithBuffer(R"({"initial": "zero", "initial_sha256": ")" + hash + "\"}"),
       "/buffers/s/initial_sha256", "must be \"stored\""},
      {WithBuffer(R"({"initial_sha256": ")" + hash + "\"}"), "/buffers/s/initial_sha256",
       "must be \"stored\""},
  });
}

TEST(Manifest, ReadsStateOfAMethod) {
  const ManifestMethod method = MethodIn(
      R"("reads": ["a", "b.c"], "mutates": [], "mutates_inputs": [0, 2147483647],
         "in_place_inputs": [3])");
  EXPECT_THAT(method.reads, Optional(ElementsAre("a", "b.c")));
  EXPECT_THAT(method.mutates, Optional(IsEmpty()));
  EXPECT_THAT(method.mutates_inputs, Optional(ElementsAre(0, INT32_MAX)));
  EXPECT_THAT(method.in_place_inputs, Optional(ElementsAre(3)));
  EXPECT_FALSE(method.inputs || method.outputs);
  const ManifestMethod none = MethodIn("");
  EXPECT_FALSE(none.reads || none.mutates || none.mutates_inputs || none.in_place_inputs);
}

TEST(Manifest, RefusesWrongStateOfAMethod) {
  ExpectErrors({
      {With(R"("methods": 1)"), "/methods", "is 1; expected an object"},
      {With(R"("methods": {"": {}})"), "/methods/", "empty"},
      {With(R"("methods": {"m": []})"), "/methods/m", "is a list; expected a method"},
      {WithMethod(R"("read": [])"), "/methods/m/read", "has reads, mutates, mutates_inputs"},
      {WithMethod(R"("reads": "a")"), "/methods/m/reads", "list of buffer names"},
      {WithMethod(R"("reads": ["a", 1])"), "/methods/m/reads/1", "is 1;"},
      {WithMethod(R"("mutates": [""])"), "/methods/m/mutates/0", "empty"},
      {WithMethod(R"("mutates_inputs": [-1])"), "/methods/m/mutates_inputs/0", "is -1;"},
      {WithMethod(R"("mutates_inputs": {})"), "/methods/m/mutates_inputs", "is an object;"},
      {WithMethod(R"("in_place_inputs": [2147483648])"), "/methods/m/in_place_inputs/0",
       "from 0 to 2147483647"},
  });
}

TEST(Manifest, ReadsInputsWithFixedAndOpenDimensions) {
  const auto inputs = MethodIn(
                          R"("inputs": [{"name": "x",
                     "sizes": [3, {"min": 2, "max": 5}, {"min": 1, "max": null}, {}]},
                    {}])")
                          .inputs;
  ASSERT_TRUE(inputs && inputs->size() == 2);
  EXPECT_EQ((*inputs)[0].name, "x");
  const auto sizes = (*inputs)[0].sizes;
  ASSERT_TRUE(sizes && sizes->size() == 4);
  EXPECT_EQ((*sizes)[0].min, 3);
  EXPECT_THAT((*sizes)[0].max, Optional(3));
  EXPECT_EQ((*sizes)[1].min, 2);
  EXPECT_THAT((*sizes)[1].max, Optional(5));
  EXPECT_EQ((*sizes)[2].min, 1);
  EXPECT_FALSE((*sizes)[2].max);
  EXPECT_EQ((*sizes)[3].min, 0);
  EXPECT_FALSE((*sizes)[3].max);
  EXPECT_EQ((*inputs)[1].name, "");
  EXPECT_FALSE((*inputs)[1].sizes);
}

TEST(Manifest, RefusesWrongInputs) {
  const std::string dim = "/methods/m/inputs/0/sizes/0";
  ExpectErrors({
      {WithMethod(R"("inputs": {})"), "/methods/m/inputs", "expected a list of inputs"},
      {WithMethod(R"("inputs": [{}, null])"), "/methods/m/inputs/1", "is null; expected an input"},
      {WithMethod(R"("inputs": [{"size": []}])"), "/methods/m/inputs/0/size", "has name, sizes"},
      {WithMethod(R"("inputs": [{"name": 1}])"), "/methods/m/inputs/0/name", "is 1;"},
      {WithMethod(R"("inputs": [{"sizes": null}])"), "/methods/m/inputs/0/sizes", "is null;"},
      {WithMethod(R"("inputs": [{"sizes": [-4]}])"), dim, "is -4;"},
      {WithMethod(R"("inputs": [{"sizes": [null]}])"), dim, "is null;"},
      {WithMethod(R"("inputs": [{"sizes": [{"mim": 1}]}])"), dim + "/mim", "has min, max"},
      {WithMethod(R"("inputs": [{"sizes": [{"min": -1}]}])"), dim + "/min", "is -1;"},
      {WithMethod(R"("inputs": [{"sizes": [{"max": "8"}]}])"), dim + "/max", "the string \"8\""},
      {WithMethod(R"("inputs": [{"sizes": [{"min": 5, "max": 4}]}])"), dim + "/max", "below"},
  });
}

TEST(Manifest, ReadsOutputs) {
  const auto outputs = MethodIn(
                           R"("outputs": [{"value": "result"}, {"value": "entry", "of": "s"},
                     {"value": "entry", "of_input": 0}])")
                           .outputs;
  ASSERT_TRUE(outputs && outputs->size() == 3);
  EXPECT_FALSE((*outputs)[0].is_entry);
  EXPECT_TRUE((*outputs)[1].is_entry);
  EXPECT_EQ((*outputs)[1].of_buffer, "s");
  EXPECT_FALSE((*outputs)[1].of_input);
  EXPECT_TRUE((*outputs)[2].is_entry);
  EXPECT_EQ((*outputs)[2].of_buffer, "");
  EXPECT_THAT((*outputs)[2].of_input, Optional(0));
}

TEST(Manifest, ReadsWhichOutputsAreOneValue) {
  const auto outputs = MethodIn(
                           R"("outputs": [{"value": "result", "same_as": 0}, {"value": "result"},
                     {"value": "result", "same_as": 0}])")
                           .outputs;
  ASSERT_TRUE(outputs && outputs->size() == 3);
  EXPECT_THAT((*outputs)[0].same_as, Optional(0));
  EXPECT_FALSE((*outputs)[1].same_as);
  EXPECT_THAT((*outputs)[2].same_as, Optional(0));
}

TEST(Manifest, RefusesEqualOutputsThatDoNotNameTheFirst) {
  ExpectErrors({
      {WithMethod(R"("outputs": [{"value": "result", "same_as": "x"}])"),
       "/methods/m/outputs/0/same_as", "the string \"x\""},
      {WithMethod(R"("outputs": [{"value": "result", "same_as": 1}, {"value": "result"}])"),
       "/methods/m/outputs/0/same_as", "is 1; the output itself is 0"},
      {WithMethod(R"("outputs": [{"value": "result"}, {"value": "result", "same_as": 0},
                                 {"value": "result", "same_as": 1}])"),
       "/methods/m/outputs/2/same_as", "the same as output 0 itself"},
  });
}

TEST(Manifest, RefusesWrongOutputs) {
  const std::string at = "/methods/m/outputs/0";
  ExpectErrors({
      {WithMethod(R"("outputs": ["result"])"), at, "the string \"result\"; expected an output"},
      {WithMethod(R"("outputs": [{}])"), at + "/value", "missing"},
      {WithMethod(R"("outputs": [{"value": "old"}])"), at + "/value", "one of result, entry"},
      {WithMethod(R"("outputs": [{"value": "result", "from": 1}])"), at + "/from", "unknown key"},
      {WithMethod(R"("outputs": [{"value": "entry"}])"), at, "needs \"of\""},
      {WithMethod(R"("outputs": [{"value": "entry", "of": "s", "of_input": 0}])"), at + "/of_input",
       "keep one"},
      {WithMethod(R"("outputs": [{"value": "entry", "of_input": 0, "of_parameter": "w"}])"),
       at + "/of_parameter", "keep one"},
      {WithMethod(R"("outputs": [{"value": "result", "of_parameter": "w"}])"), at + "/of_parameter",
       "is not an entry value"},
      {WithMethod(R"("outputs": [{"value": "entry", "of_parameter": 3}])"), at + "/of_parameter",
       "is 3;"},
      {WithMethod(R"("outputs": [{"value": "result", "of": "s"}])"), at + "/of",
       "is not an entry value"},
      {WithMethod(R"("outputs": [{"value": "result", "of_input": 0}])"), at + "/of_input",
       "is not an entry value"},
      {WithMethod(R"("outputs": [{"value": "entry", "of": 0}])"), at + "/of", "is 0;"},
      {WithMethod(R"("outputs": [{"value": "entry", "of_input": "x"}])"), at + "/of_input",
       "the string \"x\""},
  });
}

TEST(Manifest, ReadsDelegatesAndValues) {
  const ManifestMethod method = MethodIn(
      R"("delegates": [{"index": 1, "outputs": 0}], "values": {"0": "a", "2147483647": "b"})");
  ASSERT_EQ(method.delegates.size(), 1U);
  EXPECT_EQ(method.delegates[0].index, 1);
  EXPECT_EQ(method.delegates[0].outputs, 0);
  EXPECT_THAT(method.values, ElementsAre(Pair(0, "a"), Pair(INT32_MAX, "b")));
}

TEST(Manifest, RefusesWrongDelegatesAndValues) {
  const std::string at = "/methods/m/delegates/0";
  ExpectErrors({
      {WithMethod(R"("mutates_inputs": [1, 0, 1])"), "/methods/m/mutates_inputs/2", "1 again"},
      {WithMethod(R"("delegates": {"index": 0})"), "/methods/m/delegates", "is an object;"},
      {WithMethod(R"("delegates": [2])"), at, "is 2; expected a delegate call"},
      {WithMethod(R"("delegates": [{"outputs": 1}])"), at + "/index", "missing"},
      {WithMethod(R"("delegates": [{"index": 0}])"), at + "/outputs", "missing"},
      {WithMethod(R"("delegates": [{"index": -1, "outputs": 1}])"), at + "/index", "is -1;"},
      {WithMethod(R"("delegates": [{"index": 0, "outputs": 4294967296}])"), at + "/outputs",
       "from 0 to 2147483647"},
      {WithMethod(R"("delegates": [{"index": 0, "outputs": 1, "inputs": 1}])"), at + "/inputs",
       "has index, outputs"},
      {WithMethod(R"("delegates": [{"index": 0, "outputs": 1}, {"index": 0, "outputs": 1}])"),
       "/methods/m/delegates/1/index", "described twice"},
      {WithMethod(R"("values": ["a"])"), "/methods/m/values", "is a list;"},
      {WithMethod(R"("values": {"1": 2})"), "/methods/m/values/1", "is 2;"},
      {WithMethod(R"("values": {"-1": "a"})"), "/methods/m/values/-1", "a value index is"},
      {WithMethod(R"("values": {"07": "a"})"), "/methods/m/values/07", "a value index is"},
      {WithMethod(R"("values": {"2147483648": "a"})"), "/methods/m/values/2147483648",
       "a value index is"},
  });
}

TEST(Manifest, ReadsSuppressions) {
  const auto suppress = Parsed(With(R"("suppress": [
      {"rule": "phantom-slot", "method": "m", "reason": "known"},
      {"rule": "plan-waste", "reason": "cheap"}])"))
                            .suppress;
  ASSERT_EQ(suppress.size(), 2U);
  EXPECT_EQ(suppress[0].rule, "phantom-slot");
  EXPECT_EQ(suppress[0].method, "m");
  EXPECT_EQ(suppress[0].reason, "known");
  EXPECT_EQ(suppress[1].method, "");
}

TEST(Manifest, RefusesSuppressionsWithoutRuleOrReason) {
  ExpectErrors({
      {With(R"("suppress": {})"), "/suppress", "is an object;"},
      {With(R"("suppress": ["self-copy"])"), "/suppress/0", "expected a suppression"},
      {With(R"("suppress": [{"rule": "self-copy"}])"), "/suppress/0/reason", "missing"},
      {With(R"("suppress": [{"reason": "old"}])"), "/suppress/0/rule", "missing"},
      {With(R"("suppress": [{"rule": "self-copy", "reason": ""}])"), "/suppress/0/reason", "empty"},
      {With(R"("suppress": [{"rule": "self-copy", "reason": " "}])"), "/suppress/0/reason",
       "blank"},
      {With(R"("suppress": [{"rule": "self-copy", "reason": "x", "method": 0}])"),
       "/suppress/0/method", "is 0;"},
      {With(R"("suppress": [{"rule": "self-copy", "reason": "x", "why": 0}])"), "/suppress/0/why",
       "has rule, method, reason"},
  });
}

// A malformed file has no verdict that a finding of it could be kept out of.
TEST(Manifest, RefusesSuppressionsOfRulesThatNoVerdictKnows) {
  const auto suppress = [](const std::string& rule) {
    return With(R"("suppress": [{"rule": )" + rule + R"(, "reason": "x"}])");
  };
  ExpectErrors({
      {suppress(R"("nope")"), "/suppress/0/rule", "one of plan-overlap, plan-bounds, "},
      {suppress(R"("file-identifier")"), "/suppress/0/rule", "the string \"file-identifier\""},
      {suppress("3"), "/suppress/0/rule", "is 3;"},
  });
}

TEST(Manifest, RefusesUnknownTopLevelKeysAndListsTheKnownOnes) {
  ExpectErrors({{With(R"("method": {})"), "/method",
                 "has pteproof, program_sha256, policy, load, calls, buffers, methods, operators, "
                 "suppress"}});
}

TEST(Manifest, RefusesBufferNamesThatItsBuffersDoNotList) {
  const std::string start = R"({"pteproof": 1, "buffers": {"s": {}}, "methods": {"m": {)";
  ExpectErrors({
      {start + R"("reads": ["s", "t"]}}})", "/methods/m/reads/1", "no buffer \"t\""},
      {start + R"("mutates": ["t"]}}})", "/methods/m/mutates/0", "no buffer \"t\""},
      {start + R"("values": {"4": "t"}}}})", "/methods/m/values/4", "no buffer \"t\""},
      {start + R"("outputs": [{"value": "entry", "of": "t"}]}}})", "/methods/m/outputs/0/of",
       "no buffer \"t\""},
  });
  Parsed(start + R"("reads": ["s"], "mutates": ["s"], "values": {"4": "s"}}}})");
}

TEST(Manifest, RefusesPositionsThatItsInputsDoNotHave) {
  const std::string start = R"("inputs": [{}, {}], )";
  ExpectErrors({
      {WithMethod(start + R"("mutates_inputs": [0, 2])"), "/methods/m/mutates_inputs/1", "is 2;"},
      {WithMethod(start + R"("in_place_inputs": [2])"), "/methods/m/in_place_inputs/0", "2 inputs"},
      {WithMethod(start + R"("outputs": [{"value": "entry", "of_input": 2}])"),
       "/methods/m/outputs/0/of_input", "is 2;"},
  });
  Parsed(WithMethod(start + R"("mutates_inputs": [1], "in_place_inputs": [0])"));
}

TEST(Manifest, ListsAllErrors) {
  const auto result = ParseManifest(
      R"({"pteproof": 1, "policy": 1, "methods": {"m": {"reads": [1, "a", 2]}}, "sizes": 4})");
  ASSERT_FALSE(result.ok());
  std::vector<std::string> places;
  for (const ManifestError& error : result.error()) places.push_back(error.where);
  EXPECT_THAT(places, ::testing::UnorderedElementsAre("/policy", "/methods/m/reads/0",
                                                      "/methods/m/reads/2", "/sizes"));
}

}  // namespace
}  // namespace pteproof
