// What is tried of a field, by its shape:
//
//   number, tag   each number of numbers.h and of its meaning; a tag alone, its table kept
//   text          absent, empty, shorter, longer, an odd first character, the same field's
//   elsewhere numbers       absent, empty, one fewer at each end, one more, reversed, neighbours
//   swapped; each
//                 item as a number is; of a tensor's sizes also another rank, with a fitting order
//   table         absent, empty, another of its type; of a union a table of each other tag; of one
//                 that the file leaves out each of its own fields
//   tables        absent, empty, without each, with each twice, neighbours swapped, each emptied
#include "fuzz/fields/changes.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string>

#include "fuzz/fields/numbers.h"
#include "program_generated.h"

namespace pteproof::fuzz::fields {
namespace {

using Numbers = std::vector<uint64_t>;

Field HoldingNumber(uint64_t number) {
  Field field;
  field.number = number;
  return field;
}
Field HoldingNumbers(Numbers numbers) {
  Field field;
  field.present = true;
  field.numbers = std::move(numbers);
  return field;
}
Field HoldingTables(std::vector<int32_t> tables) {
  Field field;
  field.present = true;
  field.tables = std::move(tables);
  return field;
}

class Lister {
 public:
  Lister(const Tree& tree, const Surroundings& around, int32_t table, int32_t field)
      : tree_(tree),
        around_(around),
        table_(table),
        field_(field),
        type_(*tree.tables[static_cast<size_t>(table)].type),
        declared_(DeclaredAs(type_, static_cast<size_t>(field))),
        now_(Now(field)) {}

  std::vector<Change> All() {
    switch (declared_.shape) {
      case Shape::kNumber:
      case Shape::kTag:
        for (const uint64_t number : ToTry(now_.number)) {
          Add(HoldingNumber(number), Became(now_.number, number));
        }
        break;
      case Shape::kText:
        OfText();
        break;
      case Shape::kNumbers:
        OfNumbers();
        break;
      case Shape::kTable:
        OfTable();
        break;
      case Shape::kTables:
        OfTables();
        break;
    }
    return std::move(changes_);
  }

 private:
  [[nodiscard]] const Field& Now(int32_t field) const {
    return tree_.tables[static_cast<size_t>(table_)].fields[static_cast<size_t>(field)];
  }

  [[nodiscard]] Numbers ToTry(uint64_t now) const {
    const Meaning meaning = MeaningOf(type_, static_cast<size_t>(field_));
    return NumbersToTry(declared_, now, around_.NumbersFor(table_, meaning, now));
  }

  [[nodiscard]] std::string Became(uint64_t before, uint64_t now) const {
    return fmt::format("{}, was {}", TextOfNumber(declared_, now), TextOfNumber(declared_, before));
  }

  void Add(Field now, const std::string& what) {
    Change change{table_, {}, {}, fmt::format("{}: {}", declared_.name, what)};
    change.fields.emplace_back(field_, std::move(now));
    changes_.push_back(std::move(change));
  }

  // Texts and vectors that are as another change, or the file, has them are not tried again.
  void AddNumbers(Numbers numbers, const std::string& what) {
    const bool as_it_was = now_.present && numbers == now_.numbers;
    if (as_it_was || !tried_.insert(numbers).second) return;
    Add(HoldingNumbers(std::move(numbers)), what);
  }

  void Lengths() {
    if (now_.present) Add(Field(), "absent");
    AddNumbers({}, "empty");
    const Numbers& all = now_.numbers;
    if (!all.empty()) {
      AddNumbers({all.begin(), all.end() - 1}, "without the last");
      AddNumbers({all.begin() + 1, all.end()}, "without the first");
      AddNumbers({all.begin(), all.begin() + static_cast<ptrdiff_t>(all.size() / 2)}, "half of it");
      AddNumbers(With(all, all.back()), "the last twice");
    }
  }

  static Numbers With(Numbers numbers, uint64_t last) {
    numbers.push_back(last);
    return numbers;
  }

