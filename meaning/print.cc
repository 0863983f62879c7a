#include "meaning/print.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "reference/op_schema.h"

namespace pteproof::meaning {
namespace {

constexpr int kVersion = 1;

std::string Values(std::span<const int32_t> values) {
  return fmt::format("v{}", fmt::join(values, ", v"));
}

class MethodPrinter {
 public:
  explicit MethodPrinter(const MethodMeaning& method) : meant_(method), method_(*method.method) {}

  std::string Run() && {
    text_ = fmt::format("\nmethod {}\n", method_.name);
    text_ += meant_.order.holds      ? "  numbers of values tell when they were made\n"
             : meant_.order.unbroken ? "  numbers of values are in order, and too few to tell\n"
                                     : "  numbers of values tell nothing\n";
    NoteNames();
    for (int32_t v = 0; v < static_cast<int32_t>(method_.values.size()); ++v) {
      if (method_.TensorOf(v) != nullptr) Value(v);
    }
    for (size_t i = 0; i < method_.instructions.size(); ++i) Instruct(i);
    for (const Doubt& doubt : DoubtsOf(meant_)) Open(doubt);
    return std::move(text_);
  }

 private:
  // What Value tells of a value as a name. O(transfers).
  void NoteNames() {
    const auto note = [&](std::span<const int32_t> values, std::string_view words) {
      for (const int32_t v : values) names_[static_cast<size_t>(v)] += words;
    };
    for (const Transfer& t : meant_.aliases.transfers) {
      if (t.phase == Phase::kBefore) names_[static_cast<size_t>(t.to)] += NameWords(t);
    }
    note(meant_.aliases.uncertain, ", open when it was made");
    note(meant_.aliases.unsure_slices, ", open whether it is that slice");
    note(meant_.aliases.stray, ", a name of bytes that nothing writes");
  }

  void Value(int32_t v) {
    const auto at = static_cast<size_t>(v);
    text_ += fmt::format("  v{}: {}{}", v, RoleOf(v), names_[at]);
    if (meant_.roles.usage[at].is_output) text_ += ", an output";
    text_ += '\n';
  }

  [[nodiscard]] std::string RoleOf(int32_t v) const {
    const auto at = static_cast<size_t>(v);
    const int32_t state = meant_.roles.state_of[at];
    switch (meant_.roles.of[at]) {
      case Role::kInput:
        return "input";
      case Role::kConstant:
        return "constant";
      case Role::kState:
        return BufferWords(state);
      case Role::kCaller:
        return "memory of the caller";
      case Role::kLocal:
      case Role::kNoTensor:
        break;
    }
    if (state >= 0) {
      return fmt::format("buffer of v{}", meant_.roles.states[static_cast<size_t>(state)].value);
    }
    return meant_.roles.usage[at].exposed() ? "name" : "made";
  }

  [[nodiscard]] std::string BufferWords(int32_t state) const {
    const StateSlot& slot = meant_.roles.states[static_cast<size_t>(state)];
    const StateUse& use = meant_.state_uses[static_cast<size_t>(state)];
    std::string words = slot.key.empty() ? "buffer" : fmt::format("buffer '{}'", slot.key);
    if (!slot.possible.empty()) {
      words += fmt::format(", one of '{}'", fmt::join(slot.possible, "', '"));
    }
    if (slot.initial > 0 || slot.external) words += ", loaded";
    if (use.reader >= 0) words += ", read";
    if (use.written) words += ", stored";
    return words;
  }

  // One of the same bytes is a view, several are a concatenation, one around them a slice.
  [[nodiscard]] std::string NameWords(const Transfer& t) const {
    const auto sources = meant_.aliases.SourcesOf(t);
    const auto place = [&](int32_t v) { return meant_.roles.place[static_cast<size_t>(v)]; };
    const std::string_view kind = sources.size() > 1                      ? "concatenation"
                                  : place(sources.front()) == place(t.to) ? "view"
                                                                          : "slice";
    return fmt::format(", {} of {} as before {}", kind, Values(sources), t.instruction);
  }

  void Instruct(size_t i) {
    text_ += fmt::format("  {}: {}", i, NameOf(method_.instructions[i]));
    Accesses(i);
    for (const Rename& r : meant_.effects.RenamesOf(i)) {
      text_ += r.placed ? fmt::format(", leaves v{} in v{}", r.to, r.from)
                        : fmt::format(", names v{} v{}", r.from, r.to);
    }
    text_ += '\n';
  }

  void Accesses(size_t i) {
    std::vector<std::string> reads;
    for (const Read& r : meant_.effects.ReadsOf(i)) {
      reads.push_back(fmt::format("v{}{}", r.value, r.elementwise ? "*" : ""));
    }
    if (!reads.empty()) text_ += fmt::format(", reads {}", fmt::join(reads, " "));
    for (const Write& w : meant_.effects.WritesOf(i)) {
      const std::string_view word = w.access == Access::kUpdate ? "updates"
                                    : w.access == Access::kFill ? "fills a part of"
                                    : w.is_out                  ? "makes"
                                                                : "stores to";
      text_ += fmt::format(", {} v{}", word, w.value);
    }
  }

  [[nodiscard]] std::string NameOf(const Instruction& instruction) const {
    switch (instruction.kind) {
      case InstructionKind::kKernelCall:
        return method_.operators[static_cast<size_t>(instruction.target)].name;
      case InstructionKind::kDelegateCall:
        return fmt::format("delegate {}", instruction.target);
      case InstructionKind::kMove:
        return "move";
      case InstructionKind::kJumpFalse:
        return fmt::format("jump to {}", instruction.other);
      case InstructionKind::kFree:
        return "free";
    }
    return "";
  }

  void Open(const Doubt& doubt) {
    switch (doubt.kind) {
      case DoubtKind::kOperandUpdated:
        text_ +=
            fmt::format("  open: {} may update its argument {}\n", doubt.subject, doubt.argument);
        return;
      case DoubtKind::kResultFilled:
        text_ += fmt::format("  open: {} may keep a part of its argument {}\n", doubt.subject,
                             doubt.argument);
        return;
      case DoubtKind::kDelegateOperand:
        text_ += fmt::format("  open: delegate call {} may read its argument {}\n", doubt.call,
                             doubt.argument);
        return;
    }
  }

  const MethodMeaning& meant_;
  const Method& method_;
  std::vector<std::string> names_{method_.values.size()};  // per value: the words of NoteNames
  std::string text_;
};

}  // namespace

std::string Print(const ProgramMeaning& meant, std::string_view method) {
  std::string text = fmt::format("meaning {}\n", kVersion);
  for (const MethodMeaning& each : meant.methods) {
    if (method.empty() || each.method->name == method) text += MethodPrinter(each).Run();
  }
  for (const StateKey& key : meant.states.keys) {
    if (key.instances.size() < 2 || !method.empty()) continue;
    std::vector<std::string> where;
    for (const StateInstance& i : key.instances) {
      const Method& of = *meant.methods[static_cast<size_t>(i.method)].method;
      where.push_back(fmt::format("v{} of {}", i.value, of.name));
    }
    text += fmt::format("\none buffer: {}\n", fmt::join(where, ", "));
  }
  return text;
}

}  // namespace pteproof::meaning
