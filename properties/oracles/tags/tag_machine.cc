// Idea: the plan is right if each read finds the bytes of the write that it means. So the banks
// hold, for each byte, not a value but its origin: the write (a tag) and the position in the
// written bytes. The replay beside it knows the expected origin of each operand.
//
//   0: v3 = ...   tag 7   bank 1 [0,32)   7 7 7 7 7 7 7 7
//   1: v4 = ...   tag 8   bank 1 [16,48)  7 7 7 7 8 8 8 8 8 8 8 8
//   2: reads v3: expects 7[0,32), finds 7[0,16) 8[0,16): a finding at byte 16
//
// Values do not matter, so no zero, ReLU or lucky equality hides a mistake. Two results of one
// instruction in common bytes get a tag of their own, since their order is unknown.
//
// Invariant: a tag is used once, and equal tag and position mean the same byte of the same write.
//
// Cost: O(log n) in the runs of a bank per access, and linear in the runs that it covers.
#include "properties/oracles/tags/tag_machine.h"

#include <fmt/format.h>

#include <algorithm>

#include "runtime/execute/instance.h"

namespace pteproof {
namespace {

constexpr Tag kZeros = 1;  // bytes that loading has cleared; `from` is their place in the bank
constexpr Tag kFirstTag = 2;

// Owners of banks that no method has for itself.
constexpr int64_t kCommon = -1;
constexpr int64_t kConstants = -2;

bool IsConstant(const Tensor& tensor) {
  return !tensor.planned && !tensor.external && tensor.data_index > 0;
}

}  // namespace

TagMachine::TagMachine(const Program& program, Policy policy)
    : program_(&program), policy_(policy) {
  for (size_t m = 0; m < program.methods.size(); ++m) {
    for (size_t v = 0; v < program.methods[m].values.size(); ++v) {
      const Tensor* tensor = program.methods[m].TensorOf(static_cast<int32_t>(v));
      if (tensor != nullptr && IsConstant(*tensor)) AddConstant(m, static_cast<int32_t>(v));
    }
  }
}

void TagMachine::AddConstant(size_t method, int32_t value) {
  const Tensor& tensor = *program_->methods[method].TensorOf(value);
  const auto [it, fresh] = constants_.try_emplace(tensor.data_index);
  method_ = method;
  if (fresh) it->second = NewTag(-1, value);
  banks_[{kConstants, tensor.data_index}].Write(0, WholeOf(it->second, tensor.nbytes));
}

TagRuns TagMachine::ConstantOf(const Tensor& tensor) const {
  if (!IsConstant(tensor)) return {};
  return WholeOf(constants_.at(tensor.data_index), tensor.nbytes);
}

TagMachine::Place TagMachine::PlaceIn(size_t method, int32_t value) {
  const Tensor* tensor = program_->methods[method].TensorOf(value);
  if (tensor == nullptr) return {};
  if (IsConstant(*tensor)) return {&banks_[{kConstants, tensor->data_index}], 0, 0};
  if (!tensor->planned) return {};
  const int64_t owner = IsCommon(policy_, tensor->bank) ? kCommon : static_cast<int64_t>(method);
  return {&banks_[{owner, tensor->bank}], tensor->bank, tensor->offset};
}

Tag TagMachine::NewTag(int32_t at, int32_t value) {
  origins_.push_back({method_, at, value, call_});
  return kFirstTag + static_cast<Tag>(origins_.size() - 1);
}

void TagMachine::AddState(const std::string& key, size_t method, int32_t value, bool stored) {
  const auto [it, fresh] = states_.try_emplace(key);
  if (!fresh && !stored) return;
  const Method& source = program_->methods[method];
  const Tensor& tensor = *source.TensorOf(value);
  State& state = it->second;
  state.place = PlaceIn(method, value);
  state.name = source.NameOf(value);
  method_ = method;
  const TagRun zeros = {kZeros, tensor.offset, tensor.nbytes};
  state.runs = stored ? WholeOf(TagOfStored(state.place, value), tensor.nbytes) : TagRuns{zeros};
  state.place.bank->Write(state.place.first, state.runs);
}

// Files may hold one initial value twice. Loading both to one place leaves the same bytes there.
Tag TagMachine::TagOfStored(const Place& place, int32_t value) {
  const Tensor& tensor = *program_->methods[method_].TensorOf(value);
  const Bytes all = program_->initial_values[tensor.data_index];
  const Bytes bytes = all.first(std::min<size_t>(all.size(), tensor.nbytes));
  const auto is_like = [&](Bytes other) {
    const size_t common = std::min(bytes.size(), other.size());
    return std::ranges::equal(bytes.first(common), other.first(common));
  };
  if (bytes.empty()) return NewTag(-1, value);  // of a .ptd
  auto& loaded = loaded_[place];
  for (auto& [tag, contents] : loaded) {
    if (!std::ranges::all_of(contents, is_like)) continue;
    contents.push_back(bytes);
    return tag;
  }
  loaded.push_back({NewTag(-1, value), {bytes}});
  return loaded.back().tag;
}

void TagMachine::Enter(size_t method) {
  method_ = method;
  ++call_;
  results_.clear();
  by_rows_.clear();
  const size_t count = program_->methods[method].values.size();
  places_.resize(count);
  for (size_t v = 0; v < count; ++v) places_[v] = PlaceIn(method, static_cast<int32_t>(v));
}

TagRuns TagMachine::Write(int32_t at, int32_t value, uint64_t nbytes) {
  const TagRuns runs = WholeOf(NewTag(at, value), nbytes);
  const Place& place = places_[static_cast<size_t>(value)];
  if (place.bank == nullptr) return runs;
  place.bank->Write(place.first, runs);
  if (at >= 0) MixWithOtherResults(at, value, nbytes);
  return runs;
}

// Results of one instruction are written in an order of its own: bytes that two of them share hold
// neither.
void TagMachine::MixWithOtherResults(int32_t at, int32_t value, uint64_t nbytes) {
  const bool again = std::ranges::find(results_, value, &Result::value) != results_.end();
  if (at != results_at_ || again) results_.clear();
  results_at_ = at;
  const Place& place = places_[static_cast<size_t>(value)];
  for (const Result& other : results_) {
    const Place& its = places_[static_cast<size_t>(other.value)];
    const uint64_t lo = std::max(place.first, its.first);
    const uint64_t hi = std::min(place.first + nbytes, its.first + other.nbytes);
    if (its.bank != place.bank || lo >= hi) continue;
    const TagRun mixed = {NewTag(at, value), 0, hi - lo};
    place.bank->Write(lo, {&mixed, 1});
  }
  results_.push_back({value, nbytes});
}

TagRuns TagMachine::WritePart(int32_t at, int32_t value, const TagRuns& old, uint64_t first,
                              uint64_t count) {
  const TagRun made = {NewTag(at, value), 0, count};
  const Place& place = places_[static_cast<size_t>(value)];
  if (place.bank != nullptr && count > 0) place.bank->Write(place.first + first, {&made, 1});
  by_rows_.insert(place);
  TagRuns runs = PartOf(old, 0, first);
  Append(made, runs);
  const uint64_t end = first + count;
  const uint64_t before = BytesOf(old);
  if (before > end) {
    for (const TagRun& run : PartOf(old, end, before - end)) Append(run, runs);
  }
  return runs;
}

void TagMachine::Rename(int32_t from, int32_t to) {
  places_[static_cast<size_t>(to)] = places_[static_cast<size_t>(from)];
}

void TagMachine::Read(int32_t at, int32_t value, std::span<const TagRun> expected) {
  const Place& place = places_[static_cast<size_t>(value)];
  if (place.bank == nullptr || finding_) return;
  const uint64_t nbytes = BytesOf(expected);
  const auto difference = DifferenceOf(expected, place.bank->Read(place.first, nbytes));
  if (!difference) return;
  const std::string range = RangeText(place, place.first, place.first + nbytes);
  const bool unwritten = difference->expected.tag == kNoTag;
  Report(at, value,
         unwritten ? fmt::format("{}: from byte {} on, no instruction of this call has written it",
                                 range, difference->at)
                   : fmt::format("{}: from byte {} on, it must see {}, and it sees {}", range,
                                 difference->at, OriginText(difference->expected.tag),
                                 OriginText(difference->got.tag)),
         unwritten);
}

void TagMachine::CheckApart(int32_t at, int32_t operand, uint64_t operand_bytes, int32_t result,
                            uint64_t result_bytes, bool in_step) {
  const Place& read = places_[static_cast<size_t>(operand)];
  const Place& written = places_[static_cast<size_t>(result)];
  if (read.bank == nullptr || read.bank != written.bank || finding_) return;
  const uint64_t lo = std::max(read.first, written.first);
  const uint64_t hi = std::min(read.first + operand_bytes, written.first + result_bytes);
  if (lo >= hi) return;
  if (in_step && read.first == written.first && operand_bytes == result_bytes) return;
  Report(at, result,
         fmt::format(
             "{}: its result is written over its operand, value {}, while the operand is still "
             "being read",
             RangeText(read, lo, hi), operand),
         LacksRows(operand, operand_bytes));
}

// Whether a collected value is incomplete: its rows may be repeated for the rest.
bool TagMachine::LacksRows(int32_t value, uint64_t nbytes) const {
  return nbytes < program_->methods[method_].TensorOf(value)->nbytes &&
         by_rows_.contains(places_[static_cast<size_t>(value)]);
}

std::string TagMachine::RangeText(const Place& place, uint64_t first, uint64_t end) {
  if (place.memory_id == 0) return fmt::format("bytes [{}, {}) of its constant", first, end);
  return fmt::format("bank {} [{}, {})", place.memory_id, first, end);
}

std::string TagMachine::OriginText(Tag tag) const {
  if (tag == kNoTag) return "bytes that no instruction has written";
  if (tag == kZeros) return "zeros from loading";
  const Origin& origin = origins_[tag - kFirstTag];
  const std::string& method = program_->methods[origin.method].name;
  if (origin.call == 0)
    return fmt::format("the initial bytes of value {} of '{}'", origin.value, method);
  const std::string earlier =
      origin.call == call_ ? "" : fmt::format(" of '{}', in an earlier call,", method);
  if (origin.instruction < 0) {
    return fmt::format("the bytes that the caller wrote to input value {}{}", origin.value,
                       earlier);
  }
  return fmt::format("the bytes that instruction {}{} wrote to value {}", origin.instruction,
                     earlier, origin.value);
}

void TagMachine::Report(int32_t at, int32_t value, std::string explanation, bool unwritten) {
  finding_ = {program_->methods[method_].name, at, value, std::move(explanation), unwritten};
}

std::optional<std::string> TagMachine::LostState() const {
  for (const auto& [key, state] : states_) {
    const TagRuns now = state.place.bank->Read(state.place.first, BytesOf(state.runs));
    if (DifferenceOf(state.runs, now))
      return state.name.empty() ? "a buffer" : "'" + state.name + "'";
  }
  return std::nullopt;
}

}  // namespace pteproof
