#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "base/rule_names.h"
#include "properties/proofs/facts/stated_names.h"
#include "properties/proofs/rules/rules.h"
#include "properties/proofs/rules/stray_stores.h"

namespace pteproof::proofs {
namespace {

// A buffer that misses a store, or may.
struct Missing {
  int32_t method = 0;
  const SharedBuffer* buffer = nullptr;
  const BufferUse* use = nullptr;  // null: the method holds no such buffer
  std::string name;
  bool stated = false;  // by the manifest
  bool seen = true;     // false: no method reads it
  bool given_to_delegate = false;
  bool stray = false;     // a store that went elsewhere fits it
  bool possible = false;  // a store fits it that may be an input's own

  [[nodiscard]] bool onto_itself() const { return use != nullptr && use->onto_itself >= 0; }
};

class StoreRules {
 public:
  explicit StoreRules(Obliger& obliger)
      : obliger_(obliger), facts_(obliger.facts()), stray_(facts_.methods.size()) {
    for (const SharedBuffer& buffer : facts_.buffers) {
      if (!buffer.name.empty()) named_.emplace(buffer.name, &buffer);
    }
    if (facts_.manifest == nullptr) return;
    for (const auto& [name, method] : facts_.manifest->methods) {
      if (method.reads.has_value()) read_.insert(method.reads->begin(), method.reads->end());
      reads_stated_ = reads_stated_ && method.reads.has_value();
    }
  }

  void Run() {
    for (size_t m = 0; m < facts_.methods.size(); ++m) Stated(m);
    for (const SharedBuffer& buffer : facts_.buffers) NeverGiven(buffer);
    for (Missing& missing : missing_) {
      if (missing.use != nullptr && !missing.onto_itself()) missing.stray = TakeStray(*missing.use);
    }
    for (Missing& missing : missing_) {
      const bool known = missing.stated || missing.stray || missing.onto_itself();
      missing.possible = !known && missing.buffer->name.empty() && TakePossible(*missing.use);
    }
    std::erase_if(missing_, [](const Missing& m) {
      return !m.stated && m.buffer->name.empty() && !m.stray && !m.possible && !m.onto_itself();
    });
    Untouched();
    Beside();
    Count();
    for (const Missing& missing : missing_) Oblige(missing, 1);
  }

 private:
  [[nodiscard]] const std::vector<std::string>* MutatedBy(size_t m) const {
    const ManifestMethod* stated = facts_.methods[m].stated;
    return stated != nullptr && stated->mutates.has_value() ? &*stated->mutates : nullptr;
  }
  [[nodiscard]] bool HasNames(size_t m) const {
    return HasBufferNames(*facts_.methods[m].method, *facts_.methods[m].stated);
  }
  [[nodiscard]] bool IsRead(const std::string& name) const {
    return !reads_stated_ || read_.contains(name);
  }
  // Always zero, though somebody reads it.
  static bool IsNeverGiven(const SharedBuffer& buffer) {
    return buffer.read && !buffer.written && !buffer.initialised();
  }

  void Keep(Missing missing) {
    if (missing.buffer != nullptr) told_.insert(missing.buffer);
    if (missing.use != nullptr) told_uses_.insert({missing.method, missing.use->buffer});
    missing_.push_back(std::move(missing));
  }

  // The manifest's word: the model's method stores to the buffer.
  void Stated(size_t m) {
    if (MutatedBy(m) == nullptr) return;
    for (const std::string& name : *MutatedBy(m)) {
      const auto found = named_.find(name);
      Missing missing = {.method = static_cast<int32_t>(m), .name = name, .stated = true};
      missing.seen = IsRead(name);
      if (found != named_.end()) {
        missing.buffer = found->second;
        const auto use =
            std::ranges::find(missing.buffer->uses, missing.method, &BufferUse::method);
        if (use != missing.buffer->uses.end()) missing.use = &*use;
      }
      if (missing.use == nullptr) missing.buffer = nullptr;
      if (missing.use == nullptr && !HasNames(m)) continue;
      if (missing.use != nullptr && missing.use->writes) {
        Oblige(missing, 0);
        continue;
      }
      if (missing.buffer != nullptr) missing.seen = missing.seen || IsNeverGiven(*missing.buffer);
      missing.given_to_delegate = missing.use != nullptr && MayBeUpdated(*missing.use);
      Keep(std::move(missing));
    }
  }

  void NeverGiven(const SharedBuffer& buffer) {
    if (told_.contains(&buffer)) return;
    if (!IsNeverGiven(buffer)) {
      if (!buffer.read || buffer.name.empty()) return;
      Missing held = {.method = buffer.uses.front().method,
                      .buffer = &buffer,
                      .use = &buffer.uses.front(),
                      .name = std::string(buffer.name)};
      return Oblige(held, 0);
    }
    const BufferUse* likely = &*std::ranges::min_element(
        buffer.uses, {}, [&](const BufferUse& use) { return Rank(use); });
    if (buffer.name.empty() && Rank(*likely) > 1) {
      const auto use = std::ranges::find_if(
          buffer.uses, [&](const BufferUse& u) { return Fitting(u, Strays(u).possible) >= 0; });
      if (use == buffer.uses.end()) return;
      likely = &*use;
    }
    if (likely->place.empty()) return;
    Missing missing = {.method = likely->method,
                       .buffer = &buffer,
                       .use = likely,
                       .name = std::string(buffer.name)};
    missing.given_to_delegate = std::ranges::any_of(
        buffer.uses, [&](const BufferUse& use) { return IsGivenToDelegate(use); });
    Keep(std::move(missing));
  }

