#include "runtime/reader/delegates.h"

#include <fmt/format.h>

#include "runtime/file_rules.h"
#include "runtime/reader/segments.h"

namespace pteproof::reader {
namespace {

constexpr uint64_t kDelegateCharge = 20;
constexpr uint64_t kSpecCharge = 8;

void RefuseDelegate(const MethodScope& scope, uint32_t index, const void* wire,
                    std::string_view what) {
  Refuse(scope.context, rule::kFileDelegate,
         {.method = scope.out.name, .bytes = At(scope.context, wire)},
         fmt::format("Delegate {} {}", index, what));
}

// A blob inside the flatbuffer, or why there is none.
std::string ReadInlineBlob(const Context& context, const WireTables<schema::InlineBlob>* blobs,
                           uint32_t index, Bytes& out) {
  if (index >= Count(blobs)) {
    return fmt::format("names inline blob {}. The file has {} inline blobs.", index, Count(blobs));
  }
  const WireVector<uint8_t>* bytes = blobs->Get(index)->bytes();
  if (bytes == nullptr) return fmt::format("names inline blob {}, which has no bytes.", index);
  out = InFile(context, *bytes);
  return {};
}

std::string ReadBlob(const Context& context, const schema::Delegate& wire,
                     const WireTables<schema::InlineBlob>* blobs, Bytes& out) {
  const schema::BlobReference* reference = wire.blob();
  if (reference == nullptr) return "has no reference to a blob.";
  if (reference->source() == schema::BlobSource::Inline) {
    return ReadInlineBlob(context, blobs, reference->index(), out);
  }
  if (reference->source() != schema::BlobSource::Segment) {
    return fmt::format(
        "has its blob in location {}. Known locations are 0 (inline) and 1 (segment).",
        static_cast<int>(reference->source()));
  }
  const auto segment = SegmentBytes(context, reference->index());
  if (segment.has_value()) {
    out = *segment;
    return {};
  }
  return fmt::format("has its blob in segment {}. The file has {} segments.", reference->index(),
                     Count(context.segments));
}

void ReadCompileSpecs(const MethodScope& scope, uint32_t index, const schema::Delegate& wire,
                      std::vector<CompileSpec>& out) {
  const uint32_t count = Count(wire.compile_specs());
  if (!Charge(scope.context, kSpecCharge * count)) return;
  out.reserve(count);
  for (uint32_t i = 0; i < count && !scope.context.Stopped(); ++i) {
    const schema::CompileSpec& spec = *wire.compile_specs()->Get(i);
    if (spec.key() != nullptr && spec.value() != nullptr) [[likely]] {
      if (Charge(scope.context, kStringCharge + spec.key()->size()))
        out.push_back({std::string(View(spec.key())), InFile(scope.context, *spec.value())});
      continue;
    }
    RefuseDelegate(scope, index, &spec,
                   fmt::format("has compile spec {} without a {}.", i,
                               spec.key() == nullptr ? "key" : "value"));
  }
}

void ReadDelegate(const MethodScope& scope, uint32_t index, const schema::Delegate& wire,
                  const WireTables<schema::InlineBlob>* inline_blobs) {
  Delegate& out = scope.out.delegates.emplace_back();
  if (wire.id() == nullptr) {
    RefuseDelegate(scope, index, &wire, "has no id: a runtime finds the backend by the id.");
  } else if (Charge(scope.context, kStringCharge + wire.id()->size())) {
    out.id = View(wire.id());
  }
  const std::string fault = ReadBlob(scope.context, wire, inline_blobs, out.blob);
  if (!fault.empty()) RefuseDelegate(scope, index, &wire, fault);
  ReadCompileSpecs(scope, index, wire, out.specs);
}

}  // namespace

void ReadDelegates(const MethodScope& scope, const WireTables<schema::InlineBlob>* inline_blobs) {
  const WireTables<schema::Delegate>* wire = scope.wire.delegates();
  const uint32_t count = Count(wire);
  if (!Charge(scope.context, kDelegateCharge * count)) return;
  scope.out.delegates.reserve(count);
  for (uint32_t i = 0; i < count && !scope.context.Stopped(); ++i) {
    ReadDelegate(scope, i, *wire->Get(i), inline_blobs);
  }
}

}  // namespace pteproof::reader
