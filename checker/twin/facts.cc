// What an instruction does to tensors follows from its signature: that of the certificate for this
// call, that of the certificate for the operator, or the reviewed one. All but the last are
// trusted.
#include <algorithm>

#include "checker/twin/walk.h"

namespace pteproof_twin {
namespace {

constexpr std::string_view kLetters = "-rewWufnpvh";

// A part that has to be a list, or that may be absent.
std::vector<Json> ListIn(const Json& part, std::string_view key, Work& work) {
  const auto found = part.Find(key);
  if (!found || !work.Need(found->Is(JsonKind::kList), "a part is not a list")) return {};
  return found->Parts();
}

int64_t WholeOf(const Json& json, int64_t limit, Work& work) {
  const bool fits = json.Is(JsonKind::kWhole) && json.Number() >= 0 && json.Number() < limit;
  return work.Need(fits, "a number is none, or too large") ? json.Number() : 0;
}

Births ReadBirths(const Method& method, const std::vector<Json>& listing, bool by_call,
                  Work& work) {
  Births births;
  for (const Json& entry : listing) {
    const auto parts = entry.Parts();
    if (!work.Need(entry.Is(JsonKind::kList) && parts.size() >= 3,
                   "a birth is [instruction, value, source...]"))
      return births;
    const int64_t at = WholeOf(parts[0], method.Count() + 1, work);
    std::vector<int32_t> values;
    for (size_t k = 1; k < parts.size(); ++k) {
      const int64_t v = WholeOf(parts[k], static_cast<int64_t>(method.values.size()), work);
      if (work.stopped || !work.Need(method.IsTensor(v), "a birth is of tensors")) return births;
      values.push_back(static_cast<int32_t>(v));
    }
    const bool fits =
        !method.At(values[0]).IsConstant() && (by_call || !method.is_input.contains(values[0]));
    if (!work.Need(fits, "a constant or an input has no birth")) return births;
    const auto [place, is_new] = births.number.try_emplace(at, births.listed.size());
    if (is_new) births.listed.push_back({at, {}});
    births.listed[place->second].second.push_back({values[0], {values.begin() + 1, values.end()}});
  }
  return births;
}

// `rest` of the arguments is 0, or 1 for the value that an operator returns.
void AddKernelEffects(const Method& method, const Step& step, const Signature& letters,
                      Effects& effects, Work& work) {
  const size_t rest = step.args.size() - letters.size();
  if (!work.Need(rest <= 1, "a call does not fit its signature")) return;
  const auto is_kind = [](char kind) {
    return [kind](const Letter& letter) { return letter.what == kind; };
  };
  effects.repeats = std::ranges::count_if(letters, is_kind('e')) > 1 ||
                    std::ranges::any_of(letters, is_kind('u')) ||
                    std::ranges::any_of(letters, is_kind('W'));
  for (size_t k = 0; k < letters.size(); ++k) {
    const auto [what, returned] = letters[k];
    const int64_t arg = step.args[k];
    const auto tensors = method.Tensors(arg);
    work.Spend(tensors.size());
    for (const int32_t v : tensors) {
      if (what == 'r' || what == 'e') effects.reads.push_back({v, what == 'e'});
      if (std::string_view("wWufnp").find(what) != std::string::npos)
        effects.writes.emplace_back(v, what);
    }
    const int64_t last = step.args.back();
    if (!returned || rest == 0 || last == arg || tensors.empty()) continue;
    if (!method.IsTensor(last) || !method.IsTensor(arg))
      return work.Stop(Exit::kRefuted, "a call returns a tensor where the file has none");
    effects.names.push_back({static_cast<int32_t>(last), static_cast<int32_t>(arg)});
  }
  // A value that several arguments write is written once, as the first of them says.
  std::set<int32_t> seen;
  std::erase_if(effects.writes,
                [&](const auto& write) { return !seen.insert(write.first).second; });
  const auto viewed = std::ranges::find(letters, 'v', &Letter::what);
  const auto name = std::ranges::find(letters, 'h', &Letter::what);
  if (viewed == letters.end() || name == letters.end()) return;
  const int64_t source = step.args[static_cast<size_t>(viewed - letters.begin())];
  const int64_t to = step.args[static_cast<size_t>(name - letters.begin())];
  if (work.Need(method.IsTensor(source) && method.IsTensor(to), "a view of no tensor"))
    effects.moves = {{static_cast<int32_t>(to), static_cast<int32_t>(source)}};
}

Effects EffectsOf(const Method& method, const Step& step, const Signature& letters, Work& work) {
  Effects effects;
  if (step.action == Action::kJump) {
    for (const int32_t v : method.Tensors(step.target)) effects.reads.push_back({v, false});
  } else if (step.action == Action::kMove) {
    const int64_t to = step.args[0];
    if (method.IsTensor(step.target) && method.IsTensor(to)) {
      effects.moves = {{static_cast<int32_t>(to), step.target}};
    } else if (!method.Tensors(step.target).empty() || !method.Tensors(to).empty()) {
      work.Stop(Exit::kRefuted, "an instruction moves a list of tensors");
    }
  } else {
    AddKernelEffects(method, step, letters, effects, work);
  }
  return effects;
}

std::string InstructionWords(int64_t i, const Method& method) {
  return "instruction " + std::to_string(i) + " of '" + method.name + "'";
}

std::string ListWords(const std::vector<int32_t>& values) {
  std::string words;
  for (const int32_t v : values) words += (words.empty() ? "v" : ", v") + std::to_string(v);
  return words;
}

Signature DelegateSignature(const Method& method, int64_t i, const std::optional<Json>& roles,
                            Trusted& trusted, Work& work) {
  const auto arguments = static_cast<int64_t>(method.StepAt(i).args.size());
  const bool known = roles && roles->Is(JsonKind::kList) && !roles->Parts().empty();
  if (!work.Need(known, "the roles of a delegate call are not there")) return {};
  int64_t outputs = -1;
  std::set<int64_t> updated;
  for (const Json& part : roles->Parts()) {
    const int64_t role = WholeOf(part, arguments + 1, work);
    if (outputs < 0) {
      outputs = role;
      continue;
    }
    updated.insert(role);
  }
  Signature letters;
  std::string words;
  for (int64_t a = 0; a < arguments; ++a) {
    words += a >= arguments - outputs ? 'w' : updated.contains(a) ? 'u' : 'r';
    letters.push_back({words.back(), false});
  }
  trusted.Add(InstructionWords(i, method) + " does " + words);
  return letters;
}

void ReadEffects(const Json& part, const Signatures& signatures, Facts& facts, Trusted& trusted,
                 Work& work) {
  const Method& method = *facts.method;
  std::map<int64_t, Signature> own;
  for (const Json& call : ListIn(part, "calls", work)) {
    const auto parts = call.Parts();
    if (!work.Need(call.Is(JsonKind::kList) && parts.size() == 2,
                   "a call is [instruction, signature]"))
      return;
    const int64_t i = WholeOf(parts[0], method.Count(), work);
    if (!work.Need(parts[1].Is(JsonKind::kText), "a signature is not text")) return;
    own[i] = ReadSignature(parts[1].Text(), work);
    trusted.Add(InstructionWords(i, method) + " does " + parts[1].Text());
  }
  const auto delegates = ListIn(part, "delegates", work);
  size_t delegate = 0;
  for (int64_t i = 0; i < method.Count() && !work.stopped; ++i) {
    const Step& step = method.StepAt(i);
    Signature letters;
    if (step.action == Action::kDelegate) {
      const auto roles =
          delegate < delegates.size() ? std::optional(delegates[delegate]) : std::nullopt;
      letters = DelegateSignature(method, i, roles, trusted, work);
      ++delegate;
    } else if (const auto call = own.find(i); call != own.end()) {
      letters = call->second;
    } else if (step.action == Action::kKernel) {
      const auto found = signatures.find(method.operators[static_cast<size_t>(step.target)]);
      if (!work.Need(found != signatures.end(), "an operator has no signature")) return;
      letters = found->second;
    }
    if (!work.stopped) facts.effects.push_back(EffectsOf(method, step, letters, work));
  }
}

// Calls that leave their results in the bytes of their operands.
void ReadPlaced(Facts& facts, Trusted& trusted, Work& work) {
  const Method& method = *facts.method;
  for (const auto& [i, births] : facts.placed.listed) {
    const bool kernel = i < method.Count() && method.StepAt(i).action == Action::kKernel;
    if (!work.Need(kernel, "no call leaves a result")) return;
    std::set<int32_t> left;
    std::set<int32_t> written;
    Effects& effects = facts.effects[static_cast<size_t>(i)];
    for (const Birth& birth : births) left.insert(birth.value);
    for (const auto& [v, letter] : effects.writes) written.insert(v);
    const bool only = std::ranges::all_of(effects.writes, [](const auto& write) {
      return write.second == 'p' || write.second == 'w';
    });
    if (!work.Need(only && left == written, "other results are left")) return;
    effects = {};
    for (const Birth& birth : births) {
      trusted.Add(InstructionWords(i, method) + ", " +
                  method.operators[static_cast<size_t>(method.StepAt(i).target)] + ", leaves v" +
                  std::to_string(birth.value) + " in " + ListWords(birth.sources));
    }
  }
}

void ReadHeads(const Json& part, Facts& facts, Work& work) {
  const int64_t count = facts.method->Count();
  const auto names = static_cast<int64_t>(facts.method->values.size() + facts.buffers->size());
  for (const Json& head : ListIn(part, "heads", work)) {
    const auto parts = head.Parts();
    const bool fits = head.Is(JsonKind::kList) && parts.size() >= 3;
    if (!work.Need(fits, "a head is [instruction, kept, begun]")) return;
    Head read;
    for (const size_t k : {size_t{1}, size_t{2}}) {
      if (!work.Need(parts[k].Is(JsonKind::kList), "names are not a list")) return;
      for (const Json& name : parts[k].Parts())
        (k == 1 ? read.kept : read.begun).insert(static_cast<int32_t>(WholeOf(name, names, work)));
    }
    facts.heads[WholeOf(parts[0], count, work)] = read;
  }
}

using Names = std::set<std::pair<int32_t, int32_t>>;  // (source, name)

// What lies elsewhere than its source is a handle, whatever made it a name.
void AddName(const Rename& name, int64_t i, Facts& facts, Names& renamed) {
  facts.first_write.try_emplace(name.to, i);
  facts.made.insert(name.to);
  renamed.emplace(name.source, name.to);
  if (facts.PlaceOf(name.to) != facts.PlaceOf(name.source)) facts.handles.insert(name.to);
}

// Adds to `values` what the names lead to from them.
void Close(const Names& names, std::set<int32_t>& values, Work& work) {
  std::vector<int32_t> left(values.begin(), values.end());
  while (!left.empty() && work.Spend(1)) {
    const int32_t source = left.back();
    left.pop_back();
    for (auto name = names.lower_bound({source, 0}); name != names.end() && name->first == source;
         ++name) {
      if (values.insert(name->second).second) left.push_back(name->second);
    }
  }
}

void AddBirths(const Births& births, Facts& facts) {
  for (const auto& [i, listed] : births.listed) {
    for (const Birth& birth : listed) facts.made.insert(birth.value);
  }
}

void FindUses(Facts& facts, Work& work) {
  std::set<int32_t> views;
  Names renamed;
  facts.made.insert(facts.method->inputs.begin(), facts.method->inputs.end());
  AddBirths(facts.births, facts);
  AddBirths(facts.placed, facts);
  for (int64_t i = 0; i < facts.method->Count(); ++i) {
    const Effects& effects = facts.effects[static_cast<size_t>(i)];
    const Step& step = facts.method->StepAt(i);
    if (step.action == Action::kJump && step.args[0] <= i) facts.targets.insert(step.args[0]);
    for (const OperandRead& read : effects.reads) facts.first_use.try_emplace(read.value, i);
    for (const int32_t v : effects.Updated()) facts.first_use.try_emplace(v, i);
    for (const auto& [v, letter] : effects.writes) {
      facts.first_write.try_emplace(v, i);
      if (letter != 'n') facts.made.insert(v);
    }
    for (const Birth& left : facts.placed.At(i)) facts.first_write.try_emplace(left.value, i);
    for (const Rename& move : effects.moves) {
      facts.first_use.try_emplace(move.source, i);
      AddName(move, i, facts, renamed);
      if (step.action == Action::kMove) facts.one_tensor.emplace(move.source, move.to);
      if (step.action != Action::kMove) views.insert(move.to);
    }
    for (const Rename& name : effects.names) {
      AddName(name, i, facts, renamed);
      facts.one_tensor.emplace(name.source, name.to);
    }
    if (step.args.empty() || step.action == Action::kJump) continue;
    const auto first = step.action == Action::kDelegate ? step.args.begin() : step.args.end() - 1;
    for (auto arg = first; arg != step.args.end(); ++arg)
      facts.scalars.insert(static_cast<int32_t>(*arg));
  }
  for (const auto& [source, to] : facts.one_tensor)
    work.Need(!views.contains(to), "a view is another tensor as well");
  Close(renamed, facts.handles, work);
  for (size_t v = 0; v < facts.method->values.size(); ++v) {
    if (facts.method->values[v].dynamic) facts.varies.insert(static_cast<int32_t>(v));
  }
  Close(facts.one_tensor, facts.varies, work);
}

// Which values are names of which buffer, as the certificate or their names say.
void FindBuffers(Facts& facts, Work& work) {
  std::map<std::string, std::vector<int32_t>, std::less<>> named;
  for (size_t b = 0; b < facts.buffers->size(); ++b) {
    const Buffer& buffer = (*facts.buffers)[b];
    work.Spend(buffer.users.size());
    for (const BufferUser& user : buffer.users) {
      if (user.method != facts.m) continue;
      const auto number = static_cast<int32_t>(b);
      facts.own[user.value] = number;
      facts.users.emplace_back(user.value, user.reads);
      facts.user_buffers.push_back(number);
      if (!buffer.name.empty()) facts.names.insert(buffer.name);
      auto& places = named[buffer.name];
      if (places.empty() || places.back() != number) places.push_back(number);
    }
  }
  std::map<int32_t, int32_t> parts;
  for (size_t v = 0; v < facts.method->values.size(); ++v) {
    const Value& value = facts.method->values[v];
    const auto found = named.find(value.name);
    const auto number = static_cast<int32_t>(v);
    if (value.name.empty() || found == named.end() || facts.own.contains(number)) continue;
    work.Spend(found->second.size());
    if (work.stopped) return;
    for (const int32_t b : found->second) {
      if (IsWithin(value.place, (*facts.buffers)[static_cast<size_t>(b)].place)) parts[number] = b;
    }
  }
  facts.own.merge(parts);
  std::set<std::string, std::less<>> known;
  for (const Buffer& buffer : *facts.buffers) {
    if (!buffer.name.empty()) known.insert(buffer.name);
  }
  for (const auto* touched : {&facts.first_write, &facts.first_use}) {
    for (const auto& [v, i] : *touched) {
      const bool listed = facts.own.contains(v) || !known.contains(facts.method->At(v).name);
      work.Need(listed, "a value of a buffer is one that the certificate does not list");
    }
  }
}

// Values that a load or a call before may have made, and names that may be one with a buffer.
void FindLasting(Facts& facts, Work& work) {
  for (const auto& [v, b] : facts.own) facts.made.insert(v);
  for (size_t v = 0; v < facts.method->values.size(); ++v) {
    const Value& value = facts.method->values[v];
    if (!value.name.empty() || value.IsLoaded()) facts.made.insert(static_cast<int32_t>(v));
  }
  for (const auto& [v, b] : facts.own) facts.stand_ins.insert(v);
  Close(facts.one_tensor, facts.stand_ins, work);
  for (const auto& [v, b] : facts.own) facts.stand_ins.erase(v);
}

}  // namespace

const std::vector<Birth>& Births::At(int64_t i) const {
  static const std::vector<Birth> none;
  const auto found = number.find(i);
  return found != number.end() ? listed[found->second].second : none;
}

bool Effects::Writes(int32_t v) const {
  return std::ranges::any_of(writes, [&](const auto& write) { return write.first == v; });
}

std::vector<int32_t> Effects::Updated() const {
  std::vector<int32_t> updated;
  for (const auto& [v, letter] : writes) {
    if (letter == 'u') updated.push_back(v);
  }
  return updated;
}

void Trusted::Add(std::string line) {
  if (work_->Spend(1 + line.size() / 64)) lines_.insert(std::move(line));
}

Signature ReadSignature(std::string_view code, Work& work) {
  Signature letters;
  for (const char c : code) {
    const bool known = c == '>' || kLetters.find(c) != std::string::npos;
    if (!work.Need(known, "a signature is of other letters")) return {};
    if (c != '>') letters.push_back({c, false});
    if (c == '>' && !letters.empty()) letters.back().returned = true;
  }
  return letters;
}

Facts ReadFacts(const Program& program, int64_t m, const std::vector<Buffer>& buffers,
                const Json& part, const Signatures& signatures, Trusted& trusted, Work& work) {
  Facts facts;
  facts.method = &program.methods[static_cast<size_t>(m)];
  facts.m = m;
  facts.buffers = &buffers;
  const Method& method = *facts.method;
  static const std::set<std::string, std::less<>> keys = {"born",  "placed", "delegates",
                                                          "calls", "heads",  "idle"};
  const auto entries = part.Parts();
  bool fits = part.Is(JsonKind::kObject);
  for (size_t k = 0; fits && k < entries.size(); k += 2) fits = keys.contains(entries[k].Text());
  if (!work.Need(fits, "a method has other keys")) return facts;
  for (const Value& value : method.values) facts.places.push_back({value.place});
  facts.births = ReadBirths(method, ListIn(part, "born", work), false, work);
  facts.placed = ReadBirths(method, ListIn(part, "placed", work), true, work);
  for (const Json& i : ListIn(part, "idle", work))
    facts.idle.insert(WholeOf(i, method.Count(), work));
  ReadHeads(part, facts, work);
  if (!work.stopped) ReadEffects(part, signatures, facts, trusted, work);
  if (!work.stopped) ReadPlaced(facts, trusted, work);
  if (work.stopped) return facts;
  // Only a kernel that makes something for a value that it returns can be idle.
  std::erase_if(facts.idle, [&](int64_t i) {
    const Step& step = method.StepAt(i);
    return step.action != Action::kKernel || facts.effects[static_cast<size_t>(i)].writes.empty() ||
           !method.IsTensor(step.args.back());
  });
  FindUses(facts, work);
  FindBuffers(facts, work);
  FindLasting(facts, work);
  return facts;
}

}  // namespace pteproof_twin
