#include "cli/verbs/compare_command.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <string_view>
#include <utility>

#include "cli/forms/compare_markdown.h"
#include "cli/io/output.h"
#include "cli/io/quote.h"
#include "cli/io/stage_line.h"
#include "cli/io/store_file.h"
#include "cli/load/judge.h"
#include "cli/load/load_manifest.h"
#include "cli/load/load_module.h"
#include "cli/load/program_parts.h"
#include "cli/load/source_lines.h"
#include "cli/map/html_page.h"
#include "cli/render/compare_json.h"
#include "cli/render/compare_text.h"
#include "cli/render/device_total.h"
#include "cli/render/peaks_in.h"
#include "cli/render/unknown_method.h"
#include "cli/verbs/compare_rename.h"

namespace pteproof {
namespace {

using compare::Answer;
using compare::ProgramComparison;
using compare::ReadAs;

constexpr size_t kMostGrown = 3;  // lines of the model for each bank

// What memory and size may grow by.
struct Growth {
  bool percent = false;
  double amount = 0;

  [[nodiscard]] bool Admits(uint64_t before, uint64_t after) const {
    if (after <= before) return true;
    const auto more = static_cast<double>(after - before);
    return more <= (percent ? static_cast<double>(before) * amount / 100 : amount);
  }
};

std::optional<Growth> GrowthOf(std::string_view text) {
  Growth growth;
  if (text.empty()) return growth;
  growth.percent = text.ends_with('%');
  if (growth.percent) text.remove_suffix(1);
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), growth.amount);
  const bool whole = error == std::errc() && end == text.data() + text.size();
  return whole && growth.amount >= 0 ? std::optional(growth) : std::nullopt;
}

bool HasNewFindings(const ProgramComparison& comparison) {
  return std::ranges::any_of(comparison.findings.added, [](const Finding& finding) {
    return finding.severity != Severity::kNote || finding.undecided;
  });
}

bool Grows(const ProgramComparison& comparison, const Growth& growth) {
  return std::ranges::any_of(comparison.memory, [&](const compare::MemoryRow& row) {
    return !growth.Admits(row.old_use.size, row.new_use.size);
  });
}

bool Fails(std::string_view part, const ProgramComparison& comparison, const ComparedFiles& files,
           const Growth& growth) {
  if (part == "interface") return comparison.interface.answer != Answer::kSame;
  if (part == "computation") return comparison.computation == Answer::kDiffers;
  if (part == "findings") return HasNewFindings(comparison);
  if (part == "memory") return Grows(comparison, growth);
  return !growth.Admits(files.old_sizes.file, files.new_sizes.file);
}

compare::ComparedSide SideOf(const ProgramParts& parts, ReadAs read = ReadAs::kPlanned) {
  return {&parts.source(), parts.data_file(), parts.manifest.get(), read};
}

compare::CompareOptions OptionsOf(const CompareRequest& request) {
  compare::CompareOptions options;
  options.computation.method = request.method;
  if (request.policy) options.computation.policies = {*request.policy};
  options.seed = request.seed;
  options.calls = compare::CallCount::Of(request.calls, 100);
  return options;
}

Bytes BytesOf(const ProgramParts& parts) {
  return {parts.program.bytes->data(), parts.program.bytes->size()};
}

// A manifest that is named is that of one of both programs.
PartsRequest RequestFor(const CompareRequest& request, const std::string& file) {
  PartsRequest parts = {file, request.data, request.manifest};
  parts.manifest.any_program = true;
  return parts;
}

std::optional<ManifestFailure> OfNeither(const CompareRequest& request, const ProgramParts& before,
                                         const ProgramParts& after) {
  const std::string& named = request.manifest.named;
  if (named.empty() || before.manifest == nullptr) return std::nullopt;
  const Manifest& manifest = *before.manifest;
  if (IsOfProgram(manifest, BytesOf(before)) || IsOfProgram(manifest, BytesOf(after))) {
    return std::nullopt;
  }
  return OfAnotherProgram(named, manifest, {request.new_file, BytesOf(after)});
}

template <class MethodsOwner>
std::vector<std::string> NamesOf(const MethodsOwner& owner) {
  std::vector<std::string> names;
  for (const auto& method : owner.methods) names.push_back(method.name);
  return names;
}

// The old program with the names that its methods have in the new one.
struct RenamedProgram {
  Program program;  // shares the bytes of the old one
  std::optional<Manifest> manifest;
};

Result<RenamedProgram, std::string> RenamedOldProgram(const CompareRequest& request,
                                                      const ProgramParts& before,
                                                      const ProgramParts& after) {
  const auto names =
      ReadMethodNames(request.renames, NamesOf(before.source()), NamesOf(after.source()));
  if (!names) return names.error();
  RenamedProgram renamed = {before.source(), std::nullopt};
  if (before.manifest != nullptr) renamed.manifest = *before.manifest;
  RenameMethods(names.value(), renamed.program);
  if (renamed.manifest) RenameMethods(names.value(), *renamed.manifest);
  return renamed;
}

