#include "properties/checks/write_back.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/rule_names.h"
#include "properties/checks/wording.h"

namespace pteproof::checks {
namespace {

// State that some method reads, none writes and no file data fills is always zero: its store was
// lost. (Buffers that no method of the model mutates are constants.) What has no name may be no
// state at all: only a store that went elsewhere tells.
bool LostEverywhere(const ProgramFacts& facts, const StateKey& key) {
  if (!key.read_somewhere || key.written_somewhere) return false;
  if (std::ranges::any_of(key.instances, [](const StateInstance& i) { return i.initialised(); }))
    return false;
  return !key.name.empty() || std::ranges::any_of(key.instances, [&](const StateInstance& i) {
    return facts.methods[static_cast<size_t>(i.method)].captured_store >= 0;
  });
}

class WriteBackCheck {
 public:
  explicit WriteBackCheck(const ProgramFacts& facts) : facts_(facts) {}

  std::vector<Finding> Run() && {
    for (const StateKey& key : facts_.states.keys) {
      if (LostEverywhere(facts_, key)) {
        TellLost(key);
        continue;
      }
      for (const StateInstance& instance : key.instances) Captured(instance);
    }
    return std::move(findings_);
  }

 private:
  void TellLost(const StateKey& key) {
    const StateInstance* where = &key.instances.front();
    int32_t store = -1;
    for (const StateInstance& i : key.instances) {
      const int32_t captured = facts_.methods[static_cast<size_t>(i.method)].captured_store;
      if (store < 0 && captured >= 0) {
        where = &i;
        store = captured;
      }
    }
    if (where->place.empty()) return;
    const Method& method = facts_.MethodAt(where->method);
    Finding finding = FindingAt(rule::kWriteBackMissing, Severity::kError, method, store,
                                {where->value}, where->place);
    finding.story = fmt::format(
        "Buffer {} is read, but no method stores to it and the file holds no initial value.\n{}"
        "A store of the model was lost: every call reads what the bank started with.",
        ValueWords(method, where->value), StoreWords(method, store));
    findings_.push_back(std::move(finding));
  }

  // A store onto itself, or into an argument, in a method with a buffer that nothing touches.
  void Captured(const StateInstance& instance) {
    const MethodCheck& check = facts_.methods[static_cast<size_t>(instance.method)];
    if (instance.touched || instance.place.empty()) return;
    const int32_t store = check.captured_store;
    if (store < 0) return;
    Finding finding = FindingAt(rule::kWriteBackMissing, Severity::kError, *check.method, store,
                                {instance.value}, instance.place);
    finding.story = fmt::format(
        "Nothing in '{}' touches buffer {}.\n{}The store was meant for the buffer: later calls "
        "read the old value.",
        check.method->name, ValueWords(*check.method, instance.value),
        StoreWords(*check.method, store));
    findings_.push_back(std::move(finding));
  }

  static std::string StoreWords(const Method& method, int32_t store) {
    if (store < 0) return {};
    const int32_t target =
        method.Ints(method.instructions[static_cast<size_t>(store)].args).front();
    return fmt::format("{} of '{}' stores to {} instead.\n", InstructionWords(method, store),
                       method.name, ValueWords(method, target));
  }

  const ProgramFacts& facts_;
  std::vector<Finding> findings_;
};

}  // namespace

std::vector<Finding> CheckWriteBack(const ProgramFacts& facts) {
  return WriteBackCheck(facts).Run();
}

}  // namespace pteproof::checks
