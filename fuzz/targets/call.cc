// The C interface (pteproof/pteproof.h), as a program that links to the shared library calls it: an
// input becomes a verb with flags, options as JSON or as words, and files in memory. Whatever they
// are, there is an answer or an error's code, nothing breaks, and what the header says of ownership
// holds.
//
//   16 bytes   manner, verb, where the files part, length of a free word, six flags with a value
//   the rest   one or two files
//
// Nothing reaches the disk: names of files lie where no file can be.
#include <algorithm>
#include <array>
#include <chrono>
#include <cstring>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "fuzz/byte_source.h"
#include "fuzz/require.h"
#include "fuzz/targets/targets.h"
#include "pteproof/pteproof.h"

namespace pteproof::fuzz {
namespace {

constexpr size_t kCallHeader = 16;
constexpr size_t kMostFlags = 6;
constexpr const char* kFirst = "/dev/null/a.pte";
constexpr const char* kSecond = "/dev/null/b.pte";

struct VerbForm {
  const char* verb;
  bool takes_two;
  std::string_view flags;  // those that it knows best, one in four is any other
};

constexpr auto kForms = std::to_array<VerbForm>({
    {"check", true, "json quiet all format policy loader use load certificate html manifest data"},
    {"inspect", false, "json meaning lifetimes format method data memory-id"},
    {"map", false, "text html output method bank around policy loader"},
    {"memory", true, "json top at method files policy loader"},
    {"eval", false, "json semantics inputs calls seed quiet"},
    {"run", false, "json semantics mode state-fill load seed policy work memory"},
    {"diff", false, "json semantics seed sequences policy load"},
    {"compare", true, "json runs seed rename"},
    {"replan", false, "json output repair reorder outputs alignment certificate"},
    {"link", true, "json output share rename initial no-manifest"},
    {"split", false, "output method"},
    {"lint", true, "json force-out-of-place"},
    {"plan", false, "json output algorithm order report"},
    {"place", false, "json output algorithm alignment capacity verify"},
    {"assemble", false, "output"},
    {"prove", false, "json order list why fast policy certificate"},
    {"fmt", false, "check"},
    {"rules", false, "json"},
    {"help", false, ""},
    {"nonsense", false, ""},
});

struct FlagForm {
  std::string_view name;
  std::array<const char*, 4> values;  // null: true
};

// What bounds the work is stated below; what writes, writes to names that are kept.
constexpr auto kFlags = std::to_array<FlagForm>({
    {"json", {nullptr, nullptr, nullptr, ""}},
    {"quiet", {}},
    {"all", {}},
    {"format", {"sarif", "html", "junit", "pteasm"}},
    {"policy", {"private", "share-1-2", "share-all", "share-al"}},
    {"loader", {"executorch.runtime@1.5", "executorch.runtime@1.0", "Module@1.2", "@"}},
    {"use", {"reload", "concurrent", "", "x"}},
    {"load", {"lazy", "all-first", "", nullptr}},
    {"certificate", {"/dev/null/kept.json", "/dev/null/kept.json", "-", ""}},
    {"html", {"/dev/null/kept.html", "-", "/dev/null/kept.html", ""}},
    {"manifest", {kSecond, kFirst, "/dev/null/none.json", ""}},
    {"data", {kSecond, kFirst, "/dev/null/none.ptd", ""}},
    {"meaning", {}},
    {"lifetimes", {}},
    {"method", {"forward", "@", "get", ""}},
    {"memory-id", {"1", "2", "-1", "x"}},
    {"text", {}},
    {"output", {"/dev/null/kept.pte", "/dev/null/kept.pte", "-", ""}},
    {"bank", {"1", "2", "0", "99999999999999999999"}},
    {"around", {"0", "3", "4294967295", "-1"}},
    {"top", {"1", "5", "0", "4294967296"}},
    {"at", {"0=2x3", "@", "x=1", "="}},
    {"files", {"read", "mapped", "", nullptr}},
    {"semantics", {"real", "hash", "", "x"}},
    {"inputs", {kSecond, kFirst, "", nullptr}},
    {"calls", {kSecond, kFirst, "", nullptr}},
    {"seed", {"0", "7", "18446744073709551615", "-1"}},
    {"mode", {"planned", "private-storage", "tagged", "x"}},
    {"state-fill", {"zero", "poison", "", nullptr}},
    {"memory", {"1000", "1000000", "0", "x"}},
    {"repair", {}},
    {"reorder", {}},
    {"outputs", {"until-next-call", "@", "", nullptr}},
    {"alignment", {"1", "64", "3", "0"}},
    {"share", {"*", "@", "", nullptr}},
    {"rename", {"@", "forward=again", "=", "/dev/null/a.pte:forward=first"}},
    {"initial", {"auto", "file", "method", "x"}},
    {"no-manifest", {}},
    {"force-out-of-place", {}},
    {"algorithm", {"naive", "greedy", "best-fit", "by-conflicts"}},
    {"order", {"listed", "any", "strict", "x"}},
    {"report", {}},
    {"capacity", {"0", "100", "18446744073709551616", "@"}},
    {"verify", {}},
    {"list", {}},
    {"why", {}},
    {"fast", {}},
    {"check", {}},
    {"color", {"always", "never", "auto", "x"}},
});

// So that an input takes no more than a part of a second.
struct WorkLimit {
  std::string_view verb;
  std::string_view flag;
  const char* value;
};
constexpr auto kLimits = std::to_array<WorkLimit>({
    {"check", "jobs", "1"},
    {"run", "work", "100000"},
    {"diff", "sequences", "2"},
    {"compare", "runs", "2"},
    {"replan", "time", "0.05"},
    {"replan", "runs", "2"},
    {"link", "runs", "2"},
    {"split", "runs", "2"},
    {"prove", "timeout", "0.05"},
    {"prove", "time", "0.2"},
    {"place", "jobs", "1"},
});

struct DrawnFlag {
  std::string name;
  std::string value;
  bool alone = false;  // without a value
};

struct DraftedCall {
  bool as_json = false;
  bool stops = false;
  bool waits = false;
  bool listens = false;
  bool keeps = true;
  bool misuses = false;
  std::string verb;
  std::vector<DrawnFlag> flags;
  std::vector<std::string> names;
  std::array<std::string, 2> files;
};

bool Knows(const VerbForm& form, std::string_view flag) {
  const std::string words = " " + std::string(form.flags) + " ";
  return words.find(" " + std::string(flag) + " ") != std::string::npos;
}

DrawnFlag FlagOf(const VerbForm& form, uint8_t name, uint8_t value, std::string_view free_word) {
  std::vector<const FlagForm*> known;
  for (const FlagForm& flag : kFlags) {
    if (name % 4 == 3 || Knows(form, flag.name)) known.push_back(&flag);
  }
  if (known.empty()) return {};
  const FlagForm& flag = *known[name / 4 % known.size()];
  const char* text = flag.values[value % flag.values.size()];
  if (text == nullptr) return {std::string(flag.name), "", true};
  return {std::string(flag.name), text == std::string_view("@") ? std::string(free_word) : text,
          false};
}

DraftedCall DraftedCallOf(Bytes input) {
  ByteSource source(input);
  DraftedCall draft;
  const uint8_t manner = source.Byte();
  draft.as_json = (manner & 1U) != 0;
  draft.listens = (manner & 2U) != 0;
  draft.keeps = (manner & 4U) == 0;
  draft.misuses = (manner & 8U) != 0;
  draft.stops = (manner & 0x30U) == 0x30U;
  draft.waits = (manner & 0x40U) != 0;
  const VerbForm& form = kForms[source.Byte() % kForms.size()];
  draft.verb = form.verb;
  const size_t part = source.Byte();
  const size_t free_length = source.Byte() % 32;
  const Bytes rest = input.size() > kCallHeader ? input.subspan(kCallHeader) : Bytes();
  const std::string_view text(reinterpret_cast<const char*>(rest.data()), rest.size());
  const std::string_view free_word = text.substr(0, free_length);
  for (size_t i = 0; i < kMostFlags; ++i) {
    const uint8_t name = source.Byte();
    const uint8_t value = source.Byte();
    if (name == 0) continue;
    const DrawnFlag flag = FlagOf(form, name, value, free_word);
    if (!flag.name.empty()) draft.flags.push_back(flag);
  }
  for (const WorkLimit& bound : kLimits) {
    if (draft.verb == bound.verb) draft.flags.push_back({std::string(bound.flag), bound.value});
  }
  const size_t cut = text.size() * part / 256;
  draft.files = {std::string(text.substr(cut)), std::string(text.substr(0, cut))};
  draft.names = {kFirst};
  if (form.takes_two && cut > 0) draft.names.emplace_back(kSecond);
  if (draft.verb == "rules" || draft.verb == "help") draft.names = {std::string(free_word)};
  if (draft.verb == "split") draft.names.emplace_back("get");
  return draft;
}

// Text that is not UTF-8 becomes a mark, as JSON is text.
std::string JsonOf(const DraftedCall& draft) {
  nlohmann::json options = {{"verb", draft.verb}, {"files", draft.names}};
  for (const DrawnFlag& flag : draft.flags) {
    options[flag.name] = flag.alone ? nlohmann::json(true) : nlohmann::json(flag.value);
  }
  return options.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

std::vector<std::string> WordsOfDraft(const DraftedCall& draft) {
  std::vector<std::string> words = {draft.verb};
  for (const DrawnFlag& flag : draft.flags) {
    words.push_back("--" + flag.name + (flag.alone ? "" : "=" + flag.value));
  }
  words.emplace_back("--");
  words.insert(words.end(), draft.names.begin(), draft.names.end());
  return words;
}

struct FreeCall {
  void operator()(pteproof_call* call) const { pteproof_call_free(call); }
};
using OwnedCall = std::unique_ptr<pteproof_call, FreeCall>;

void CountProgress(void* user, const char* stage, size_t /*done*/, size_t /*of*/) {
  Require(std::strlen(stage) < 1000, "a stage has a name");
  ++*static_cast<size_t*>(user);
}

// What is passed is no more when it returns: it has to have been copied.
OwnedCall MakeCall(const DraftedCall& draft, size_t& told) {
  const pteproof_settings settings = {sizeof(settings), draft.listens ? CountProgress : nullptr,
                                      &told};
  pteproof_call* call = nullptr;
  int32_t code = PTEPROOF_SAFE;
  if (draft.as_json) {
    const std::string options = JsonOf(draft);
    code = pteproof_call_make(options.data(), options.size(), &settings, &call);
  } else {
    const std::vector<std::string> words = WordsOfDraft(draft);
    std::vector<const char*> pointers;
    for (const std::string& word : words) pointers.push_back(word.c_str());
    code = pteproof_call_make_of_words(pointers.data(), pointers.size(), &settings, &call);
  }
  Require(code == PTEPROOF_SAFE || code == PTEPROOF_USAGE, "a call is made or refused");
  Require((code == PTEPROOF_SAFE) == (call != nullptr), "there is a call unless it is refused");
  return OwnedCall(call);
}

// Whatever the bytes are, they are options or they are not.
void TryOptions(Bytes input) {
  pteproof_call* call = nullptr;
  const int32_t code =
      pteproof_call_make(reinterpret_cast<const char*>(input.data()),
                         input.data() == nullptr ? 0 : input.size(), nullptr, &call);
  Require((code == PTEPROOF_SAFE) == (call != nullptr), "there is a call unless it is refused");
  pteproof_call_free(call);
}

std::string_view TextOf(pteproof_bytes bytes) {
  Require(bytes.data != nullptr || bytes.size == 0, "there is data where there is a size");
  return {static_cast<const char*>(bytes.data), bytes.size};
}

void RequireNothingYet(pteproof_call* call) {
  Require(pteproof_call_code(call) == PTEPROOF_USAGE, "there is no code before the end");
  Require(pteproof_call_output(call).size == 0 && pteproof_call_text(call).size == 0 &&
              pteproof_call_complaints(call).size == 0 &&
              pteproof_call_kept(call, "/dev/null/kept.pte").size == 0,
          "there is no output before the end");
  Require(pteproof_call_wait(call, 0) == 0, "what has not started has not ended");
}

void RequireClosed(pteproof_call* call) {
  Require(pteproof_call_lend(call, "x", "y", 1) == PTEPROOF_USAGE &&
              pteproof_call_keep(call, "x") == PTEPROOF_USAGE &&
              pteproof_call_start(call) == PTEPROOF_USAGE &&
              pteproof_call_run(call) == PTEPROOF_USAGE,
          "a call that has started takes nothing");
}

bool IsAnswer(int32_t code) {
  return code >= PTEPROOF_SAFE && code <= PTEPROOF_UNDECIDED;
}

void RequireDocumented(int32_t code, bool stopped) {
  constexpr std::array kErrors = {PTEPROOF_USAGE, PTEPROOF_UNREADABLE, PTEPROOF_NO_SOLVER,
                                  PTEPROOF_NO_MEMORY};
  if (IsAnswer(code) || std::ranges::find(kErrors, code) != kErrors.end()) return;
  if (code == PTEPROOF_STOPPED && stopped) return;
  Fail("a call ends with a code of the header", std::to_string(code));
}

bool IsUtf8(std::string_view text) {
  try {
    static_cast<void>(nlohmann::json(text).dump());
    return true;
  } catch (const nlohmann::json::type_error&) {
    return false;
  }
}

void RequireSound(const DraftedCall& draft, pteproof_call* call) {
  const int32_t code = pteproof_call_code(call);
  RequireDocumented(code, draft.stops);
  if (code == PTEPROOF_STOPPED) return;
  const std::string_view output = TextOf(pteproof_call_output(call));
  const std::string_view complaints = TextOf(pteproof_call_complaints(call));
  Require(TextOf(pteproof_call_output(call)).data() == output.data(), "an output stays");
  Require(IsUtf8(complaints), "complaints are text");
  Require(IsAnswer(code) || !complaints.empty() || !output.empty(), "an error has its reason");
  const auto says = [&](std::string_view name) {
    return std::ranges::any_of(draft.flags, [&](const DrawnFlag& f) { return f.name == name; });
  };
  if (says("output")) return;  // which may be "-"
  Require(IsUtf8(output) && IsUtf8(TextOf(pteproof_call_text(call))), "output is text");
}

}  // namespace

Stage FuzzCall(Bytes input) {
  TryOptions(input);
  const DraftedCall draft = DraftedCallOf(input);
  std::array<std::vector<char>, 2> lent;  // of their exact sizes, and freed after the call
  for (size_t i = 0; i < lent.size(); ++i)
    lent[i].assign(draft.files[i].begin(), draft.files[i].end());
  size_t told = 0;
  const OwnedCall owned = MakeCall(draft, told);
  if (owned == nullptr) return Stage::kRefused;
  pteproof_call* const call = owned.get();
  for (size_t i = 0; i < lent.size(); ++i) {
    const std::string name = i == 0 ? kFirst : kSecond;
    Require(pteproof_call_lend(call, name.c_str(), lent[i].data(), lent[i].size()) == 0,
            "a file is lent");
  }
  for (const char* name : {"/dev/null/kept.pte", "/dev/null/kept.json", "/dev/null/kept.html"}) {
    if (draft.keeps) Require(pteproof_call_keep(call, name) == 0, "a file is kept");
  }
  if (draft.misuses) RequireNothingYet(call);
  Require(pteproof_call_start(call) == PTEPROOF_SAFE, "a call starts");
  if (draft.misuses) RequireClosed(call);
  if (draft.stops) {
    if (draft.waits) static_cast<void>(pteproof_call_wait(call, 1));
    pteproof_call_stop(call);
    if (!draft.waits) return Stage::kRead;  // freed while it runs
  }
  Require(pteproof_call_wait(call, -1) == 1, "a call ends");
  RequireSound(draft, call);
  for (size_t i = 0; i < lent.size(); ++i) {
    Require(std::ranges::equal(lent[i], draft.files[i]), "what is lent is only read");
  }
  const int32_t code = pteproof_call_code(call);
  if (code == PTEPROOF_USAGE) return Stage::kRefused;
  if (!IsAnswer(code) || code == PTEPROOF_MALFORMED) return Stage::kRead;
  return draft.verb == "run" || draft.verb == "diff" || draft.verb == "eval" ? Stage::kRan
                                                                             : Stage::kJudged;
}

}  // namespace pteproof::fuzz
