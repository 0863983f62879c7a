#include "cli/map/style.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

namespace pteproof {
namespace {

// What does not depend on the colour scheme.
constexpr std::string_view kShapes =
    R"(.map{font-family:system-ui,-apple-system,"Segoe UI","Helvetica Neue",Arial,sans-serif}
.map text{font-size:11px}
.map .mono{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace}
.map .l{font-size:10px;pointer-events:none}
.map .a{font-size:10px}
.map .t{font-size:16px;font-weight:600}
.map .b{font-weight:600;font-size:12px}
.map .e{text-anchor:end}
.map .c{text-anchor:middle}
.map .bg,.map .fill{stroke:none}
.map path,.map .frame,.map .mark,.map .view{fill:none}
.map .grid{stroke-width:1}
.map .frame{stroke-width:1}
.map .k{stroke-width:.8}
.map .crowd{stroke:none}
.map .ribbon{stroke:none;opacity:.5}
.map .k4{stroke-dasharray:3 2}
.map .halo{paint-order:stroke;stroke-width:3.5px;stroke-linejoin:round}
.map .view{stroke-width:.8;stroke-dasharray:2 2}
.map .place,.map .phantom,.map .above,.map .clash,.map .doubt{stroke:none}
.map .start{stroke-width:2}
.map .write{stroke-width:1.6}
.map .load{stroke-width:1.5;stroke-dasharray:7 4}
.map .size{stroke-width:2}
.map .mark{stroke-width:2}
.map .there{stroke-dasharray:5 3}
.map .range{stroke-width:3}
.map .n{font-size:10px;font-weight:700;text-anchor:middle;pointer-events:none}
.map .place{fill:url(#hatch-place);opacity:.5}
.map .phantom{fill:url(#hatch-phantom)}
.map .above{fill:url(#hatch-above)}
.map .clash{fill:url(#hatch-clash)}
.map .doubt{fill:url(#hatch-doubt)}
)";

struct Rule {
  std::string_view selector;
  std::string_view property;
  std::string_view light;
  std::string_view dark;
};

constexpr auto kColours = std::to_array<Rule>({
    {".bg", "fill", "#ffffff", "#0d1117"},
    {"text", "fill", "#1f2328", "#e6edf3"},
    {".s", "fill", "#59636e", "#9198a1"},
    {".grid", "stroke", "#e4e8ec", "#262c34"},
    {".frame", "stroke", "#b6bfc9", "#484f58"},
    {".tick", "stroke", "#8c959f", "#6e7681"},
    {".k0", "fill", "#dcd2f3", "#3a2f63"},
    {".k0", "stroke", "#8168bd", "#a18be0"},
    {".k1", "fill", "#d0ead7", "#1c4a2c"},
    {".k1", "stroke", "#57a06e", "#5bb576"},
    {".k2", "fill", "#fde5b8", "#574214"},
    {".k2", "stroke", "#c0922f", "#d4a94c"},
    {".k3", "fill", "#d3e2f4", "#1e3a5f"},
    {".k3", "stroke", "#6f95c4", "#6a9bd8"},
    {".k4", "fill", "#f3f4f6", "#161b22"},
    {".k4", "stroke", "#8c959f", "#6e7681"},
    {".t0", "fill", "#8168bd", "#a18be0"},
    {".t1", "fill", "#57a06e", "#5bb576"},
    {".t2", "fill", "#c0922f", "#d4a94c"},
    {".t3", "fill", "#6f95c4", "#6a9bd8"},
    {".t4", "fill", "#b6bfc9", "#484f58"},
    {".halo", "stroke", "#ffffff", "#0d1117"},
    {".view,.start", "stroke", "#3d5a80", "#b8cbe4"},
    {".write", "stroke", "#5a3e9e", "#c9bbf2"},
    {".load", "stroke", "#12a188", "#3fd0b6"},
    {".size", "stroke", "#3b434b", "#c3ccd6"},
    {".mark,.range", "stroke", "#cf222e", "#ff6a69"},
    {".badge", "fill", "#cf222e", "#ff6a69"},
    {".open", "stroke", "#9a6700", "#e3b341"},
    {".badge-open", "fill", "#9a6700", "#e3b341"},
    {".n", "fill", "#ffffff", "#0d1117"},
    {".plain", "fill", "#59636e", "#9198a1"},
    {".crooked", "fill", "#cf222e", "#ff6a69"},
    {".error", "fill", "#cf222e", "#ff6a69"},
    {".warning", "fill", "#9a6700", "#e3b341"},
    {".safe", "fill", "#1a7f37", "#4ac26b"},
    {".h-place", "stroke", "#3d5a80", "#b8cbe4"},
    {".h-phantom", "stroke", "#b35900", "#e0894a"},
    {".h-above", "stroke", "#d5dae0", "#2b323b"},
    {".h-clash", "stroke", "#cf222e", "#ff6a69"},
    {".h-doubt", "stroke", "#9a6700", "#e3b341"},
});

// Lines of a hatching repeat after `pitch` pixels.
std::string Hatching(std::string_view name, int pitch, double width, int angle) {
  return fmt::format(
      "<pattern id=\"hatch-{0}\" width=\"{1}\" height=\"{1}\" patternUnits=\"userSpaceOnUse\" "
      "patternTransform=\"rotate({2})\"><path class=\"h-{0}\" stroke-width=\"{3}\" "
      "d=\"M0 0V{1}\"/></pattern>\n",
      name, pitch, angle, width);
}

}  // namespace

std::string MapStyle() {
  std::string light;
  std::string dark;
  for (const Rule& rule : kColours) {
    // A comma in the selector stands for two rules of the same colour.
    std::string_view rest = rule.selector;
    while (!rest.empty()) {
      const std::string_view one = rest.substr(0, rest.find(','));
      light += fmt::format(".map {}{{{}:{}}}\n", one, rule.property, rule.light);
      dark += fmt::format(".map {}{{{}:{}}}\n", one, rule.property, rule.dark);
      rest.remove_prefix(std::min(rest.size(), one.size() + 1));
    }
  }
  // The shapes come last: they take some colours away.
  return fmt::format("{}@media (prefers-color-scheme:dark){{\n{}}}\n{}", light, dark, kShapes);
}

std::string MapPatterns() {
  constexpr int kSlash = 45;
  constexpr int kBackslash = -45;
  return "<defs>\n" + Hatching("place", 5, 1.2, kSlash) + Hatching("phantom", 6, 1.6, kBackslash) +
         Hatching("above", 7, 1.5, kBackslash) + Hatching("clash", 6, 1.5, kSlash) +
         Hatching("doubt", 6, 1.5, kSlash) + "</defs>\n";
}

}  // namespace pteproof
