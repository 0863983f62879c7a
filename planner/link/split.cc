#include "planner/link/split.h"

#include <algorithm>
#include <map>
#include <utility>

#include "meaning/program_meaning.h"
#include "planner/lift/touches.h"
#include "planner/lift/webs.h"
#include "planner/link/initial_method.h"
#include "planner/options.h"
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

// Buffers that several methods of the program have in the shared bank.
std::set<std::string> SharedIn(const Program& program) {
  std::map<std::string, int> users;
  for (const Method& method : program.methods) {
    for (const auto& [name, held] : HeldBuffersOf(method, {})) {
      const Tensor& tensor = *method.TensorOf(held.values.front());
      if (held.planned && tensor.bank == kSharedBank) ++users[name];
    }
  }
  std::erase_if(users, [](const auto& each) { return each.second < 2; });
  std::set<std::string> shared;
  for (const auto& [name, count] : users) shared.insert(name);
  return shared;
}

// The part of the method that sets these buffers.
void AddInitial(const Program& from, const Method& method,
                const std::map<std::string, Bytes>& values, Program& program) {
  const std::set<std::string> names = BufferNamesOf(program);
  std::vector<SetBuffer> buffers;
  for (const auto& [name, held] : HeldBuffersOf(method, {})) {
    if (!names.contains(name) || !values.contains(name)) continue;
    const int32_t value = held.values.front();
    SetBuffer& buffer = buffers.emplace_back();
    buffer = {name, FormOf(from, method, value), BytesOf(method, value)};
    buffer.form.initial = values.at(name);
  }
  if (buffers.empty()) return;
  program.methods.push_back(
      InitialMethod(buffers, method.bank_sizes[buffers.front().bytes.bank], program));
}

// Laid out anew without what is gone.
Result<Linked, std::string> LaidOut(const Program& program, const Manifest* manifest,
                                    std::set<std::string> shared) {
  LinkedFile file = {"the program", &program, {}, std::move(shared), manifest};
  for (const Method& method : program.methods) file.methods.push_back({.name = method.name});
  return Link({std::move(file)}, {});
}

// Whether an instruction of the method may write to those bytes.
bool Stores(const Method& method, const MethodTouches& touches, const BankBytes& bytes) {
  const auto meets = [&](int32_t v) { return Meet(BytesOf(method, v), bytes); };
  return std::ranges::any_of(touches.of_instruction, [&](const Touch& touch) {
    return std::ranges::any_of(touch.fills, meets) || std::ranges::any_of(touch.updates, meets);
  });
}

// Buffers with a name that some method stores to, or loading does.
std::set<std::string> StoredBuffers(const Program& program, const Manifest* manifest) {
  const meaning::ProgramMeaning meant = meaning::MeaningOf(program, manifest);
  std::set<std::string> stored;
  for (const meaning::MethodMeaning& each : meant.methods) {
    const Method& method = *each.method;
    const MethodTouches touches = TouchesOf(each);
    for (const auto& [name, held] : HeldBuffersOf(method, {})) {
      const int32_t value = held.values.front();
      if (!held.planned) continue;
      const bool loaded = method.TensorOf(value)->data_index > 0;
      if (loaded || Stores(method, touches, BytesOf(method, value))) stored.insert(name);
    }
  }
  return stored;
}

// Buffers that something stored to before and nothing does any more, which therefore start as zeros
// for ever.
void MakeConstants(const std::set<std::string>& stored_before, const Manifest* manifest,
                   SplitProgram& split) {
  const std::set<std::string> stored = StoredBuffers(split.program, manifest);
  Program& program = split.program;
  for (Method& method : program.methods) {
    for (const auto& [name, held] : HeldBuffersOf(method, {})) {
      if (!held.planned || stored.contains(name) || !stored_before.contains(name)) continue;
      if (program.constants.empty()) program.constants.emplace_back();
      BufferForm form = FormOf(program, method, held.values.front());
      const auto data_index = static_cast<uint32_t>(program.constants.size());
      program.constants.emplace_back(split.zeros.emplace_back(form.nbytes));
      for (const int32_t v : held.values) {
        Tensor& tensor = method.tensors[method.values[static_cast<size_t>(v)].tensor];
        tensor.planned = false;
        tensor.bank = 0;
        tensor.offset = 0;
        tensor.name = {};
        tensor.data_index = data_index;
        split.constants.push_back({method.name, v, name, form});
      }
    }
  }
}

}  // namespace

Result<SplitProgram, std::string> Split(const Program& program,
                                        const std::set<std::string>& methods,
                                        const Manifest* manifest) {
  SplitProgram split = {program, {}, {}, {}, {}};
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
    AddInitial(program, *init, *values, split.program);
  }
  const bool delegates = std::ranges::any_of(
      split.program.methods, [](const Method& method) { return !method.delegates.empty(); });
  if (!delegates) split.program.named_data.clear();
  const std::set<std::string> shared = SharedIn(program);
  auto as_state = LaidOut(split.program, manifest, shared);
  if (!as_state.ok()) return as_state.error();
  MakeConstants(StoredBuffers(program, manifest), manifest, split);
  auto laid_out = LaidOut(split.program, manifest, shared);
  if (!laid_out.ok()) return laid_out.error();
  split.as_state = std::move(as_state).value().program;
  if (laid_out.value().init) split.initial = laid_out.value().shared;
  split.program = std::move(laid_out).value().program;
  return split;
}

}  // namespace pteproof::planner