  void OfText() {
    Lengths();
    AddNumbers(With(now_.numbers, 'x'), "longer by x");
    for (const uint64_t first : {0U, 10U, 127U, 255U}) {
      Numbers text = now_.numbers;
      if (text.empty()) text.push_back(0);
      text.front() = first;
      AddNumbers(std::move(text), fmt::format("first character {}", first));
    }
    for (const Numbers& other : around_.NamesLike(declared_.name)) {
      AddNumbers(other, fmt::format("'{}'", std::string(other.begin(), other.end())));
    }
  }

  void OfNumbers() {
    Lengths();
    const Numbers& all = now_.numbers;
    AddNumbers(With(all, 0), "one more, 0");
    AddNumbers(With(all, 1), "one more, 1");
    AddNumbers({all.rbegin(), all.rend()}, "reversed");
    const bool contents = all.size() > (declared_.width == 1 ? kLongestOfBytes : kLongestOfNumbers);
    for (size_t i = 0; i < all.size(); ++i) {
      if (contents && i >= kEndsOfContents && i + kEndsOfContents < all.size()) continue;
      for (const uint64_t number : ToTry(all[i])) {
        Numbers changed = all;
        changed[i] = number;
        AddNumbers(std::move(changed), fmt::format("[{}] {}", i, Became(all[i], number)));
      }
      if (contents || i + 1 == all.size()) continue;
      Numbers swapped = all;
      std::swap(swapped[i], swapped[i + 1]);
      AddNumbers(std::move(swapped), fmt::format("[{}] and [{}] swapped", i, i + 1));
    }
    if (&type_ == schema::TensorTypeTable() && declared_.name == "sizes") OfRank();
  }

  // Sizes and the order of their dimensions, which must fit.
  void OfRank() {
    const Numbers& sizes = now_.numbers;
    uint64_t product = 1;
    for (const uint64_t size : sizes) product = (product * size) & UINT32_MAX;
    std::vector<Numbers> others = {{}, {product}, {product, 1}, {1, product}};
    others.push_back(With(sizes, 1));
    others.push_back(With(sizes, 2));
    others.push_back(With(sizes, 0));
    if (!sizes.empty()) others.emplace_back(sizes.begin(), sizes.end() - 1);
    others.emplace_back(16, 1);
    others.emplace_back(17, 1);
    for (const Numbers& other : others) {
      if (other.size() == sizes.size()) continue;
      Numbers order;
      for (uint64_t d = 0; d < other.size(); ++d) order.push_back(d);
      Change change{table_,
                    {},
                    {},
                    fmt::format("sizes: rank {}, was {}: [{}], and their order", other.size(),
                                sizes.size(), fmt::join(other, ", "))};
      change.fields.emplace_back(field_, HoldingNumbers(other));
      for (size_t f = 0; f < FieldCount(type_); ++f) {
        if (DeclaredAs(type_, f).name != "dim_order") continue;
        change.fields.emplace_back(static_cast<int32_t>(f), HoldingNumbers(order));
      }
      changes_.push_back(std::move(change));
    }
  }

  void OfTable() {
    const bool is_union = declared_.type->st == flatbuffers::ST_UNION;
    if (now_.present) Add(Field(), "absent");
    if (!is_union) {
      TableOf(*declared_.type, {}, "");
      return;
    }
    for (uint64_t tag = 1; tag < declared_.type->num_elems; ++tag) {
      const flatbuffers::TypeTable* held = HeldBy(*declared_.type, tag);
      if (held != nullptr) TableOf(*held, tag, fmt::format("a {}, ", declared_.type->names[tag]));
    }
  }

