#include "cli/map/facts.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "cli/map/units.h"

namespace pteproof {
namespace {

using picture::How;
using picture::Kind;
using picture::MethodAxis;
using picture::Part;
using picture::Storage;

std::string_view OperatorAt(const MethodAxis& axis, int64_t instruction) {
  return axis.operators[static_cast<size_t>(axis.operator_of[static_cast<size_t>(instruction)])];
}

// "add" of "aten::add.out", "XnnpackBackend" of "delegate XnnpackBackend".
std::string_view ShortName(std::string_view op) {
  constexpr std::string_view kDelegate = "delegate ";
  if (op.starts_with(kDelegate)) return op.substr(kDelegate.size());
  if (const size_t colons = op.rfind("::"); colons != std::string_view::npos) {
    op.remove_prefix(colons + 2);
  }
  return op.substr(0, op.find('.'));
}

// "entry", "0 aten::add.out" or "end": where a stretch begins or, with its last point, ends.
std::string EndText(const MethodAxis& axis, int64_t point) {
  if (point < 0) return "entry";
  if (point / 2 >= axis.instructions()) return "end";
  return fmt::format("{} {}", point / 2, OperatorAt(axis, point / 2));
}

std::string LivesText(const std::vector<PointSpan>& live, const MethodAxis& axis) {
  constexpr size_t kMostSpans = 6;
  std::string text;
  for (size_t s = 0; s < live.size() && s < kMostSpans; ++s) {
    text += (s == 0 ? "" : ", ") + LifeText(live[s], axis);
  }
  return text + (live.size() > kMostSpans ? ", ..." : "");
}

std::string_view HowText(How how) {
  switch (how) {
    case How::kFirst:
      return "";
    case How::kView:
      return ", a view";
    case How::kInPlace:
      return ", in place";
    case How::kBranch:
      return ", another branch's result";
  }
  return "";
}

std::string RoleText(const Part& part) {
  std::string text;
  if (part.input >= 0) text += fmt::format(", input {}", part.input);
  if (part.output >= 0) text += fmt::format(", output {}", part.output);
  return text;
}

// "written by 0 aten::add.out, 3 aten::copy_", on a line of its own; empty without instructions.
std::string InstructionsText(std::string_view words, const std::vector<int32_t>& instructions,
                             const MethodAxis& axis) {
  constexpr size_t kMostInstructions = 6;
  if (instructions.empty()) return "";
  std::string text(words);
  for (size_t i = 0; i < instructions.size() && i < kMostInstructions; ++i) {
    text += fmt::format("{} {} {}", i == 0 ? "" : ",", instructions[i],
                        OperatorAt(axis, instructions[i]));
  }
  return text + (instructions.size() > kMostInstructions ? ", ...\n" : "\n");
}

}  // namespace

std::string_view KindWord(Kind kind) {
  switch (kind) {
    case Kind::kState:
      return "state";
    case Kind::kInput:
      return "input";
    case Kind::kOutput:
      return "output";
    case Kind::kIntermediate:
      return "intermediate";
    case Kind::kReserved:
      return "reserved";
  }
  return "";
}

std::string TypeText(const Part& part) {
  return fmt::format("{} [{}]{}", Name(part.dtype), fmt::join(part.sizes, ", "),
                     part.bounded ? " at most" : "");
}

std::string LabelOf(const Storage& storage, const MethodAxis& axis) {
  const auto named =
      std::ranges::find_if(storage.parts, [](const Part& part) { return !part.name.empty(); });
  if (named != storage.parts.end()) return named->name;
  const Part& first = storage.parts.front();
  if (storage.kind == Kind::kReserved) return fmt::format("v{} (moved)", first.value);
  return LabelOf(first, axis);
}

std::string LabelOf(const Part& part, const MethodAxis& axis) {
  const int64_t made = part.live.front().lower;
  if (made >= 0 && made / 2 < axis.instructions()) {
    return fmt::format("{} v{}", ShortName(OperatorAt(axis, made / 2)), part.value);
  }
  return fmt::format("{}v{}", part.input >= 0 ? "input " : "", part.value);
}

std::string FactsOf(const Part& part, const MethodAxis& axis) {
  std::string text = fmt::format("v{} {}", part.value, TypeText(part));
  if (!part.name.empty()) text += fmt::format(" '{}'", part.name);
  text += RoleText(part);
  text += HowText(part.how);
  text += fmt::format("\n  bytes [{},{}), instructions {}", part.lo, part.hi,
                      LivesText(part.live, axis));
  text += fmt::format("\n  from {}", EndText(axis, part.live.front().lower));
  text += fmt::format("\n  to {}", EndText(axis, part.live.back().upper - 1));
  return text;
}

std::string FactsOf(const Storage& storage, uint32_t bank, const MethodAxis& axis) {
  constexpr size_t kMostParts = 6;
  std::string text =
      fmt::format("{} ({})\nbank {} [{},{}): {}\n", LabelOf(storage, axis), KindWord(storage.kind),
                  bank, storage.lo, storage.hi, ExactBytesText(storage.hi - storage.lo));
  if (storage.kind == Kind::kReserved) {
    text += "reserved for a moved name, which lies in what was moved to it: nothing is here\n";
  }
  if (storage.parts.size() > 1) {
    text += fmt::format("instructions {}\n", LivesText(storage.live, axis));
  }
  text += InstructionsText("written by", storage.writes, axis);
  text += InstructionsText("read by", storage.reads, axis);
  for (size_t p = 0; p < storage.parts.size() && p < kMostParts; ++p) {
    text += FactsOf(storage.parts[p], axis) + "\n";
  }
  if (storage.parts.size() > kMostParts) {
    text += fmt::format("and {} more values\n", storage.parts.size() - kMostParts);
  }
  text.pop_back();
  return text;
}

}  // namespace pteproof
