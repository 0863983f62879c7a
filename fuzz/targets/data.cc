// What stands beside a program: a `.ptd`, a `.bpte`, a manifest. Which one it is, the bytes say.
#include <string_view>
#include <variant>

#include "fuzz/bounds.h"
#include "fuzz/require.h"
#include "fuzz/targets/targets.h"
#include "properties/manifest/fit.h"
#include "properties/manifest/render.h"
#include "pteproof/manifest.h"
#include "pteproof/read.h"
#include "runtime/file_kind.h"
#include "runtime/read_bundle.h"
#include "runtime/read_data.h"

namespace pteproof::fuzz {
namespace {

Stage TryData(Bytes input) {
  const ReaderBounds bounds;
  const auto data = ReadDataFile(input);
  bounds.Require(input.size(), [&] { static_cast<void>(ReadDataFile(input)); });
  if (!data.ok()) {
    RequireReasons(data.error());
    return Stage::kRefused;
  }
  for (const DataEntry& entry : data.value().entries) {
    Require(!entry.key.empty(), "entries have keys");
    const uint64_t needed = entry.layout ? entry.layout->nbytes : 0;
    Require(needed <= entry.blob.size(), "entries are whole");
  }
  return Stage::kRead;
}

void RequireWhole(const std::vector<BundleValue>& values) {
  for (const BundleValue& value : values) {
    const auto* tensor = std::get_if<BundleTensor>(&value);
    Require(tensor == nullptr || tensor->data.size() == tensor->layout.nbytes,
            "tensors of a bundle are whole");
  }
}

Stage TryBundle(Bytes input) {
  const ReaderBounds bounds;
  const auto bundle = ReadBundle(input);
  bounds.Require(input.size(), [&] { static_cast<void>(ReadBundle(input)); });
  if (!bundle.ok()) {
    RequireReasons(bundle.error());
    return Stage::kRefused;
  }
  for (const BundleSuite& suite : bundle.value().suites) {
    Require(!suite.method.empty(), "suites have methods");
    for (const BundleCase& one : suite.cases) {
      RequireWhole(one.inputs);
      RequireWhole(one.expected_outputs);
    }
  }
  const auto program = ReadProgram(bundle.value().program);
  if (!program.ok()) return Stage::kRead;
  Require(CheckBundle(program.value(), bundle.value()).size() <= kMaxFileFindings,
          "a refusal is not endless");
  return Stage::kJudged;
}

Stage TryManifest(Bytes input) {
  const std::string_view json(reinterpret_cast<const char*>(input.data()), input.size());
  const auto manifest = ParseManifest(json);
  if (!manifest.ok()) {
    Require(!manifest.error().empty(), "a refusal has a reason");
    return Stage::kRefused;
  }
  const std::string rendered = RenderManifest(manifest.value());
  const auto again = ParseManifest(rendered);
  Require(again.ok(), "what was rendered can be parsed");
  Require(RenderManifest(again.value()) == rendered, "rendering changes nothing");
  return Stage::kRead;
}

}  // namespace

Stage FuzzData(Bytes input) {
  switch (Sniff(input)) {
    case FileKind::kData:
      return TryData(input);
    case FileKind::kBundle:
      return TryBundle(input);
    default:
      return TryManifest(input);
  }
}

}  // namespace pteproof::fuzz
