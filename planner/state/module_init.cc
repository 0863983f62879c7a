// Idea. Loaders copy stored initial values whenever they load a method. If methods share the buffer
// and are loaded late, such a copy undoes what another method stored. So shared buffers that do not
// start as zeros are set by a method of their own, which the caller calls once; a method that sets
// one shared buffer sets all, so that a call of it starts anew. Cost: O(buffers + bytes).
#include "planner/state/module_init.h"

#include <algorithm>

#include "planner/planted.h"
#include "reference/graph/builder.h"
#include "reference/op_schema.h"

namespace pteproof::planner {

using graph::Buffer;
using graph::Module;

bool StartsAsZeros(const Buffer& buffer) {
  if (!buffer.initial) return true;
  if (Planted(Defect::kZeroByFirstByte) && !buffer.initial->bytes.empty()) {
    return buffer.initial->bytes.front() == std::byte{0};
  }
  return std::ranges::all_of(buffer.initial->bytes, [](std::byte b) { return b == std::byte{0}; });
}

std::vector<bool> SetByMethod(const Module& module, const PlanOptions& options,
                              const StateLayout& state) {
  std::vector<bool> set(module.buffers.size());
  if (options.initial == InitialState::kFile && !options.module_init) return set;
  const bool all = options.initial == InitialState::kMethod || options.module_init;
  bool any = all;
  for (size_t b = 0; b < set.size(); ++b) {
    const size_t users = UserCount(state, b);
    if (!state.shared[b] || users == 0) continue;
    const bool several = users > 1 && !Planted(Defect::kLateLoadResets);
    const bool must = !StartsAsZeros(module.buffers[b]) && several;
    any = any || must;
    set[b] = true;
  }
  // One that sets some sets all: it is how a caller starts anew.
  if (!any) set.assign(set.size(), false);
  return set;
}

void AddModuleInit(const std::vector<bool>& buffers, Module& module) {
  graph::Method method;
  method.name = kModuleInit;
  graph::Builder builder(method);
  for (size_t b = 0; b < buffers.size(); ++b) {
    if (!buffers[b] || (b + 1 == buffers.size() && Planted(Defect::kInitForgetsLast))) continue;
    const Buffer buffer = module.buffers[b];
    graph::ValueId value = -1;
    if (StartsAsZeros(buffer)) {
      graph::OperandList sizes;
      for (const SizeExpr& size : buffer.type.sizes) sizes.push_back(graph::Number(size));
      value = builder.Declare(buffer.type);
      graph::Node zeros;
      zeros.op = "aten::zeros.out";
      zeros.schema = FindOperator(zeros.op);
      zeros.operands = {graph::List(std::move(sizes))};
      zeros.results = {value};
      builder.Add(std::move(zeros));
    } else {
      const auto constant = static_cast<int32_t>(module.buffers.size());
      module.buffers.push_back(
          {.name = buffer.name + ".initial", .type = buffer.type, .initial = buffer.initial});
      value = builder.AddEntry(constant, buffer.type);
    }
    method.stores.push_back({static_cast<int32_t>(b), value});
  }
  module.methods.push_back(std::move(method));
}

bool HasModuleInit(const Program& program) {
  return std::ranges::find(program.methods, kModuleInit, &pteproof::Method::name) !=
         program.methods.end();
}

}  // namespace pteproof::planner
