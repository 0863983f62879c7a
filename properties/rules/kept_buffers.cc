#include "properties/rules/kept_buffers.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/rule_names.h"
#include "properties/rules/wording.h"
#include "runtime/delegates/opened_blob.h"
#include "runtime/finding_list.h"

namespace pteproof::checks {
namespace {

// Who has a buffer: a delegate, or the rest of a method.
struct Holder {
  int32_t method = 0;
  std::string_view name = {};              // as it stands there
  const delegates::OpenedBlob* blob = {};  // null: the rest of the method
  int32_t delegate = -1;
  int32_t at = -1;     // the delegate's first call
  int32_t value = -1;  // of the rest of the method
  bool updates = false;
  bool reads = true;
};

// Core ML's names of buffers.
std::string PlainLetters(std::string_view name) {
  std::string plain(name);
  const auto is_other = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) == 0; };
  std::ranges::replace_if(plain, is_other, '_');
  return plain;
}

class KeptBuffers {
 public:
  explicit KeptBuffers(const ProgramFacts& facts) : facts_(facts) {}

  std::vector<Finding> Run() && {
    for (size_t m = 0; m < facts_.methods.size(); ++m) {
      if (facts_.IsLoaded(static_cast<int32_t>(m))) AddDelegates(static_cast<int32_t>(m));
    }
    if (holders_.empty()) return {};
    for (const StateKey& key : facts_.states.keys) AddRest(key);
    for (const auto& [name, holders] : holders_) Judge(holders);
    return std::move(findings_);
  }

 private:
  void AddDelegates(int32_t m) {
    const Method& method = facts_.MethodAt(m);
    std::vector<bool> added(method.delegates.size());
    for (size_t i = 0; i < method.instructions.size(); ++i) {
      const Instruction& call = method.instructions[i];
      if (call.kind != InstructionKind::kDelegateCall) continue;
      const auto d = static_cast<size_t>(call.target);
      const delegates::OpenedBlob* blob = method.delegates[d].opened.get();
      if (blob == nullptr || added[d]) continue;
      added[d] = true;
      for (const delegates::BlobState& state : blob->states) {
        Add({.method = m,
             .name = state.name,
             .blob = blob,
             .delegate = call.target,
             .at = static_cast<int32_t>(i),
             .updates = state.updated});
      }
    }
  }

  // A blob may name one buffer twice.
  void Add(const Holder& holder) {
    std::vector<Holder>& others = holders_[PlainLetters(holder.name)];
    const bool again = !others.empty() && others.back().method == holder.method &&
                       others.back().delegate == holder.delegate;
    if (!again) return others.push_back(holder);
    others.back().updates = others.back().updates || holder.updates;
  }

  void AddRest(const StateKey& key) {
    const auto kept = key.name.empty() ? holders_.end() : holders_.find(PlainLetters(key.name));
    if (kept == holders_.end()) return;
    for (const StateInstance& i : key.instances) {
      kept->second.push_back({.method = i.method,
                              .name = key.name,
                              .value = i.value,
                              .updates = i.writes,
                              .reads = i.reads});
    }
  }

  void Judge(const std::vector<Holder>& holders) {
    for (const Holder& writer : holders) {
      if (!writer.updates) continue;
      for (const Holder& reader : holders) {
        if (!reader.reads || !AreApart(writer, reader)) continue;
        const auto shared = SharedAsStated(writer, reader);
        if (!shared.value_or(true)) continue;
        const bool undecided = writer.method != reader.method && !shared;
        return findings_.push_back(Tell(writer, reader, undecided));
      }
    }
  }

  // Whether they have one buffer of the model, and not one copy of it.
  static bool AreApart(const Holder& a, const Holder& b) {
    if (a.blob == nullptr && b.blob == nullptr) return false;  // the banks decide
    const bool same = a.method == b.method && a.delegate == b.delegate;
    const auto is_plain = [](const Holder& h) {
      return h.blob != nullptr && h.blob->plain_letters;
    };
    if (same || (a.name != b.name && !is_plain(a) && !is_plain(b))) return false;
    const bool both = a.blob != nullptr && b.blob != nullptr;
    return !both || !a.blob->shares_states || a.blob->backend != b.blob->backend;
  }

  [[nodiscard]] std::optional<bool> SharedAsStated(const Holder& a, const Holder& b) const {
    for (const Holder* holder : {&a, &b}) {
      const ManifestBuffer* stated = facts_.Stated(holder->name);
      if (stated != nullptr && stated->shared) return stated->shared;
    }
    return std::nullopt;
  }

  [[nodiscard]] std::string Who(const Holder& holder) const {
    const Method& method = facts_.MethodAt(holder.method);
    if (holder.blob == nullptr) {
      return fmt::format("'{}', outside of delegates ({}),", method.name,
                         ValueWords(method, holder.value));
    }
    return fmt::format("delegate {} of '{}' ({})", holder.delegate, method.name,
                       holder.blob->backend);
  }

  [[nodiscard]] Finding Tell(const Holder& writer, const Holder& reader, bool undecided) const {
    const Method& method = facts_.MethodAt(reader.method);
    Finding finding =
        FindingAt(rule::kMutabilityMismatch, undecided ? Severity::kNote : Severity::kError, method,
                  reader.at, {}, {});
    if (reader.value >= 0) finding.values = {reader.value};
    finding.undecided = undecided;
    finding.explanation = fmt::format(
        "{} updates buffer '{}'.\n{} has the buffer too, and a delegate keeps its own copy.\n"
        "{}{} does not see the new values.",
        Capital(Who(writer)), Shown(writer.name), Capital(Who(reader)),
        undecided ? "If both are one buffer of the model, " : "",
        undecided ? Who(reader) : Capital(Who(reader)));
    finding.fix =
        undecided
            ? "One buffer or two? Say in a manifest whether the buffer is `shared`."
            : "Leave the buffer out of the delegate (Core ML: `take_over_mutable_buffer=False`).";
    return finding;
  }

  const ProgramFacts& facts_;
  std::map<std::string, std::vector<Holder>> holders_;  // by name, in plain letters
  std::vector<Finding> findings_;
};

}  // namespace

std::vector<Finding> CheckKeptBuffers(const ProgramFacts& facts) {
  return KeptBuffers(facts).Run();
}

}  // namespace pteproof::checks
