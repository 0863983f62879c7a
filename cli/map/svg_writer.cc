#include "cli/map/svg_writer.h"

#include <fmt/format.h>

#include <iterator>

#include "cli/map/xml.h"

namespace pteproof {

std::string Pixels(double number) {
  std::string text = fmt::format("{:.1f}", number);
  if (text.ends_with(".0")) text.resize(text.size() - 2);
  return text == "-0" ? "0" : text;
}

void SvgWriter::Rect(std::string_view classes, const Box& box) {
  fmt::format_to(std::back_inserter(out_),
                 R"(<rect class="{}" x="{}" y="{}" width="{}" height="{}"/>)", classes,
                 Pixels(box.x), Pixels(box.y), Pixels(box.width), Pixels(box.height));
  out_ += '\n';
}

void SvgWriter::Line(std::string_view classes, double x1, double y1, double x2, double y2) {
  fmt::format_to(std::back_inserter(out_), R"(<path class="{}" d="M{} {}L{} {}"/>)", classes,
                 Pixels(x1), Pixels(y1), Pixels(x2), Pixels(y2));
  out_ += '\n';
}

void SvgWriter::Path(std::string_view classes, std::string_view data) {
  fmt::format_to(std::back_inserter(out_), R"(<path class="{}" d="{}"/>)", classes, data);
  out_ += '\n';
}

void SvgWriter::Text(std::string_view classes, double x, double y, std::string_view text) {
  fmt::format_to(std::back_inserter(out_), R"(<text class="{}" x="{}" y="{}">{}</text>)", classes,
                 Pixels(x), Pixels(y), Xml(text, kLongestLine));
  out_ += '\n';
}

void SvgWriter::TextUpwards(std::string_view classes, double x, double y, std::string_view text) {
  fmt::format_to(std::back_inserter(out_),
                 "<text class=\"{}\" transform=\"translate({} {})rotate(-90)\">{}</text>\n",
                 classes, Pixels(x), Pixels(y), Xml(text, kLongestLine));
}

void SvgWriter::Circle(std::string_view classes, double x, double y, double radius) {
  fmt::format_to(std::back_inserter(out_), R"(<circle class="{}" cx="{}" cy="{}" r="{}"/>)",
                 classes, Pixels(x), Pixels(y), Pixels(radius));
  out_ += '\n';
}

void SvgWriter::Title(std::string_view lines) {
  out_ += "<title>";
  out_ += XmlLines(lines);
  out_ += "</title>\n";
}

void SvgWriter::Open(std::string_view classes) {
  out_ += classes.empty() ? "<g>\n" : fmt::format("<g class=\"{}\">\n", classes);
}

void SvgWriter::Close() {
  out_ += "</g>\n";
}

}  // namespace pteproof
