// Idea. Dynamic programming over the sets of tasks that are done: the bytes that are there depend
// on the set alone, so of two ways to one set the one with the lower peak is as good. Sets of one
// size are a layer. If a layer is too large, those with the highest peaks are dropped: a beam.
//
//   {}  ->  {0}, {1}  ->  {0, 1}, {0, 2}, {1, 3}  ->  ...
//
// Two rules cut the layers down. A task that frees as much as it takes, and does not raise the peak
// meanwhile, is done at once: in whatever order, it is no worse earlier. And a set whose peak is
// not below a limit is dropped. That is at first the peak of the given order, and then again and
// again one halfway between the least that is proved and the lowest that is known, as low limits
// make small layers. Then any peak below the limit will do, and the first rule lets tasks raise it.
//
// Invariant: while no layer was too large, a set that is missing leads to no peak below the limit.
// So a search that ends without an order proves the limit.
#include "planner/replan/order_search.h"

#include <algorithm>
#include <numeric>
#include <unordered_map>
#include <utility>

#include "base/stop.h"

namespace pteproof::planner {
namespace {

// What a task takes while it runs, and leaves.
struct TaskBytes {
  int64_t during = 0;
  int64_t after = 0;
};

class DoneTasks {
 public:
  explicit DoneTasks(size_t tasks) : words_((tasks + 63) / 64) {}
  [[nodiscard]] bool Has(int32_t task) const {
    return (words_[static_cast<size_t>(task) / 64] >> (task % 64) & 1) != 0;
  }
  void Add(int32_t task) { words_[static_cast<size_t>(task) / 64] |= uint64_t{1} << (task % 64); }
  bool operator==(const DoneTasks&) const = default;

  [[nodiscard]] size_t Hash() const {
    uint64_t hash = 0;
    for (const uint64_t word : words_) {
      hash = (hash ^ word) * 0x9E3779B97F4A7C15U;
      hash ^= hash >> 29;
    }
    return static_cast<size_t>(hash);
  }

 private:
  std::vector<uint64_t> words_;
};

struct HashOfTasks {
  size_t operator()(const DoneTasks& done) const { return done.Hash(); }
};

// A set that is done, and the best way to it that is known.
struct Layered {
  DoneTasks done;
  int64_t bytes = 0;
  int64_t peak = 0;
  int32_t way = -1;                 // the last step of it
  std::vector<int32_t> ready = {};  // not done, and all before it are; ascending
};

struct WayStep {
  int32_t task = 0;
  int32_t before = -1;
};

// Searches with a limit of their own.
constexpr int kRounds = 12;

// Words of sets and tasks that are looked at, in all searches: a second or two. Then the best order
// that is known is taken.
constexpr int64_t kMostSteps = int64_t{1} << 28;

class OrderSearch {
 public:
  OrderSearch(const OrderProblem& problem, int64_t width)
      : problem_(problem),
        width_(static_cast<size_t>(width)),
        count_(problem.before.size()),
        after_(count_),
        items_of_(count_),
        looks_(count_, 1) {
    for (size_t t = 0; t < count_; ++t) {
      for (const int32_t b : problem.before[t]) {
        after_[static_cast<size_t>(b)].push_back(static_cast<int32_t>(t));
      }
    }
    for (size_t i = 0; i < problem.items.size(); ++i) {
      for (const int32_t t : problem.items[i].tasks) {
        items_of_[static_cast<size_t>(t)].push_back(static_cast<int32_t>(i));
        looks_[static_cast<size_t>(t)] += static_cast<int64_t>(problem.items[i].tasks.size());
      }
    }
  }

