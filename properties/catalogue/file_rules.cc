// The catalogue's entries for the rules that a program file can break (runtime/file_rules.h).
#include "runtime/file_rules.h"

#include <array>

#include "properties/catalogue/file_rule_info.h"

namespace pteproof {
namespace {

constexpr std::string_view kDamaged =
    "Copy the file again from its source. If it stays the same, export the program again.";
constexpr std::string_view kExportAgain =
    "Export the program again with a released version of ExecuTorch. Do not load this file.";
constexpr std::string_view kDoNotLoad =
    "Do not load the file: only a file that was made to exhaust memory has this form.";

constexpr std::array kProgramRules = {
    FileRule(rule::kFileTooShort, "the file is shorter than any program",
             "A program begins with an offset, an identifier and a header: runtimes read its first "
             "64 bytes before anything else.",
             "A file of 12 bytes.", kDamaged),
    FileRule(rule::kFileIdentifier,
             "the file is not a program, or a program of another format version",
             "Bytes 4 to 7 of a file name its format. Runtimes load programs with the identifier "
             "ET12 only, and of these only those of a schema version that they know.",
             "Bytes 4 to 7 are ET11.", "Export the program again with ExecuTorch 1.0 or later."),
    FileRule(rule::kFileSize, "the flatbuffer is larger than its offsets can reach",
             "Offsets in a flatbuffer have 31 bits. No program can read a larger one.",
             "A header that gives the flatbuffer 3 GB.",
             "Export the program again, with its weights in segments or in a .ptd file."),
    FileRule(rule::kFileHeader, "the extended header contradicts the file",
             "The header gives the end of the flatbuffer and the start of the segments. Both "
             "must lie inside the file, and a file with segments must have a header.",
             "A file that was cut inside the segment area.", kDamaged),
    FileRule(rule::kFileRoot, "the offset of the root table points outside the flatbuffer",
             "The first four bytes are the offset of the root table. Every other part of the "
             "program is found through that table.",
             "Bytes 0 to 3 are ff ff ff ff.", kDamaged),
    FileRule(rule::kFileFlatbuffer, "an offset or a length inside the flatbuffer is wrong",
             "Every table, vector and string lies inside the flatbuffer. A runtime that follows a "
             "wrong offset reads outside the file.",
             "A vector with a length of four billion values.", kDamaged),
    FileRule(rule::kFileAmplification,
             "the file refers to the same bytes so often that decoding it explodes",
             "Decoding would take time and memory far beyond the size of the file. No exporter "
             "writes such a file.",
             "One list of 10,000 items that 10,000 values use.", kDoNotLoad),
    FileRule(rule::kFileSegments, "a segment of stored data lies outside the segment area",
             "A segment lies between the end of the flatbuffer and the end of the segment area. A "
             "loader would read other bytes than the exporter stored.",
             "A segment at offset 2^64 - 8.", kDamaged),
    FileRule(rule::kFileConstantData, "the data of a constant are missing or too short",
             "A constant names an entry of the table of constants, and the entry has at least as "
             "many bytes as the tensor. A kernel would read past the end of the data.",
             "A tensor of 64 bytes whose entry has the last 16 bytes of the segment.",
             kExportAgain),
    FileRule(rule::kFileConstantAlignment, "the data of a constant are not aligned to its elements",
             "Kernels read elements through typed pointers: a misaligned read is undefined, and "
             "some processors fault.",
             "A float32 constant at byte 2 of the segment.", kExportAgain),
    FileRule(rule::kFileMutableData, "an initial value is missing or too short",
             "A planned tensor with an initial value names an entry of the table of initial "
             "values. The runtime refuses to load a method whose entry is missing or too short.",
             "A buffer with initial value 2 in a file whose table has one entry.",
             "Export without `emit_mutable_buffer_names`, or so that no constant has the same "
             "bytes as the "
             "initial value."),
    FileRule(rule::kFileNamedData, "an entry of the named data is incomplete or ambiguous",
             "Every entry has a key and a segment, and every key occurs once: delegates look up "
             "their data by key.",
             "Two entries with the key 'weights'.", kExportAgain),
    FileRule(rule::kFileExternal, "an external tensor cannot be looked up",
             "Data outside the program are found by the name of the tensor, in a .ptd file.",
             "An external tensor without a name.", kExportAgain),
    FileRule(
        rule::kFilePlan, "the program has no method, or a method lacks a required part",
        "A program has at least one method. Every method has values, inputs, outputs, operators, "
        "delegates, bank sizes and instructions; a runtime follows a null pointer otherwise.",
        "A program without an execution plan.", kDamaged),
    FileRule(rule::kFileMethodName, "a method has no name, or two methods have the same name",
             "Methods are called by name. A method without a name, and the second of two methods "
             "with the same name, cannot be loaded.",
             "Two methods named forward.", kExportAgain),
    FileRule(rule::kFileBankSize, "the size of a bank is negative or too large",
             "Loaders allocate as many bytes as the file asks for. Such an allocation fails and "
             "ends the process.",
             "Bank 1 with 2^62 bytes.", kExportAgain),
    FileRule(rule::kFileDevice, "the device of a bank or a tensor is unknown",
             "A device belongs to a bank of the method and has a known type: 0 (CPU) or 1 (CUDA).",
             "Device type 77.", kExportAgain),
    FileRule(rule::kFileIo, "an input or an output is not a value that it can be",
             "Inputs and outputs are values of the method. An input is neither a list nor a "
             "constant: the caller would overwrite the constant.",
             "Output 3 of a method with three values.", kExportAgain),
    FileRule(rule::kFileValue, "the kind of a value is unknown, or its content is missing",
             "The tag of a value names its kind, and a table of that kind holds its content. An "
             "instruction that uses the value would read missing data.",
             "A value with the tag of a tensor and without a tensor.", kDamaged),
    FileRule(rule::kFileListItem,
             "an item of a list is not a value of the kind that the list holds",
             "Every item of a list is the index of a value of the right kind. The tensors of a "
             "list come before the list in the table of values.",
             "A list of tensors with an integer as an item.", kExportAgain),
    FileRule(rule::kFileTensorShape, "the sizes of a tensor are missing, negative or too large",
             "A tensor has at most 16 dimensions and no negative size; its number of bytes and its "
             "strides do not overflow. A runtime would reserve too few bytes and write past them.",
             "Sizes [2147483647, 2147483647, 4].", kExportAgain),
    FileRule(rule::kFileDimOrder, "the dimension order of a tensor is not a permutation",
             "Runtimes derive the strides from the dimension order, which names each dimension "
             "once. Elements would overlap or lie outside the tensor.",
             "Order [0, 0].", kExportAgain),
    FileRule(rule::kFileTensorType, "the element type of a tensor is unknown",
             "The element type gives the size of an element: without it the tensor has no size in "
             "bytes.",
             "Element type 99.", kExportAgain),
    FileRule(rule::kFileTensorDynamism, "the shape dynamism of a tensor is unknown or unbounded",
             "A tensor is static or has an upper bound for each size. An unbounded tensor has no "
             "place in a bank, and portable runtimes do not load it.",
             "Shape dynamism 7.",
             "Give every dynamic dimension a finite `max` when the model is exported."),
    FileRule(rule::kFileTensorMemory, "the memory of a tensor is impossible",
             "A tensor that is read has a place in a bank of the method, stored data, or a caller "
             "or an instruction that gives it memory. Its storage offset is 0, and the end of its "
             "place fits 64 bits.",
             "Memory id 0, which is reserved.", kExportAgain),
    FileRule(rule::kFileInstruction, "an instruction is unknown or incomplete",
             "Every instruction has a known tag and a table, and a call names an operator or a "
             "delegate of the method. A runtime would call a function at a wrong address.",
             "A call of operator 5 of a method with two operators.", kExportAgain),
    FileRule(rule::kFileOperator, "an operator has no usable name",
             "Runtimes find a kernel by the name of the operator, of at most 99 characters.",
             "An operator without a name.", kExportAgain),
    FileRule(rule::kFileArguments, "the arguments of a call do not fit the operator",
             "Every argument is a value of the method. Number and kinds of the arguments are those "
             "of the signature of the operator.",
             "A call of aten::add.out with three arguments.", kExportAgain),
    FileRule(rule::kFileJump, "the target or the condition of a jump is wrong",
             "The target is an instruction of the chain or its end. The condition is a Bool or a "
             "tensor of bools.",
             "A jump to instruction -5.", kExportAgain),
    FileRule(rule::kFileMove, "a move names a missing value, or values of two kinds",
             "Source and destination of a move are values of the same kind. The next kernel would "
             "read a value as another kind.",
             "A move of an integer to a tensor.", kExportAgain),
    FileRule(rule::kFileFree, "a free names memory that the method must not free",
             "Only the memory of a tensor without a place and without stored data is freed, and "
             "never that of an input or output. The next use of another tensor would follow a null "
             "pointer.",
             "A planned tensor that is freed before it is read.", kExportAgain),
    FileRule(rule::kFileDelegate, "a delegate is incomplete",
             "A delegate has an id, a blob, and compile specs with a key and a value each. The "
             "backend would follow a null pointer.",
             "A compile spec without a key.", kExportAgain),
    FileRule(rule::kFileText, "a text is not a program",
             "A text that is read as a program has the words of the text form, says of each value "
             "what it is, and refers to data that are there.",
             "A value without a type.",
             "Correct the text at the line and column that the message names."),
    FileRule(rule::kFileBundle, "a bundle does not fit its program",
             "A bundle has a program, and its suites, cases and values fit the methods that they "
             "are for.",
             "A test case with two inputs for a method with one.",
             "Make the bundle again from the program that it is for."),
};

}  // namespace

std::span<const RuleInfo> ProgramFileRules() {
  return kProgramRules;
}

}  // namespace pteproof
