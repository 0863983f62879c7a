#include "properties/oracles/diff_program.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <memory>

#include "base/within_memory.h"
#include "base/work.h"
#include "meaning/program_meaning.h"
#include "properties/manifest/buffer_keys.h"
#include "properties/oracles/call_schedule.h"
#include "properties/oracles/call_walk.h"
#include "properties/oracles/planned_run.h"
#include "properties/oracles/random_inputs.h"
#include "properties/oracles/tags/tagged_run.h"
#include "runtime/execute/run_limits.h"

namespace pteproof {
namespace {

std::string SizesText(const TensorValue& tensor) {
  return fmt::format("{}[{}]", Name(tensor.dtype), fmt::join(tensor.sizes, ", "));
}

std::string TensorDifference(const TensorValue& wanted, const TensorValue& got) {
  if (wanted.dtype != got.dtype || wanted.sizes != got.sizes) {
    return fmt::format("is {} instead of {}", SizesText(got), SizesText(wanted));
  }
  const auto [at, other] = std::ranges::mismatch(wanted.bytes, got.bytes);
  if (at == wanted.bytes.end()) return "";
  const auto byte = static_cast<size_t>(at - wanted.bytes.begin());
  const size_t size = ElementSize(wanted.dtype);
  size_t wrong = 0;
  for (size_t b = 0; b < wanted.bytes.size(); b += size) {
    wrong += std::memcmp(&wanted.bytes[b], &got.bytes[b], size) != 0 ? 1 : 0;
  }
  return fmt::format("({}) differs from element {} on, in {} of {} elements", SizesText(wanted),
                     byte / size, wrong, ElementCount(wanted));
}

// Empty: they are equal.
std::string DifferenceOf(std::span<const Datum> wanted, std::span<const Datum> got) {
  for (size_t o = 0; o < wanted.size(); ++o) {
    if (SameData(wanted.subspan(o, 1), got.subspan(o, 1))) continue;
    const auto* a = std::get_if<TensorValue>(&wanted[o]);
    const auto* b = std::get_if<TensorValue>(&got[o]);
    const std::string how =
        a != nullptr && b != nullptr ? TensorDifference(*a, *b) : "is a different number";
    if (!how.empty()) return fmt::format("output {} {}", o, how);
  }
  return "";
}

// Whether a call at the upper bounds takes seconds: by the bytes of the tensors that its
// instructions list.
bool IsHeavy(const Method& method) {
  constexpr uint64_t kMuch = uint64_t{4} << 30U;
  uint64_t nbytes = 0;
  for (const Instruction& instruction : method.instructions) {
    for (const int32_t v : method.Ints(instruction.args)) {
      const Tensor* tensor = method.TensorOf(v);
      if (tensor != nullptr) nbytes += std::min(tensor->nbytes, kMuch);
    }
    if (nbytes > kMuch) return true;
  }
  return false;
}

// What tells of the meaning beside the file; null: nothing.
const Manifest* StatedIn(const DiffOptions& options) {
  return options.by_file_alone ? nullptr : options.manifest;
}

class Differ {
 public:
  Differ(const Program& program, const DiffOptions& options)
      : program_(program),
        options_(options),
        meaning_(std::make_shared<const meaning::ProgramMeaning>(
            meaning::MeaningOf(program, StatedIn(options)))),
        random_(options.seed) {
    for (const Method& method : program.methods) is_heavy_.push_back(IsHeavy(method));
  }

  DiffReport Go() {
    CallSchedule schedule(program_, *meaning_, options_.policy, options_.longest, random_);
    for (int s = 0; s < options_.sequences && !HasEnded(s); ++s) {
      const std::vector<int32_t> methods = HasProtocol() ? History() : schedule.Next();
      if (methods.empty()) break;
      for (size_t made = 0; made < methods.size() && !HasFailed();) {
        made += Bounded(std::span(methods).subspan(made), schedule);
        if (HasProtocol()) break;  // what is left begins no history
      }
    }
    for (const auto& [method, compared] : compared_) {
      if (!compared) report_.never_compared.insert(method);
    }
    report_.pairs = schedule.pairs();
    report_.pairs_tried = schedule.pairs_tried();
    return std::move(report_);
  }

 private:
  [[nodiscard]] bool HasProtocol() const {
    return options_.manifest != nullptr && options_.manifest->calls.has_value();
  }
  // A random history of calls that the protocol admits.
  [[nodiscard]] std::vector<int32_t> History() {
    CallWalk walk(program_, options_.manifest);
    const auto longest = static_cast<size_t>(std::max(options_.longest, 1));
    const size_t length = 1 + Below(random_, longest);
    std::vector<int32_t> calls;
    while (calls.size() < length) {
      const std::vector<int32_t> next = walk.Next();
      if (next.empty()) break;
      calls.push_back(next[Below(random_, next.size())]);
      walk.Call(calls.back());
    }
    return calls;
  }

  [[nodiscard]] bool HasFailed() const {
    return report_.disagreement.has_value() || report_.out_of_memory.has_value();
  }
  [[nodiscard]] bool HasEnded(int sequence) const {
    const bool is_late =
        sequence > 0 && options_.end && std::chrono::steady_clock::now() >= *options_.end;
    return HasFailed() || is_late || is_spent_;
  }

  // The calls, unless all calls together have done the work that they may.
  size_t Bounded(std::span<const int32_t> methods, CallSchedule& schedule) {
    try {
      return Sequence(methods, schedule);
    } catch (const OverLimit& over) {
      is_spent_ = true;
      ++report_
            .not_compared[fmt::format("'{}': of all calls together, {}", at_, ExplanationOf(over))];
      return methods.size();
    }
  }

