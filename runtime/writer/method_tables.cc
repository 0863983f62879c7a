#include "runtime/writer/method_tables.h"

#include "runtime/writer/instruction_tables.h"
#include "runtime/writer/value_tables.h"

namespace pteproof::writer {
namespace {

Offset<flatbuffers::String> WriteText(TableWriter& writer, const std::string& text) {
  return writer.builder.CreateString(text.data(), text.size());
}

Offset<schema::CompileSpec> WriteSpec(TableWriter& writer, const CompileSpec& spec) {
  const auto key = WriteText(writer, spec.key);
  const auto value = writer.builder.CreateVector(
      reinterpret_cast<const uint8_t*>(spec.value.data()), spec.value.size());
  return schema::CreateCompileSpec(writer.builder, key, value);
}

// `segment` is where the blob lies; an inline one is the program's only, empty, inline blob.
Offset<schema::Delegate> WriteDelegate(TableWriter& writer, const Delegate& delegate,
                                       uint32_t segment) {
  const auto id = WriteText(writer, delegate.id);
  const auto blob =
      segment == kInline
          ? schema::CreateBlobReference(writer.builder, schema::BlobSource::Inline, 0)
          : schema::CreateBlobReference(writer.builder, schema::BlobSource::Segment, segment);
  std::vector<Offset<schema::CompileSpec>> specs;
  for (const CompileSpec& spec : delegate.specs) specs.push_back(WriteSpec(writer, spec));
  return schema::CreateDelegate(writer.builder, id, blob, WriteTables(writer, specs));
}

TableVector<schema::Delegate> WriteDelegates(TableWriter& writer, const Method& method,
                                             size_t first) {
  std::vector<Offset<schema::Delegate>> delegates;
  for (size_t i = 0; i < method.delegates.size(); ++i) {
    delegates.push_back(
        WriteDelegate(writer, method.delegates[i], writer.area.delegate_segments[first + i]));
  }
  return WriteTables(writer, delegates);
}

// Nothing when all banks lie on the CPU.
TableVector<schema::BankDevice> WriteBankDevices(TableWriter& writer, const Method& method) {
  if (method.bank_devices.empty()) return 0;
  std::vector<Offset<schema::BankDevice>> devices;
  for (const BankDevice& device : method.bank_devices) {
    devices.push_back(schema::CreateBankDevice(writer.builder, device.bank,
                                               static_cast<schema::Device>(device.device_type),
                                               device.device_index));
  }
  return WriteTables(writer, devices);
}

Offset<schema::ContainerType> WriteStructure(TableWriter& writer, const Method& method) {
  const auto inputs = WriteText(writer, method.input_structure);
  const auto outputs = WriteText(writer, method.output_structure);
  return schema::CreateContainerType(writer.builder, inputs, outputs);
}

Offset<schema::Method> WriteMethod(TableWriter& writer, const Method& method,
                                   size_t first_delegate) {
  flatbuffers::FlatBufferBuilder& builder = writer.builder;
  const auto name = WriteText(writer, method.name);
  const auto structure = WriteStructure(writer, method);
  const auto values = WriteValues(writer, method);
  const auto inputs = builder.CreateVector(method.inputs);
  const auto outputs = builder.CreateVector(method.outputs);
  const auto chains = WriteChains(writer, method);
  const auto operators = WriteOperators(writer, method);
  const auto delegates = WriteDelegates(writer, method, first_delegate);
  const auto sizes =
      builder.CreateVectorScalarCast<int64_t>(method.bank_sizes.data(), method.bank_sizes.size());
  const auto devices = WriteBankDevices(writer, method);
  return schema::CreateMethod(builder, name, structure, values, inputs, outputs, chains, operators,
                              delegates, sizes, devices);
}

}  // namespace

TableVector<schema::Method> WriteMethods(TableWriter& writer, const Program& program) {
  std::vector<Offset<schema::Method>> methods;
  methods.reserve(program.methods.size());
  size_t delegates = 0;
  for (const Method& method : program.methods) {
    methods.push_back(WriteMethod(writer, method, delegates));
    delegates += method.delegates.size();
  }
  return WriteTables(writer, methods);
}

}  // namespace pteproof::writer
