// Blobs of real exports, against the signatures that the exporter had of them
// (corpus/delegates/README.md); and damaged ones, of which nothing may be believed.
#include "runtime/delegates/opened_blob.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "pteproof/read.h"
#include "runtime/delegates/call_roles.h"
#include "tests/support/files.h"

namespace pteproof::delegates {
namespace {

const std::filesystem::path kReal =
    std::filesystem::path(PTEPROOF_CORPUS_DIR) / "delegates" / "real";

// How many inputs and outputs the lowered module's own signature has, call by call.
struct Signature {
  const char* file;
  const char* backend;
  std::vector<std::pair<size_t, size_t>> calls;
};

std::vector<Signature> Signatures() {
  return {
      {"xnnpack_two.pte", "XNNPACK", {{2, 2}}},
      {"xnnpack_lin_dyn.pte", "XNNPACK", {{1, 1}}},
      {"xnnpack_convpool.pte", "XNNPACK", {{1, 1}, {1, 2}}},
      {"xnnpack_chan_cl.pte", "XNNPACK", {{3, 2}}},
      {"vulkan_two.pte", "Vulkan", {{2, 2}}},
      {"vulkan_lin.pte", "Vulkan", {{1, 1}}},
      {"vulkan_mpi.pte", "Vulkan", {{1, 2}}},
      {"native_three.pte", "native", {{2, 3}}},
      {"native_np.pte", "native", {{1, 2}}},
      {"native_lin_dyn.pte", "native", {{1, 1}}},
      {"core_ml_two.pte", "Core ML", {{2, 2}}},
      {"core_ml_state.pte", "Core ML", {{1, 1}}},
      {"core_ml_kinds.pte", "Core ML", {{2, 3}}},
      {"core_ml_lin_dyn.pte", "Core ML", {{1, 1}}},
      {"mlx_three.pte", "MLX", {{2, 3}}},
      {"mlx_state.pte", "MLX", {{1, 1}}},
      {"mlx_lin_dyn.pte", "MLX", {{1, 1}}},
  };
}

// The roles of the calls, a letter an argument, in the order of the instructions.
std::vector<std::string> RolesInFile(const std::string& file, size_t of = 0) {
  const auto read = ReadProgramFile((kReal / file).string());
  if (!read.ok()) return {"cannot be read"};
  const Method& method = read.value().program.methods[of];
  std::vector<std::string> all;
  for (const Instruction& at : method.instructions) {
    if (at.kind != InstructionKind::kDelegateCall) continue;
    const auto roles = RolesOf(method.delegates[static_cast<size_t>(at.target)], at.args.count);
    std::string& letters = all.emplace_back(roles ? "" : "unknown");
    if (!roles) continue;
    for (const ArgumentRole role : *roles) letters += "rwu."[static_cast<size_t>(role)];
  }
  return all;
}

TEST(OpenedBlob, HasTheRolesOfTheExportersSignature) {
  for (const Signature& signature : Signatures()) {
    std::vector<std::string> expected;
    for (const auto& [inputs, outputs] : signature.calls) {
      expected.push_back(std::string(inputs, 'r') + std::string(outputs, 'w'));
    }
    EXPECT_EQ(RolesInFile(signature.file), expected) << signature.file;
  }
}

// One model of Core ML for both, in the named data.
TEST(OpenedBlob, FollowsAReferenceToTheMethodsPartOfAModel) {
  EXPECT_EQ(RolesInFile("core_ml_methods.pte", 0), std::vector<std::string>{"rrww"});
  EXPECT_EQ(RolesInFile("core_ml_methods.pte", 1), std::vector<std::string>{"rw"});
}

// "keep.total updated"
std::vector<std::string> BuffersInFile(const std::string& file) {
  std::vector<std::string> buffers;
  const auto read = ReadProgramFile((kReal / file).string());
  if (!read.ok()) return {"cannot be read"};
  for (const Method& method : read.value().program.methods) {
    for (const BlobState& state : method.delegates.front().opened->states) {
      buffers.push_back(state.name + (state.updated ? " updated" : ""));
    }
  }
  return buffers;
}

TEST(OpenedBlob, HasTheBuffersOfTheExportersSignature) {
  EXPECT_EQ(BuffersInFile("core_ml_state.pte"), std::vector<std::string>{"keep_total updated"});
  EXPECT_EQ(BuffersInFile("core_ml_two.pte"), std::vector<std::string>{});
  EXPECT_THAT(BuffersInFile("native_np.pte"), testing::Contains(testing::EndsWith(" updated")));
  EXPECT_THAT(BuffersInFile("mlx_states.pte"),
              testing::IsSupersetOf({"keep.total", "keep.total updated"}));
}

// Vulkan's exporter lists the buffer's new contents as an output, for which the call has no
// argument.
TEST(OpenedBlob, SaysNothingOfACallWithOtherArguments) {
  EXPECT_EQ(RolesInFile("vulkan_state.pte"), std::vector<std::string>{"unknown"});
}

// Keeps the bytes of the file.
struct BlobOfFile {
  std::vector<std::byte> bytes;
  std::string backend;
};

std::vector<BlobOfFile> AllBlobs() {
  std::vector<BlobOfFile> blobs;
  for (const Signature& signature : Signatures()) {
    const auto read = ReadProgramFile((kReal / signature.file).string());
    if (!read.ok()) continue;
    for (const Delegate& delegate : read.value().program.methods.front().delegates) {
      blobs.push_back({{delegate.blob.begin(), delegate.blob.end()}, signature.backend});
    }
  }
  return blobs;
}

std::optional<OpenedBlob> Open(const std::vector<std::byte>& bytes) {
  std::vector<OpenedBlob> all = OpenBlob(bytes);
  return all.empty() ? std::nullopt : std::optional(std::move(all.front()));
}

TEST(OpenedBlob, KnowsEachBackendByItsBytes) {
  ASSERT_EQ(AllBlobs().size(), 18U);
  for (const BlobOfFile& blob : AllBlobs()) {
    const auto opened = Open(blob.bytes);
    ASSERT_TRUE(opened.has_value());
    EXPECT_EQ(opened->backend, blob.backend);
    EXPECT_EQ(opened->damage, "");
  }
  EXPECT_FALSE(Open({}).has_value());
  EXPECT_FALSE(Open(std::vector<std::byte>(100, std::byte{0x58})).has_value());
}

void ExpectInside(const OpenedBlob& opened) {
  const auto is_value = [&](int32_t v) {
    return v >= 0 && static_cast<size_t>(v) < opened.values.size();
  };
  for (const BlobNode& node : opened.nodes) {
    EXPECT_TRUE(std::ranges::all_of(node.reads, is_value));
    EXPECT_TRUE(std::ranges::all_of(node.writes, is_value));
  }
  for (const BlobSlot& slot : opened.outputs) EXPECT_TRUE(slot.value == -1 || is_value(slot.value));
}

TEST(OpenedBlob, TellsOfEveryCutWhatIsMissing) {
  for (const BlobOfFile& blob : AllBlobs()) {
    for (size_t size = 0; size < blob.bytes.size(); size += 3) {
      const auto opened = Open({blob.bytes.begin(), blob.bytes.begin() + static_cast<long>(size)});
      if (!opened) continue;
      ExpectInside(*opened);
      if (!opened->damage.empty()) EXPECT_TRUE(opened->values.empty());
    }
  }
}

TEST(OpenedBlob, SurvivesChangedBytes) {
  std::mt19937 random(57);
  for (const BlobOfFile& blob : AllBlobs()) {
    for (int round = 0; round < 200; ++round) {
      std::vector<std::byte> bytes = blob.bytes;
      for (size_t change = random() % 5; change < 5; ++change) {
        bytes[random() % bytes.size()] =
            static_cast<std::byte>(random() % 3 == 0 ? 0xFF : random());
      }
      const auto opened = Open(bytes);
      if (!opened) continue;
      ExpectInside(*opened);
      Delegate delegate;
      delegate.opened = std::make_shared<const OpenedBlob>(*opened);
      static_cast<void>(RolesOf(delegate, opened->inputs.size() + opened->outputs.size()));
    }
  }
}

// A program of that many methods, each of which has a delegate with such bytes.
Program ProgramOf(const std::vector<Bytes>& blobs) {
  Program program;
  for (const Bytes blob : blobs) {
    Method& method = program.methods.emplace_back();
    method.name = "m" + std::to_string(program.methods.size());
    method.delegates = {{.id = "Backend", .blob = blob}};
  }
  OpenBlobs(program);
  return program;
}

TEST(OpenedBlob, IsOneForAllMethodsThatHaveItsBytes) {
  const BlobOfFile blob = AllBlobs().front();
  const Program program = ProgramOf(std::vector<Bytes>(1000, blob.bytes));
  ASSERT_NE(program.methods.front().delegates.front().opened, nullptr);
  for (const Method& method : program.methods) {
    EXPECT_EQ(method.delegates.front().opened, program.methods.front().delegates.front().opened);
  }
}

// Each begins with the same graph and has another end, so that none is equal to another.
TEST(OpenedBlob, StaysClosedIfManyLieInTheSameBytes) {
  std::vector<std::byte> bytes = AllBlobs().front().bytes;
  const size_t size = bytes.size();
  bytes.resize(size + 1000);
  std::vector<Bytes> blobs;
  for (size_t more = 0; more < 1000; ++more) blobs.push_back(Bytes(bytes).first(size + more));
  uint64_t opened = 0;
  for (const Method& method : ProgramOf(blobs).methods) {
    if (method.delegates.front().opened != nullptr) opened += method.delegates.front().blob.size();
  }
  EXPECT_GT(opened, 0U);
  EXPECT_LE(opened, 2 * bytes.size());
}

}  // namespace
}  // namespace pteproof::delegates
