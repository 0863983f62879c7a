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

uint32_t LittleWord(const uint8_t* bytes) {
  uint32_t number = 0;
  std::memcpy(&number, bytes, sizeof number);
  return flatbuffers::EndianScalar(number);
}

}  // namespace

OldForms OldFormsOf(Bytes file) {
  const auto* data = reinterpret_cast<const uint8_t*>(file.data());
  const bool is_aligned = reinterpret_cast<uintptr_t>(data) % kWidestScalar == 0;
  if (file.size() < kLeastSize || !is_aligned || Sniff(file) != FileKind::kProgram) return {};
  OldForms forms;
  const schema::SegmentOffsets* constants = schema::GetProgram(data)->constants();
  forms.inline_constants =
      constants == nullptr || constants->offsets() == nullptr || constants->offsets()->size() == 0;
  const uint32_t root = LittleWord(data);
  const uint32_t length = LittleWord(data + kLengthAt);
  const std::string_view magic(reinterpret_cast<const char*>(data) + kMagicAt, 4);
  // In a file whose root begins where the header would be, the magic is a chance.
  forms.short_header = magic == "eh00" && (length < kWholeHeader || root < kMagicAt + kWholeHeader);
  return forms;
}

}  // namespace pteproof
