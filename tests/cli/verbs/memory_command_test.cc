// `memory`: what a device allocates. The counts are worked out by hand from the texts below and
// from the source of ExecuTorch's loaders.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/cli/run_command.h"
#include "tests/support/temp_folder.h"

namespace pteproof {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using Json = nlohmann::json;

// Two methods with three banks; a brings an input and an output of 32 bytes each.
constexpr const char* kTwoMethods = R"(program

method a(%x: float32[4] @1:0, %e: float32[8]) banks [0, 64, 32, 16] {
  %w: float32[4] = [1.0, 2.0, 3.0, 4.0]
  %s: float32[2] @3:0 "s" = [1.0, 2.0]
  %y: float32[4] @1:16 = aten::add.out(%x, %w, 1)
  %o: float32[8] = aten::add.out(%e, %e, 1)
  return %y, %o
}

method b(%x: float32[4] @1:0) banks [0, 48, 96, 8] {
  %y: float32[4] @1:16 = aten::mul.out(%x, %x)
  return %y
}
)";

// By hand: a has 8 values (128 bytes), 2 inputs (2), 6 tensors of one dimension (4 for the stride,
// 64 for the object), a chain (32), 2 kernels (16), 2 argument lists (32), and in each call 5
// arguments (40), and for the lookup 5 objects (120) and 4 dim orders (4). b has 2 values (32), 1
// input (1), 2 tensors, a chain, 1 kernel (8), 1 argument list (16), 4 arguments (32), 4 objects
// (96) and 4 dim orders.
constexpr uint64_t kOfA = 128 + 2 + 6 * 68 + 32 + 16 + 32 + 2 * (40 + 120 + 4);
constexpr uint64_t kOfB = 32 + 1 + 2 * 68 + 32 + 8 + 16 + 32 + 96 + 4;
// With the gaps of alignment: 2 after the flags, 4 in each tensor but the first, 4 before the
// second call; 3 after the flag, 4 in the second tensor.
constexpr uint64_t kEndOfA = kOfA + 2 + 5 * 4 + 4;
constexpr uint64_t kEndOfB = kOfB + 3 + 4;

class MemoryVerb : public testing::Test {
 protected:
  CommandResult Run(const std::string& text, const std::vector<std::string>& words = {}) {
    std::vector<std::string> all = {"memory", folder_.Write("m.pteasm", text)};
    all.insert(all.end(), words.begin(), words.end());
    return RunCommand(all);
  }

  // Of the text, by loader.
  std::map<std::string, Json> Loaders(const std::string& text,
                                      std::vector<std::string> words = {}) {
    words.emplace_back("--json");
    const CommandResult result = Run(text, words);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    std::map<std::string, Json> loaders;
    report_ = Json::parse(result.out);
    for (const Json& loader : report_["loaders"]) loaders[loader["loader"]] = loader;
    return loaders;
  }

  const TempFolder folder_;
  Json report_;
};

TEST_F(MemoryVerb, CountsBanksAsEachLoaderAllocatesThem) {
  auto loaders = Loaders(kTwoMethods);
  ASSERT_EQ(loaders.size(), 3U);
  EXPECT_EQ(loaders["Module"]["planned"], 64 + 32 + 16 + 48 + 96 + 8);
  EXPECT_EQ(loaders["Module-shared-arenas"]["planned"], 64 + 96 + 16 + 8);
  EXPECT_EQ(loaders["executorch.runtime"]["planned"], 64 + 96 + 16);
  EXPECT_EQ(loaders["Module-shared-arenas"]["banks"][2],
            Json::parse(R"({"bank": 3, "device": null, "shared": false, "bytes": 24})"));
}

TEST_F(MemoryVerb, SumsUpWhatIsMappedAndCopiedApart) {
  auto loaders = Loaders(kTwoMethods);
  EXPECT_EQ(loaders["executorch.runtime"]["at_load"], 176 + kOfA + kOfB);
  EXPECT_EQ(loaders["executorch.runtime"]["constants"], 0);
  const Json& module = loaders["Module"];
  const uint64_t tables = module["program"];
  EXPECT_EQ(module["constants"], 16);
  EXPECT_EQ(module["at_load"], 264 + tables + 16 + kOfA + kOfB);
  EXPECT_EQ(loaders["executorch.runtime"]["mapped"], tables + 16);
  EXPECT_EQ(report_["sections"]["program"], tables);
  EXPECT_EQ(report_["methods"][0]["initial_values"], 8);
  EXPECT_EQ(Loaders(kTwoMethods, {"--policy", "private", "--files", "mapped"})["Module"]["at_load"],
            264 + kOfA + kOfB);
}

