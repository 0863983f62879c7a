// Each step of the certificate of a linked program where it fails, and one that holds.
#include "properties/certify/linked.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <functional>
#include <utility>
#include <vector>

#include "properties/manifest/linked.h"
#include "pteproof/check.h"
#include "reference/op_schema.h"
#include "tests/support/method_builder.h"

namespace pteproof::certify {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

const std::array<float, 4> kStart = {1, 2, 3, 4};

// The buffer becomes x; the output is x + x.
Program PutProgram() {
  MethodBuilder m("put");
  const int32_t state = m.Planned(1, 16, {4}, "s");
  const int32_t x = m.Planned(1, 32, {4});
  const int32_t y = m.Planned(1, 0, {4});
  m.Input(x);
  m.Add(x, x, y);
  m.Copy(state, x);
  m.Output(y);
  m.TensorAt(state).data_index = 1;
  Program program = ProgramOf({m.Build()});
  program.initial_values = {Bytes(), std::as_bytes(std::span(kStart))};
  return program;
}

// The output is x + the buffer, which is a constant of the file.
Program GetProgram() {
  MethodBuilder m("get");
  const int32_t constant = m.Constant(1, {4});
  const int32_t x = m.Planned(1, 0, {4});
  const int32_t y = m.Planned(1, 16, {4});
  m.Input(x);
  m.Add(x, constant, y);
  m.Output(y);
  Program program = ProgramOf({m.Build()});
  program.constants = {Bytes(), std::as_bytes(std::span(kStart))};
  return program;
}

constexpr const char* kGetManifest = R"({"pteproof": 1,
  "buffers": {"s": {"shared": true}},
  "methods": {"get": {"reads": ["s"], "mutates": [], "values": {"0": "s"}}}})";

// The certificate of put and get as one program, after a change of it.
LinkCertificate CertifiedLink(const std::function<void(planner::Linked&)>& change) {
  const Program put = PutProgram();
  const Program get = GetProgram();
  const Manifest manifest = ParseManifest(kGetManifest).value();
  const std::vector<FileToLink> files = {{"put.pte", &put, nullptr}, {"get.pte", &get, &manifest}};
  auto made = planner::Link({LinkedFileOf(files[0]), LinkedFileOf(files[1])}, {});
  EXPECT_TRUE(made.ok()) << made.error();
  planner::Linked linked = std::move(made).value();
  change(linked);
  const Manifest of_linked = LinkedManifest(files, linked, std::nullopt);
  const Manifest renamed = RenamedManifest(files[1], linked);
  const Report put_report = Check(put, {});
  const Report get_report = Check(get, {.manifest = &manifest});
  const std::vector<LinkedPart> parts = {{{&linked.sources[0].program, nullptr, nullptr},
                                          &put_report,
                                          RightUnder(put, nullptr, put_report)},
                                         {{&linked.sources[1].program, nullptr, &renamed},
                                          &get_report,
                                          RightUnder(get, &manifest, get_report)}};
  return CertifyLinked(parts, {&linked.program, nullptr, &of_linked},
                       {linked.init ? "et_module_init" : "", linked.shared}, {.calls = 10});
}

Method& MethodNamed(planner::Linked& linked, const std::string& name) {
  return *std::ranges::find(linked.program.methods, name, &Method::name);
}

TEST(CertifyLinked, HoldsForALinkedProgram) {
  const LinkCertificate certificate = CertifiedLink([](planner::Linked& linked) {
    EXPECT_TRUE(linked.init);
    EXPECT_EQ(linked.program.methods.size(), 3U);
  });
  EXPECT_EQ(certificate.failure, "");
  EXPECT_GT(certificate.proved, 0U);
  EXPECT_EQ(certificate.unproved, 0U);
  EXPECT_EQ(certificate.methods.size(), 2U);
  EXPECT_EQ(certificate.runs.size(), 2U);
  EXPECT_EQ(certificate.initial_set, 1U);
}

TEST(CertifyLinked, FailsIfAnActivationLiesOverTheState) {
  const LinkCertificate certificate = CertifiedLink([](planner::Linked& linked) {
    Method& get = MethodNamed(linked, "get");
    Tensor& result = get.tensors.back();
    result.bank = 2;
    result.offset = 0;
  });
  EXPECT_THAT(certificate.failure, StartsWith("check says unsafe under share-1-2"));
}

TEST(CertifyLinked, FailsIfAMethodComputesSomethingElse) {
  const LinkCertificate certificate = CertifiedLink([](planner::Linked& linked) {
    Method& get = MethodNamed(linked, "get");
    get.operators[0] = {"aten::sub.out", FindOperator("aten::sub.out")};
  });
  EXPECT_THAT(certificate.failure, HasSubstr("'get' computes something else"));
}

TEST(CertifyLinked, FailsIfTheInitialMethodSetsOtherValues) {
  const LinkCertificate certificate = CertifiedLink([](planner::Linked& linked) {
    static const std::array<float, 4> kOther = {9, 2, 3, 4};
    linked.program.constants.back() = std::as_bytes(std::span(kOther));
  });
  EXPECT_THAT(certificate.failure, HasSubstr("et_module_init does not set buffer 's'"));
}

TEST(CertifyLinked, LeavesOpenWhatNoPolicyMakesSafe) {
  const LinkCertificate certificate = CertifiedLink([](planner::Linked&) {});
  EXPECT_FALSE(certificate.open);
  const Program put = PutProgram();
  Report unsafe;
  unsafe.verdicts = {Verdict::kSafe, Verdict::kUnsafe, Verdict::kUnsafe};
  const LinkedPart part = {{&put, nullptr, nullptr}, &unsafe, RightUnder(put, nullptr, unsafe)};
  const LinkCertificate open = CertifyLinked({&part, 1}, {&put, nullptr, nullptr}, {}, {});
  EXPECT_TRUE(open.open);
}

// Each method is right by itself; together one writes over the other's state.
TEST(RightUnder, AsksForEachMethodByItself) {
  Program both = PutProgram();
  MethodBuilder m("other");
  const int32_t state = m.Planned(1, 0, {4}, "own");
  const int32_t x = m.Planned(1, 16, {4});
  const int32_t y = m.Planned(1, 32, {4});
  m.Input(x);
  m.Add(state, x, y);
  m.Copy(state, y);
  m.Output(y);
  both.methods.push_back(m.Build());
  const Report report = Check(both, {});
  EXPECT_NE(report.verdicts[static_cast<size_t>(Policy::kShareAll)], Verdict::kSafe);
  EXPECT_EQ(RightUnder(both, nullptr, report), PolicySet::All());
}

}  // namespace
}  // namespace pteproof::certify
