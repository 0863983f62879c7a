#include "fuzz/envelope.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <iterator>

namespace pteproof::fuzz {
namespace {

constexpr std::string_view kMark = "pteproof-envelope ";

std::string_view TextIn(Bytes bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

}  // namespace

std::optional<Envelope> OpenEnvelope(Bytes input) {
  const std::string_view text = TextIn(input);
  if (!text.starts_with(kMark)) return std::nullopt;
  size_t count = 0;
  const char* end = text.data() + text.size();
  const auto [after, error] = std::from_chars(text.data() + kMark.size(), end, count);
  if (error != std::errc() || after == end || *after != '\n') return std::nullopt;
  const Bytes rest = input.subspan(static_cast<size_t>(after + 1 - text.data()));
  if (count > rest.size()) return std::nullopt;
  return Envelope{rest.first(count), TextIn(rest.subspan(count))};
}

std::vector<std::byte> SealEnvelope(const Envelope& envelope) {
  const std::string line = fmt::format("{}{}\n", kMark, envelope.choices.size());
  std::vector<std::byte> sealed;
  std::ranges::copy(std::as_bytes(std::span(line)), std::back_inserter(sealed));
  std::ranges::copy(envelope.choices, std::back_inserter(sealed));
  std::ranges::copy(std::as_bytes(std::span(envelope.module)), std::back_inserter(sealed));
  return sealed;
}

}  // namespace pteproof::fuzz
