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

}  // namespace pteproof::picture

#endif  // PTEPROOF_PROPERTIES_PICTURE_PICTURE_OF_H_
