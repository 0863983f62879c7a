#include "properties/rules/kept_buffers.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <utility>
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

bool HasPlainLetters(const Holder& h) {
  return h.blob != nullptr && h.blob->plain_letters;
}

// Holders with equal ones see each other's stores: the banks decide on the rest of all methods.
std::tuple<std::string_view, int32_t, int32_t> StoreOf(const Holder& h) {
  if (h.blob == nullptr) return {"", -1, -1};
  if (h.blob->shares_states) return {h.blob->backend, -1, -1};
  return {h.blob->backend, h.method, h.delegate};
}

struct Pair {
  const Holder* writer = nullptr;
  const Holder* reader = nullptr;
};

// A writer and a reader of different keys. Of either two with different keys are enough. O(n).
template <class Key, class IsWriter, class IsReader>
std::optional<Pair> Apart(std::span<const Holder> holders, const Key& key,
                          const IsWriter& is_writer, const IsReader& is_reader) {
  std::vector<const Holder*> writers;
  std::vector<const Holder*> readers;
  const auto take = [&](std::vector<const Holder*>& few, const Holder& h) {
    if (few.empty() || (few.size() == 1 && key(*few.front()) != key(h))) few.push_back(&h);
  };
  for (const Holder& h : holders) {
    if (h.updates && is_writer(h)) take(writers, h);
    if (h.reads && is_reader(h)) take(readers, h);
  }
  for (const Holder* writer : writers) {
    for (const Holder* reader : readers) {
      if (key(*writer) != key(*reader)) return Pair{writer, reader};
    }
  }
  return std::nullopt;
}

class KeptBuffers {
 public:
  explicit KeptBuffers(const ProgramFacts& facts) : facts_(facts) {}

  std::vector<Finding> Run() && {
    for (size_t m = 0; m < facts_.methods.size(); ++m) {
      if (facts_.IsLoaded(static_cast<int32_t>(m))) AddCalls(static_cast<int32_t>(m));
    }
    for (const auto& [blob, calls] : calls_) {
      for (const delegates::BlobState& state : blob->states)
        buffers_[PlainLetters(state.name)].kept.emplace_back(blob, &state);
    }
    if (buffers_.empty()) return {};
    for (const StateKey& key : facts_.states.keys) {
      const auto kept = key.name.empty() ? buffers_.end() : buffers_.find(PlainLetters(key.name));
      if (kept != buffers_.end()) kept->second.rest.push_back(&key);
    }
    for (const auto& [name, buffer] : buffers_) {
      if (!Judge(buffer)) break;
    }
    return std::move(findings_);
  }

 private:
  struct Call {
    int32_t method = 0;
    int32_t delegate = 0;
    int32_t at = 0;
  };
  // All that may be one buffer by its letters.
  struct Buffer {
    std::vector<std::pair<const delegates::OpenedBlob*, const delegates::BlobState*>> kept;
    std::vector<const StateKey*> rest;
  };

  // Delegates may share a blob. Of those in one method two tell all.
  void AddCalls(int32_t m) {
    const MethodMeaning& meant = facts_.methods[static_cast<size_t>(m)];
    const Method& method = facts_.MethodAt(m);
    std::vector<bool> added(method.delegates.size());
    for (size_t i = 0; i < method.instructions.size(); ++i) {
      const Instruction& call = method.instructions[i];
      const auto block = static_cast<size_t>(meant.graph.block_of[i]);
      if (call.kind != InstructionKind::kDelegateCall || !meant.graph.blocks[block].reachable)
        continue;
      const auto d = static_cast<size_t>(call.target);
      const delegates::OpenedBlob* blob = method.delegates[d].opened.get();
      if (blob == nullptr || added[d]) continue;
      added[d] = true;
      std::vector<Call>& calls = calls_[blob];
      const size_t count = calls.size();
      if (count < 2 || calls[count - 2].method != m)
        calls.push_back({m, call.target, static_cast<int32_t>(i)});
    }
  }

  [[nodiscard]] std::vector<Holder> HoldersOf(const Buffer& buffer) const {
    std::vector<Holder> holders;
    for (const auto& [blob, state] : buffer.kept) {
      for (const Call& call : calls_.at(blob)) {
        holders.push_back({.method = call.method,
                           .name = state->name,
                           .blob = blob,
                           .delegate = call.delegate,
                           .at = call.at,
                           .updates = state->updated});
      }
    }
    for (const StateKey* key : buffer.rest) {
      for (const StateInstance& i : key->instances) {
        holders.push_back({.method = i.method,
                           .name = key->name,
                           .value = i.value,
                           .updates = i.writes,
                           .reads = i.reads});
      }
    }
    std::ranges::stable_sort(
        holders, {}, [](const Holder& h) { return std::tuple(h.method, h.name, h.delegate); });
    return holders;
  }

