#include "properties/proofs/planner/prove_stores.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <optional>
#include <utility>

namespace pteproof::proofs {
namespace {

using planner::Assignment;
using planner::Code;
using planner::CodeValue;
using planner::Origin;
using planner::ValueId;
using StoreClock = std::chrono::steady_clock;

TensorType StoredType(int64_t columns) {
  return {.dtype = ScalarType::kFloat32, .sizes = {SizeExpr(4), SizeExpr(columns)}};
}

// The values that stores can be made of, by number: buffers, a copy and a view of each, a new value
// for each, one for all.
class StoreValues {
 public:
  StoreValues(size_t buffers, bool carried) : buffers_(static_cast<ValueId>(buffers)) {
    for (ValueId b = 0; b < buffers_; ++b) {
      CodeValue& value = code_.values.emplace_back();
      value = {.type = StoredType(4), .origin = Origin::kBuffer, .index = b};
      value.carried = carried;
    }
    for (ValueId b = 0; b < buffers_; ++b) {
      code_.values.push_back({.type = StoredType(4), .same_as = b});
    }
    for (ValueId b = 0; b < buffers_; ++b) {
      code_.values.push_back({.type = StoredType(2), .same_as = b});
    }
    for (ValueId b = 0; b <= buffers_; ++b) code_.values.push_back({.type = StoredType(4)});
  }

  [[nodiscard]] const Code& code() const { return code_; }
  // What a buffer can become: -1, which is to keep what it has, and the values with a number below.
  // Buffers come first, then new values, and last, if asked for, copies and views of buffers.
  [[nodiscard]] std::vector<ValueId> SourcesOf(ValueId buffer, bool views) const {
    std::vector<ValueId> sources = {-1, 3 * buffers_ + buffer, 4 * buffers_};
    const ValueId end = views ? 3 * buffers_ : buffers_;
    for (ValueId v = 0; v < end; ++v) sources.push_back(v);
    return sources;
  }

 private:
  ValueId buffers_;
  Code code_;
};

// What every value's bytes hold: the number of the value that they came from.
class StoreRun {
 public:
  // `share`: copies and views lie in the bytes of what they are made of.
  StoreRun(const Code& code, bool share) {
    for (size_t v = 0; v < code.values.size(); ++v) {
      const auto value = static_cast<ValueId>(v);
      const ValueId root = planner::RootOf(code, value);
      bytes_of_.push_back(share ? root : value);
      holds_.push_back(root);
    }
  }

  void Run(const std::vector<Assignment>& stores) {
    for (const Assignment& store : stores) {
      const ValueId what = At(store.from);
      if (store.over >= 0) At(store.over) = what;
      At(store.to) = what;
    }
  }
  // New values have bytes of their own.
  [[nodiscard]] ValueId& At(ValueId value) {
    while (bytes_of_.size() <= static_cast<size_t>(value)) {
      bytes_of_.push_back(static_cast<ValueId>(bytes_of_.size()));
      holds_.push_back(-1);
    }
    return holds_[static_cast<size_t>(bytes_of_[static_cast<size_t>(value)])];
  }

 private:
  std::vector<ValueId> bytes_of_;
  std::vector<ValueId> holds_;
};

// Whether some order of the list alone overwrites nothing before it is read, where copies and views
// share bytes with what they are made of.
bool HasOrder(const Code& code, std::vector<Assignment> stores) {
  std::erase_if(stores, [&](const Assignment& store) {
    return planner::RootOf(code, store.from) == store.over;
  });
  while (!stores.empty()) {
    const auto ready = std::ranges::find_if(stores, [&](const Assignment& store) {
      return std::ranges::none_of(stores, [&](const Assignment& other) {
        return &other != &store && planner::RootOf(code, other.from) == store.over;
      });
    });
    if (ready == stores.end()) return false;
    stores.erase(ready);
  }
  return true;
}

std::string StoresText(const std::vector<Assignment>& list) {
  std::string text;
  for (const Assignment& store : list) {
    text += fmt::format("{}%{} over %{} = %{}", text.empty() ? "" : ", ", store.to, store.over,
                        store.from);
  }
  return text;
}

class StoreProver {
 public:
  StoreProver(const StoreSubject& subject, size_t buffers, bool views, double seconds)
      : subject_(subject),
        buffers_(static_cast<ValueId>(buffers)),
        views_(views),
        begin_(StoreClock::now()),
        seconds_(seconds) {}

