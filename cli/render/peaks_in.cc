#include "cli/render/peaks_in.h"

#include "properties/picture/picture_of.h"
#include "pteproof/check.h"

namespace pteproof {

std::vector<BankPeak> PeaksIn(const ProgramParts& parts, const SourceLines& lines,
                              std::optional<size_t> most) {
  const Report report = Check(parts.source(), {.manifest = parts.manifest.get()});
  return PeaksOf(picture::PictureOf(parts.source(), report, {.manifest = parts.manifest.get()}),
                 lines, most);
}

}  // namespace pteproof
