// The functions that the page's worker calls. It takes memory for its files and for a question,
// fills it, and asks; an instance answers one question, and is thrown away then.
//
//   const at = take(size)              bytes of a file, or of a question
//   makeRoom(size)                     before memory ends in a file
//   const answer = ask(at, size)       {"ask": "check", "program": "m.pte", "policy": "private",
//                                      ..., "files": [{"name": "m.pte", "at": 1024, "size": 4096}]}
//   answerSize()                       of the JSON at `answer`
#include <cstdlib>
#include <cstring>
#include <new>
#include <nlohmann/json.hpp>
#include <string>

#include "cli/io/hosted.h"
#include "cli/io/json_text.h"
#include "pteproof/version.h"
#include "web/answers.h"

#define PTEPROOF_EXPORT(name) extern "C" __attribute__((export_name(#name)))

namespace pteproof::web {
namespace {

using Json = nlohmann::ordered_json;

// The worker's: it tells the reader, and does not return.
extern "C" __attribute__((import_module("page"), import_name("outOfMemory"))) void OutOfMemory();

std::string& TheAnswer() {
  static std::string answer;
  return answer;
}

Question QuestionOf(const Json& asked) {
  Question question;
  question.program = asked.value("program", "");
  question.manifest = asked.value("manifest", "");
  question.certificate = asked.value("certificate", "");
  question.policy = PolicyNamed(asked.value("policy", ""));
  for (const Json& name : asked.value("data", Json::array())) question.data.push_back(name);
  return question;
}

// The files lie where the worker has put them; what it left out of a large one lies nowhere, so
// that whoever reads it ends the instance (worker.js).
void LendFiles(const Json& asked, Hosted& host) {
  for (const Json& file : asked.value("files", Json::array())) {
    const auto* at = reinterpret_cast<const std::byte*>(file.value("at", uintptr_t{0}));
    host.files[file.value("name", "")] = {at, file.value("size", size_t{0})};
  }
}

Json AnswerTo(const Json& asked) {
  const std::string ask = asked.value("ask", "");
  const Question question = QuestionOf(asked);
  if (ask == "check") return CheckAnswer(question);
  if (ask == "memory") return MemoryAnswer(question);
  if (ask == "listing") return ListingAnswer(question);
  if (ask == "certificate") return CertificateAnswer(question);
  return {{"version", kVersion}};
}

}  // namespace
}  // namespace pteproof::web

PTEPROOF_EXPORT(take) void* Take(size_t size) {
  std::set_new_handler(pteproof::web::OutOfMemory);
  return ::operator new(size);
}

// Lets the heap grow at once to so many bytes, or to as many as there are: memory behind it will be
// taken for a file.
PTEPROOF_EXPORT(makeRoom) void MakeRoom(size_t size) {
  for (; size > 0; size /= 2) {
    if (void* const room = std::malloc(size)) return std::free(room);
  }
}

PTEPROOF_EXPORT(ask) const char* Ask(const char* at, size_t size) {
  using namespace pteproof;  // NOLINT(google-build-using-namespace)
  const web::Json asked = web::Json::parse(at, at + size, nullptr, false);
  Hosted host;
  web::LendFiles(asked, host);
  HostOfThread() = &host;
  web::TheAnswer() = JsonText(web::AnswerTo(asked));
  HostOfThread() = nullptr;
  return web::TheAnswer().data();
}

PTEPROOF_EXPORT(answerSize) size_t AnswerSize() {
  return pteproof::web::TheAnswer().size();
}
