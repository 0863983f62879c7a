#include "properties/explain/words.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "reference/graph/names.h"

namespace pteproof::explain {
namespace {

using generators::RandomCase;

using Words = std::vector<std::string>;

const graph::Method& MethodOfCall(const RandomCase& c, size_t call) {
  return c.module.methods[c.calls[call].method];
}

std::string NodeWords(const RandomCase& c, const Part& part) {
  const graph::Method& method = c.module.methods[part.of];
  const graph::Node& node = *NodesOf(method)[part.at];
  const std::string operator_name =
      node.kind == graph::NodeKind::kCall || node.kind == graph::NodeKind::kDelegate
          ? node.op
          : std::string(graph::KindWord(node.kind));
  std::string name;
  if (!node.results.empty()) {
    name = graph::NameOf(graph::ValueNames(method), node.results.front()) + " ";
  }
  return fmt::format("{}({}) in {}", name, operator_name, method.name);
}

std::string ContentsWords(const RandomCase& c, const Part& part) {
  if (part.kind == PartKind::kBuffer) {
    return fmt::format("the initial value of @{}", c.module.buffers[part.at].name);
  }
  const graph::Method& method = MethodOfCall(c, part.of);
  return fmt::format("%{} in call {} ({})", method.inputs[part.at].name, part.of, method.name);
}

bool IsWhole(const PartStanding& each) {
  return each.part.element < 0;
}

// The elements of a part that stand so.
Words ElementsOf(const Explanation& explanation, const Part& whole, Standing standing) {
  Words elements;
  for (const PartStanding& each : explanation.parts) {
    Part of = each.part;
    of.element = -1;
    if (IsWhole(each) || !(of == whole) || each.standing != standing) continue;
    elements.push_back(std::to_string(each.part.element));
  }
  return elements;
}

// "element 3 of ", "elements 0, 3 of "; empty where it takes all of them, or none by itself.
std::string WhichMatter(const Explanation& explanation, const Part& whole) {
  const Words matter = ElementsOf(explanation, whole, Standing::kMatters);
  if (matter.empty() || ElementsOf(explanation, whole, Standing::kAnything).empty()) return "";
  return fmt::format("element{} {} of ", matter.size() == 1 ? "" : "s", fmt::join(matter, ", "));
}

std::string MatterWords(const RandomCase& c, const Explanation& explanation,
                        const PartStanding& each) {
  if (each.part.kind == PartKind::kNode) {
    const std::string words = NodeWords(c, each.part);
    return each.not_with.empty() ? words + ", its numbers"
                                 : fmt::format("{}, but not with {}", words, each.not_with);
  }
  return WhichMatter(explanation, each.part) + ContentsWords(c, each.part);
}

std::string FreeNote(const PartStanding& each) {
  if (each.part.kind != PartKind::kNode) return "any value will do";
  return each.other_operators ? "any operator of its signature will do"
                              : "any other numbers will do";
}

// Each input of a method that may be anything in all of the method's calls.
std::string HeadNote(const RandomCase& c, const Explanation& explanation, size_t method) {
  const graph::Method& of = c.module.methods[method];
  Words free;
  for (size_t i = 0; i < of.inputs.size(); ++i) {
    size_t calls = 0;
    bool all = true;
    for (const PartStanding& each : explanation.parts) {
      if (each.part.kind != PartKind::kInput || each.part.at != i || !IsWhole(each)) continue;
      if (c.calls[each.part.of].method != method) continue;
      ++calls;
      all = all && each.standing == Standing::kAnything;
    }
    if (calls > 0 && all) free.push_back("%" + of.inputs[i].name);
  }
  if (free.empty()) return "";
  return free.size() == of.inputs.size()
             ? "any inputs will do"
             : fmt::format("{}: any value will do", fmt::join(free, ", "));
}

std::string TogetherWords(const Explanation& explanation) {
  switch (explanation.together) {
    case Together::kStays:
      return "all else may be anything, one by one and all at once";
    case Together::kGoes:
      return "all else may be anything, one by one, but not all at once";
    case Together::kNotTried:
      break;
  }
  return "all else may be anything";
}

}  // namespace

graph::Notes NotesOf(const RandomCase& failing, const Explanation& explanation) {
  graph::Notes notes;
  notes.buffers.resize(failing.module.buffers.size());
  for (size_t m = 0; m < failing.module.methods.size(); ++m) {
    auto& of = notes.methods.emplace_back();
    of.head = HeadNote(failing, explanation, m);
    of.nodes.resize(NodesOf(failing.module.methods[m]).size());
  }
  for (const PartStanding& each : explanation.parts) {
    if (!IsWhole(each) || each.standing != Standing::kAnything) continue;
    if (each.part.kind == PartKind::kNode) {
      notes.methods[each.part.of].nodes[each.part.at] = FreeNote(each);
    } else if (each.part.kind == PartKind::kBuffer) {
      notes.buffers[each.part.at] = FreeNote(each);
    }
  }
  return notes;
}

std::string SummaryOf(const RandomCase& failing, const Explanation& explanation) {
  if (explanation.parts.empty()) return "";
  Words matter;
  Words untried;
  bool any_free = false;
  for (const PartStanding& each : explanation.parts) {
    any_free = any_free || each.standing == Standing::kAnything;
    if (!IsWhole(each)) continue;
    if (each.standing == Standing::kMatters) {
      matter.push_back(MatterWords(failing, explanation, each));
    } else if (each.standing == Standing::kUntried) {
      untried.push_back(each.part.kind == PartKind::kNode ? NodeWords(failing, each.part)
                                                          : ContentsWords(failing, each.part));
    }
  }
  std::string text = "Essential: ";
  text += matter.empty() ? "no operator, number or content, only the connections between the nodes"
                         : fmt::format("{}", fmt::join(matter, "; "));
  text += any_free ? "; " + TogetherWords(explanation) + ".\n" : ".\n";
  if (!untried.empty()) {
    text += fmt::format("Not tried, {}: {}.\n",
                        explanation.cut_short ? "for lack of time or of a replacement that fits"
                                              : "as no replacement fits",
                        fmt::join(untried, "; "));
  }
  return text;
}

}  // namespace pteproof::explain
