// Runs and differences through the public header.
#include "pteproof/run.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <utility>

#include "pteproof/plan.h"
#include "pteproof/read.h"
#include "tests/support/files.h"

namespace pteproof {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

const std::filesystem::path kRunFiles = PTEPROOF_CORPUS_DIR;

TensorValue Floats(const std::vector<double>& elements) {
  TensorValue tensor = Zeros(ScalarType::kFloat32, {static_cast<int64_t>(elements.size())});
  for (size_t i = 0; i < elements.size(); ++i) {
    SetReal(tensor, static_cast<int64_t>(i), elements[i]);
  }
  return tensor;
}

// Which counts in steps, from 0.5 on.
std::vector<std::byte> CounterFile() {
  const auto planned = PlanModule(ReadText(kRunFiles / "modules/counter.module"));
  return planned.value().bytes;
}

TEST(Runner, ComputesWhatTheMethodMeans) {
  const auto file = ReadProgramFile(kRunFiles / "public/add_model.pte");
  ASSERT_TRUE(file.ok());
  auto runner = Runner::Load(file.value().program);
  ASSERT_TRUE(runner.ok());
  const auto outputs = runner.value().Call("forward", std::vector<Datum>{Floats({1, -2, 0.5})});
  ASSERT_TRUE(outputs.ok()) << outputs.error().explanation;
  EXPECT_THAT(outputs.value(), SizeIs(1));
  EXPECT_EQ(std::get<TensorValue>(outputs.value()[0]), Floats({2, -1, 1.5}));
}

TEST(Runner, KeepsStateBetweenCalls) {
  const std::vector<std::byte> bytes = CounterFile();
  const auto program = ReadProgram(bytes);
  ASSERT_TRUE(program.ok());
  auto loaded = Runner::Load(program.value(), {.policy = Policy::kShare12});
  ASSERT_TRUE(loaded.ok()) << loaded.error().explanation;
  Runner runner = std::move(loaded).value();
  for (const Method& method : program.value().methods) {
    if (method.name != "et_module_init") continue;
    ASSERT_TRUE(runner.Call(method.name, {}).ok());
  }
  EXPECT_TRUE(runner.Call("step", std::vector<Datum>{Floats({2})}).ok());
  const auto total = runner.Call("read", {});
  ASSERT_TRUE(total.ok()) << total.error().explanation;
  EXPECT_EQ(std::get<TensorValue>(total.value()[0]), Floats({2.5}));
}

TEST(Runner, RefusesCallsThatDoNotFit) {
  const auto file = ReadProgramFile(kRunFiles / "public/add_model.pte");
  ASSERT_TRUE(file.ok());
  auto runner = Runner::Load(file.value().program);
  ASSERT_TRUE(runner.ok());
  const auto why = [&](std::string_view method, const std::vector<Datum>& inputs) {
    const auto outputs = runner.value().Call(method, inputs);
    return outputs.ok() ? "" : outputs.error().explanation;
  };
  EXPECT_THAT(why("backward", {}), HasSubstr("forward"));
  EXPECT_THAT(why("forward", {}), HasSubstr("1 inputs"));
  EXPECT_THAT(why("forward", {Floats({1, 2})}), Not(IsEmpty()));
  EXPECT_THAT(why("forward", {int64_t{3}}), Not(IsEmpty()));
  TensorValue torn = Floats({1, 2, 3});
  torn.bytes.pop_back();
  EXPECT_THAT(why("forward", {torn}), HasSubstr("input 0"));
  torn.sizes = {-3};
  EXPECT_THAT(why("forward", {torn}), HasSubstr("input 0"));
  EXPECT_THAT(why("forward", {Floats({1, 2, 3})}), IsEmpty());
}

TEST(Runner, RefusesDataThatAreMalformed) {
  const auto file = ReadProgramFile(kRunFiles / "public/add_model.pte");
  ASSERT_TRUE(file.ok());
  const std::vector<std::byte> junk(64);
  const auto runner = Runner::Load(file.value().program, {.data = junk});
  ASSERT_FALSE(runner.ok());
  EXPECT_THAT(runner.error().explanation, HasSubstr("file-"));
  EXPECT_FALSE(DiffPlan(file.value().program, {.data = junk}).ok());
}

TEST(Runner, TakesTensorsFromOutsideTheProgram) {
  const std::filesystem::path folder = kRunFiles / "real/models/external_weights";
  const auto file = ReadProgramFile(folder / "external_weights.pte");
  ASSERT_TRUE(file.ok());
  EXPECT_FALSE(Runner::Load(file.value().program).ok());
  for (const auto& path : FilesBelow(folder)) {
    if (path.extension() != ".ptd") continue;
    const std::vector<std::byte> data = ReadBytes(path);
    const auto runner = Runner::Load(file.value().program, {.data = data});
    EXPECT_TRUE(runner.ok()) << runner.error().explanation;
  }
}

TEST(DiffPlan, FindsNothingWhereThePlanHolds) {
  for (const char* name : {"cond-siblings-ok", "cond-map-ok"}) {
    const auto file =
        ReadProgramFile(kRunFiles / "real/bugs" / name / (std::string(name) + ".pte"));
    ASSERT_TRUE(file.ok());
    const auto diff = DiffPlan(file.value().program);
    ASSERT_TRUE(diff.ok());
    EXPECT_GT(diff.value().compared, 0);
    EXPECT_FALSE(diff.value().lost.has_value()) << name;
  }
}

TEST(DiffPlan, NamesTheFirstByteThatIsLost) {
  const auto file = ReadProgramFile(kRunFiles / "real/bugs/cond-siblings/cond-siblings.pte");
  ASSERT_TRUE(file.ok());
  const auto diff = DiffPlan(file.value().program);
  ASSERT_TRUE(diff.ok());
  ASSERT_TRUE(diff.value().lost.has_value());
  const LostByte& lost = *diff.value().lost;
  EXPECT_EQ(lost.methods.back(), "forward");
  EXPECT_THAT(lost.output, HasSubstr("output 0"));
  EXPECT_EQ(lost.method, "forward");
  EXPECT_EQ(lost.instruction, 12);
  EXPECT_EQ(lost.value, 2);
  EXPECT_THAT(lost.explanation, HasSubstr("instruction 1 wrote to value 3"));
}

}  // namespace
}  // namespace pteproof
