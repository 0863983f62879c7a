#include "reference/op_meaning.h"

#include <functional>
#include <unordered_map>
#include <vector>

#include "reference/op_schema.h"

namespace pteproof {
namespace {

using ByName = std::unordered_map<std::string_view, const OpMeaning*>;

ByName Collect() {
  ByName by_name;
  for (auto rows : {UnaryMeanings,          ActivationMeanings,
                    BinaryMeanings,         DivisionMeanings,
                    ComparisonMeanings,     BitwiseMeanings,
                    ChoiceMeanings,         CreateMeanings,
                    ViewMeanings,           MoveMeanings,
                    TileMeanings,           SliceMeanings,
                    JoinMeanings,           PadMeanings,
                    IndexMeanings,          GatherMeanings,
                    MaskMeanings,           ReduceMeanings,
                    OrderMeanings,          ProductMeanings,
                    DistanceMeanings,       ConvolutionMeanings,
                    PoolMeanings,           EmbeddingMeanings,
                    NormMeanings,           SoftmaxMeanings,
                    ResampleMeanings,       GridSampleMeanings,
                    FourierMeanings,        PrimMeanings,
                    PrimTensorMeanings,     QuantizedMeanings,
                    QuantizedRangeMeanings, QuantizedProductMeanings,
                    AttentionMeanings,      LanguageMeanings,
                    ExpertMeanings}) {
    for (const OpMeaning& row : rows()) by_name.emplace(row.name, &row);
  }
  for (const InPlaceForm& form : InPlaceForms()) {
    const auto found = by_name.find(form.functional);
    if (found != by_name.end()) by_name.emplace(form.name, found->second);
  }
  return by_name;
}

}  // namespace

const OpMeaning* FindMeaning(std::string_view full_name) {
  static const ByName by_name = Collect();
  const auto found = by_name.find(full_name);
  return found == by_name.end() ? nullptr : found->second;
}

const OpMeaning* FindMeaning(const OpSchema& schema) {
  static const std::vector<const OpMeaning*> by_index = [] {
    std::vector<const OpMeaning*> meanings;
    for (const OpSchema& each : AllOperators()) meanings.push_back(FindMeaning(each.name));
    return meanings;
  }();
  // A schema of another table has no meaning here.
  const auto all = AllOperators();
  const bool is_known =
      !std::less<>()(&schema, all.data()) && std::less<>()(&schema, all.data() + all.size());
  return is_known ? by_index[static_cast<size_t>(&schema - all.data())] : nullptr;
}

}  // namespace pteproof
