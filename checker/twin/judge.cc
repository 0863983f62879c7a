// Methods together: R6 under each policy, unsafe claims, and the lines of the answer.
#include <algorithm>
#include <array>
#include <tuple>

#include "checker/twin/walk.h"

namespace pteproof_twin {
namespace {

constexpr int64_t kSchema = 1;
constexpr uint64_t kStepsPerByte = 200;
constexpr uint64_t kFreeSteps = 200'000;
constexpr std::array<std::string_view, 3> kPolicies = {"private", "share-1-2", "share-all"};

// Whether a bank is common to all methods under a policy.
bool IsShared(std::string_view policy, const Place& place) {
  const bool first_two = policy == "share-1-2" && (place.bank == 1 || place.bank == 2);
  return place.IsPlanned() && (policy == "share-all" || first_two);
}

// All that is known of program and certificate.
struct Case {
  Program program;
  std::vector<Buffer> buffers;
  std::vector<Facts> facts;
  std::vector<Walk> walks;
  std::vector<std::optional<State>> ends;
  std::vector<std::pair<int64_t, int32_t>> loads;  // (method, value) that a load puts into a bank
  std::set<std::tuple<Place, int64_t, int32_t>> placed_loads;  // the same, by place
  Offset longest_load = 0;
  std::map<int64_t, std::vector<size_t>> by_key;       // numbers of buffers
  std::vector<std::pair<int64_t, int32_t>> misplaced;  // (method, value)
  bool all_first = false;
  Work* work = nullptr;
  Trusted* trusted = nullptr;

