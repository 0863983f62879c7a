#include "properties/oracles/recorded_calls.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>

#include "tests/support/temp_folder.h"

namespace pteproof {
namespace {

using ::testing::ElementsAre;
using ::testing::SizeIs;
using ::testing::StartsWith;

Result<Recording, std::string> Read(const std::string& json, std::string_view bin = {}) {
  const TempFolder folder;
  if (!bin.empty()) folder.Write("calls.bin", bin);
  return ReadRecording(folder.Write("calls.json", json));
}

// The message without the file's path; "" when there is none.
std::string FaultOf(const std::string& json, std::string_view bin = {}) {
  const auto recording = Read(json, bin);
  if (recording.ok()) return "";
  const size_t path = recording.error().find("calls.json: ");
  return path == std::string::npos ? recording.error() : recording.error().substr(path + 12);
}

std::string WithSequences(const std::string& sequences) {
  return R"({"program": "p.pte", "sequences": )" + sequences + "}";
}

std::string WithCall(const std::string& call) {
  return WithSequences(R"([{"calls": [{"method": "m", "inputs": []}, )" + call + "]}]");
}

std::string WithInput(const std::string& value) {
  return WithCall(R"({"method": "m", "inputs": [{"kind": "none"}, )" + value + "]}");
}

Datum InputOf(const std::string& value, std::string_view bin = {}) {
  auto recording = Read(WithInput(value), bin);
  if (!recording.ok()) {
    ADD_FAILURE() << recording.error();
    return {};
  }
  return recording.value().sequences[0].calls[1].inputs[1];
}

constexpr std::string_view kPlace = "sequences[0].calls[1].inputs[1]: ";

// What is wrong with a value at kPlace.
std::string InputFault(const std::string& value, std::string_view bin = {}) {
  const std::string fault = FaultOf(WithInput(value), bin);
  EXPECT_TRUE(fault.starts_with(kPlace)) << fault;
  return fault.substr(std::min(kPlace.size(), fault.size()));
}

TEST(RecordedCalls, AreFoundWithTheirOutputs) {
  const auto recording = Read(R"({
    "program": "p.pte", "data": "p.ptd", "tolerance": {"rtol": 0.5, "atol": 0.25}, "more": 1,
    "sequences": [
      {"name": "first", "calls": [
        {"method": "m", "case": "odd", "op": "aten::add.out", "truth": "either",
         "inputs": [{"kind": "int", "value": 3}],
         "eager": [{"kind": "bool", "value": true}], "executorch": null,
         "executorch_error": "refused"}]},
      {"name": "second", "calls": []}]})");
  ASSERT_TRUE(recording.ok()) << recording.error();
  EXPECT_EQ(recording.value().program, "p.pte");
  EXPECT_EQ(recording.value().data, "p.ptd");
  ASSERT_TRUE(recording.value().tolerance.has_value());
  EXPECT_EQ(recording.value().tolerance->rtol, 0.5);
  EXPECT_EQ(recording.value().tolerance->atol, 0.25);
  ASSERT_THAT(recording.value().sequences, SizeIs(2));
  EXPECT_EQ(recording.value().sequences[1].name, "second");
  const RecordedCall& call = recording.value().sequences[0].calls.at(0);
  EXPECT_EQ(call.method, "m");
  EXPECT_EQ(call.label, "odd");
  EXPECT_EQ(call.executorch_error, "refused");
  EXPECT_EQ(call.op, "aten::add.out");
  EXPECT_EQ(call.truth, Truth::kEither);
  EXPECT_THAT(call.inputs, ElementsAre(Datum(int64_t{3})));
  EXPECT_EQ(call.eager, std::vector<Datum>{true});
  EXPECT_FALSE(call.executorch.has_value());
}

TEST(RecordedCalls, NeedNoDataToleranceOrTruth) {
  const auto recording = Read(WithCall(R"({"method": "m", "inputs": []})"));
  ASSERT_TRUE(recording.ok()) << recording.error();
  EXPECT_FALSE(recording.value().data.has_value());
  EXPECT_FALSE(recording.value().tolerance.has_value());
  const RecordedSequence& sequence = recording.value().sequences.at(0);
  EXPECT_EQ(sequence.policy, Policy::kPrivate);
  EXPECT_FALSE(sequence.loads_all_first);
  EXPECT_FALSE(sequence.calls.at(1).truth.has_value());
}

TEST(RecordedCalls, TakeTheFilesPolicyWhereTheSequenceHasNone) {
  const auto recording = Read(R"({"program": "p", "policy": "share-all", "sequences": [
      {"calls": [], "load": "all-first"}, {"calls": [], "policy": "private", "load": "lazy"}]})");
  ASSERT_TRUE(recording.ok()) << recording.error();
  EXPECT_EQ(recording.value().sequences[0].policy, Policy::kShareAll);
  EXPECT_TRUE(recording.value().sequences[0].loads_all_first);
  EXPECT_EQ(recording.value().sequences[1].policy, Policy::kPrivate);
  EXPECT_FALSE(recording.value().sequences[1].loads_all_first);
}

