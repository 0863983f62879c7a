#include "pteproof/scalar_type.h"

#include <gtest/gtest.h>

#include <optional>
#include <set>
#include <string_view>

namespace pteproof {
namespace {

TEST(ScalarType, NumbersTypesAsTheFileFormatDoes) {
  struct Row {
    int number;
    std::string_view name;
    uint32_t size;
  };
  for (const Row& row : {
           Row{0, "uint8", 1},
           Row{1, "int8", 1},
           Row{2, "int16", 2},
           Row{3, "int32", 4},
           Row{4, "int64", 8},
           Row{5, "float16", 2},
           Row{6, "float32", 4},
           Row{7, "float64", 8},
           Row{8, "complex32", 4},
           Row{9, "complex64", 8},
           Row{10, "complex128", 16},
           Row{11, "bool", 1},
           Row{14, "qint32", 4},
           Row{15, "bfloat16", 2},
           Row{22, "bits16", 2},
           Row{27, "uint16", 2},
           Row{28, "uint32", 4},
           Row{29, "uint64", 8},
       }) {
    const auto type = static_cast<ScalarType>(row.number);
    EXPECT_EQ(Name(type), row.name);
    EXPECT_EQ(ElementSize(type), row.size) << row.name;
  }
}

TEST(ScalarType, GivesOneByteToNarrowQuantisedBitAndFloat8Types) {
  for (int number : {12, 13, 16, 17, 18, 19, 20, 21, 23, 24, 25, 26}) {
    EXPECT_EQ(ElementSize(static_cast<ScalarType>(number)), 1U) << number;
  }
}

TEST(ScalarType, AdmitsTheNumbersUpTo29) {
  EXPECT_FALSE(IsScalarType(-1));
  EXPECT_TRUE(IsScalarType(0));
  EXPECT_TRUE(IsScalarType(29));
  EXPECT_FALSE(IsScalarType(30));
}

TEST(ScalarType, FindsEachTypeByItsOwnName) {
  std::set<std::string_view> names;
  for (int number = 0; number < 30; ++number) {
    const auto type = static_cast<ScalarType>(number);
    names.insert(Name(type));
    EXPECT_EQ(ScalarTypeOf(Name(type)), type);
  }
  EXPECT_EQ(names.size(), 30U);
}

TEST(ScalarType, FindsNoTypeByAnotherName) {
  for (const char* name : {"", "float", "Float32", "float32 ", "undefined"}) {
    EXPECT_EQ(ScalarTypeOf(name), std::nullopt) << name;
  }
}

}  // namespace
}  // namespace pteproof