  [[nodiscard]] const Method& MethodAt(int64_t m) const {
    return program.methods[static_cast<size_t>(m)];
  }
  [[nodiscard]] const Walk& WalkAt(int64_t m) const { return walks[static_cast<size_t>(m)]; }
  [[nodiscard]] const Facts& FactsAt(int64_t m) const { return facts[static_cast<size_t>(m)]; }
  // Whether the method stores to the buffer at this place.
  [[nodiscard]] bool StoresAt(int64_t m, size_t b) const {
    return WalkAt(m).Stored().contains(static_cast<int32_t>(b));
  }
  // At any place.
  [[nodiscard]] bool Stores(int64_t m, int64_t key) const {
    work->Spend(1);
    return std::ranges::any_of(by_key.at(key), [&](size_t b) { return StoresAt(m, b); });
  }
};

std::string ValueWords(const Case& c, int64_t m, int32_t v) {
  return "v" + std::to_string(v) + " of '" + c.MethodAt(m).name + "'";
}

std::string BufferWords(const Case& c, const Buffer& buffer) {
  return "buffer " + ValueWords(c, buffer.users[0].method, buffer.users[0].value);
}

// ---- R6 ----

// Why a call of the reader does not find in a buffer what method m stored; empty: it does.
std::string WhyNotFound(const Case& c, std::string_view policy, const Buffer& buffer, int64_t m,
                        int64_t reader) {
  const bool shared = IsShared(policy, buffer.place);
  for (const size_t number : c.by_key.at(buffer.key)) {
    const Buffer& other = c.buffers[number];
    const bool apart = &other != &buffer || !(shared || m == reader);
    if (!c.work->Spend(1) || !apart || !c.StoresAt(m, number)) continue;
    const bool both = shared && IsShared(policy, other.place);
    if (both || m == reader || !buffer.name.empty())
      return "'" + c.MethodAt(m).name + "' stores to another place of it";
  }
  return "";
}

// Two methods with a buffer each, though it has one place in both.
bool HaveOwnCopies(const Case& c, std::string_view policy, const Buffer& buffer, int64_t m,
                   int64_t reader) {
  return m != reader && !IsShared(policy, buffer.place) && c.Stores(m, buffer.key);
}

// Whether two values are loaded with equal bytes where their places meet.
bool AreLoadedAlike(const Case& c, const Value& a, const Value& b) {
  if (a.external || b.external)
    return a.external == b.external && a.name == b.name && a.place == b.place;
  const auto first = c.program.initial.find(a.data);
  const auto second = c.program.initial.find(b.data);
  const bool there = first != c.program.initial.end() && second != c.program.initial.end();
  if (!c.work->Need(there, "a stored value that is not there")) return true;
  const Offset lo = std::max(a.place.lo, b.place.lo);
  const Offset hi = std::min(a.place.hi, b.place.hi);
  const auto length = static_cast<Offset>(c.program.file.size());
  const auto bytes = [&](Offset start) {
    const Offset from = std::min(start, length);
    const Offset to = std::clamp(start + hi - lo, from, length);
    return AsText(c.program.file).substr(static_cast<size_t>(from), static_cast<size_t>(to - from));
  };
  return bytes(first->second + lo - a.place.lo) == bytes(second->second + lo - b.place.lo);
}

// A load of method m puts the stored value of v over a buffer.
void JudgeLoad(const Case& c, int64_t m, int32_t v, size_t b, bool shared) {
  const Buffer& buffer = c.buffers[b];
  const Value& value = c.MethodAt(m).At(v);
  const std::string words = "loading '" + c.MethodAt(m).name + "' puts v" + std::to_string(v) +
                            " over " + BufferWords(c, buffer);
  bool alike = true;
  bool alike_here = true;  // in the method itself
  bool all_loaded = true;
  bool reads = false;
  bool late = false;
  c.work->Spend(1 + buffer.users.size());
  for (const BufferUser& user : buffer.users) {
    reads = reads || (user.method == m && user.reads);
    if (c.work->stopped || (user.method == m && user.value == v)) continue;
    const Value& other = c.MethodAt(user.method).At(user.value);
    all_loaded = all_loaded && other.IsLoaded();
    if (other.IsLoaded()) alike = alike && AreLoadedAlike(c, value, other);
    if (user.method == m) alike_here = alike_here && alike;
    late = late || (user.method != m && c.Stores(user.method, buffer.key));
  }
  const auto& own = c.FactsAt(m).own;
  const auto home = own.find(v);
  if (home == own.end() || static_cast<size_t>(home->second) != b || value.place != buffer.place) {
    bool stored = false;
    c.work->Spend(c.walks.size());
    for (int64_t n = 0; n < static_cast<int64_t>(c.walks.size()); ++n) {
      stored = stored || c.Stores(n, buffer.key);
      if (home != own.end())
        stored = stored || c.Stores(n, c.buffers[static_cast<size_t>(home->second)].key);
    }
    if (stored || !alike || !all_loaded) c.work->Stop(Exit::kRefuted, words);
    return;
  }
  if (!shared && alike_here) return;
  if (!alike) c.work->Stop(Exit::kRefuted, words + ", which is loaded with other bytes");
  if (late && !c.all_first && (reads || !c.Stores(m, buffer.key)))
    c.work->Stop(Exit::kRefuted, words + ", to which another method has stored");
}

// What a call of the reader finds in a buffer.
void JudgeReader(const Case& c, std::string_view policy, size_t b, int64_t reader) {
  const Buffer& buffer = c.buffers[b];
  const bool shared = IsShared(policy, buffer.place);
  for (int64_t m = 0; m < static_cast<int64_t>(c.ends.size()) && c.work->Spend(1); ++m) {
    const std::optional<State>& end = c.ends[static_cast<size_t>(m)];
    const bool touches = end && (shared || m == reader);
    if (touches && !end->held.contains(c.FactsAt(m).End(b)) && !buffer.place.IsEmpty()) {
      const auto lost = end->lost.find(c.FactsAt(m).End(b));
      const Cause cause = lost != end->lost.end() ? lost->second : Cause{-1, -1};
      return c.work->Stop(Exit::kRefuted, "instruction " + std::to_string(cause.instruction) +
                                              " of '" + c.MethodAt(m).name + "' writes v" +
                                              std::to_string(cause.value) + " over " +
                                              BufferWords(c, buffer));
    }
    const std::string why = WhyNotFound(c, policy, buffer, m, reader);
    if (!why.empty()) {
      const std::string under = ", under " + std::string(policy);
      return c.work->Stop(Exit::kRefuted, BufferWords(c, buffer) + ": " + why + under);
    }
    if (HaveOwnCopies(c, policy, buffer, m, reader)) {
      c.trusted->Add("under " + std::string(policy) + ", '" + c.MethodAt(m).name +
                     "' has a buffer apart from " + BufferWords(c, buffer));
    }
  }
}

void JudgePolicy(const Case& c, std::string_view policy) {
  for (size_t b = 0; b < c.buffers.size(); ++b) {
    const Buffer& buffer = c.buffers[b];
    std::set<int64_t> readers;
    for (const BufferUser& user : buffer.users) {
      if (user.reads) readers.insert(user.method);
    }
    for (const int64_t reader : readers) JudgeReader(c, policy, b, reader);
    if (readers.empty()) continue;
    const bool shared = IsShared(policy, buffer.place);
    // Loads are sorted by their places, and none is longer than the longest.
    const Place from = {buffer.place.bank, buffer.place.lo - c.longest_load, 0};
    for (auto load = c.placed_loads.lower_bound({from, 0, 0});
         load != c.placed_loads.end() && c.work->Spend(1); ++load) {
      const auto& [place, m, v] = *load;
      if (place.bank != buffer.place.bank || place.lo >= buffer.place.hi) break;
      const bool touches = shared || readers.contains(m);
      if (Meet(place, buffer.place) && touches) JudgeLoad(c, m, v, b, shared);
    }
  }
}

// ---- The certificate ----

int64_t WholeBelow(const Json& json, int64_t limit, Work& work) {
  const bool fits = json.Is(JsonKind::kWhole) && json.Number() >= 0 && json.Number() < limit;
  return work.Need(fits, "a number is none, or too large") ? json.Number() : 0;
}

// The parts of a list; of what is absent none.
std::vector<Json> PartsOf(const std::optional<Json>& json, Work& work) {
  if (!json || !work.Need(json->Is(JsonKind::kList), "a part is not a list")) return {};
  return json->Parts();
}

bool HasKeys(const std::optional<Json>& json, std::initializer_list<std::string_view> keys) {
  if (!json || !json->Is(JsonKind::kObject)) return false;
  const auto parts = json->Parts();
  for (size_t k = 0; k < parts.size(); k += 2) {
    if (std::ranges::find(keys, parts[k].Text()) == keys.end()) return false;
  }
  return true;
}

void NeedForm(const Json& root, Work& work) {
  const bool keys = HasKeys(root, {"schema", "file", "data", "manifest", "load", "claims",
                                   "operators", "buffers", "methods", "outputs", "shown"});
  if (!work.Need(keys, "the certificate has other keys")) return;
  const auto schema = root.Find("schema");
  const bool known = schema && schema->Is(JsonKind::kWhole) && schema->Number() == kSchema;
  work.Need(known, "the certificate's schema is not 1");
  const auto load = root.Find("load");
  work.Need(!load || load->IsText("any") || load->IsText("all-first"), "unknown load order");
  work.Need(!root.Find("outputs") || root.Find("outputs")->IsText("next-call"), "other outputs");
  const auto claims = root.Find("claims");
  work.Need(HasKeys(claims, {kPolicies[0], kPolicies[1], kPolicies[2]}), "claims are by policy");
  for (const std::string_view policy : kPolicies) {
    const auto claim = claims && !work.stopped ? claims->Find(policy) : std::nullopt;
    const bool fits =
        !claim || claim->IsText("safe") || claim->IsText("undecided") || claim->Is(JsonKind::kList);
    work.Need(fits, "an unknown claim");
  }
  const auto operators = root.Find("operators");
  work.Need(!operators || operators->Is(JsonKind::kObject), "operators are by name");
  const auto manifest = root.Find("manifest");
  work.Need(!manifest || manifest->Is(JsonKind::kText), "the manifest's hash is not text");
}

std::vector<Buffer> ReadBuffers(const Program& program, const std::vector<Json>& listing,
                                Work& work) {
  std::vector<Buffer> buffers;
  std::map<std::tuple<int64_t, Place, int64_t>, size_t> numbers;
  std::set<std::string> names;
  int64_t key = 0;
  for (const Json& entry : listing) {
    const auto parts = entry.Parts();
    const bool named = entry.Is(JsonKind::kList) && !parts.empty() && parts[0].Is(JsonKind::kText);
    if (!work.Need(named, "a buffer's name is not text")) return buffers;
    const std::string& name = parts[0].Text();
    const bool own = name.empty() || names.insert(name).second;
    if (!work.Need(own, "a buffer's name is not its own")) return buffers;
    for (size_t k = 1; k < parts.size(); ++k) {
      const auto user = parts[k].Parts();
      const bool fits = parts[k].Is(JsonKind::kList) && (user.size() == 2 || user.size() == 3);
      if (!work.Need(fits, "a buffer's user is [method, value]")) return buffers;
      const int64_t m = WholeBelow(user[0], static_cast<int64_t>(program.methods.size()), work);
      if (work.stopped) return buffers;
      const Method& method = program.methods[static_cast<size_t>(m)];
      const int64_t v = WholeBelow(user[1], static_cast<int64_t>(method.values.size()), work);
      if (user.size() == 3) WholeBelow(user[2], 1, work);
      if (work.stopped) return buffers;
      const Value& value = method.At(v);
      const bool is_buffer = value.IsTensor() && !value.IsConstant() && value.name == name;
      if (!work.Need(is_buffer, "a value is not the buffer")) return buffers;
      const int64_t only = value.place.IsPlanned() ? -1 : m;
      const auto [at, is_new] = numbers.try_emplace({key, value.place, only}, buffers.size());
      if (is_new) buffers.push_back({key, name, value.place, {}});
      buffers[at->second].users.push_back({m, static_cast<int32_t>(v), user.size() == 2});
    }
    ++key;
  }
  return buffers;
}

// The codes of the reviewed table, by operator.
std::map<std::string, std::string> ReadTable(std::string_view table) {
  std::map<std::string, std::string> codes;
  while (!table.empty()) {
    const std::string_view line = table.substr(0, table.find('\n'));
    table.remove_prefix(std::min(line.size() + 1, table.size()));
    const size_t tab = line.find('\t');
    if (!line.starts_with('#') && tab != std::string_view::npos)
      codes[std::string(line.substr(0, tab))] = line.substr(tab + 1);
  }
  return codes;
}

// The signatures that the certificate states replace reviewed ones.
Signatures ReadSignatures(const std::optional<Json>& stated, std::string_view table,
                          Trusted& trusted, Work& work) {
  std::map<std::string, std::string> codes = ReadTable(table);
  std::map<std::string, std::string> own;
  const auto parts = stated ? stated->Parts() : std::vector<Json>();
  for (size_t k = 0; k + 1 < parts.size(); k += 2) {
    if (!work.Need(parts[k + 1].Is(JsonKind::kText), "a signature is not text")) return {};
    own[parts[k].Text()] = parts[k + 1].Text();
  }
  for (const auto& [name, code] : own) {
    const auto [reviewed, is_new] = codes.try_emplace(name, code);
    if (is_new || reviewed->second != code) trusted.Add("operator " + name + " does " + code);
    reviewed->second = code;
  }
  Signatures signatures;
  for (const auto& [name, code] : codes) signatures[name] = ReadSignature(code, work);
  return signatures;
}

// ---- Claims ----

void FindMisplaced(Case& c) {
  for (int64_t m = 0; m < static_cast<int64_t>(c.program.methods.size()); ++m) {
    const Method& method = c.MethodAt(m);
    std::set<std::pair<int64_t, Offset>> ends;
    for (const Value& value : method.values) {
      if (!value.place.IsEmpty()) ends.emplace(value.place.bank, value.place.hi);
    }
    for (size_t v = 0; v < method.values.size(); ++v) {
      const auto& [bank, lo, hi] = method.values[v].place;
      if (bank <= 0) continue;
      const bool known = static_cast<size_t>(bank) < method.banks.size();
      const Offset size = known ? method.banks[static_cast<size_t>(bank)] : 0;
      const bool aligned = lo % ElementOf(method.values[v].dtype) == 0;
      if (hi > size || (!aligned && !ends.contains({bank, lo})))
        c.misplaced.emplace_back(m, static_cast<int32_t>(v));
    }
  }
}

// What does not find what is meant on the path of a witness; nothing: all does.
std::vector<std::string> ShowRead(Case& c, std::string_view policy,
                                  const std::vector<Json>& witness) {
  Work& work = *c.work;
  if (!work.Need(witness.size() == 3 || witness.size() == 4, "a witness has a reader and calls"))
    return {};
  std::vector<std::pair<int64_t, std::vector<int64_t>>> calls;
  for (size_t k = 2; k < witness.size(); ++k) {
    const auto numbers = PartsOf(witness[k], work);
    std::vector<int64_t> path;
    for (const Json& number : numbers) path.push_back(WholeBelow(number, int64_t{1} << 32U, work));
    const bool is_method =
        !path.empty() && path[0] < static_cast<int64_t>(c.program.methods.size());
    if (!work.Need(is_method, "a call is of a method")) return {};
    calls.push_back({path[0], {path.begin() + 1, path.end()}});
  }
  const int64_t reader = calls[0].first;
  std::map<size_t, Cause> lost;
  std::string after;
  if (calls.size() == 2) {
    const int64_t m = calls[1].first;
    const auto end = c.walks[static_cast<size_t>(m)].Follow(calls[1].second, {});
    if (work.stopped || !work.Need(end.has_value(), "the path of a call does not come to its end"))
      return {};
    const bool loaded =
        std::ranges::any_of(c.loads, [&](const auto& l) { return l.first == reader; });
    for (size_t b = 0; b < c.buffers.size() && work.Spend(1); ++b) {
      const Buffer& buffer = c.buffers[b];
      const int32_t name = c.FactsAt(m).End(b);
      const auto gone = end->lost.find(name);
      const bool touches = IsShared(policy, buffer.place) || m == reader;
      const bool undone = loaded && m != reader && !c.all_first && c.Stores(m, buffer.key) &&
                          std::ranges::any_of(c.loads, [&](const auto& load) {
                            work.Spend(1);
                            const auto& own = c.FactsAt(reader).own;
                            const auto home = own.find(load.second);
                            return load.first == reader && home != own.end() &&
                                   static_cast<size_t>(home->second) == b;
                          });
      if (touches && gone != end->lost.end() && !end->held.contains(name)) {
        lost[b] = gone->second;
      } else if (undone) {
        lost[b] = {0, 0, "its load puts the stored value back"};
      } else if (std::string why = WhyNotFound(c, policy, buffer, m, reader); !why.empty()) {
        lost[b] = {0, 0, std::move(why)};
      }
    }
    after = ", after a call of '" + c.MethodAt(m).name + "'";
  }
  Walk& walk = c.walks[static_cast<size_t>(reader)];
  const int64_t i = WholeBelow(witness[1], c.MethodAt(reader).Count() + 1, work);
  if (work.stopped) return {};
  walk.Follow(calls[0].second, lost);
  const bool jumps =
      std::ranges::any_of(calls, [](const auto& call) { return !call.second.empty(); });
  std::vector<std::string> lines;
  for (const Walk::Miss& miss : walk.Misses()) {
    if (miss.instruction == i)
      lines.push_back(miss.words + after + (jumps ? " on the path shown" : ""));
  }
  return lines;
}

std::vector<std::string> Show(Case& c, std::string_view policy, const Json& witness) {
  const auto parts = PartsOf(witness, *c.work);
  if (c.work->stopped || parts.empty() || !parts[0].IsText("place"))
    return ShowRead(c, policy, parts);
  if (parts.size() != 3 || !parts[1].Is(JsonKind::kWhole) || !parts[2].Is(JsonKind::kWhole))
    return {};
  const int64_t m = parts[1].Number();
  const int64_t v = parts[2].Number();
  const auto numbers = [](const auto& place) { return std::pair<int64_t, int64_t>(place); };
  const std::pair<int64_t, int64_t> place = {m, v};  // they were found in this order
  if (!std::ranges::binary_search(c.misplaced, place, {}, numbers)) return {};
  return {"v" + std::to_string(v) + " of method " + std::to_string(m) +
          " is misplaced in its bank"};
}

void JudgeSafe(Case& c, const Json& claims, Answer& answer) {
  const auto is_safe = [&](std::string_view policy) {
    const auto claim = claims.Find(policy);
    return claim && claim->IsText("safe");
  };
  if (std::ranges::none_of(kPolicies, is_safe)) return;
  for (const auto& [m, v] : c.misplaced)
    return c.work->Stop(Exit::kRefuted, ValueWords(c, m, v) + " is misplaced in its bank");
  for (Walk& walk : c.walks) {
    c.ends.push_back(walk.Run());
    if (c.work->stopped) return;
  }
  for (const std::string_view policy : kPolicies) {
    if (!is_safe(policy)) continue;
    JudgePolicy(c, policy);
    answer.confirmed.push_back(std::string(policy) +
                               ": each read finds what is meant, in all orders of calls");
  }
}

void JudgeOther(Case& c, std::string_view policy, const Json& claim, Answer& answer) {
  const std::string start(policy);
  if (claim.IsText("safe")) return;
  if (!claim.Is(JsonKind::kList) || claim.Parts().empty()) {
    const bool said = claim.Is(JsonKind::kText) && !claim.Text().empty();
    answer.unchecked.push_back(
        start + ": " +
        (said ? claim.Text() : "unsafe, by rules that the certificate does not speak of"));
    return;
  }
  std::vector<std::string> shown;
  for (const Json& witness : claim.Parts()) {
    for (std::string& line : Show(c, policy, witness)) shown.push_back(std::move(line));
    if (c.work->stopped) return;
  }
  if (shown.empty()) {
    answer.unchecked.push_back(start + ": unsafe, which no path of the certificate shows");
    return;
  }
  answer.confirmed.push_back(start + " is unsafe: " + shown[0]);
  if (shown[0].ends_with("on the path shown"))
    answer.unchecked.push_back(start + ": that this path can be taken");
}

void TrustBuffers(const Case& c) {
  for (const Buffer& buffer : c.buffers) {
    std::string same;
    for (const BufferUser& user : buffer.users) {
      const Method& method = c.MethodAt(user.method);
      const Value& value = method.At(user.value);
      const std::string words = ValueWords(c, user.method, user.value);
      c.work->Spend(1);
      bool known = !buffer.name.empty() || value.IsLoaded();
      if (!known && !method.inputs.empty() && user.value < *method.is_input.begin()) {
        c.work->Spend(method.code.size());
        known = IsNumbered(c.FactsAt(user.method));
      }
      if (c.work->stopped) return;
      if (!known) c.trusted->Add(words + " is a buffer");
      if ((user.reads || !buffer.place.IsPlanned()) && !value.IsLoaded())
        c.trusted->Add(words + " is there before the first call");
      same += (same.empty() ? "" : " and ") + words;
    }
    if (buffer.name.empty() && buffer.users.size() > 1) c.trusted->Add(same + " are one buffer");
  }
}

// Program and certificate, up to what each method's instructions do.
void ReadCase(Case& c, const Json& root, std::string_view table, File file) {
  Work& work = *c.work;
  c.program = ReadProgram(file, work);
  if (work.stopped) return;
  const Signatures signatures = ReadSignatures(root.Find("operators"), table, *c.trusted, work);
  if (work.stopped) return;
  c.buffers = ReadBuffers(c.program, PartsOf(root.Find("buffers"), work), work);
  for (size_t b = 0; b < c.buffers.size(); ++b) c.by_key[c.buffers[b].key].push_back(b);
  const auto parts = PartsOf(root.Find("methods"), work);
  if (!work.Need(parts.size() == c.program.methods.size(), "it has another number of methods"))
    return;
  for (size_t m = 0; m < parts.size(); ++m) {
    c.facts.push_back(ReadFacts(c.program, static_cast<int64_t>(m), c.buffers, parts[m], signatures,
                                *c.trusted, work));
    if (work.stopped) return;
    const Method& method = c.program.methods[m];
    for (size_t v = 0; v < method.values.size(); ++v) {
      const Place& place = method.values[v].place;
      if (!place.IsPlanned() || !method.values[v].IsLoaded()) continue;
      c.loads.emplace_back(m, static_cast<int32_t>(v));
      c.placed_loads.emplace(place, m, static_cast<int32_t>(v));
      c.longest_load = std::max(c.longest_load, place.hi - place.lo);
    }
  }
  for (const Facts& facts : c.facts) c.walks.emplace_back(facts, *c.trusted, work);
  const auto load = root.Find("load");
  c.all_first = load && load->IsText("all-first");
  FindMisplaced(c);
}

void JudgeAll(const Json& root, std::string_view table, File file, const std::vector<File>& data,
              Work& work, Answer& answer) {
  NeedForm(root, work);
  const auto hash = root.Find("file");
  if (!work.Need(hash && hash->IsText(Sha256(AsText(file))), "it is of another file")) return;
  const auto hashes = PartsOf(root.Find("data"), work);
  bool same = hashes.size() == data.size();
  for (size_t k = 0; same && k < data.size(); ++k) same = hashes[k].IsText(Sha256(AsText(data[k])));
  if (!work.Need(same, "it is of other data files")) return;
  Trusted trusted(work);
  Case c;
  c.work = &work;
  c.trusted = &trusted;
  ReadCase(c, root, table, file);
  const Json claims = *root.Find("claims");
  if (!work.stopped) JudgeSafe(c, claims, answer);
  for (const std::string_view policy : kPolicies) {
    const auto claim = claims.Find(policy);
    if (claim && !work.stopped) JudgeOther(c, policy, *claim, answer);
  }
  if (work.stopped) return;
  TrustBuffers(c);
  for (const Facts& facts : c.facts) TrustBirths(facts, trusted, work);
  if (c.all_first) trusted.Add("all methods are loaded before the first call");
  if (const auto manifest = root.Find("manifest")) trusted.Add("the manifest " + manifest->Text());
  if (root.Find("outputs")) trusted.Add("outputs are read before the next call of a method");
  answer.trusted.assign(trusted.Lines().begin(), trusted.Lines().end());
  if (root.Find("shown")) answer.unchecked.emplace_back("what was shown of a new plan (shown)");
}

}  // namespace

Answer Judge(File program, std::string_view certificate, std::string_view operators,
             const std::vector<File>& data) {
  Answer answer;
  answer.version = Sha256(operators);
  const uint64_t bytes = ProgramSize(program) + certificate.size();
  Work work = {.left = static_cast<int64_t>(kFreeSteps + kStepsPerByte * bytes)};
  JsonTree tree;
  if (ReadJson(certificate, tree)) {
    JudgeAll(Json(tree, 0), operators, program, data, work, answer);
  } else {
    work.Stop(Exit::kMalformed, "the certificate is not JSON");
  }
  const bool all = answer.unchecked.empty() && !answer.confirmed.empty();
  answer.exit = work.stopped.value_or(all ? Exit::kConfirmed : Exit::kInPart);
  if (work.stopped) {
    answer.confirmed = answer.trusted = answer.unchecked = {};
    answer.why = work.why;
  }
  return answer;
}

std::vector<std::string> LinesOf(const Answer& answer) {
  const std::string why = Printed(answer.why);
  switch (answer.why.empty() ? Exit::kConfirmed : answer.exit) {
    case Exit::kRefuted:
      return {"refuted    " + why};
    case Exit::kMalformed:
      return {"malformed  " + why};
    case Exit::kInPart:
      return {"unchecked  " + why};
    case Exit::kConfirmed:
      break;
  }
  std::vector<std::string> lines;
  for (const std::string& line : answer.confirmed) lines.push_back("confirmed  " + Printed(line));
  for (const std::string& line : answer.trusted) lines.push_back("trusted    " + Printed(line));
  for (const std::string& line : answer.unchecked) lines.push_back("unchecked  " + Printed(line));
  lines.insert(
      lines.end(),
      {"trusted    operators do as operators.tsv says before they return, and compute what is "
       "meant",
       "           tensors stay within the sizes of the file, as the runtime checks when it "
       "resizes",
       "           dynamic operands of equal bounds are of equal sizes, as the exporter has it",
       "           the caller sets inputs before each call, apart from each other and from the "
       "banks",
       "           a value that nothing writes means what rule B says",
       "           a buffer starts alike in all methods, and without a name is one if a line says "
       "so",
       "           methods are loaded directly before their first call, or as a line says",
       "           all stores that the model asks for are in the file",
       "operators  " + answer.version});
  return lines;
}

}  // namespace pteproof_twin
