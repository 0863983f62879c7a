#include "fuzz/fields/meaning.h"

#include <algorithm>
#include <array>
#include <map>
#include <tuple>

#include "program_generated.h"

namespace pteproof::fuzz::fields {
namespace {

using flatbuffers::TypeFunction;
using flatbuffers::TypeTable;
using Numbers = std::vector<uint64_t>;

struct Rule {
  TypeFunction type;
  std::string_view field;
  Meaning meaning;
};

// Fields that are not listed are plain.
constexpr std::array kRules = {
    Rule{schema::KernelCallTypeTable, "operator_index", Meaning::kOperator},
    Rule{schema::KernelCallTypeTable, "args", Meaning::kValue},
    Rule{schema::DelegateCallTypeTable, "delegate_index", Meaning::kDelegate},
    Rule{schema::DelegateCallTypeTable, "args", Meaning::kValue},
    Rule{schema::MoveTypeTable, "source", Meaning::kValue},
    Rule{schema::MoveTypeTable, "destination", Meaning::kValue},
    Rule{schema::JumpFalseTypeTable, "condition", Meaning::kValue},
    Rule{schema::JumpFalseTypeTable, "target", Meaning::kTarget},
    Rule{schema::FreeTypeTable, "value", Meaning::kValue},
    Rule{schema::ChainTypeTable, "inputs", Meaning::kValue},
    Rule{schema::ChainTypeTable, "outputs", Meaning::kValue},
    Rule{schema::MethodTypeTable, "inputs", Meaning::kValue},
    Rule{schema::MethodTypeTable, "outputs", Meaning::kValue},
    Rule{schema::MethodTypeTable, "name", Meaning::kName},
    Rule{schema::IntListTypeTable, "items", Meaning::kValue},
    Rule{schema::TensorListTypeTable, "items", Meaning::kValue},
    Rule{schema::OptionalTensorListTypeTable, "items", Meaning::kValue},
    Rule{schema::PlacementTypeTable, "bank", Meaning::kBank},
    Rule{schema::PlacementTypeTable, "offset_low", Meaning::kOffset},
    Rule{schema::BankDeviceTypeTable, "bank", Meaning::kBank},
    Rule{schema::TensorTypeTable, "sizes", Meaning::kSize},
    Rule{schema::TensorTypeTable, "dim_order", Meaning::kDimension},
    Rule{schema::TensorTypeTable, "data_index", Meaning::kStored},
    Rule{schema::TensorExtraTypeTable, "mutable_segment", Meaning::kStored},
    Rule{schema::TensorExtraTypeTable, "name", Meaning::kName},
    Rule{schema::BlobReferenceTypeTable, "index", Meaning::kStored},
    Rule{schema::SegmentOffsetsTypeTable, "segment_index", Meaning::kStored},
    Rule{schema::NamedSegmentTypeTable, "segment_index", Meaning::kStored},
    Rule{schema::NamedSegmentTypeTable, "key", Meaning::kName},
    Rule{schema::OperatorTypeTable, "name", Meaning::kName},
    Rule{schema::OperatorTypeTable, "overload", Meaning::kName},
    Rule{schema::DelegateTypeTable, "id", Meaning::kName},
    Rule{schema::CompileSpecTypeTable, "key", Meaning::kName},
};

// So many indices are tried one by one; of more, some.
constexpr size_t kFew = 16;

size_t FieldNamed(const TypeTable& type, std::string_view name) {
  for (size_t f = 0; f < type.num_elems; ++f) {
    if (type.names[f] == name) return f;
  }
  return type.num_elems;
}

const Field& FieldOf(const Table& table, std::string_view name) {
  return table.fields[FieldNamed(*table.type, name)];
}

// 0 to `count`, which is one too many; of many, the ends and as many between.
void AddIndices(uint64_t count, Numbers& numbers) {
  const uint64_t step = std::max<uint64_t>(1, count / kFew);
  for (uint64_t i = 0; i < count; i += step) numbers.push_back(i);
  for (uint64_t i = count - std::min<uint64_t>(count, 2); i <= count + 1; ++i) numbers.push_back(i);
}

}  // namespace

Meaning MeaningOf(const TypeTable& type, size_t field) {
  const std::string_view name = type.names[field];
  const auto rule = std::ranges::find_if(
      kRules, [&](const Rule& r) { return r.type() == &type && r.field == name; });
  return rule == kRules.end() ? Meaning::kPlain : rule->meaning;
}

Surroundings::Surroundings(const Tree& tree) : tree_(tree) {
  for (size_t t = 0; t < tree.tables.size(); ++t) {
    const auto number = static_cast<int32_t>(t);
    const Table& table = tree.tables[t];
    auto& examples = examples_[table.type];
    if (examples.size() == 2) examples.pop_back();
    examples.push_back(number);
    if (table.type == schema::MethodTypeTable()) methods_.emplace_back(number, Look(number));
    if (table.type == schema::SegmentOffsetsTypeTable()) {
      stored_ = std::max<uint64_t>(stored_, FieldOf(table, "offsets").numbers.size());
    }
  }
  const Table& root = tree.tables.front();
  for (const char* vector : {"segments", "inline_blobs", "inline_constants", "named_data"}) {
    stored_ = std::max<uint64_t>(stored_, FieldOf(root, vector).tables.size());
  }
  GoThroughTexts();
}

void Surroundings::GoThroughTexts() {
  for (const Table& table : tree_.tables) {
    for (size_t f = 0; f < table.fields.size(); ++f) {
      if (!table.fields[f].present || MeaningOf(*table.type, f) != Meaning::kName) continue;
      const std::string_view name = table.type->names[f];
      auto known = std::ranges::find(texts_, name, &Texts::field);
      if (known == texts_.end()) known = texts_.insert(texts_.end(), Texts{name, {}});
      const bool is_new =
          std::ranges::find(known->texts, table.fields[f].numbers) == known->texts.end();
      if (is_new && known->texts.size() < kFew) known->texts.push_back(table.fields[f].numbers);
    }
  }
}

Surroundings::OfMethod Surroundings::Look(int32_t method) const {
  const Table& table = tree_.tables[static_cast<size_t>(method)];
  OfMethod found;
  found.values = ValuesOf(table);
  found.operators = FieldOf(table, "operators").tables.size();
  found.delegates = FieldOf(table, "delegates").tables.size();
  found.banks = FieldOf(table, "bank_sizes").numbers;
  for (size_t t = 0; t < tree_.tables.size(); ++t) {
    const Table& placement = tree_.tables[t];
    if (placement.type != schema::PlacementTypeTable()) continue;
    if (Around(static_cast<int32_t>(t), *schema::MethodTypeTable()) != method) continue;
    found.offsets.push_back(FieldOf(placement, "offset_low").number);
  }
  std::ranges::sort(found.offsets);
  const auto repeated = std::ranges::unique(found.offsets);
  found.offsets.erase(repeated.begin(), repeated.end());
  return found;
}

// Values that differ in what a reader or a run asks of them: tag, element type, rank, and whether
// they are planned, stored or resized.
Numbers Surroundings::ValuesOf(const Table& method) const {
  const Field& values = FieldOf(method, "values");
  std::map<std::tuple<uint64_t, uint64_t, size_t, bool, bool, uint64_t>, size_t> kinds;
  Numbers chosen;
  for (size_t v = 0; v < values.tables.size(); ++v) {
    const Table& value = tree_.tables[static_cast<size_t>(values.tables[v])];
    const Field& held = FieldOf(value, "held");
    const Table* tensor = nullptr;
    if (held.present) tensor = &tree_.tables[static_cast<size_t>(held.tables.front())];
    if (tensor != nullptr && tensor->type != schema::TensorTypeTable()) tensor = nullptr;
    size_t& seen =
        tensor == nullptr
            ? kinds[{FieldOf(value, "held_type").number, 0, 0, false, false, 0}]
            : kinds[{
                  FieldOf(value, "held_type").number, FieldOf(*tensor, "element_type").number,
                  FieldOf(*tensor, "sizes").numbers.size(), FieldOf(*tensor, "placement").present,
                  FieldOf(*tensor, "data_index").number > 0, FieldOf(*tensor, "dynamism").number}];
    const size_t most = values.tables.size() <= kFew ? kFew : 1;
    if (seen++ < most) chosen.push_back(v);
  }
  return chosen;
}

int32_t Surroundings::Around(int32_t table, const TypeTable& type) const {
  while (table >= 0 && tree_.tables[static_cast<size_t>(table)].type != &type) {
    table = tree_.tables[static_cast<size_t>(table)].origin.table;
  }
  return table;
}

// The places of other values: all of a few, else those beside it and some; and the ends of banks.
Numbers Surroundings::OffsetsNear(const OfMethod& method, uint64_t now) const {
  Numbers numbers;
  const auto& all = method.offsets;
  const size_t step = std::max<size_t>(1, all.size() / kFew);
  for (size_t i = 0; i < all.size(); i += step) numbers.push_back(all[i]);
  const auto above = std::ranges::upper_bound(all, now);
  if (above != all.end()) numbers.push_back(*above);
  const auto here = std::ranges::lower_bound(all, now);
  if (here != all.begin()) numbers.push_back(*(here - 1));
  for (const uint64_t bank : method.banks) {
    for (const uint64_t below : {uint64_t{0}, uint64_t{1}, uint64_t{4}}) {
      numbers.push_back(bank - below);
    }
  }
  constexpr std::array<uint64_t, 3> kSteps = {2, 4, 16};
  for (const uint64_t by : kSteps) {
    numbers.push_back(now + by);
    numbers.push_back(now - by);
  }
  return numbers;
}

Numbers Surroundings::NumbersFor(int32_t table, Meaning meaning, uint64_t now) const {
  Numbers numbers;
  if (meaning == Meaning::kSize) numbers = {2 * now, now / 2, 3, 7};
  if (meaning == Meaning::kDimension) AddIndices(4, numbers);
  if (meaning == Meaning::kStored) AddIndices(stored_, numbers);
  const int32_t around = Around(table, *schema::MethodTypeTable());
  const auto of = std::ranges::find(methods_, around, &std::pair<int32_t, OfMethod>::first);
  if (of == methods_.end()) return numbers;
  const OfMethod& method = of->second;
  switch (meaning) {
    case Meaning::kValue: {
      numbers = method.values;
      const Table& here = tree_.tables[static_cast<size_t>(table)];
      if (here.type == schema::KernelCallTypeTable()) {
        const Numbers& args = FieldOf(here, "args").numbers;
        numbers.insert(numbers.end(), args.begin(), args.end());
      }
      break;
    }
    case Meaning::kOperator:
      AddIndices(method.operators, numbers);
      break;
    case Meaning::kDelegate:
      AddIndices(method.delegates, numbers);
      break;
    case Meaning::kBank:
      AddIndices(method.banks.size(), numbers);
      break;
    case Meaning::kOffset:
      return OffsetsNear(method, now);
    case Meaning::kTarget: {
      const int32_t chain = Around(table, *schema::ChainTypeTable());
      if (chain < 0) break;
      const Table& of_chain = tree_.tables[static_cast<size_t>(chain)];
      AddIndices(FieldOf(of_chain, "instructions").tables.size(), numbers);
      break;
    }
    default:
      break;
  }
  return numbers;
}

std::vector<Numbers> Surroundings::NamesLike(std::string_view field) const {
  const auto known = std::ranges::find(texts_, field, &Texts::field);
  return known == texts_.end() ? std::vector<Numbers>() : known->texts;
}

}  // namespace pteproof::fuzz::fields
