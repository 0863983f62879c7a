// What fuzz_kernels tries.
//
//   fuzz_calls reach [N]         of N random inputs: for each operator how many of its calls
//   reached
//                                its kernel, and why the others did not
//   fuzz_calls write INPUT FILE  the program of an input, as a `.pte`
//   fuzz_calls inputs FOLDER N   random inputs, as files that are numbered
//   fuzz_calls seeds FOLDER      programs that call each operator that has a kernel
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "fuzz/calls/make_draft.h"
#include "fuzz/calls/operands.h"
#include "fuzz/calls/run_calls.h"
#include "fuzz/calls/seed_programs.h"
#include "fuzz/mutate/random.h"
#include "fuzz/tools/contents.h"
#include "reference/op_schema.h"

namespace {

using namespace pteproof;        // NOLINT: a program of its own
using namespace pteproof::fuzz;  // NOLINT

constexpr int kUsage = 64;
constexpr size_t kInputs = 40'000;
constexpr size_t kMostOperators = 1024;
constexpr size_t kLongestReason = 120;
constexpr unsigned kSecondsPerInput = 20;

struct Counts {
  uint32_t drawn = 0;
  uint32_t found = 0;  // with operands
  uint32_t reached = 0;
  uint32_t refused = 0;
  char why[kLongestReason + 1] = {};  // of the last one
};

// In memory that outlives a process that an input ends.
struct Shared {
  size_t next = 0;
  size_t ended = 0;  // inputs that ended a process
  size_t stages[kStageCount] = {};
  std::array<Counts, kMostOperators> operators;
};

// As a campaign has them: most with few changes, or none.
Buffer RandomInput(uint64_t seed) {
  constexpr std::array<size_t, 8> kChanges = {0, 0, 0, 1, 1, 1, 2, 4};
  Random random(seed);
  Buffer input(kCallsHeader);
  for (std::byte& byte : input) byte = static_cast<std::byte>(random.Next());
  const size_t calls = 1 + static_cast<size_t>(input[0]) % 4;
  input.resize(kCallsHeader + (calls + random.Of(kChanges)) * kCallsRecord);
  for (size_t b = kCallsHeader; b < input.size(); ++b) {
    input[b] = static_cast<std::byte>(random.Next());
  }
  return input;
}

size_t NumberOf(std::string_view op) {
  const auto& all = OperatorsWithKernels();
  return static_cast<size_t>(std::ranges::find(all, op, &OpSchema::name) - all.begin());
}

void Count(const CallsPlan& plan, Shared& shared) {
  for (const OpSchema* op : plan.drawn) ++shared.operators[NumberOf(op->name)].drawn;
  for (const DraftStep& step : plan.draft.steps) {
    const bool known = step.kind == InstructionKind::kKernelCall && step.op != nullptr;
    if (known) ++shared.operators[NumberOf(step.op->name)].found;
  }
  const CallsRun run = RunCalls(plan);
  ++shared.stages[static_cast<size_t>(run.stage)];
  for (const CallFate& fate : run.fates) {
    Counts& counts = shared.operators[NumberOf(fate.op)];
    counts.reached += fate.fate == Fate::kReached ? 1 : 0;
    if (fate.fate != Fate::kRefused) continue;
    ++counts.refused;
    std::strncpy(counts.why, fate.why.c_str(), kLongestReason);
  }
}

// In processes of their own, as an input may end one.
void CountAll(size_t inputs, Shared& shared) {
  while (shared.next < inputs) {
    const pid_t child = fork();
    if (child == 0) {
      while (shared.next < inputs) {
        alarm(kSecondsPerInput);
        Count(PlanCalls(RandomInput(shared.next++)), shared);
      }
      _exit(0);
    }
    int status = 0;
    waitpid(child, &status, 0);
    if (status != 0) ++shared.ended;
  }
}

int Reach(size_t inputs) {
  void* memory =
      mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return EXIT_FAILURE;
  auto& shared = *new (memory) Shared;
  CountAll(inputs, shared);
  const auto& all = OperatorsWithKernels();
  std::vector<size_t> order(all.size());
  for (size_t i = 0; i < order.size(); ++i) order[i] = i;
  const auto share = [&](size_t i) {
    const Counts& c = shared.operators[i];
    return c.drawn == 0 ? 0.0 : 100.0 * c.reached / std::max(c.drawn, c.found);
  };
  std::ranges::sort(order, {}, share);
  fmt::print("{:<60}{:>8}{:>8}{:>8}\n", "operator", "calls", "reach", "percent");
  size_t below = 0;
  for (const size_t i : order) {
    const Counts& c = shared.operators[i];
    below += share(i) * 3 < 100 ? 1 : 0;
    fmt::print("{:<60}{:>8}{:>8}{:>8.1f}  {}\n", all[i]->name, std::max(c.drawn, c.found),
               c.reached, share(i), c.why);
  }
  fmt::print(
      "{} operators, {} of them below a third; {} inputs: {} refused, {} read, {} judged, {} "
      "ran, {} ended a process\n",
      all.size(), below, inputs, shared.stages[0], shared.stages[1], shared.stages[2],
      shared.stages[3], shared.ended);
  return below == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string_view verb = argc > 1 ? argv[1] : "";
  if (verb == "reach") return Reach(argc > 2 ? std::strtoull(argv[2], nullptr, 10) : kInputs);
  if (verb == "write" && argc == 4) {
    Put(WriteDraft(PlanCalls(ContentsOf(argv[2])).draft).file, argv[3]);
    return EXIT_SUCCESS;
  }
  if (verb == "inputs" && argc == 4) {
    const size_t count = std::strtoull(argv[3], nullptr, 10);
    for (size_t i = 0; i < count; ++i) {
      Put(RandomInput(i), std::filesystem::path(argv[2]) / fmt::format("calls-{:02}", i));
    }
    return EXIT_SUCCESS;
  }
  if (verb == "seeds" && argc == 3) {
    for (const SeedProgram& program : MakeSeedPrograms()) {
      Put(program.file, std::filesystem::path(argv[2]) / program.name);
    }
    return EXIT_SUCCESS;
  }
  fmt::print(stderr,
             "usage: fuzz_calls reach [INPUTS] | write INPUT FILE.pte | inputs FOLDER COUNT "
             "| seeds FOLDER\n");
  return kUsage;
}
