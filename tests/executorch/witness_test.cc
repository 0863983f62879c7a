// The witness itself: banks by policy, stored data, and processes that end.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "pteproof/write.h"
#include "tests/executorch/witness_client.h"
#include "tests/support/method_builder.h"

namespace pteproof::witness {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

constexpr uint32_t kBanks = 3;

TensorValue Float(float number) {
  TensorValue value = Zeros(ScalarType::kFloat32, {1});
  SetReal(value, 0, number);
  return value;
}

// Stores its input in the state of each bank.
Method PutMethod() {
  MethodBuilder builder("put");
  const int32_t input = builder.Planned(1, 64, {1});
  builder.Input(input);
  for (uint32_t bank = 1; bank <= kBanks; ++bank)
    builder.Copy(builder.Planned(bank, 0, {1}), input);
  return builder.Build();
}

// Returns the state of each bank.
Method GetMethod() {
  MethodBuilder builder("get");
  for (uint32_t bank = 1; bank <= kBanks; ++bank) builder.Output(builder.Planned(bank, 0, {1}));
  return builder.Build();
}

Job JobOf(const Program& program, std::vector<Call> calls) {
  auto bytes = WriteProgram(program);
  if (!bytes.ok()) ADD_FAILURE() << bytes.error();
  Job job;
  job.program = bytes.ok() ? std::move(bytes).value() : std::vector<std::byte>();
  job.calls = std::move(calls);
  return job;
}

Answer AskOne(const Job& job) {
  return Ask(std::span(&job, 1)).at(0);
}

// What "get" returns after a 5 was put.
std::vector<Datum> AfterPut(Policy banks) {
  Job job = JobOf(ProgramOf({PutMethod(), GetMethod()}), {{"put", {Float(5)}}, {"get", {}}});
  job.banks = banks;
  const Answer answer = AskOne(job);
  EXPECT_EQ(answer.load_error + answer.calls.at(1).error, "");
  return answer.calls.at(1).outputs;
}

TEST(Witness, SharesBanksAsThePolicySays) {
  EXPECT_EQ(AfterPut(Policy::kPrivate), (std::vector<Datum>{Float(0), Float(0), Float(0)}));
  EXPECT_EQ(AfterPut(Policy::kShare12), (std::vector<Datum>{Float(5), Float(5), Float(0)}));
  EXPECT_EQ(AfterPut(Policy::kShareAll), (std::vector<Datum>{Float(5), Float(5), Float(5)}));
}

// One value that is stored in the file, returned.
template <class Change>
Outcome Returned(int32_t size, Change change) {
  MethodBuilder builder;
  const int32_t value = builder.Planned(1, 0, {size}, "v", ScalarType::kUInt8);
  change(builder.TensorAt(value));
  builder.Output(value);
  Program program = ProgramOf({builder.Build()});
  const std::string_view text = "1234";
  program.constants = {Bytes(), std::as_bytes(std::span(text))};
  program.initial_values = program.constants;
  const Answer answer = AskOne(JobOf(program, {{"forward", {}}}));
  EXPECT_EQ(answer.load_error, "");
  return answer.calls.at(0);
}

void MakeConstant(Tensor& tensor) {
  tensor.planned = false;
  tensor.bank = 0;
  tensor.data_index = 1;
}

void MakeInitialised(Tensor& tensor) {
  tensor.data_index = 1;
}

TensorValue FirstDigits(int64_t count) {
  TensorValue value = Zeros(ScalarType::kUInt8, {count});
  for (int64_t i = 0; i < count; ++i) SetInt(value, i, '1' + i);
  return value;
}

TEST(Witness, FindsStoredDataWhereTheWriterPutThem) {
  for (const int32_t size : {4, 3, 0}) {
    for (const auto change : {MakeConstant, MakeInitialised}) {
      const Outcome outcome = Returned(size, change);
      EXPECT_EQ(outcome.error, "");
      EXPECT_THAT(outcome.outputs, ElementsAre(Datum(FirstDigits(size)))) << size;
    }
  }
}

// Asks for the size of a dimension that is not there, which ends the process.
Method FatalMethod() {
  MethodBuilder builder("fatal");
  const int32_t tensor = builder.Planned(1, 0, {1});
  const int32_t dim = builder.Int(7);
  builder.Call("aten::sym_size.int", {tensor, dim, builder.Int(0)});
  return builder.Build();
}

TEST(Witness, SurvivesWhatEndsTheProcess) {
  const Program program = ProgramOf({FatalMethod(), GetMethod()});
  const std::vector<Job> jobs = {JobOf(program, {{"get", {}}, {"fatal", {}}, {"get", {}}}),
                                 JobOf(program, {{"get", {}}})};
  const std::vector<Answer> answers = Ask(jobs);
  ASSERT_EQ(answers.size(), 2U);
  EXPECT_EQ(answers[0].calls.at(0).error, "");
  EXPECT_EQ(answers[0].calls.at(1).error, "process ended by signal 6");
  EXPECT_EQ(answers[0].calls.at(2).error, "not made");
  EXPECT_EQ(answers[1].calls.at(0).error, "");
}

TEST(Witness, SaysWhyAProgramIsRefused) {
  Job job = JobOf(ProgramOf({GetMethod()}), {{"get", {}}});
  job.program.resize(40);
  const Answer answer = AskOne(job);
  EXPECT_THAT(answer.load_error, StartsWith("load: error 0x"));
  EXPECT_EQ(answer.calls.at(0).error, "not made");
}

TEST(Witness, SaysWhyACallIsRefused) {
  const auto ask = [](std::string method, std::vector<Datum> inputs) {
    return AskOne(JobOf(ProgramOf({PutMethod()}), {{std::move(method), std::move(inputs)}}))
        .calls.at(0);
  };
  EXPECT_EQ(ask("put", {Float(1)}).error, "");
  EXPECT_THAT(ask("set", {}).error, StartsWith("method_meta: error 0x12"));
  EXPECT_THAT(ask("put", {}).error, HasSubstr("another number of inputs"));
  EXPECT_THAT(ask("put", {int64_t{1}}).error, StartsWith("set_input: error 0x12"));
}

}  // namespace
}  // namespace pteproof::witness
