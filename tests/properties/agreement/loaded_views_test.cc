// Random plans whose operators read buffers with stored data through elided views that carry the
// data's number, too, as the exporter writes them: all checkers agree on them.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <set>
#include <vector>

#include "planner/plan.h"
#include "properties/agreement/judge_all_checkers.h"
#include "properties/differential/settings.h"
#include "properties/generators/build_module.h"
#include "properties/generators/draw.h"
#include "pteproof/program.h"
#include "reference/op_schema.h"

namespace pteproof {
namespace {

bool IsLoaded(const Method& method, int32_t v) {
  const Tensor* tensor = method.TensorOf(v);
  return tensor != nullptr && tensor->planned && tensor->data_index > 0 && tensor->nbytes > 0;
}

// The value of another name for the same bytes, loaded with the same data.
int32_t AddView(Method& method, int32_t buffer) {
  Value value = method.values[static_cast<size_t>(buffer)];
  Tensor view = *method.TensorOf(buffer);
  value.tensor = static_cast<uint32_t>(method.tensors.size());
  method.tensors.push_back(view);
  method.values.push_back(value);
  return static_cast<int32_t>(method.values.size()) - 1;
}

// Lets the first operator that only reads a buffer with stored data read a view of it. A second
// view would be one of the first, by the exporter's order. Returns their number.
int ReadThroughViews(Method& method) {
  std::set<int32_t> viewed;
  for (Instruction& at : method.instructions) {
    if (at.kind != InstructionKind::kKernelCall) continue;
    const OpSchema* schema = method.operators[static_cast<size_t>(at.target)].schema;
    if (schema == nullptr) continue;
    const auto given = method.Ints(at.args);
    std::vector<int32_t> args(given.begin(), given.end());
    for (size_t a = 0; a < std::min(args.size(), schema->args.size()); ++a) {
      const ArgSchema& arg = schema->args[a];
      if (arg.out || arg.access != Access::kRead || !IsLoaded(method, args[a])) continue;
      if (std::ranges::count(args, args[a]) > 1) continue;  // an operand that is written as well
      if (viewed.insert(args[a]).second) args[a] = AddView(method, args[a]);
    }
    at.args.first = static_cast<uint32_t>(method.ints.size());
    method.ints.insert(method.ints.end(), args.begin(), args.end());
  }
  return static_cast<int>(viewed.size());
}

TEST(LoadedViews, AreJudgedAlikeInAllCheckers) {
  RecordProperty("slow", "draws many random cases");
  int with_views = 0;
  for (uint64_t seed = 0; seed < 2000; ++seed) {
    const auto random = generators::BuildCase(generators::DrawCase(seed));
    const auto planned = planner::Plan(random.module, SettingOf(seed).options);
    if (!planned.ok()) continue;
    Program loaded = planned.value().program;
    for (Method& method : loaded.methods) {
      for (Tensor& tensor : method.tensors) tensor.name = {};
    }
    int views = 0;
    for (Method& method : loaded.methods) views += ReadThroughViews(method);
    if (views == 0) continue;
    with_views += views;
    const CheckersVerdict checkers =
        JudgeAllCheckers(loaded, {.seed = seed, .sequences = 2, .fast = true});
    EXPECT_EQ(checkers.disagreement, "") << seed;
  }
  EXPECT_GE(with_views, 60);
}

}  // namespace
}  // namespace pteproof
