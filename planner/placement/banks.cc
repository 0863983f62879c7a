// Idea. Banks are filled in turn. A bank takes all groups that want it if their layout fits;
// otherwise it tries each half on top of what it holds, and a single group that does not fit spills
// to the next bank of its preference.
//
//   wanted  [a b c d e f g h]  does not fit
//           [a b c d] fits     [e f g h] does not
//                              [e f] fits   [g h] does not:  g fits, h spills
//
// Invariant: the layout of a bank is one of exactly the groups that it holds, within its capacity,
// and passes the validator. If nothing is left to spill to, the error names a subset of the bank's
// groups that do not fit together, in which each group is needed for that. Cost: O((k + 1) log n)
// layouts for k groups that spill.
#include "planner/placement/banks.h"

#include <algorithm>
#include <utility>

#include "planner/placement/groups.h"
#include "planner/placement/load.h"
#include "planner/placement/orders.h"
#include "planner/placement/validate.h"
#include "planner/planted.h"

namespace pteproof::placement {
namespace {

using Items = std::span<const Item<int64_t>>;

// One bank and the groups of tied items that lie in it.
class Filling {
 public:
  Filling(const Bank& bank, Items groups, const Placer& placer)
      : bank_(bank), groups_(groups), placer_(placer) {}

  [[nodiscard]] const std::vector<int32_t>& held() const { return held_; }
  [[nodiscard]] const Layout<int64_t>& layout() const { return layout_; }
  [[nodiscard]] const std::optional<std::string>& mistake() const { return mistake_; }

  // Takes what fits, in halves; appends the rest to `spilled`.
  void Add(std::span<const int32_t> wanted, std::vector<int32_t>& spilled) {
    if (wanted.empty() || mistake_) return;
    std::vector<int32_t> all = held_;
    all.insert(all.end(), wanted.begin(), wanted.end());
    std::ranges::sort(all);
    if (auto layout = Fitting(all)) {
      held_ = std::move(all);
      layout_ = *std::move(layout);
      return;
    }
    if (wanted.size() == 1) {
      spilled.push_back(wanted.front());
      return;
    }
    Add(wanted.first(wanted.size() / 2), spilled);
    Add(wanted.subspan(wanted.size() / 2), spilled);
  }

  // Of what is held and one that does not fit with it: no more than is needed not to fit.
  [[nodiscard]] std::vector<int32_t> Culprits(int32_t one) {
    std::vector<int32_t> left = held_;
    for (size_t chunk = left.size(); chunk > 0; chunk /= 2) {
      for (size_t at = 0; at < left.size();) {
        const size_t end = std::min(left.size(), at + chunk);
        std::vector<int32_t> fewer(left.begin(), left.begin() + static_cast<std::ptrdiff_t>(at));
        fewer.insert(fewer.end(), left.begin() + static_cast<std::ptrdiff_t>(end), left.end());
        std::vector<int32_t> tried = fewer;
        tried.insert(std::ranges::upper_bound(tried, one), one);
        if (Fitting(tried)) {
          at = end;
        } else {
          left = std::move(fewer);
        }
      }
    }
    left.push_back(one);
    return left;
  }

 private:
  // Their layout, if it fits the bank.
  std::optional<Layout<int64_t>> Fitting(const std::vector<int32_t>& names) {
    std::vector<Item<int64_t>> items;
    items.reserve(names.size());
    for (const int32_t g : names) {
      items.push_back(groups_[static_cast<size_t>(g)]);
      items.back().alignment = std::max(items.back().alignment, bank_.alignment);
    }
    if (LoadOf(items) > bank_.capacity) return std::nullopt;
    Layout<int64_t> layout = placer_(items);
    // The harness is to find what this would.
    const bool looks = !planner::Planted(planner::Defect::kHoleForgotten);
    if (const auto mistake = MistakeIn(items, layout); mistake && looks) {
      mistake_ = TextOf(*mistake);
      return std::nullopt;
    }
    if (layout.peak > bank_.capacity) return std::nullopt;
    return layout;
  }

  const Bank& bank_;
  Items groups_;
  const Placer& placer_;
  std::vector<int32_t> held_;  // ascending
  Layout<int64_t> layout_;     // of these
  std::optional<std::string> mistake_;
};

class BankFiller {
 public:
  BankFiller(Items items, std::span<const Bank> banks, const Placer& placer)
      : items_(items), groups_(GroupsOf(items)), placer_(placer) {
    for (const Bank& bank : banks) {
      fillings_.emplace_back(bank, Items(groups_.items), placer_);
      all_.push_back(static_cast<int32_t>(all_.size()));
    }
    preference_of_.resize(groups_.items.size());
  }

  Result<BankedLayout, BankError> Run(std::span<const Preference> preferences) {
    SetPreferences(preferences);
    std::vector<int32_t> lost;
    for (size_t g = 0; g < preference_of_.size(); ++g) {
      if (!IsGood(preference_of_[g])) lost.push_back(static_cast<int32_t>(g));
    }
    if (!lost.empty()) {
      return BankError{BankError::Kind::kNoBank, MembersOf(lost), -1,
                       "a storage names an unknown bank"};
    }
    std::vector<int32_t> open = OrderBy(Items(groups_.items));
    for (size_t choice = 0; !open.empty(); ++choice) {
      open = FillOnce(open, choice);
      for (size_t b = 0; b < fillings_.size(); ++b) {
        if (fillings_[b].mistake()) return BadLayout(static_cast<int32_t>(b));
      }
      const auto last = [&](int32_t g) { return PreferenceOf(g).size() == choice + 1; };
      const auto full = std::ranges::find_if(open, last);
      if (full != open.end()) return Full(*full, PreferenceOf(*full).back());
    }
    return Filled();
  }

