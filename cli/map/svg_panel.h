// One panel of a map: a method's use of a bank.
#ifndef PTEPROOF_CLI_MAP_SVG_PANEL_H_
#define PTEPROOF_CLI_MAP_SVG_PANEL_H_

#include <cstddef>
#include <span>
#include <vector>

#include "cli/map/layout.h"
#include "cli/map/svg_writer.h"
#include "properties/picture/picture.h"
#include "pteproof/finding.h"

namespace pteproof {

struct PanelView {
  const picture::MethodAxis& axis;
  const picture::Bank& bank;
  const picture::Panel& panel;
  const PlotBox& plot;
  double least_area = 0;      // square pixels below which storages are drawn as a crowd
  bool has_byte_axis = true;  // on its left
  std::span<const Finding> findings = {};  // of the report
  std::span<const int> number_of = {};     // per finding: its number on the page, 0: none
};

// Square pixels of a storage where it is largest.
[[nodiscard]] double LargestArea(const picture::Storage& storage, const PlotBox& plot);

// Everything of the panel, its axes included.
void DrawPanel(const PanelView& view, SvgWriter& out);

// The storages with what lies in them, without labels.
void DrawStorages(const PanelView& view, SvgWriter& out);

// Where findings show: no label may cover a number, and one over hatching needs a halo.
struct MarkBoxes {
  std::vector<Box> numbers;
  std::vector<Box> hatched;
};

[[nodiscard]] MarkBoxes DrawMarks(const PanelView& view, SvgWriter& out);

// Names, where they fit and cover no number and no other name.
void DrawLabels(const PanelView& view, const MarkBoxes& marks, SvgWriter& out);

}  // namespace pteproof

#endif  // PTEPROOF_CLI_MAP_SVG_PANEL_H_
