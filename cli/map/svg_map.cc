#include "cli/map/svg_map.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <span>
#include <string_view>
#include <vector>

#include "base/finding_names.h"
#include "cli/io/terminal.h"
#include "cli/map/layout.h"
#include "cli/map/style.h"
#include "cli/map/svg_findings.h"
#include "cli/map/svg_legend.h"
#include "cli/map/svg_panel.h"
#include "cli/map/svg_ribbons.h"
#include "cli/map/svg_writer.h"
#include "cli/map/xml.h"
#include "cli/render/trust_words.h"

namespace pteproof {
namespace {

using picture::Bank;
using picture::Panel;
using picture::Picture;
using picture::Storage;

constexpr double kTitleHeight = 84;  // up to the legend's first line

std::string Coloured(std::string_view word) {
  return fmt::format("<tspan class=\"{} b\">{}</tspan>", ColourClass(word), word);
}

// The verdict, or one for each policy.
std::string VerdictText(const FileReport& report) {
  if (report.policy) {
    return fmt::format("{} with {} ({})", Coloured(VerdictWord(report)), LoaderName(*report.policy),
                       Name(*report.policy));
  }
  std::string text;
  for (const Policy policy : kAllPolicies) {
    text += fmt::format("{}{} {}", text.empty() ? "" : " \u00b7 ", Name(policy),
                        Coloured(VerdictWord(report, policy)));
  }
  return text;
}

// Lines below the verdict: how banks are drawn, and whose word the verdict is.
std::vector<std::string> LinesBelow(const FileReport& report, const Picture& picture) {
  std::vector<std::string> lines;
  if (!report.policy && picture.methods.size() > 1) {
    lines.push_back(fmt::format("No policy is chosen: drawn as under {}.", Name(picture.policy)));
  }
  constexpr size_t kSeparator = 2;  // from the verdict, which stands in another line
  const std::string trust = TrustWords(report);
  if (!trust.empty()) lines.push_back(trust.substr(kSeparator));
  return lines;
}

// File, verdict and, if there is something to say of it, more lines; returns where the legend
// begins.
double DrawTitle(const FileReport& report, const Picture& picture, double width, SvgWriter& out) {
  constexpr double kTitlePitch = 9.8;
  constexpr double kTextPitch = 6.4;
  const auto columns = [&](double pitch) {
    return static_cast<size_t>((width - 2 * kMapMargin) / pitch);
  };
  out.Text("mono t", kMapMargin, kMapMargin + 12, QuotePath(report.file, columns(kTitlePitch)));
  out.Raw(fmt::format("<text x=\"{}\" y=\"{}\">{}</text>\n", Pixels(kMapMargin),
                      Pixels(kMapMargin + 34), VerdictText(report)));
  constexpr double kLine = 18;
  double below = 0;
  for (const std::string& line : LinesBelow(report, picture)) {
    below += kLine;
    out.Text("s", kMapMargin, kMapMargin + 34 + below, Fitted(line, columns(kTextPitch)));
  }
  return kTitleHeight + below;
}

// Square pixels below which storages are drawn as a crowd, so that not too many remain.
double LeastArea(const Picture& picture, const MapLayout& layout) {
  constexpr double kNoise = 1.001;     // equal ones are treated alike
  constexpr size_t kMostDrawn = 4000;  // rectangles with words of their own: some megabytes
  std::vector<double> areas;
  for (size_t b = 0; b < picture.banks.size(); ++b) {
    for (const Panel& panel : picture.banks[b].panels) {
      for (const Storage& storage : panel.storages) {
        areas.push_back(LargestArea(storage, layout.rows[b].plots[panel.method]));
      }
    }
  }
  if (areas.size() <= kMostDrawn) return 0;
  const auto last = areas.begin() + kMostDrawn;
  std::ranges::nth_element(areas, last, std::ranges::greater());
  return *last * kNoise;
}

std::string BankTitle(const Picture& picture, const Bank& bank) {
  if (picture.methods.size() < 2) return "";
  return fmt::format("{} under {}", bank.shared ? "one for all methods" : "each method has its own",
                     Name(picture.policy));
}

void DrawRow(const FileReport& report, const Picture& picture, const Bank& bank, const BankRow& row,
             double least_area, SvgWriter& out) {
  const std::vector<int> numbers = FindingNumbers(report, picture);
  out.Text("b", kMapMargin, row.top + 12, fmt::format("bank {}", bank.id));
  out.Text("s", kMapMargin + kAxisWidth, row.top + 12, BankTitle(picture, bank));
  if (bank.shared) DrawRibbons(bank, row, out);
  bool has_axis = false;
  for (const Panel& panel : bank.panels) {
    const bool needs_axis = panel.is_there && !(bank.shared && has_axis);
    has_axis = has_axis || needs_axis;
    DrawPanel({picture.methods[panel.method], bank, panel, row.plots[panel.method], least_area,
               needs_axis, report.report.findings, numbers},
              out);
  }
}

// The names of the methods that have no panels, in as many lines as they need; where they end.
double DrawMethodsWithoutMemory(const Picture& picture, double top, SvgWriter& out) {
  constexpr double kListLine = 15;
  const auto columns = static_cast<size_t>((MapWidth(picture) - 2 * kMapMargin) / kCaptionPitch);
  std::string line = "Without planned memory:";
  for (const std::string& name : picture.without_memory) {
    const std::string quoted = " " + Fitted(Quote(name), columns - 1);
    if (TextColumns(line) + TextColumns(quoted) > columns) {
      out.Text("mono s", kMapMargin, top + 12, line);
      top += kListLine;
      line.clear();
    }
    line += quoted;
  }
  if (picture.without_memory.empty()) return top;
  out.Text("mono s", kMapMargin, top + 12, line);
  return top + kListLine + 9;
}

// The legend and all banks, from `top` on; where they end.
double DrawBanks(const FileReport& report, const Picture& picture, double top, SvgWriter& out) {
  const double legend_end = DrawLegend(picture, top, MapWidth(picture), out);
  const MapLayout layout = LayOut(picture, legend_end + 4);
  const double least_area = LeastArea(picture, layout);
  for (size_t b = 0; b < picture.banks.size(); ++b) {
    DrawRow(report, picture, picture.banks[b], layout.rows[b], least_area, out);
  }
  double bottom = layout.bottom;
  if (picture.banks.empty()) {
    out.Text("s", kMapMargin, bottom + 12, "No method has planned memory.");
    bottom += 24;
  }
  return DrawMethodsWithoutMemory(picture, bottom, out);
}

std::string Wrapped(const FileReport& report, std::string_view inside, double width,
                    double height) {
  std::string text = fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"map\" role=\"img\" width=\"{0}\" "
      "height=\"{1}\" viewBox=\"0 0 {0} {1}\" aria-label=\"memory plan of {2}\">\n",
      Pixels(std::ceil(width)), Pixels(std::ceil(height)),
      Xml(ShortPath(report.file, kLongestLine), kLongestLine));
  text += fmt::format("<style>\n{}</style>\n{}", MapStyle(), MapPatterns());
  text += "<rect class=\"bg\" width=\"100%\" height=\"100%\"/>\n";
  return fmt::format("{}{}</svg>\n", text, inside);
}

}  // namespace

std::string SvgMap(const FileReport& report, const Picture& picture) {
  SvgWriter out;
  const double width = MapWidth(picture);
  const double top = DrawTitle(report, picture, width, out);
  double bottom = DrawBanks(report, picture, top, out);
  bottom = DrawFindings(report, picture, bottom + 8, out);
  return Wrapped(report, out.text(), width, bottom + kMapMargin - 8);
}

}  // namespace pteproof
