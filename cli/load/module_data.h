// The bytes of files that the text of a Module or of a program refers to (text::DataRef): checked
// by their hash, and read in place.
#ifndef PTEPROOF_CLI_LOAD_MODULE_DATA_H_
#define PTEPROOF_CLI_LOAD_MODULE_DATA_H_

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "pteproof/datum.h"
#include "pteproof/program.h"
#include "pteproof/result.h"
#include "reference/text/data_ref.h"

namespace pteproof {

// A file that values lie in.
struct ModuleFile {
  Bytes bytes;
  std::shared_ptr<const void> owner;  // of the bytes, if they need one
  bool in_memory = false;             // of the caller, whose references need no hash
};

class ModuleData {
 public:
  // From the name in a reference to the file, or why it cannot be had.
  using Open = std::function<Result<ModuleFile, std::string>(const std::string& name)>;

  // `what` is the text in messages.
  explicit ModuleData(Open open, std::string what = "Module")
      : open_(std::move(open)), what_(std::move(what)) {}

  // As text::DataOf. An error is one sentence for people.
  [[nodiscard]] Result<std::optional<TensorBytes>, std::string> Take(const text::DataRef& ref);

 private:
  struct Range {
    int64_t end = 0;
    std::optional<std::string> sha256;  // once it was asked for
  };
  struct Opened {
    ModuleFile file;
    std::map<int64_t, Range> taken;  // by their first byte
  };

  [[nodiscard]] std::string Claim(const text::DataRef& ref, Bytes bytes, Opened& from) const;

  Open open_;
  std::string what_;
  std::map<std::string, Opened> files_;
};

}  // namespace pteproof

#endif  // PTEPROOF_CLI_LOAD_MODULE_DATA_H_
