#include "fuzz/fields/listing.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "program_generated.h"

namespace pteproof::fuzz::fields {
namespace {

const Field* HeldIn(const Table& table, std::string_view name) {
  for (size_t f = 0; f < table.fields.size(); ++f) {
    if (DeclaredAs(*table.type, f).name == name) return &table.fields[f];
  }
  return nullptr;
}

}  // namespace

std::unique_ptr<Listing> Listing::Of(Bytes file) {
  auto tree = Unpack(file);
  if (!tree) return nullptr;
  return std::unique_ptr<Listing>(new Listing(std::move(*tree)));
}

Listing::Listing(Tree tree) : tree_(std::move(tree)), around_(tree_) {
  for (size_t t = 0; t < tree_.tables.size(); ++t) {
    first_place_.push_back(places_.size());
    for (size_t f = 0; f < tree_.tables[t].fields.size(); ++f) {
      Place place{static_cast<int32_t>(t), static_cast<int32_t>(f)};
      place.changes = ChangesOf(tree_, around_, place.table, place.field).size();
      singles_ += place.changes;
      places_.push_back(place);
    }
  }
  first_place_.push_back(places_.size());
  FindCalls();
}

void Listing::FindCalls() {
  for (size_t t = 0; t < tree_.tables.size(); ++t) {
    const auto* type = tree_.tables[t].type;
    const bool is_call =
        type == schema::KernelCallTypeTable() || type == schema::DelegateCallTypeTable();
    if (is_call) calls_.push_back(static_cast<int32_t>(t));
  }
}

void Listing::ForEach(const Range& range,
                      const std::function<bool(uint64_t number, Bytes file)>& each) {
  uint64_t number = 0;
  for (const Place& place : places_) {
    if (number + place.changes <= range.first) {
      number += place.changes;
      continue;
    }
    for (const Change& change : ChangesOf(tree_, around_, place.table, place.field)) {
      const uint64_t here = number++;
      if (here < range.first || here % range.stride != 0) continue;
      Buffer file;
      {
        const Changed changed(tree_, change);
        file = Pack(tree_);
      }
      if (!each(here, file)) return;
    }
  }
  for (uint64_t pair = std::max(range.first, singles_) - singles_; pair < range.pairs; ++pair) {
    const auto mutant = Pair(pair);
    if (!each(singles_ + pair, mutant ? Bytes(mutant->file) : Bytes())) return;
  }
}

Mutant Listing::At(uint64_t number) {
  if (number >= singles_) return Pair(number - singles_).value_or(Mutant{{}, "no pair"});
  for (const Place& place : places_) {
    if (number >= place.changes) {
      number -= place.changes;
      continue;
    }
    const auto changes = ChangesOf(tree_, around_, place.table, place.field);
    const Change& change = changes[number];
    const std::string text = TextOf(tree_, change);
    const Changed changed(tree_, change);
    return {Pack(tree_), text};
  }
  return {};
}

std::vector<size_t> Listing::PlacesOf(int32_t call) const {
  std::vector<int32_t> tables = {call};
  int32_t method = call;
  while (tree_.tables[static_cast<size_t>(method)].type != schema::MethodTypeTable()) {
    method = tree_.tables[static_cast<size_t>(method)].origin.table;
  }
  const auto& values = HeldIn(tree_.tables[static_cast<size_t>(method)], "values")->tables;
  for (const uint64_t arg : HeldIn(tree_.tables[static_cast<size_t>(call)], "args")->numbers) {
    if (arg < values.size()) tables.push_back(values[arg]);
  }
  // With all that lies below them.
  std::vector<size_t> places;
  for (size_t n = 0; n < tables.size(); ++n) {
    const auto t = static_cast<size_t>(tables[n]);
    for (size_t p = first_place_[t]; p < first_place_[t + 1]; ++p) {
      if (places_[p].changes > 0) places.push_back(p);
    }
    for (const Field& field : tree_.tables[t].fields) {
      tables.insert(tables.end(), field.tables.begin(), field.tables.end());
    }
  }
  return places;
}

std::optional<Mutant> Listing::Pair(uint64_t draw) {
  if (calls_.empty()) return std::nullopt;
  Random random(draw);
  const std::vector<size_t> places = PlacesOf(random.Of(calls_));
  const size_t a = random.Below(places.size());
  const size_t b = random.Below(places.size());
  if (a == b) return std::nullopt;
  const auto change_of = [&](size_t place) {
    const Place& at = places_[places[place]];
    auto changes = ChangesOf(tree_, around_, at.table, at.field);
    if (changes.empty()) return Change{at.table, {}, {}, "nothing"};
    return std::move(changes[random.Below(changes.size())]);
  };
  const Change first = change_of(a);
  const std::string text = TextOf(tree_, first);
  const Changed changed(tree_, first);
  const Change second = change_of(b);
  const std::string both = fmt::format("{}; {}", text, TextOf(tree_, second));
  const Changed again(tree_, second);
  return Mutant{Pack(tree_), both};
}

}  // namespace pteproof::fuzz::fields
