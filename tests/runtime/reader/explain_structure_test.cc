// Flatbuffers by hand, byte by byte, of a small type: what is wrong with them, and where.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "runtime/reader/structure.h"

namespace pteproof::reader {
namespace {

using flatbuffers::TypeCode;
using flatbuffers::TypeTable;

const TypeTable* UnionType();

// table Node { number:int; text:string; list:[long]; child:Node; children:[Node]; held:Union; }
const TypeTable* NodeType() {
  static const TypeCode codes[] = {
      {flatbuffers::ET_INT, 0, -1},     {flatbuffers::ET_STRING, 0, -1},
      {flatbuffers::ET_LONG, 1, -1},    {flatbuffers::ET_SEQUENCE, 0, 0},
      {flatbuffers::ET_SEQUENCE, 1, 0}, {flatbuffers::ET_UTYPE, 0, 1},
      {flatbuffers::ET_SEQUENCE, 0, 1}};
  static const flatbuffers::TypeFunction refs[] = {NodeType, UnionType};
  static const char* const names[] = {"number",   "text",      "list", "child",
                                      "children", "held_type", "held"};
  static const TypeTable type = {flatbuffers::ST_TABLE, 7, codes, refs, nullptr, nullptr, names};
  return &type;
}

// union Union { Node }
const TypeTable* UnionType() {
  static const TypeCode codes[] = {{flatbuffers::ET_SEQUENCE, 0, -1},
                                   {flatbuffers::ET_SEQUENCE, 0, 0}};
  static const flatbuffers::TypeFunction refs[] = {NodeType};
  static const char* const names[] = {"NONE", "Node"};
  static const TypeTable type = {flatbuffers::ST_UNION, 2, codes, refs, nullptr, nullptr, names};
  return &type;
}

enum Field : uint8_t { kNumber, kText, kList, kChild, kChildren, kHeldType, kHeld };

constexpr uint64_t kRoot = 24;
constexpr uint64_t kEnd = 56;  // of the root table

// Bytes 0 to 3: where the root table is; 4 to 21: its field table; 24 to 55: the root table, with
// four bytes for each field.
class ExplainedStructure : public ::testing::Test {
 protected:
  ExplainedStructure() : bytes_(kEnd) {
    Put<uint32_t>(0, kRoot);
    Put<uint16_t>(4, 18);
    Put<uint16_t>(6, 32);
    Put<int32_t>(kRoot, kRoot - 4);
  }

  template <class T>
  void Put(uint64_t at, T number) {
    if (bytes_.size() < at + sizeof number) bytes_.resize(at + sizeof number);
    std::memcpy(bytes_.data() + at, &number, sizeof number);
  }
  static uint64_t SlotOf(Field field) { return kRoot + 4 + uint64_t{4} * field; }
  // Makes the root table have a field, which stands `moved` bytes from its usual place.
  void Has(Field field, int moved = 0) {
    Put<uint16_t>(8 + uint64_t{2} * field, static_cast<uint16_t>(4 + 4 * field + moved));
  }
  void Lead(Field field, uint64_t to) {
    Has(field);
    Put<uint32_t>(SlotOf(field), static_cast<uint32_t>(to - SlotOf(field)));
  }
  // An empty table at 60, whose field table is at 56.
  void EmptyTable() {
    Put<uint16_t>(kEnd, 4);
    Put<uint16_t>(kEnd + 2, 4);
    Put<int32_t>(kEnd + 4, 4);
  }
  StructureFault Fault(uint32_t max_tables = 10) const {
    return ExplainStructure(reinterpret_cast<const uint8_t*>(bytes_.data()), bytes_.size(),
                            NodeType(), max_tables);
  }
  void Expect(uint64_t at, const std::string& explanation) const {
    EXPECT_EQ(Fault().explanation, explanation);
    EXPECT_EQ(Fault().at, at);
    EXPECT_FALSE(Fault().too_many_tables);
  }
  void ExpectSound() const { Expect(0, "the root table: the verifier of FlatBuffers refuses it."); }