  FoundOrder Go() {
    FoundOrder found = {std::vector<int32_t>(count_), PeakOf(problem_), Start().peak};
    std::iota(found.order.begin(), found.order.end(), 0);
    (void)Try(found.peak, found);
    decides_ = true;
    int64_t low = found.least;  // below it no order is found
    for (int round = 0; round < kRounds && low < found.peak && left_ > 0; ++round) {
      const int64_t limit = low + (found.peak - low + 1) / 2;
      if (!Try(limit, found)) low = limit;
    }
    int64_t high = found.peak;  // above it nothing is proved
    for (int round = 0; round < kRounds && found.least < high && left_ > 0; ++round) {
      const int64_t limit = found.least + (high - found.least + 1) / 2;
      (void)Try(limit, found);
      high = std::min(found.peak, found.least < limit ? limit - 1 : high);
    }
    return found;
  }

  [[nodiscard]] Layered Start() const {
    Layered start = {DoneTasks(count_)};
    for (const OrderedItem& item : problem_.items) start.bytes += item.at_start ? item.bytes : 0;
    start.peak = std::max(start.bytes, LeastPeak());
    for (size_t t = 0; t < count_; ++t) {
      if (problem_.before[t].empty()) start.ready.push_back(static_cast<int32_t>(t));
    }
    return start;
  }

  // What every order has: the items of one task are there at once, and so are those at the end.
  [[nodiscard]] int64_t LeastPeak() const {
    int64_t always = 0;
    int64_t end = 0;
    for (const OrderedItem& item : problem_.items) {
      end += item.at_end ? item.bytes : 0;
      always += item.at_start && item.at_end ? item.bytes : 0;
    }
    int64_t least = end;
    for (const std::vector<int32_t>& items : items_of_) {
      int64_t bytes = always;
      for (const int32_t i : items) {
        const OrderedItem& item = problem_.items[static_cast<size_t>(i)];
        bytes += item.at_start && item.at_end ? 0 : item.bytes;
      }
      least = std::max(least, bytes);
    }
    return least;
  }

  [[nodiscard]] TaskBytes BytesOf(const Layered& at, int32_t task) const {
    TaskBytes bytes = {at.bytes, at.bytes};
    for (const int32_t i : items_of_[static_cast<size_t>(task)]) {
      const OrderedItem& item = problem_.items[static_cast<size_t>(i)];
      bool begins = !item.at_start;
      bool ends = !item.at_end;
      for (const int32_t other : item.tasks) {
        if (other == task) continue;
        const bool is_done = at.done.Has(other);
        begins = begins && !is_done;
        ends = ends && is_done;
      }
      bytes.during += begins ? item.bytes : 0;
      bytes.after += (begins ? item.bytes : 0) - (ends ? item.bytes : 0);
    }
    return bytes;
  }

 private:
  // For an order whose peak is below the limit; false: none is found.
  bool Try(int64_t limit, FoundOrder& found) {
    limit_ = limit;
    dropped_ = false;
    steps_.clear();
    std::vector<Layered> layer = {Start()};
    for (size_t done = 0; done < count_ && !layer.empty(); ++done) layer = Next(layer);
    if (layer.empty()) {
      if (!dropped_) found.least = std::max(found.least, limit);
      return false;
    }
    const auto best = std::ranges::min_element(layer, {}, &Layered::peak);
    found.peak = best->peak;
    if (!dropped_ && !decides_) found.least = best->peak;
    for (int32_t at = best->way, n = static_cast<int32_t>(count_) - 1; at >= 0; --n) {
      const WayStep& step = steps_[static_cast<size_t>(at)];
      found.order[static_cast<size_t>(n)] = step.task;
      at = step.before;
    }
    return true;
  }

  std::vector<Layered> Next(const std::vector<Layered>& layer) {
    std::vector<Layered> next;
    std::unordered_map<DoneTasks, size_t, HashOfTasks> known;
    for (const Layered& at : layer) Follow(at, next, known);
    if (left_ <= 0) {
      dropped_ = true;
      return {};
    }
    if (next.size() <= width_) return next;
    dropped_ = true;
    std::ranges::nth_element(next, next.begin() + static_cast<int64_t>(width_), {},
                             [](const Layered& at) { return std::pair(at.peak, at.bytes); });
    next.resize(width_, Layered{DoneTasks(0)});
    return next;
  }

