// Idea. Values that share bytes on purpose are not looked for by name: views, parts of
// concatenations, results in place and slices all come to one thing, that an instruction reads
// through one value what another value's write has left. So the banks are followed byte by byte,
// and wherever a read finds a write, both values join one web.
//
//   0: fills v3   bank 1 [0, 64)
//   1: fills v4   bank 1 [64, 128)
//   2: reads v5   bank 1 [0, 128)      finds v3 and v4: one web {v3, v4, v5}
//   3: fills v6   bank 1 [0, 64)       nothing reads v3 any more: a web of its own
//
// A result that lies over an operand of its own instruction joins its web too, as the listing does
// not say why it may. Bytes that are read and that nothing has written are state.
//
// A value that was moved to another is read under that name, on the ways on which it was moved.
// That it was written is asked at the move.
//
// Invariant: owners of a byte are all writes that may have been the last one, over all paths. So a
// web may be larger than it has to be, and never smaller. Cost: each block is gone through until
// nothing new comes into it; at most once for each further owner of one of its bytes.
#include "planner/lift/webs.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "base/disjoint_sets.h"
#include "base/stop.h"
#include "planner/planted.h"

namespace pteproof::planner {
namespace {

class Weaver {
 public:
  Weaver(const meaning::MethodMeaning& meant, const Method& method)
      : meant_(meant), method_(method), sets_(method.values.size()) {
    touched_.resize(method.values.size());
    stateful_.resize(touched_.size());
    made_by_rows_.resize(touched_.size());
    webs_.touches = TouchesOf(meant);
    for (const Touch& touch : webs_.touches.of_instruction) {
      for (const int32_t v : touch.rows) made_by_rows_[static_cast<size_t>(v)] = true;
    }
  }

  MethodWebs Go() {
    FindBuffers();
    Flow();
    for (const int32_t v : webs_.touches.outputs) Read(v, webs_.at_exit);
    for (const int32_t v : webs_.touches.may_be_outputs) MayRead(v, webs_.at_exit);
    for (size_t v = 0; v < touched_.size(); ++v) {
      const bool touched = touched_[v];
      webs_.web.push_back(touched ? sets_.Of(static_cast<int32_t>(v)) : -1);
      if (stateful_[v]) webs_.stateful.push_back(static_cast<int32_t>(v));
    }
    std::ranges::sort(webs_.state);
    webs_.state.erase(std::ranges::unique(webs_.state).begin(), webs_.state.end());
    return std::move(webs_);
  }

 private:
  // All names of buffers that the file or the manifest names, or that loading sets, touched or not.
  // Others are state where a call finds their bytes.
  void FindBuffers() {
    for (size_t v = 0; v < touched_.size(); ++v) {
      const auto value = static_cast<int32_t>(v);
      const Tensor* tensor = method_.TensorOf(value);
      const int32_t state = meant_.roles.state_of[v];
      if (tensor == nullptr || !tensor->planned || state < 0) continue;
      const meaning::StateSlot& slot = meant_.roles.states[static_cast<size_t>(state)];
      if (slot.key.empty() && slot.initial == 0 && !slot.external) continue;
      if (Planted(Defect::kNamedStateMoves)) continue;
      NoteState(value, BytesOf(method_, value));
      touched_[v] = true;
    }
  }

  void NoteState(int32_t value, const BankBytes& bytes) {
    stateful_[static_cast<size_t>(value)] = true;
    if (bytes.lo < bytes.hi) webs_.state.push_back(bytes);
  }

  void Flow() {
    const auto count = static_cast<int32_t>(method_.instructions.size());
    const std::vector<Block> blocks = BlocksOf(count, webs_.touches.jumps);
    std::vector<std::vector<size_t>> successors(blocks.size());
    for (size_t b = 0; b < blocks.size(); ++b) {
      for (const int32_t before : blocks[b].predecessors) {
        successors[static_cast<size_t>(before)].push_back(b);
      }
    }
    std::vector<std::optional<ByteOwners>> at_start(blocks.size());
    std::vector<size_t> to_do = {0};
    at_start[0].emplace();
    for (const int32_t v : webs_.touches.inputs) Fill(v, *at_start[0]);
    while (!to_do.empty()) {
      const size_t b = to_do.back();
      to_do.pop_back();
      if (b + 1 == blocks.size()) continue;
      ByteOwners owners = *at_start[b];
      for (int32_t i = blocks[b].first; i <= blocks[b].last; ++i) Step(i, owners);
      for (const size_t next : successors[b]) {
        const bool fresh = !at_start[next];
        if (fresh) at_start[next] = owners;
        if (fresh || at_start[next]->AddAll(owners)) to_do.push_back(next);
      }
    }
    if (at_start.back()) webs_.at_exit = *std::move(at_start.back());
  }

