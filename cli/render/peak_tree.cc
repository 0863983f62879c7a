#include "cli/render/peak_tree.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <queue>
#include <ranges>
#include <set>
#include <tuple>
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

// The lines that lead to one, from the outermost on.
std::vector<std::string> CallsTo(const std::optional<SourceLine>& line, const SourceLines& lines) {
  std::vector<std::string> path;
  if (!line) return path;
  for (const SourceLine& caller : std::views::reverse(CallersOf(*line, lines))) {
    path.push_back(TextOf(caller));
  }
  path.push_back(TextOf(*line));
  return path;
}

// From the outermost line to the storage itself.
std::vector<std::string> PathOf(const picture::MethodAxis& method, const Storage& storage,
                                const SourceLines& lines) {
  const int32_t value = storage.parts.empty() ? -1 : storage.parts.front().value;
  const int32_t made = storage.writes.empty() ? -1 : storage.writes.front();
  const NamedSource source = SourceOf(method.name, value, made, lines);
  std::vector<std::string> path = CallsTo(source.line, lines);
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

void AddBytes(const std::vector<std::string>& path, uint64_t bytes, PeakNode& root) {
  PeakNode* node = &root;
  node->bytes += bytes;
  for (const std::string& step : path) {
    std::unique_ptr<PeakNode>& child = node->below[step];
    if (child == nullptr) child = std::make_unique<PeakNode>();
    node = child.get();
    node->bytes += bytes;
  }
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

ByteTree TreeOf(const PeakNode& root, size_t most) {
  ByteTree tree = {root.bytes, {}, 0};
  AddLines(root, 0, tree.lines);
  tree.left_out = tree.lines.size() - std::min(tree.lines.size(), most);
  tree.lines.resize(std::min(tree.lines.size(), most));
  return tree;
}

int64_t PointsOf(const Storage& storage) {
  int64_t points = 0;
  for (const PointSpan& span : storage.live) points += span.upper - span.lower;
  return points;
}

// Bytes of a bank that nothing uses at its peak.
struct Gap {
  uint64_t lo = 0;
  uint64_t hi = 0;
};

// What is between some ranges, and behind them up to `size`.
std::vector<Gap> GapsBetween(std::vector<Gap> used, uint64_t size) {
  std::ranges::sort(used, {}, &Gap::lo);
  used.push_back({size, size});
  std::vector<Gap> gaps;
  uint64_t at = 0;
  for (const Gap& each : used) {
    if (at < each.lo) gaps.push_back({at, each.lo});
    at = std::max(at, each.hi);
  }
  return gaps;
}

// Per storage, the bytes of gaps in which it lies longest of all that lie there, and behind them
// those in which none does. A sweep over the bytes; of storages that are there, the longest is on
// top, and leaves when the sweep is past it. O(n log n).
std::vector<uint64_t> BytesByLongest(const std::vector<Gap>& gaps,
                                     const std::vector<Storage>& storages) {
  std::vector<size_t> by_begin;
  for (size_t s = 0; s < storages.size(); ++s) {
    if (storages[s].kind != picture::Kind::kReserved) by_begin.push_back(s);
  }
  std::ranges::stable_sort(by_begin, {}, [&](size_t s) { return storages[s].lo; });
  std::vector<uint64_t> bytes(storages.size() + 1);
  std::priority_queue<std::tuple<int64_t, int64_t, size_t>> there;  // points, first of equals
  size_t next = 0;
  for (const auto& [lo, hi] : gaps) {
    for (uint64_t at = lo; at < hi;) {
      for (; next < by_begin.size() && storages[by_begin[next]].lo <= at; ++next) {
        const size_t s = by_begin[next];
        there.emplace(PointsOf(storages[s]), -static_cast<int64_t>(s), s);
      }
      while (!there.empty() && storages[std::get<2>(there.top())].hi <= at) there.pop();
      const size_t longest = there.empty() ? storages.size() : std::get<2>(there.top());
      uint64_t end = there.empty() ? hi : std::min(hi, storages[longest].hi);
      if (next < by_begin.size()) end = std::min(end, storages[by_begin[next]].lo);
      bytes[longest] += end - at;
      at = end;
    }
  }
  return bytes;
}

// The bytes of a bank that are not in use at a point, by what lies there longest.
PeakNode WasteIn(const picture::MethodAxis& method, const picture::Panel& panel, int64_t point,
                 const SourceLines& lines) {
  std::vector<Gap> used;
  for (const size_t s : StoragesAt(panel, point)) {
    const Storage& storage = panel.storages[s];
    if (storage.kind != picture::Kind::kReserved) used.push_back({storage.lo, storage.hi});
  }
  const std::vector<uint64_t> bytes =
      BytesByLongest(GapsBetween(std::move(used), panel.use.size), panel.storages);
  PeakNode root;
  for (size_t s = 0; s < panel.storages.size(); ++s) {
    if (bytes[s] > 0) AddBytes(PathOf(method, panel.storages[s], lines), bytes[s], root);
  }
  if (bytes.back() > 0) AddBytes({"no value"}, bytes.back(), root);
  return root;
}

// Calls each(path, bytes) for what is in use at a point.
template <class Each>
void ForEachInUse(const picture::MethodAxis& method, const picture::Panel& panel, int64_t point,
                  const SourceLines& lines, const Each& each) {
  for (const size_t s : StoragesAt(panel, point)) {
    const Storage& storage = panel.storages[s];
    if (storage.kind == picture::Kind::kReserved) continue;
    each(PathOf(method, storage, lines), storage.hi - storage.lo);
  }
}

BankPeak PeakIn(const picture::MethodAxis& method, uint32_t bank, const picture::Panel& panel,
                const SourceLines& lines, std::optional<size_t> most) {
  const int64_t point = PeakOf(panel);
  BankPeak peak;
  peak.method = method.name;
  peak.bank = bank;
  peak.instruction = point < 0 ? -1 : point / 2;
  PeakNode in_use;
  ForEachInUse(method, panel, point, lines,
               [&](const std::vector<std::string>& path, uint64_t bytes) {
                 if (path.size() > 1) peak.by_line[path[path.size() - 2]] += bytes;
                 if (most) AddBytes(path, bytes, in_use);
               });
  if (!most) return peak;
  peak.in_use = TreeOf(in_use, *most);
  peak.waste = TreeOf(WasteIn(method, panel, point, lines), *most);
  return peak;
}

template <class Each>
void ForEachArgument(const Method& method, const Instruction& call, const Each& each) {
  for (const int32_t v : method.Ints(call.args)) {
    const Value& value = method.values[static_cast<size_t>(v)];
    if (value.kind == ValueKind::kTensor) each(v);
    if (!IsTensorLike(value.kind) || value.kind == ValueKind::kTensor) continue;
    for (const int32_t item : method.Ints(value.items)) {
      if (item >= 0) each(item);
    }
  }
}

}  // namespace

ByteTree PeakTreeOf(const picture::MethodAxis& method, const picture::Panel& panel,
                    const SourceLines& lines, size_t most) {
  PeakNode root;
  ForEachInUse(
      method, panel, PeakOf(panel), lines,
      [&](const std::vector<std::string>& path, uint64_t bytes) { AddBytes(path, bytes, root); });
  return TreeOf(root, most);
}

std::vector<BankPeak> PeaksOf(const picture::Picture& picture, const SourceLines& lines,
                              std::optional<size_t> most) {
  std::vector<BankPeak> peaks;
  for (const picture::Bank& bank : picture.banks) {
    for (const picture::Panel& panel : bank.panels) {
      if (!panel.is_there) continue;
      peaks.push_back(PeakIn(picture.methods[panel.method], bank.id, panel, lines, most));
    }
  }
  return peaks;
}

std::vector<MethodConstants> ConstantsIn(const Program& program, const SourceLines& lines,
                                         size_t most) {
  std::vector<MethodConstants> all;
  std::set<uint32_t> told;  // data indices
  for (const Method& method : program.methods) {
    PeakNode root;
    for (size_t i = 0; i < method.instructions.size(); ++i) {
      const Instruction& call = method.instructions[i];
      const bool has_args =
          call.kind == InstructionKind::kKernelCall || call.kind == InstructionKind::kDelegateCall;
      if (!has_args) continue;
      ForEachArgument(method, call, [&](int32_t v) {
        const Tensor* tensor = method.TensorOf(v);
        const bool is_fresh = tensor != nullptr && !tensor->planned && tensor->data_index > 0 &&
                              told.insert(tensor->data_index).second;
        if (!is_fresh) return;
        const NamedSource reader = SourceOf(method.name, -1, static_cast<int64_t>(i), lines);
        const NamedSource own = SourceOf(method.name, v, -1, lines);
        std::vector<std::string> path = CallsTo(reader.line, lines);
        path.push_back(fmt::format("v{}{}: read by instruction {}", v,
                                   own.name.empty() ? "" : " " + own.name, i));
        AddBytes(path, tensor->nbytes, root);
      });
    }
    if (root.bytes > 0) all.push_back({method.name, TreeOf(root, most)});
  }
  return all;
}

std::vector<std::string> GrownLines(const std::vector<BankPeak>& olds,
                                    const std::vector<BankPeak>& news, size_t most) {
  std::vector<std::string> told;
  for (const BankPeak& now : news) {
    const auto before = std::ranges::find_if(olds, [&](const BankPeak& each) {
      return each.method == now.method && each.bank == now.bank;
    });
    if (before == olds.end() || before->by_line.empty()) continue;
    std::vector<std::pair<uint64_t, std::string>> grown;
    for (const auto& [line, bytes] : now.by_line) {
      const auto old = before->by_line.find(line);
      const uint64_t had = old == before->by_line.end() ? 0 : old->second;
      if (bytes > had) grown.emplace_back(bytes - had, line);
    }
    std::ranges::stable_sort(grown, std::ranges::greater(),
                             &std::pair<uint64_t, std::string>::first);
    grown.resize(std::min(grown.size(), most));
    for (const auto& [bytes, line] : grown) {
      told.push_back(fmt::format("{} bank {} at its peak: {} bytes more of {}", now.method,
                                 now.bank, bytes, line));
    }
  }
  return told;
}

}  // namespace pteproof