TEST_F(MemoryVerb, CountsTheMemoryOfTheCallerForOneCall) {
  auto loaders = Loaders(kTwoMethods, {"--files", "mapped"});
  EXPECT_EQ(loaders["Module"]["caller"], 32 + 32);
  EXPECT_EQ(loaders["Module"]["at_peak"], 264 + kOfA + kOfB + 64);
  const Json& runtime = loaders["executorch.runtime"];  // which keeps outputs
  EXPECT_EQ(runtime["outputs"], 32);
  EXPECT_EQ(runtime["caller"], 32);
  EXPECT_EQ(runtime["at_peak"], 176 + kOfA + kOfB + 64);
}

TEST_F(MemoryVerb, CountsTheMethodAllocatorFromTheFileAlone) {
  (void)Loaders(kTwoMethods);
  const Json& use = report_["methods"][0]["allocator"];
  EXPECT_EQ(use["requested"], kOfA);
  EXPECT_EQ(use["lookups"], 2 * (120 + 4));
  EXPECT_EQ(use["x86_64"], kEndOfA);
  EXPECT_EQ(report_["methods"][1]["allocator"]["x86_64"], kEndOfB);
}

TEST_F(MemoryVerb, LoadsOnlyTheMethodsThatAreNamed) {
  auto loaders = Loaders(kTwoMethods, {"--method", "b", "--files", "mapped"});
  EXPECT_EQ(loaders["Module"]["at_peak"], 48 + 96 + 8 + kOfB);
  // Shared banks have the size of the largest method all the same.
  EXPECT_EQ(loaders["executorch.runtime"]["planned"], 176);
  EXPECT_EQ(report_["methods"].size(), 1U);
  const CommandResult wrong = Run(kTwoMethods, {"--method", "c"});
  EXPECT_EQ(wrong.exit_code, 64);
}

TEST_F(MemoryVerb, TakesALoaderOfYourOwn) {
  const std::string table = folder_.Write("own.toml", "[bank.1]\nshared = true\n");
  auto loaders = Loaders(kTwoMethods, {"--loader-file", table, "--files", "mapped"});
  ASSERT_EQ(loaders.size(), 1U);
  const Json& own = loaders.begin()->second;
  EXPECT_EQ(own["policy"], nullptr);
  EXPECT_EQ(own["planned"], 64 + 32 + 96 + 16 + 8);
  EXPECT_EQ(own["at_load"], 216 + kEndOfA + kEndOfB);
  const std::string small = folder_.Write("small.toml", "[bank.1]\nsize = 60\n");
  EXPECT_THAT(Run(kTwoMethods, {"--loader-file", small}).out,
              HasSubstr("refuses the program: Method 'a' needs bank 1 with 64 bytes."));
}

TEST_F(MemoryVerb, CountsBlobsForEachDelegateAndNamesWhatIsNotCounted) {
  constexpr const char* kDelegates = R"(program

method a(%x: float32[4] @1:0) {
  delegate "Other" = zeros(70)
  %y: float32[4] @1:16
  delegate 0(%x, %y)
  return %y
}

method b(%x: float32[4] @1:0) {
  delegate "Other" = zeros(70)
  %y: float32[4] @1:16
  delegate 0(%x, %y)
  return %y
}
)";
  auto loaders = Loaders(kDelegates);
  EXPECT_EQ(loaders["Module"]["delegates"], 140);
  EXPECT_EQ(loaders["executorch.runtime"]["delegates"], 0);
  EXPECT_EQ(report_["not_counted"], Json::parse(R"(["workspace of Other"])"));
}

