#include "reference/graph/validate.h"

#include <set>
#include <string_view>
#include <utility>

#include "base/checked_math.h"
#include "reference/graph/check_method.h"
#include "reference/graph/limits.h"
#include "reference/graph/names.h"
#include "reference/graph/problems.h"
#include "reference/graph/type_text.h"

namespace pteproof::graph {
namespace {

// The constant sizes, if they are that, admissible, and their bytes fit 64 bits.
std::optional<Sizes> ConstantSizes(const TensorType& type) {
  Sizes sizes;
  std::optional<int64_t> bytes = ElementSize(type.dtype);
  for (const SizeExpr& size : type.sizes) {
    const auto number = size.Constant();
    if (!number || *number < 0) return std::nullopt;
    bytes = CheckedMul(*bytes, *number);
    if (!bytes) return std::nullopt;
    sizes.push_back(*number);
  }
  return sizes;
}

void CheckBuffers(const Module& module, std::vector<PlacedProblem>& problems) {
  std::set<std::string_view> names;
  for (size_t b = 0; b < module.buffers.size(); ++b) {
    const Buffer& buffer = module.buffers[b];
    const auto report = [&](const std::string& why) {
      problems.push_back({{PlaceKind::kBuffer, -1, static_cast<int32_t>(b)},
                          {"", "buffer @" + buffer.name + ": " + why}});
    };
    if (!IsBufferName(buffer.name)) report("the name is not that of a buffer");
    if (!names.insert(buffer.name).second) report("the name is used twice");
    const auto sizes = ConstantSizes(buffer.type);
    if (!sizes) {
      report("the sizes must be numbers whose product fits in 63 bits");
      continue;
    }
    if (!buffer.initial) continue;
    const bool fits = buffer.initial->dtype == buffer.type.dtype &&
                      buffer.initial->sizes == *sizes &&
                      buffer.initial->bytes.size() == static_cast<size_t>(ElementCount(*sizes)) *
                                                          ElementSize(buffer.type.dtype);
    if (!fits) report("the initial value is of another type");
  }
}

// How many nodes and stores of all methods have to do with each buffer, and where one is owned.
struct BufferUses {
  std::vector<int32_t> uses;
  std::vector<bool> owned;

