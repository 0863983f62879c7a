#include "runtime/read_bundle.h"

#include <fmt/format.h>

#include <optional>

#include "base/within_memory.h"
#include "bundled_program_generated.h"
#include "runtime/data_rules.h"
#include "runtime/decode_budget.h"
#include "runtime/file_kind.h"
#include "runtime/finding_list.h"
#include "runtime/verify_flatbuffer.h"

namespace pteproof {
namespace {

namespace fb = schema::bundled_program;

// Runtimes read this many bytes of a program before anything else.
constexpr size_t kSmallestProgram = 64;

struct BundleDecoder {
  const AlignedBytes& bytes;
  DecodeBudget budget;
  FindingList findings;
  bool exhausted = false;  // the budget is gone: stop

  bool Spend(uint64_t cost) {
    if (!budget.Spend(cost)) exhausted = true;
    return !exhausted;
  }
};

std::optional<BundleValue> ReadTensor(BundleDecoder& d, const fb::Tensor& tensor,
                                      const std::string& where) {
  if (tensor.sizes() == nullptr || tensor.dim_order() == nullptr) {
    d.findings.Add(rule::kBundleLayout,
                   fmt::format("{} is a tensor without {}.", where,
                               tensor.sizes() == nullptr ? "sizes" : "dim_order"));
    return std::nullopt;
  }
  if (!d.Spend(kMaxRank * 5)) return std::nullopt;
  auto layout = MakeDenseLayout(static_cast<int>(tensor.element_type()),
                                FirstOf(*tensor.sizes(), kMaxRank + 1),
                                FirstOf(*tensor.dim_order(), kMaxRank + 1));
  if (!layout) {
    d.findings.Add(rule::kBundleLayout, fmt::format("{} {}.", where, layout.error()));
    return std::nullopt;
  }
  Bytes data;
  if (tensor.bytes() != nullptr) {
    data = d.bytes.Original(tensor.bytes()->data(), tensor.bytes()->size());
  }
  if (data.size() != layout.value().nbytes) {
    d.findings.Add(rule::kBundleDataLength,
                   fmt::format("{} is a tensor whose sizes need {} bytes. {} are stored.", where,
                               layout.value().nbytes, data.size()));
    return std::nullopt;
  }
  return BundleTensor{std::move(layout).value(), data};
}

std::optional<BundleValue> ReadValue(BundleDecoder& d, const fb::Value& value,
                                     const std::string& where) {
  if (value.held() != nullptr) {
    switch (value.held_type()) {
      case fb::AnyValue::Tensor:
        return ReadTensor(d, *value.held_as_Tensor(), where);
      case fb::AnyValue::Int:
        return BundleValue(int64_t{value.held_as_Int()->value()});
      case fb::AnyValue::Bool:
        return BundleValue(value.held_as_Bool()->value());
      case fb::AnyValue::Double:
        return BundleValue(value.held_as_Double()->value());
      case fb::AnyValue::NONE:
        break;
    }
  }
  d.findings.Add(rule::kBundleValue, fmt::format("{} has no content, or the unknown tag {}.", where,
                                                 static_cast<int>(value.held_type())));
  return std::nullopt;
}

using Values = flatbuffers::Vector<flatbuffers::Offset<fb::Value>>;

// An absent vector is an empty one. `what` is "input" or "expected output".
std::vector<BundleValue> ReadValues(BundleDecoder& d, const Values* values,
                                    const std::string& where, std::string_view what) {
  std::vector<BundleValue> read;
  if (values == nullptr || !d.Spend(sizeof(BundleValue) * uint64_t{values->size()})) return read;
  read.reserve(values->size());
  for (flatbuffers::uoffset_t i = 0; i < values->size() && !d.exhausted; ++i) {
    auto value = ReadValue(d, *values->Get(i), fmt::format("{} {} of {}", what, i, where));
    if (value) read.push_back(std::move(*value));
  }
  return read;
}

BundleSuite ReadSuite(BundleDecoder& d, const fb::TestSuite& suite, flatbuffers::uoffset_t index) {
  BundleSuite read;
  const std::string_view name = View(suite.method_name());
  if (name.empty()) {
    d.findings.Add(rule::kBundleSuite,
                   fmt::format("Test suite {} has no name of a method.", index));
  }
  if (suite.test_cases() == nullptr) {
    d.findings.Add(rule::kBundleSuite, fmt::format("Test suite {} has no list of cases.", index));
    return read;
  }
  if (!d.Spend(name.size() + sizeof(BundleCase) * uint64_t{suite.test_cases()->size()}))
    return read;
  read.method = name;
  read.cases.reserve(suite.test_cases()->size());
  for (flatbuffers::uoffset_t i = 0; i < suite.test_cases()->size() && !d.exhausted; ++i) {
    const fb::TestCase& test = *suite.test_cases()->Get(i);
    const std::string where =
        fmt::format("case {} of suite {} ('{}')", i, index, name.substr(0, 100));
    BundleCase& added = read.cases.emplace_back();
    added.inputs = ReadValues(d, test.inputs(), where, "Input");
    added.expected_outputs = ReadValues(d, test.expected_outputs(), where, "Expected output");
  }
  return read;
}

Bytes ReadProgramBytes(BundleDecoder& d, const fb::BundledProgram& root) {
  const auto* program = root.program();
  const size_t size = program == nullptr ? 0 : program->size();
  if (size < kSmallestProgram) {
    d.findings.Add(rule::kBundleProgram,
                   fmt::format("The program inside has {} bytes. The smallest program has {}.",
                               size, kSmallestProgram));
    return {};
  }
  return d.bytes.Original(program->data(), size);
}

Bundle ReadRoot(BundleDecoder& d, const fb::BundledProgram& root) {
  Bundle bundle;
  bundle.program = ReadProgramBytes(d, root);
  const auto* suites = root.test_suites();
  if (suites == nullptr) return bundle;
  if (d.Spend(sizeof(BundleSuite) * uint64_t{suites->size()})) {
    bundle.suites.reserve(suites->size());
    for (flatbuffers::uoffset_t i = 0; i < suites->size() && !d.exhausted; ++i) {
      bundle.suites.push_back(ReadSuite(d, *suites->Get(i), i));
    }
  }
  if (d.exhausted) {
    d.findings.Add(rule::kBundleAmplification,
                   "The test cases refer to the same bytes so often that their content is far "
                   "larger than the file.");
  }
  return bundle;
}

// Whether identifier, size and root offset admit verifying the rest.
bool CheckStart(Bytes file, FindingList& findings) {
  constexpr size_t kStart = 8;
  if (Sniff(file) != FileKind::kBundle) {
    findings.Add(rule::kBundleIdentifier,
                 fmt::format("The file is {}, not a bundled program (.bpte): the identifier in "
                             "bytes 4 to 7 is not BP08.",
                             Describe(Sniff(file))),
                 ByteRange{4, kStart});
    return false;
  }
  uint32_t root = 0;
  for (size_t i = 4; i-- > 0;) root = (root << 8) | std::to_integer<uint32_t>(file[i]);
  if (root < kStart || uint64_t{root} + 4 > file.size()) {
    findings.Add(rule::kBundleRoot,
                 fmt::format("The offset of the root table is {}. The file has {} bytes.", root,
                             file.size()),
                 ByteRange{0, 4});
    return false;
  }
  return true;
}

Result<Bundle, std::vector<Finding>> ReadSuites(Bytes file) {
  FindingList start;
  if (!CheckStart(file, start)) return std::move(start).Take();

  const AlignedBytes bytes(file);
  BundleDecoder d{bytes, DecodeBudget(file.size()), {}};
  if (!VerifyFlatbuffer<fb::BundledProgram>(bytes, fb::BundledProgramIdentifier())) {
    d.findings.Add(rule::kBundleFlatbuffer,
                   "An offset, a length or the end of a text inside the flatbuffer is wrong.",
                   ByteRange{0, file.size()});
    return std::move(d.findings).Take();
  }
  Bundle bundle = ReadRoot(d, *fb::GetBundledProgram(bytes.data()));
  if (!d.findings.empty()) return std::move(d.findings).Take();
  return bundle;
}

}  // namespace

Result<Bundle, std::vector<Finding>> ReadBundle(Bytes file) {
  return WithinMemory([&] { return ReadSuites(file); }, [] { return std::vector<Finding>(); });
}

}  // namespace pteproof
