// Idea. Bytes become a Program in steps that each trust only what an earlier step has checked: the
// container (layout.cc), the structure of the flatbuffer (FlatBuffers' verifier), then the content
// of the tables, method by method. A step refuses with a finding and goes on, so that one run lists
// many faults.
//
//   file -> layout -> verifier -> segments -> constants -> methods (values, calls) -> Program
//           stops     stops       each of these records findings and continues
//
// Tables may be shared by many references, so that a small file can describe a large program. Each
// visit of bytes is paid for from a budget of about twice the size of the tables; a file that
// spends it is refused.
//
// Invariant: no index, length or offset of the file is used before it was compared with its range.
// Cost: time and memory are within 16 times the file's size plus 1 MB, whatever the file contains,
// and what delegates' blobs say (runtime/delegates) in proportion to their bytes.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <memory>

#include "base/within_memory.h"
#include "pteproof/read.h"
#include "runtime/delegates/opened_blob.h"
#include "runtime/file_rules.h"
#include "runtime/reader/context.h"
#include "runtime/reader/layout.h"
#include "runtime/reader/methods.h"
#include "runtime/reader/segments.h"
#include "runtime/reader/structure.h"
#include "runtime/schema_version.h"

namespace pteproof {
namespace {

using reader::Context;

constexpr uintptr_t kTableAlignment = 8;  // of the widest scalar in the tables

// The flatbuffer at an aligned address: in the file itself, or in a copy that `owner` then holds.
const uint8_t* AlignedTables(const Context& context, std::unique_ptr<uint64_t[]>& owner) {
  const auto* bytes = reinterpret_cast<const uint8_t*>(context.file.data());
  if (reinterpret_cast<uintptr_t>(bytes) % kTableAlignment == 0) return bytes;
  owner = std::make_unique_for_overwrite<uint64_t[]>(context.tables_size / sizeof(uint64_t) + 1);
  std::memcpy(owner.get(), bytes, context.tables_size);
  return reinterpret_cast<const uint8_t*>(owner.get());
}

bool VerifyTables(Context& context) {
  flatbuffers::Verifier::Options options;
  options.max_depth = 64;
  options.max_tables = reader::MaxTables(context.tables_size);
  flatbuffers::Verifier verifier(context.tables, context.tables_size, options);
  if (schema::VerifyProgramBuffer(verifier)) [[likely]]
    return true;
  const reader::StructureFault fault = reader::ExplainStructure(
      context.tables, context.tables_size, schema::ProgramTypeTable(), options.max_tables);
  if (fault.too_many_tables) {
    reader::RefuseAmplification(context);
    return false;
  }
  Refuse(context, rule::kFileFlatbuffer, {.bytes = ByteRange{fault.at, fault.at + 1}},
         fmt::format("The structure of the file is damaged at {}", fault.explanation));
  return false;
}

// Content of a later version may mean something else. ExecuTorch 1.5.1 refuses such a file, too.
bool CheckVersion(Context& context) {
  const schema::Program& wire = *schema::GetProgram(context.tables);
  if (wire.version() <= kSchemaVersion) return true;
  Refuse(context, rule::kFileIdentifier, {.bytes = At(context, &wire)},
         fmt::format("The file has the schema version {}. The highest known version is {}.",
                     wire.version(), kSchemaVersion));
  if (!context.findings.empty()) context.findings.back().fix = kFixOfVersion;
  return false;
}

// Two visits of each byte, and some: vectors of sizes and names may be shared. Indices into a
// method's pools have 32 bits, and each pool entry is paid for with a byte or more.
uint64_t Budget(uint64_t tables_size) {
  return std::min<uint64_t>(2 * tables_size + 4096, std::numeric_limits<uint32_t>::max());
}

// Each call that takes a list reads every tensor of the list again: a small file could name more
// tensors than any memory holds.
uint64_t ListedTensors(uint64_t tables_size) {
  return tables_size + 1'000'000;
}

void ReadTables(Context& context, const reader::Layout& layout, Program& program) {
  const schema::Program& wire = *schema::GetProgram(context.tables);
  context.budget = Budget(context.tables_size);
  context.listed = ListedTensors(context.tables_size);
  ReadSegments(context, wire, layout);
  if (!context.Stopped()) ReadConstants(context, wire, program);
  if (!context.Stopped()) ReadInitialValues(context, wire, program);
  if (!context.Stopped()) ReadNamedData(context, wire, program);
  if (!context.Stopped()) ReadMethods(context, wire, program);
}

Result<Program, std::vector<Finding>> ReadFile(Bytes file) {
  Context context;
  context.file = file;
  const auto layout = reader::ReadLayout(context);
  if (!layout.has_value()) return std::move(context.findings);
  std::unique_ptr<uint64_t[]> owner;
  context.tables = AlignedTables(context, owner);
  if (!VerifyTables(context) || !CheckVersion(context)) return std::move(context.findings);
  Program program;
  ReadTables(context, *layout, program);
  if (!context.findings.empty()) return std::move(context.findings);
  delegates::OpenBlobs(program);
  return program;
}

}  // namespace

Result<Program, std::vector<Finding>> ReadProgram(Bytes file) {
  return WithinMemory([&] { return ReadFile(file); }, [] { return std::vector<Finding>(); });
}

}  // namespace pteproof