compare::ComparedSide SideOf(const RenamedProgram& renamed, const ProgramParts& parts,
                             ReadAs read) {
  return {&renamed.program, parts.data_file(), renamed.manifest ? &*renamed.manifest : nullptr,
          read};
}

std::vector<std::string> PartsThatFail(const CompareRequest& request) {
  std::vector<std::string> parts = request.fail_on;
  if (request.max_growth.empty()) return parts;
  for (const char* part : {"memory", "size"}) {
    if (std::ranges::find(parts, part) == parts.end()) parts.emplace_back(part);
  }
  return parts;
}

ExitCode CodeOf(const std::vector<std::string>& parts, const std::vector<std::string>& failed,
                const ProgramComparison& comparison) {
  if (!failed.empty()) return ExitCode::kUnsafe;
  const bool asked = std::ranges::find(parts, "computation") != parts.end();
  const bool open = asked && comparison.computation == Answer::kOpen;
  return open ? ExitCode::kUndecided : ExitCode::kSafe;
}

bool NamesModule(std::string_view file) {
  return file.ends_with(".module");
}

// Why there can be no page; empty if there can.
std::string_view HtmlError(const CompareRequest& request) {
  if (request.html.empty()) return "";
  if (NamesModule(request.old_file) || NamesModule(request.new_file)) {
    return "--html draws the plans of two programs, and a Module has none: leave --html out";
  }
  if (request.html == kStandardOutput && request.json) {
    return "standard output takes one form: name a file with --html, or leave --json out";
  }
  return "";
}

std::string PageOf(const CompareRequest& request, const ProgramParts& old_parts,
                   const ProgramParts& new_parts, std::string_view told) {
  JudgeOptions options;
  options.policy = request.policy;
  options.manifest = request.manifest;
  options.manifest.any_program = true;
  options.picture = true;
  HtmlPage page(false, "pteproof compare");
  const auto judge = [&](const ProgramParts& parts, const std::string& file) {
    return JudgeLoaded(parts.source(), *parts.program.bytes, file, options);
  };
  page.AddPair(judge(old_parts, request.old_file), judge(new_parts, request.new_file), told);
  return page.Text();
}

// What the peaks have more of now, if the lines of both models are known.
std::vector<std::string> GrownIn(const CompareRequest& request, const ProgramParts& old_parts,
                                 const ProgramParts& new_parts) {
  if (request.manifest.none) return {};
  const SourceLines before = ReadSourceLines(request.old_file, BytesOf(old_parts));
  const SourceLines now = ReadSourceLines(request.new_file, BytesOf(new_parts));
  if (before.methods.empty() || now.methods.empty()) return {};
  return GrownLines(PeaksIn(old_parts, before, {}), PeaksIn(new_parts, now, {}), kMostGrown);
}

void SwapSides(std::vector<compare::MethodComparison>& methods) {
  for (compare::MethodComparison& method : methods) {
    if (method.difference) std::swap(method.difference->old_side, method.difference->new_side);
  }
}

// Gives methods of the old side their new names; why not, if that cannot be.
std::string RenameOld(const CompareRequest& request, graph::Module& module, ProgramParts& parts) {
  const bool is_old = NamesModule(request.old_file);
  const auto of_module = NamesOf(module);
  const auto of_program = NamesOf(parts.source());
  const auto names = ReadMethodNames(request.renames, is_old ? of_module : of_program,
                                     is_old ? of_program : of_module);
  if (!names) return names.error();
  if (is_old) {
    RenameMethods(names.value(), module);
    return "";
  }
  RenameMethods(names.value(), parts.program.program);
  if (parts.manifest != nullptr) {
    Manifest manifest = *parts.manifest;
    RenameMethods(names.value(), manifest);
    parts.manifest = std::make_unique<const Manifest>(std::move(manifest));
  }
  return "";
}

