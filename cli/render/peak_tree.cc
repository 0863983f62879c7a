#include "cli/render/peak_tree.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <ranges>
#include <utility>

#include "properties/picture/peak.h"

namespace pteproof {
namespace {

using picture::Storage;

struct PeakNode {
  uint64_t bytes = 0;
  std::map<std::string, std::unique_ptr<PeakNode>> below;
};

std::string KindWords(picture::Kind kind) {
  switch (kind) {
    case picture::Kind::kState:
      return "state";
    case picture::Kind::kInput:
      return "an input";
    case picture::Kind::kOutput:
    case picture::Kind::kIntermediate:
    case picture::Kind::kReserved:
      return "";
  }
  return "";
}

// From the outermost line to the storage itself.
std::vector<std::string> PathOf(const picture::MethodAxis& method, const Storage& storage,
                                const SourceLines& lines) {
  const int32_t value = storage.parts.empty() ? -1 : storage.parts.front().value;
  const int32_t made = storage.writes.empty() ? -1 : storage.writes.front();
  const NamedSource source = SourceOf(method.name, value, made, lines);
  std::vector<std::string> path;
  if (source.line) {
    for (const SourceLine& caller : std::views::reverse(CallersOf(*source.line, lines))) {
      path.push_back(TextOf(caller));
    }
    path.push_back(TextOf(*source.line));
  }
  std::string what = KindWords(storage.kind);
  if (what.empty() && made >= 0) {
    const auto op = static_cast<size_t>(method.operator_of[static_cast<size_t>(made)]);
    what = fmt::format("instruction {}, {}", made, method.operators[op]);
  }
  std::string name = source.name;
  if (name.empty() && !storage.parts.empty()) name = storage.parts.front().name;
  path.push_back(fmt::format("v{}{}{}{}", value, name.empty() ? "" : " " + name,
                             what.empty() ? "" : ": ", what));
  return path;
}

// A line that has all its bytes of one line below is left out.
void AddLines(const PeakNode& node, size_t depth, std::vector<PeakLine>& lines) {
  std::vector<std::pair<const std::string*, const PeakNode*>> below;
  for (const auto& [text, child] : node.below) below.emplace_back(&text, child.get());
  std::ranges::stable_sort(below, std::ranges::greater(),
                           [](const auto& each) { return each.second->bytes; });
  for (auto [text, child] : below) {
    while (child->below.size() == 1) {
      text = &child->below.begin()->first;
      child = child->below.begin()->second.get();
    }
    lines.push_back({depth, child->bytes, *text});
    AddLines(*child, depth + 1, lines);
  }
}

BankPeak PeakIn(const picture::Picture& picture, const picture::Bank& bank,
                const picture::Panel& panel, const SourceLines& lines, size_t most) {
  const picture::MethodAxis& method = picture.methods[panel.method];
  const int64_t point = PeakOf(panel);
  BankPeak peak = {.method = method.name, .bank = bank.id, .lines = {}};
  peak.instruction = point < 0 ? -1 : point / 2;
  PeakNode root;
  for (const size_t s : StoragesAt(panel, point)) {
    const Storage& storage = panel.storages[s];
    if (storage.kind == picture::Kind::kReserved) continue;
    const uint64_t bytes = storage.hi - storage.lo;
    peak.bytes += bytes;
    PeakNode* node = &root;
    for (const std::string& step : PathOf(method, storage, lines)) {
      std::unique_ptr<PeakNode>& child = node->below[step];
      if (child == nullptr) child = std::make_unique<PeakNode>();
      node = child.get();
      node->bytes += bytes;
    }
  }
  AddLines(root, 0, peak.lines);
  peak.left_out = peak.lines.size() - std::min(peak.lines.size(), most);
  peak.lines.resize(std::min(peak.lines.size(), most));
  return peak;
}

}  // namespace

std::vector<BankPeak> PeaksOf(const picture::Picture& picture, const SourceLines& lines,
                              size_t most) {
  std::vector<BankPeak> peaks;
  for (const picture::Bank& bank : picture.banks) {
    for (const picture::Panel& panel : bank.panels) {
      if (panel.is_there) peaks.push_back(PeakIn(picture, bank, panel, lines, most));
    }
  }
  return peaks;
}

}  // namespace pteproof
