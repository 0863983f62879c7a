// Idea: two contents differ in a byte. In the old program that byte is of term a, in the new one of
// term b. If both are calls of one form, the first operand that differs is looked at in the same
// way, unless the old program has computed b as well: then the new one reads another value, and the
// reader is the place.
//
//     output 0:  add(relu(x), y)      add(tanh(x), y)     same form, operand 0 differs
//     operand 0: relu(x)              tanh(x)             other forms: instruction of tanh
//
// Cost: O(depth of the terms x operands).
#include "properties/compare/run/walk_back.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <unordered_set>
#include <utility>

#include "properties/compare/run/state_keys.h"
#include "properties/compare/terms/apply.h"
#include "properties/compare/terms/heads.h"
#include "properties/compare/terms/movement.h"

namespace pteproof::compare {
namespace {

// The call that a term is, or is a result of; nothing: it is no call.
std::optional<TermId> CallOf(const TermTable& table, TermId term) {
  const Term at = table.At(term);
  if (at.kind == TermKind::kCall) return term;
  if (at.kind == TermKind::kResult) return static_cast<TermId>(at.words[0]);
  return std::nullopt;
}

class WalkBack {
 public:
  WalkBack(TermTable& table, const Trace& old_call, const Trace& new_call)
      : table_(table), old_(old_call), new_(new_call) {}

  std::optional<Difference> Run() {
    auto found = Ends();
    if (!found) return std::nullopt;
    auto earlier = Jumps(found->where);
    return earlier ? earlier : found;
  }

 private:
  // Who reads a content: an instruction, or the caller.
  struct Reader {
    int32_t old_instruction = -1;
    int32_t new_instruction = -1;
    int32_t old_value = -1;
    int32_t new_value = -1;
  };

  std::optional<Difference> Ends() {
    if (auto found = Outputs()) return found;
    if (auto found = States()) return found;
    if (auto found = ChangedInputs()) return found;
    return Effects();
  }

  // The first jump that the two programs decide by unlike conditions: what comes after it differs
  // for that reason.
  std::optional<Difference> Jumps(const std::string& where) {
    const auto [in_old, in_new] = std::ranges::mismatch(
        old_.jumps, new_.jumps, {}, &DecidedJump::condition, &DecidedJump::condition);
    if (in_old == old_.jumps.end() || in_new == new_.jumps.end()) return std::nullopt;
    const Condition& a = in_old->condition;
    const Condition& b = in_new->condition;
    if (a.is_tensor != b.is_tensor) return std::nullopt;
    const Reader reader = {in_old->instruction, in_new->instruction, -1, -1};
    const std::string by = fmt::format("{}, by the condition of the jump at instruction {}", where,
                                       in_new->instruction);
    if (a.is_tensor) return Contents(by, a.id, b.id, reader);
    return Calls(by, a.id, b.id, reader);
  }

  // Two numbers, or calls whose order counts.
  std::optional<Difference> Calls(const std::string& where, TermId a, TermId b,
                                  const Reader& reader) {
    Reader deeper;
    if (const auto operands = Deeper({a, 0}, {b, 0}, deeper)) {
      return Contents(where, operands->first, operands->second, deeper);
    }
    const auto as_number = [](TermId term) {
      return SymbolicNumber{SymbolicNumber::Kind::kTerm, term};
    };
    return Numbers(where, as_number(a), as_number(b), reader);
  }

  std::optional<Difference> Outputs() {
    const auto& olds = old_.outputs;
    const auto& news = new_.outputs;
    if (olds.size() != news.size()) {
      Difference difference;
      difference.where = fmt::format("{} outputs, and {} before", news.size(), olds.size());
      return difference;
    }
    for (size_t n = 0; n < olds.size(); ++n) {
      const Reader reader = {-1, -1, olds[n].from, news[n].from};
      auto found = Argument(fmt::format("output {}", n), olds[n].value, news[n].value, reader);
      if (found) return found;
    }
    return std::nullopt;
  }

