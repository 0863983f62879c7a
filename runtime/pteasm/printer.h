// What the parts of the printer share. For runtime/pteasm/print*.cc only.
#ifndef PTEPROOF_RUNTIME_PTEASM_PRINTER_H_
#define PTEPROOF_RUNTIME_PTEASM_PRINTER_H_

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "pteproof/program.h"
#include "runtime/pteasm/print.h"

namespace pteproof::pteasm {

// An entry of the initial values (true) or of the constants.
using StoredEntry = std::pair<bool, uint32_t>;

// Of one program.
struct Printer {
  const Program& program;
  const Refer& refer;
  std::string text = {};
  uint64_t filled = 0;                          // bytes of `zeros` and `fill` so far
  std::map<StoredEntry, uint64_t> shared = {};  // bytes of the entries that need names
};

struct MethodPrinter {
  Printer& out;
  const Method& method;
  std::vector<bool> literal;   // by value: written where it is used
  std::vector<bool> declared;  // by value: its type is in the text already
};

// print_value.cc

// The value where it is used: "%3", or the literal.
void PrintUse(MethodPrinter& printer, int32_t value);
// "%3: float32[2, 3] @1:0" at the first time, then "%3".
void PrintResult(MethodPrinter& printer, int32_t value);
// Whether the value has contents in the file, which only a line of its own can say.
[[nodiscard]] bool HasContents(const Method& method, int32_t value);

// print_data.cc

// The entries of which tensors take several lengths: what they share is said once, by a name.
void FindShared(Printer& printer);
void PrintShared(Printer& printer);
// " = [0.5, 1.0]": the bytes of a tensor.
void PrintContents(Printer& printer, const Tensor& tensor);
// "hex \"00ff\"": bytes without a type.
void PrintBlob(Printer& printer, Bytes bytes, std::string_view indent);

}  // namespace pteproof::pteasm

#endif  // PTEPROOF_RUNTIME_PTEASM_PRINTER_H_
