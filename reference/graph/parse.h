// The text form of Modules, read. The grammar and what it means are in docs/reference/modules.md.
#ifndef PTEPROOF_REFERENCE_GRAPH_PARSE_H_
#define PTEPROOF_REFERENCE_GRAPH_PARSE_H_

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "pteproof/result.h"
#include "reference/graph/module.h"

namespace pteproof::graph {

// Lines and columns count from 1, columns in characters.
struct ParseError {
  int line = 1;
  int column = 1;
  std::string message;

  bool operator==(const ParseError&) const = default;
};

// The bytes that a text refers to, as many as it says, or why there are none. Nothing: the buffer
// is left without its initial value, and keeps the reference.
using DataOf = std::function<Result<std::optional<TensorBytes>, std::string>(const DataRef&)>;

// Refuses each reference: of a text that comes alone.
[[nodiscard]] Result<std::optional<TensorBytes>, std::string> NoData(const DataRef& ref);
// Leaves all data out: for who wants the text alone.
[[nodiscard]] Result<std::optional<TensorBytes>, std::string> WithoutData(const DataRef& ref);

// The well-formed Module that `text` describes, or the first reason why it does not. Total: ends
// for any bytes, in memory and (but for a logarithm) time proportional to them and to what
// `data_of` takes for each reference.
[[nodiscard]] Result<Module, ParseError> Parse(std::string_view text,
                                               const DataOf& data_of = NoData);

}  // namespace pteproof::graph

#endif  // PTEPROOF_REFERENCE_GRAPH_PARSE_H_
