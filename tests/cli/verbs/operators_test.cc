// Signatures of a user's own operators, from a file or a manifest, settle what a program file
// leaves open.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "pteproof/write.h"
#include "tests/cli/run_command.h"
#include "tests/support/files.h"
#include "tests/support/method_builder.h"
#include "tests/support/temp_folder.h"

namespace pteproof {
namespace {

using testing::HasSubstr;

// The operator is given planned memory that nothing wrote: scratch, or a value that it reads.
std::string WithScratch() {
  MethodBuilder b;
  const int32_t x = b.Planned(1, 0, {8});
  b.Input(x);
  const int32_t y = b.Planned(1, 32, {8});
  b.Mul(x, x, y);
  const int32_t z = b.Planned(1, 64, {8});
  b.Mul(y, x, z);
  const int32_t scratch = b.Planned(1, 32, {4});
  const int32_t out = b.Planned(1, 96, {8});
  b.Call("my::pool.out", {z, scratch, out, out});
  b.Output(out);
  const auto bytes = WriteProgram(ProgramOf({b.Build()}));
  return {reinterpret_cast<const char*>(bytes.value().data()), bytes.value().size()};
}

constexpr const char* kSignature =
    "my::pool.out(Tensor x, *, Tensor(b!) scratch, Tensor(a!) out) -> Tensor(a!)";

TEST(Operators, SettleAReading) {
  const TempFolder folder;
  const std::string file = folder.Write("model.pte", WithScratch());
  const std::string operators = folder.Write("operators.txt", kSignature);
  for (const std::string verb : {"check", "prove"}) {
    EXPECT_NE(RunCommand({verb, file}).exit_code, 0) << verb;
    EXPECT_EQ(RunCommand({verb, "--operators", operators, file}).exit_code, 0) << verb;
  }
}

TEST(Operators, OfAManifestCountIfItIsNamed) {
  const TempFolder folder;
  const std::string file = folder.Write("model.pte", WithScratch());
  const std::string manifest =
      folder.Write("model.manifest.json",
                   std::string(R"({"pteproof": 1, "operators": [")") + kSignature + "\"]}");
  for (const std::string verb : {"check", "prove"}) {
    const int alone = RunCommand({verb, "--no-manifest", file}).exit_code;
    EXPECT_NE(alone, 0) << verb;
    EXPECT_EQ(RunCommand({verb, file}).exit_code, alone) << verb;
    EXPECT_EQ(RunCommand({verb, "--manifest", manifest, file}).exit_code, 0) << verb;
  }
}

TEST(Operators, AreRefusedWithLineAndColumn) {
  const TempFolder folder;
  const std::string file = folder.Write("model.pte", WithScratch());
  const std::string operators = folder.Write("operators.txt", "# mine\nmy::pool.out(Tensr x)");
  for (const std::string verb : {"check", "prove", "diff"}) {
    const CommandResult result = RunCommand({verb, "--operators", operators, file});
    EXPECT_EQ(result.exit_code, 64) << verb;
    EXPECT_THAT(result.out + result.err, HasSubstr("operators.txt:2:")) << verb;
  }
}

}  // namespace
}  // namespace pteproof