  // With an empty table, with examples from elsewhere, and, where the file has none, with one of
  // which one field is set.
  void TableOf(const flatbuffers::TypeTable& type, std::optional<uint64_t> tag,
               const std::string& named) {
    AddTable(EmptyTable(type), tag, named + "empty");
    for (const int32_t example : around_.ExamplesOf(type)) {
      if (now_.present && now_.tables.front() == example) continue;
      Change change{table_,
                    {},
                    {},
                    fmt::format("{}: {}that of {}", declared_.name, named, PathOf(tree_, example))};
      AddTag(tag, change);
      change.fields.emplace_back(field_, HoldingTables({example}));
      changes_.push_back(std::move(change));
    }
    if (now_.present) return;
    for (size_t f = 0; f < FieldCount(type); ++f) {
      const Declared inner = DeclaredAs(type, f);
      if (inner.shape != Shape::kNumber) continue;
      for (const uint64_t number : NumbersToTry(inner, 0, {})) {
        Table table = EmptyTable(type);
        table.fields[f].number = number;
        AddTable(std::move(table), tag,
                 fmt::format("{}with {} {}", named, inner.name, TextOfNumber(inner, number)));
      }
    }
  }

  void AddTag(std::optional<uint64_t> tag, Change& change) const {
    if (tag) change.fields.emplace_back(field_ - 1, HoldingNumber(*tag));
  }

  void AddTable(Table table, std::optional<uint64_t> tag, const std::string& what) {
    Change change{table_, {}, {}, fmt::format("{}: {}", declared_.name, what)};
    AddTag(tag, change);
    table.origin = {table_, field_, -1};
    change.fields.emplace_back(field_, HoldingTables({NewTable()}));
    change.added.push_back(std::move(table));
    changes_.push_back(std::move(change));
  }

  // The number that a table gets which is added.
  [[nodiscard]] int32_t NewTable() const { return static_cast<int32_t>(tree_.tables.size()); }

  void AddTables(std::vector<int32_t> tables, const std::string& what) {
    const bool as_it_was = now_.present && tables == now_.tables;
    if (as_it_was || !tried_tables_.insert(tables).second) return;
    Add(HoldingTables(std::move(tables)), what);
  }

  void OfTables() {
    const std::vector<int32_t>& all = now_.tables;
    if (now_.present) Add(Field(), "absent");
    AddTables({}, "empty");
    for (size_t i = 0; i < all.size(); ++i) {
      const auto at = static_cast<ptrdiff_t>(i);
      std::vector<int32_t> changed = all;
      changed.erase(changed.begin() + at);
      AddTables(changed, fmt::format("without [{}]", i));
      changed = all;
      changed.insert(changed.begin() + at, all[i]);
      AddTables(changed, fmt::format("[{}] twice", i));
      WithEmpty(i, all);
      if (i + 1 == all.size()) continue;
      changed = all;
      std::swap(changed[i], changed[i + 1]);
      AddTables(changed, fmt::format("[{}] and [{}] swapped", i, i + 1));
    }
    WithEmpty(all.size(), all);
  }

  // An empty table in place of the one at i, or behind the last.
  void WithEmpty(size_t i, std::vector<int32_t> tables) {
    if (i == tables.size()) tables.emplace_back();
    tables[i] = NewTable();
    Change change{table_,
                  {},
                  {EmptyTable(*declared_.type)},
                  fmt::format("{}: [{}] empty", declared_.name, i)};
    change.added.front().origin = {table_, field_, static_cast<int32_t>(i)};
    change.fields.emplace_back(field_, HoldingTables(std::move(tables)));
    changes_.push_back(std::move(change));
  }

  const Tree& tree_;
  const Surroundings& around_;
  int32_t table_;
  int32_t field_;
  const flatbuffers::TypeTable& type_;
  Declared declared_;
  const Field& now_;
  std::set<Numbers> tried_;
  std::set<std::vector<int32_t>> tried_tables_;
  std::vector<Change> changes_;
};

}  // namespace

std::vector<Change> ChangesOf(const Tree& tree, const Surroundings& around, int32_t table,
                              int32_t field) {
  return Lister(tree, around, table, field).All();
}

}  // namespace pteproof::fuzz::fields