  PlannerProof Go() {
    proof_.name = fmt::format("{}, {} buffers, every assignment{} in every order", subject_.name,
                              buffers_, views_ ? " of values, copies and views" : "");
    proof_.what = "the stores in order have the effect of all stores at once";
    proof_.answer = Answer::kProved;
    for (const bool carried : {false, true}) {
      const StoreValues values(static_cast<size_t>(buffers_), carried);
      std::vector<Assignment> stores;
      Choose(values, carried, 0, stores);
    }
    proof_.seconds = Seconds();
    return std::move(proof_);
  }

 private:
  [[nodiscard]] double Seconds() const {
    return std::chrono::duration<double>(StoreClock::now() - begin_).count();
  }

  // All sources for the buffers from `buffer` on.
  void Choose(const StoreValues& values, bool carried, ValueId buffer,
              std::vector<Assignment>& stores) {
    if (buffer == buffers_) return TryOrders(values.code(), stores);
    for (const ValueId source : values.SourcesOf(buffer, views_)) {
      if (proof_.answer != Answer::kProved) return;
      if (source < 0) {
        Choose(values, carried, buffer + 1, stores);
        continue;
      }
      // A loop hands values on in their own bytes; a store at exit makes a value of its own.
      const auto count = static_cast<ValueId>(values.code().values.size());
      stores.push_back({carried ? buffer : count + buffer, buffer, source});
      Choose(values, carried, buffer + 1, stores);
      stores.pop_back();
    }
  }

  void TryOrders(const Code& code, const std::vector<Assignment>& stores) {
    if (Seconds() > seconds_) {
      proof_.answer = Answer::kUnknown;
      proof_.cut = true;
      proof_.why = "the time limit";
      return;
    }
    const bool has_order = HasOrder(code, stores);
    std::vector<Assignment> list = stores;
    do {
      ++proof_.paths;
      Try(code, list, has_order);
    } while (proof_.answer == Answer::kProved &&
             std::ranges::next_permutation(list, {}, &Assignment::over).found);
  }

  void Try(const Code& before, const std::vector<Assignment>& list, bool has_order) {
    Code code = before;
    // Results of the stores, and what the planner adds behind them.
    code.values.resize(code.values.size() + static_cast<size_t>(buffers_), {.type = StoredType(4)});
    const std::vector<Assignment> stores = subject_.in_order(list, code);
    for (const bool share : {false, true}) {
      if (share && !has_order) continue;
      StoreRun run(before, share);
      run.Run(stores);
      for (ValueId b = 0; b < buffers_; ++b) {
        const auto into = std::ranges::find(list, b, &Assignment::over);
        const ValueId wanted = into == list.end() ? b : planner::RootOf(before, into->from);
        if (run.At(b) == wanted) continue;
        proof_.answer = Answer::kRefuted;
        proof_.counterexample =
            fmt::format("{} in order: {}: buffer %{} holds what %{} held, not %{}",
                        StoresText(list), StoresText(stores), b, run.At(b), wanted);
        return;
      }
    }
  }

  const StoreSubject& subject_;
  ValueId buffers_;
  bool views_;
  StoreClock::time_point begin_;
  double seconds_;
  PlannerProof proof_;
};

}  // namespace

StoreSubject ShippedStores() {
  return {"write-back order", planner::InOrder};
}

PlannerProof ProveStores(const StoreSubject& subject, size_t buffers, bool views, double seconds) {
  return StoreProver(subject, buffers, views, seconds).Go();
}

}  // namespace pteproof::proofs