  // Where a store was lost, most likely first; no store goes to a buffer without memory.
  int Rank(const BufferUse& use) {
    if (use.place.empty()) return 4;
    if (use.onto_itself >= 0) return 0;
    if (!Strays(use).certain.empty()) return 1;
    if (!use.touched) return 2;
    return 3;
  }

  // By a delegate call of which nobody says what it updates.
  [[nodiscard]] bool MayBeUpdated(const BufferUse& use) const {
    const MethodFacts& facts = facts_.FactsAt(use.method);
    int32_t calls = 0;
    return std::ranges::any_of(facts.method->instructions, [&](const Instruction& at) {
      if (at.kind != InstructionKind::kDelegateCall) return false;
      const int32_t call = calls++;
      const bool told = std::ranges::any_of(facts.stated->delegates, [&](const auto& said) {
        return said.index == call && said.updates.has_value();
      });
      const auto args = facts.method->Ints(at.args);
      return !told && std::ranges::find(args, use.value) != args.end();
    });
  }

  [[nodiscard]] bool IsGivenToDelegate(const BufferUse& use) const {
    const Method& method = facts_.MethodAt(use.method);
    return std::ranges::any_of(method.instructions, [&](const Instruction& at) {
      const auto args = method.Ints(at.args);
      return at.kind == InstructionKind::kDelegateCall &&
             std::ranges::find(args, use.value) != args.end();
    });
  }

  // Of the buffer's method, those that are given to no buffer. Where the manifest says to which
  // buffers a method stores, no input's store is taken for one.
  StrayStores& Strays(const BufferUse& use) {
    auto& stray = stray_[static_cast<size_t>(use.method)];
    if (!stray.has_value()) {
      stray = StrayStoresOf(facts_.FactsAt(use.method));
      if (MutatedBy(static_cast<size_t>(use.method)) != nullptr) stray->possible.clear();
    }
    return *stray;
  }

  // The first store of the buffer's form; -1: none.
  [[nodiscard]] int32_t Fitting(const BufferUse& use, const std::vector<int32_t>& stores) const {
    const MethodFacts& facts = facts_.FactsAt(use.method);
    const Tensor& wanted = *facts.method->TensorOf(use.value);
    const auto fits = std::ranges::find_if(stores, [&](int32_t store) {
      const Tensor& source = *facts.method->TensorOf(SourceOfStore(facts, store));
      return source.dtype == wanted.dtype && source.nbytes == wanted.nbytes;
    });
    return fits == stores.end() ? -1 : *fits;
  }

  // A stray store of the buffer's form is taken for the one that it misses.
  bool TakeStray(const BufferUse& use) { return Take(use, Strays(use).certain); }
  bool TakePossible(const BufferUse& use) { return Take(use, Strays(use).possible); }
  bool Take(const BufferUse& use, std::vector<int32_t>& stores) {
    return std::erase(stores, Fitting(use, stores)) > 0;
  }

  // Exporters mix up a buffer and an argument of one name, which is an identifier of Python.
  static bool CanNameArgument(std::string_view name) {
    return name.find('.') == std::string_view::npos;
  }

  // Nothing in the method touches the buffer, and a store went elsewhere: first those that surely
  // did.
  void Untouched() {
    for (const bool certain : {true, false}) {
      for (const SharedBuffer& buffer : facts_.buffers) {
        for (const BufferUse& use : buffer.uses) {
          if (!IsUntold(buffer, use)) continue;
          if (certain ? TakeStray(use) : CanNameArgument(buffer.name) && TakePossible(use)) {
            Keep({.method = use.method,
                  .buffer = &buffer,
                  .use = &use,
                  .name = std::string(buffer.name),
                  .stray = certain,
                  .possible = !certain});
          }
        }
      }
    }
  }
  [[nodiscard]] bool IsUntold(const SharedBuffer& buffer, const BufferUse& use) const {
    const bool stated =
        !buffer.name.empty() && MutatedBy(static_cast<size_t>(use.method)) != nullptr;
    return !use.touched && !use.place.empty() && !stated &&
           !told_uses_.contains({use.method, use.buffer});
  }

