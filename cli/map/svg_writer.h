// The few SVG elements that a map is made of, as text. Text that comes from files is escaped here.
#ifndef PTEPROOF_CLI_MAP_SVG_WRITER_H_
#define PTEPROOF_CLI_MAP_SVG_WRITER_H_

#include <cstdint>
#include <string>
#include <string_view>

namespace pteproof {

inline constexpr double kSmallPitch = 6.05;    // width of a character of class "mono a" or "mono l"
inline constexpr double kCaptionPitch = 7.25;  // of class "mono b"

struct Box {
  double x = 0;
  double y = 0;
  double width = 0;
  double height = 0;

  [[nodiscard]] bool Meets(const Box& other) const {
    return x < other.x + other.width && other.x < x + width && y < other.y + other.height &&
           other.y < y + height;
  }
};

// "12.5", "3": one decimal at most.
[[nodiscard]] std::string Pixels(double number);

class SvgWriter {
 public:
  void Rect(std::string_view classes, const Box& box);
  void Line(std::string_view classes, double x1, double y1, double x2, double y2);
  // `data` is an SVG path.
  void Path(std::string_view classes, std::string_view data);
  // Begins at (x, y), the baseline; class "e" lets it end there, "c" lie around there.
  void Text(std::string_view classes, double x, double y, std::string_view text);
  // The same upwards from (x, y).
  void TextUpwards(std::string_view classes, double x, double y, std::string_view text);
  void Circle(std::string_view classes, double x, double y, double radius);
  // What a pointer over the open group shows; several lines.
  void Title(std::string_view lines);
  void Open(std::string_view classes);  // a group
  void Close();
  void Raw(std::string_view text) { out_ += text; }

  [[nodiscard]] const std::string& text() const { return out_; }

 private:
  std::string out_;
};

}  // namespace pteproof

#endif  // PTEPROOF_CLI_MAP_SVG_WRITER_H_
