// What the colours and patterns of a map mean: those that occur in it.
#ifndef PTEPROOF_CLI_MAP_SVG_LEGEND_H_
#define PTEPROOF_CLI_MAP_SVG_LEGEND_H_

#include "cli/map/svg_writer.h"
#include "properties/picture/picture.h"

namespace pteproof {

// In lines from `y` on; returns where they end.
double DrawLegend(const picture::Picture& picture, double y, double width, SvgWriter& out);

}  // namespace pteproof

#endif  // PTEPROOF_CLI_MAP_SVG_LEGEND_H_