  void Follow(const Layered& at, std::vector<Layered>& next,
              std::unordered_map<DoneTasks, size_t, HashOfTasks>& known) {
    EndIfStopped();
    std::vector<std::pair<TaskBytes, int32_t>> tasks;
    for (const int32_t task : at.ready) {
      left_ -= looks_[static_cast<size_t>(task)];
      const TaskBytes bytes = BytesOf(at, task);
      const int64_t most = decides_ ? limit_ - 1 : at.peak;
      if (bytes.after <= at.bytes && bytes.during <= most) {
        return Add(at, task, bytes, next, known);
      }
      if (bytes.during < limit_) tasks.emplace_back(bytes, task);
    }
    if (tasks.size() > width_) {  // more than a layer may have
      dropped_ = true;
      std::ranges::nth_element(
          tasks, tasks.begin() + static_cast<int64_t>(width_), {}, [&](const auto& each) {
            return std::pair(std::max(at.peak, each.first.during), each.first.after);
          });
      tasks.resize(width_);
    }
    for (const auto& [bytes, task] : tasks) Add(at, task, bytes, next, known);
  }

  void Add(const Layered& at, int32_t task, const TaskBytes& bytes, std::vector<Layered>& next,
           std::unordered_map<DoneTasks, size_t, HashOfTasks>& known) {
    const int64_t peak = std::max(at.peak, bytes.during);
    left_ -= static_cast<int64_t>(count_ / 64 + at.ready.size() + 1);
    if (peak >= limit_ || left_ <= 0) return;
    Layered then = {at.done, bytes.after, peak, static_cast<int32_t>(steps_.size())};
    then.done.Add(task);
    const auto [there, fresh] = known.try_emplace(then.done, next.size());
    if (!fresh && next[there->second].peak <= peak) return;
    steps_.push_back({task, at.way});
    then.ready = ReadyAfter(at, task, then.done);
    if (fresh) {
      next.push_back(std::move(then));
    } else {
      next[there->second] = std::move(then);
    }
  }

  [[nodiscard]] std::vector<int32_t> ReadyAfter(const Layered& at, int32_t task,
                                                const DoneTasks& done) const {
    std::vector<int32_t> ready = at.ready;
    std::erase(ready, task);
    for (const int32_t next : after_[static_cast<size_t>(task)]) {
      const bool waits = std::ranges::any_of(problem_.before[static_cast<size_t>(next)],
                                             [&](int32_t b) { return !done.Has(b); });
      if (!waits) ready.insert(std::ranges::lower_bound(ready, next), next);
    }
    return ready;
  }

  const OrderProblem& problem_;
  size_t width_;
  size_t count_;
  std::vector<std::vector<int32_t>> after_;
  std::vector<std::vector<int32_t>> items_of_;
  std::vector<int64_t> looks_;  // per task, what BytesOf looks at
  std::vector<WayStep> steps_;
  int64_t limit_ = 0;
  bool decides_ = false;  // any peak below the limit will do
  bool dropped_ = false;
  int64_t left_ = kMostSteps;
};

}  // namespace

int64_t PeakOf(const OrderProblem& problem) {
  const OrderSearch search(problem, 1);
  Layered at = search.Start();
  for (size_t t = 0; t < problem.before.size(); ++t) {
    EndIfStopped();
    const TaskBytes bytes = search.BytesOf(at, static_cast<int32_t>(t));
    at.peak = std::max(at.peak, bytes.during);
    at.bytes = bytes.after;
    at.done.Add(static_cast<int32_t>(t));
  }
  return at.peak;
}

FoundOrder BestOrder(const OrderProblem& problem, int64_t width) {
  return OrderSearch(problem, width).Go();
}

}  // namespace pteproof::planner
