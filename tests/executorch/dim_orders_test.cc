// The check tells of unlike dim orders where ExecuTorch's kernel refuses them, and nowhere else; it
// warns where the kernel takes them and gives other values. Recorded calls of single operators are
// made again with other orders.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <filesystem>
#include <numeric>
#include <optional>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "base/rule_names.h"
#include "properties/oracles/compare.h"
#include "properties/oracles/recorded_calls.h"
#include "pteproof/check.h"
#include "pteproof/read.h"
#include "pteproof/write.h"
#include "reference/op_dim_orders.h"
#include "reference/op_schema.h"
#include "tests/executorch/witness_client.h"
#include "tests/support/collection.h"
#include "tests/support/counts.h"
#include "tests/support/files.h"

namespace pteproof {
namespace {

namespace fs = std::filesystem;
using witness::Job;

constexpr size_t kRank = 4;  // of images
constexpr size_t kMostRank = 5;
constexpr size_t kMostTensors = 5;  // 2^5 combinations of orders
constexpr int kCallsPerOperator = 5;

// Channels-last, or the last two dimensions exchanged; by rank.
const std::array<std::vector<int32_t>, kMostRank + 1> kOtherOrders = {
    {{}, {}, {1, 0}, {0, 2, 1}, {0, 2, 3, 1}, {0, 2, 3, 4, 1}}};

// A call with other orders, and whether the check has an error, or a warning.
struct Variant {
  Job job;
  bool told = false;
  bool warned = false;
  std::string orders;  // by value
};

// The program of one method, and what it is called with.
class OneCall {
 public:
  OneCall(const Program& program, size_t method, const RecordedCall& call, Policy policy)
      : program_(program), inputs_(call.inputs), policy_(policy) {
    program_.methods = {program.methods[method]};
  }

  // The first is the call in default orders. Nothing: it is not a call of one kernel whose orders
  // are recorded.
  std::vector<Variant> Variants() {
    Method& method = Only();
    if (method.instructions.size() != 1) return {};
    const Instruction& at = method.instructions.front();
    if (at.kind != InstructionKind::kKernelCall) return {};
    const std::string& op = method.operators[static_cast<size_t>(at.target)].name;
    if (FindDimOrders(op) == nullptr) return {};
    std::vector<int32_t> turned;
    for (size_t v = 0; v < method.values.size(); ++v) {
      const Tensor* tensor = method.TensorOf(static_cast<int32_t>(v));
      if (tensor == nullptr) continue;
      if (tensor->sizes.count >= 2 && tensor->sizes.count <= kMostRank) {
        turned.push_back(static_cast<int32_t>(v));
      }
    }
    if (turned.empty() || turned.size() > kMostTensors) return {};
    std::vector<Variant> variants;
    for (uint32_t bits = 0; bits < 1U << turned.size(); ++bits) {
      if (auto variant = WithOrders(turned, bits)) variants.push_back(*std::move(variant));
    }
    return variants;
  }

  // Tensors of fewer dimensions get leading ones. False: there is none.
  bool Pad() {
    bool padded = false;
    for (Tensor& tensor : Only().tensors) {
      if (tensor.sizes.count == 0 || tensor.sizes.count >= kRank) continue;
      std::vector<int32_t> sizes(kRank - tensor.sizes.count, 1);
      const auto own = Only().Ints(tensor.sizes);
      sizes.insert(sizes.end(), own.begin(), own.end());
      tensor.sizes = Pooled(sizes);
      tensor.dim_order = Pooled({0, 1, 2, 3});
      padded = true;
    }
    for (Datum& input : inputs_) {
      auto* tensor = std::get_if<TensorValue>(&input);
      if (tensor == nullptr || tensor->sizes.empty() || tensor->sizes.size() >= kRank) continue;
      tensor->sizes.insert(tensor->sizes.begin(), kRank - tensor->sizes.size(), 1);
    }
    return padded;
  }

 private:
  Method& Only() { return program_.methods.front(); }

  Range Pooled(const std::vector<int32_t>& ints) {
    const auto first = static_cast<uint32_t>(Only().ints.size());
    Only().ints.insert(Only().ints.end(), ints.begin(), ints.end());
    return {first, static_cast<uint32_t>(ints.size())};
  }

  std::optional<Variant> WithOrders(const std::vector<int32_t>& turned, uint32_t bits) {
    Variant variant;
    for (size_t k = 0; k < turned.size(); ++k) {
      const bool other = ((bits >> k) & 1U) != 0;
      Tensor& tensor = Only().tensors[Only().values[static_cast<size_t>(turned[k])].tensor];
      std::vector<int32_t> order(tensor.sizes.count);
      std::iota(order.begin(), order.end(), 0);
      tensor.dim_order = Pooled(other ? kOtherOrders[order.size()] : order);
      variant.orders += " v" + std::to_string(turned[k]) + (other ? " other" : " default");
    }
    auto written = WriteProgram(program_);
    if (!written.ok()) return std::nullopt;
    variant.job.program = std::move(written).value();
    variant.job.banks = policy_;
    variant.job.calls.push_back({Only().name, inputs_});
    for (const Finding& finding : Check(program_).findings) {
      if (finding.rule != rule::kDimOrderMismatch) continue;
      variant.told |= finding.severity == Severity::kError;
      variant.warned |= finding.severity == Severity::kWarning;
    }
    return variant;
  }

