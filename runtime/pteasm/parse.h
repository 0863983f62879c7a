// The text form of programs, read. The grammar and its meaning are in docs/reference/pteasm.md.
#ifndef PTEPROOF_RUNTIME_PTEASM_PARSE_H_
#define PTEPROOF_RUNTIME_PTEASM_PARSE_H_

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "pteproof/program.h"
#include "pteproof/result.h"
#include "reference/text/data_ref.h"
#include "reference/text/lexer.h"

namespace pteproof::pteasm {

// Lines and columns count from 1, columns in characters.
struct TextError {
  int line = 1;
  int column = 1;
  std::string_view rule;  // of the reader of programs (runtime/file_rules.h)
  std::string message;
};

// Where the parts of a method stand, and what its values are called.
struct MethodPlaces {
  text::Position method;
  std::vector<text::Position> values;        // by value: where it is declared
  std::vector<text::Position> instructions;  // by instruction
  std::vector<std::string> names;            // by value: "%cache"; empty for literals
};

struct ProgramText {
  Program program;  // its blobs point into `contents`
  std::vector<TensorBytes> contents;
  std::vector<std::pair<Bytes, text::DataRef>> references;  // blobs that lie in files
  std::vector<MethodPlaces> places;                         // by method
};

// The program that the text describes, or the first reason why there is none. All indices in the
// program are in range, but it may break other rules of the reader of programs. Total: ends for any
// bytes, in memory that is at most 128 times their number, and a logarithm more time, apart from
// contents of at most kMostFilled bytes and those that `data_of` gives.
[[nodiscard]] Result<ProgramText, TextError> ParseText(std::string_view text,
                                                       const text::DataOf& data_of);

}  // namespace pteproof::pteasm

#endif  // PTEPROOF_RUNTIME_PTEASM_PARSE_H_