  std::optional<Difference> Argument(const std::string& where, const SymbolicArgument& a,
                                     const SymbolicArgument& b, const Reader& reader) {
    const auto* x = std::get_if<SymbolicTensor>(&a);
    const auto* y = std::get_if<SymbolicTensor>(&b);
    if (x != nullptr && y != nullptr) {
      if (x->shape.dtype != y->shape.dtype || x->shape.sizes != y->shape.sizes) {
        return Plain(where + ": another type or other sizes", reader);
      }
      if (x->shape.varies || y->shape.varies) {
        if (x->shape == y->shape) return Contents(where, x->content, y->content, reader);
        return Plain(where + ": another memory order, of sizes that vary", reader);
      }
      const TensorShape plain = {x->shape.dtype, x->shape.sizes, {}};
      return Contents(where, Reordered(table_, *x, plain), Reordered(table_, *y, plain), reader);
    }
    const auto* s = std::get_if<SymbolicNumber>(&a);
    const auto* t = std::get_if<SymbolicNumber>(&b);
    if (s != nullptr && t != nullptr) return Numbers(where, *s, *t, reader);
    return SameOther(a, b) ? std::nullopt : std::optional(Plain(where, reader));
  }

  static bool SameOther(const SymbolicArgument& a, const SymbolicArgument& b) {
    if (a.index() != b.index()) return false;
    if (const auto* text = std::get_if<std::string_view>(&a)) {
      return *text == std::get<std::string_view>(b);
    }
    if (const auto* list = std::get_if<std::vector<SymbolicNumber>>(&a)) {
      return *list == std::get<std::vector<SymbolicNumber>>(b);
    }
    const auto* tensors = std::get_if<std::vector<std::optional<SymbolicTensor>>>(&a);
    if (tensors == nullptr) return true;
    return std::ranges::equal(*tensors, std::get<std::vector<std::optional<SymbolicTensor>>>(b),
                              [](const auto& x, const auto& y) {
                                if (!x || !y) return x.has_value() == y.has_value();
                                return x->shape == y->shape && x->content == y->content;
                              });
  }

  std::optional<Difference> Numbers(const std::string& where, const SymbolicNumber& a,
                                    const SymbolicNumber& b, const Reader& reader) {
    if (a == b) return std::nullopt;
    Difference difference = Plain(where, reader);
    difference.old_side.term = NumberText(a, old_);
    difference.new_side.term = NumberText(b, new_);
    if (!b.is_known()) {
      const auto made = new_.made_by.find(static_cast<TermId>(b.bits));
      if (made != new_.made_by.end()) difference.new_side.instruction = made->second;
    }
    return difference;
  }

  std::string NumberText(const SymbolicNumber& number, const Trace& trace) {
    switch (number.kind) {
      case SymbolicNumber::Kind::kInt:
        return fmt::format("the integer {}", IntOf(number));
      case SymbolicNumber::Kind::kBool:
        return number.bits != 0 ? "true" : "false";
      case SymbolicNumber::Kind::kReal:
        return fmt::format("the number {}", RealOf(number));
      case SymbolicNumber::Kind::kTerm:
        break;
    }
    return ByteText({static_cast<TermId>(number.bits), 0}, trace);
  }

  std::optional<Difference> States() {
    for (const auto& [key, content] : new_.state) {
      if (old_.state.contains(key)) continue;
      return Plain(StateText(key) + ", of the new program only", {});
    }
    for (const auto& [key, content] : old_.state) {
      const auto found = new_.state.find(key);
      if (found == new_.state.end()) {
        return Plain(StateText(key) + ", of the old program only", {});
      }
      if (found->second == content) continue;
      auto difference =
          Contents(fmt::format("{} at exit", StateText(key)), content, found->second, {});
      if (difference) return difference;
    }
    return std::nullopt;
  }

  std::optional<Difference> ChangedInputs() {
    if (old_.changed_inputs == new_.changed_inputs) return std::nullopt;
    std::set<size_t> changed;
    for (const auto& [n, content] : old_.changed_inputs) changed.insert(n);
    for (const auto& [n, content] : new_.changed_inputs) changed.insert(n);
    for (const size_t n : changed) {
      const auto x = old_.changed_inputs.find(n);
      const auto y = new_.changed_inputs.find(n);
      const bool in_old = x != old_.changed_inputs.end();
      const bool in_new = y != new_.changed_inputs.end();
      if (in_old && in_new && x->second == y->second) continue;
      Difference difference = Plain(fmt::format("input {} at exit", n), {});
      difference.old_side.term = in_old ? "changed" : "as it was given";
      difference.new_side.term = in_new ? "changed" : "as it was given";
      if (in_new) difference.new_side.instruction = WriterOf(new_, y->second);
      if (in_old) difference.old_side.instruction = WriterOf(old_, x->second);
      return difference;
    }
    return std::nullopt;
  }

