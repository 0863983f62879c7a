// Inputs of strangers for `eval` and `run`: a message with the place and the reason, and exit code
// 66 if the file cannot be read, else that of a call that stops.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "pteproof/write.h"
#include "tests/cli/run_command.h"
#include "tests/support/method_builder.h"
#include "tests/support/temp_folder.h"

namespace pteproof {
namespace {

using ::testing::HasSubstr;

std::string TextOf(const Program& program) {
  const auto file = WriteProgram(program).value();
  return {reinterpret_cast<const char*>(file.data()), file.size()};
}

// forward(x): x + x, of 2 x 3 bytes whose columns lie one behind the other.
Program TurnedSum() {
  MethodBuilder b;
  const int32_t in = b.Planned(1, 0, {2, 3});
  const int32_t out = b.Planned(1, 32, {2, 3});
  for (const int32_t v : {in, out}) {
    const Range order = b.TensorAt(v).dim_order;
    b.method().ints[order.first] = 1;
    b.method().ints[order.first + 1] = 0;
  }
  b.Input(in);
  b.Add(in, in, out);
  b.Output(out);
  return ProgramOf({b.Build()});
}

class HostileInputs : public ::testing::Test {
 protected:
  HostileInputs() : program_(folder_.Write("m.pte", TextOf(TurnedSum()))) {
    folder_.Write("calls.bin", std::string(4096, '\1'));
  }

  CommandResult With(const std::string& verb, const std::string& inputs) {
    const std::string calls = folder_.Write(
        "calls.json", R"({"program": "m.pte", "sequences": [{"calls": [{"method": "forward",
                          "inputs": [)" +
                          inputs + "]}]}]}");
    return RunCommand({verb, program_, "--inputs", calls});
  }

  const TempFolder folder_;
  const std::string program_;
};

std::string Floats(const std::string& sizes, int count) {
  return fmt::format(
      R"({{"kind": "tensor", "dtype": "float32", "sizes": {}, "nbytes": {}, "offset": 0}})", sizes,
      4 * count);
}

TEST_F(HostileInputs, OfTheRightSizesAreTaken) {
  for (const char* verb : {"eval", "run"}) EXPECT_EQ(With(verb, Floats("[2, 3]", 6)).exit_code, 0);
}

TEST_F(HostileInputs, OfAnotherRankStopTheCall) {
  const std::vector<std::pair<std::string, int>> all = {
      {"[6]", 6}, {"[]", 1},        {"[3, 2, 1]", 6},    {"[1, 2, 3]", 6},
      {"[0]", 0}, {"[2]", 2},       {"[1000]", 1000},    {"[1, 1, 1, 6]", 6},
      {"[7]", 7}, {"[2, 3, 0]", 0}, {"[2, 3, 100]", 600}};
  for (const auto& [sizes, count] : all) {
    for (const char* verb : {"eval", "run"}) {
      const CommandResult result = With(verb, Floats(sizes, count));
      EXPECT_EQ(result.exit_code, 3) << verb << sizes << result.out << result.err;
      EXPECT_THAT(result.out, HasSubstr("stops    [0] forward")) << verb << sizes;
      EXPECT_THAT(result.out, HasSubstr("input 0")) << verb << sizes;
    }
  }
}

TEST_F(HostileInputs, OfNumbersOutOfRangeAreRefusedWithTheirPlace) {
  for (const char* nbytes : {"1e300", "-4", "24.0", "1e19", "true"}) {
    for (const char* verb : {"eval", "run"}) {
      const CommandResult result =
          With(verb, fmt::format(R"({{"kind": "tensor", "dtype": "float32", "sizes": [2, 3],
                                "nbytes": {}, "offset": 0}})",
                                 nbytes));
      EXPECT_EQ(result.exit_code, 66) << nbytes;
      EXPECT_THAT(result.err, HasSubstr("sequences[0].calls[0].inputs[0]: \"nbytes\" is "));
    }
  }
}

TEST_F(HostileInputs, ThatAreNestedDeepAreRefused) {
  const std::string deep = std::string(200'000, '[') + std::string(200'000, ']');
  for (const char* verb : {"eval", "run"}) {
    const CommandResult result = With(verb, deep);
    EXPECT_EQ(result.exit_code, 66);
    EXPECT_THAT(result.err, HasSubstr("nested deeper than 32 levels"));
    const std::string calls =
        folder_.Write("deep.json", R"({"program": "m.pte", "sequences": )" + deep + "}");
    EXPECT_EQ(RunCommand({verb, program_, "--calls", calls}).exit_code, 66);
  }
}

TEST_F(HostileInputs, ThatAreOneTensorInManyCallsAreMade) {
  const std::string one = R"({"method": "forward", "inputs": [)" + Floats("[2, 3]", 6) + "]}";
  std::string calls = one;
  for (int n = 1; n < 2000; ++n) calls += "," + one;
  const std::string file = folder_.Write(
      "many.json", R"({"program": "m.pte", "sequences": [{"calls": [)" + calls + "]}]}");
  const CommandResult result = RunCommand({"run", program_, "--inputs", file});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("2000 have no reference"));
}

// One array in each of 65,535 calls of a method with many inputs that are numbers: the others keep
// the values of the program, once for each call.
TEST(HostileArchives, DoNotAskForMoreInputsThanCanBeHeld) {
  MethodBuilder b;
  for (int n = 0; n < 2000; ++n) b.Input(b.Int(1));
  b.Output(b.Int(2));
  const TempFolder folder;
  const std::string program = folder.Write("m.pte", TextOf(ProgramOf({b.Build()})));
  const std::string npy = std::string("\x93NUMPY\x01\x00", 8) + std::string("\x3A\x00", 2) +
                          "{'descr': '<i8', 'fortran_order': False, 'shape': (), }   " +
                          std::string(8, '\1');
  const auto two = [](size_t n) {
    return std::string{static_cast<char>(n & 0xFFU), static_cast<char>(n >> 8U & 0xFFU)};
  };
  const auto four = [&](size_t n) { return two(n & 0xFFFFU) + two(n >> 16U); };
  std::string archive = std::string("PK\x03\x04", 4) + std::string(26, '\0') + npy;
  const size_t list_at = archive.size();
  constexpr size_t kEntries = 65'535;
  for (size_t n = 0; n < kEntries; ++n) {
    const std::string name = fmt::format("{}/forward/0", n);
    archive += std::string("PK\x01\x02", 4) + std::string(16, '\0') + four(npy.size()) +
               four(npy.size()) + two(name.size()) + std::string(16, '\0') + name;
  }
  archive += std::string("PK\x05\x06", 4) + std::string(6, '\0') + two(kEntries) +
             std::string(4, '\0') + four(list_at) + two(0);
  const CommandResult result =
      RunCommand({"run", program, "--inputs", folder.Write("a.npz", archive)});
  EXPECT_EQ(result.exit_code, 66) << result.out.substr(0, 300);
  EXPECT_THAT(result.err, HasSubstr("take more than 4194304 inputs together"));
}

}  // namespace
}  // namespace pteproof
