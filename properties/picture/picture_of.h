// From a program and its report to the picture of its plan.
#ifndef PTEPROOF_PROPERTIES_PICTURE_PICTURE_OF_H_
#define PTEPROOF_PROPERTIES_PICTURE_PICTURE_OF_H_

#include <string_view>

#include "properties/picture/picture.h"
#include "pteproof/finding.h"
#include "pteproof/manifest.h"
#include "pteproof/program.h"
#include "pteproof/report.h"

namespace pteproof::picture {

struct PictureOptions {
  const Manifest* manifest = nullptr;  // that the report was made with
  Policy policy = Policy::kShare12;    // which banks methods share, and which findings count
};

// The report must be this program's. Never fails; O(n log n) for straight-line code.
[[nodiscard]] Picture PictureOf(const Program& program, const Report& report,
                                const PictureOptions& options = {});

// The same without the other methods. No change if there is no method of that name.
[[nodiscard]] Picture OnlyMethod(Picture picture, std::string_view method);

// The picture of one bank. Methods that plan nothing there are among those without memory.
[[nodiscard]] Picture OnlyBank(Picture picture, uint32_t id);

// A method's time around one of its instructions, which must be in range: the storages in use then.
[[nodiscard]] Picture Around(Picture picture, size_t method, int32_t instruction);

}  // namespace pteproof::picture

#endif  // PTEPROOF_PROPERTIES_PICTURE_PICTURE_OF_H_
