#include "cli/render/memory_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string_view>
#include <tuple>
#include <vector>

#include "cli/io/json_text.h"
#include "cli/io/quote.h"
#include "cli/render/file_sections.h"
#include "cli/render/text_tables.h"

namespace pteproof {
namespace {

using memory::BankMemory;
using memory::LoaderMemory;
using memory::MethodMemory;
using memory::ProgramMemory;
using MemoryRows = std::vector<std::vector<std::string>>;
using MemoryJsonObject = nlohmann::ordered_json;

struct MemoryCount {
  std::string_view key;
  std::string_view words;
  uint64_t LoaderMemory::* bytes;
  bool always = false;  // a row in the text also if it is 0 everywhere
};

constexpr std::array<MemoryCount, 13> kMemoryCounts = {{
    {"planned", "banks", &LoaderMemory::planned, true},
    {"program", "tables of the program", &LoaderMemory::program},
    {"constants", "constants", &LoaderMemory::constants},
    {"data", "data files", &LoaderMemory::data},
    {"delegates", "blobs of delegates", &LoaderMemory::delegates},
    {"methods", "method allocator", &LoaderMemory::methods, true},
    {"at_load", "at load", &LoaderMemory::at_load, true},
    {"temporary", "temporary memory of kernels", &LoaderMemory::temporary},
    {"workspace", "workspace of delegates", &LoaderMemory::workspace},
    {"outputs", "outputs, the loader's", &LoaderMemory::outputs},
    {"caller", "the caller's memory", &LoaderMemory::caller, true},
    {"at_peak", "at the peak", &LoaderMemory::at_peak, true},
    {"mapped", "mapped of the files", &LoaderMemory::mapped},
}};

struct MethodCount {
  std::string_view key;
  std::string_view words;
  uint64_t MethodMemory::* bytes;
};

constexpr std::array<MethodCount, 7> kMethodCounts = {{
    {"inputs", "inputs", &MethodMemory::inputs},
    {"outputs", "outputs", &MethodMemory::outputs},
    {"buffers", "buffers", &MethodMemory::buffers},
    {"initial_values", "initial values", &MethodMemory::initial_values},
    {"external", "external", &MethodMemory::external},
    {"delegates", "blobs", &MethodMemory::delegates},
    {"workspace", "workspace", &MethodMemory::workspace},
}};

using BankKey = std::tuple<uint32_t, uint8_t, int8_t>;

BankKey KeyOf(const BankMemory& bank) {
  return {bank.bank, bank.device.type, bank.device.index};
}

// A bank is 'shared' or not by loader, which the cell says.
void AddBankRows(const ProgramMemory& memory, MemoryRows& rows) {
  std::map<BankKey, std::vector<std::string>> banks;
  for (size_t l = 0; l < memory.loaders.size(); ++l) {
    for (const BankMemory& bank : memory.loaders[l].banks) {
      std::vector<std::string>& row = banks[KeyOf(bank)];
      if (row.empty()) {
        row.resize(memory.loaders.size() + 1);
        row.front() = fmt::format("  bank {}", bank.bank);
        if (!bank.device.is_host()) row.front() += " on " + Words(bank.device);
      }
      row[l + 1] = fmt::format("{}{}", bank.shared ? "shared " : "", bank.bytes);
    }
  }
  for (auto& [key, row] : banks) rows.push_back(std::move(row));
}

std::string LoaderTableText(const ProgramMemory& memory) {
  MemoryRows rows = {{"bytes"}, {"files"}};
  for (const LoaderMemory& loader : memory.loaders) {
    rows[0].push_back(Quote(loader.loader.name));
    rows[1].emplace_back(Name(loader.loader.access));
  }
  for (const MemoryCount& count : kMemoryCounts) {
    const bool is_there = std::ranges::any_of(
        memory.loaders, [&](const LoaderMemory& loader) { return loader.*count.bytes > 0; });
    if (!is_there && !count.always) continue;
    rows.push_back({std::string(count.words)});
    for (const LoaderMemory& loader : memory.loaders) {
      rows.back().push_back(fmt::format("{}", loader.*count.bytes));
    }
    if (count.bytes == &LoaderMemory::planned) AddBankRows(memory, rows);
  }
  return Aligned(rows, 1, "  ");
}

std::string MethodTableText(const ProgramMemory& memory) {
  MemoryRows rows = {{"bytes of method"}};
  std::vector<const MethodCount*> counts;
  for (const MethodCount& count : kMethodCounts) {
    const bool is_there = std::ranges::any_of(
        memory.methods, [&](const MethodMemory& method) { return method.*count.bytes > 0; });
    if (!is_there) continue;
    counts.push_back(&count);
    rows.front().emplace_back(count.words);
  }
  rows.front().insert(rows.front().end(), {"method allocator", "of it lookups", "32-bit Arm"});
  for (const MethodMemory& method : memory.methods) {
    rows.push_back({Quote(method.method)});
    for (const MethodCount* count : counts) {
      rows.back().push_back(fmt::format("{}", method.*count->bytes));
    }
    rows.back().push_back(fmt::format("{}", method.allocator.end));
    rows.back().push_back(fmt::format("{}", method.allocator.lookups));
    rows.back().push_back(fmt::format("{}", method.allocator.end_arm32));
  }
  return "\n" + Aligned(rows, 1, "  ");
}

std::string SectionsText(const compare::SectionSizes& sizes) {
  MemoryRows rows = {{"bytes of", ""}};
  for (const FileSection& section : kFileSections) {
    const uint64_t bytes = sizes.*section.bytes;
    if (bytes > 0) rows.push_back({std::string(section.words), fmt::format("{}", bytes)});
  }
  return "\n" + Aligned(rows, 1, "  ");
}

// "x is [1, 2048] at most", and the bytes at the sizes that are asked for.
std::string BoundsText(const std::vector<MethodBounds>& bounds) {
  std::string text;
  for (const MethodBounds& method : bounds) {
    std::vector<std::string> inputs;
    std::vector<std::string> asked;
    for (const BoundedInput& input : method.inputs) {
      inputs.push_back(
          fmt::format("{} is [{}]", Quote(input.Word()), fmt::join(input.bounds, ", ")));
      if (method.asked.empty()) continue;
      asked.push_back(fmt::format("{} = [{}]", Quote(input.Word()),
                                  fmt::join(method.asked[input.position], ", ")));
    }
    text += fmt::format("  {}: {} at most\n", Quote(method.method), fmt::join(inputs, ", "));
    if (!method.there.unknown.empty()) {
      text += fmt::format("    at {} not known: {}\n", fmt::join(asked, ", "),
                          Quote(method.there.unknown, kLongestLine));
    }
    for (const memory::BankAtSizes& bank : method.there.banks) {
      text += fmt::format("    bank {}: {} bytes in use at once, {} at {}\n", bank.bank,
                          bank.at_bounds, bank.bytes, fmt::join(asked, ", "));
    }
  }
  return text.empty() ? "" : "\n" + text;
}

std::string TreeText(const ByteTree& tree) {
  std::string text;
  for (const PeakLine& line : tree.lines) {
    text += fmt::format("  {:{}}{:>10}  {}\n", "", 2 * line.depth, line.bytes,
                        Quote(line.text, kLongestLine));
  }
  if (tree.left_out > 0) text += fmt::format("    and {} more\n", tree.left_out);
  return text;
}

std::string PeaksText(const MemoryReport& report) {
  std::string text;
  for (const BankPeak& peak : report.peaks) {
    text += fmt::format("\n  {}, bank {}: {} bytes in use {}\n", Quote(peak.method), peak.bank,
                        peak.in_use.bytes,
                        peak.instruction < 0 ? "when a call begins"
                                             : fmt::format("at instruction {}", peak.instruction));
    text += TreeText(peak.in_use);
    if (peak.waste.bytes == 0) continue;
    text += fmt::format("  {} bytes of the bank not in use then, by what lies there longest\n",
                        peak.waste.bytes);
    text += TreeText(peak.waste);
  }
  for (const MethodConstants& constants : report.constants) {
    text += fmt::format("\n  {}: {} bytes of constants, by their first reader\n",
                        Quote(constants.method), constants.tree.bytes);
    text += TreeText(constants.tree);
  }
  return text;
}

MemoryJsonObject BoundsJson(const std::vector<MethodBounds>& bounds) {
  auto json = MemoryJsonObject::array();
  for (const MethodBounds& method : bounds) {
    MemoryJsonObject one = {{"method", method.method}, {"inputs", MemoryJsonObject::array()}};
    for (const BoundedInput& input : method.inputs) {
      MemoryJsonObject of_input = {{"input", input.Word()}, {"at_most", input.bounds}};
      of_input["at"] = method.asked.empty() ? MemoryJsonObject(nullptr)
                                            : MemoryJsonObject(method.asked[input.position]);
      one["inputs"].push_back(std::move(of_input));
    }
    one["banks"] = MemoryJsonObject::array();
    for (const memory::BankAtSizes& bank : method.there.banks) {
      one["banks"].push_back(
          {{"bank", bank.bank}, {"at_most", bank.at_bounds}, {"at", bank.bytes}});
    }
    one["unknown"] = method.there.unknown.empty() ? MemoryJsonObject(nullptr)
                                                  : MemoryJsonObject(method.there.unknown);
    json.push_back(std::move(one));
  }
  return json;
}

MemoryJsonObject TreeJson(const ByteTree& tree, MemoryJsonObject json) {
  json["bytes"] = tree.bytes;
  json["lines"] = MemoryJsonObject::array();
  for (const PeakLine& line : tree.lines) {
    json["lines"].push_back({{"depth", line.depth}, {"bytes", line.bytes}, {"text", line.text}});
  }
  json["left_out"] = tree.left_out;
  return json;
}

MemoryJsonObject PeaksJson(const std::vector<BankPeak>& peaks) {
  auto json = MemoryJsonObject::array();
  for (const BankPeak& peak : peaks) {
    MemoryJsonObject one =
        TreeJson(peak.in_use,
                 {{"method", peak.method}, {"bank", peak.bank}, {"instruction", peak.instruction}});
    one["waste"] = TreeJson(peak.waste, MemoryJsonObject::object());
    json.push_back(std::move(one));
  }
  return json;
}

MemoryJsonObject ConstantsJson(const std::vector<MethodConstants>& all) {
  auto json = MemoryJsonObject::array();
  for (const MethodConstants& constants : all) {
    json.push_back(TreeJson(constants.tree, {{"method", constants.method}}));
  }
  return json;
}

// What no count holds, by name.
std::vector<std::string> NotCounted(const ProgramMemory& memory) {
  std::vector<std::string> names;
  std::set<std::string> known;
  const auto add = [&](const std::string& name) {
    if (known.insert(name).second) names.push_back(name);
  };
  for (const MethodMemory& method : memory.methods) {
    for (const std::string& op : method.temporary.unknown) {
      add(fmt::format("temporary memory of {}", op));
    }
    for (const std::string& backend : method.uncounted) {
      add(fmt::format("workspace of {}", backend));
    }
  }
  if (memory.sections.named_data > 0) add("named data that a backend asks for");
  return names;
}

std::string FirstLine(const MemoryReport& report) {
  const std::string file = QuotePath(report.file, kLongestLine);
  const auto& loaders = report.memory.loaders;
  const auto [least, most] = std::ranges::minmax_element(loaders, {}, &LoaderMemory::at_peak);
  if (least->at_peak == most->at_peak) {
    return fmt::format("{}: {} bytes at the peak\n", file, most->at_peak);
  }
  return fmt::format("{}: {} to {} bytes at the peak, by loader\n", file, least->at_peak,
                     most->at_peak);
}

MemoryJsonObject BankObject(const BankMemory& bank) {
  return {{"bank", bank.bank},
          {"device", bank.device.is_host() ? MemoryJsonObject(nullptr)
                                           : MemoryJsonObject(Words(bank.device))},
          {"shared", bank.shared},
          {"bytes", bank.bytes}};
}

MemoryJsonObject LoaderObject(const LoaderMemory& loader) {
  MemoryJsonObject json = {
      {"loader", loader.loader.name},
      {"policy", loader.loader.table == nullptr ? MemoryJsonObject(Name(loader.loader.policy))
                                                : MemoryJsonObject(nullptr)},
      {"files", Name(loader.loader.access)},
      {"refused",
       loader.refused.empty() ? MemoryJsonObject(nullptr) : MemoryJsonObject(loader.refused)},
      {"banks", MemoryJsonObject::array()}};
  for (const BankMemory& bank : loader.banks) json["banks"].push_back(BankObject(bank));
  for (const MemoryCount& count : kMemoryCounts) {
    json[std::string(count.key)] = loader.*count.bytes;
  }
  return json;
}

MemoryJsonObject MethodObject(const MethodMemory& method) {
  MemoryJsonObject json = {{"method", method.method}};
  for (const MethodCount& count : kMethodCounts) json[std::string(count.key)] = method.*count.bytes;
  const memory::AllocatorUse& use = method.allocator;
  json["temporary"] = method.temporary.bytes;
  json["allocator"] = {{"requests", use.requests},
                       {"requested", use.requested},
                       {"lookups", use.lookups},
                       {"x86_64", use.end},
                       {"arm32_computed", use.end_arm32}};
  return json;
}

}  // namespace

std::vector<std::pair<std::string_view, std::string_view>> MemoryCountWords() {
  std::vector<std::pair<std::string_view, std::string_view>> words;
  for (const auto& count : kMemoryCounts) words.emplace_back(count.key, count.words);
  return words;
}

std::string DeviceMemoryText(const MemoryReport& report) {
  const ProgramMemory& memory = report.memory;
  std::string text = FirstLine(report) + LoaderTableText(memory);
  for (const LoaderMemory& loader : memory.loaders) {
    if (loader.refused.empty()) continue;
    std::string why = loader.refused;
    std::ranges::replace(why, '\n', ' ');
    text += fmt::format("  {} refuses the program: {}\n", Quote(loader.loader.name),
                        Quote(why, kLongestLine));
  }
  text += MethodTableText(memory) + BoundsText(report.bounds) + PeaksText(report);
  text += SectionsText(memory.sections);
  const std::vector<std::string> not_counted = NotCounted(memory);
  const std::string names =
      not_counted.empty() ? "nothing" : fmt::format("{}", fmt::join(not_counted, ", "));
  text += fmt::format("\n  not counted: {}\n", Quote(names, kLongestLine));
  text +=
      "  method allocator: of ExecuTorch 1.5.1 on x86-64; 32-bit Arm is computed, never measured\n";
  return text;
}

std::string DeviceMemoryJson(const MemoryReport& report) {
  MemoryJsonObject json = {{"file", report.file}, {"loaders", MemoryJsonObject::array()}};
  for (const LoaderMemory& loader : report.memory.loaders) {
    json["loaders"].push_back(LoaderObject(loader));
  }
  json["methods"] = MemoryJsonObject::array();
  for (const MethodMemory& method : report.memory.methods) {
    json["methods"].push_back(MethodObject(method));
  }
  json["bounds"] = BoundsJson(report.bounds);
  json["peaks"] = PeaksJson(report.peaks);
  json["constants"] = ConstantsJson(report.constants);
  json["sections"] = SectionsJson(report.memory.sections);
  json["not_counted"] = NotCounted(report.memory);
  return JsonText(json) + "\n";
}

}  // namespace pteproof
