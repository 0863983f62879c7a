// The catalogue's entries for the rules that data files and bundles can break
// (runtime/data_rules.h).
#include "runtime/data_rules.h"

#include <array>

#include "properties/catalogue/file_rule_info.h"

namespace pteproof {
namespace {

constexpr std::string_view kDataDamaged =
    "Copy the file again from its source. If it stays the same, export it again.";
constexpr std::string_view kExportBoth = "Export the program and its data again, in one export.";
constexpr std::string_view kBundleAgain = "Make the bundle again from the program that it is for.";
constexpr std::string_view kNotToLoad =
    "Do not load the file: only a file that was made to exhaust memory has this form.";

constexpr std::array kDataRules = {
    FileRule(rule::kDataTruncated, "the data file is shorter than its header says",
             "The header gives the end of the flatbuffer and of the segment area: both lie inside "
             "the file.",
             "A .ptd that was cut in its last segment.", kDataDamaged),
    FileRule(rule::kDataIdentifier, "the file is not a data file",
             "Bytes 4 to 7 of a data file (.ptd) are FT01, and its schema version is a known one.",
             "A program that is given with --data.",
             "Give --data the .ptd file that was exported with the program."),
    FileRule(rule::kDataHeader, "the header of the data file is wrong",
             "The magic of the header is FH01, its length is at least 40, and its offsets and "
             "sizes fit 64 bits. Every other part of the file is found through the header.",
             "An offset and a size whose sum exceeds 64 bits.", kDataDamaged),
    FileRule(rule::kDataRoot, "the offset of the root table points outside the flatbuffer",
             "The first four bytes are the offset of the root table. Every entry is found through "
             "that table.",
             "Bytes 0 to 3 are f0 ff ff ff.", kDataDamaged),
    FileRule(rule::kDataFlatbuffer, "an offset or a length inside the data file is wrong",
             "Every table, vector and string lies inside the flatbuffer. A loader that follows a "
             "wrong offset reads outside the file.",
             "A key that reaches past the end of the flatbuffer.", kDataDamaged),
    FileRule(rule::kDataAmplification,
             "the data file refers to the same bytes so often that decoding it explodes",
             "Decoding would take time and memory far beyond the size of the file. No exporter "
             "writes such a file.",
             "One layout of 10,000 sizes that 10,000 entries use.", kNotToLoad),
    FileRule(rule::kDataSegment,
             "a segment of the data file is missing or lies outside the segment area",
             "Every entry names a segment of the file, and the segment lies inside the segment "
             "area. A loader would read bytes of other entries.",
             "A segment at offset 2^64 - 8.", kDataDamaged),
    FileRule(rule::kDataKey, "an entry of the data file has no name",
             "A program finds an entry by its name only.", "An entry without a key.", kExportBoth),
    FileRule(rule::kDataDuplicateKey, "two entries have the same name",
             "A name belongs to one entry, over the program and all its data files. Loaders refuse "
             "a second entry, or take one of the two by chance.",
             "Two entries with the key 'linear.weight', in one file or in two.", kExportBoth),
    FileRule(rule::kDataLayout,
             "the type, the sizes or the dimension order of an entry are impossible",
             "A tensor has a known element type, at most 16 sizes that are not negative, and a "
             "dimension order that names each dimension once. Its number of bytes fits 64 bits.",
             "Dimension order [0, 0].", kExportBoth),
    FileRule(rule::kDataShort, "an entry has fewer bytes than its tensor needs",
             "The data of an entry have at least as many bytes as its type and sizes need. A "
             "kernel would read past the end of the data.",
             "1,024 floats in a segment of 4 bytes.", kDataDamaged),
    FileRule(rule::kDataMissing, "no data file has an entry that the program needs",
             "Every external tensor of the program has an entry of its name in one of the files "
             "that --data names. The method does not load otherwise.",
             "The program needs 'linear.weight'; the file has only 'linear.bias'.",
             "Name every .ptd file that was exported with the program with --data."),
    FileRule(rule::kDataMismatch,
             "an entry has another type or another shape than the program needs",
             "The entry and the external tensor of the same name have the same element type, sizes "
             "and dimension order. Other data belong to another version of the model.",
             "The program needs float32 [4, 4]; the file has float16 [4, 4].", kExportBoth),
    FileRule(rule::kBundleIdentifier, "the file is not a bundle",
             "Bytes 4 to 7 of a bundled program (.bpte) are BP08.",
             "A program that was renamed to .bpte.", kBundleAgain),
    FileRule(rule::kBundleRoot, "the offset of the root table points outside the bundle",
             "The first four bytes are the offset of the root table. The program and its test "
             "cases are found through that table.",
             "Bytes 0 to 3 are ff ff ff ff.", kDataDamaged),
    FileRule(rule::kBundleFlatbuffer, "an offset or a length inside the bundle is wrong",
             "Every table, vector and string lies inside the flatbuffer. A runtime that follows a "
             "wrong offset reads outside the file.",
             "A vector with a length of four billion cases.", kDataDamaged),
    FileRule(rule::kBundleAmplification,
             "the bundle refers to the same bytes so often that decoding it explodes",
             "Decoding would take time and memory far beyond the size of the file. No exporter "
             "writes such a file.",
             "One case of 10,000 inputs that is used 10,000 times.", kNotToLoad),
    FileRule(rule::kBundleProgram, "the bundle has no program",
             "A bundle holds a program of at least 64 bytes.", "A program of 12 bytes.",
             kBundleAgain),
    FileRule(rule::kBundleSuite, "a suite of the bundle is incomplete",
             "Every suite has the name of a method and a list of cases.",
             "A suite without the name of a method.", kBundleAgain),
    FileRule(rule::kBundleValue, "a value of the bundle is missing or of an unknown kind",
             "The values of a case are tensors, integers, doubles and bools.",
             "A value with the tag of a tensor and without a tensor.", kBundleAgain),
    FileRule(rule::kBundleLayout,
             "the type, the sizes or the dimension order of a bundled tensor are impossible",
             "A tensor has a known element type, at most 16 sizes that are not negative, and a "
             "dimension order that names each dimension once. Its number of bytes fits 64 bits.",
             "Element type 99.", kBundleAgain),
    FileRule(rule::kBundleDataLength,
             "a bundled tensor has another number of bytes than its sizes need",
             "The data of a bundled tensor have as many bytes as its type and sizes need. A "
             "comparison would read past the end of the data.",
             "1,024 floats in 4 bytes.", kBundleAgain),
    FileRule(rule::kBundleMethod, "a suite is for a method that the program does not have",
             "Every suite names a method of the program. The cases of another suite can never run.",
             "A suite for 'decode' in a program with 'forward' only.", kBundleAgain),
    FileRule(
        rule::kBundleArity, "a case has another number of values than the method takes or returns",
        "A case has one value for each input, and one for each output if it has expected outputs.",
        "Two inputs for a method with one.", kBundleAgain),
    FileRule(rule::kBundleMismatch,
             "a value of a case has another kind or type than the method needs",
             "A value of a case has the kind and the element type of the input or output that it "
             "stands for. The runtime refuses other inputs and cannot compare other outputs.",
             "An integer for a tensor input.", kBundleAgain),
};

}  // namespace

std::span<const RuleInfo> DataFileRules() {
  return kDataRules;
}

}  // namespace pteproof