  void Step(int32_t i, ByteOwners& owners) {
    EndIfStopped();
    const Touch& touch = webs_.touches.of_instruction[static_cast<size_t>(i)];
    for (const int32_t v : touch.reads) Read(v, owners);
    for (const int32_t v : touch.moves) Find(v, owners);
    for (const int32_t v : touch.may_read) MayRead(v, owners);
    JoinOverlaid(touch);
    for (const int32_t v : touch.fills) Fill(v, owners);
    for (const int32_t v : touch.updates) {
      touched_[static_cast<size_t>(v)] = true;
      owners.Add(BytesOf(method_, v), v);
    }
  }

  void Fill(int32_t v, ByteOwners& owners) {
    touched_[static_cast<size_t>(v)] = true;
    owners.Fill(BytesOf(method_, v), v);
  }

  void Read(int32_t v, const ByteOwners& owners) {
    Find(v, owners);
    MayRead(v, owners);
  }

  // Bytes that nothing has written so far are state.
  void Find(int32_t v, const ByteOwners& owners) {
    const BankBytes bytes = BytesOf(method_, v);
    owners.ForEach(bytes, [&](uint64_t lo, uint64_t hi, const ByteOwners::Owners& found) {
      if (found.front() != kAtEntry) return;
      // Once one row is made, the others count as made too.
      const bool has_rows = std::ranges::any_of(found, [&](int32_t owner) {
        return owner != kAtEntry && made_by_rows_[static_cast<size_t>(owner)];
      });
      if (!has_rows) NoteState(v, {bytes.bank, lo, hi});
    });
  }

  // If the value that is read is another one on some way, nothing has to have written this one
  // there.
  void MayRead(int32_t v, const ByteOwners& owners) {
    touched_[static_cast<size_t>(v)] = true;
    owners.ForEach(BytesOf(method_, v), [&](uint64_t, uint64_t, const ByteOwners::Owners& found) {
      for (const int32_t owner : found) {
        if (owner != kAtEntry && !Planted(Defect::kReadJoinsNothing)) sets_.Join(v, owner);
      }
    });
  }

  // Results over operands, and over each other.
  void JoinOverlaid(const Touch& touch) {
    std::vector<int32_t> written = touch.fills;
    written.insert(written.end(), touch.updates.begin(), touch.updates.end());
    for (size_t w = 0; w < written.size(); ++w) {
      const BankBytes bytes = BytesOf(method_, written[w]);
      const auto join = [&](int32_t other) {
        if (Meet(bytes, BytesOf(method_, other))) sets_.Join(written[w], other);
      };
      std::ranges::for_each(touch.reads, join);
      std::ranges::for_each(touch.may_read, join);
      for (size_t o = 0; o < w; ++o) join(written[o]);
    }
  }

  const meaning::MethodMeaning& meant_;
  const Method& method_;
  MethodWebs webs_;
  DisjointSets sets_;  // of values
  std::vector<bool> touched_;
  std::vector<bool> made_by_rows_;
  std::vector<bool> stateful_;
};

}  // namespace

BankBytes BytesOf(const Method& method, int32_t value) {
  const Tensor& tensor = *method.TensorOf(value);
  return {tensor.bank, tensor.offset, tensor.offset + tensor.nbytes};
}

MethodWebs WebsOf(const meaning::MethodMeaning& meant, const Method& method) {
  return Weaver(meant, method).Go();
}

std::vector<MethodWebs> WebsOf(const meaning::ProgramMeaning& meant, const Program& program) {
  std::vector<MethodWebs> webs;
  for (size_t m = 0; m < program.methods.size(); ++m) {
    webs.push_back(WebsOf(meant.methods[m], program.methods[m]));
  }
  return webs;
}

std::vector<MethodWebs> WebsOf(const Program& program, const Manifest* manifest) {
  return WebsOf(meaning::MeaningOf(program, manifest), program);
}

}  // namespace pteproof::planner