  // False: the work is beyond the limit.
  bool Judge(const Buffer& buffer) {
    for (const auto& [blob, state] : buffer.kept) work_ += calls_.at(blob).size();
    if (work_ > kMostWork) {
      TellTooMany();
      return false;
    }
    std::vector<Holder> holders = HoldersOf(buffer);
    std::optional<Pair> open;
    if (TellInMethods(holders, open)) return true;
    std::ranges::stable_sort(holders, {}, &Holder::name);
    if (TellOverMethods(holders, open)) return true;
    if (open) findings_.push_back(Tell(*open->writer, *open->reader, true));
    return true;
  }

  // By method, then by name: a method has one buffer of a name. Whether there is an error.
  bool TellInMethods(std::span<const Holder> holders, std::optional<Pair>& open) {
    for (const auto of_method : Groups(holders, &Holder::method)) {
      for (const auto of_name : Groups(of_method, &Holder::name)) {
        if (const auto pair = Apart(of_name, StoreOf, Any, Any)) return TellError(*pair);
      }
      if (const auto pair = SameByLetters(of_method)) {
        if (AreOneAsStated(*pair)) return TellError(*pair);
        if (!open) open = pair;
      }
    }
    return false;
  }

  // Methods may be of two models with a buffer of one name each.
  bool TellOverMethods(std::span<const Holder> holders, std::optional<Pair>& open) {
    for (const auto of_name : Groups(holders, &Holder::name)) {
      const auto shared = Shared(of_name.front().name);
      const auto pair = Apart(of_name, StoreOf, Any, Any);
      if (!pair || !shared.value_or(true)) continue;
      if (shared) return TellError(*pair);
      if (!open) open = pair;
    }
    const auto pair = SameByLetters(holders);
    if (!pair || open) return false;
    const auto shared =
        Shared(pair->writer->name) ? Shared(pair->writer->name) : Shared(pair->reader->name);
    if (shared.value_or(false) && AreOneAsStated(*pair)) return TellError(*pair);
    if (shared.value_or(true)) open = pair;
    return false;
  }

  static constexpr auto Any = [](const Holder&) { return true; };

  // `holders` are sorted by what the groups are of.
  template <class Member>
  static std::vector<std::span<const Holder>> Groups(std::span<const Holder> holders,
                                                     Member member) {
    std::vector<std::span<const Holder>> groups;
    for (size_t begin = 0; begin < holders.size();) {
      size_t end = begin + 1;
      while (end < holders.size() && holders[end].*member == holders[begin].*member) ++end;
      groups.push_back(holders.subspan(begin, end - begin));
      begin = end;
    }
    return groups;
  }

  // Two names of which one has plain letters for what the other has.
  static std::optional<Pair> SameByLetters(std::span<const Holder> holders) {
    const auto name = [](const Holder& h) { return h.name; };
    const auto pair = Apart(holders, name, HasPlainLetters, Any);
    return pair ? pair : Apart(holders, name, Any, HasPlainLetters);
  }

  // The manifest has one of the two names alone: the other one is that name in plain letters.
  [[nodiscard]] bool AreOneAsStated(const Pair& pair) const {
    return (facts_.Stated(pair.writer->name) == nullptr) !=
           (facts_.Stated(pair.reader->name) == nullptr);
  }

  [[nodiscard]] std::optional<bool> Shared(std::string_view name) const {
    const ManifestBuffer* stated = facts_.Stated(name);
    return stated == nullptr ? std::nullopt : stated->shared;
  }

  bool TellError(const Pair& pair) {
    findings_.push_back(Tell(*pair.writer, *pair.reader, false));
    return true;
  }

  void TellTooMany() {
    const Method& method = *facts_.methods.front().method;
    Finding finding = FindingAt(rule::kMutabilityMismatch, Severity::kNote, method, -1, {}, {});
    finding.undecided = true;
    finding.explanation = fmt::format(
        "Delegates keep buffers more than {} times.\nThat is beyond the limit on work: whether "
        "others have these buffers too was not judged.",
        kMostWork);
    finding.fix = "Split the program (`pteproof split`), and check its parts.";
    findings_.push_back(std::move(finding));
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
            ? "One buffer or two? State the model's buffers in a manifest, and whether they are "
              "`shared`."
            : "Leave the buffer out of the delegate (Core ML: `take_over_mutable_buffer=False`).";
    return finding;
  }

  static constexpr uint64_t kMostWork = uint64_t{1} << 22;

  const ProgramFacts& facts_;
  std::unordered_map<const delegates::OpenedBlob*, std::vector<Call>> calls_;
  std::map<std::string, Buffer> buffers_;  // by name, in plain letters
  uint64_t work_ = 0;                      // holders so far
  std::vector<Finding> findings_;
};

}  // namespace

std::vector<Finding> CheckKeptBuffers(const ProgramFacts& facts) {
  return KeptBuffers(facts).Run();
}

}  // namespace pteproof::checks
