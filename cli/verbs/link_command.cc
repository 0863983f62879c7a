#include "cli/verbs/link_command.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "base/file_name.h"
#include "cli/io/output.h"
#include "cli/io/quote.h"
#include "cli/io/stage_line.h"
#include "cli/io/store_file.h"
#include "cli/io/written_files.h"
#include "cli/load/beside.h"
#include "cli/load/certificate_file.h"
#include "cli/load/parts_memory.h"
#include "cli/load/program_parts.h"
#include "cli/render/device_total.h"
#include "cli/render/link_report.h"
#include "properties/manifest/linked.h"
#include "properties/manifest/render.h"
#include "pteproof/check.h"
#include "pteproof/read.h"
#include "pteproof/write.h"
#include "runtime/same_program.h"
#include "runtime/sha256.h"

namespace pteproof {
namespace {

namespace fs = std::filesystem;

std::string FirstLineOf(const std::string& text) {
  return text.substr(0, text.find('\n'));
}

std::string BaseName(const std::string& file) {
  return FileName(FilePath(file).filename());
}

ExitCode RefuseLink(ExitCode code, const std::string& why) {
  Complain(Quote(why, kLongestLine));
  return code;
}

// A file that is linked: what was read, and what `check` says of it.
struct LoadedFile {
  ProgramParts parts;
  Report report;
  PolicySet right;
  FileToLink to_link;
};

// FILE:METHOD=NEW; FILE as on the command line, or its last part.
struct Rename {
  std::string file;
  std::string method;
  std::string name;
};

std::optional<Rename> RenameOf(const std::string& text) {
  const size_t equals = text.rfind('=');
  if (equals == std::string::npos || equals + 1 == text.size()) return std::nullopt;
  const size_t colon = text.rfind(':', equals);
  if (colon == std::string::npos || colon == 0 || colon + 1 == equals) return std::nullopt;
  return Rename{text.substr(0, colon), text.substr(colon + 1, equals - colon - 1),
                text.substr(equals + 1)};
}

// A method that a rename names and no file has is a mistake of the command line.
std::optional<std::string> AddRenames(const LinkRequest& request, std::vector<LoadedFile>& files) {
  for (const std::string& text : request.renames) {
    const auto rename = RenameOf(text);
    if (!rename) return "--rename " + text + ": write FILE:METHOD=NEW";
    const auto is_named = [&](const LoadedFile& each) {
      return each.to_link.name == rename->file || BaseName(each.to_link.name) == rename->file;
    };
    const auto file = std::ranges::find_if(files, is_named);
    if (file == files.end()) {
      return "--rename " + text + ": no file " + rename->file + " is linked";
    }
    if (std::ranges::count_if(files, is_named) > 1) {
      return "--rename " + text + ": several files are named " + rename->file +
             ": write the path as it stands among the files";
    }
    const auto& methods = file->parts.source().methods;
    if (std::ranges::find(methods, rename->method, &Method::name) == methods.end()) {
      std::string names;
      for (const Method& method : methods) names += (names.empty() ? "" : ", ") + method.name;
      return "--rename " + text + ": " + rename->file + " has no method '" + rename->method +
             "' (it has " + names + ")";
    }
    file->to_link.renames[rename->method] = rename->name;
  }
  return std::nullopt;
}

ExitCode RefusePlan(const LoadedFile& file) {
  const Verdict best = std::ranges::min(file.report.verdicts);
  const bool unsafe = best == Verdict::kUnsafe;
  std::string text =
      fmt::format("{}: the plan is {}, so that a linked one cannot be shown to compute the same",
                  QuotePath(file.to_link.name), unsafe ? "unsafe" : "undecided");
  for (const Finding& finding : file.report.findings) {
    const bool decides = unsafe ? finding.severity == Severity::kError : finding.undecided;
    if (!decides) continue;
    text += fmt::format("\n  {}: {}\n  {}", finding.rule,
                        Quote(FirstLineOf(finding.explanation), kLongestLine),
                        Quote(finding.fix, kLongestLine));
  }
  Complain(text);
  return unsafe ? ExitCode::kUnsafe : ExitCode::kUndecided;
}

bool AllFirst(const Manifest* manifest) {
  return manifest != nullptr && manifest->all_first.value_or(false);
}

ExitCode LoadAll(const LinkRequest& request, std::vector<LoadedFile>& files) {
  for (size_t f = 0; f < request.files.size(); ++f) {
    const std::string& name = request.files[f];
    ManifestChoice manifest_of_file = request.manifest;
    if (!request.manifests.empty()) manifest_of_file.named = request.manifests[f];
    auto parts = LoadParts({name, request.data, manifest_of_file});
    if (!parts.ok()) {
      Complain(parts.error().why);
      return parts.error().code;
    }
    LoadedFile& file = files.emplace_back();
    file.parts = std::move(parts).value();
    const Manifest* manifest = file.parts.manifest.get();
    file.report =
        Check(file.parts.source(), {.manifest = manifest, .all_first = AllFirst(manifest)});
    file.to_link = {name, nullptr, manifest, {}};
    file.right = certify::RightUnder(file.parts.source(), manifest, file.report);
    if ((file.right.bits & certify::SharingPolicies().bits) == 0) return RefusePlan(file);
  }
  for (LoadedFile& file : files) file.to_link.program = &file.parts.source();
  if (const auto wrong = AddRenames(request, files)) return RefuseLink(ExitCode::kUsage, *wrong);
  return ExitCode::kSafe;
}

struct LinkAttempt {
  planner::Linked linked;
  Manifest manifest;
  std::vector<std::byte> bytes;
  certify::LinkCertificate certificate;
};

certify::LinkCertificate LinkCertificateOf(const LinkRequest& request,
                                           const std::vector<LoadedFile>& files,
                                           const LinkAttempt& made) {
  const auto back = ReadProgram(made.bytes);
  certify::LinkCertificate lost;
  lost.failure = back.ok() ? ProgramDifference(back.value(), made.linked.program)
                           : std::string("the new file cannot be read");
  if (!lost.failure.empty()) return lost;
  std::vector<Manifest> manifests;
  manifests.reserve(files.size());
  std::vector<certify::LinkedPart> parts;
  for (size_t f = 0; f < files.size(); ++f) {
    manifests.push_back(RenamedManifest(files[f].to_link, made.linked));
    parts.push_back({{&made.linked.sources[f].program, files[f].parts.data_file(),
                      files[f].parts.manifest ? &manifests.back() : nullptr},
                     &files[f].report,
                     files[f].right});
  }
  return certify::CertifyLinked(
      parts, {&made.linked.program, files.front().parts.data_file(), &made.manifest},
      {made.linked.init ? "et_module_init" : "", made.linked.shared},
      {.all_first = AllFirst(&made.manifest),
       .calls = compare::CallCount::Of(request.calls, 1000),
       .seed = request.seed});
}

Result<LinkAttempt, std::string> TryLink(const LinkRequest& request,
                                         const planner::LinkOptions& options,
                                         const std::vector<LoadedFile>& files,
                                         std::span<const FileToLink> to_link,
                                         const std::vector<planner::LinkedFile>& linked_files) {
  auto linked = planner::Link(linked_files, options);
  if (!linked.ok()) return linked.error();
  LinkAttempt made = {std::move(linked).value(), {}, {}, {}};
  made.manifest = LinkedManifest(to_link, made.linked, request.policy);
  auto bytes = WriteProgram(made.linked.program);
  if (!bytes.ok()) return bytes.error();
  made.bytes = std::move(bytes).value();
  made.manifest.program_sha256 = Sha256Hex(made.bytes);
  made.certificate = LinkCertificateOf(request, files, made);
  return made;
}

// Nothing is written but what reproduces the failure.
ExitCode FailLink(const LinkRequest& request, const std::vector<LoadedFile>& files,
                  const LinkAttempt& made, const std::string& certificate) {
  const fs::path folder =
      FilePath((request.output == kStandardOutput ? "link" : request.output) + ".failed");
  std::error_code error;
  fs::create_directories(folder, error);
  bool kept = !error;
  const auto store = [&](const std::string& name, auto content) {
    kept = kept && StoreFile(FileName(folder / name), content) == ExitCode::kSafe;
  };
  for (size_t f = 0; f < files.size(); ++f) {
    const auto& bytes = *files[f].parts.program.bytes;
    store(fmt::format("old.{}.pte", f), std::span<const std::byte>(bytes.data(), bytes.size()));
  }
  store("new.pte", std::span<const std::byte>(made.bytes));
  store("new.manifest.json", std::string_view(RenderManifest(made.manifest)));
  store("certificate.json", std::string_view(certificate));
  Complain(
      fmt::format("nothing is written: {}\n  This is a bug in pteproof, please report it{}",
                  Quote(FirstLineOf(made.certificate.failure), kLongestLine),
                  kept ? fmt::format(" with the folder {}", QuotePath(FileName(folder))) : ""));
  return ExitCode::kInternal;
}

ExitCode WriteLinked(const LinkRequest& request, const LinkAttempt& made, const std::string& report,
                     const std::string& certificate) {
  const auto beside = FileName(FilePath(request.output).replace_extension(".manifest.json"));
  ExitCode stored = StoreFile(request.output, std::span<const std::byte>(made.bytes));
  if (stored == ExitCode::kSafe) stored = StoreFile(beside, RenderManifest(made.manifest));
  if (stored == ExitCode::kSafe && !request.certificate.empty()) {
    stored = StoreFile(request.certificate, CertificateFile(made.bytes, certificate));
  }
  if (stored == ExitCode::kSafe) WriteOutput(report);
  return stored;
}

// Why the files that are asked for cannot be written; empty: they can. The new program may replace
// an old one.
std::string WrongFiles(const LinkRequest& request) {
  std::vector<OldFiles> old;
  for (const std::string& file : request.files) {
    old.push_back({file, {NameBeside(file, kManifestSuffix)}});
  }
  std::vector<std::string> read = request.data;
  read.insert(read.end(), request.manifests.begin(), request.manifests.end());
  const MadeFiles made = {request.output,
                          NameBeside(request.output, kManifestSuffix),
                          {{"--certificate", request.certificate}}};
  return WhyNotMade(made, old, read);
}

std::optional<std::string> WrongRequest(const LinkRequest& request) {
  if (request.policy == Policy::kPrivate) {
    return "--policy private: each method would have banks of its own, and nothing would be "
           "shared: choose share-1-2 or share-all";
  }
  if (request.output == kStandardOutput) {
    return "-o -: the manifest of the new program is written beside it: name a file";
  }
  if (!request.manifests.empty() && request.manifests.size() != request.files.size()) {
    return fmt::format(
        "--manifest is there {} times, for {} programs: name one for each, in their "
        "order",
        request.manifests.size(), request.files.size());
  }
  return std::nullopt;
}

// Of the file that is written: the program in memory still refers to the old files.
memory::ProgramMemory MemoryOfLinked(const LinkRequest& request, std::span<const DataFile> data,
                                     const LinkAttempt& made) {
  std::vector<memory::LoaderKind> loaders;
  for (const Policy policy : kAllPolicies) {
    if (!request.policy || *request.policy == policy) loaders.push_back(memory::LoaderOf(policy));
  }
  const Program program = ReadProgram(made.bytes).value();  // the certificate has read it too
  return memory::MemoryOf({&program, made.bytes, data}, {}, loaders);
}

}  // namespace

ExitCode RunLink(const LinkRequest& request) {
  if (const auto wrong = WrongRequest(request)) return RefuseLink(ExitCode::kUsage, *wrong);
  if (const std::string wrong = WrongFiles(request); !wrong.empty()) {
    return RefuseLink(ExitCode::kUsage, wrong);
  }
  std::vector<LoadedFile> files;
  if (const ExitCode loaded = LoadAll(request, files); loaded != ExitCode::kSafe) return loaded;
  std::vector<FileToLink> to_link;
  std::vector<planner::LinkedFile> linked_files;
  LinkedFiles names = {request.files, request.output, 0, 0};
  for (const LoadedFile& file : files) {
    to_link.push_back(file.to_link);
    linked_files.push_back(LinkedFileOf(file.to_link));
    names.old_size += file.parts.program.bytes->size();
  }
  planner::LinkOptions options = request.options;
  std::optional<StageLine> line("linking");
  auto attempt = TryLink(request, options, files, to_link, linked_files);
  if (attempt.ok() && !attempt.value().certificate.holds()) {
    options.pack = false;  // a packed plan may bring values where others are named
    auto loose = TryLink(request, options, files, to_link, linked_files);
    if (loose.ok() && loose.value().certificate.holds()) attempt = std::move(loose);
  }
  line.reset();
  if (!attempt.ok()) return RefuseLink(ExitCode::kUnsafe, attempt.error());
  const LinkAttempt& made = attempt.value();
  names.new_size = made.bytes.size();
  names.memory = MemoryLine(MemoryOfLinked(request, DataOf(files.front().parts), made)) + "\n";
  const std::string json = LinkJson(names, made.linked, made.certificate);
  if (!made.certificate.holds() && !made.linked.nameless.empty()) {
    return RefuseLink(ExitCode::kUndecided,
                      made.linked.nameless.front() +
                          " may be state without a name, and nothing tells that it is the same one "
                          "after it has moved: name it under `values` in a manifest");
  }
  if (made.certificate.open) {
    return RefuseLink(ExitCode::kUndecided,
                      "nothing is written: " + FirstLineOf(made.certificate.failure));
  }
  if (!made.certificate.holds()) return FailLink(request, files, made, json);
  return WriteLinked(request, made,
                     request.json ? json : LinkText(names, made.linked, made.certificate), json);
}

}  // namespace pteproof
