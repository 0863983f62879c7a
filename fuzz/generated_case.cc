#include "fuzz/generated_case.h"

#include "fuzz/byte_source.h"
#include "fuzz/envelope.h"
#include "properties/generators/draw.h"
#include "reference/graph/print.h"

namespace pteproof::fuzz {
namespace {

// Of 100: half a campaign's cases, which is where speed and what a case shows are in balance.
constexpr int kSize = 50;

}  // namespace

GeneratedCase GeneratedFrom(Bytes choices) {
  ByteSource source(choices);
  GeneratedCase made;
  made.setting = source.Word(2);
  made.c = generators::BuildCase(generators::DrawCase([&] { return source.Word(); }, kSize));
  return made;
}

std::vector<std::byte> EnvelopeOf(Bytes choices) {
  const std::string text = graph::Print(GeneratedFrom(choices).c.module);
  return SealEnvelope({choices, text});
}

}  // namespace pteproof::fuzz