  Program program_;
  std::vector<Datum> inputs_;
  Policy policy_;
};

struct OrderTally {
  int compared = 0;
  int refused = 0;
  int misplaced = 0;
};

// If the call in default orders fails, orders are not the reason; if a second one gives other
// values, neither are they.
void CompareVariants(const std::string& what, const std::vector<Variant>& variants,
                     OrderTally& tally) {
  if (variants.empty()) return;
  std::vector<Job> jobs;
  for (const Variant& variant : variants) jobs.push_back(variant.job);
  jobs.push_back(variants.front().job);
  const auto answers = witness::Ask(jobs);
  const auto fails = [&](size_t v) {
    return !answers[v].load_error.empty() || !answers[v].calls.front().error.empty();
  };
  if (fails(0)) return;
  const auto differs = [&](size_t v) {
    return FirstDifference(answers.front().calls.front().outputs, answers[v].calls.front().outputs,
                           std::nullopt, true)
        .has_value();
  };
  const bool repeats = !differs(variants.size());
  for (size_t v = 0; v < variants.size(); ++v) {
    ++tally.compared;
    if (fails(v)) {
      // A kernel that computes wrong places may end the process, too.
      const bool dies = answers[v].load_error.empty() &&
                        !answers[v].calls.front().error.starts_with("execute: error");
      const bool untold = what.starts_with("aten::convolution.out ");  // its weights
      EXPECT_TRUE(variants[v].told || (dies && variants[v].warned) || untold)
          << what << variants[v].orders << answers[v].calls.front().error;
      ++tally.refused;
      continue;
    }
    EXPECT_FALSE(variants[v].told) << what << variants[v].orders;
    if (!repeats || !differs(v)) continue;
    EXPECT_TRUE(variants[v].warned) << what << variants[v].orders;
    ++tally.misplaced;
  }
}

void CompareOperator(const fs::path& calls, OrderTally& tally) {
  const auto recording = ReadRecording(calls);
  ASSERT_TRUE(recording.ok()) << recording.error();
  const auto bytes = ReadBytes(calls.parent_path() / recording.value().program);
  const auto read = ReadProgram(bytes);
  ASSERT_TRUE(read.ok());
  const Program& program = read.value();
  int made = 0;
  for (const RecordedSequence& sequence : recording.value().sequences) {
    for (const RecordedCall& call : sequence.calls) {
      const auto method = std::ranges::find(program.methods, call.method, &Method::name);
      if (!call.executorch.has_value() || method == program.methods.end()) continue;
      const auto m = static_cast<size_t>(method - program.methods.begin());
      if (++made > kCallsPerOperator) return;
      const std::string what = call.op + " " + call.method;
      OneCall one(program, m, call, sequence.policy);
      CompareVariants(what, one.Variants(), tally);
      if (one.Pad()) CompareVariants(what + " padded", one.Variants(), tally);
    }
  }
}

struct OperatorFolder {
  std::string name;
  fs::path root;
  int compared;  // at least
  int refused;
  int misplaced;
};

void PrintTo(const OperatorFolder& folder, std::ostream* out) {
  *out << folder.name;
}

std::vector<OperatorFolder> OwnOperators() {
  return {{"operators", fs::path(PTEPROOF_CORPUS_DIR) / "operators", 350, 150, 10}};
}

std::vector<OperatorFolder> OperatorsOfCollection() {
  std::vector<OperatorFolder> folders;
  if (!IsCampaign()) return folders;
  for (const fs::path& root : InCollection("corpus/exported")) {
    folders.push_back({"operators", root / "ops", 3000, 1500, 100});
  }
  return folders;
}

class DimOrdersOfExecutorch : public testing::TestWithParam<OperatorFolder> {};

TEST_P(DimOrdersOfExecutorch, AreRefusedOrMisreadWhereTheCheckSaysSo) {
  OrderTally tally;
  for (const fs::path& path : FilesBelow(GetParam().root)) {
    if (path.filename() == "calls.json") CompareOperator(path, tally);
  }
  EXPECT_GE(tally.compared, GetParam().compared);
  EXPECT_GE(tally.refused, GetParam().refused);
  EXPECT_GE(tally.misplaced, GetParam().misplaced);
  RecordProperty("compared", std::to_string(tally.compared));
  RecordProperty("refused", std::to_string(tally.refused));
  RecordProperty("misplaced", std::to_string(tally.misplaced));
}

std::string NameOfOperators(const testing::TestParamInfo<OperatorFolder>& info) {
  return info.param.name;
}

INSTANTIATE_TEST_SUITE_P(Own, DimOrdersOfExecutorch, testing::ValuesIn(OwnOperators()),
                         NameOfOperators);
INSTANTIATE_TEST_SUITE_P(Collection, DimOrdersOfExecutorch,
                         testing::ValuesIn(OperatorsOfCollection()), NameOfOperators);

}  // namespace
}  // namespace pteproof
