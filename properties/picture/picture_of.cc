#include "properties/picture/picture_of.h"

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "properties/checks/flow/method_check.h"
#include "properties/checks/rules/state_table.h"
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
      banks.push_back({id, methods_ > 1 && checks::IsShared(policy, id), std::move(panels)});
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

}  // namespace

Picture PictureOf(const Program& program, const Report& report, const PictureOptions& options) {
  Picture picture;
  picture.policy = options.policy;
  PanelMaker panels(program.methods.size());
  const std::vector<Finding> all = UngroupFindings(report.findings);
  std::map<std::string_view, size_t> index_of;
  for (size_t m = 0; m < program.methods.size(); ++m) {
    const Method& method = program.methods[m];
    index_of.emplace(method.name, m);
    picture.methods.push_back(AxisOf(method));
    MethodStorages storages = StoragesOfMethod(checks::AnalyseMethod(method, options.manifest),
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
  return picture;
}

Picture OnlyMethod(Picture picture, std::string_view method) {
  const auto found = std::ranges::find(picture.methods, method, &MethodAxis::name);
  if (found == picture.methods.end()) return picture;
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

}  // namespace pteproof::picture