  void Count(int32_t buffer, bool owns) {
    if (buffer < 0 || static_cast<size_t>(buffer) >= uses.size()) return;
    ++uses[static_cast<size_t>(buffer)];
    if (owns) owned[static_cast<size_t>(buffer)] = true;
  }
  void CountAll(const Region& region) {
    for (const Node& node : region.nodes) {
      for (const DelegateBuffer& each : node.buffers) {
        Count(each.buffer, each.role == DelegateRole::kOwns);
      }
      for (const Region& inner : node.regions) CountAll(inner);
    }
  }
};

void CheckOwners(const Module& module, std::vector<PlacedProblem>& problems) {
  BufferUses all{std::vector<int32_t>(module.buffers.size()),
                 std::vector<bool>(module.buffers.size())};
  for (const Method& method : module.methods) {
    for (const BufferEntry& entry : method.buffers) all.Count(entry.buffer, false);
    for (const BufferStore& store : method.stores) all.Count(store.buffer, false);
    all.CountAll(method.body);
  }
  for (size_t b = 0; b < module.buffers.size(); ++b) {
    if (!all.owned[b] || all.uses[b] == 1) continue;
    problems.push_back({{PlaceKind::kBuffer, -1, static_cast<int32_t>(b)},
                        {"", "buffer @" + module.buffers[b].name +
                                 ": a buffer that a delegate owns has no other user"}});
  }
}

void CheckDims(MethodCheck& check) {
  std::set<std::string_view> names;
  if (check.method.dims.size() > kMostDims) {
    check.Report("there are more than " + std::to_string(kMostDims) + " dims");
  }
  for (size_t d = 0; d < check.method.dims.size(); ++d) {
    const DimSymbol& dim = check.method.dims[d];
    check.place = {PlaceKind::kDim, check.index, static_cast<int32_t>(d)};
    const std::string start = "dim " + dim.name + ": ";
    if (!IsIdentifier(dim.name)) check.Report(start + "the name is not an identifier");
    if (IsReserved(dim.name)) check.Report(start + "the name has another meaning in sizes");
    if (!names.insert(dim.name).second) check.Report(start + "the name is used twice");
    if (dim.lo < 0 || dim.lo > dim.hi) check.Report(start + "the range is empty or negative");
    if (dim.hint && (*dim.hint < dim.lo || *dim.hint > dim.hi)) {
      check.Report(start + "the hint is out of range");
    }
  }
}

void CheckInputs(MethodCheck& check) {
  std::set<std::string_view> names;
  for (size_t i = 0; i < check.method.inputs.size(); ++i) {
    const Input& input = check.method.inputs[i];
    check.place = {PlaceKind::kInput, check.index, static_cast<int32_t>(i)};
    const std::string start = "input %" + input.name + ": ";
    if (!IsIdentifier(input.name)) check.Report(start + "the name is not an identifier");
    if (!names.insert(input.name).second) check.Report(start + "the name is used twice");
    if (check.Define(input.value) && input.in_place &&
        TensorTypeOf(check.method, input.value) == nullptr) {
      check.Report(start + "only a tensor can be overwritten in place");
    }
  }
}

void CheckEntries(MethodCheck& check) {
  std::set<int32_t> seen;
  for (size_t e = 0; e < check.method.buffers.size(); ++e) {
    const BufferEntry& entry = check.method.buffers[e];
    check.place = {PlaceKind::kEntry, check.index, static_cast<int32_t>(e)};
    if (!check.HasBuffer(entry.buffer)) {
      check.Report("entry: the buffer does not exist");
      continue;
    }
    const Buffer& buffer = check.module.buffers[static_cast<size_t>(entry.buffer)];
    const std::string start = "entry @" + buffer.name + ": ";
    if (!seen.insert(entry.buffer).second) check.Report(start + "the buffer has a second entry");
    if (!check.Define(entry.value)) continue;
    const TensorType* type = TensorTypeOf(check.method, entry.value);
    if (type == nullptr || *type != buffer.type)
      check.Report(start + "its type differs from the type of the buffer");
  }
}

// A buffer that a delegate writes, and the delegate's number in the listing.
struct DelegateWrite {
  int32_t buffer;
  int32_t node;
};

void CollectWrites(const Region& region, int32_t& nodes, std::vector<DelegateWrite>& writes) {
  for (const Node& node : region.nodes) {
    const int32_t number = nodes++;
    for (const DelegateBuffer& each : node.buffers) {
      if (each.writes) writes.push_back({each.buffer, number});
    }
    for (const Region& inner : node.regions) CollectWrites(inner, nodes, writes);
  }
}

// What a store stores, against what it stores to.
void CheckStored(MethodCheck& check, const std::string& start, ValueId value,
                 const ValueType& target) {
  if (!check.Use(value)) return;
  const ValueType& type = check.method.values[static_cast<size_t>(value)];
  if (type == target) return;
  check.Report(start + "the value is " + TypeText(type, check.method.dims) + ", not " +
               TypeText(target, check.method.dims));
}

void CheckStores(MethodCheck& check) {
  std::vector<DelegateWrite> writes;
  int32_t nodes = 0;
  CollectWrites(check.method.body, nodes, writes);
  std::set<int32_t> seen;
  for (const auto [buffer, node] : writes) {
    if (seen.insert(buffer).second || !check.HasBuffer(buffer)) continue;
    check.place = {PlaceKind::kNode, check.index, node};
    check.Report("two delegates write @" + check.module.buffers[static_cast<size_t>(buffer)].name);
  }
  for (size_t s = 0; s < check.method.stores.size(); ++s) {
    const BufferStore& store = check.method.stores[s];
    check.place = {PlaceKind::kStore, check.index, static_cast<int32_t>(s)};
    if (!check.HasBuffer(store.buffer)) {
      check.Report("store: the buffer does not exist");
      continue;
    }
    const Buffer& buffer = check.module.buffers[static_cast<size_t>(store.buffer)];
    const std::string start = "store @" + buffer.name + ": ";
    if (!seen.insert(store.buffer).second) check.Report(start + "a second store to the same place");
    CheckStored(check, start, store.value, buffer.type);
  }
}

void CheckInputStores(MethodCheck& check) {
  std::set<int32_t> seen;
  for (size_t s = 0; s < check.method.input_stores.size(); ++s) {
    const InputStore& store = check.method.input_stores[s];
    check.place = {PlaceKind::kInputStore, check.index, static_cast<int32_t>(s)};
    if (store.input < 0 || static_cast<size_t>(store.input) >= check.method.inputs.size()) {
      check.Report("store: the input does not exist");
      continue;
    }
    const Input& input = check.method.inputs[static_cast<size_t>(store.input)];
    const std::string start = "store %" + input.name + ": ";
    if (!seen.insert(store.input).second) check.Report(start + "a second store to the same place");
    if (!check.Use(input.value)) continue;
    const ValueType& type = check.method.values[static_cast<size_t>(input.value)];
    if (!std::holds_alternative<TensorType>(type))
      check.Report(start + "only a tensor can be stored");
    CheckStored(check, start, store.value, type);
  }
}

void CheckValues(const MethodCheck& check) {
  for (size_t v = 0; v < check.method.values.size(); ++v) {
    if (check.defined_in[v] < 0) check.Report("value " + std::to_string(v) + " is never defined");
  }
}

// False: the types cannot be looked at.
bool CheckSizes(MethodCheck& check) {
  bool good = true;
  for (size_t v = 0; v < check.method.values.size(); ++v) {
    const TensorType* type = TensorTypeOf(check.method, static_cast<ValueId>(v));
    if (type == nullptr) continue;
    for (const SizeExpr& size : type->sizes) {
      const std::string fault = SizeFault(check.method, size);
      if (fault.empty()) continue;
      check.place = {PlaceKind::kValue, check.index, static_cast<int32_t>(v)};
      check.Report(NameOf(check.names, static_cast<ValueId>(v)) + ": " + fault);
      good = false;
    }
  }
  return good;
}

void CheckMethod(MethodCheck check) {
  check.place = {PlaceKind::kMethod, check.index, 0};
  check.defined_in.assign(check.method.values.size(), -1);
  if (!IsIdentifier(check.method.name)) check.Report("the name of the method is not an identifier");
  CheckDims(check);
  if (!CheckSizes(check)) return;
  CheckInputs(check);
  CheckEntries(check);
  check.place = {PlaceKind::kMethod, check.index, 0};
  if (!check.method.body.params.empty()) check.Report("a method's body has no parameters");
  CheckNodes(check, check.method.body);
  check.place = {PlaceKind::kOutputs, check.index, 0};
  for (const ValueId output : check.method.body.results) check.Use(output);
  CheckStores(check);
  CheckInputStores(check);
  check.place = {PlaceKind::kMethod, check.index, 0};
  CheckValues(check);
}

}  // namespace

std::vector<PlacedProblem> FindProblems(const Module& module, const NamesByMethod& names) {
  std::vector<PlacedProblem> problems;
  CheckBuffers(module, problems);
  CheckOwners(module, problems);
  std::set<std::string_view> methods;
  for (size_t m = 0; m < module.methods.size(); ++m) {
    const Method& method = module.methods[m];
    const auto index = static_cast<int32_t>(m);
    if (!methods.insert(method.name).second) {
      problems.push_back(
          {{PlaceKind::kMethod, index, 0}, {method.name, "two methods have this name"}});
    }
    CheckMethod({module, method, index, names[m], problems});
  }
  return problems;
}

std::vector<Problem> Validate(const Module& module) {
  // Names cost more than the look; most Modules have no problem to tell.
  NamesByMethod names(module.methods.size());
  if (FindProblems(module, names).empty()) return {};
  names.clear();
  for (const Method& method : module.methods) names.push_back(ValueNames(method));
  std::vector<Problem> problems;
  for (PlacedProblem& each : FindProblems(module, names)) {
    problems.push_back(std::move(each.problem));
  }
  return problems;
}

}  // namespace pteproof::graph
