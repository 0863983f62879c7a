// The catalogue's entries for the rules that a program file can break (runtime/file_rules.h).
#include "runtime/file_rules.h"

#include <array>

#include "properties/catalogue/file_rule_info.h"

namespace pteproof {
namespace {

constexpr std::string_view kDamaged = "The file is cut or damaged: copy it or export it again.";
constexpr std::string_view kExportAgain =
    "Export again with a released exporter; do not load the file meanwhile.";

constexpr std::array kProgramRules = {
    FileRule(rule::kFileTooShort, "the file is shorter than any program",
             "A file begins with an offset, an identifier and a header.", "A file of 12 bytes.",
             kDamaged),
    FileRule(
        rule::kFileIdentifier, "the file is not of this kind or version",
        "Bytes 4 to 7 name the format's version. One that no runtime of today reads is refused.",
        "Bytes 4 to 7 are ET11.", "Export again with ExecuTorch 1.0 or later."),
    FileRule(rule::kFileSize, "the flatbuffer is larger than its offsets can reach",
             "Offsets have 31 bits; a larger flatbuffer cannot be read by anybody.",
             "A header that gives the program 3 GB.", kExportAgain),
    FileRule(
        rule::kFileHeader, "the extended header disagrees with the file",
        "The header says where the program ends and where the segments lie. It is missing though "
        "there are segments, has an impossible length, or points past the file's end.",
        "A file cut inside the segment area.", kDamaged),
    FileRule(rule::kFileRoot, "the first offset leads nowhere",
             "The first four bytes lead to the root table.", "Bytes 0 to 3 are ff ff ff ff.",
             kDamaged),
    FileRule(rule::kFileFlatbuffer, "an offset or length inside the flatbuffer is wrong",
             "A table, vector or string does not lie inside the flatbuffer.",
             "A vector that claims four billion values.", kDamaged),
    FileRule(
        rule::kFileAmplification, "so many references to the same bytes that decoding explodes",
        "Decoding would cost far more than the file's size in time and memory. No exporter writes "
        "such a file.",
        "One list of 10,000 items, used by 10,000 values.",
        "Do not load the file: it is made to exhaust memory."),
    FileRule(
        rule::kFileSegments, "a segment of stored data lies outside the file",
        "Offset plus size wraps, passes the end of the segment area, or covers the program itself.",
        "A segment at offset 2^64 - 8.", kDamaged),
    FileRule(
        rule::kFileConstantData, "a constant's data are not there",
        "A tensor names an entry of the table of constants that does not exist or is too short.",
        "A tensor of 64 bytes at the last 16 bytes of the segment.", kExportAgain),
    FileRule(rule::kFileConstantAlignment, "a constant's data are not aligned to its elements",
             "Kernels read elements through typed pointers.", "A float32 constant at offset 2.",
             kExportAgain),
    FileRule(
        rule::kFileMutableData, "an initial value is not there",
        "A planned tensor names an entry of the table of initial values that does not exist or is "
        "too short. The runtime refuses to load the method.",
        "A buffer with initial data 2 in a file whose table has one entry.",
        "Export without buffer names, or so that no constant has the same bytes as the initial "
        "value."),
    FileRule(rule::kFileNamedData, "an entry of the named data is incomplete",
             "An entry lacks its key or its segment, or a key occurs twice.",
             "Two entries with key 'weights'.", kExportAgain),
    FileRule(rule::kFileExternal, "an external tensor cannot be looked up",
             "Data outside the program are found by the tensor's name.",
             "An external tensor without name.", kExportAgain),
    FileRule(rule::kFilePlan, "a method lacks a part that each one has",
             "There is no method at all, or one without values, inputs, outputs, operators or "
             "instructions.",
             "A program without execution plan.", kDamaged),
    FileRule(rule::kFileMethodName, "a method has no name, or another's name",
             "Methods are called by name; of two with one name the second can never be reached.",
             "Two methods named forward.", kExportAgain),
    FileRule(rule::kFileBankSize, "a bank's size is negative or absurd",
             "Loaders allocate what the file asks for.", "Bank 1 with 2^62 bytes.", kExportAgain),
    FileRule(rule::kFileDevice, "a bank is laid on an unknown device",
             "A device is given for a bank that does not exist, or is of no known type.",
             "Device type 77.", kExportAgain),
    FileRule(
        rule::kFileIo, "an input or output names what cannot be one",
        "It names no value, or an input is a list or a constant, which a caller would overwrite.",
        "Output 3 of a method with three values.", kExportAgain),
    FileRule(rule::kFileValue, "a value's kind is unknown or its content missing",
             "The tag promises a table that is not there.",
             "A value tagged as tensor without a tensor.", kDamaged),
    FileRule(rule::kFileListItem, "a list's item is no value that it may hold",
             "It names no value, one of another kind, or one that comes later in the file.",
             "A list of tensors that holds an integer.", kExportAgain),
    FileRule(rule::kFileTensorShape, "a tensor's sizes are impossible",
             "Sizes are missing, negative, more than 16, or their product does not fit.",
             "Sizes [2147483647, 2147483647, 4].", kExportAgain),
    FileRule(rule::kFileDimOrder, "a dimension order is no permutation",
             "Strides are derived from it: each dimension occurs once.", "Order [0, 0].",
             kExportAgain),
    FileRule(rule::kFileTensorType, "a tensor's element type is unknown",
             "Without it the tensor has no size in bytes.", "Element type 99.", kExportAgain),
    FileRule(rule::kFileTensorDynamism, "a tensor's shape dynamism is unknown or unbounded",
             "An unbounded tensor cannot be planned; no portable runtime loads it.", "Dynamism 7.",
             "Give every dynamic dimension a finite `max` when the model is exported."),
    FileRule(rule::kFileTensorMemory, "a tensor's memory cannot be",
             "It has a storage offset, a memory id without bank, an end that wraps, or none though "
             "it is "
             "read.",
             "Memory id 0.", kExportAgain),
    FileRule(rule::kFileInstruction, "an instruction is unknown or calls what is not there",
             "Its table is missing, or the operator or delegate index is out of range.",
             "Operator 5 of a method with two.", kExportAgain),
    FileRule(rule::kFileOperator, "an operator has no usable name",
             "It has none, or one longer than runtimes take.", "An operator without name.",
             kExportAgain),
    FileRule(rule::kFileArguments, "an instruction's arguments do not fit",
             "One names no value, or their number and kinds do not fit the operator's signature.",
             "aten::add.out with three arguments.", kExportAgain),
    FileRule(
        rule::kFileJump, "a jump goes nowhere or tests what is no truth value",
        "The target is no instruction, or the condition is neither a Bool nor a tensor of bools.",
        "A jump to instruction -5.", kExportAgain),
    FileRule(rule::kFileMove, "a move joins values of two kinds",
             "Moving a value over one of another kind confuses whoever reads it next.",
             "An integer moved over a tensor.", kExportAgain),
    FileRule(rule::kFileFree, "a free names memory that is not the method's to give back",
             "Only tensors without a plan are freed; the next read of any other crashes.",
             "A planned tensor freed before it is read.", kExportAgain),
    FileRule(rule::kFileDelegate, "a delegate is incomplete",
             "It lacks its id, its blob or a part of its compile specs.",
             "A compile spec without key.", kExportAgain),
    FileRule(
        rule::kFileBundle, "a bundle does not fit its program",
        "A program, suite, case or value is missing or does not fit the method that it is for.",
        "A test case with two inputs for a method with one.", "Make the bundle again."),
};

}  // namespace

std::span<const RuleInfo> ProgramFileRules() {
  return kProgramRules;
}

}  // namespace pteproof
