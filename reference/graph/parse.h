// The text form of Modules, read. The grammar and what it means are in docs/reference/modules.md.
#ifndef PTEPROOF_REFERENCE_GRAPH_PARSE_H_
#define PTEPROOF_REFERENCE_GRAPH_PARSE_H_

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "pteproof/result.h"
#include "reference/graph/module.h"
#include "reference/text/data_ref.h"
#include "reference/text/token_reader.h"

namespace pteproof::graph {

using text::DataOf;
using text::NoData;
using text::ParseError;

// Leaves all data out: for who wants the text alone.
[[nodiscard]] Result<std::optional<TensorBytes>, std::string> WithoutData(const DataRef& ref);

// The well-formed Module that `text` describes, or the first reason why it does not. Total: ends
// for any bytes, in memory and (but for a logarithm) time proportional to them and to what
// `data_of` takes for each reference.
[[nodiscard]] Result<Module, ParseError> Parse(std::string_view text,
                                               const DataOf& data_of = NoData);

}  // namespace pteproof::graph

#endif  // PTEPROOF_REFERENCE_GRAPH_PARSE_H_