 private:
  [[nodiscard]] const Preference& PreferenceOf(int32_t group) const {
    return preference_of_[static_cast<size_t>(group)];
  }
  [[nodiscard]] bool IsGood(const Preference& preference) const {
    const auto exists = [&](int32_t b) {
      return b >= 0 && static_cast<size_t>(b) < fillings_.size();
    };
    return !preference.empty() && std::ranges::all_of(preference, exists);
  }

  void SetPreferences(std::span<const Preference> preferences) {
    for (size_t i = 0; i < std::min(items_.size(), preferences.size()); ++i) {
      Preference& own = preference_of_[static_cast<size_t>(groups_.group_of[i])];
      if (own.empty()) own = preferences[i];
    }
    for (Preference& own : preference_of_) {
      if (own.empty()) own = all_;
    }
  }

  // Puts each open group into the bank that it likes as its `choice`-th; gives back what is left.
  std::vector<int32_t> FillOnce(std::span<const int32_t> open, size_t choice) {
    std::vector<int32_t> spilled;
    for (size_t b = 0; b < fillings_.size(); ++b) {
      std::vector<int32_t> pinned;
      std::vector<int32_t> wanted;
      for (const int32_t g : open) {
        if (PreferenceOf(g)[choice] != static_cast<int32_t>(b)) continue;
        (PreferenceOf(g).size() == 1 ? pinned : wanted).push_back(g);
      }
      fillings_[b].Add(pinned, spilled);
      fillings_[b].Add(wanted, spilled);
    }
    const std::vector<bool> is_left = Marked(spilled);
    std::vector<int32_t> left;
    for (const int32_t g : open) {
      if (is_left[static_cast<size_t>(g)]) left.push_back(g);
    }
    return left;
  }

  [[nodiscard]] std::vector<bool> Marked(std::span<const int32_t> groups) const {
    std::vector<bool> marked(groups_.items.size());
    for (const int32_t g : groups) marked[static_cast<size_t>(g)] = true;
    return marked;
  }

  // The items of groups.
  [[nodiscard]] std::vector<int32_t> MembersOf(std::span<const int32_t> groups) const {
    const std::vector<bool> is_meant = Marked(groups);
    std::vector<int32_t> members;
    for (size_t i = 0; i < items_.size(); ++i) {
      if (is_meant[static_cast<size_t>(groups_.group_of[i])]) {
        members.push_back(static_cast<int32_t>(i));
      }
    }
    return members;
  }

  BankError Full(int32_t group, int32_t bank) {
    const std::vector<int32_t> culprits = fillings_[static_cast<size_t>(bank)].Culprits(group);
    return {BankError::Kind::kFull, MembersOf(culprits), bank,
            "the storages exceed the capacity of the bank"};
  }

  [[nodiscard]] BankError BadLayout(int32_t bank) const {
    const Filling& filling = fillings_[static_cast<size_t>(bank)];
    return {BankError::Kind::kBadLayout, MembersOf(filling.held()), bank, *filling.mistake()};
  }

  [[nodiscard]] BankedLayout Filled() const {
    BankedLayout result;
    std::vector<int32_t> bank_of(groups_.items.size());
    std::vector<int64_t> offset_of(groups_.items.size());
    for (size_t b = 0; b < fillings_.size(); ++b) {
      const Layout<int64_t>& layout = fillings_[b].layout();
      result.peaks.push_back(layout.peak);
      if (planner::Planted(planner::Defect::kBankEndsAtLastStart) && layout.peak > 0) {
        result.peaks.back() = *std::ranges::max_element(layout.offsets);
      }
      for (size_t h = 0; h < fillings_[b].held().size(); ++h) {
        const auto g = static_cast<size_t>(fillings_[b].held()[h]);
        bank_of[g] = static_cast<int32_t>(b);
        offset_of[g] = layout.offsets[h];
      }
    }
    for (size_t i = 0; i < items_.size(); ++i) {
      const auto g = static_cast<size_t>(groups_.group_of[i]);
      result.bank.push_back(bank_of[g]);
      result.offsets.push_back(offset_of[g] + groups_.inside[i]);
    }
    return result;
  }

  Items items_;
  Groups<int64_t> groups_;
  const Placer& placer_;
  std::vector<Preference> preference_of_;  // per group
  Preference all_;                         // every bank
  std::vector<Filling> fillings_;          // per bank
};

}  // namespace

Placer PlacerOf(Algorithm algorithm) {
  return PlacerOf(algorithm, DefaultEffort(algorithm));
}

Placer PlacerOf(Algorithm algorithm, const Effort& effort) {
  return [=](Items items) { return Place(items, algorithm, effort).layout; };
}

Result<std::vector<Preference>, BankError> PreferencesOf(std::span<const std::string> pool_of_item,
                                                         const Pools& pools) {
  std::vector<Preference> preferences;
  BankError error{BankError::Kind::kNoBank, {}, -1, "a storage names an unknown pool"};
  for (const std::string& pool : pool_of_item) {
    std::optional<Preference> banks = pool.empty() ? Preference() : pools(pool);
    if (!banks) error.items.push_back(static_cast<int32_t>(preferences.size()));
    preferences.push_back(std::move(banks).value_or(Preference()));
  }
  if (!error.items.empty()) return error;
  return preferences;
}

Result<BankedLayout, BankError> PlaceInBanks(Items items, std::span<const Bank> banks,
                                             std::span<const Preference> preferences,
                                             const Placer& placer) {
  return BankFiller(items, banks, placer).Run(preferences);
}

}  // namespace pteproof::placement
