#include "runtime/old_forms.h"

#include <cstdint>
#include <cstring>
#include <string_view>

#include "program_generated.h"
#include "runtime/file_kind.h"

namespace pteproof {
namespace {

constexpr size_t kMagicAt = 8;
constexpr size_t kLengthAt = 12;
constexpr size_t kLeastSize = 64;
constexpr uint32_t kWholeHeader = 32;
constexpr uintptr_t kWidestScalar = 8;

}  // namespace

OldForms OldFormsOf(Bytes file) {
  const auto* data = reinterpret_cast<const uint8_t*>(file.data());
  const bool is_aligned = reinterpret_cast<uintptr_t>(data) % kWidestScalar == 0;
  if (file.size() < kLeastSize || !is_aligned || Sniff(file) != FileKind::kProgram) return {};
  OldForms forms;
  const schema::SegmentOffsets* constants = schema::GetProgram(data)->constants();
  forms.inline_constants = constants == nullptr || constants->offsets() == nullptr;
  uint32_t length = 0;
  std::memcpy(&length, data + kLengthAt, sizeof length);
  const std::string_view magic(reinterpret_cast<const char*>(data) + kMagicAt, 4);
  forms.short_header = magic == "eh00" && flatbuffers::EndianScalar(length) < kWholeHeader;
  return forms;
}

}  // namespace pteproof
