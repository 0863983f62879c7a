// Bytes of a program as references to the file that it was read from.
#ifndef PTEPROOF_RUNTIME_PTEASM_FILE_REFS_H_
#define PTEPROOF_RUNTIME_PTEASM_FILE_REFS_H_

#include <map>
#include <optional>
#include <string>
#include <utility>

#include "pteproof/program.h"
#include "runtime/pteasm/print.h"

namespace pteproof::pteasm {

class FileRefs {
 public:
  // The file's name as the text says it, and its bytes, which must outlive this.
  FileRefs(std::string name, Bytes file) : name_(std::move(name)), file_(file) {}

  // As Refer. Two ranges that are given are the same or have no byte in common, as readers of texts
  // demand; so each byte is hashed once.
  [[nodiscard]] std::optional<text::DataRef> operator()(Bytes bytes);

 private:
  struct Taken {
    uint64_t end = 0;
    std::string sha256;
  };

  std::string name_;
  Bytes file_;
  std::map<uint64_t, Taken> taken_;  // by the first byte
};

}  // namespace pteproof::pteasm

#endif  // PTEPROOF_RUNTIME_PTEASM_FILE_REFS_H_
