#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <span>
#include <string_view>

#include "base/rule_names.h"
#include "properties/proofs/prove.h"
#include "pteproof/check.h"
#include "tests/support/method_builder.h"
#include "tests/support/report_queries.h"

namespace pteproof {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr uint32_t kHost = 1;
constexpr uint32_t kDevice = 2;

Bytes BytesOf(std::string_view text) {
  return std::as_bytes(std::span(text));
}

// h2d, a delegate on the device, d2h: as the exporter writes it. Parts can be left out.
struct Parts {
  bool input_on_device = false;   // and no copy to the device
  bool output_on_device = false;  // and no copy to the host
  std::string_view target = "cuda:0";
  bool bank_on_device = true;
};

MethodBuilder Delegated(const Parts& parts) {
  MethodBuilder b;
  const int32_t x = b.Planned(parts.input_on_device ? kDevice : kHost, 0, {8});
  b.Input(x);
  int32_t operand = x;
  if (!parts.input_on_device) {
    operand = b.Planned(kDevice, 0, {8});
    b.Call("et_copy::_h2d_copy.out", {x, operand, operand});
  }
  const int32_t result = b.Planned(kDevice, 32, {8});
  b.Delegate({operand, result});
  if (!parts.target.empty()) {
    b.method().delegates.back().specs = {{.key = "target_device", .value = BytesOf(parts.target)}};
  }
  if (parts.output_on_device) {
    b.Output(result);
  } else {
    const int32_t out = b.Planned(kHost, 32, {8});
    b.Call("et_copy::_d2h_copy.out", {result, out, out});
    b.Output(out);
  }
  if (parts.bank_on_device) b.method().bank_devices = {{.bank = kDevice, .device_type = 1}};
  return b;
}

// The verdicts of the check, which the proof shares.
std::string Verdicts(const Program& program) {
  const Report report = Check(program);
  const proofs::Proof proof = proofs::Prove(program, {}, {.fast = true});
  EXPECT_EQ(report.verdicts, proof.verdicts);
  return VerdictRow(report);
}

Report ReportOf(const MethodBuilder& b) {
  return Check(ProgramOf({b.Build()}));
}

TEST(DeviceMismatch, IsSilentUnderPrivateBanksWhereCopiesStandAtTheBoundary) {
  const MethodBuilder b = Delegated({});
  EXPECT_THAT(LinesOf(ReportOf(b), rule::kDeviceMismatch),
              ElementsAre("note device-mismatch forward v1 bank 2 [0,32) under share-1-2 share-all "
                          "undecided"));
  EXPECT_EQ(Verdicts(ProgramOf({b.Build()})), "safe undecided undecided");
}

TEST(DeviceMismatch, TellsOfTheLoadersIfTheFirstBankOnADeviceIsEmpty) {
  MethodBuilder b = Delegated({});
  b.method().bank_devices.insert(b.method().bank_devices.begin(), {.bank = 3, .device_type = 1});
  EXPECT_EQ(Verdicts(ProgramOf({b.Build()})), "safe undecided undecided");
}

TEST(DeviceMismatch, AllowsAnOutputThatStaysOnTheDevice) {
  EXPECT_EQ(Verdicts(ProgramOf({Delegated({.output_on_device = true}).Build()})),
            "safe undecided undecided");
}

TEST(DeviceMismatch, TellsOfAPlannedInputOnTheDevice) {
  const MethodBuilder b = Delegated({.input_on_device = true});
  EXPECT_THAT(LinesOf(ReportOf(b), rule::kDeviceMismatch),
              testing::Contains("error device-mismatch forward v0 bank 2 [0,32) under private"));
  EXPECT_EQ(Verdicts(ProgramOf({b.Build()})), "unsafe undecided undecided");
}

TEST(DeviceMismatch, AllowsAnUnplannedInputOnTheDevice) {
  MethodBuilder b = Delegated({.input_on_device = true});
  Tensor& input = b.TensorAt(0);
  input.planned = false;
  input.bank = 0;
  input.device_type = 1;
  EXPECT_EQ(Verdicts(ProgramOf({b.Build()})), "safe undecided undecided");
}

TEST(DeviceMismatch, TellsOfAnInitialValueOnTheDevice) {
  MethodBuilder b = Delegated({});
  const int32_t state = b.Planned(kDevice, 64, {8}, "state");
  b.TensorAt(state).data_index = 1;
  const int32_t read = b.Planned(kHost, 64, {8});
  b.Call("et_copy::_d2h_copy.out", {state, read, read});
  b.Output(read);
  Program program = ProgramOf({b.Build()});
  program.initial_values = {{}, {}};
  EXPECT_EQ(Verdicts(program), "unsafe undecided undecided");
}

TEST(DeviceMismatch, TellsOfAKernelThatReadsTheDevice) {
  MethodBuilder b = Delegated({.output_on_device = true});
  const int32_t result = b.method().outputs.front();
  const int32_t sum = b.Planned(kHost, 64, {8});
  const int32_t add = b.Add(result, result, sum);
  b.Output(sum);
  const Report report = ReportOf(b);
  EXPECT_THAT(ExplanationOf(report, rule::kDeviceMismatch), HasSubstr("device cuda:0"));
  EXPECT_EQ(report.findings.front().instruction, add);
  EXPECT_EQ(Verdicts(ProgramOf({b.Build()})), "unsafe unsafe unsafe");
}

TEST(DeviceMismatch, TellsOfAStoreOfTheHostToStateOnTheDevice) {
  MethodBuilder b("step");
  const int32_t state = b.Planned(kDevice, 0, {8}, "state");
  const int32_t x = b.Planned(kHost, 0, {8});
  b.Input(x);
  const int32_t old = b.Planned(kHost, 32, {8});
  b.Call("et_copy::_d2h_copy.out", {state, old, old});
  b.Output(old);
  const int32_t store = b.Copy(state, x);
  b.method().bank_devices = {{.bank = kDevice, .device_type = 1}};
  const Report report = ReportOf(b);
  EXPECT_EQ(report.findings.front().rule, rule::kDeviceMismatch);
  EXPECT_EQ(report.findings.front().instruction, store);
  EXPECT_EQ(Verdicts(ProgramOf({b.Build()})), "unsafe unsafe unsafe");
}

TEST(DeviceMismatch, TellsOfACopyInTheWrongDirection) {
  MethodBuilder b;
  const int32_t x = b.Planned(kHost, 0, {8});
  b.Input(x);
  const int32_t out = b.Planned(kHost, 32, {8});
  b.Call("et_copy::_h2d_copy.out", {x, out, out});
  b.Output(out);
  b.Planned(kDevice, 0, {8});
  b.method().bank_devices = {{.bank = kDevice, .device_type = 1}};
  EXPECT_THAT(ExplanationOf(ReportOf(b), rule::kDeviceMismatch), HasSubstr("lies on the host"));
  EXPECT_EQ(Verdicts(ProgramOf({b.Build()})), "unsafe unsafe unsafe");
}

TEST(DeviceMismatch, LeavesADelegateOfNoKnownDeviceOpen) {
  for (const std::string_view target : {"", "npu:0", "cuda:1", "cpu", "cuda:x"}) {
    const MethodBuilder b = Delegated({.target = target});
    EXPECT_EQ(Verdicts(ProgramOf({b.Build()})), "undecided undecided undecided") << target;
  }
  for (const std::string_view target : {"cuda", "CUDA:0", " cuda:0 "}) {
    const MethodBuilder b = Delegated({.target = target});
    EXPECT_EQ(Verdicts(ProgramOf({b.Build()})), "safe undecided undecided") << target;
  }
}

TEST(DeviceMismatch, LeavesAnOperatorThatNobodyKnowsOpen) {
  MethodBuilder b = Delegated({.output_on_device = true});
  const int32_t result = b.method().outputs.front();
  const int32_t out = b.Planned(kDevice, 64, {8});
  b.Call("mine::scale.out", {result, out, out});
  b.Output(out);
  EXPECT_EQ(Verdicts(ProgramOf({b.Build()})), "undecided undecided undecided");
}

TEST(DeviceMismatch, LeavesAHostValueUnderADelegateOfTheDeviceOpen) {
  MethodBuilder b = Delegated({});
  const int32_t x = b.method().inputs.front();
  const int32_t out = b.Planned(kDevice, 64, {8});
  b.Delegate({x, out});
  b.method().delegates.back().specs = {{.key = "target_device", .value = BytesOf("cuda:0")}};
  b.Output(out);
  EXPECT_EQ(Verdicts(ProgramOf({b.Build()})), "undecided undecided undecided");
}

TEST(DeviceMismatch, LeavesAMethodAloneWhosePlanHasNoDevices) {
  MethodBuilder b = Delegated({.bank_on_device = false});
  for (Tensor& tensor : b.method().tensors) tensor.device_type = 1;
  const Report report = ReportOf(b);
  EXPECT_THAT(LinesOf(report, rule::kDeviceMismatch), IsEmpty());
  EXPECT_EQ(Verdicts(ProgramOf({b.Build()})), "safe safe safe");
}

}  // namespace
}  // namespace pteproof
