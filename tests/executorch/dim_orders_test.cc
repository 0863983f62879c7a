// The check tells of unlike dim orders where ExecuTorch's kernel refuses them, and nowhere else:
// recorded calls of single operators, made again with other orders.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "base/rule_names.h"
#include "properties/oracles/recorded_calls.h"
#include "pteproof/check.h"
#include "pteproof/read.h"
#include "pteproof/write.h"
#include "reference/op_dim_orders.h"
#include "reference/op_schema.h"
#include "tests/executorch/witness_client.h"
#include "tests/support/collection.h"
#include "tests/support/files.h"

namespace pteproof {
namespace {

namespace fs = std::filesystem;
using witness::Job;

constexpr size_t kRank = 4;
constexpr size_t kMostTensors = 5;  // 2^5 combinations of orders
constexpr int kCallsPerOperator = 4;

// A call with other orders, and whether the check has an error.
struct Variant {
  Job job;
  bool told = false;
  std::string orders;  // by value
};

bool TellsOfOrders(const Program& program) {
  const Report report = Check(program);
  return std::ranges::any_of(report.findings, [](const Finding& f) {
    return f.rule == rule::kDimOrderMismatch && f.severity == Severity::kError;
  });
}

// The program of one method, and what it is called with.
class OneCall {
 public:
  OneCall(const Program& program, size_t method, const RecordedCall& call, Policy policy)
      : program_(program), inputs_(call.inputs), policy_(policy) {
    program_.methods = {program.methods[method]};
  }

  // Nothing: it is no call of one kernel whose orders are recorded.
  std::vector<Variant> Variants() {
    Method& method = Only();
    if (method.instructions.size() != 1) return {};
    const Instruction& at = method.instructions.front();
    if (at.kind != InstructionKind::kKernelCall) return {};
    if (FindDimOrders(method.operators[static_cast<size_t>(at.target)].name) == nullptr) return {};
    std::vector<int32_t> images;
    for (size_t v = 0; v < method.values.size(); ++v) {
      const Tensor* tensor = method.TensorOf(static_cast<int32_t>(v));
      if (tensor != nullptr && tensor->sizes.count == kRank)
        images.push_back(static_cast<int32_t>(v));
    }
    if (images.empty() || images.size() > kMostTensors) return {};
    std::vector<Variant> variants;
    for (uint32_t bits = 0; bits < 1U << images.size(); ++bits) {
      if (auto variant = WithOrders(images, bits)) variants.push_back(*std::move(variant));
    }
    return variants;
  }

  // Tensors of fewer dimensions get leading ones.
  void Pad() {
    for (Tensor& tensor : Only().tensors) {
      if (tensor.sizes.count == 0 || tensor.sizes.count >= kRank) continue;
      std::vector<int32_t> sizes(kRank - tensor.sizes.count, 1);
      const auto own = Only().Ints(tensor.sizes);
      sizes.insert(sizes.end(), own.begin(), own.end());
      tensor.sizes = Pooled(sizes);
      tensor.dim_order = Pooled({0, 1, 2, 3});
    }
    for (Datum& input : inputs_) {
      auto* tensor = std::get_if<TensorValue>(&input);
      if (tensor == nullptr || tensor->sizes.empty() || tensor->sizes.size() >= kRank) continue;
      tensor->sizes.insert(tensor->sizes.begin(), kRank - tensor->sizes.size(), 1);
    }
  }

 private:
  Method& Only() { return program_.methods.front(); }

  Range Pooled(const std::vector<int32_t>& ints) {
    const auto first = static_cast<uint32_t>(Only().ints.size());
    Only().ints.insert(Only().ints.end(), ints.begin(), ints.end());
    return {first, static_cast<uint32_t>(ints.size())};
  }

