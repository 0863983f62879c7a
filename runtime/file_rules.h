// The names of the rules of the reader of programs. Like those of base/rule_names.h they appear in
// output, docs and suppressions, and never change meaning.
#ifndef PTEPROOF_RUNTIME_FILE_RULES_H_
#define PTEPROOF_RUNTIME_FILE_RULES_H_

#include <string_view>

namespace pteproof::rule {

// The container.

// Fewer bytes than the fixed start of a file.
inline constexpr std::string_view kFileTooShort = "file-too-short";
// Not a program, or a program of a version that current runtimes do not read.
inline constexpr std::string_view kFileIdentifier = "file-identifier";
// A flatbuffer too large for its 31-bit offsets.
inline constexpr std::string_view kFileSize = "file-size";
// The extended header is missing though needed, has an impossible length, or disagrees with the
// file.
inline constexpr std::string_view kFileHeader = "file-header";
// The offset of the root table points outside the flatbuffer.
inline constexpr std::string_view kFileRoot = "file-root";
// An offset, vtable, length or terminator inside the flatbuffer is wrong.
inline constexpr std::string_view kFileFlatbuffer = "file-flatbuffer";
// So many references to the same bytes that decoding would cost far more than the file's size.
inline constexpr std::string_view kFileAmplification = "file-amplification";

// Stored data.

// A segment wraps, ends outside the segment area, or lies over the flatbuffer.
inline constexpr std::string_view kFileSegments = "file-segments";
// The table of constants or its use by a tensor: an index or a range outside of the table.
inline constexpr std::string_view kFileConstantData = "file-constant-data";
// A constant's bytes do not lie at a multiple of its element size.
inline constexpr std::string_view kFileConstantAlignment = "file-constant-alignment";
// The table of initial values or its use by a planned tensor: an index or a range outside of the
// table.
inline constexpr std::string_view kFileMutableData = "file-mutable-data";
// An entry of the named data lacks its key or its segment, or a key occurs twice.
inline constexpr std::string_view kFileNamedData = "file-named-data";
// An external tensor without a name to look it up by, an unknown source, or a bad entry of a `.ptd`
// file.
inline constexpr std::string_view kFileExternal = "file-external";

// Methods.

// A method lacks a part that each one has, or the file has no method at all.
inline constexpr std::string_view kFilePlan = "file-plan";
// A method has no name, or one that another method has.
inline constexpr std::string_view kFileMethodName = "file-method-name";
// A bank's size is negative or beyond kMaxBankSize.
inline constexpr std::string_view kFileBankSize = "file-bank-size";
// An unknown device, or one for a bank that does not exist.
inline constexpr std::string_view kFileDevice = "file-device";
// An input or output is not a value of the method, or an input is a list or a constant.
inline constexpr std::string_view kFileIo = "file-io";

// Values.

// The tag of a value is unknown, or the table or list for the tag is missing.
inline constexpr std::string_view kFileValue = "file-value";
// An item of a list is not a value, has the wrong kind, or comes later than the list.
inline constexpr std::string_view kFileListItem = "file-list-item";
// Sizes missing, negative, more than kMaxRank, or too large for counts and strides.
inline constexpr std::string_view kFileTensorShape = "file-tensor-shape";
// The dimension order is missing or not a permutation of the dimensions.
inline constexpr std::string_view kFileDimOrder = "file-dim-order";
// The element type is unknown.
inline constexpr std::string_view kFileTensorType = "file-tensor-type";
// The shape dynamism is unknown or unbounded.
inline constexpr std::string_view kFileTensorDynamism = "file-tensor-dynamism";
// The memory of a tensor is impossible: a storage offset, an unknown bank, an end that wraps, or no
// memory for a tensor that is read.
inline constexpr std::string_view kFileTensorMemory = "file-tensor-memory";

// Instructions.

// The kind of an instruction is unknown, its table is missing, or its callee does not exist.
inline constexpr std::string_view kFileInstruction = "file-instruction";
// An operator has no name, or one longer than runtimes take.
inline constexpr std::string_view kFileOperator = "file-operator";
// An argument is not a value, or number and kinds of the arguments do not fit the operator.
inline constexpr std::string_view kFileArguments = "file-arguments";
// The target of a jump is not an instruction, or the condition is not a Bool or a tensor of bools.
inline constexpr std::string_view kFileJump = "file-jump";
// A move names a missing value, or values of two kinds.
inline constexpr std::string_view kFileMove = "file-move";
// A free names a missing value, or memory that the method does not own.
inline constexpr std::string_view kFileFree = "file-free";
// A delegate lacks its id, its blob or a part of its compile specs.
inline constexpr std::string_view kFileDelegate = "file-delegate";

// Programs as text.

// A text that is not a program: its words, numbers, names or labels, or the data that it refers to.
inline constexpr std::string_view kFileText = "file-text";

// Bundled programs.

// A bundle's program, suite, case or value is missing or does not fit the method it is for.
inline constexpr std::string_view kFileBundle = "file-bundle";

}  // namespace pteproof::rule

#endif  // PTEPROOF_RUNTIME_FILE_RULES_H_
