// State that methods share, from panel to panel: level where they agree on its bytes.
#ifndef PTEPROOF_CLI_MAP_SVG_RIBBONS_H_
#define PTEPROOF_CLI_MAP_SVG_RIBBONS_H_

#include "cli/map/layout.h"
#include "cli/map/svg_writer.h"
#include "properties/picture/picture.h"

namespace pteproof {

// Joins the same state of each two neighbours, by name, or by its bytes where it has none.
void DrawRibbons(const picture::Bank& bank, const BankRow& row, SvgWriter& out);

}  // namespace pteproof

#endif  // PTEPROOF_CLI_MAP_SVG_RIBBONS_H_
