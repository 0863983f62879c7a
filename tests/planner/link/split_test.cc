// Methods taken out of programs that were linked by hand.
#include "planner/link/split.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <string>
#include <vector>

#include "runtime/same_program.h"
#include "tests/support/method_builder.h"

namespace pteproof::planner {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

const std::array<float, 4> kStart = {1, 2, 3, 4};

// Writes the buffer from its input, or adds it to its input.
Method WriterOf(const std::string& name, const std::string& buffer) {
  MethodBuilder m(name);
  const int32_t state = m.Planned(1, 16, {4}, buffer);
  const int32_t x = m.Planned(1, 0, {4});
  m.Input(x);
  m.Copy(state, x);
  return m.Build();
}

Method ReaderOf(const std::string& name, const std::string& buffer) {
  MethodBuilder m(name);
  const int32_t state = m.Planned(1, 32, {4}, buffer);
  const int32_t x = m.Planned(1, 0, {4});
  const int32_t y = m.Planned(1, 16, {4});
  m.Input(x);
  m.Add(x, state, y);
  m.Output(y);
  return m.Build();
}

Linked LinkedOf(const std::vector<Program>& programs, const LinkOptions& options) {
  std::vector<LinkedFile> files;
  for (const Program& program : programs) {
    LinkedFile& file = files.emplace_back();
    file = {"f.pte", &program, {}, {}};
    for (const Method& method : program.methods) file.methods.push_back({.name = method.name});
  }
  auto linked = Link(std::move(files), options);
  EXPECT_TRUE(linked.ok()) << linked.error();
  return std::move(linked).value();
}

// The program of both methods, with an initial value or without.
Linked PutAndGet(bool starts_at_values) {
  std::vector<Program> programs = {ProgramOf({WriterOf("put", "s")}),
                                   ProgramOf({ReaderOf("get", "s")})};
  if (starts_at_values) {
    for (Program& program : programs) {
      program.initial_values = {Bytes(), std::as_bytes(std::span(kStart))};
      program.methods[0].tensors[0].data_index = 1;
    }
  }
  return LinkedOf(programs, {.share = {"s"}});
}

std::vector<std::string> NamesOf(const Program& program) {
  std::vector<std::string> names;
  for (const Method& method : program.methods) names.push_back(method.name);
  return names;
}

TEST(Split, MakesABufferThatOnlyOthersStoreToAConstant) {
  const Linked both = PutAndGet(false);
  const auto split = Split(both.program, {"get"});
  ASSERT_TRUE(split.ok());
  EXPECT_THAT(NamesOf(split.value().program), ElementsAre("get"));
  const Method& get = split.value().program.methods[0];
  EXPECT_FALSE(get.tensors[0].planned);
  EXPECT_TRUE(AreZero(split.value().program.constants[get.tensors[0].data_index]));
  EXPECT_THAT(get.bank_sizes, ElementsAre(0, 32));
  ASSERT_EQ(split.value().constants.size(), 1U);
  EXPECT_EQ(split.value().constants[0].buffer, "s");
}

TEST(Split, TakesTheInitialValuesOfTheBuffersAlong) {
  const Linked both = PutAndGet(true);
  ASSERT_TRUE(both.init);
  const auto split = Split(both.program, {"get"});
  ASSERT_TRUE(split.ok());
  EXPECT_THAT(NamesOf(split.value().program), ElementsAre("et_module_init", "get"));
  ASSERT_EQ(split.value().initial.size(), 1U);
  EXPECT_TRUE(
      std::ranges::equal(split.value().initial[0].form.initial, std::as_bytes(std::span(kStart))));
  EXPECT_TRUE(split.value().constants.empty());
}

TEST(Split, LeavesOutWhatTheMethodsDoNotUse) {
  const Linked linked =
      LinkedOf({ProgramOf({WriterOf("a", "own_a")}), ProgramOf({WriterOf("b", "own_b")})}, {});
  Program program = linked.program;
  program.named_data = {{"weights", std::as_bytes(std::span(kStart))}};
  const auto split = Split(program, {"b"});
  ASSERT_TRUE(split.ok());
  EXPECT_TRUE(split.value().program.named_data.empty());
  program.methods[1].delegates.push_back({"MyBackend", {}, {}});
  EXPECT_EQ(Split(program, {"b"}).value().program.named_data.size(), 1U);
}

TEST(Split, IsUndoneByLink) {
  for (const bool starts_at_values : {false, true}) {
    const Linked both = PutAndGet(starts_at_values);
    const auto put = Split(both.program, {"put"});
    const auto get = Split(both.program, {"get"});
    ASSERT_TRUE(put.ok() && get.ok());
    std::vector<LinkedFile> files;
    for (const SplitProgram* part : {&get.value(), &put.value()}) {
      LinkedFile& file = files.emplace_back();
      file = {"f.pte", &part->program, {}, {"s"}};
      for (const Method& method : part->program.methods)
        file.methods.push_back({.name = method.name});
      for (const SplitConstant& constant : part->constants) {
        file.methods[0].values[constant.value] = constant.buffer;
      }
    }
    const auto again = Link(std::move(files), {});
    ASSERT_TRUE(again.ok()) << again.error();
    EXPECT_EQ(ProgramDifference(again.value().program, both.program), "");
  }
}

TEST(Split, RefusesAnInitialMethodThatComputes) {
  Program program = PutAndGet(true).program;
  for (Method& method : program.methods) {
    if (method.name == "et_module_init")
      method.instructions.push_back({InstructionKind::kMove, 0, 1, {}});
  }
  const auto split = Split(program, {"get"});
  ASSERT_FALSE(split.ok());
  EXPECT_THAT(split.error(), HasSubstr("name it among the methods"));
  EXPECT_TRUE(Split(program, {"get", "et_module_init"}).ok());
}

}  // namespace
}  // namespace pteproof::planner