  std::optional<Difference> Effects() {
    if (old_.effect == new_.effect) return std::nullopt;
    const auto& olds = old_.effects;
    const auto& news = new_.effects;
    size_t n = 0;
    while (n < std::min(olds.size(), news.size()) && olds[n] == news[n]) ++n;
    Difference difference;
    difference.where = fmt::format("call {} of those whose number and order count", n);
    const auto note = [&](const std::vector<TermId>& calls, const Trace& of, DifferenceSide& side) {
      if (n >= calls.size()) {
        side.term = "no such call";
        return;
      }
      side.instruction = of.made_by.at(calls[n]);
      side.term = ByteText({calls[n], 0}, of);
    };
    note(olds, old_, difference.old_side);
    note(news, new_, difference.new_side);
    if (n >= olds.size() || n >= news.size()) return difference;
    Reader reader;
    const auto operands = Deeper({olds[n], 0}, {news[n], 0}, reader);
    if (!operands) return difference;
    return Contents(difference.where, operands->first, operands->second, reader);
  }

  [[nodiscard]] static Difference Plain(const std::string& where, const Reader& reader) {
    Difference difference;
    difference.where = where;
    difference.old_side = {reader.old_instruction, reader.old_value, ""};
    difference.new_side = {reader.new_instruction, reader.new_value, ""};
    return difference;
  }

  std::optional<Difference> Contents(std::string where, ContentId a, ContentId b, Reader reader) {
    bool is_first = true;
    while (a != b) {
      const uint64_t at = FirstDifference(table_[a], table_[b]);
      if (is_first) where += fmt::format(", byte {}", at);
      is_first = false;
      if (at >= table_[a].bytes() || at >= table_[b].bytes()) {
        return Plain(where + ": another number of bytes", reader);
      }
      const ByteOf x = table_[a].At(at);
      const ByteOf y = table_[b].At(at);
      const auto next = Deeper(x, y, reader);
      if (!next && OnlyCallsBeforeDiffer(x, y)) {
        auto earlier = Effects();
        if (earlier) earlier->where = where;
        return earlier;
      }
      if (!next) return Leaf(where, b, a, x, y, reader);
      std::tie(a, b) = *next;
    }
    return std::nullopt;
  }

  // The first operands that differ, of two calls of one form that the old program does not both
  // make; nothing: this byte is the place.
  std::optional<std::pair<ContentId, ContentId>> Deeper(const ByteOf& x, const ByteOf& y,
                                                        Reader& reader) {
    const auto old_call = CallOf(table_, x.term);
    const auto new_call = CallOf(table_, y.term);
    if (!old_call || !new_call || *old_call == *new_call || x.at != y.at) return std::nullopt;
    const auto& known = old_.made_by;
    const auto made = new_.made_by.find(*new_call);
    const auto old_made = known.find(*old_call);
    if (known.contains(*new_call) || made == new_.made_by.end() || old_made == known.end()) {
      return std::nullopt;
    }
    if (FormOf(table_, *old_call) != FormOf(table_, *new_call)) return std::nullopt;
    const auto olds = OperandsOf(table_, *old_call);
    const auto news = OperandsOf(table_, *new_call);
    const auto differ = std::ranges::mismatch(olds, news);
    if (differ.in1 == olds.end()) return std::nullopt;
    reader = {old_made->second, made->second, -1, -1};
    return std::pair(*differ.in1, *differ.in2);
  }

  // Two calls that are one term but for the calls that came before.
  bool OnlyCallsBeforeDiffer(const ByteOf& x, const ByteOf& y) {
    const auto a = CallOf(table_, x.term);
    const auto b = CallOf(table_, y.term);
    return a && b && *a != *b && x.at == y.at && FormOf(table_, *a) == FormOf(table_, *b) &&
           OperandsOf(table_, *a) == OperandsOf(table_, *b);
  }

