#include "properties/compare/parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <iterator>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "properties/compare/run/planned_call.h"
#include "properties/compare/run/state_keys.h"
#include "properties/compare/terms/apply.h"
#include "properties/compare/terms/blob_terms.h"

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

// What is unlike in two delegates that differ.
std::string DelegateDifference(TermTable& table, const Delegate& a, const Delegate& b) {
  if (a.id != b.id) return fmt::format("{} instead of {}", b.id, a.id);
  const auto term_of = [&](const Delegate& delegate) {
    return delegate.opened ? TermOfBlob(table, *delegate.opened) : std::nullopt;
  };
  const auto olds = term_of(a);
  const auto news = term_of(b);
  if (olds && news && *olds != *news) return BlobDifference(table, *olds, *news);
  return olds && news ? "other specifications of its compilation" : "other bytes";
}

// Delegates of a method by content, in no order. Those that the other method does not have are
// compared by their positions.
void CompareDelegates(TermTable& table, const Method& a, const Method& b, Lines& lines) {
  using Code = std::pair<std::vector<uint64_t>, size_t>;
  const auto codes_of = [&](const Method& method) {
    std::vector<Code> codes;
    for (const Delegate& delegate : method.delegates) {
      codes.emplace_back(CodeOf(table, delegate), codes.size());
    }
    std::ranges::sort(codes);
    return codes;
  };
  const auto others = [](const std::vector<Code>& codes, const std::vector<Code>& than) {
    std::vector<Code> rest;
    std::ranges::set_difference(codes, than, std::back_inserter(rest), {}, &Code::first,
                                &Code::first);
    std::ranges::sort(rest, {}, &Code::second);
    return rest;
  };
  const auto olds = codes_of(a);
  const auto news = codes_of(b);
  const auto gone = others(olds, news);
  const auto added = others(news, olds);
  if (gone.size() != added.size()) {
    lines.push_back(fmt::format("method '{}' has other delegates: {} instead of {}", a.name,
                                news.size(), olds.size()));
    return;
  }
  for (size_t d = 0; d < gone.size(); ++d) {
    const Delegate& old_one = a.delegates[gone[d].second];
    lines.push_back(fmt::format("method '{}', delegate {} ({}): {}", a.name, gone[d].second,
                                old_one.id,
                                DelegateDifference(table, old_one, b.delegates[added[d].second])));
  }
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
    CompareDelegates(table, a, *b, lines);
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