// Of 6 elements along the dimension, 16 bytes each; the other operator is not in the wheel.
TEST_F(MemoryVerb, CountsTemporaryMemoryAndNamesOperatorsThatWereNotMeasured) {
  constexpr const char* kTop = R"(program

method a(%x: float32[3, 6] @1:0) {
  %v: float32[3, 2] @1:80
  %i: int64[3, 2] @1:112
  %v, %i = aten::topk.values(%x, 2, 1, true, true)
  %y: float32[3, 2] @1:160
  %y = my::op.out(%v)
  return %y
}
)";
  auto loaders = Loaders(kTop);
  EXPECT_EQ(loaders["Module"]["temporary"], 96);
  const uint64_t at_load = loaders["Module"]["at_load"];
  EXPECT_EQ(loaders["Module"]["at_peak"], at_load + 96);
  EXPECT_EQ(report_["not_counted"], Json::parse(R"(["temporary memory of my::op.out"])"));
}

TEST_F(MemoryVerb, KeepsBanksOnDevicesApart) {
  constexpr const char* kDevice = R"(program

method a(%x: float32[4] @1:0) banks [0, 64, 32] bank 2 on(1, 0) {
  %y: float32[4] @1:16 = aten::add.out(%x, %x, 1)
  return %y
}
)";
  auto loaders = Loaders(kDevice);
  EXPECT_EQ(loaders["Module"]["planned"], 64);
  EXPECT_EQ(loaders["Module"]["banks"][1]["bytes"], 32);
  EXPECT_EQ(loaders["Module"]["banks"][1]["device"], "device cuda:0");
  EXPECT_EQ(loaders["Module"]["refused"], nullptr);
  EXPECT_NE(loaders["Module-shared-arenas"]["refused"], nullptr);
  EXPECT_THAT(Run(kDevice).out, HasSubstr("bank 2 on device cuda:0"));
}