  std::optional<Variant> WithOrders(const std::vector<int32_t>& images, uint32_t bits) {
    const Range plain = Pooled({0, 1, 2, 3});
    const Range last = Pooled({0, 2, 3, 1});
    Variant variant;
    for (size_t k = 0; k < images.size(); ++k) {
      const bool is_last = ((bits >> k) & 1U) != 0;
      const Value& value = Only().values[static_cast<size_t>(images[k])];
      Only().tensors[value.tensor].dim_order = is_last ? last : plain;
      variant.orders += " v" + std::to_string(images[k]) + (is_last ? " last" : " plain");
    }
    auto written = WriteProgram(program_);
    if (!written.ok()) return std::nullopt;
    variant.job.program = std::move(written).value();
    variant.job.banks = policy_;
    variant.job.calls.push_back({Only().name, inputs_});
    variant.told = TellsOfOrders(program_);
    return variant;
  }

  Program program_;
  std::vector<Datum> inputs_;
  Policy policy_;
};

struct OrderTally {
  int compared = 0;
  int refused = 0;
};

// The first variant is the call in default orders: if it fails, orders are not the reason.
void CompareVariants(const std::string& what, const std::vector<Variant>& variants,
                     OrderTally& tally) {
  std::vector<Job> jobs;
  for (const Variant& variant : variants) jobs.push_back(variant.job);
  const auto answers = witness::Ask(jobs);
  const auto fails = [&](size_t v) {
    return !answers[v].load_error.empty() || !answers[v].calls.front().error.empty();
  };
  if (variants.empty() || fails(0)) return;
  for (size_t v = 0; v < variants.size(); ++v) {
    EXPECT_EQ(variants[v].told, fails(v)) << what << variants[v].orders;
    ++tally.compared;
    tally.refused += fails(v) ? 1 : 0;
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
      OneCall one(program, m, call, sequence.policy);
      std::vector<Variant> variants = one.Variants();
      if (variants.empty()) {
        one.Pad();
        variants = one.Variants();
      }
      if (variants.empty() || ++made > kCallsPerOperator) continue;
      CompareVariants(call.op + " " + call.method, variants, tally);
    }
  }
}

struct OperatorFolder {
  std::string name;
  fs::path root;
  int compared;  // at least
  int refused;
};

void PrintTo(const OperatorFolder& folder, std::ostream* out) {
  *out << folder.name;
}

std::vector<OperatorFolder> OwnOperators() {
  return {{"operators", fs::path(PTEPROOF_CORPUS_DIR) / "operators", 350, 150}};
}

std::vector<OperatorFolder> OperatorsOfCollection() {
  std::vector<OperatorFolder> folders;
  if (PTEPROOF_SANITIZED) return folders;
  for (const fs::path& root : InCollection("corpus/exported")) {
    folders.push_back({"operators", root / "ops", 3000, 1500});
  }
  return folders;
}

class DimOrdersOfExecutorch : public testing::TestWithParam<OperatorFolder> {};

TEST_P(DimOrdersOfExecutorch, AreRefusedWhereTheCheckSaysSo) {
  OrderTally tally;
  for (const fs::path& path : FilesBelow(GetParam().root)) {
    if (path.filename() == "calls.json") CompareOperator(path, tally);
  }
  EXPECT_GE(tally.compared, GetParam().compared);
  EXPECT_GE(tally.refused, GetParam().refused);
  RecordProperty("compared", std::to_string(tally.compared));
  RecordProperty("refused", std::to_string(tally.refused));
}

std::string NameOfFolder(const testing::TestParamInfo<OperatorFolder>& info) {
  return info.param.name;
}

INSTANTIATE_TEST_SUITE_P(Own, DimOrdersOfExecutorch, testing::ValuesIn(OwnOperators()),
                         NameOfFolder);
INSTANTIATE_TEST_SUITE_P(Collection, DimOrdersOfExecutorch,
                         testing::ValuesIn(OperatorsOfCollection()), NameOfFolder);

}  // namespace
}  // namespace pteproof
