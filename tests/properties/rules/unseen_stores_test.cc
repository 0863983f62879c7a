// Bytes that are lost on the way into a buffer which no method reads do no harm, unless somebody
// else wants them too. The check and the proof say the same.
#include <gtest/gtest.h>

#include <string>

#include "base/rule_names.h"
#include "properties/proofs/prove.h"
#include "pteproof/check.h"
#include "tests/support/method_builder.h"
#include "tests/support/report_queries.h"

namespace pteproof {
namespace {

enum class SecondReader : uint8_t { kNone, kOutput, kFirst };

// log <- v, after v's bytes were overwritten. Nobody reads the log.
Method StoresALostValue(SecondReader second) {
  MethodBuilder b("step");
  const int32_t log = b.Planned(2, 0, {8}, "log");
  const int32_t x = b.Planned(1, 0, {8});
  b.Input(x);
  const int32_t v = b.Planned(1, 32, {8});
  b.Mul(x, x, v);
  const int32_t w = b.Planned(1, 48, {8});
  b.Add(x, x, w);
  const int32_t late = b.Planned(1, 96, {8});
  if (second == SecondReader::kFirst) b.Add(v, x, late);
  b.Copy(log, v);
  if (second == SecondReader::kFirst) b.Output(late);
  if (second == SecondReader::kOutput) b.Output(v);
  b.Output(w);
  return b.Build();
}

// The log gets a sum, and the method goes on with it: log = x + v; out = log * x.
Method GoesOnWithWhatItStores(bool goes_on) {
  MethodBuilder b("step");
  const int32_t log = b.Planned(2, 0, {8}, "log");
  const int32_t x = b.Planned(1, 0, {8});
  b.Input(x);
  const int32_t v = b.Planned(1, 32, {8});
  b.Mul(x, x, v);
  const int32_t w = b.Planned(1, 48, {8});
  b.Mul(x, x, w);
  b.Add(x, v, log);
  const int32_t out = b.Planned(1, 96, {8});
  b.Mul(goes_on ? log : x, x, out);
  b.Output(out);
  b.Output(w);
  return b.Build();
}

std::string VerdictsBothWays(const Method& method) {
  const Program program = ProgramOf({method});
  Report report = Check(program);
  const std::string check = VerdictRow(report);
  report.verdicts = proofs::Prove(program, {}).verdicts;
  return check == VerdictRow(report) ? check : check + " but proof " + VerdictRow(report);
}

TEST(UnseenStores, AreHarmlessWhereNobodyElseReadsTheLostValue) {
  EXPECT_EQ(VerdictsBothWays(StoresALostValue(SecondReader::kNone)), "safe safe safe");
}

TEST(UnseenStores, AreNoExcuseForASecondReader) {
  EXPECT_EQ(VerdictsBothWays(StoresALostValue(SecondReader::kOutput)), "unsafe unsafe unsafe");
  EXPECT_EQ(VerdictsBothWays(StoresALostValue(SecondReader::kFirst)), "unsafe unsafe unsafe");
}

TEST(UnseenStores, AreSeenWhereTheMethodGoesOnWithThem) {
  EXPECT_EQ(VerdictsBothWays(GoesOnWithWhatItStores(false)), "safe safe safe");
  EXPECT_EQ(VerdictsBothWays(GoesOnWithWhatItStores(true)), "unsafe unsafe unsafe");
}

TEST(UnseenStores, IntoConstantsAreErrorsWhateverTheyStore) {
  MethodBuilder b("step");
  const int32_t x = b.Planned(1, 0, {8});
  b.Input(x);
  const int32_t c = b.Constant(1, {8});
  b.Copy(c, c);
  b.Output(x);
  EXPECT_EQ(VerdictsBothWays(b.Build()), "unsafe unsafe unsafe");
}

}  // namespace
}  // namespace pteproof
