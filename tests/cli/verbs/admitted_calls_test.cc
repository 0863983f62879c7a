// `run --manifest` and `eval --manifest` say which recorded call has sizes that the manifest does
// not admit.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "tests/cli/run_command.h"
#include "tests/support/temp_folder.h"

namespace pteproof {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr const char* kBounded = R"(program

method forward(%x: float32[8] bounded @1:0) {
  %y: float32[8] bounded @1:32 = aten::mul.out(%x, %x)
  return %y
}
)";

// One call with inputs of that many zeros.
std::string CallOf(int count) {
  const std::string tensor = R"({"kind": "tensor", "dtype": "float32", "sizes": [)" +
                             std::to_string(count) + R"(], "offset": 0, "nbytes": )" +
                             std::to_string(4 * count) + "}";
  return R"({"method": "forward", "inputs": [)" + tensor + R"(], "eager": [)" + tensor +
         R"(], "executorch": null, "truth": "eager"})";
}

CommandResult RunWith(const std::string& verb, const std::string& sizes) {
  const TempFolder folder;
  const std::string program = folder.Write("m.pteasm", kBounded);
  folder.Write("calls.bin", std::string(32, '\0'));
  const std::string calls = folder.Write(
      "calls.json", R"({"program": "m.pteasm", "sequences": [{"name": "s", "calls": [)" +
                        CallOf(4) + ", " + CallOf(5) + "]}]}");
  const std::string manifest = folder.Write(
      "m.json", R"({"pteproof": 1, "methods": {"forward": {"inputs": [{"name": "x", "sizes": [)" +
                    sizes + "]}]}}}");
  return RunCommand({verb, program, "--calls", calls, "--manifest", manifest});
}

TEST(AdmittedCalls, AreThoseOfTheManifestsSteps) {
  for (const char* verb : {"run", "eval"}) {
    const CommandResult result = RunWith(verb, R"({"min": 2, "max": 8, "step": 2})");
    EXPECT_EQ(result.exit_code, 3) << result.out << result.err;
    EXPECT_THAT(result.out,
                HasSubstr("agrees   s[1] forward: not admitted: input 0 'x' has the size 5 in "
                          "dimension 0, and the manifest admits 2 to 8 in steps of 2\n"));
    EXPECT_THAT(result.out, Not(HasSubstr("s[0] forward: not admitted")));
    EXPECT_THAT(result.out, HasSubstr("1 calls have sizes that the manifest does not admit"));
  }
}

TEST(AdmittedCalls, AreAllIfTheManifestHasTheirSizes) {
  const CommandResult result = RunWith("run", R"({"min": 1, "max": 8})");
  EXPECT_EQ(result.exit_code, 0) << result.out << result.err;
  EXPECT_THAT(result.out, Not(HasSubstr("admit")));
}

}  // namespace
}  // namespace pteproof