  Difference Leaf(const std::string& where, ContentId content, ContentId old_content,
                  const ByteOf& x, const ByteOf& y, const Reader& reader) {
    Difference difference = Plain(where, reader);
    difference.old_side.term = ByteText(x, old_);
    difference.new_side.term = ByteText(y, new_);
    difference.unnamed = IsUnnamed(x.term) && IsUnnamed(y.term) && x != y;
    const auto new_call = CallOf(table_, y.term);
    const bool is_known = !new_call || old_.made_by.contains(*new_call);
    if (!is_known) {  // the instruction itself computes otherwise
      const auto made = new_.made_by.find(*new_call);
      if (made != new_.made_by.end()) difference.new_side.instruction = made->second;
      const auto old_call = CallOf(table_, x.term);
      const auto old_made = old_.made_by.find(old_call.value_or(x.term));
      if (old_made != old_.made_by.end()) {
        difference.old_side.instruction = old_made->second;
      }
    } else if (const int32_t place = PlaceOf(x, y); place >= 0) {
      difference.new_side.instruction = place;
    } else if (const int32_t mover = MoverOf(content); mover >= 0) {
      difference.new_side.instruction = mover;
    }
    if (difference.new_side.instruction < 0) difference.new_side.instruction = OneMore(content);
    if (difference.new_side.instruction < 0 && new_call) {
      const auto made = new_.made_by.find(*new_call);
      if (made != new_.made_by.end()) difference.new_side.instruction = made->second;
    }
    if (difference.new_side.instruction < 0) {
      difference.new_side.instruction = WriterOf(new_, old_content);
    }
    if (difference.old_side.instruction < 0) {
      difference.old_side.instruction = WriterOf(old_, old_content);
    }
    NoteValues(difference);
    return difference;
  }

  // Bytes of a bank at entry that have no name.
  [[nodiscard]] bool IsUnnamed(TermId id) const {
    const Term term = table_.At(id);
    if (term.kind == TermKind::kStale) return true;
    if (term.kind != TermKind::kState) return false;
    return IsUnnamedKey(table_.Text(static_cast<TextId>(term.words[0])));
  }

  // The values that the two instructions write.
  void NoteValues(Difference& difference) const {
    const auto note = [](const Trace& trace, DifferenceSide& side) {
      if (side.value >= 0 || side.instruction < 0) return;
      const auto write =
          std::ranges::find(trace.writes, side.instruction, &TracedWrite::instruction);
      if (write != trace.writes.end()) side.value = write->value;
    };
    note(old_, difference.old_side);
    note(new_, difference.new_side);
  }

  // The instruction that makes the old term in the old program, if it writes the new one in the new
  // program; -1: it does not.
  [[nodiscard]] int32_t PlaceOf(const ByteOf& x, const ByteOf& y) const {
    const auto made = old_.made_by.find(CallOf(table_, x.term).value_or(x.term));
    if (made == old_.made_by.end()) return -1;
    const auto has_new = [&](const TracedWrite& write) {
      if (write.instruction != made->second) return false;
      return std::ranges::any_of(table_[write.content].runs(),
                                 [&](const auto& run) { return run.term == y.term; });
    };
    return std::ranges::any_of(new_.writes, has_new) ? made->second : -1;
  }

  // The instruction that writes what the old program has elsewhere only; -1: none.
  [[nodiscard]] int32_t OneMore(ContentId content) const {
    std::set<int32_t> olds;
    for (const TracedWrite& write : old_.writes) {
      if (write.content == content) olds.insert(write.instruction);
    }
    for (const TracedWrite& write : new_.writes) {
      const bool is_more = write.content == content && !olds.contains(write.instruction);
      if (is_more) return write.instruction;
    }
    return -1;
  }

  // The instruction that puts these bytes together, if the old program has no such value.
  [[nodiscard]] int32_t MoverOf(ContentId content) const {
    return WriterOf(old_, content) >= 0 ? -1 : WriterOf(new_, content);
  }
  [[nodiscard]] static int32_t WriterOf(const Trace& trace, ContentId content) {
    const auto write = std::ranges::find(trace.writes, content, &TracedWrite::content);
    return write == trace.writes.end() ? -1 : write->instruction;
  }

  static std::string StateText(std::string_view key) {
    if (key.starts_with('\t')) return std::string(key.substr(1));
    return fmt::format("buffer '{}'", key.substr(0, key.find('\n')));
  }

