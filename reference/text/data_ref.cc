#include "reference/text/data_ref.h"

#include <limits>

#include "base/checked_math.h"
#include "reference/text/literals.h"
#include "reference/text/token_reader.h"

namespace pteproof::text {
namespace {

bool ParseSha256(TokenReader& parser, std::string& sha256) {
  const Position at = parser.token.at;
  if (!parser.ExpectQuoted("a SHA-256 in quotes", sha256)) return false;
  const bool good =
      sha256.size() == 64 && sha256.find_first_not_of("0123456789abcdef") == std::string::npos;
  return good || parser.Fail(at, "a SHA-256 has 64 digits of 0 to 9 and a to f");
}

}  // namespace

Result<std::optional<TensorBytes>, std::string> NoData(const DataRef& ref) {
  return "the values lie in file " + QuotedText(ref.file) +
         ", and this text comes without files; write them as [...]";
}

std::string DataText(const DataRef& data) {
  std::string text = "data " + QuotedText(data.file) + "[" + std::to_string(data.offset) + ", " +
                     std::to_string(data.bytes);
  if (!data.sha256.empty()) text += ", " + QuotedText(data.sha256);
  return text + "]";
}

bool ParseDataRef(TokenReader& reader, DataRef& ref) {
  constexpr int64_t kMost = std::numeric_limits<int64_t>::max();
  const Position at = reader.token.at;
  if (!reader.Advance() || !reader.ExpectQuoted("a file's name in quotes", ref.file)) return false;
  if (!reader.ExpectSign("[") || !reader.ExpectCount("an offset", kMost, ref.offset)) return false;
  if (!reader.ExpectSign(",") || !reader.ExpectCount("a number of bytes", kMost, ref.bytes))
    return false;
  if (reader.IsSign(",")) {
    if (!reader.Advance() || !ParseSha256(reader, ref.sha256)) return false;
  }
  if (!reader.ExpectSign("]")) return false;
  return CheckedAdd(ref.offset, ref.bytes) || reader.Fail(at, "no file is that long");
}

}  // namespace pteproof::text