  std::vector<std::byte> bytes_;
};

TEST_F(ExplainedStructure, OfASoundTableBlamesNoField) {
  ExpectSound();
  Has(kNumber);
  ExpectSound();
}

TEST_F(ExplainedStructure, OfTheRootTellsWhereItWouldBe) {
  bytes_.resize(3);
  Expect(0, "the root table: bytes 0 to 4 reach past the end at 3.");
  bytes_.resize(kEnd);
  Put<uint32_t>(0, kEnd);
  Expect(0, "the root table: the offset 56 points outside the flatbuffer.");
  Put<uint32_t>(0, 0);
  Expect(0, "the root table: the offset 0 points outside the flatbuffer.");
  Put<uint32_t>(0, 26);
  Expect(26, "the root table: the offset is not a multiple of 4.");
}

TEST_F(ExplainedStructure, OfANumberTellsAlignmentAndEnd) {
  Has(kNumber, 2);
  Expect(30, "number: the offset is not a multiple of 4.");
  Has(kNumber, 24);  // the last four bytes
  ExpectSound();
  Has(kNumber, 28);
  Expect(56, "number: bytes 56 to 60 reach past the end at 56.");
}

TEST_F(ExplainedStructure, OfATextTellsOffsetLengthAndZero) {
  Has(kText);
  Expect(32, "text: the offset 0 points outside the flatbuffer.");
  Lead(kText, kEnd);
  Expect(32, "text: the offset 24 points outside the flatbuffer.");
  Put<uint32_t>(kEnd, 2);
  Put<uint32_t>(kEnd + 4, 0x00006261);  // "ab", and two zeros
  ExpectSound();
  Put<uint32_t>(kEnd, 3);
  ExpectSound();
  Put<uint32_t>(kEnd, 4);
  Expect(56, "text: the text has no zero byte at its end.");
  Put<uint32_t>(kEnd, 5);
  Expect(56, "text: the length of 5 elements reaches past the end.");
  Put<uint32_t>(kEnd, 1);
  Expect(56, "text: the text has no zero byte at its end.");
}

TEST_F(ExplainedStructure, OfAListTellsHowManyElementsItClaims) {
  Lead(kList, kEnd);
  Put<uint32_t>(kEnd, 1);
  Put<uint64_t>(kEnd + 4, 7);
  ExpectSound();
  Put<uint32_t>(kEnd, 2);
  Expect(56, "list: the length of 2 elements reaches past the end.");
  Put<uint32_t>(kEnd, 1);
  bytes_.pop_back();
  Expect(56, "list: the length of 1 elements reaches past the end.");
}

TEST_F(ExplainedStructure, OfATableTellsWhatIsWrongWithItsFieldTable) {
  EmptyTable();
  Lead(kChild, kEnd + 4);
  ExpectSound();
  Put<uint16_t>(kEnd, 5);
  Expect(56, "child: the field table has an odd length.");
  Put<uint16_t>(kEnd, 8);  // as long as there are bytes: the first field is at 60 + 4
  Expect(64, "child.number: bytes 64 to 68 reach past the end at 64.");
  Put<uint16_t>(kEnd, 10);
  Expect(56, "child: bytes 56 to 66 reach past the end at 64.");
  Put<int32_t>(kEnd + 4, 3);
  Expect(57, "child: the offset is not a multiple of 2.");
  Put<int32_t>(kEnd + 4, -4);
  Expect(64, "child: bytes 64 to 66 reach past the end at 64.");
}

TEST_F(ExplainedStructure, LooksAtFieldsAsFarAsTheFieldTableGoes) {
  Has(kNumber, 2);
  Put<uint16_t>(4, 10);
  Expect(30, "number: the offset is not a multiple of 4.");
  Put<uint16_t>(4, 8);
  Put<uint16_t>(8, 2);  // in the length, no more a field
  Put<uint16_t>(4, 4);
  ExpectSound();
}

TEST_F(ExplainedStructure, OfAVectorOfTablesTellsWhichElement) {
  EmptyTable();
  Lead(kChildren, 64);
  Put<uint32_t>(64, 2);
  Put<int32_t>(68, 60 - 68);  // backwards, which is as good
  Put<int32_t>(72, 60 - 72);
  const auto at_0 = static_cast<uint64_t>(68) + static_cast<uint32_t>(60 - 68);
  EXPECT_THAT(Fault().explanation,
              testing::StartsWith("children[0]: bytes " + std::to_string(at_0) + " to "));
  Put<uint16_t>(76, 4);
  Put<uint16_t>(78, 4);
  Put<int32_t>(80, 4);  // another empty table
  Put<uint32_t>(68, 80 - 68);
  Put<uint32_t>(72, 80 - 72);
  ExpectSound();
  Put<uint32_t>(72, 81 - 72);
  Expect(81, "children[1]: the offset is not a multiple of 4.");
}

TEST_F(ExplainedStructure, CountsTables) {
  EmptyTable();
  Lead(kChild, kEnd + 4);
  EXPECT_FALSE(Fault(2).too_many_tables);
  EXPECT_TRUE(Fault(1).too_many_tables);
  EXPECT_EQ(Fault(1).explanation, "child: too many tables.");
  EXPECT_EQ(Fault(1).at, 60U);
  EXPECT_EQ(Fault(0).explanation, "the root table: too many tables.");
}

TEST_F(ExplainedStructure, GoesByTheTagOfAUnion) {
  EmptyTable();
  Put<uint16_t>(kEnd, 5);  // wrong, if it is one
  Has(kHeldType);
  Lead(kHeld, kEnd + 4);
  Put<uint8_t>(SlotOf(kHeldType), 1);
  Expect(56, "held: the field table has an odd length.");
  Put<uint8_t>(SlotOf(kHeldType), 0);
  ExpectSound();
  Put<uint8_t>(SlotOf(kHeldType), 2);
  ExpectSound();
}

TEST_F(ExplainedStructure, OfAVectorTellsAlignmentAndEnd) {
  Has(kText, 2);
  Expect(34, "text: the offset is not a multiple of 4.");
  Put<uint16_t>(8 + uint64_t{2} * kText, 0);
  Lead(kList, 58);
  Put<uint32_t>(58, 0);
  Expect(58, "list: the offset is not a multiple of 4.");
  Lead(kList, 56);
  bytes_.resize(58);
  Expect(56, "list: bytes 56 to 60 reach past the end at 58.");
  Put<uint32_t>(56, 0);
  ExpectSound();
}

}  // namespace
}  // namespace pteproof::reader
