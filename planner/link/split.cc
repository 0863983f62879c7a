#include "planner/link/split.h"

#include <algorithm>
#include <utility>

#include "planner/lift/webs.h"
#include "planner/link/initial_method.h"
#include "planner/state/module_init.h"

namespace pteproof::planner {
namespace {

std::set<std::string> BufferNamesOf(const Program& program) {
  std::set<std::string> names;
  for (const Method& method : program.methods) {
    for (const auto& [name, held] : HeldBuffersOf(method, {})) {
      if (held.planned) names.insert(name);
    }
  }
  return names;
}

// The part of the method that sets these buffers.
void AddInitial(const Program& from, const Method& method,
                const std::map<std::string, Bytes>& values, SplitProgram& split) {
  const std::set<std::string> names = BufferNamesOf(split.program);
  std::vector<SetBuffer> buffers;
  for (const auto& [name, held] : HeldBuffersOf(method, {})) {
    if (!names.contains(name) || !values.contains(name)) continue;
    const int32_t value = held.values.front();
    SetBuffer& buffer = buffers.emplace_back();
    buffer.name = name;
    buffer.form = FormOf(from, method, value);
    buffer.form.initial = values.at(name);
    buffer.bytes = BytesOf(method, value);
    split.initial.push_back({name, buffer.form, buffer.bytes.lo, 0});
  }
  if (buffers.empty()) return;
  split.program.methods.push_back(
      InitialMethod(buffers, method.bank_sizes[buffers.front().bytes.bank], split.program));
}

}  // namespace

Result<SplitProgram, std::string> Split(const Program& program,
                                        const std::set<std::string>& methods) {
  SplitProgram split = {program, {}};
  std::erase_if(split.program.methods,
                [&](const Method& method) { return !methods.contains(method.name); });
  const auto init = std::ranges::find(program.methods, kModuleInit, &Method::name);
  if (init != program.methods.end() && !methods.contains(kModuleInit)) {
    const auto values = InitialValuesOf(program, *init);
    if (!values) {
      return std::string(kModuleInit) +
             " does more than to set buffers to constants and zeros, so that no part of it can go "
             "along: name it among the methods";
    }
    AddInitial(program, *init, *values, split);
  }
  std::ranges::sort(split.program.methods, {}, &Method::name);
  const bool delegates = std::ranges::any_of(
      split.program.methods, [](const Method& method) { return !method.delegates.empty(); });
  if (!delegates) split.program.named_data.clear();
  return split;
}

}  // namespace pteproof::planner
