#include "properties/picture/picture_of.h"

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "meaning/exporter_order.h"
#include "properties/group_findings.h"
#include "properties/picture/marks.h"
#include "properties/picture/method_storages.h"

namespace pteproof::picture {
namespace {

std::string OperatorWord(const Method& method, const Instruction& instruction) {
  switch (instruction.kind) {
    case InstructionKind::kKernelCall:
      return method.operators[static_cast<size_t>(instruction.target)].name;
    case InstructionKind::kDelegateCall:
      return "delegate " + method.delegates[static_cast<size_t>(instruction.target)].id;
    case InstructionKind::kMove:
      return "move";
    case InstructionKind::kJumpFalse:
      return "jump";
    case InstructionKind::kFree:
      return "free";
  }
  return "";
}

MethodAxis AxisOf(const Method& method) {
  MethodAxis axis;
  axis.name = method.name;
  std::map<std::pair<InstructionKind, int32_t>, int32_t> known;
  for (const Instruction& instruction : method.instructions) {
    const bool is_call = instruction.kind == InstructionKind::kKernelCall ||
                         instruction.kind == InstructionKind::kDelegateCall;
    const auto [at, is_new] =
        known.try_emplace({instruction.kind, is_call ? instruction.target : 0},
                          static_cast<int32_t>(axis.operators.size()));
    if (is_new) axis.operators.push_back(OperatorWord(method, instruction));
    axis.operator_of.push_back(at->second);
  }
  return axis;
}

// Collects the panels of all methods, by bank.
class PanelMaker {
 public:
  explicit PanelMaker(size_t methods) : methods_(methods) {}

  void Add(const BankUse& use, size_t method) {
    Panel& panel = PanelOf(use.bank, method);
    panel.is_there = true;
    panel.use = use;
  }

  void Add(std::vector<std::vector<Storage>> by_bank, size_t method) {
    for (size_t bank = 0; bank < by_bank.size(); ++bank) {
      if (by_bank[bank].empty()) continue;
      Panel& panel = PanelOf(static_cast<uint32_t>(bank), method);
      panel.is_there = true;
      panel.storages = std::move(by_bank[bank]);
    }
  }

  std::vector<Bank> Take(Policy policy) && {
    std::vector<Bank> banks;
    for (auto& [id, panels] : banks_) {
      banks.push_back({id, methods_ > 1 && meaning::IsShared(policy, id), std::move(panels)});
    }
    return banks;
  }

 private:
  Panel& PanelOf(uint32_t bank, size_t method) {
    const auto [panels, is_new] = banks_.try_emplace(bank);
    if (is_new) {
      panels->second.resize(methods_);
      for (size_t m = 0; m < methods_; ++m) panels->second[m].method = m;
    }
    return panels->second[method];
  }

