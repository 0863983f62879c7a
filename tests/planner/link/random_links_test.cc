// Random Modules whose methods are planned apart, each as a program of its own, and linked: equal
// to the Module, by terms and by calls.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "base/rule_names.h"
#include "planner/link/link.h"
#include "planner/link/split.h"
#include "planner/plan.h"
#include "planner/state/module_init.h"
#include "properties/compare/compare_programs.h"
#include "properties/differential/case_steps.h"
#include "properties/differential/compare_calls.h"
#include "properties/differential/settings.h"
#include "properties/generators/draw.h"
#include "properties/manifest/linked.h"
#include "properties/manifest/of_plan.h"
#include "reference/graph/functionalize.h"
#include "reference/graph/method_uses.h"
#include "runtime/same_program.h"
#include "tests/support/counts.h"

namespace pteproof {
namespace {

using graph::Buffer;
using graph::Module;
using planner::Linked;
using planner::PlanOptions;

// Buffers that some method stores to. Mutated views have no store of their own before they are
// replaced.
std::vector<bool> StoredIn(const Module& module) {
  std::vector<bool> stored(module.buffers.size());
  const auto functional = graph::Functionalize(module);
  if (!functional.ok()) return stored;
  for (const graph::Method& method : functional.value().methods) {
    for (const int32_t b : graph::BuffersStoredBy(method)) stored[static_cast<size_t>(b)] = true;
  }
  return stored;
}

// Gives shared buffers of floats initial values of their own, by which a test finds them among the
// constants of a file. False: another one could be taken for an equal constant.
bool MakeTellable(Module& module) {
  const std::vector<bool> stored = StoredIn(module);
  for (size_t b = 0; b < module.buffers.size(); ++b) {
    Buffer& buffer = module.buffers[b];
    if (!buffer.shared || !stored[b]) continue;
    if (buffer.type.dtype != ScalarType::kFloat32) return false;
    Sizes sizes;
    for (const SizeExpr& size : buffer.type.sizes) sizes.push_back(*size.Constant());
    TensorValue initial = Zeros(buffer.type.dtype, sizes);
    if (ElementCount(initial) == 0) return false;
    for (int64_t i = 0; i < ElementCount(initial); ++i) {
      SetReal(initial, i, 100.0 * static_cast<double>(b + 1) + static_cast<double>(i) / 8);
    }
    buffer.initial = std::move(initial);
  }
  return true;
}

// One method, planned by itself.
struct Apart {
  planner::Planned planned;
  Manifest manifest;
};

// Names the constants that are shared buffers.
void NameConstants(const Module& whole, const Program& program, Manifest& manifest) {
  const std::vector<bool> stored = StoredIn(whole);
  if (!manifest.buffers) manifest.buffers.emplace();
  const Method& method = program.methods.front();
  for (size_t b = 0; b < whole.buffers.size(); ++b) {
    const Buffer& buffer = whole.buffers[b];
    if (!buffer.shared || !stored[b]) continue;
    (*manifest.buffers)[buffer.name].shared = true;
    for (size_t v = 0; v < method.values.size(); ++v) {
      const Tensor* tensor = method.TensorOf(static_cast<int32_t>(v));
      if (tensor == nullptr || tensor->planned || tensor->data_index == 0) continue;
      if (!std::ranges::equal(program.constants[tensor->data_index], buffer.initial->bytes)) {
        continue;
      }
      ManifestMethod& stated = manifest.methods[method.name];
      stated.values[static_cast<int32_t>(v)] = buffer.name;
      if (!stated.reads) stated.reads.emplace();
      if (std::ranges::find(*stated.reads, buffer.name) == stated.reads->end()) {
        stated.reads->push_back(buffer.name);
      }
    }
  }
}

// Nothing: the planner refuses a method.
std::optional<std::deque<Apart>> PlanApart(const Module& module, PlanOptions options) {
  std::deque<Apart> all;
  for (const graph::Method& method : module.methods) {
    Module single = module;
    single.methods = {method};
    auto planned = planner::Plan(single, options);
    if (!planned.ok()) return std::nullopt;
    Apart& apart = all.emplace_back(Apart{std::move(planned).value(), {}});
    auto manifest = ManifestOfPlan(single, options, apart.planned.program);
    if (!manifest.ok()) return std::nullopt;
    apart.manifest = std::move(manifest).value();
    NameConstants(module, apart.planned.program, apart.manifest);
  }
  return all;
}

struct Tally {
  int linked = 0;
  int proved = 0;  // methods, by terms
  int64_t calls = 0;
  int split = 0;
  int loose = 0;  // with activations as they were
  int with_init = 0;
  int with_readers = 0;
  int misaligned = 0;   // in plans without alignment
  int overwritten = 0;  // methods that leave something else in an input that is given away
  std::map<std::string, int> refused;
};

// The first sentence without the names in it.
std::string KindOf(std::string text) {
  for (size_t at = text.find('\''); at != std::string::npos; at = text.find('\'', at + 1)) {
    const size_t end = text.find('\'', at + 1);
    if (end == std::string::npos) break;
    text.erase(at + 1, end - at - 1);
    ++at;
  }
  return text;
}

// The methods in the Module's order, for callers that know them by index.
Program InOrderOf(const Module& module, Program program) {
  std::vector<Method> methods;
  for (const graph::Method& method : module.methods) {
    methods.push_back(*std::ranges::find(program.methods, method.name, &Method::name));
  }
  for (Method& method : program.methods) {
    if (method.name == planner::kModuleInit) methods.push_back(std::move(method));
  }
  program.methods = std::move(methods);
  return program;
}

// Under which each method alone is safe.
std::vector<Policy> SafePolicies(const std::vector<FileToLink>& files) {
  std::vector<Policy> policies = {Policy::kShare12, Policy::kShareAll};
  std::erase_if(policies, [&](Policy policy) {
    return std::ranges::any_of(files, [&](const FileToLink& file) {
      return !ErrorIn(*file.program, file.manifest, policy).empty();
    });
  });
  return policies;
}

// Whether the difference is what a call leaves in an input that the caller lets it overwrite.
bool IsInOverwrittenInput(const Module& module, const compare::MethodComparison& comparison) {
  const auto method = std::ranges::find(module.methods, comparison.method, &graph::Method::name);
  for (size_t n = 0; n < method->inputs.size(); ++n) {
    const std::string where = "input " + std::to_string(n) + " at exit";
    if (comparison.difference && comparison.difference->where == where) {
      return method->inputs[n].in_place;
    }
  }
  return false;
}

// Whether packed activations have come to a place that is another value's name.
bool IsWrong(const std::vector<FileToLink>& files, const Linked& linked) {
  const Manifest manifest = LinkedManifest(files, linked, std::nullopt);
  return std::ranges::any_of(SafePolicies(files), [&](Policy policy) {
    return !ErrorIn(linked.program, &manifest, policy).empty();
  });
}

void Judge(const generators::RandomCase& c, const Linked& linked, const Manifest& manifest,
           const CaseWays& ways, const std::vector<Policy>& policies, bool packed_tight,
           Tally& tally) {
  for (const Policy policy : policies) {
    const CaseFault error = ErrorIn(linked.program, &manifest, policy);
    // Values that a plan without alignment packs may lie apart once state between them has left.
    if (error.kind == rule::kPlanAlignment && packed_tight) {
      ++tally.misaligned;
      return;
    }
    ASSERT_EQ(error.explanation, "");
  }
  compare::CompareOptions options;
  options.computation.policies = policies;
  options.calls = 20;
  for (const compare::MethodComparison& method :
       compare::CompareModuleAndRun(c.module, {&linked.program, nullptr, &manifest}, options)) {
    if (method.answer == compare::Answer::kDiffers && IsInOverwrittenInput(c.module, method)) {
      ++tally.overwritten;
      continue;
    }
    ASSERT_TRUE(method.answer != compare::Answer::kDiffers)
        << method.method << ": " << (method.difference ? method.difference->where : method.reason)
        << method.run_difference;
    tally.proved += method.answer == compare::Answer::kSame ? 1 : 0;
  }
  std::vector<std::byte> bytes;
  const auto read = Reread(InOrderOf(c.module, linked.program), bytes);
  ASSERT_TRUE(read.ok()) << read.error();
  CaseVerdict verdict;
  CompareCalls(c, read.value(), policies.back(), ways, verdict);
  ASSERT_EQ(verdict.fault.explanation, "");
  tally.calls += verdict.calls;
}

// Each method taken out, and all of them linked again.
void SplitAndLink(const Linked& linked, Tally& tally) {
  std::deque<planner::SplitProgram> parts;
  std::vector<planner::LinkedFile> files;
  std::set<std::string> shared;
  for (const planner::SharedBuffer& each : linked.shared) shared.insert(each.name);
  for (const Method& method : linked.program.methods) {
    if (method.name == planner::kModuleInit) continue;
    auto split = planner::Split(linked.program, {method.name});
    ASSERT_TRUE(split.ok()) << split.error();
    const planner::SplitProgram& part = parts.emplace_back(std::move(split).value());
    planner::LinkedFile& file = files.emplace_back();
    file = {method.name + ".pte", &part.program, {}, shared};
    for (const Method& each : part.program.methods) file.methods.push_back({.name = each.name});
    for (const planner::SplitConstant& constant : part.constants) {
      for (planner::LinkedMethod& each : file.methods) {
        if (each.name == constant.method) each.values[constant.value] = constant.buffer;
      }
    }
  }
  const auto again = planner::Link(std::move(files), {});
  ASSERT_TRUE(again.ok()) << again.error();
  // Bytes that a loop may read before it has written them are taken for state, or not, by what
  // else lies there: only such values may move.
  if (!linked.nameless.empty() || !again.value().nameless.empty()) return;
  const std::string difference = ProgramDifference(again.value().program, linked.program);
  ASSERT_EQ(difference, "");
  ++tally.split;
}

void LinkCase(uint64_t seed, Tally& tally) {
  generators::RandomCase c = generators::BuildCase(generators::DrawCase(seed));
  if (c.module.methods.size() < 2 || !MakeTellable(c.module)) return;
  const Setting setting = SettingOf(seed);
  const auto apart = PlanApart(c.module, setting.options);
  if (!apart) return;
  std::vector<FileToLink> files;
  std::vector<planner::LinkedFile> linked_files;
  for (const Apart& each : *apart) {
    const Program& program = each.planned.program;
    files.push_back({program.methods.front().name + ".pte", &program, &each.manifest});
    linked_files.push_back(LinkedFileOf(files.back()));
  }
  const int loose_before = tally.loose;
  auto linked = planner::Link(linked_files, {});
  if (linked.ok() && IsWrong(files, linked.value())) {  // as the command does
    ++tally.loose;
    linked = planner::Link(linked_files, {.pack = false});
  }
  if (!linked.ok()) {
    ++tally.refused[KindOf(linked.error())];
    return;
  }
  ++tally.linked;
  tally.with_init += linked.value().init ? 1 : 0;
  tally.with_readers += std::ranges::any_of(
      linked.value().sources, [](const auto& source) { return !source.as_state.empty(); });
  if (tally.loose == loose_before) SplitAndLink(linked.value(), tally);
  const std::vector<Policy> policies = SafePolicies(files);
  if (policies.empty()) return;
  Judge(c, linked.value(), LinkedManifest(files, linked.value(), std::nullopt), setting.ways,
        policies, setting.options.alignment == 1, tally);
}

TEST(RandomLinksTest, ComputeWhatTheModuleMeans) {
  Tally tally;
  const uint64_t cases = Cases(60, 400);
  for (uint64_t seed = 0; seed < cases && !testing::Test::HasFatalFailure(); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    LinkCase(seed, tally);
  }
  for (const auto& [why, count] : tally.refused) {
    std::printf("%d refused: %s\n", count, why.c_str());
  }
  std::printf(
      "%d linked, %d split and equal, %d methods proved, %d calls, %d with et_module_init, %d with "
      "readers, %d "
      "overwrite "
      "inputs\n",
      tally.linked, tally.split, tally.proved, static_cast<int>(tally.calls), tally.with_init,
      tally.with_readers, tally.overwritten);
  EXPECT_GT(tally.linked, static_cast<int>(cases / 5));
  EXPECT_LE(tally.loose + tally.misaligned, static_cast<int>(cases / 2000));
  EXPECT_GT(tally.split, tally.linked * 9 / 10);
  EXPECT_GT(tally.with_init, 0);
  EXPECT_GT(tally.with_readers, 0);
}

}  // namespace
}  // namespace pteproof