  // A buffer is planned since some method stores to it: one that nothing in the program touches,
  // beside one whose store was dropped, lost its own.
  void Beside() {
    std::set<int32_t> dropped;
    for (const Missing& m : missing_) {
      const bool gone = !m.stated && m.use != nullptr && m.use->touched && !m.stray &&
                        !m.possible && !m.onto_itself() && !m.given_to_delegate;
      const bool never = m.buffer != nullptr && IsNeverGiven(*m.buffer);
      if (gone && never) dropped.insert(m.method);
    }
    for (const SharedBuffer& buffer : facts_.buffers) {
      const bool idle = !buffer.name.empty() && !told_.contains(&buffer) &&
                        std::ranges::none_of(buffer.uses, [](const BufferUse& use) {
                          return use.touched || use.initialised() || use.place.empty();
                        });
      if (!idle) continue;
      const auto use = std::ranges::find_if(buffer.uses, [&](const BufferUse& u) {
        return dropped.contains(u.method) && MutatedBy(static_cast<size_t>(u.method)) == nullptr;
      });
      if (use == buffer.uses.end()) continue;
      Keep({.method = use->method,
            .buffer = &buffer,
            .use = &*use,
            .name = std::string(buffer.name)});
    }
  }

  // Without names only the number of stores tells, and the buffers that nobody reads may be those
  // that miss theirs.
  void Count() {
    for (size_t m = 0; m < facts_.methods.size(); ++m) {
      if (MutatedBy(m) == nullptr || HasNames(m)) continue;
      const auto sure = std::ranges::count_if(missing_, [&](const Missing& each) {
        return each.method == static_cast<int32_t>(m) &&
               (each.stated || !(each.onto_itself() || each.possible || each.given_to_delegate));
      });
      const auto stored = std::ranges::count_if(facts_.buffers, [&](const SharedBuffer& buffer) {
        return std::ranges::any_of(buffer.uses, [&](const BufferUse& use) {
          return use.method == static_cast<int32_t>(m) && use.writes;
        });
      });
      const auto unread = std::ranges::count_if(
          *MutatedBy(m), [&](const std::string& name) { return !IsRead(name); });
      const auto mutated = static_cast<int64_t>(MutatedBy(m)->size());
      const int64_t lacking = mutated - stored - sure;
      if (lacking > 0 && mutated - stored <= unread) continue;  // no output need show it
      Oblige({.method = static_cast<int32_t>(m), .name = "its buffers", .stated = true},
             std::max<int64_t>(lacking, 0));
    }
  }

  void Oblige(const Missing& missing, int64_t count) {
    if (!missing.seen) return;
    const bool went_elsewhere = missing.stray || missing.possible || missing.onto_itself();
    const bool open = count > 0 && missing.given_to_delegate && !went_elsewhere;
    if (open && !missing.stated) return;
    const Method& method = facts_.MethodAt(missing.method);
    Obligation o;
    o.kind = open ? rule::kNotProvable : rule::kWriteBackMissing;
    if (open) o.severity = Severity::kNote;
    if ((missing.onto_itself() || missing.possible) && count > 0) o.severity = Severity::kNote;
    o.method = method.name;
    if (missing.use != nullptr) o.values = {missing.use->value};
    o.goal = None(count);
    o.refuted = fmt::format("{} misses its store in '{}'{}.",
                            missing.use != nullptr ? ValueText(method, missing.use->value)
                            : missing.name.empty() ? std::string("A buffer")
                                                   : fmt::format("'{}'", missing.name),
                            method.name,
                            missing.onto_itself() ? ", or is stored onto itself on purpose"
                            : missing.possible    ? ", or the model mutates an input of its form"
                                                  : "");
    obliger_.Add(std::move(o));
  }

  Obliger& obliger_;
  const ProgramFacts& facts_;
  std::map<std::string_view, const SharedBuffer*> named_;
  std::set<std::string> read_;                     // buffers that some method of the model reads
  bool reads_stated_ = true;                       // by all methods
  std::vector<std::optional<StrayStores>> stray_;  // per method, those not given away
  std::vector<Missing> missing_;
  std::set<const SharedBuffer*> told_;
  std::set<std::pair<int32_t, int32_t>> told_uses_;  // method and buffer
};

// Data of a .ptd have names. Data with the name of a buffer that another method stores to are not a
// constant.
void ObligeExternal(Obliger& obliger) {
  const ProgramFacts& facts = obliger.facts();
  std::set<std::string_view> written;
  for (const SharedBuffer& buffer : facts.buffers) {
    if (buffer.written && !buffer.name.empty()) written.insert(buffer.name);
  }
  for (const MethodFacts& method : facts.methods) {
    for (int32_t v = 0; v < method.value_count(); ++v) {
      const std::string_view name = method.method->NameOf(v);
      if (method.parts.Of(v) != Part::kConstant || name.empty()) continue;
      Obligation o;
      o.kind = rule::kMutabilityMismatch;
      o.method = method.method->name;
      o.values = {v};
      o.goal = None(written.contains(name) ? 1 : 0);
      o.refuted = fmt::format(
          "'{}' holds '{}' as external data, and a method stores to that buffer.", o.method, name);
      obliger.Add(std::move(o));
    }
  }
}

}  // namespace

void ObligeStores(Obliger& obliger) {
  StoreRules(obliger).Run();
  ObligeExternal(obliger);
}

}  // namespace pteproof::proofs
