#include "cli/render/program_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <vector>

#include "cli/io/quote.h"
#include "cli/render/delegate_text.h"
#include "cli/render/instruction_text.h"
#include "cli/render/text_tables.h"
#include "cli/render/value_text.h"
#include "properties/lifetimes.h"

namespace pteproof {
namespace {

std::string ValueNames(const std::vector<int32_t>& values) {
  if (values.empty()) return "none";
  std::string names;
  for (const int32_t value : values) names += fmt::format("{}v{}", names.empty() ? "" : " ", value);
  return names;
}

std::string BankLines(const Method& method) {
  std::string lines;
  for (size_t bank = 1; bank < method.bank_sizes.size(); ++bank) {
    std::string device;
    for (const BankDevice& on : method.bank_devices) {
      if (on.bank == static_cast<int32_t>(bank)) {
        device = fmt::format(", device type {} index {}", on.device_type, on.device_index);
      }
    }
    lines += fmt::format("  bank {}: {} bytes{}\n", bank, method.bank_sizes[bank], device);
  }
  return lines;
}

// "entry..4", "2..7", "9..end", "always", or "-".
std::string LifetimeText(const Lifetime& life, size_t instructions) {
  if (life.always) return "always";
  if (life.empty()) return "-";
  const auto point = [&](int32_t at) -> std::string {
    if (at == Lifetime::kEntry) return "entry";
    return static_cast<size_t>(at) == instructions ? "end" : fmt::format("{}", at);
  };
  return fmt::format("{}..{}", point(life.first), point(life.last));
}

// By value: its roles. One pass over inputs and outputs, since there may be many.
std::vector<std::string> AllRoles(const Method& method) {
  std::vector<std::string> roles(method.values.size());
  for (const auto* list : {&method.inputs, &method.outputs}) {
    const std::string_view word = list == &method.inputs ? "input" : "output";
    for (size_t i = 0; i < list->size(); ++i) {
      std::string& role = roles[static_cast<size_t>((*list)[i])];
      role += fmt::format("{}{} {}", role.empty() ? "" : ", ", word, i);
    }
  }
  return roles;
}

std::string TableOfValues(const Method& method) {
  const std::vector<Lifetime> lifetimes = LifetimesOf(method);
  const size_t instructions = method.instructions.size();
  const std::vector<std::string> roles = AllRoles(method);
  std::vector<std::vector<std::string>> rows;
  rows.push_back({"value", "what", "where", "lives", "role and name"});
  for (size_t v = 0; v < method.values.size(); ++v) {
    const auto index = static_cast<int32_t>(v);
    std::string role = roles[v];
    const std::string more = OriginText(method, index);
    if (!role.empty() && !more.empty()) role += ", ";
    rows.push_back({fmt::format("v{}", v), TypeText(method, index), PlaceText(method, index),
                    lifetimes.empty() ? "?" : LifetimeText(lifetimes[v], instructions),
                    role + more});
  }
  return Aligned(rows, rows.front().size(), "  ");
}

}  // namespace

std::string MethodText(const Method& method) {
  std::string text = fmt::format("method {}\n", Quote(method.name));
  text += BankLines(method);
  text += fmt::format("  inputs: {}\n  outputs: {}\n\n", ValueNames(method.inputs),
                      ValueNames(method.outputs));
  text += TableOfValues(method);
  text += "\n";
  for (size_t i = 0; i < method.instructions.size(); ++i) {
    text += fmt::format("  {:>5}  {}\n", i, InstructionText(method, method.instructions[i]));
  }
  if (method.instructions.empty()) text += "  no instructions\n";
  return text + DelegatesText(method);
}

std::string ProgramSummary(const Program& program) {
  const auto stored = [](const std::vector<Bytes>& blobs) {
    return std::max<size_t>(blobs.size(), 1) - 1;  // index 0 is reserved
  };
  return fmt::format("methods: {}, constants: {}, initial values: {}, named data: {}\n",
                     program.methods.size(), stored(program.constants),
                     stored(program.initial_values), program.named_data.size());
}

}  // namespace pteproof
