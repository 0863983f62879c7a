#include "properties/checks/write_back.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string_view>

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
    ExternalConstants();
    return std::move(findings_);
  }

 private:
  // A delegate that was given the buffer may write it: the file does not say.
  bool IsGivenToDelegate(const StateKey& key) const {
    return std::ranges::any_of(key.instances, [&](const StateInstance& i) {
      const Method& method = facts_.MethodAt(i.method);
      return std::ranges::any_of(method.instructions, [&](const Instruction& at) {
        return at.kind == InstructionKind::kDelegateCall &&
               std::ranges::find(method.Ints(at.args), i.value) != method.Ints(at.args).end();
      });
    });
  }

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
    const bool onto_itself = std::ranges::any_of(key.instances, [&](const StateInstance& i) {
      return facts_.methods[static_cast<size_t>(i.method)]
          .self_copied[static_cast<size_t>(i.state)];
    });
    if (onto_itself) {
      finding.severity = Severity::kNote;
      finding.undecided = true;
      finding.story +=
          "\nIt is stored onto itself, which is right only if the model does that too.";
    }
    if (store < 0 && IsGivenToDelegate(key)) {
      finding.rule = rule::kNotProvable;
      finding.severity = Severity::kNote;
      finding.story = fmt::format(
          "Buffer {} is given to a delegate, and no instruction stores to it.\n"
          "Whether the delegate does, the file does not say; a manifest can.",
          ValueWords(method, where->value));
    }
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

  // Data of a .ptd carry names: one that another method stores to is no constant.
  void ExternalConstants() {
    std::map<std::string_view, const StateKey*> written;
    for (const StateKey& key : facts_.states.keys) {
      if (key.written_somewhere && !key.name.empty()) written.emplace(key.name, &key);
    }
    if (written.empty()) return;
    for (const MethodCheck& check : facts_.methods) {
      for (int32_t v = 0; v < static_cast<int32_t>(check.roles.of.size()); ++v) {
        const bool constant = check.roles.of[static_cast<size_t>(v)] == Role::kConstant;
        const auto key = constant ? written.find(check.method->NameOf(v)) : written.end();
        if (key != written.end()) TellExternal(check, v, *key->second);
      }
    }
  }

  void TellExternal(const MethodCheck& check, int32_t v, const StateKey& key) {
    const auto writer = std::ranges::find_if(key.instances, &StateInstance::writes);
    Finding finding =
        FindingAt(rule::kMutabilityMismatch, Severity::kError, *check.method, -1, {v}, {});
    finding.story = fmt::format(
        "'{}' holds {} as external data;\n'{}' stores to the buffer of that name.\n"
        "'{}' goes on seeing the external value.",
        check.method->name, ValueWords(*check.method, v), facts_.MethodAt(writer->method).name,
        check.method->name);
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
