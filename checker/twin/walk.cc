// The pass over a method, and one path through it.
//
// State: which names lie where they are meant. A write finds the names that have a byte of its
// place among those of the bank, and ends them; entries of names that have moved on are dropped
// when they are met. So a write costs the names that lie in its bank, and a branch those that are
// held.
#include "checker/twin/walk.h"

#include <algorithm>
#include <iterator>
#include <limits>

namespace pteproof_twin {
namespace {

constexpr int64_t kNever = std::numeric_limits<int64_t>::max();

int64_t FirstOf(const std::map<int32_t, int64_t>& first, int32_t v, int64_t otherwise) {
  const auto found = first.find(v);
  return found != first.end() ? found->second : otherwise;
}

std::string NameWords(int32_t v) {
  return "v" + std::to_string(v);
}

// Whether all of `some` are among `all`. Both are sorted: each is one place, or was joined.
bool AreAmong(const Places& some, const Places& all, Work& work) {
  return work.Spend(some.size() + all.size()) && std::ranges::includes(all, some);
}

size_t SizeOf(const State& s) {
  size_t size = 1 + s.alias.size() + s.lost.size();
  for (const auto& [name, held] : s.held) size += held.places.size();
  for (const auto& [name, places] : s.at) size += places.size();
  return size;
}

}  // namespace

void State::Hold(int32_t name, const Places& places, Work& work) {
  held[name] = {places, ++count};
  unfilled.erase(name);
  maybe.erase(name);
  work.Spend(places.size());
  for (const Place& place : places) {
    if (!place.IsEmpty()) banks[place.bank].push_back({place, name, count});
  }
}

void State::Lose(int32_t name, const Cause& cause) {
  if (held.erase(name) > 0) lost[name] = cause;
  maybe.erase(name);
}

void State::Find(const Place& place, std::set<int32_t>& found, Work& work) {
  const auto bank = banks.find(place.bank);
  if (place.IsEmpty() || bank == banks.end()) return;
  work.Spend(1 + bank->second.size() / 4);
  std::erase_if(bank->second, [&](const Owner& owner) {
    const auto now = held.find(owner.name);
    if (now == held.end() || now->second.number != owner.number) return true;
    if (pteproof_twin::Meet(owner.place, place)) found.insert(owner.name);
    return false;
  });
}

const Places* Walk::Where(const State& s, int32_t v) const {
  if (!facts_.handles.contains(v)) return &facts_.places[static_cast<size_t>(v)];
  const auto found = s.at.find(v);
  return found != s.at.end() ? &found->second : nullptr;
}

bool Walk::Holds(const State& s, int32_t v) const {
  const Value& value = method_.At(v);
  return value.place.IsEmpty() || (value.IsConstant() && !facts_.handles.contains(v)) ||
         (s.held.contains(v) && !s.maybe.contains(v));
}

void Walk::Fault(int64_t i, int32_t v, const std::string& words) {
  const std::string line = "in '" + method_.name + "' " + words;
  if (!follows_) return work_.Stop(Exit::kRefuted, line);
  const bool known = std::ranges::any_of(
      misses_, [&](const Miss& miss) { return miss.instruction == i && miss.value == v; });
  if (work_.Spend(1 + misses_.size()) && !known) misses_.push_back({i, v, line});
}

void Walk::MissRead(const State& s, int64_t i, int32_t v) {
  const auto lost = s.lost.find(v);
  if (lost == s.lost.end() && follows_) return;  // only a loss counts
  std::string why = "nothing has made it";
  if (lost != s.lost.end()) {
    const auto& [by, written, words] = lost->second;
    why = !words.empty() ? words
                         : NameWords(written) + " was written over it by " +
                               (by >= 0 ? "instruction " + std::to_string(by) : "the caller");
  }
  const std::string who =
      i < method_.Count() ? "instruction " + std::to_string(i) : std::string("the caller");
  Fault(i, v, who + " does not find what " + NameWords(v) + " means: " + why);
}

// M1, M5: of values that are no buffers, what the caller brings, and what fills have not begun.
void Walk::EnterOthers(State& s) {
  for (int32_t v = 0; v < static_cast<int32_t>(method_.values.size()); ++v) {
    const Value& value = method_.At(v);
    const bool brought = value.IsTensor() && value.place.bank < 0 && !facts_.own.contains(v);
    if (!brought || value.IsConstant() || method_.is_input.contains(v)) continue;
    const int64_t use = FirstOf(facts_.first_use, v, method_.Count());
    const int64_t write = FirstOf(facts_.first_write, v, kNever);
    if (facts_.handles.contains(v)) continue;
    const bool needs_memory = !value.place.IsEmpty() && !method_.is_output.contains(v);
    if (use > write && needs_memory && !follows_)
      Fault(write, v, "no memory is planned for " + NameWords(v) + ", and no caller brings any");
    if (use > write) continue;
    s.Hold(v, {value.place}, work_);
    if (facts_.first_use.contains(v) || method_.is_output.contains(v))
      trusted_.Add(NameWords(v) + " of '" + method_.name + "' is set by the caller");
  }
  for (const Effects& effects : facts_.effects) {
    for (const auto& [v, letter] : effects.writes) {
      const bool there =
          s.held.contains(v) || facts_.own.contains(v) || method_.is_input.contains(v);
      const bool lasts = !method_.At(v).name.empty() || method_.At(v).IsLoaded();
      if (letter == 'f' && !there && !lasts) s.unfilled.insert(v);
    }
  }
}

// M1, M3, R6: what a call finds.
State Walk::Entry(const std::map<size_t, Cause>& lost) {
  State s;
  work_.Spend(method_.values.size() + facts_.buffers->size());
  std::set<size_t> ours(facts_.user_buffers.begin(), facts_.user_buffers.end());
  for (size_t b = 0; b < facts_.buffers->size(); ++b) {
    const Place& place = (*facts_.buffers)[b].place;
    if ((place.IsPlanned() || ours.contains(b)) && !lost.contains(b))
      s.Hold(facts_.End(b), {place}, work_);
  }
  for (size_t k = 0; k < facts_.users.size(); ++k) {
    const auto [v, reads] = facts_.users[k];
    const auto b = static_cast<size_t>(facts_.user_buffers[k]);
    s.alias[v] = facts_.user_buffers[k];
    if (facts_.handles.contains(v)) s.at[v] = {(*facts_.buffers)[b].place};
    if (!reads) continue;
    s.Hold(v, {(*facts_.buffers)[b].place}, work_);
    if (const auto gone = lost.find(b); gone != lost.end()) s.Lose(v, gone->second);
  }
  EnterOthers(s);
  std::vector<std::pair<int32_t, char>> inputs;
  std::set<int32_t> seen;
  for (const int32_t v : method_.inputs) {
    if (method_.IsTensor(v) && seen.insert(v).second) inputs.emplace_back(v, 'w');
  }
  for (const int32_t v : facts_.handles) {
    if (seen.contains(v) || facts_.own.contains(v))
      Fault(-1, v, NameWords(v) + " is another tensor when the next call begins");
  }
  WriteAll(s, -1, inputs, true);
  return s;
}

// M4, R4.
void Walk::Bear(State& s, int64_t i, const Birth& birth, bool by_call) {
  const int32_t v = birth.value;
  const Place& place = facts_.PlaceOf(v);
  // What a call leaves in its operands, it makes: it may have been made before.
  const bool early = by_call || FirstOf(facts_.first_write, v, i) >= i;
  work_.Spend(1 + birth.sources.size());
  if (!work_.Need(early, "a value is born after it was written")) return;
  const bool at_home = !facts_.handles.contains(v);
  if (!work_.Need(at_home, "a value is born where a call may have moved it")) return;
  bool fits = true;
  Places tiles;
  for (const int32_t x : birth.sources) {
    const Places* const places = Where(s, x);
    fits = fits && Holds(s, x) && places != nullptr && places->size() == 1;
    // Of what may be smaller than its bound the next one does not follow the bytes.
    fits = fits && (birth.sources.size() == 1 || !facts_.varies.contains(x));
    if (fits) tiles.push_back(places->front());
  }
  if (fits) {
    std::ranges::sort(tiles);
    for (size_t k = 1; k < tiles.size(); ++k)
      fits = fits && tiles[k - 1].bank == tiles[k].bank && tiles[k - 1].hi == tiles[k].lo;
    const Place around = {tiles.front().bank, tiles.front().lo, tiles.back().hi};
    fits = fits && (tiles.size() == 1 ? IsWithin(place, around) : around == place);
  }
  s.Lose(v, {i, v});
  s.alias.erase(v);
  const auto own = facts_.own.find(birth.sources[0]);
  const auto alias = s.alias.find(birth.sources[0]);
  if (birth.sources.size() == 1 && own != facts_.own.end()) {
    s.alias[v] = own->second;
  } else if (birth.sources.size() == 1 && alias != s.alias.end()) {
    s.alias[v] = int32_t{alias->second};
  }
  if (fits) return s.Hold(v, {place}, work_);
  for (const int32_t x : birth.sources) {
    const auto lost = s.lost.find(x);
    if (lost != s.lost.end() && !s.held.contains(x)) s.lost[v] = Cause(lost->second);
  }
}

// R1, R3. Whether all operands are there.
bool Walk::Operands(State& s, int64_t i) {
  const Effects& effects = facts_.effects[static_cast<size_t>(i)];
  bool sound = true;
  std::vector<int32_t> read;
  for (const auto& [v, elementwise] : effects.reads) read.push_back(v);
  for (const int32_t v : effects.Updated()) read.push_back(v);
  for (const int32_t v : read) {
    if (Holds(s, v)) continue;
    sound = false;
    if (!facts_.idle.contains(i)) {
      MissRead(s, i, v);
    } else {
      trusted_.Add("nothing needs what instruction " + std::to_string(i) + " of '" + method_.name +
                   "' reads of " + NameWords(v));
    }
  }
  std::vector<std::pair<int32_t, Place>> written;
  for (const auto& [w, letter] : effects.writes) {
    const Places* const places = letter != 'n' && letter != 'p' ? Where(s, w) : nullptr;
    if (places == nullptr) continue;
    for (const Place& place : *places) written.emplace_back(w, place);
  }
  for (const auto& [v, elementwise] : effects.reads) {
    const Places* const places = Where(s, v);
    if (places == nullptr || !work_.Spend(1 + places->size() * written.size())) continue;
    for (const Place& at : *places) {
      for (const auto& [w, place] : written) {
        const bool same = at == place && elementwise && SameElements(v, w, effects.repeats);
        if (pteproof_twin::Meet(at, place) && !same) {
          Fault(i, v,
                "instruction " + std::to_string(i) + " writes " + NameWords(w) +
                    " over its operand " + NameWords(v));
        }
      }
    }
  }
  return sound;
}

bool Walk::SameElements(int32_t v, int32_t w, bool repeats) const {
  const Value& a = method_.At(v);
  const Value& b = method_.At(w);
  const bool equal = a.place.hi - a.place.lo == b.place.hi - b.place.lo &&
                     ElementOf(a.dtype) == ElementOf(b.dtype);
  if (!equal || follows_) return equal;
  if (a.sizes == b.sizes && a.order == b.order) return true;
  const auto is_plain = [](const Value& value) {
    size_t next = 0;
    return value.order.size() == value.sizes.size() &&
           std::ranges::all_of(value.order, [&](uint8_t dim) { return dim == next++; });
  };
  if (!is_plain(a) || !is_plain(b)) return false;
  const auto longer = [&](std::vector<int32_t> sizes) {
    const auto first = std::ranges::find_if(sizes, [](int32_t size) { return size != 1; });
    sizes.erase(sizes.begin(), first);
    if (!repeats) std::erase(sizes, 1);
    return sizes;
  };
  const bool fixed = !facts_.varies.contains(v) && !facts_.varies.contains(w);
  return fixed || longer(a.sizes) == longer(b.sizes);
}

// R2, M3: whether a write by v has the bytes that it may need, and is clearly a store or none.
bool Walk::MayWrite(const State& s, int64_t i, int32_t v, char letter, const Places* where) {
  if (follows_) return true;  // the path of an unsafe claim does not show it
  const std::string words = "an instruction writes " + NameWords(v);
  const auto length = [](const Place& place) { return place.hi - place.lo; };
  const Offset size = length(facts_.PlaceOf(v));
  const auto is_short = [&](const Place& place) { return length(place) < size; };
  const auto alias = s.alias.find(v);
  const bool is_store = letter != 'w' && alias != s.alias.end() && alias->second >= 0;
  if (where == nullptr) {
    Fault(i, v, words + ", which the call before has moved");
  } else if (std::ranges::any_of(*where, is_short)) {
    Fault(i, v, words + " to fewer bytes than it may have");
  } else if (facts_.stand_ins.contains(v) && !is_store) {
    Fault(i, v, words + ", which may be a store to a buffer");
  } else {
    return true;
  }
  return false;
}

// R2, M3, M5. The names that were lost.
std::set<int32_t> Walk::Write(State& s, int64_t i, int32_t v, char letter, bool sound) {
  std::set<int32_t> lost;
  const Places* const where = Where(s, v);
  if (!MayWrite(s, i, v, letter, where)) return lost;
  const Places places = where != nullptr ? *where : Places{};
  for (const Place& place : places) {
    if (place.bank < 0 && method_.At(-1 - place.bank).IsConstant()) {
      Fault(i, v, "an instruction writes a constant by the name of " + NameWords(v));
      return lost;
    }
  }
  const bool all = letter == 'w' || letter == 'W';
  const auto own = facts_.own.find(v);
  const auto alias = s.alias.find(v);
  int32_t b = -1;
  if (alias != s.alias.end() && letter != 'w') b = alias->second;
  if (own != facts_.own.end()) b = own->second;
  if (b == kSome) {
    Fault(i, v, "which buffer an instruction stores to by " + NameWords(v) + " is open");
    return lost;
  }
  const Buffer* const buffer = b >= 0 ? &(*facts_.buffers)[static_cast<size_t>(b)] : nullptr;
  const Place home = buffer != nullptr ? buffer->place : Place{};
  const bool stores =
      buffer != nullptr && places.size() == 1 && pteproof_twin::Meet(places[0], home);
  const int32_t end = buffer != nullptr ? facts_.End(static_cast<size_t>(b)) : v;
  const bool lives = all || s.held.contains(v) || s.unfilled.contains(v);
  for (const Place& place : places) s.Find(place, lost, work_);
  lost.erase(v);
  if (stores) lost.erase(end);
  if (buffer != nullptr) {
    stored_.insert(b);
    if (!stores && !home.IsEmpty()) lost.insert(end);
  }
  for (const int32_t name : lost) s.Lose(name, {i, v});
  s.Lose(v, {i, v});
  if (letter == 'w' && own == facts_.own.end()) s.alias.erase(v);
  if (buffer != nullptr) s.alias[v] = b;  // a loop may have dropped it
  if (lives && sound) s.Hold(v, places, work_);
  if (stores && sound && all && IsWithin(home, places[0])) s.Hold(end, {home}, work_);
  // A part that was stored is a part of what the next call is to find, if the rest is there.
  if (stores && !sound) {
    s.Lose(end, {i, v});
    if (follows_) s.lost.erase(end);  // what it reads may be lost by the certificate alone
  }
  return lost;
}

// R3: of two results in common bytes neither is there afterwards.
void Walk::WriteAll(State& s, int64_t i, const std::vector<std::pair<int32_t, char>>& writes,
                    bool sound) {
  std::set<int32_t> written;
  for (const auto& [v, letter] : writes) {
    if (work_.stopped) return;
    if (letter == 'n') {  // anything, if nothing else makes it; else what it was
      if (!facts_.made.contains(v)) s.Hold(v, facts_.places[static_cast<size_t>(v)], work_);
      continue;
    }
    if (letter == 'p') {  // nothing, unless the certificate says where its operands lie
      s.Lose(v, {i, v});
      if (follows_) s.lost.erase(v);  // it may leave that out
      continue;
    }
    const auto lost = Write(s, i, v, letter, sound);
    const bool common = std::ranges::any_of(lost, [&](int32_t n) { return written.contains(n); });
    if (common) s.Lose(v, {i, v});
    written.insert(v);
  }
}

// M2: a name lies where its source lies.
void Walk::Take(State& s, int64_t i, const Rename& rename) {
  const auto [to, source] = rename;
  if (to == source) return;
  const bool empty = method_.At(to).place.IsEmpty() && method_.At(source).place.IsEmpty();
  const bool one = facts_.one_tensor.contains({source, to}) && !empty;
  if (one && !follows_ && !SameElements(to, source, false))
    Fault(i, to, NameWords(to) + " becomes " + NameWords(source) + ", a tensor of another form");
  s.Lose(to, {i, to});
  s.alias.erase(to);
  s.at.erase(to);
  const Places* const where = Where(s, source);
  if (where == nullptr) return;
  const Places places = *where;
  if (!work_.Spend(places.size())) return;
  if (facts_.handles.contains(to)) s.at[to] = places;
  const auto own = facts_.own.find(source);
  const auto alias = s.alias.find(source);
  if (own != facts_.own.end()) {
    s.alias[to] = own->second;
  } else if (alias != s.alias.end()) {
    s.alias[to] = int32_t{alias->second};
  }
  if (Holds(s, source)) s.Hold(to, places, work_);
}

// Names that are one tensor with a view lie where it is set.
void Walk::LoseOthers(State& s, int64_t i, int32_t v) {
  std::set<int32_t> seen = {v};
  std::vector<int32_t> left = {v};
  while (!left.empty() && work_.Spend(1)) {
    const int32_t source = left.back();
    left.pop_back();
    auto pair = facts_.one_tensor.lower_bound({source, 0});
    for (; pair != facts_.one_tensor.end() && pair->first == source; ++pair) {
      if (!seen.insert(pair->second).second) continue;
      s.Lose(pair->second, {i, v, "an instruction sets where " + NameWords(v) + " lies"});
      s.alias.erase(pair->second);
      s.at.erase(pair->second);
      left.push_back(pair->second);
    }
  }
}

void Walk::Step(State& s, int64_t i) {
  for (const Birth& birth : facts_.placed.At(i)) Bear(s, i, birth, true);
  const Effects& effects = facts_.effects[static_cast<size_t>(i)];
  const bool sound = Operands(s, i);
  for (const Rename& move : effects.moves) {
    if (method_.StepAt(i).action != Action::kMove) LoseOthers(s, i, move.to);
    Take(s, i, move);
  }
  WriteAll(s, i, effects.writes, sound);
  for (const auto& [v, letter] : effects.writes) {
    const auto is_there = [&, place = Where(s, v)](const OperandRead& read) {
      const Places* const other = Where(s, read.value);
      return place == other || (place != nullptr && other != nullptr && *place == *other);
    };
    if (letter == 'W' && std::ranges::none_of(effects.reads, is_there)) replaced_.insert(v);
  }
  for (const Rename& name : effects.names) Take(s, i, name);
}

// Whether an instruction goes on with the next one, and where it jumps; -1: nowhere.
std::pair<bool, int64_t> Walk::Branches(int64_t i) const {
  const auto& step = method_.StepAt(i);
  if (step.action != Action::kJump) return {true, -1};
  const Value& value = method_.At(step.target);
  const bool known = value.Is(ValueKind::kBool) && !facts_.scalars.contains(step.target) &&
                     !method_.is_input.contains(step.target);
  if (!known) return {true, step.args[0]};
  return {value.flag, value.flag ? -1 : step.args[0]};
}

State Walk::Copy(const State& s) {
  work_.Spend(SizeOf(s));
  return work_.stopped ? State() : s;
}

// R5: what holds on both paths.
State Walk::Meet(const State& a, const State& b) {
  State s;
  work_.Spend(SizeOf(a) + SizeOf(b));
  for (const auto& [name, places] : a.at) {
    const auto other = b.at.find(name);
    if (other == b.at.end()) continue;
    std::set<Place> both(places.begin(), places.end());
    both.insert(other->second.begin(), other->second.end());
    s.at[name] = {both.begin(), both.end()};
  }
  s.alias = a.alias;
  for (const auto& [v, buffer] : a.alias) {
    const auto other = b.alias.find(v);
    if (other == b.alias.end() || other->second != buffer) s.alias[v] = kSome;
  }
  for (const auto& [v, buffer] : b.alias) s.alias.try_emplace(v, kSome);
  s.lost = a.lost;
  for (const auto& [name, cause] : b.lost) s.lost[name] = cause;
  for (const auto& [name, held] : a.held) {
    const auto other = b.held.find(name);
    const auto at = s.at.find(name);
    if (b.unfilled.contains(name)) {
      s.Hold(name, held.places, work_);
    } else if (other != b.held.end() && at != s.at.end()) {
      s.Hold(name, Places(at->second), work_);
    } else if (other != b.held.end() && other->second.places == held.places) {
      s.Hold(name, held.places, work_);
    }
  }
  for (const auto& [name, held] : b.held) {
    if (a.unfilled.contains(name)) s.Hold(name, held.places, work_);
  }
  for (const auto* side : {&a.unfilled, &b.unfilled, &a.maybe, &b.maybe}) {
    for (const int32_t name : *side) {
      if (s.held.contains(name)) s.maybe.insert(name);
    }
  }
  std::ranges::set_intersection(a.unfilled, b.unfilled,
                                std::inserter(s.unfilled, s.unfilled.end()));
  return s;
}

// R5: the invariant at the target of a jump back.
State Walk::Weaken(State& s, int64_t i) {
  const auto found = facts_.heads.find(i);
  if (found == facts_.heads.end()) return Copy(s);
  const auto& [kept, begun] = found->second;
  std::vector<int32_t> dropped;
  for (const auto& [name, held] : s.held) {
    if (!kept.contains(name)) dropped.push_back(name);
  }
  for (const int32_t name : dropped) s.Lose(name, {i, name});
  std::erase_if(s.at, [&](const auto& entry) { return !kept.contains(entry.first); });
  for (const int32_t name : begun) {
    if (s.unfilled.erase(name) == 0 || !kept.contains(name)) continue;
    s.Hold(name, facts_.places[static_cast<size_t>(name)], work_);
    s.maybe.insert(name);
  }
  return Copy(s);
}

void Walk::JumpBack(const State& s, int64_t i, int64_t to, const State* invariant) {
  if (invariant == nullptr)
    return work_.Stop(Exit::kRefuted, "an instruction is reached by a jump back alone");
  work_.Spend(1 + invariant->held.size() + invariant->at.size() + invariant->alias.size());
  for (const auto& [name, held] : invariant->held) {
    const auto now = s.held.find(name);
    bool there = now != s.held.end() && AreAmong(now->second.places, held.places, work_);
    if (invariant->maybe.contains(name)) there = there || s.unfilled.contains(name);
    if (!there || (s.maybe.contains(name) && !invariant->maybe.contains(name))) {
      Fault(i, name,
            "the jump at " + std::to_string(i) + " does not bring " + NameWords(name) +
                " back to " + std::to_string(to));
    }
  }
  bool same = std::ranges::includes(s.unfilled, invariant->unfilled);
  for (const auto& [v, b] : invariant->alias) {
    const auto now = s.alias.find(v);
    same = same && (b == kSome || (now != s.alias.end() && now->second == b));
  }
  for (const auto& [v, b] : s.alias) {
    const bool known = invariant->held.contains(v) || invariant->lost.contains(v);
    same = same && (invariant->alias.contains(v) || !known);
  }
  for (const auto& [name, places] : invariant->at) {
    const auto now = s.at.find(name);
    same = same && now != s.at.end() && AreAmong(now->second, places, work_);
  }
  if (!same) work_.Stop(Exit::kRefuted, "names lie elsewhere after a jump back than before");
}

std::optional<State> Walk::Run() {
  const int64_t count = method_.Count();
  std::map<int64_t, std::vector<State>> waiting;
  std::map<int64_t, State> invariants;
  std::optional<State> s = Entry({});
  for (int64_t i = 0; i <= count && !work_.stopped; ++i) {
    if (const auto paths = waiting.extract(i); !paths.empty()) {
      for (State& other : paths.mapped()) s = s ? Meet(*s, other) : std::move(other);
    }
    if (!s) continue;
    if (facts_.targets.contains(i)) invariants[i] = Weaken(*s, i);
    for (const Birth& birth : facts_.births.At(i)) Bear(*s, i, birth, false);
    if (i == count) break;
    Step(*s, i);
    const auto [goes_on, to] = Branches(i);
    if (to > i) {
      waiting[to].push_back(Copy(*s));
    } else if (to >= 0) {
      const auto found = invariants.find(to);
      JumpBack(*s, i, to, found != invariants.end() ? &found->second : nullptr);
    }
    if (!goes_on) s.reset();
  }
  if (s && !work_.stopped) Leave(*s);
  return s;
}

std::optional<State> Walk::Follow(const std::vector<int64_t>& path,
                                  const std::map<size_t, Cause>& lost) {
  misses_.clear();
  replaced_.clear();
  follows_ = true;
  State s = Entry(lost);
  size_t jump = 0;
  const int64_t rounds = 2 * method_.Count() + 2;  // jumps that go one way may never end
  int64_t i = 0;
  for (int64_t left = rounds; left > 0 && work_.Spend(1); --left) {
    for (const Birth& birth : facts_.births.At(i)) Bear(s, i, birth, false);
    if (i == method_.Count()) {
      Leave(s);
      return s;
    }
    Step(s, i);
    auto [goes_on, to] = Branches(i);
    if (goes_on && to >= 0) {
      if (jump == path.size()) return std::nullopt;
      goes_on = path[jump++] == 0;
      left = rounds + 1;
    }
    i = goes_on ? i + 1 : to;
  }
  return std::nullopt;
}

// R1 of outputs. A buffer, or an input that comes back again, is returned as at entry.
void Walk::Leave(State& s) {
  std::set<int32_t> seen;
  for (const int32_t output : method_.outputs) {
    for (const int32_t v : method_.Tensors(output)) {
      if (!Holds(s, v)) MissRead(s, method_.Count(), v);
      const bool again =
          facts_.own.contains(v) || facts_.names.contains(method_.At(v).name) || seen.contains(v);
      if (method_.is_input.contains(v)) seen.insert(v);
      if (again && replaced_.contains(v) && !method_.At(v).place.IsEmpty())
        Fault(method_.Count(), v, NameWords(v) + " is returned as it was before a store to it");
    }
  }
}

}  // namespace pteproof_twin
