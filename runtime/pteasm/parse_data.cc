// Stored bytes: of tensors, and without a type.
#include "base/checked_math.h"
#include "reference/tensor_value.h"
#include "reference/text/elements.h"
#include "runtime/pteasm/limits.h"
#include "runtime/pteasm/parser.h"

namespace pteproof::pteasm {
namespace {

Bytes Keep(Parser& parser, TensorBytes bytes) {
  const TensorBytes& kept = parser.out.contents.emplace_back(std::move(bytes));
  return {kept.data(), kept.size()};
}

// Whether the text may have so many more bytes by a few words.
bool MayFillMore(Parser& parser, Position at, uint64_t bytes) {
  if (bytes > kMostFilled - parser.filled) {
    return parser.Fail(at, std::to_string(bytes) + " bytes: 'zeros' and 'fill' of a text make " +
                               std::to_string(kMostFilled) +
                               " bytes at most. Refer to a file: data \"NAME\"[offset, bytes, "
                               "\"sha256\"]");
  }
  parser.filled += bytes;
  return true;
}

bool TakeData(Parser& parser, Position at, const text::DataRef& ref, Bytes& out) {
  auto bytes = parser.data_of(ref);
  if (!bytes.ok()) return parser.Fail(at, bytes.error());
  if (!bytes.value()) return parser.Fail(at, "the data are not there");
  out = Keep(parser, *std::move(bytes).value());
  parser.out.references.emplace_back(out, ref);
  return true;
}

bool ParseData(Parser& parser, uint64_t needed, Bytes& out) {
  const Position at = parser.token.at;
  text::DataRef ref;
  if (!ParseDataRef(parser, ref)) return false;
  if (static_cast<uint64_t>(ref.bytes) != needed) {
    return parser.Fail(at, "the data have " + std::to_string(ref.bytes) +
                               " bytes, and the type needs " + std::to_string(needed));
  }
  return TakeData(parser, at, ref, out);
}

// `zeros`, or `fill 0.5`.
bool ParseFill(Parser& parser, const Tensor& tensor, Bytes& out) {
  const Position at = parser.token.at;
  TensorValue element = Zeros(tensor.dtype, {1});
  const bool zeros = parser.IsWord("zeros");
  if (!parser.Advance() || (!zeros && !ParseElement(parser, element))) return false;
  if (!MayFillMore(parser, at, tensor.nbytes)) return false;
  std::vector<std::byte> bytes(tensor.nbytes);
  const std::span<const std::byte> unit = ElementBytes(std::as_const(element), 0);
  for (size_t i = 0; !zeros && i < bytes.size(); ++i) bytes[i] = unit[i % unit.size()];
  out = Keep(parser, std::move(bytes));
  return true;
}

bool ParseTensorBytes(Parser& parser, const Tensor& tensor, Bytes& out) {
  if (parser.IsWord("zeros") || parser.IsWord("fill")) return ParseFill(parser, tensor, out);
  if (parser.IsWord("data")) return ParseData(parser, tensor.nbytes, out);
  TensorValue value;
  value.dtype = tensor.dtype;
  const auto elements = static_cast<int64_t>(tensor.nbytes / ElementSize(tensor.dtype));
  if (!ParseElements(parser, elements, value)) return false;
  out = Keep(parser, std::move(value.bytes));
  return true;
}

std::optional<unsigned> HexValue(char c) {
  if (c >= '0' && c <= '9') return static_cast<unsigned>(c - '0');
  if (c >= 'a' && c <= 'f') return static_cast<unsigned>(c - 'a') + 10;
  if (c >= 'A' && c <= 'F') return static_cast<unsigned>(c - 'A') + 10;
  return std::nullopt;
}

// The text between quotes, two digits a byte.
bool AppendHex(Parser& parser, std::string_view digits, std::vector<std::byte>& bytes) {
  for (size_t i = 0; i < digits.size(); i += 2) {
    const auto high = HexValue(digits[i]);
    const auto low = i + 1 < digits.size() ? HexValue(digits[i + 1]) : std::nullopt;
    if (!high || !low) return parser.FailHere("bytes have two digits each, of 0 to 9 and a to f");
    bytes.push_back(static_cast<std::byte>(*high << 4U | *low));
  }
  return true;
}

// One text in quotes, or several that follow each other.
bool ParseTexts(Parser& parser, bool hex, Bytes& out) {
  std::vector<std::byte> bytes;
  do {
    if (hex && parser.token.kind == TokenKind::kText) {
      const std::string_view quoted = parser.token.text;
      if (!AppendHex(parser, quoted.substr(1, quoted.size() - 2), bytes)) return false;
      if (!parser.Advance()) return false;
      continue;
    }
    std::string text;
    if (!parser.ExpectQuoted("bytes as a text in quotes", text)) return false;
    const auto more = std::as_bytes(std::span(text));
    bytes.insert(bytes.end(), more.begin(), more.end());
  } while (parser.token.kind == TokenKind::kText);
  out = Keep(parser, std::move(bytes));
  return true;
}

bool ParseZeroBytes(Parser& parser, Bytes& out) {
  uint64_t count = 0;
  const Position at = parser.token.at;
  if (!parser.Advance() || !parser.ExpectSign("(")) return false;
  if (!ParseUint64(parser, "a number of bytes", count) || !parser.ExpectSign(")")) return false;
  if (!MayFillMore(parser, at, count)) return false;
  out = Keep(parser, std::vector<std::byte>(count));
  return true;
}

// A new entry of the initial values or of the constants.
uint32_t AddEntry(Parser& parser, bool planned, Bytes bytes) {
  auto& table = planned ? parser.out.program.initial_values : parser.out.program.constants;
  if (table.empty()) table.emplace_back();  // index 0 is reserved
  table.push_back(bytes);
  return static_cast<uint32_t>(table.size() - 1);
}

// `= @w`: the first bytes of contents that have a name.
bool TakeShared(Parser& parser, Tensor& tensor) {
  const auto found = parser.shared.find(parser.token.text);
  if (found == parser.shared.end()) {
    return parser.FailHere(
        "there are no contents of this name. Say them before the methods: "
        "contents @" +
        std::string(parser.token.text.substr(0, 40)) + " = ...");
  }
  SharedContents& shared = found->second;
  if (tensor.nbytes > shared.bytes.size()) {
    return parser.FailHere("these contents have " + std::to_string(shared.bytes.size()) +
                           " bytes, and the type needs " + std::to_string(tensor.nbytes));
  }
  uint32_t& entry = tensor.planned ? shared.initial : shared.constant;
  if (entry == 0) entry = AddEntry(parser, tensor.planned, shared.bytes);
  if (!tensor.planned || tensor.nbytes > 0) tensor.data_index = entry;
  return parser.Advance();
}

}  // namespace

bool ParseShared(Parser& parser) {
  if (!parser.Advance()) return false;
  const Position at = parser.token.at;
  std::string_view name;
  if (!parser.ExpectName(TokenKind::kBuffer, "a name ('@...')", name)) return false;
  SharedContents shared;
  if (!parser.ExpectSign("=") || !ParseBlob(parser, shared.bytes)) return false;
  if (parser.shared.emplace(name, shared).second) return true;
  return parser.Fail(at, "there are contents of this name already. Use another name");
}

bool ParseContents(Parser& parser, int32_t value) {
  Draft& draft = parser.draft;
  const Symbol& symbol = draft.symbols[static_cast<size_t>(value)];
  const Value& held = draft.method.values[static_cast<size_t>(value)];
  if (!symbol.declared || held.kind != ValueKind::kTensor) {
    return parser.FailHere(NameOf(symbol) +
                           " is not a tensor so far, and only tensors have contents. Say its type "
                           "first: '" +
                           NameOf(symbol) + ": float32[2] = [0.5, 1.0]'");
  }
  Tensor& tensor = draft.method.tensors[held.tensor];
  if (tensor.external || tensor.data_index > 0) {
    return parser.FailHere(NameOf(symbol) + (tensor.external
                                                 ? " is external: its contents are in a data file"
                                                 : " has its contents already. Say them once"));
  }
  if (parser.token.kind == TokenKind::kBuffer) return TakeShared(parser, tensor);
  Bytes bytes;
  if (!ParseTensorBytes(parser, tensor, bytes)) return false;
  if (tensor.planned && bytes.empty()) return true;  // nothing to store
  tensor.data_index = AddEntry(parser, tensor.planned, bytes);
  return true;
}

bool ParseBlob(Parser& parser, Bytes& blob) {
  if (parser.IsWord("zeros")) return ParseZeroBytes(parser, blob);
  if (parser.IsWord("data")) {
    const Position at = parser.token.at;
    text::DataRef ref;
    return ParseDataRef(parser, ref) && TakeData(parser, at, ref, blob);
  }
  const bool hex = parser.IsWord("hex");
  if (hex && !parser.Advance()) return false;
  return ParseTexts(parser, hex, blob);
}

}  // namespace pteproof::pteasm