TEST(RecordedCalls, KnowEveryTruth) {
  const std::pair<const char*, Truth> truths[] = {{"executorch", Truth::kExecutorch},
                                                  {"eager", Truth::kEager},
                                                  {"either", Truth::kEither},
                                                  {"shape", Truth::kShape},
                                                  {"skip", Truth::kSkip}};
  for (const auto& [name, truth] : truths) {
    const auto recording =
        Read(WithCall(R"({"method": "m", "inputs": [], "truth": ")" + std::string(name) + "\"}"));
    ASSERT_TRUE(recording.ok()) << recording.error();
    EXPECT_EQ(recording.value().sequences[0].calls[1].truth, truth);
  }
}

TEST(RecordedValues, AreOfEveryKind) {
  EXPECT_EQ(InputOf(R"({"kind": "none"})"), Datum());
  EXPECT_EQ(InputOf(R"({"kind": "int", "value": -7})"), Datum(int64_t{-7}));
  EXPECT_EQ(InputOf(R"({"kind": "bool", "value": false})"), Datum(false));
  EXPECT_EQ(InputOf(R"({"kind": "string", "value": "floor"})"), Datum(std::string("floor")));
  EXPECT_EQ(InputOf(R"({"kind": "double", "value": 2.5})"), Datum(2.5));
  EXPECT_EQ(InputOf(R"({"kind": "double", "value": 2})"), Datum(2.0));
}

TEST(RecordedValues, SpellInfinityAndNaNAsText) {
  EXPECT_EQ(InputOf(R"({"kind": "double", "value": "inf"})"), Datum(HUGE_VAL));
  EXPECT_EQ(InputOf(R"({"kind": "double", "value": "-inf"})"), Datum(-HUGE_VAL));
  EXPECT_TRUE(std::isnan(std::get<double>(InputOf(R"({"kind": "double", "value": "nan"})"))));
}

TEST(RecordedTensors, TakeTheirBytesFromTheFileBeside) {
  const Datum datum = InputOf(
      R"({"kind": "tensor", "dtype": "uint8", "sizes": [2, 1], "offset": 1, "nbytes": 2})", "abc");
  const auto& tensor = std::get<TensorValue>(datum);
  EXPECT_EQ(tensor.dtype, ScalarType::kUInt8);
  EXPECT_EQ(tensor.sizes, (Sizes{2, 1}));
  EXPECT_EQ(IntAt(tensor, 0), 'b');
  EXPECT_EQ(IntAt(tensor, 1), 'c');
}

TEST(RecordedTensors, NeedNoBytesWhenEmpty) {
  const Datum datum =
      InputOf(R"({"kind": "tensor", "dtype": "float32", "sizes": [0, 3], "nbytes": 0})");
  EXPECT_EQ(std::get<TensorValue>(datum), Zeros(ScalarType::kFloat32, {0, 3}));
}

TEST(FaultsInRecordings, NameTheFile) {
  const TempFolder folder;
  const auto missing = ReadRecording(folder.path() + "/calls.json");
  ASSERT_FALSE(missing.ok());
  EXPECT_EQ(missing.error(), folder.path() + "/calls.json: cannot be read");
  const std::string path = folder.Write("calls.json", "[]");
  EXPECT_EQ(ReadRecording(path).error(), path + ": top level: must be an object");
}

TEST(FaultsInRecordings, NameAFolderInPlaceOfAFile) {
  const TempFolder folder;
  const auto no_json = ReadRecording(folder.path());
  ASSERT_FALSE(no_json.ok());
  EXPECT_EQ(no_json.error(), folder.path() + ": cannot be read");
  std::filesystem::create_directory(folder.path() + "/calls.bin");
  const auto no_bin = ReadRecording(folder.Write("calls.json", WithSequences("[]")));
  ASSERT_FALSE(no_bin.ok());
  EXPECT_EQ(no_bin.error(), folder.path() + "/calls.bin: cannot be read");
}

TEST(FaultsInRecordings, AreThoseOfJson) {
  EXPECT_THAT(FaultOf(""), StartsWith("line 1 column 1: this is not JSON"));
  EXPECT_THAT(FaultOf("{\"program\":\n "), StartsWith("line 2 column 2: this is not JSON"));
  EXPECT_EQ(FaultOf("[]"), "top level: must be an object");
}

TEST(FaultsInRecordings, NameTheMemberAtTheTop) {
  EXPECT_EQ(FaultOf("{}"), "top level: \"program\" is missing");
  EXPECT_EQ(FaultOf(R"({"program": 1})"), "top level: \"program\" has the wrong JSON type");
  EXPECT_EQ(FaultOf(R"({"program": "p"})"), "top level: \"sequences\" is missing");
  EXPECT_EQ(FaultOf(R"({"program": "p", "data": 1})"),
            "top level: \"data\" has the wrong JSON type");
  EXPECT_EQ(FaultOf(R"({"program": "p", "tolerance": {"atol": 1}})"),
            "tolerance: \"rtol\" is missing");
  EXPECT_EQ(FaultOf(R"({"program": "p", "tolerance": {"rtol": 1, "atol": "1"}})"),
            "tolerance: \"atol\" has the wrong JSON type");
}

