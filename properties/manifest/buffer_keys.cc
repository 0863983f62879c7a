#include "properties/manifest/buffer_keys.h"

#include <cstddef>
#include <cstdint>

namespace pteproof {

std::map<std::pair<std::string_view, std::string_view>, std::string_view> BufferKeys(
    const Manifest& manifest) {
  std::map<std::pair<std::string_view, std::string_view>, std::string_view> keys;
  if (!manifest.buffers) return keys;
  for (const auto& [key, buffer] : *manifest.buffers) {
    for (const auto& [method, names] : buffer.names) {
      for (const std::string& name : names) {
        if (name != key)
          keys.emplace(std::pair<std::string_view, std::string_view>(method, name), key);
      }
    }
  }
  return keys;
}

UnderKeys::UnderKeys(const Program& program, const Manifest* manifest) : given_(program) {
  if (manifest == nullptr) return;
  const auto keys = BufferKeys(*manifest);
  if (keys.empty()) return;
  for (size_t m = 0; m < program.methods.size(); ++m) {
    const Method& method = program.methods[m];
    for (size_t t = 0; t < method.tensors.size(); ++t) {
      const Tensor& tensor = method.tensors[t];
      if (tensor.name.count == 0 || tensor.external) continue;
      const auto key = keys.find({method.name, method.Text(tensor.name)});
      if (key == keys.end()) continue;
      if (!renamed_) renamed_ = program;
      Method& own = renamed_->methods[m];
      own.tensors[t].name = {static_cast<uint32_t>(own.text.size()),
                             static_cast<uint32_t>(key->second.size())};
      own.text += key->second;
    }
  }
}

}  // namespace pteproof
