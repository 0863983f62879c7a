// Idea: list all cuts of a draft, the large ones first, and try them in order. A cut after which it
// still fails is kept, and the pass goes on at that position of the new list. Values are named by
// distance ("the third youngest"), so a cut of nodes changes the meaning of later numbers. `by`
// undoes that: later references reach over the gap.
//
//   nodes   n0 n1 n2 n3(a = 2: n0)     cut n1, by = 1:   n0 n2 n3(a = 1: n0)
//
// Invariant: a cut never makes a draft larger, in elements or in numbers, so shrinking ends. No
// single cut of the result still fails.
//
// Cost: O(elements^2) cuts per round, one run of `fails` for each that is tried.
#include "properties/generators/shrink.h"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <functional>
#include <utility>

#include "properties/generators/node_maker.h"

namespace pteproof::generators {
namespace {

using What = Cut::What;

// Values that a node makes, at most, where cuts are concerned.
constexpr int kMostResults = 2;

// Every contiguous range of `size` elements, the longest first, but no fewer than `least` stay.
void AddRanges(std::vector<Cut>& cuts, What what, size_t method, size_t size, size_t least) {
  const int ways = what == What::kNodes                           ? kMostResults + 1
                   : what == What::kUses || what == What::kInputs ? 2
                                                                  : 1;
  for (size_t count = size - std::min(size, least); count > 0; --count) {
    for (size_t at = 0; at + count <= size; ++at) {
      for (int way = 0; way < ways; ++way) {
        cuts.push_back({what, static_cast<uint8_t>(method), static_cast<uint8_t>(at),
                        static_cast<uint8_t>(count), static_cast<uint8_t>(way)});
      }
    }
  }
}

// Numbers below this are tried as they are: with few elements to choose from they reach them all.
constexpr uint8_t kSmallNumbers = 4;
// `by` of a cut that sets a number: kSet + the number.
constexpr uint8_t kSet = 8;

// Towards zero: at once, to the next small numbers, then by half, a quarter, ... at last by one.
void AddFields(std::vector<Cut>& cuts, What what, size_t method, size_t at, const void* element,
               size_t bytes) {
  const auto* numbers = static_cast<const uint8_t*>(element);
  const auto add = [&](size_t field, int by) {
    cuts.push_back({what, static_cast<uint8_t>(method), static_cast<uint8_t>(at),
                    static_cast<uint8_t>(field), static_cast<uint8_t>(by)});
  };
  for (size_t field = 0; field < bytes; ++field) {
    for (uint8_t number = 0; number < kSmallNumbers && number < numbers[field]; ++number) {
      add(field, kSet + number);
    }
    for (uint8_t by = 1; by < 8 && numbers[field] >> by != 0; ++by) {
      add(field, by);
    }
  }
}

// Kinds are few and none is smaller than another: all that stand before it are tried.
void AddKinds(std::vector<Cut>& cuts, size_t method, const std::vector<NodeDraft>& nodes) {
  for (size_t at = 0; at < nodes.size(); ++at) {
    for (size_t kind = 0; kind < nodes[at].kind % kKindNumbers; ++kind) {
      cuts.push_back({What::kNodeField, static_cast<uint8_t>(method), static_cast<uint8_t>(at),
                      offsetof(NodeDraft, kind), static_cast<uint8_t>(kSet + kind)});
    }
  }
}

template <class T>
void AddAllFields(std::vector<Cut>& cuts, What what, size_t method, const std::vector<T>& all) {
  for (size_t at = 0; at < all.size(); ++at) {
    AddFields(cuts, what, method, at, &all[at], sizeof(T));
  }
}

template <class T>
void Erase(std::vector<T>& all, const Cut& cut) {
  const auto first = all.begin() + cut.at;
  all.erase(first, first + cut.count);
}

// Whether a number, taken modulo `size`, chooses an element of the cut.
bool IsCut(uint8_t number, size_t size, const Cut& cut) {
  const size_t chosen = number % size;
  return chosen >= cut.at && chosen < size_t{cut.at} + cut.count;
}

// The same choice after the cut.
uint8_t Renumbered(uint8_t number, size_t size, const Cut& cut) {
  const size_t chosen = number % size;
  return static_cast<uint8_t>(chosen < cut.at ? chosen : chosen - cut.count);
}

// `refers`: whether an element refers to the kind of element that is cut.
template <class T, class Number, class Refers>
void DropReferences(std::vector<T>& all, Number number, size_t size, const Cut& cut,
                    const Refers& refers) {
  std::erase_if(all, [&](const T& each) {
    return refers(each) && IsCut(std::invoke(number, each), size, cut);
  });
  for (T& each : all) {
    if (refers(each)) std::invoke(number, each) = Renumbered(std::invoke(number, each), size, cut);
  }
}

bool Always(const auto&) {
  return true;
}

void CutBuffers(CaseDraft& draft, const Cut& cut) {
  const size_t size = draft.buffers.size();
  Erase(draft.buffers, cut);
  const auto to_buffer = [&](const StoreDraft& store) { return !IsToInput(draft, store); };
  for (MethodDraft& method : draft.methods) {
    DropReferences(method.buffers, std::identity(), size, cut, Always<uint8_t>);
    DropReferences(method.stores, &StoreDraft::buffer, size, cut, to_buffer);
  }
}

void CutMethods(CaseDraft& draft, const Cut& cut) {
  const size_t size = draft.methods.size();
  Erase(draft.methods, cut);
  DropReferences(draft.calls, &CallDraft::method, size, cut, Always<CallDraft>);
}

// A value so far back that the cut nodes lie between is nearer now.
void Reach(uint8_t& distance, size_t between, const Cut& cut) {
  if (distance < between) return;
  const size_t beyond = distance - between;
  const size_t cut_values = size_t{cut.count} * cut.by;
  distance = static_cast<uint8_t>(between + beyond - std::min(beyond, cut_values));
}

// From `first` on, the nodes, the stores and the outputs reach over the cut; `between` values lay
// between it and the first of them.
void ReachOver(MethodDraft& method, size_t first, size_t between, const Cut& cut) {
  if (cut.by == 0) return;
  for (size_t n = first; n < method.nodes.size(); ++n) {
    Reach(method.nodes[n].a, between + n - first, cut);
    Reach(method.nodes[n].b, between + n - first, cut);
  }
  const size_t after = between + method.nodes.size() - first;
  for (uint8_t& output : method.outputs) Reach(output, after, cut);
  for (StoreDraft& store : method.stores) Reach(store.value, after, cut);
}

void CutNodes(MethodDraft& method, const Cut& cut) {
  Erase(method.nodes, cut);
  ReachOver(method, cut.at, 0, cut);
}

// Values stand in this order: inputs, contents of buffers, nodes.
void CutUses(MethodDraft& method, const Cut& cut) {
  Erase(method.buffers, cut);
  ReachOver(method, 0, method.buffers.size() - cut.at, cut);
}

void CutInputs(const CaseDraft& draft, MethodDraft& method, const Cut& cut) {
  const auto to_input = [&](const StoreDraft& store) { return IsToInput(draft, store); };
  DropReferences(method.stores, &StoreDraft::buffer, method.inputs.size(), cut, to_input);
  Erase(method.inputs, cut);
  ReachOver(method, 0, method.inputs.size() - cut.at + method.buffers.size(), cut);
}

template <class T>
void Lower(std::vector<T>& all, const Cut& cut) {
  uint8_t numbers[sizeof(T)];
  std::memcpy(numbers, &all[cut.at], sizeof(T));
  uint8_t& number = numbers[cut.count];
  number = static_cast<uint8_t>(cut.by >= kSet ? cut.by - kSet : number - (number >> cut.by));
  std::memcpy(&all[cut.at], numbers, sizeof(T));
}

}  // namespace

std::vector<Cut> CutsOf(const CaseDraft& draft) {
  std::vector<Cut> cuts;
  for (int f = 0; f < kFeatureCount; ++f) {
    if (draft.Has(static_cast<Feature>(f))) {
      cuts.push_back({What::kFeature, 0, static_cast<uint8_t>(f), 0, 0});
    }
  }
  AddRanges(cuts, What::kBuffers, 0, draft.buffers.size(), 0);
  AddRanges(cuts, What::kMethods, 0, draft.methods.size(), 1);
  AddRanges(cuts, What::kCalls, 0, draft.calls.size(), 0);
  for (size_t m = 0; m < draft.methods.size(); ++m) {
    const MethodDraft& method = draft.methods[m];
    AddRanges(cuts, What::kNodes, m, method.nodes.size(), 0);
    AddRanges(cuts, What::kUses, m, method.buffers.size(), 0);
    AddRanges(cuts, What::kInputs, m, method.inputs.size(), 0);
    AddRanges(cuts, What::kStores, m, method.stores.size(), 0);
    AddRanges(cuts, What::kOutputs, m, method.outputs.size(), 0);
  }
  AddAllFields(cuts, What::kBufferField, 0, draft.buffers);
  AddAllFields(cuts, What::kCallField, 0, draft.calls);
  for (size_t m = 0; m < draft.methods.size(); ++m) {
    const MethodDraft& method = draft.methods[m];
    AddKinds(cuts, m, method.nodes);
    AddAllFields(cuts, What::kNodeField, m, method.nodes);
    AddAllFields(cuts, What::kInputField, m, method.inputs);
    AddAllFields(cuts, What::kUseField, m, method.buffers);
    AddAllFields(cuts, What::kStoreField, m, method.stores);
    AddAllFields(cuts, What::kOutputField, m, method.outputs);
  }
  return cuts;
}

CaseDraft Applied(const CaseDraft& draft, const Cut& cut) {
  CaseDraft smaller = draft;
  MethodDraft none;  // for cuts that are of no method
  MethodDraft& method = cut.method < smaller.methods.size() ? smaller.methods[cut.method] : none;
  switch (cut.what) {
    case What::kFeature:
      smaller.features &= static_cast<uint16_t>(~(1U << cut.at));
      break;
    case What::kBuffers:
      CutBuffers(smaller, cut);
      break;
    case What::kMethods:
      CutMethods(smaller, cut);
      break;
    case What::kCalls:
      Erase(smaller.calls, cut);
      break;
    case What::kNodes:
      CutNodes(method, cut);
      break;
    case What::kInputs:
      CutInputs(draft, method, cut);
      break;
    case What::kUses:
      CutUses(method, cut);
      break;
    case What::kStores:
      Erase(method.stores, cut);
      break;
    case What::kOutputs:
      Erase(method.outputs, cut);
      break;
    case What::kBufferField:
      Lower(smaller.buffers, cut);
      break;
    case What::kCallField:
      Lower(smaller.calls, cut);
      break;
    case What::kNodeField:
      Lower(method.nodes, cut);
      break;
    case What::kInputField:
      Lower(method.inputs, cut);
      break;
    case What::kUseField:
      Lower(method.buffers, cut);
      break;
    case What::kStoreField:
      Lower(method.stores, cut);
      break;
    case What::kOutputField:
      Lower(method.outputs, cut);
      break;
  }
  return smaller;
}

CaseDraft Shrunk(CaseDraft draft, const std::function<bool(const CaseDraft&)>& fails) {
  // A cut that failed seldom succeeds after the next cut: a pass goes on at its position.
  for (bool smaller = true; smaller;) {
    smaller = false;
    std::vector<Cut> cuts = CutsOf(draft);
    for (size_t at = 0; at < cuts.size();) {
      CaseDraft tried = Applied(draft, cuts[at]);
      if (!fails(tried)) {
        ++at;
        continue;
      }
      draft = std::move(tried);
      cuts = CutsOf(draft);
      smaller = true;
    }
  }
  return draft;
}

}  // namespace pteproof::generators
