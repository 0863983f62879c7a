// Control flow in functional form. Idea: a parameter of a region is another name of the operand
// outside. If the region writes a parameter, the new contents leave the region as a result, and the
// operand outside is written with that result after the node.
//
//   cond(%p, %a) { (%x) copy_(%x, %y) }   ->   %r = cond(%p, %a) { (%x) %x1 = ...; return %x1 }
//                                              contents of the storage of %a: %r
//
// The other branch returns the parameter as it is. A written parameter of a loop becomes a carried
// value: it moves up among the carried operands, and the body returns its contents.
//
// Invariant: while a region is walked, its parameters are roots of their own, with the storages of
// their operands. Cost: O(nodes + operands) for each region, which is walked once.
#include <algorithm>
#include <optional>
#include <utility>

#include "reference/graph/functionalizer.h"

namespace pteproof::graph {
namespace {

ValueId ValueOf(const Operand& operand) {
  return std::get<Operand::Value>(operand.held).id;
}

bool Contains(const std::vector<size_t>& positions, size_t position) {
  return std::ranges::find(positions, position) != positions.end();
}

// Puts the elements at `moved` after the first `count`, in that order.
template <class T>
void MoveUp(std::vector<T>& list, size_t count, const std::vector<size_t>& moved) {
  std::vector<T> ordered(list.begin(), list.begin() + static_cast<ptrdiff_t>(count));
  for (const size_t position : moved) ordered.push_back(list[position]);
  for (size_t i = count; i < list.size(); ++i) {
    if (!Contains(moved, i)) ordered.push_back(list[i]);
  }
  list = std::move(ordered);
}

}  // namespace

// Parameters are new roots that may be the storages of their operands. Those from `rows_from` up to
// `rows_to` get rows of mapped operands, which are copies.
Region Functionalizer::Walk(const Region& region, std::span<const Operand> operands,
                            size_t rows_from, size_t rows_to) {
  const int32_t outer = region_;
  region_ = regions_++;
  for (size_t p = 0; p < region.params.size(); ++p) {
    if (p >= rows_from && p < rows_to) {
      AddRoots({&region.params[p], 1});
    } else if (!names_.IsNumber(ValueOf(operands[p]))) {
      names_.AddRoot(region.params[p], region_, names_.StoragesOf(ValueOf(operands[p])),
                     StorageRoot::Kind::kParam);
    }
  }
  Region walked;
  walked.params = region.params;
  builder_.Open(walked);
  Nodes(region.nodes);
  for (const ValueId v : region.results) walked.results.push_back(Read(v));
  builder_.Close();
  region_ = outer;
  return walked;
}

Functionalizer::Positions Functionalizer::WrittenParams(const Region& region) const {
  Positions written;
  for (size_t p = 0; p < region.params.size(); ++p) {
    if (names_.IsNumber(region.params[p])) continue;
    const StorageRoot& root = names_.RootOf(region.params[p]);
    if (root.kind == StorageRoot::Kind::kParam && root.writes > 0) written.push_back(p);
  }
  return written;
}

// The parameter that the result is another name of, all of it.
std::optional<size_t> Functionalizer::ReturnedParam(const Region& region, size_t result) const {
  const ValueId name = names_.Canonical(region.results[result]);
  const auto param = std::ranges::find(region.params, name);
  if (param == region.params.end() || names_.IsNumber(name)) return std::nullopt;
  return static_cast<size_t>(param - region.params.begin());
}

void Functionalizer::WriteOperands(std::span<const std::pair<ValueId, ValueId>> writes) {
  for (const auto& [operand, contents] : writes) Write(operand, contents);
}

// --- Branches.

std::optional<size_t> Functionalizer::ReturnedOfCond(const Node& cond, size_t result) const {
  const auto param = ReturnedParam(cond.regions[0], result);
  return param == ReturnedParam(cond.regions[1], result) ? param : std::nullopt;
}

// What a written parameter holds after the branch, whichever it is: a result that there is, or a
// new one of both branches.
ValueId Functionalizer::ResultForParam(const Node& from, Node& cond, size_t param) {
  for (size_t r = 0; r < from.results.size(); ++r) {
    if (ReturnedOfCond(from, r) == param) return from.results[r];
  }
  for (size_t b = 0; b < cond.regions.size(); ++b) {
    cond.regions[b].results.push_back(Read(from.regions[b].params[param]));
  }
  const ValueId operand = ValueOf(from.operands[param + 1]);
  return cond.results.emplace_back(builder_.Declare(*TensorTypeOf(from_, operand)));
}

void Functionalizer::NameCondResults(const Node& node) {
  for (size_t r = 0; r < node.results.size(); ++r) {
    if (TensorTypeOf(from_, node.results[r]) == nullptr) continue;
    if (const auto param = ReturnedOfCond(node, r)) {
      names_.AddSame(node.results[r], ValueOf(node.operands[*param + 1]));
    } else {
      names_.AddRoot(node.results[r], region_,
                     Union(names_.StoragesOf(node.regions[0].results[r]),
                           names_.StoragesOf(node.regions[1].results[r])));
    }
  }
}

void Functionalizer::Cond(const Node& node) {
  const auto args = std::span(node.operands).subspan(1);
  Node cond = node;
  cond.operands = ReadOperands(node.operands);
  Positions written;
  for (size_t b = 0; b < node.regions.size(); ++b) {
    cond.regions[b] = Walk(node.regions[b], args);
    for (const size_t param : WrittenParams(node.regions[b])) {
      if (!Contains(written, param)) written.push_back(param);
    }
  }
  if (!fault_.empty()) return;
  std::vector<std::pair<ValueId, ValueId>> writes;
  for (const size_t param : written) {
    writes.emplace_back(ValueOf(args[param]), ResultForParam(node, cond, param));
  }
  builder_.Add(std::move(cond));
  WriteOperands(writes);
  NameCondResults(node);
}

// --- Loops: while, map and scan.

bool Functionalizer::ReturnsOwn(const Node& loop, size_t carried) const {
  return ReturnedParam(loop.regions.back(), carried) == carried;
}

// A loop that writes parameters is understood if each parameter names one storage, and only that
// parameter does, in all rounds.
std::string Functionalizer::CarriedFault(const Node& node, size_t carried) const {
  const Region& body = node.regions.back();
  const ValueId result = body.results[carried];
  if (names_.IsNumber(result) || ReturnsOwn(node, carried)) return {};
  const std::string which = "carried value " + std::to_string(carried) + " of a loop ";
  if (Contains(WrittenParams(body), carried)) return which + "is written, but replaced at the end";
  const StorageSet storages = names_.StoragesOf(result);
  for (const ValueId param : body.params) {
    if (Intersect(storages, names_.StoragesOf(param))) return which + "becomes another parameter";
  }
  for (size_t other = 0; other < carried; ++other) {
    if (Intersect(storages, names_.StoragesOf(body.results[other]))) {
      return which + "has the storage of another";
    }
  }
  return {};
}

std::string Functionalizer::LoopFault(const Node& node, const Positions& written) const {
  if (node.kind == NodeKind::kWhile && !WrittenParams(node.regions.front()).empty()) {
    return "the test of a loop writes a parameter";
  }
  if (written.empty()) return {};
  if (node.kind == NodeKind::kMap) return "a map writes an argument";
  for (const Region& region : node.regions) {
    for (const ValueId param : region.params) {
      if (names_.IsNumber(param) || !names_.RootOf(param).unclear) continue;
      return "two operands of a loop may name one storage, and the loop writes it";
    }
  }
  for (size_t c = 0; c < static_cast<size_t>(node.carried); ++c) {
    if (std::string fault = CarriedFault(node, c); !fault.empty()) return fault;
  }
  return {};
}

// Makes carried values of the arguments `moved`. Returns their results.
std::vector<ValueId> Functionalizer::Carry(Node& loop, const Node& from, const Positions& moved) {
  const auto carried = static_cast<size_t>(loop.carried);
  MoveUp(loop.operands, carried, moved);
  for (Region& region : loop.regions) MoveUp(region.params, carried, moved);
  std::vector<ValueId> after;
  std::vector<ValueId> results;
  for (const size_t param : moved) {
    after.push_back(Read(from.regions.back().params[param]));
    const ValueId operand = ValueOf(from.operands[param]);
    results.push_back(builder_.Declare(*TensorTypeOf(from_, operand)));
  }
  std::vector<ValueId>& of_body = loop.regions.back().results;
  of_body.insert(of_body.begin() + loop.carried, after.begin(), after.end());
  loop.results.insert(loop.results.begin() + loop.carried, results.begin(), results.end());
  loop.carried += static_cast<int32_t>(moved.size());
  return results;
}

// The operand's if the loop runs zero times; else what the body returns, which may in turn be any
// parameter, and so what any carried value is.
StorageSet Functionalizer::StoragesOfCarried(const Node& node, size_t carried) const {
  const Region& body = node.regions.back();
  const auto own = [&](size_t c) {
    return Union(names_.StoragesOf(ValueOf(node.operands[c])), names_.StoragesOf(body.results[c]));
  };
  const StorageSet returned = names_.StoragesOf(body.results[carried]);
  const bool is_param = std::ranges::any_of(
      body.params, [&](ValueId param) { return Intersect(returned, names_.StoragesOf(param)); });
  if (!is_param) return own(carried);
  StorageSet all;
  for (size_t c = 0; c < static_cast<size_t>(node.carried); ++c) all = Union(all, own(c));
  return all;
}

void Functionalizer::NameLoopResults(const Node& node) {
  const auto carried = static_cast<size_t>(node.carried);
  for (size_t c = 0; c < carried; ++c) {
    if (TensorTypeOf(from_, node.results[c]) == nullptr) continue;
    if (ReturnsOwn(node, c)) {
      names_.AddSame(node.results[c], ValueOf(node.operands[c]));
    } else {
      names_.AddRoot(node.results[c], region_, StoragesOfCarried(node, c));
    }
  }
  AddRoots(std::span(node.results).subspan(carried));
}

void Functionalizer::Loop(const Node& node) {
  const auto carried = static_cast<size_t>(node.carried);
  Node loop = node;
  loop.operands = ReadOperands(node.operands);
  for (size_t r = 0; r < node.regions.size(); ++r) {
    loop.regions[r] =
        Walk(node.regions[r], node.operands, carried, carried + static_cast<size_t>(node.mapped));
  }
  const Positions written = WrittenParams(node.regions.back());
  if (std::string fault = LoopFault(node, written); !fault.empty()) Refuse(fault);
  if (!fault_.empty()) return;
  std::vector<std::pair<ValueId, ValueId>> writes;
  Positions moved;
  for (const size_t param : written) {
    if (param >= carried) {
      moved.push_back(param);
    } else {
      writes.emplace_back(ValueOf(node.operands[param]), node.results[param]);
    }
  }
  const std::vector<ValueId> results = Carry(loop, node, moved);
  for (size_t m = 0; m < moved.size(); ++m) {
    writes.emplace_back(ValueOf(node.operands[moved[m]]), results[m]);
  }
  builder_.Add(std::move(loop));
  WriteOperands(writes);
  NameLoopResults(node);
}

}  // namespace pteproof::graph