  size_t methods_;
  std::map<uint32_t, std::vector<Panel>> banks_;
};

bool HasMemory(const Picture& picture, size_t method) {
  return std::ranges::any_of(picture.banks,
                             [&](const Bank& bank) { return bank.panels[method].is_there; });
}

// Methods that were made from plain values, say, have nothing to draw.
void SetAsideMethodsWithoutMemory(Picture& picture) {
  std::vector<MethodAxis> methods;
  std::vector<size_t> kept;
  for (size_t m = 0; m < picture.methods.size(); ++m) {
    MethodAxis& axis = picture.methods[m];
    if (axis.complete && !HasMemory(picture, m)) {
      picture.without_memory.push_back(std::move(axis.name));
      continue;
    }
    kept.push_back(m);
    methods.push_back(std::move(axis));
  }
  picture.methods = std::move(methods);
  for (Bank& bank : picture.banks) {
    std::vector<Panel> panels;
    for (const size_t m : kept) {
      panels.push_back(std::move(bank.panels[m]));
      panels.back().method = panels.size() - 1;
    }
    bank.panels = std::move(panels);
    bank.shared = bank.shared && kept.size() > 1;
  }
}

bool IsShownIn(const PointSpan& window, const PointSpan& span) {
  return span.lower < window.upper && window.lower < span.upper;
}

// The storages that are in use within the window, and the marks that show there.
void Narrow(const PointSpan& window, Panel& panel) {
  constexpr size_t kGone = static_cast<size_t>(-1);
  std::vector<size_t> now(panel.storages.size(), kGone);
  std::vector<Storage> storages;
  for (size_t s = 0; s < panel.storages.size(); ++s) {
    const auto is_shown = [&](const PointSpan& span) { return IsShownIn(window, span); };
    if (std::ranges::none_of(panel.storages[s].live, is_shown)) continue;
    now[s] = storages.size();
    storages.push_back(std::move(panel.storages[s]));
  }
  panel.storages = std::move(storages);
  std::erase_if(panel.marks, [&](Mark& mark) {
    for (size_t& s : mark.storages) s = now[s];
    std::erase(mark.storages, kGone);
    return !IsShownIn(window, mark.at);
  });
}

}  // namespace

Picture PictureOf(const Program& program, const Report& report, const PictureOptions& options) {
  Picture picture;
  picture.policy = options.policy;
  PanelMaker panels(program.methods.size());
  const std::vector<Finding> all = UngroupFindings(report.findings);
  const double numberings = meaning::NumberingsOf(program);
  std::map<std::string_view, size_t> index_of;
  for (size_t m = 0; m < program.methods.size(); ++m) {
    const Method& method = program.methods[m];
    index_of.emplace(method.name, m);
    picture.methods.push_back(AxisOf(method));
    MethodStorages storages =
        StoragesOfMethod(meaning::MeaningOf(method, options.manifest, nullptr, numberings),
                         QuarrelsIn(method.name, all));
    picture.methods.back().complete = storages.complete;
    panels.Add(std::move(storages.by_bank), m);
  }
  for (const BankUse& use : report.banks) {
    const auto method = index_of.find(use.method);
    if (method != index_of.end()) panels.Add(use, method->second);
  }
  picture.banks = std::move(panels).Take(picture.policy);
  MarkFindings(report, picture);
  SetAsideMethodsWithoutMemory(picture);
  return picture;
}

Picture OnlyMethod(Picture picture, std::string_view method) {
  const auto found = std::ranges::find(picture.methods, method, &MethodAxis::name);
  if (std::ranges::find(picture.without_memory, method) != picture.without_memory.end()) {
    return {picture.policy, {}, {}, {std::string(method)}};
  }
  if (found == picture.methods.end()) return picture;
  picture.without_memory.clear();
  const auto m = static_cast<size_t>(found - picture.methods.begin());
  picture.methods = {std::move(*found)};
  for (Bank& bank : picture.banks) {
    Panel panel = std::move(bank.panels[m]);
    panel.method = 0;
    bank.panels.clear();
    bank.panels.push_back(std::move(panel));
    bank.shared = false;
  }
  std::erase_if(picture.banks, [](const Bank& bank) { return !bank.panels[0].is_there; });
  return picture;
}

Picture OnlyBank(Picture picture, uint32_t id) {
  std::erase_if(picture.banks, [&](const Bank& bank) { return bank.id != id; });
  SetAsideMethodsWithoutMemory(picture);
  return picture;
}

Picture Around(Picture picture, size_t method, int32_t instruction) {
  constexpr int64_t kAround = 32;  // instructions on each side: names fit
  MethodAxis& axis = picture.methods[method];
  const int64_t first = std::max<int64_t>(instruction - kAround, 0);
  const int64_t last = std::min<int64_t>(instruction + kAround, axis.instructions() - 1);
  axis.window = PointSpan{first == 0 ? PointSpan::kEntry : 2 * first,
                          last == axis.instructions() - 1 ? axis.end() : 2 * last + 2};
  for (Bank& bank : picture.banks) Narrow(*axis.window, bank.panels[method]);
  return picture;
}

}  // namespace pteproof::picture
