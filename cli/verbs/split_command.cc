#include "cli/verbs/split_command.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <utility>

#include "base/file_name.h"
#include "cli/io/output.h"
#include "cli/io/quote.h"
#include "cli/io/stage_line.h"
#include "cli/io/store_file.h"
#include "cli/load/program_parts.h"
#include "cli/render/unknown_method.h"
#include "planner/link/split.h"
#include "planner/state/module_init.h"
#include "properties/certify/linked.h"
#include "properties/manifest/linked.h"
#include "properties/manifest/render.h"
#include "pteproof/check.h"
#include "pteproof/write.h"
#include "runtime/same_program.h"
#include "runtime/sha256.h"

namespace pteproof {
namespace {

ExitCode RefuseSplit(const SplitRequest& request, ExitCode code, const std::string& why) {
  Complain(fmt::format("{}: {}", QuotePath(request.file), Quote(why, kLongestLine)));
  return code;
}

certify::LinkCertificate CertificateOfSplit(const SplitRequest& request, const ProgramParts& parts,
                                            const planner::SplitProgram& split,
                                            const Manifest& manifest) {
  const Manifest* whole = parts.manifest.get();
  const bool all_first = whole != nullptr && whole->all_first.value_or(false);
  const Report report = Check(parts.source(), {.manifest = whole, .all_first = all_first});
  const certify::LinkedPart part = {{&parts.source(), parts.data_file(), whole},
                                    &report,
                                    certify::RightUnder(parts.source(), whole, report),
                                    &split.as_state};
  const StageLine line("checking");
  return certify::CertifyLinked({&part, 1}, {&split.program, parts.data_file(), &manifest},
                                {split.initial.empty() ? "" : planner::kModuleInit, split.initial},
                                {.all_first = all_first,
                                 .calls = compare::CallCount::Of(request.calls, 100),
                                 .seed = request.seed},
                                PolicySet::All());
}

std::string TextOfSplit(const SplitRequest& request, const ProgramParts& parts,
                        const planner::SplitProgram& split, size_t bytes,
                        const certify::LinkCertificate& certificate) {
  std::string names;
  for (const Method& method : split.program.methods) {
    names += (names.empty() ? "" : ", ") + Quote(method.name);
  }
  std::string text = fmt::format("{}: {}\n", QuotePath(request.file), names);
  for (const planner::SplitConstant& constant : split.constants) {
    text += fmt::format("  buffer that nothing stores to any more, a constant: {}: {}\n",
                        Quote(constant.method), Quote(constant.buffer));
  }
  return text + fmt::format("file size: {} bytes, {} before\nshown: {} obligations proved\n", bytes,
                            parts.program.bytes->size(), certificate.proved);
}

}  // namespace

ExitCode RunSplit(const SplitRequest& request) {
  if (request.output == kStandardOutput) {
    return RefuseSplit(request, ExitCode::kUsage,
                       "-o -: the manifest of the new program is written beside it: name a file");
  }
  const auto loaded = LoadParts({request.file, request.data, request.manifest});
  if (!loaded.ok()) {
    Complain(loaded.error().why);
    return loaded.error().code;
  }
  const ProgramParts& parts = loaded.value();
  std::vector<std::string> names;
  for (const Method& method : parts.source().methods) names.push_back(method.name);
  for (const std::string& method : request.methods) {
    if (std::ranges::find(names, method) == names.end()) return UnknownMethod(method, names);
  }
  const auto split = planner::Split(
      parts.source(), {request.methods.begin(), request.methods.end()}, parts.manifest.get());
  if (!split.ok()) return RefuseSplit(request, ExitCode::kUnsafe, split.error());
  Manifest manifest = SplitManifest(parts.manifest.get(), split.value());
  const auto bytes = WriteProgram(split.value().program);
  if (!bytes.ok()) return RefuseSplit(request, ExitCode::kUnsafe, bytes.error());
  manifest.program_sha256 = Sha256Hex(bytes.value());
  const auto back = ReadProgram(bytes.value());
  if (!back.ok() || !SameProgram(back.value(), split.value().program)) {
    return RefuseSplit(request, ExitCode::kInternal,
                       "nothing is written: the new file is another program");
  }
  const auto certificate = CertificateOfSplit(request, parts, split.value(), manifest);
  if (!certificate.holds()) {
    return RefuseSplit(request, certificate.open ? ExitCode::kUndecided : ExitCode::kInternal,
                       "nothing is written: " + certificate.failure);
  }
  ExitCode stored = StoreFile(request.output, std::span<const std::byte>(bytes.value()));
  if (stored == ExitCode::kSafe) {
    const auto beside = FilePath(request.output).replace_extension(".manifest.json");
    stored = StoreFile(FileName(beside), RenderManifest(manifest));
  }
  if (stored == ExitCode::kSafe) {
    WriteOutput(TextOfSplit(request, parts, split.value(), bytes.value().size(), certificate));
  }
  return stored;
}

}  // namespace pteproof