  // Loads the program and makes the calls, until one cannot be made: the calls behind it are a
  // sequence of their own. Returns how many are done with.
  size_t Sequence(std::span<const int32_t> methods, CallSchedule& schedule) {
    auto planned = PlannedRun::Load(program_, {.policy = options_.policy,
                                               .semantics = Semantics::kHash,
                                               .writable_constants = true,
                                               .devices_on_host = true,
                                               .data = options_.data,
                                               .lends_outputs = true,
                                               .fuel = options_.fuel + LongestPass(program_),
                                               .meaning = meaning_});
    if (!planned.ok()) {
      NoteMemory(planned.error());
      report_.not_compared[Reason(planned.error())] += static_cast<int64_t>(methods.size());
      return methods.size();
    }
    TaggedRun tagged(program_, {.policy = options_.policy,
                                .semantics = Semantics::kHash,
                                .data = options_.data,
                                .manifest = StatedIn(options_),
                                .fuel = options_.fuel + LongestPass(program_),
                                .meaning = meaning_});
    std::vector<std::string> called;
    for (size_t c = 0; c < methods.size(); ++c) {
      called.push_back(program_.methods[static_cast<size_t>(methods[c])].name);
      const int64_t before = report_.compared;
      const bool goes_on = Compare(methods[c], planned.value(), tagged, called);
      const bool compared = report_.compared > before;
      compared_[called.back()] |= compared;
      if (compared) schedule.Note(methods.first(c), methods[c]);
      if (goes_on) continue;
      if (!report_.disagreement) ++report_.not_compared[reason_];
      return c + 1;
    }
    return methods.size();
  }

  // Makes a call in both; whether the sequence goes on.
  bool Compare(int32_t m, PlannedRun& planned, TaggedRun& tagged,
               const std::vector<std::string>& called) {
    at_ = called.back();
    const auto made = InputsFor(m);
    if (!made.ok()) {
      reason_ = made.error();
      return false;
    }
    const std::vector<Datum>& inputs = made.value();
    const auto wanted = tagged.Call(m, inputs);
    const auto got = planned.Call(m, inputs);
    if (!got.ok()) NoteMemory(got.error());
    if (report_.out_of_memory) return false;
    if ((!wanted.ok() || !got.ok()) && !tagged.finding()) {
      const bool unplaced = !got.ok() && got.error().kind == RunFault::Kind::kUnplaced;
      report_.unplaced |= unplaced;
      reason_ =
          wanted.ok() || unplaced ? Reason(got.error()) : Reason(called.back(), wanted.error());
      return false;
    }
    ++report_.compared;
    std::string what;
    if (wanted.ok() && got.ok()) what = DifferenceOf(wanted.value(), got.value());
    if (what.empty() && !tagged.finding()) return true;
    report_.disagreement = {called, std::move(what), tagged.finding()};
    return false;
  }

  // Random inputs; why there are none.
  Result<std::vector<Datum>, std::string> InputsFor(int32_t m) {
    const Method& method = program_.methods[static_cast<size_t>(m)];
    try {
      const ManifestMethod* stated = meaning::StatedOf(options_.manifest, method);
      auto known = natures_.find(m);
      if (known == natures_.end())
        known = natures_.emplace(m, InputNatureOf(meaning_->methods[static_cast<size_t>(m)])).first;
      return RandomInputs(method, known->second, random_, stated, SizesFor(m));
    } catch (const OverLimit& over) {
      return ExplanationOf(over);
    }
  }

  // Of a heavy method the first call is at the upper bounds, and few others are large.
  InputSizes SizesFor(int32_t m) {
    constexpr uint64_t kOneOf = 16;
    if (!is_heavy_[static_cast<size_t>(m)]) return InputSizes::kAny;
    const bool is_first = !compared_[program_.methods[static_cast<size_t>(m)].name];
    if (is_first) return InputSizes::kAtBounds;
    return Below(random_, kOneOf) == 0 ? InputSizes::kAny : InputSizes::kSmall;
  }

  void NoteMemory(const RunFault& fault) {
    if (fault.kind == RunFault::Kind::kMemory) report_.out_of_memory = fault.explanation;
  }

  static std::string Reason(const RunFault& fault) { return Reason(fault.method, fault); }
  template <class Fault>
  static std::string Reason(const std::string& method, const Fault& fault) {
    if (fault.instruction < 0) return fmt::format("'{}': {}", method, fault.explanation);
    return fmt::format("'{}' instruction {}: {}", method, fault.instruction, fault.explanation);
  }

  const Program& program_;
  const DiffOptions& options_;
  std::shared_ptr<const meaning::ProgramMeaning> meaning_;  // of all sequences
  Random random_;
  std::vector<bool> is_heavy_;              // per method
  std::map<int32_t, InputNature> natures_;  // of methods that were called
  DiffReport report_;
  std::string reason_;
  std::string at_;                        // the method that is called
  bool is_spent_ = false;                 // the work of all calls
  std::map<std::string, bool> compared_;  // whether some call of a method was
};

}  // namespace

DiffReport DiffProgram(const Program& given, const DiffOptions& options) {
  if (given.methods.empty()) return {};
  const UnderKeys keyed(given, StatedIn(options));
  const Program& program = keyed.program();
  const RunLimits most = LimitsOf(program, options.data, {}).ForMany();
  const WithinLimits limits(most.MakeMemoryCount(), most.work);  // of all calls together
  return WithinMemory([&] { return Differ(program, options).Go(); },
                      [] {
                        DiffReport report;
                        report.out_of_memory.emplace();
                        return report;
                      });
}

}  // namespace pteproof
