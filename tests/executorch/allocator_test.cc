// What the method allocator and the heap are asked for when ExecuTorch loads a program, against
// what the file alone tells of it.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "properties/memory/device_memory.h"
#include "properties/memory/method_allocator.h"
#include "tests/executorch/witness_client.h"
#include "tests/support/collection.h"
#include "tests/support/files.h"
#include "tests/support/real_file.h"

namespace pteproof {
namespace {

using memory::RequestKind;
using witness::Answer;
using witness::CountOf;
using witness::Job;

struct Asked {
  uint64_t size = 0;
  uint64_t alignment = 0;
};

// Of one method.
struct Counted {
  std::string method;
  std::vector<Asked> requests;
  uint64_t end = 0;
  std::vector<uint64_t> blocks;
};

std::vector<Counted> CountsOf(const std::vector<Datum>& told) {
  std::vector<Counted> counts;
  for (size_t at = 0; at < told.size();) {
    const auto number = [&] { return static_cast<uint64_t>(std::get<int64_t>(told.at(at++))); };
    Counted& each = counts.emplace_back();
    each.method = std::get<std::string>(told[at++]);
    each.requests.resize(number());
    for (Asked& asked : each.requests) asked = {number(), number()};
    each.end = number();
    each.blocks.resize(number());
    for (uint64_t& block : each.blocks) block = number();
  }
  return counts;
}

bool IsAsked(const memory::Request& expected, const Asked& asked) {
  return expected.size == asked.size && expected.alignment == asked.alignment;
}

// Whether the requests are the expected ones, in order, with any that a backend makes at its place.
bool Matches(const std::vector<memory::Request>& expected, const std::vector<Asked>& asked) {
  size_t e = 0;
  size_t a = 0;
  size_t backend = expected.size();  // the last one's place, and how many requests are its own
  size_t own = 0;
  while (a < asked.size()) {
    if (e < expected.size() && expected[e].kind == RequestKind::kBackend) {
      backend = e++;
      own = a;
    } else if (e < expected.size() && IsAsked(expected[e], asked[a])) {
      ++e;
      ++a;
    } else if (backend < expected.size()) {
      e = backend + 1;
      a = ++own;
    } else {
      return false;
    }
  }
  while (e < expected.size() && expected[e].kind == RequestKind::kBackend) ++e;
  return e == expected.size();
}

// Of the heap's large blocks those that are banks, by size.
std::multiset<uint64_t> LargeBanks(const std::vector<memory::BankMemory>& banks) {
  std::multiset<uint64_t> sizes;
  for (const memory::BankMemory& bank : banks) {
    if (bank.bytes >= witness::kLargeBlock) sizes.insert(bank.bytes);
  }
  return sizes;
}

// Banks of the file: of each method that is loaded alone, or of all with shared arenas.
std::multiset<uint64_t> ExpectedBlocks(const RealFile& file, Policy policy) {
  const memory::ProgramSource source = {&*file.program, file.bytes, {}};
  const std::array<memory::LoaderKind, 1> loader = {memory::LoaderOf(policy)};
  std::multiset<uint64_t> blocks;
  const auto add = [&](std::vector<std::string> methods, bool shared) {
    auto banks = memory::MemoryOf(source, methods, loader).loaders.front().banks;
    std::erase_if(banks, [&](const memory::BankMemory& bank) { return bank.shared != shared; });
    blocks.merge(LargeBanks(banks));
  };
  for (const Method& method : file.program->methods) add({method.name}, false);
  add({}, true);
  return blocks;
}

Job JobOf(const RealFile& file, const std::filesystem::path& root, CountOf count, Policy banks) {
  Job job;
  job.program = file.bytes;
  const auto data = (root / file.name).replace_extension(".ptd");
  if (std::filesystem::exists(data)) job.data = ReadBytes(data);
  job.banks = banks;
  job.count = count;
  return job;
}

// How many programs with some trait were compared.
using Traits = std::map<std::string, int>;

void NoteTraits(const Program& program, bool has_data, Traits& traits) {
  ++traits["programs"];
  if (program.methods.size() > 1) ++traits["several_methods"];
  if (has_data) ++traits["data_files"];
  if (HasDelegate(program)) ++traits["delegates"];
  const bool jumps = std::ranges::any_of(program.methods, [](const Method& method) {
    return std::ranges::find(method.instructions, InstructionKind::kJumpFalse,
                             &Instruction::kind) != method.instructions.end();
  });
  if (jumps) ++traits["control_flow"];
}

void ExpectRequests(const RealFile& file, const Job& job, const std::vector<Counted>& counts) {
  const Program& program = *file.program;
  ASSERT_EQ(counts.size(), program.methods.size());
  const auto context = memory::ContextOf(program, !job.data.empty());
  for (size_t m = 0; m < counts.size(); ++m) {
    const Method& method = program.methods[m];
    EXPECT_EQ(counts[m].method, method.name);
    const auto expected = memory::RequestsOf(method, context, memory::Abi::kX64);
    EXPECT_TRUE(Matches(expected, counts[m].requests)) << method.name;
    // A backend's requests move the end, and `Module` goes on where the last method ended.
    if (job.count != CountOf::kHand || !method.delegates.empty()) continue;
    const memory::AllocatorUse use = memory::AllocatorUseOf(method, context);
    EXPECT_EQ(use.end, counts[m].end) << method.name;
    EXPECT_EQ(use.requests, counts[m].requests.size()) << method.name;
    uint64_t requested = 0;
    for (const Asked& asked : counts[m].requests) requested += asked.size;
    EXPECT_EQ(use.requested, requested) << method.name;
  }
}

// A backend takes blocks of its own, and constants that are packed are such blocks.
void ExpectBanks(const RealFile& file, Policy policy, const std::vector<Counted>& counts) {
  if (HasDelegate(*file.program)) return;
  std::multiset<uint64_t> blocks;
  for (const Counted& each : counts) blocks.insert(each.blocks.begin(), each.blocks.end());
  EXPECT_EQ(blocks, ExpectedBlocks(file, policy));
}

std::array<Job, 3> JobsOf(const RealFile& file, const std::filesystem::path& root) {
  return {JobOf(file, root, CountOf::kHand, Policy::kPrivate),
          JobOf(file, root, CountOf::kModule, Policy::kPrivate),
          JobOf(file, root, CountOf::kModule, Policy::kShare12)};
}

class MethodAllocator : public testing::TestWithParam<std::filesystem::path> {};

TEST_P(MethodAllocator, IsAskedForWhatTheFileTells) {
  RecordProperty("slow", "loads every program in ExecuTorch, three times");
  const auto files = ReadAllReal(GetParam());
  std::vector<const RealFile*> read;
  std::vector<Job> jobs;
  for (const auto& file : files) {
    if (!file->program.has_value()) continue;
    read.push_back(file.get());
    for (Job& job : JobsOf(*file, GetParam())) jobs.push_back(std::move(job));
  }
  const std::vector<Answer> answers = witness::Ask(jobs);
  Traits traits;
  for (size_t j = 0; j < jobs.size(); ++j) {
    const RealFile& file = *read[j / 3];
    SCOPED_TRACE(file.name);
    if (!answers[j - j % 3].load_error.empty()) continue;  // no kernel, or no data
    ASSERT_EQ(answers[j].load_error, "");
    if (j % 3 == 0) NoteTraits(*file.program, !jobs[j].data.empty(), traits);
    const std::vector<Counted> counts = CountsOf(answers[j].counts);
    ExpectRequests(file, jobs[j], counts);
    if (jobs[j].count == CountOf::kModule) ExpectBanks(file, jobs[j].banks, counts);
  }
  for (const auto& [trait, count] : traits) RecordProperty(trait, count);
  EXPECT_GE(traits["programs"], 30);
  EXPECT_GE(traits["control_flow"], 1);
  EXPECT_GE(traits["several_methods"], 1);
}

INSTANTIATE_TEST_SUITE_P(Own, MethodAllocator, testing::Values(OwnRealRoot()));
INSTANTIATE_TEST_SUITE_P(Collection, MethodAllocator,
                         testing::ValuesIn(InCollection("corpus/exported")), NameOfFolder);

}  // namespace
}  // namespace pteproof
