#include "properties/certificate/certificate.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "meaning/program_meaning.h"
#include "properties/certificate/buffers.h"
#include "properties/certificate/names.h"
#include "properties/certificate/witness.h"
#include "properties/manifest/buffer_keys.h"
#include "properties/verdict.h"
#include "runtime/sha256.h"

namespace pteproof::certificate {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kSchema = 1;

Json ClaimsOf(const Subject& subject, const meaning::ProgramMeaning& meant) {
  Json claims = Json::object();
  for (const Policy policy : kAllPolicies) {
    if (subject.policy && *subject.policy != policy) continue;
    const Verdict verdict = subject.report.verdicts[static_cast<size_t>(policy)];
    if (verdict == Verdict::kUnsafe) {
      claims[std::string(Name(policy))] = WitnessesOf(meant, subject.report, policy);
    } else {
      claims[std::string(Name(policy))] = std::string(Name(verdict));
    }
  }
  return claims;
}

}  // namespace

std::string CertificateOf(const Subject& subject) {
  const UnderKeys keyed(subject.program, subject.manifest);
  const meaning::ProgramMeaning meant = meaning::MeaningOf(keyed.program(), subject.manifest);
  const Buffers buffers = BuffersOf(meant);
  Operators operators;
  Json methods = Json::array();
  for (size_t m = 0; m < meant.methods.size(); ++m) {
    methods.push_back(MethodPart(meant, m, buffers, operators));
  }
  Json certificate = {{"schema", kSchema}, {"file", Sha256Hex(subject.file)}};
  if (!subject.data.empty()) certificate["data"] = subject.data;
  if (!subject.manifest_sha256.empty()) certificate["manifest"] = subject.manifest_sha256;
  if (subject.all_first) certificate["load"] = "all-first";
  certificate["claims"] = ClaimsOf(subject, meant);
  certificate["operators"] = operators;
  if (!buffers.listing.empty()) certificate["buffers"] = buffers.listing;
  certificate["methods"] = std::move(methods);
  constexpr bool kAsciiOnly = true;
  return certificate.dump(-1, ' ', kAsciiOnly, Json::error_handler_t::replace) + "\n";
}

bool IsCovered(const Program& program) {
  return std::ranges::none_of(program.methods, [](const Method& method) {
    return std::ranges::find(method.instructions, InstructionKind::kFree, &Instruction::kind) !=
           method.instructions.end();
  });
}

std::string OpenQuestion(const Report& report) {
  const auto open =
      std::ranges::find_if(report.findings, [](const Finding& f) { return f.undecided; });
  if (open == report.findings.end()) return "";
  std::string words = open->explanation;
  std::ranges::replace(words, '\n', ' ');
  return words;
}

}  // namespace pteproof::certificate
