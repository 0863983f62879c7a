// One buffer may have another name in each method: a model's tensor is held under the names of the
// modules that were exported. The manifest says which names are one buffer.
#ifndef PTEPROOF_PROPERTIES_MANIFEST_BUFFER_KEYS_H_
#define PTEPROOF_PROPERTIES_MANIFEST_BUFFER_KEYS_H_

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "pteproof/manifest.h"
#include "pteproof/program.h"

namespace pteproof {

// The manifest's keys for the names that a method (first) has for its buffers (second), where they
// differ. Views of the manifest.
[[nodiscard]] std::map<std::pair<std::string_view, std::string_view>, std::string_view> BufferKeys(
    const Manifest& manifest);

// A program whose methods call each buffer by the manifest's key. A copy is made only if a name
// differs. Tensors whose data lie outside of the file keep theirs: they are found by it.
class UnderKeys {
 public:
  // `manifest`: may be null.
  UnderKeys(const Program& program, const Manifest* manifest);

  [[nodiscard]] const Program& program() const { return renamed_ ? *renamed_ : given_; }

 private:
  const Program& given_;
  std::optional<Program> renamed_;
};

}  // namespace pteproof

#endif  // PTEPROOF_PROPERTIES_MANIFEST_BUFFER_KEYS_H_
