#include "cli/render/program_json.h"

#include <cstdint>
#include <nlohmann/json.hpp>

#include "cli/io/json_text.h"
#include "cli/render/instruction_text.h"
#include "cli/render/value_text.h"
#include "properties/lifetimes.h"

namespace pteproof {
namespace {

using OrderedJson = nlohmann::ordered_json;

OrderedJson PlaceJson(const Method& method, size_t value) {
  if (method.values[value].kind != ValueKind::kTensor) return nullptr;
  const Tensor& tensor = method.tensors[method.values[value].tensor];
  if (!tensor.planned) return nullptr;
  return {{"bank", tensor.bank}, {"offset", tensor.offset}, {"bytes", tensor.nbytes}};
}

// [first, last] instruction, -1 being the entry; null: never, or not known.
OrderedJson LifeJson(const std::vector<Lifetime>& lifetimes, size_t value) {
  if (lifetimes.empty() || (lifetimes[value].empty() && !lifetimes[value].always)) return nullptr;
  if (lifetimes[value].always) return "always";
  return OrderedJson::array({lifetimes[value].first, lifetimes[value].last});
}

OrderedJson MethodJson(const Method& method) {
  const std::vector<Lifetime> lifetimes = LifetimesOf(method);
  OrderedJson banks = OrderedJson::array();
  for (size_t bank = 1; bank < method.bank_sizes.size(); ++bank) {
    banks.push_back({{"bank", bank}, {"size", method.bank_sizes[bank]}});
  }
  OrderedJson values = OrderedJson::array();
  for (size_t v = 0; v < method.values.size(); ++v) {
    const auto index = static_cast<int32_t>(v);
    values.push_back({{"type", TypeText(method, index)},
                      {"place", PlaceJson(method, v)},
                      {"lives", LifeJson(lifetimes, v)},
                      {"origin", OriginText(method, index)}});
  }
  OrderedJson instructions = OrderedJson::array();
  for (const Instruction& each : method.instructions) {
    instructions.push_back(InstructionText(method, each));
  }
  return {{"method", method.name},     {"banks", banks},   {"inputs", method.inputs},
          {"outputs", method.outputs}, {"values", values}, {"instructions", instructions}};
}

}  // namespace

std::string ProgramJson(const std::string& file, const std::vector<const Method*>& methods) {
  OrderedJson list = OrderedJson::array();
  for (const Method* method : methods) list.push_back(MethodJson(*method));
  return JsonText({{"file", file}, {"methods", list}}) + "\n";
}

}  // namespace pteproof