// 32 floats and 4 are in the data file; its tables are read, too.
TEST_F(MemoryVerb, CountsConstantsOfDataFiles) {
  const std::string folder = PTEPROOF_CORPUS_DIR "/real/models/external_weights/";
  const CommandResult result = RunCommand({"memory", "--json", folder + "external_weights.pte",
                                           "--data", folder + "external_weights.ptd"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const Json report = Json::parse(result.out);
  const uint64_t external = report["methods"][0]["external"];
  EXPECT_GT(external, 0U);
  EXPECT_GT(report["loaders"][0]["data"], external);
  const CommandResult wrong =
      RunCommand({"memory", PTEPROOF_CORPUS_DIR "/real/models/external_some/external_some.pte",
                  "--data", folder + "external_weights.ptd"});
  EXPECT_EQ(wrong.exit_code, 2) << wrong.out;
}

// A product of [n, 4] and [4, 6]: n x 4 and n x 6 numbers, and 96 bytes of weights.
TEST_F(MemoryVerb, CountsBytesInUseAtOtherSizes) {
  const std::string file = PTEPROOF_CORPUS_DIR "/real/models/dynamic_batch/dynamic_batch.pte";
  const CommandResult plain = RunCommand({"memory", file});
  EXPECT_THAT(plain.out, HasSubstr("forward: v4 is [8, 4] at most\n"));
  for (const char* input : {"0=2,4", "v4=2,4"}) {
    const CommandResult result = RunCommand({"memory", file, "--at", input, "--json"});
    ASSERT_EQ(result.exit_code, 0) << result.err;
    const Json bounds = Json::parse(result.out)["bounds"];
    EXPECT_EQ(bounds[0]["banks"][0]["at_most"], 8 * 16 + 8 * 24 + 96);
    EXPECT_EQ(bounds[0]["banks"][0]["at"], 2 * 16 + 2 * 24 + 96);
  }
  for (const char* wrong : {"0=9,4", "0=4", "1=2,4", "0", "0=a", "0=2,"}) {
    EXPECT_EQ(RunCommand({"memory", file, "--at", wrong}).exit_code, 64) << wrong;
  }
  EXPECT_THAT(RunCommand({"memory", file, "--at", "x=2,4"}).err,
              HasSubstr("no method has an input x whose sizes vary; there are: v4 of 'forward'"));
}

TEST_F(MemoryVerb, ListsWhatIsInUseAtThePeak) {
  const CommandResult result = Run(kTwoMethods, {"--top", "1", "--method", "b"});
  EXPECT_THAT(result.out, HasSubstr("\n  b, bank 1: 32 bytes in use at instruction 0\n"
                                    "          16  v0: an input\n    and 1 more\n"));
  const CommandResult all = Run(kTwoMethods, {"--top", "9", "--method", "b"});
  EXPECT_THAT(all.out, HasSubstr("          16  v1: instruction 0, aten::mul.out\n"));
}

// Bytes from 32 on are nobody's but %z's, and some are nobody's at all.
TEST_F(MemoryVerb, ListsWhatLiesInTheWasteOfAPeakAndWhoReadsConstants) {
  constexpr const char* kWaste = R"(program

method m(%x: float32[4] @1:0) {
  %w: float32[4] = [1.0, 2.0, 3.0, 4.0]
  %a: float32[4] @1:16 = aten::mul.out(%x, %w)
  %y: float32[4] @1:0 = aten::mul.out(%a, %w)
  %z: float32[4] @1:64 = aten::mul.out(%y, %w)
  return %z
}
)";
  const CommandResult result = Run(kWaste, {"--top", "9"});
  EXPECT_THAT(result.out, HasSubstr("  48 bytes of the bank not in use then, by what lies there"));
  EXPECT_THAT(result.out, HasSubstr("          32  no value\n"));
  EXPECT_THAT(result.out, HasSubstr("  m: 16 bytes of constants, by their first reader\n"));
}

// The concatenation has a part more.
TEST_F(MemoryVerb, ComparesPeaksByLinesOfTheModel) {
  constexpr const char* kLines = R"({"pteproof_source": 1, "methods": {"m": {"instructions": {
    "0": {"file": "layer.py", "line": 7}, "1": {"file": "layer.py", "line": 8}}}}})";
  const auto program = [](const std::string& size, const std::string& parts) {
    return "program\nmethod m(%x: float32[4] @1:0) {\n"
           "  %a: float32[4] @1:16 = aten::mul.out(%x, %x)\n"
           "  %b: float32[" +
           size + "] @1:32 = aten::cat.out(tensors[" + parts +
           "], 0)\n"
           "  return %b\n}\n";
  };
  const std::string before = folder_.Write("m.pteasm", program("8", "%a, %x"));
  const std::string now = folder_.Write("n.pteasm", program("12", "%a, %x, %a"));
  (void)folder_.Write("m.source.json", kLines);
  (void)folder_.Write("n.source.json", kLines);
  const CommandResult compared = RunCommand({"compare", before, now});
  EXPECT_THAT(compared.out, HasSubstr("\n  m bank 1 at its peak: 16 bytes more of layer.py:8\n"));
}

// As `inspect` tells it of the same blob.
TEST_F(MemoryVerb, CountsTheWorkspaceThatABlobStates) {
  const std::string file = PTEPROOF_CORPUS_DIR "/delegates/real/vulkan_lin.pte";
  EXPECT_THAT(RunCommand({"inspect", file}).out, HasSubstr("memory of its own: 56 bytes"));
  const Json report = Json::parse(RunCommand({"memory", "--json", file}).out);
  EXPECT_EQ(report["methods"][0]["workspace"], 56);
  const Json& loader = report["loaders"][0];
  EXPECT_EQ(loader["workspace"], 56);
  const uint64_t at_load = loader["at_load"];
  EXPECT_EQ(loader["at_peak"], at_load + 56 + loader["caller"].get<uint64_t>());
}

TEST_F(MemoryVerb, TellsOfEachFileAndNamesThoseThatItCannotRead) {
  const std::string good = folder_.Write("m.pteasm", kTwoMethods);
  const std::string bad = folder_.Write("n.pte", "no program");
  const CommandResult result = RunCommand({"memory", bad, good, folder_.path() + "/none.pte"});
  EXPECT_EQ(result.exit_code, 66);
  EXPECT_THAT(result.out, HasSubstr("m.pteasm: "));
  EXPECT_THAT(result.err, AllOf(HasSubstr("n.pte: "), HasSubstr("none.pte: ")));
  EXPECT_EQ(RunCommand({"memory", good, good, "--manifest", "x.json"}).exit_code, 66);
}

}  // namespace
}  // namespace pteproof