TEST(FaultsInRecordings, CountSequencesAndCalls) {
  EXPECT_EQ(FaultOf(WithSequences(R"([{"calls": []}, {}])")), "sequences[1]: \"calls\" is missing");
  EXPECT_EQ(FaultOf(WithSequences("[3]")), "sequences[0]: \"calls\" is missing");
  EXPECT_EQ(FaultOf(WithCall("{}")), "sequences[0].calls[1]: \"method\" is missing");
  EXPECT_EQ(FaultOf(WithCall(R"({"method": []})")),
            "sequences[0].calls[1]: \"method\" has the wrong JSON type");
  EXPECT_EQ(FaultOf(WithCall(R"({"method": "m"})")),
            "sequences[0].calls[1]: \"inputs\" is missing");
  EXPECT_EQ(FaultOf(WithCall(R"({"method": "m", "inputs": {}})")),
            "sequences[0].calls[1].inputs: must be a list");
}

TEST(FaultsInRecordings, TellTheKindsOfOutputApart) {
  EXPECT_EQ(FaultOf(WithCall(R"({"method": "m", "inputs": [], "eager": [{}]})")),
            "sequences[0].calls[1].eager[0]: \"kind\" is missing");
  EXPECT_EQ(FaultOf(WithCall(R"({"method": "m", "inputs": [], "executorch": 1})")),
            "sequences[0].calls[1].executorch: must be a list");
}

TEST(FaultsInRecordings, NameAnUnknownTruth) {
  EXPECT_EQ(FaultOf(WithCall(R"({"method": "m", "inputs": [], "truth": "both"})")),
            "sequences[0].calls[1]: \"truth\" is \"both\"; known are executorch, eager, either, "
            "shape and skip");
  EXPECT_EQ(FaultOf(WithCall(R"({"method": "m", "inputs": [], "truth": 1})")),
            "sequences[0].calls[1]: \"truth\" has the wrong JSON type");
}

TEST(FaultsInValues, NameTheirPlace) {
  EXPECT_EQ(InputFault("{}"), "\"kind\" is missing");
  EXPECT_EQ(InputFault(R"({"kind": "list"})"),
            "\"kind\" is \"list\"; known are none, int, bool, string, double and tensor");
  EXPECT_EQ(InputFault(R"({"kind": "int"})"), "\"value\" is missing");
  EXPECT_EQ(InputFault(R"({"kind": "int", "value": "1"})"), "\"value\" must be an integer");
  EXPECT_EQ(InputFault(R"({"kind": "int", "value": 3.7})"), "\"value\" must be an integer");
  EXPECT_EQ(InputFault(R"({"kind": "bool", "value": 1})"), "\"value\" has the wrong JSON type");
  EXPECT_EQ(InputFault(R"({"kind": "string", "value": 1})"), "\"value\" has the wrong JSON type");
  EXPECT_EQ(InputFault(R"({"kind": "double", "value": "infinite"})"),
            "\"value\" has the wrong JSON type");
}

TEST(FaultsInTensors, AreThoseOfTypeAndSizes) {
  EXPECT_EQ(InputFault(R"({"kind": "tensor"})"), "\"dtype\" is missing");
  EXPECT_EQ(InputFault(R"({"kind": "tensor", "dtype": "float"})"),
            "\"dtype\" must be an element type, such as float32");
  EXPECT_EQ(InputFault(R"({"kind": "tensor", "dtype": "int8"})"), "\"sizes\" is missing");
  EXPECT_EQ(InputFault(R"({"kind": "tensor", "dtype": "int8", "sizes": 2})"),
            "\"sizes\" has the wrong JSON type");
  EXPECT_EQ(InputFault(R"({"kind": "tensor", "dtype": "int8", "sizes": [2, -1]})"),
            "a size is -1; expected a whole number from 0 to 9223372036854775807");
}

TEST(FaultsInTensors, AreThoseOfBytes) {
  const auto fault = [](const std::string& sizes, const std::string& rest) {
    return InputFault(R"({"kind": "tensor", "dtype": "int16", "sizes": )" + sizes + rest + "}",
                      "abcd");
  };
  EXPECT_EQ(fault("[2]", ""), "\"nbytes\" is missing");
  EXPECT_EQ(fault("[2]", R"(, "nbytes": 2, "offset": 0)"),
            "\"nbytes\" does not match the sizes and the element type");
  EXPECT_EQ(fault("[4294967296, 4294967296]", R"(, "nbytes": 0)"),
            "\"nbytes\" does not match the sizes and the element type");
  EXPECT_EQ(fault("[2]", R"(, "nbytes": 4)"), "\"offset\" is missing");
  EXPECT_EQ(fault("[2]", R"(, "nbytes": 4, "offset": 1)"), "the bytes lie outside calls.bin");
  EXPECT_EQ(fault("[2]", R"(, "nbytes": 4, "offset": 5)"), "the bytes lie outside calls.bin");
}

}  // namespace
}  // namespace pteproof
