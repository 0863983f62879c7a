#include "cli/load/lint_module.h"

#include <fmt/format.h>

#include <algorithm>

#include "cli/io/quote.h"
#include "reference/graph/lint.h"
#include "reference/graph/names.h"

namespace pteproof {
namespace {

using graph::InPlaceFinding;

// What is wrong as the nodes are listed.
std::vector<InPlaceFinding> ErrorsIn(const graph::Module& module) {
  std::vector<InPlaceFinding> findings = graph::Lint(module, graph::InPlaceOrder::kListed);
  std::erase_if(findings, [](const InPlaceFinding& f) { return f.is_note; });
  return findings;
}

std::string InOneLine(std::string text) {
  std::ranges::replace(text, '\n', ' ');
  return text;
}

void TakeWish(graph::Region& region, graph::ValueId result) {
  for (graph::Node& node : region.nodes) {
    if (!node.results.empty() && node.results.front() == result) node.in_place.reset();
    for (graph::Region& inner : node.regions) TakeWish(inner, result);
  }
}

}  // namespace

std::optional<NoModule> WrongInPlace(const std::string& file, const graph::Module& module) {
  const std::vector<InPlaceFinding> errors = ErrorsIn(module);
  if (errors.empty()) return std::nullopt;
  const InPlaceFinding& first = errors.front();
  std::string why = fmt::format("{}: method '{}': {}: {} {}", QuotePath(file), Quote(first.method),
                                first.rule, InOneLine(first.explanation), first.fix);
  if (errors.size() > 1) {
    why += fmt::format(" {} more: 'pteproof lint' lists all.", errors.size() - 1);
  }
  return NoModule{ExitCode::kUnsafe, std::move(why)};
}

std::vector<std::string> DropWrongWishes(graph::Module& module) {
  std::vector<std::string> dropped;
  for (auto errors = ErrorsIn(module); !errors.empty(); errors = ErrorsIn(module)) {
    for (const InPlaceFinding& error : errors) {
      const auto method = std::ranges::find(module.methods, error.method, &graph::Method::name);
      const auto names = graph::ValueNames(*method);
      dropped.push_back(fmt::format("method '{}': {} is planned out of place: {}",
                                    Quote(error.method), graph::NameOf(names, error.result),
                                    InOneLine(error.explanation)));
      TakeWish(method->body, error.result);
    }
  }
  return dropped;
}

}  // namespace pteproof
