#include "runtime/same_program.h"

#include <functional>

#include "tests/runtime/writer/written.h"
#include "tests/support/method_builder.h"

namespace pteproof {
namespace {

// Something of everything.
Program Sample() {
  MethodBuilder builder("run");
  const int32_t a = builder.Planned(1, 0, {2}, "a");
  const int32_t constant = builder.Constant(1, {2}, ScalarType::kUInt8);
  builder.Add(a, constant, a);
  builder.Output(a);
  Method method = builder.Build();
  method.values.push_back({.kind = ValueKind::kDouble, .real = 0.0});
  method.delegates = {{"Backend", TextBytes("blob"), {{"key", TextBytes("value")}}}};
  method.bank_devices = {{.bank = 1, .device_type = 1}};
  Program program = ProgramOf({method});
  program.constants = {Bytes(), TextBytes("12")};
  program.named_data = {{"key", TextBytes("data")}};
  return program;
}

std::string DifferenceAfter(const std::function<void(Program&)>& change) {
  Program changed = Sample();
  change(changed);
  return ProgramDifference(Sample(), changed);
}

std::string MethodDifferenceAfter(const std::function<void(Method&)>& change) {
  return DifferenceAfter([&](Program& program) { change(program.methods[0]); });
}

TEST(SameProgram, IsTheProgramItself) {
  EXPECT_EQ(ProgramDifference(Sample(), Sample()), "");
  EXPECT_TRUE(SameProgram(Sample(), Sample()));
}

TEST(SameProgram, HasTheSameOfEverything) {
  const std::pair<std::string_view, std::string> differences[] = {
      {"method 0: name \"run\", \"stop\"",
       MethodDifferenceAfter([](Method& m) { m.name = "stop"; })},
      {"method 0: value 0: type \"float32\", \"int32\"",
       MethodDifferenceAfter([](Method& m) { m.tensors[0].dtype = ScalarType::kInt32; })},
      {"method 0: value 0: sizes [2], [3]",
       MethodDifferenceAfter([](Method& m) { m.ints[m.tensors[0].sizes.first] = 3; })},
      {"method 0: value 0: offset 0, 16",
       MethodDifferenceAfter([](Method& m) { m.tensors[0].offset = 16; })},
      {"method 0: value 0: name \"a\", \"b\"",
       MethodDifferenceAfter([](Method& m) { m.text[m.tensors[0].name.first] = 'b'; })},
      {"method 0: value 1: stored data: byte 1",
       DifferenceAfter([](Program& p) { p.constants[1] = TextBytes("13"); })},
      {"method 0: value 1: constant true, false",
       MethodDifferenceAfter([](Method& m) { m.tensors[1].data_index = 0; })},
      {"method 0: value 2: kind 1, 2",
       MethodDifferenceAfter([](Method& m) { m.values[2].kind = ValueKind::kBool; })},
      {"method 0: value 3: [0], [-0]",
       MethodDifferenceAfter([](Method& m) { m.values[3].real = -0.0; })},
      {"method 0: outputs [0], [1]", MethodDifferenceAfter([](Method& m) { m.outputs = {1}; })},
      {"method 0: operator 0: name \"aten::add.out\", \"x\"",
       MethodDifferenceAfter([](Method& m) { m.operators[0].name = "x"; })},
      {"method 0: delegate 0: blob: 4 bytes, 0 bytes",
       MethodDifferenceAfter([](Method& m) { m.delegates[0].blob = {}; })},
      {"method 0: delegate 0: compile spec 0: value: byte 0", MethodDifferenceAfter([](Method& m) {
         m.delegates[0].specs[0].value = TextBytes("Value");
       })},
      {"method 0: instruction 0: arguments [0 1 2 0 0], [1 1 2 0 0]",
       MethodDifferenceAfter([](Method& m) { m.ints[m.instructions[0].args.first] = 1; })},
      {"method 0: 1 instructions, 0",
       MethodDifferenceAfter([](Method& m) { m.instructions = {}; })},
      {"method 0: bank sizes [0 8], [0 9]",
       MethodDifferenceAfter([](Method& m) { m.bank_sizes[1] = 9; })},
      {"method 0: bank device 0: number 0, 2",
       MethodDifferenceAfter([](Method& m) { m.bank_devices[0].device_index = 2; })},
      {"named data 0: key \"key\", \"lock\"",
       DifferenceAfter([](Program& p) { p.named_data[0].key = "lock"; })},
      {"1 methods, 0", DifferenceAfter([](Program& p) { p.methods.clear(); })},
  };
  for (const auto& [expected, found] : differences) EXPECT_EQ(found, expected);
}

TEST(SameProgram, MayStoreMoreThanItsTensorsTake) {
  EXPECT_EQ(DifferenceAfter([](Program& p) { p.constants[1] = TextBytes("12 and more"); }), "");
  EXPECT_EQ(DifferenceAfter([](Program& p) { p.constants.push_back(TextBytes("unused")); }), "");
}

TEST(SameProgram, MayNumberItsDataDifferently) {
  EXPECT_EQ(DifferenceAfter([](Program& p) {
              p.constants = {Bytes(), TextBytes("other"), TextBytes("12")};
              p.methods[0].tensors[1].data_index = 2;
            }),
            "");
}

TEST(SameProgram, HasTheSameStructures) {
  EXPECT_THAT(MethodDifferenceAfter([](Method& m) { m.output_structure = "T1#1($)"; }),
              testing::StartsWith("method 0: output structure"));
}

}  // namespace
}  // namespace pteproof
