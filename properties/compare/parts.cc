#include "properties/compare/parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstring>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "properties/compare/run/planned_call.h"
#include "properties/compare/run/state_keys.h"

namespace pteproof::compare {
namespace {

using Lines = std::vector<std::string>;

std::string TypeText(const Method& method, int32_t v) {
  const Value& value = method.values[static_cast<size_t>(v)];
  switch (value.kind) {
    case ValueKind::kTensor:
      break;
    case ValueKind::kInt:
      return "int";
    case ValueKind::kBool:
      return "bool";
    case ValueKind::kDouble:
      return "float";
    case ValueKind::kString:
      return "text";
    case ValueKind::kNull:
      return "none";
    default:
      return fmt::format("list of kind {}", static_cast<int>(value.kind));
  }
  const Tensor& tensor = *method.TensorOf(v);
  const auto order = method.Ints(tensor.dim_order);
  return fmt::format("{}[{}]{}{}", Name(tensor.dtype), fmt::join(method.Ints(tensor.sizes), ", "),
                     tensor.dynamism == Dynamism::kBounded ? ", sizes vary" : "",
                     std::ranges::is_sorted(order)
                         ? std::string()
                         : fmt::format(", dim order [{}]", fmt::join(order, ", ")));
}

void CompareTypes(const Method& a, const Method& b, const std::vector<int32_t>& olds,
                  const std::vector<int32_t>& news, std::string_view what, Lines& lines) {
  if (olds.size() != news.size()) {
    lines.push_back(fmt::format("method '{}' has {} {}s instead of {}", a.name, news.size(), what,
                                olds.size()));
    return;
  }
  for (size_t n = 0; n < olds.size(); ++n) {
    const std::string x = TypeText(a, olds[n]);
    const std::string y = TypeText(b, news[n]);
    if (x == y) continue;
    lines.push_back(fmt::format("method '{}', {} {}: {} instead of {}", a.name, what, n, y, x));
  }
}

// Delegates of a method by content, in no order.
std::multiset<std::pair<std::string, uint64_t>> DelegatesOf(TermTable& table,
                                                            const Method& method) {
  std::multiset<std::pair<std::string, uint64_t>> delegates;
  for (const Delegate& delegate : method.delegates) {
    delegates.emplace(delegate.id, table.Constant(delegate.blob));
  }
  return delegates;
}

// Buffers of a method by name: type, and initial value.
std::map<std::string, std::set<std::pair<std::string, ContentId>>> BuffersOf(
    TermTable& table, const ComparedSide& side, const Method& method) {
  std::map<std::string, std::set<std::pair<std::string, ContentId>>> buffers;
  for (int32_t v = 0; v < static_cast<int32_t>(method.values.size()); ++v) {
    const std::string name = BufferName(method, v, side.manifest);
    if (name.empty()) continue;
    const Tensor& tensor = *method.TensorOf(v);
    buffers[name].emplace(TypeText(method, v),
                          StoredContent(table, *side.program, method, tensor, side.data));
  }
  return buffers;
}

void CompareBuffers(TermTable& table, const ComparedSide& old_side, const ComparedSide& new_side,
                    const Method& a, const Method& b, Lines& lines) {
  const auto olds = BuffersOf(table, old_side, a);
  const auto news = BuffersOf(table, new_side, b);
  for (const auto& [name, forms] : olds) {
    const auto found = news.find(name);
    if (found == news.end()) {
      lines.push_back(fmt::format("method '{}': buffer '{}' is gone", a.name, name));
    } else if (forms != found->second) {
      lines.push_back(
          fmt::format("method '{}': buffer '{}' has another type or initial value", a.name, name));
    }
  }
  for (const auto& [name, forms] : news) {
    if (olds.contains(name)) continue;
    lines.push_back(fmt::format("method '{}': buffer '{}' is new", a.name, name));
  }
}

struct ConstantKey {
  TermId term = kZeroTerm;
  uint64_t nbytes = 0;
  auto operator<=>(const ConstantKey&) const = default;
};

std::set<ConstantKey> ConstantsOf(TermTable& table, const Program& program) {
  std::set<ConstantKey> keys;
  for (const Method& method : program.methods) {
    for (const Tensor& tensor : method.tensors) {
      if (tensor.planned || tensor.external || tensor.data_index == 0) continue;
      if (tensor.data_index >= program.constants.size()) continue;
      const Bytes blob = program.constants[tensor.data_index];
      const Bytes bytes = blob.first(std::min<uint64_t>(blob.size(), tensor.nbytes));
      keys.insert({table.Constant(bytes), bytes.size()});
    }
  }
  return keys;
}

// Bytes of a pool of blobs, each counted once and as far as tensors reach.
uint64_t PoolBytes(const Program& program, bool planned) {
  const auto& blobs = planned ? program.initial_values : program.constants;
  std::vector<uint64_t> used(blobs.size(), 0);
  for (const Method& method : program.methods) {
    for (const Tensor& tensor : method.tensors) {
      if (tensor.planned != planned || tensor.external || tensor.data_index >= used.size())
        continue;
      const uint64_t size = std::min<uint64_t>(blobs[tensor.data_index].size(), tensor.nbytes);
      uint64_t& most = used[tensor.data_index];
      most = std::max(most, size);
    }
  }
  std::map<const std::byte*, uint64_t> places;  // tables may list one blob twice
  for (size_t b = 1; b < blobs.size(); ++b) {
    uint64_t& most = places[blobs[b].data()];
    most = std::max(most, used[b]);
  }
  uint64_t sum = 0;
  for (const auto& [place, bytes] : places) sum += bytes;
  return sum;
}

// The size of the tables: an extended header states it, else they are the whole file.
uint64_t ProgramBytes(Bytes file) {
  constexpr size_t kSizeAt = 16;
  uint64_t size = file.size();
  const bool extended =
      file.size() >= kSizeAt + sizeof(size) && std::memcmp(file.data() + 8, "eh00", 4) == 0;
  if (extended) std::memcpy(&size, file.data() + kSizeAt, sizeof(size));
  return std::min<uint64_t>(size, file.size());
}

bool Holds(Bytes file, uint64_t nbytes, Bytes blob) {
  return blob.data() >= file.data() && blob.data() < file.data() + nbytes;
}

// Without numbers of values and instructions, and places.
std::string MeaningOf(const Finding& finding) {
  std::string text = fmt::format("{}|{}|{}|{}|", finding.rule, Name(finding.severity),
                                 finding.method, finding.undecided);
  bool in_number = false;
  for (const char c : finding.explanation) {
    const bool digit = std::isdigit(static_cast<unsigned char>(c)) != 0;
    if (!digit) text += c;
    if (digit && !in_number) text += '#';
    in_number = digit;
  }
  return text;
}

}  // namespace

InterfaceComparison CompareInterface(const ComparedSide& old_side, const ComparedSide& new_side) {
  TermTable table;
  Lines lines;
  const Program& olds = *old_side.program;
  const Program& news = *new_side.program;
  for (const Method& a : olds.methods) {
    const auto b = std::ranges::find(news.methods, a.name, &Method::name);
    if (b == news.methods.end()) {
      lines.push_back(fmt::format("method '{}' is gone", a.name));
      continue;
    }
    CompareTypes(a, *b, a.inputs, b->inputs, "input", lines);
    CompareTypes(a, *b, a.outputs, b->outputs, "output", lines);
    CompareBuffers(table, old_side, new_side, a, *b, lines);
    if (DelegatesOf(table, a) != DelegatesOf(table, *b)) {
      lines.push_back(fmt::format("method '{}' has other delegates", a.name));
    }
  }
  for (const Method& b : news.methods) {
    if (std::ranges::find(olds.methods, b.name, &Method::name) != olds.methods.end()) continue;
    lines.push_back(fmt::format("method '{}' is new", b.name));
  }
  return {lines.empty() ? Answer::kSame : Answer::kDiffers, std::move(lines)};
}

ConstantComparison CompareConstants(const ComparedSide& old_side, const ComparedSide& new_side) {
  TermTable table;
  const std::set<ConstantKey> olds = ConstantsOf(table, *old_side.program);
  const std::set<ConstantKey> news = ConstantsOf(table, *new_side.program);
  ConstantComparison result;
  result.old_count = olds.size();
  result.new_count = news.size();
  for (const ConstantKey& key : olds) {
    result.old_bytes += key.nbytes;
    if (!news.contains(key)) ++result.gone;
  }
  for (const ConstantKey& key : news) {
    result.new_bytes += key.nbytes;
    if (!olds.contains(key)) ++result.added;
  }
  if (result.gone + result.added > 0) result.answer = Answer::kDiffers;
  return result;
}

SectionSizes SectionsOf(const Program& program, Bytes file) {
  SectionSizes sizes;
  sizes.file = file.size();
  const uint64_t tables = ProgramBytes(file);
  uint64_t inside = 0;  // of the sections, what lies in the tables
  const auto add = [&](uint64_t& section, Bytes blob, uint64_t nbytes) {
    section += nbytes;
    if (Holds(file, tables, blob)) inside += nbytes;
  };
  sizes.constants = PoolBytes(program, false);
  sizes.initial_values = PoolBytes(program, true);
  const auto pool_inside = [&](const std::vector<Bytes>& blobs) {
    return blobs.size() > 1 && Holds(file, tables, blobs[1]);
  };
  if (pool_inside(program.constants)) inside += sizes.constants;
  if (pool_inside(program.initial_values)) inside += sizes.initial_values;
  std::set<const std::byte*> seen;
  for (const Method& method : program.methods) {
    for (const Delegate& delegate : method.delegates) {
      if (!seen.insert(delegate.blob.data()).second) continue;
      add(sizes.delegates, delegate.blob, delegate.blob.size());
    }
  }
  for (const NamedBlob& named : program.named_data) {
    if (!seen.insert(named.blob.data()).second) continue;
    add(sizes.named_data, named.blob, named.blob.size());
  }
  sizes.tables = tables;
  sizes.program = tables - std::min(tables, inside);
  const uint64_t sum =
      sizes.program + sizes.constants + sizes.initial_values + sizes.delegates + sizes.named_data;
  sizes.padding = sizes.file - std::min(sizes.file, sum);
  return sizes;
}

std::vector<MemoryRow> CompareMemory(const Report& old_report, const Report& new_report) {
  std::map<std::pair<std::string, uint32_t>, MemoryRow> rows;
  const auto row = [&](const BankUse& use) -> MemoryRow& {
    MemoryRow& of = rows[{use.method, use.bank}];
    of.method = use.method;
    of.bank = use.bank;
    return of;
  };
  for (const BankUse& use : old_report.banks) row(use).old_use = use;
  for (const BankUse& use : new_report.banks) row(use).new_use = use;
  std::vector<MemoryRow> all;
  for (auto& [key, of] : rows) all.push_back(std::move(of));
  return all;
}

FindingComparison CompareFindings(const Report& old_report, const Report& new_report) {
  std::multimap<std::string, const Finding*> olds;
  for (const Finding& finding : old_report.findings) olds.emplace(MeaningOf(finding), &finding);
  FindingComparison result;
  for (const Finding& finding : new_report.findings) {
    const auto found = olds.find(MeaningOf(finding));
    if (found == olds.end()) {
      result.added.push_back(finding);
    } else {
      result.same.push_back(finding);
      olds.erase(found);
    }
  }
  for (const auto& [meaning, finding] : olds) result.gone.push_back(*finding);
  return result;
}

}  // namespace pteproof::compare