  std::string ByteText(const ByteOf& byte, const Trace& trace) {
    const Term term = table_.At(byte.term);
    switch (term.kind) {
      case TermKind::kZero:
        return "zero";
      case TermKind::kConstant:
        return fmt::format("byte {} of a constant of {} bytes", byte.at,
                           table_.ConstantAt(term.words[0]).size());
      case TermKind::kExternal:
        return fmt::format("byte {} of the external tensor '{}'", byte.at,
                           table_.Text(static_cast<TextId>(term.words[0])));
      case TermKind::kInput:
        return fmt::format("byte {} of input {}", byte.at, term.words[0]);
      case TermKind::kState:
        return fmt::format("byte {} of {} at entry", byte.at,
                           StateText(table_.Text(static_cast<TextId>(term.words[0]))));
      case TermKind::kStale:
        if (term.words.size() > 1) return "memory of the caller that no instruction has written";
        return fmt::format("byte {} of bank {} at entry, which no instruction has written", byte.at,
                           term.words[0]);
      case TermKind::kTorn:
        return "a result that lies over an operand of its own instruction";
      case TermKind::kEffect:
      case TermKind::kHead:
      case TermKind::kInside:
        return "a value from before";
      case TermKind::kCall:
      case TermKind::kResult:
        break;
    }
    const TermId call = *CallOf(table_, byte.term);
    const auto made = trace.made_by.find(call);
    if (made == trace.made_by.end()) return std::string(NameOfCall(table_, call));
    return fmt::format("byte {} of the result of instruction {} ({})", byte.at, made->second,
                       NameOfCall(table_, call));
  }

  TermTable& table_;
  const Trace& old_;
  const Trace& new_;
};

}  // namespace

std::optional<Difference> DifferenceOf(TermTable& table, const Trace& old_call,
                                       const Trace& new_call) {
  return WalkBack(table, old_call, new_call).Run();
}

std::vector<StaleBytes> StaleBytesOf(const TermTable& table, const Trace& trace) {
  std::set<StaleBytes> stale;
  std::vector<ContentId> open;
  std::vector<bool> seen;
  std::unordered_set<TermId> terms;
  const auto add = [&](ContentId id) {
    if (seen.size() <= id) seen.resize(size_t{id} + 1);
    if (!seen[id]) open.push_back(id);
    seen[id] = true;
  };
  std::vector<TermId> open_terms;
  const auto add_term = [&](TermId id) {
    if (terms.insert(id).second) open_terms.push_back(id);
  };
  const auto add_argument = [&](const SymbolicArgument& value) {
    if (const auto* tensor = std::get_if<SymbolicTensor>(&value)) add(tensor->content);
    if (const auto* number = std::get_if<SymbolicNumber>(&value)) {
      if (!number->is_known()) add_term(static_cast<TermId>(number->bits));
    }
    if (const auto* list = std::get_if<std::vector<std::optional<SymbolicTensor>>>(&value)) {
      for (const auto& tensor : *list) {
        if (tensor) add(tensor->content);
      }
    }
  };
  for (const TracedOutput& output : trace.outputs) add_argument(output.value);
  for (const auto& [key, content] : trace.state) add(content);
  for (const auto& [n, content] : trace.changed_inputs) add(content);
  add_term(trace.effect);
  while (!open.empty() || !open_terms.empty()) {
    if (!open.empty()) {
      const ContentId id = open.back();
      open.pop_back();
      for (const Run& run : table[id].runs()) {
        const Term term = table.At(run.term);
        if (term.kind != TermKind::kStale || term.words.size() > 1) {
          add_term(run.term);
          continue;
        }
        const uint64_t last = run.first + static_cast<uint64_t>(run.stride) * (run.count - 1);
        stale.insert({static_cast<uint32_t>(term.words[0]), std::min(run.first, last),
                      std::max(run.first, last) + run.size});
      }
      continue;
    }
    const TermId id = open_terms.back();
    open_terms.pop_back();
    const Term term = table.At(id);
    if (term.kind == TermKind::kCall) {
      for (const ContentId operand : OperandsOf(table, id)) add(operand);
      for (const TermId number : NumbersOf(table, id)) add_term(number);
    } else if (term.kind == TermKind::kResult || term.kind == TermKind::kEffect) {
      if (!term.words.empty()) add_term(static_cast<TermId>(term.words[0]));
    } else if (term.kind == TermKind::kTorn) {
      add(static_cast<ContentId>(term.words[0]));
    } else if (term.kind == TermKind::kHead) {
      for (const ContentId content : ContentsOfHead(table, id)) add(content);
      for (const TermId before : TermsOfHead(table, id)) add_term(before);
    }
  }
  return {stale.begin(), stale.end()};
}

}  // namespace pteproof::compare
