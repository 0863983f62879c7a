// The catalogue's entries for the rules that data files and bundles can break
// (runtime/data_rules.h).
#include "runtime/data_rules.h"

#include <array>

#include "properties/catalogue/file_rule_info.h"

namespace pteproof {
namespace {

constexpr std::string_view kDataDamaged = "The file is cut or damaged: copy it or export it again.";
constexpr std::string_view kExportBoth = "Export program and data again, together.";
constexpr std::string_view kBundleAgain = "Make the bundle again from the program that it is for.";

constexpr std::array kDataRules = {
    FileRule(rule::kDataTruncated, "the data file is shorter than it says",
             "Its header gives it more bytes than there are.", "A .ptd cut in its last segment.",
             kDataDamaged),
    FileRule(rule::kDataIdentifier, "the file is no data file", "Bytes 4 to 7 of a .ptd are FT01.",
             "A program passed with --data.", "Pass the .ptd that was exported with the program."),
    FileRule(rule::kDataHeader, "the data file's header is wrong",
             "Its magic, length or sums disagree with the file.", "Offset plus size wraps 64 bits.",
             kDataDamaged),
    FileRule(rule::kDataRoot, "the data file's first offset leads nowhere",
             "The first four bytes lead to the root table.", "Bytes 0 to 3 are f0 ff ff ff.",
             kDataDamaged),
    FileRule(rule::kDataFlatbuffer, "an offset or length inside the data file is wrong",
             "A table, vector or string does not lie inside the flatbuffer.",
             "A key that reaches past the end.", kDataDamaged),
    FileRule(rule::kDataAmplification, "so many references that decoding the data file explodes",
             "Decoding would cost far more than the file's size.",
             "One layout of 10,000 sizes, used by 10,000 entries.",
             "Do not load the file: it is made to exhaust memory."),
    FileRule(rule::kDataSegment, "a segment of the data file is missing or outside it",
             "An entry's bytes do not lie in the file.", "A segment at offset 2^64 - 8.",
             kDataDamaged),
    FileRule(rule::kDataKey, "an entry of the data file has no name",
             "Entries are found by name only.", "An entry without key.", kExportBoth),
    FileRule(rule::kDataDuplicateKey, "two entries of the data have one name",
             "Which of the two a program gets is chance; runtimes refuse it.",
             "Two entries with key 'linear.weight', in one file or in two.", kExportBoth),
    FileRule(rule::kDataLayout, "an entry's type, sizes or dimension order are impossible",
             "They are missing, unknown, or their product does not fit.", "An order [0, 0].",
             kExportBoth),
    FileRule(rule::kDataShort, "an entry has fewer bytes than its sizes need",
             "Reading it would go past its end.", "1,024 floats in a segment of 4 bytes.",
             kDataDamaged),
    FileRule(rule::kDataMissing, "the program needs data that no data file has",
             "An external tensor's name is in none of the files given with --data.",
             "The program wants 'linear.weight'; the file has 'linear.bias'.",
             "Pass every .ptd that was exported with the program."),
    FileRule(rule::kDataMismatch, "data of that name have another type or shape",
             "The data belong to another version of the model.",
             "The program wants float32 [4, 4], the file has float16 [4, 4].", kExportBoth),
    FileRule(rule::kBundleIdentifier, "the file is no bundle", "Bytes 4 to 7 of a .bpte are BP08.",
             "A program renamed to .bpte.", kBundleAgain),
    FileRule(rule::kBundleRoot, "the bundle's first offset leads nowhere",
             "The first four bytes lead to the root table.", "Bytes 0 to 3 are ff ff ff ff.",
             kDataDamaged),
    FileRule(rule::kBundleFlatbuffer, "an offset or length inside the bundle is wrong",
             "A table, vector or string does not lie inside the flatbuffer.",
             "A vector that claims four billion cases.", kDataDamaged),
    FileRule(rule::kBundleAmplification, "so many references that decoding the bundle explodes",
             "Decoding would cost far more than the file's size.",
             "One case of 10,000 inputs, used 10,000 times.",
             "Do not load the file: it is made to exhaust memory."),
    FileRule(rule::kBundleProgram, "the bundle holds no program",
             "The program inside is missing or too short to be one.", "A program of 12 bytes.",
             kBundleAgain),
    FileRule(rule::kBundleSuite, "a suite of the bundle is incomplete",
             "It has no method name or no cases.", "A suite without method name.", kBundleAgain),
    FileRule(rule::kBundleValue, "a value of the bundle is missing or of unknown kind",
             "Cases hold tensors, integers, doubles and bools.",
             "A value tagged as tensor, without one.", kBundleAgain),
    FileRule(rule::kBundleLayout, "a bundled tensor's type, sizes or order are impossible",
             "They are missing, unknown, or their product does not fit.", "Element type 99.",
             kBundleAgain),
    FileRule(rule::kBundleDataLength, "a bundled tensor has not as many bytes as its sizes need",
             "Comparing it would read past its end.", "1,024 floats in 4 bytes.", kBundleAgain),
    FileRule(rule::kBundleMethod, "a suite is for a method that the program does not have",
             "Its cases can never run.", "A suite for 'decode' in a program with 'forward' only.",
             kBundleAgain),
    FileRule(rule::kBundleArity, "a case has not as many values as the method takes or gives",
             "Each case has one value for each input, and for each output that it compares.",
             "Two inputs for a method with one.", kBundleAgain),
    FileRule(rule::kBundleMismatch,
             "a case's value is of another kind, type or shape than the method's",
             "The runtime refuses it, or compares what is not comparable.",
             "An integer for a tensor input.", kBundleAgain),
};

}  // namespace

std::span<const RuleInfo> DataFileRules() {
  return kDataRules;
}

}  // namespace pteproof