// The computation alone: a Module has no memory and no file.
ExitCode CompareModule(const CompareRequest& request) {
  const bool is_old = NamesModule(request.old_file);
  if (is_old && NamesModule(request.new_file)) {
    Complain("both files are Modules: name a program (.pte) on one side, as `pteproof plan` makes");
    return ExitCode::kUsage;
  }
  if (is_old && request.meant) {
    Complain(
        "--meant is about a program, and the old side is a Module, which has no plan: leave "
        "--meant "
        "out, or name the program first");
    return ExitCode::kUsage;
  }
  if (request.markdown) {
    Complain(
        "a Module has no memory to show in Markdown: leave --format out, or name two programs");
    return ExitCode::kUsage;
  }
  auto module = LoadModule(is_old ? request.old_file : request.new_file);
  if (!module.ok()) {
    Complain(module.error().why);
    return module.error().code;
  }
  auto parts =
      LoadParts({is_old ? request.new_file : request.old_file, request.data, request.manifest});
  if (!parts.ok()) {
    Complain(parts.error().why);
    return parts.error().code;
  }
  if (const std::string wrong = RenameOld(request, module.value(), parts.value()); !wrong.empty()) {
    Complain(wrong);
    return ExitCode::kUsage;
  }
  ProgramComparison comparison;
  comparison.old_read = request.meant ? ReadAs::kMeant : ReadAs::kPlanned;
  std::optional<StageLine> line("reading");
  comparison.methods = compare::CompareModuleAndRun(
      module.value(), SideOf(parts.value(), comparison.old_read), OptionsOf(request));
  line.reset();
  if (!is_old) SwapSides(comparison.methods);
  if (comparison.methods.empty()) comparison.computation = Answer::kOpen;
  for (const auto& method : comparison.methods) {
    comparison.computation = compare::Worse(comparison.computation, method.answer);
  }
  if (request.method.empty()) {
    comparison.in_one_only =
        compare::NamesInOneOnly(NamesOf(module.value()), NamesOf(parts.value().source()));
  }
  WriteReport(
      request.json, [&] { return ComputationJson(request.old_file, request.new_file, comparison); },
      [&] { return ComputationText(request.old_file, request.new_file, comparison); });
  if (comparison.computation == Answer::kDiffers) return ExitCode::kUnsafe;
  return comparison.computation == Answer::kOpen ? ExitCode::kUndecided : ExitCode::kSafe;
}

}  // namespace

ExitCode RunCompare(const CompareRequest& request) {
  if (const std::string_view error = HtmlError(request); !error.empty()) {
    Complain(error);
    return ExitCode::kUsage;
  }
  if (NamesModule(request.old_file) || NamesModule(request.new_file)) return CompareModule(request);
  const auto growth = GrowthOf(request.max_growth);
  if (!growth) {
    Complain(
        fmt::format("--max-growth '{}' is not a number of bytes or a percentage: write 4096 "
                    "or 5%",
                    Quote(request.max_growth)));
    return ExitCode::kUsage;
  }
  const auto old_parts = LoadParts(RequestFor(request, request.old_file));
  const auto new_parts = LoadParts(RequestFor(request, request.new_file));
  for (const auto* parts : {&old_parts, &new_parts}) {
    if (parts->ok()) continue;
    Complain(parts->error().why);
    return parts->error().code;
  }
  if (const auto wrong = OfNeither(request, old_parts.value(), new_parts.value())) {
    Complain(wrong->error);
    return ExitCodeOf(*wrong);
  }
  const auto renamed = RenamedOldProgram(request, old_parts.value(), new_parts.value());
  if (!renamed) {
    Complain(renamed.error());
    return ExitCode::kUsage;
  }
  const std::vector<std::string> names = NamesOf(renamed.value().program);
  if (!request.method.empty() && std::ranges::find(names, request.method) == names.end()) {
    return UnknownMethod(request.method, names);
  }
  const ReadAs old_read = request.meant ? ReadAs::kMeant : ReadAs::kPlanned;
  std::optional<StageLine> line("reading");
  const ProgramComparison comparison =
      compare::ComparePrograms(SideOf(renamed.value(), old_parts.value(), old_read),
                               SideOf(new_parts.value()), OptionsOf(request));
  line.reset();
  const ComparedFiles files = {
      request.old_file,
      request.new_file,
      compare::SectionsOf(old_parts.value().source(), BytesOf(old_parts.value())),
      compare::SectionsOf(new_parts.value().source(), BytesOf(new_parts.value())),
      DeviceTotalsText(
          DeviceTotals(old_parts.value().source(), new_parts.value().source(), request.policy)),
      GrownIn(request, old_parts.value(), new_parts.value())};
  const std::vector<std::string> parts = PartsThatFail(request);
  std::vector<std::string> failed;
  for (const std::string& part : parts) {
    if (Fails(part, comparison, files, *growth)) failed.push_back(part);
  }
  if (request.html != kStandardOutput) {
    WriteReport(
        request.json, [&] { return CompareJson(files, comparison, failed); },
        [&] {
          return request.markdown ? CompareMarkdown(files, comparison, failed)
                                  : CompareText(files, comparison);
        });
  }
  const ExitCode code = CodeOf(parts, failed, comparison);
  if (request.html.empty()) return code;
  return Worse(code, StoreFile(request.html, PageOf(request, old_parts.value(), new_parts.value(),
                                                    CompareText(files, comparison))));
}

}  // namespace pteproof
