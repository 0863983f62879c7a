// Stored bytes as text: what is short or repeats itself is written out, other bytes are referred to
// if they lie in a file.
#include <fmt/format.h>

#include <algorithm>

#include "reference/text/literals.h"
#include "runtime/pteasm/limits.h"
#include "runtime/pteasm/printer.h"

namespace pteproof::pteasm {
namespace {

constexpr size_t kShortBytes = 64;
constexpr size_t kMostElements = 16;  // written out though a file holds them; also of one line
constexpr size_t kFewElements = 4;    // written out though they are equal
constexpr size_t kHexLine = 32;       // bytes

bool IsZero(Bytes bytes) {
  return std::ranges::all_of(bytes, [](std::byte byte) { return byte == std::byte{0}; });
}

bool Repeats(Bytes bytes, size_t length) {
  return std::ranges::equal(bytes.subspan(length), bytes.first(bytes.size() - length));
}

// Takes the bytes from those that patterns may stand for.
bool MayFill(Printer& printer, uint64_t bytes) {
  if (bytes > kMostFilled - printer.filled) return false;
  printer.filled += bytes;
  return true;
}

bool PrintReference(Printer& printer, Bytes bytes) {
  const auto ref = printer.refer ? printer.refer(bytes) : std::nullopt;
  if (ref) printer.text += text::DataText(*ref);
  return ref.has_value();
}

void PrintHex(Printer& printer, Bytes bytes, std::string_view indent) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  printer.text += "hex";
  for (size_t at = 0; at < bytes.size(); at += kHexLine) {
    if (bytes.size() > kHexLine) printer.text.append("\n").append(indent);
    printer.text += bytes.size() > kHexLine ? "\"" : " \"";
    for (const std::byte byte : bytes.subspan(at, std::min(kHexLine, bytes.size() - at))) {
      const auto number = static_cast<unsigned>(byte);
      printer.text += {kDigits[number >> 4U], kDigits[number & 15U]};
    }
    printer.text += '"';
  }
}

bool IsPrintable(Bytes bytes) {
  return std::ranges::all_of(bytes, [](std::byte byte) {
    const auto c = static_cast<unsigned>(byte);
    return (c >= 0x20 && c < 0x7f) || c == '\n' || c == '\t';
  });
}

bool IsStored(const Tensor& tensor) {
  return tensor.data_index > 0 && !tensor.external && (!tensor.planned || tensor.nbytes > 0);
}

std::string NameOfEntry(const StoredEntry& entry) {
  return fmt::format("@{}{}", entry.first ? "initial" : "constant", entry.second);
}

}  // namespace

void FindShared(Printer& printer) {
  std::map<StoredEntry, std::pair<uint64_t, uint64_t>> lengths;  // the least and the most
  for (const Method& method : printer.program.methods) {
    for (const Tensor& tensor : method.tensors) {
      if (!IsStored(tensor)) continue;
      const StoredEntry entry{tensor.planned, tensor.data_index};
      auto& [least, most] =
          lengths.try_emplace(entry, std::pair(tensor.nbytes, tensor.nbytes)).first->second;
      least = std::min(least, tensor.nbytes);
      most = std::max(most, tensor.nbytes);
    }
  }
  for (const auto& [entry, length] : lengths) {
    if (length.first != length.second) printer.shared.emplace(entry, length.second);
  }
}

void PrintShared(Printer& printer) {
  for (const auto& [entry, length] : printer.shared) {
    const auto& table = entry.first ? printer.program.initial_values : printer.program.constants;
    printer.text += "\ncontents " + NameOfEntry(entry) + " = ";
    PrintBlob(printer, table[entry.second].first(length), "  ");
    printer.text += "\n";
  }
}

void PrintContents(Printer& printer, const Tensor& tensor) {
  const StoredEntry entry{tensor.planned, tensor.data_index};
  if (printer.shared.contains(entry)) {
    printer.text += " = " + NameOfEntry(entry);
    return;
  }
  const auto& table = tensor.planned ? printer.program.initial_values : printer.program.constants;
  const Bytes bytes = table[tensor.data_index].first(tensor.nbytes);
  const size_t width = ElementSize(tensor.dtype);
  const size_t count = bytes.size() / width;
  const TensorValue value{
      tensor.dtype, {static_cast<int64_t>(count)}, TensorBytes::ViewOf(bytes, nullptr)};
  printer.text += " = ";
  if (count > kFewElements && Repeats(bytes, width) && MayFill(printer, bytes.size())) {
    printer.text += IsZero(bytes) ? "zeros" : "fill " + text::ElementText(value, 0);
    return;
  }
  if (count > kMostElements && PrintReference(printer, bytes)) return;
  printer.text += "[";
  for (size_t i = 0; i < count; ++i) {
    if (i > 0) printer.text += i % kMostElements == 0 ? ",\n    " : ", ";
    printer.text += text::ElementText(value, static_cast<int64_t>(i));
  }
  printer.text += "]";
}

void PrintBlob(Printer& printer, Bytes bytes, std::string_view indent) {
  const bool is_short = bytes.size() <= kShortBytes;
  if (is_short && IsPrintable(bytes)) {
    printer.text += text::QuotedText({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
  } else if (!is_short && IsZero(bytes) && MayFill(printer, bytes.size())) {
    printer.text += fmt::format("zeros({})", bytes.size());
  } else if (is_short || !PrintReference(printer, bytes)) {
    PrintHex(printer, bytes, indent);
  }
}

}  // namespace pteproof::pteasm
