// Idea. Each method is taken apart into activations and blocks of state (state_blocks.h), and the
// pieces are laid down again in banks that all methods have in common:
//
//   bank 2   | a | b | c |                            shared buffers, by name
//   bank 1   | s | t |                                state of the first method, of the next, ...
//            |       | activations of any method |    behind the state of all of them
//
// A block that a method does not share keeps its bank. Other banks are laid out as bank 1, and in
// bank 2 the same comes behind the shared buffers.
//
// Invariant: bytes of state are bytes of one buffer in all methods, so that no method touches
// another's own state under any policy. The order of files decides nothing, as methods and buffers
// are sorted by name. Cost: that of webs and of one placement per bank and method.
#include "planner/link/link.h"

#include <algorithm>
#include <deque>
#include <memory>
#include <optional>

#include "meaning/program_meaning.h"
#include "planner/lift/webs.h"
#include "planner/link/initial_method.h"
#include "planner/link/parts.h"
#include "planner/link/state_blocks.h"
#include "planner/options.h"
#include "planner/read_beyond.h"

namespace pteproof::planner {
namespace {

uint64_t AlignedUp(uint64_t offset, uint64_t alignment) {
  return (offset + alignment - 1) / alignment * alignment;
}

uint64_t BankSize(const Method& method, size_t bank) {
  return bank < method.bank_sizes.size() ? method.bank_sizes[bank] : 0;
}

void SetBankSize(Method& method, size_t bank, uint64_t size) {
  if (method.bank_sizes.size() <= bank) method.bank_sizes.resize(bank + 1);
  method.bank_sizes[bank] = size;
}

Tensor& TensorAt(Method& method, int32_t value) {
  return method.tensors[method.values[static_cast<size_t>(value)].tensor];
}

class Linker {
 public:
  Linker(std::span<const LinkedFile> files, const LinkOptions& options, LinkParts parts)
      : files_(files), options_(options), parts_(std::move(parts)) {}

  Result<Linked, std::string> Go() {
    if (auto fault = JoinData()) return *fault;
    ChooseInitial();
    RenameOwn();
    MakeConstantsState();
    if (auto fault = TakeApart()) return *fault;
    PlaceShared();
    PlaceOwn();
    PlaceActivations();
    AddInitialMethod();
    std::ranges::sort(linked_.program.methods, {}, &Method::name);
    return std::move(linked_);
  }

 private:
  using Fault = std::optional<std::string>;

  [[nodiscard]] std::string Place(const LinkPart& part) const {
    return "'" + part.method.name + "' of " + files_[part.file].name;
  }

  // All data of all files; equal blobs are stored once by the writer.
  Fault JoinData() {
    Program& program = linked_.program;
    program.constants.emplace_back();
    program.initial_values.emplace_back();
    std::map<std::string, std::pair<Bytes, size_t>> named;
    auto signatures = std::make_shared<std::vector<std::shared_ptr<const void>>>();
    for (size_t f = 0; f < files_.size(); ++f) {
      const Program& from = *files_[f].program;
      signatures->push_back(from.signatures);
      first_constant_.push_back(Append(from.constants, program.constants));
      first_initial_.push_back(Append(from.initial_values, program.initial_values));
      for (const NamedBlob& blob : from.named_data) {
        const auto [known, fresh] = named.try_emplace(blob.key, blob.blob, f);
        if (fresh) {
          program.named_data.push_back(blob);
        } else if (!std::ranges::equal(known->second.first, blob.blob)) {
          return "named data '" + blob.key + "' has one content in " +
                 files_[known->second.second].name + " and another in " + files_[f].name +
                 ": delegates of one program find one content by its key";
        }
      }
      LinkedSource& source = linked_.sources.emplace_back();
      source.program = from;
      source.program.methods.clear();
    }
    std::ranges::sort(program.named_data, {}, &NamedBlob::key);
    program.signatures = std::move(signatures);
    return ExternalsAgree();
  }

  static uint32_t Append(const std::vector<Bytes>& from, std::vector<Bytes>& to) {
    const auto first = static_cast<uint32_t>(to.size());
    if (from.size() > 1) to.insert(to.end(), from.begin() + 1, from.end());
    return first;
  }

  // Tensors outside the files are found by name.
  [[nodiscard]] Fault ExternalsAgree() const {
    std::map<std::string, std::pair<std::string, const LinkPart*>> types;
    for (const LinkPart& part : parts_.parts) {
      const Program& program = *files_[part.file].program;
      for (size_t v = 0; v < part.method.values.size(); ++v) {
        const auto value = static_cast<int32_t>(v);
        const Tensor* tensor = part.method.TensorOf(value);
        if (tensor == nullptr || !tensor->external) continue;
        const std::string name(part.method.NameOf(value));
        const std::string words = TypeWords(FormOf(program, part.method, value));
        const auto known = types.try_emplace(name, words, &part).first;
        if (known->second.first == words) continue;
        return "the tensor '" + name + "' outside the files is " + known->second.first + " in " +
               Place(*known->second.second) + " and " + words + " in " + Place(part);
      }
    }
    return std::nullopt;
  }

  // Zeros are what loaders give anyway. Other values are stored for one method alone; for several
  // a method sets them, and with them all shared buffers, so that a call of it starts anew.
  void ChooseInitial() {
    bool must = parts_.has_initial || options_.initial == InitialState::kMethod;
    for (const auto& [name, form] : parts_.shared) {
      must = must || (!form.initial.empty() && parts_.users[name] > 1);
    }
    linked_.init = must && options_.initial != InitialState::kFile && !parts_.shared.empty();
  }

  [[nodiscard]] bool IsShared(const std::string& name) const {
    return parts_.shared.contains(name);
  }

  // State of one name that several methods have, each for itself.
  void RenameOwn() {
    std::map<std::string, int> users;
    for (const LinkPart& part : parts_.parts) {
      for (const auto& [name, held] : part.held) users[name] += held.planned ? 1 : 0;
    }
    for (LinkPart& part : parts_.parts) {
      for (const auto& [name, held] : part.held) {
        if (IsShared(name) || !held.planned || users[name] < 2) continue;
        const std::string own = part.method.name + "/" + name;
        linked_.renamed[{part.method.name, name}] = own;
        for (const int32_t v : held.values) {
          if (part.method.TensorOf(v)->planned) SetName(part.method, v, own);
        }
      }
    }
  }

  // In a bank of their own, one after the other.
  void MakeConstantsState() {
    for (LinkPart& part : parts_.parts) {
      LinkedSource& source = linked_.sources[part.file];
      const size_t bank = std::max<size_t>(part.method.bank_sizes.size(), 1);
      uint64_t end = 0;
      for (const auto& [name, held] : part.held) {
        if (!held.constant) continue;
        if (!IsShared(name)) {
          linked_.constants.emplace(part.method.name, name);
          continue;
        }
        const Bytes initial = parts_.shared[name].initial;
        uint32_t data_index = 0;
        if (!initial.empty()) {
          if (source.program.initial_values.empty()) source.program.initial_values.emplace_back();
          data_index = static_cast<uint32_t>(source.program.initial_values.size());
          source.program.initial_values.push_back(initial);
        }
        const uint64_t at = AlignedUp(end, options_.alignment);
        for (const int32_t v : held.values) {
          Tensor& tensor = TensorAt(part.method, v);
          tensor.planned = true;
          tensor.bank = static_cast<uint32_t>(bank);
          tensor.offset = at;
          tensor.data_index = data_index;
          SetName(part.method, v, name);
          end = at + tensor.nbytes;
        }
        source.as_state.push_back(part.method.name + ": " + name);
      }
      if (end > 0) SetBankSize(part.method, bank, end);
      if (linked_.init) ForgetStored(part);
      source.program.methods.push_back(part.method);
    }
  }

  // et_module_init gives shared buffers their values, which loading then does not.
  void ForgetStored(LinkPart& part) const {
    for (const auto& [name, held] : part.held) {
      if (!IsShared(name)) continue;
      for (const int32_t v : held.values) TensorAt(part.method, v).data_index = 0;
    }
  }

  // Blocks and activations of every method.
  Fault TakeApart() {
    std::set<std::string> names;
    for (const auto& [name, form] : parts_.shared) names.insert(name);
    const std::vector<meaning::ProgramMeaning> meant = MeaningOfSources();
    std::vector<size_t> next(files_.size());  // method of the file's source
    for (LinkPart& part : parts_.parts) {
      const meaning::MethodMeaning& method = meant[part.file].methods[next[part.file]++];
      apart_.push_back(StateBlocksOf(method, kSharedBank, names, options_.pack));
      for (const StateBlock& block : apart_.back().blocks) {
        if (block.buffers.empty()) {
          linked_.nameless.push_back("value " + std::to_string(block.values.front()) + " in " +
                                     Place(part));
        }
        for (const std::string& name : block.buffers) {
          if (!IsShared(name)) continue;
          const bool alone = block.buffers.size() == 1 &&
                             block.bytes.hi - block.bytes.lo == parts_.shared[name].nbytes;
          if (alone) continue;
          return "buffer '" + name + "' in " + Place(part) +
                 " lies among bytes that the plan uses together with it, so that it cannot move "
                 "alone: export the method without shared storage of views";
        }
      }
      ShiftData(part);
    }
    return std::nullopt;
  }

  // Of each file, by what lies beside it, with the methods' new names.
  [[nodiscard]] std::vector<meaning::ProgramMeaning> MeaningOfSources() {
    std::vector<meaning::ProgramMeaning> meant;
    for (size_t f = 0; f < files_.size(); ++f) {
      const LinkedFile& file = files_[f];
      Manifest& stated = manifests_.emplace_back();
      if (file.manifest != nullptr) stated.buffers = file.manifest->buffers;
      for (size_t m = 0; file.manifest != nullptr && m < file.methods.size(); ++m) {
        const auto found = file.manifest->methods.find(file.program->methods[m].name);
        if (found == file.manifest->methods.end()) continue;
        stated.methods[file.methods[m].name] = found->second;
      }
      meant.push_back(meaning::MeaningOf(linked_.sources[f].program,
                                         file.manifest != nullptr ? &stated : nullptr));
    }
    return meant;
  }

  // Data indices of the new program.
  void ShiftData(const LinkPart& part) {
    for (Tensor& tensor : apart_.back().packed.tensors) {
      if (tensor.data_index == 0) continue;
      const auto& firsts = tensor.planned ? first_initial_ : first_constant_;
      tensor.data_index += firsts[part.file] - 1;
    }
  }

  // Shared buffers by name, whatever methods have them.
  void PlaceShared() {
    std::map<std::string, uint32_t> stored;
    uint64_t end = 0;
    for (const auto& [name, form] : parts_.shared) {
      const uint64_t at = AlignedUp(end, options_.alignment);
      end = at + form.nbytes;
      linked_.shared.push_back({name, form, at, parts_.users[name]});
      if (linked_.init || form.initial.empty()) continue;
      stored[name] = static_cast<uint32_t>(linked_.program.initial_values.size());
      linked_.program.initial_values.push_back(form.initial);
    }
    ends_[kSharedBank] = end;
    const auto reads_beyond = [&](const LinkPart& part) {
      return ReadsBeyond(part.method) && HasShared(part);
    };
    const bool guarded = end > 0 && std::ranges::any_of(parts_.parts, reads_beyond);
    shared_size_ = end + (guarded ? kReadBeyond : 0);
    for (MethodBlocks& each : apart_) {
      for (const StateBlock& block : each.blocks) {
        if (!IsSharedBlock(block)) continue;
        const auto at =
            std::ranges::find(linked_.shared, *block.buffers.begin(), &SharedBuffer::name);
        Lay(each.packed, block, kSharedBank, at->offset);
        const auto data = stored.find(at->name);
        SetStored(each.packed, block, at->name, data == stored.end() ? 0 : data->second);
      }
    }
  }

  // The values that loading sets, or the first one with the name; 0: loading sets none.
  static void SetStored(Method& method, const StateBlock& block, const std::string& name,
                        uint32_t data_index) {
    bool any = false;
    for (const int32_t v : block.values) {
      Tensor& tensor = TensorAt(method, v);
      any = any || tensor.data_index > 0;
      tensor.data_index = tensor.data_index > 0 ? data_index : 0;
    }
    for (const int32_t v : block.values) {
      if (any || method.NameOf(v) != name) continue;
      TensorAt(method, v).data_index = data_index;
      any = true;
    }
  }

  [[nodiscard]] bool HasShared(const LinkPart& part) const {
    return std::ranges::any_of(part.held, [&](const auto& each) { return IsShared(each.first); });
  }

  [[nodiscard]] bool IsSharedBlock(const StateBlock& block) const {
    return !block.buffers.empty() && IsShared(*block.buffers.begin());
  }

  static void Lay(Method& method, const StateBlock& block, uint32_t bank, uint64_t at) {
    for (const int32_t v : block.values) {
      Tensor& tensor = TensorAt(method, v);
      tensor.bank = bank;
      tensor.offset = tensor.offset - block.bytes.lo + at;
    }
  }

  // State of one method each, behind that of the others.
  void PlaceOwn() {
    for (MethodBlocks& each : apart_) {
      std::ranges::stable_sort(each.blocks, {}, &StateBlock::buffers);
      for (const StateBlock& block : each.blocks) {
        if (IsSharedBlock(block)) continue;
        uint64_t& end = ends_[block.bytes.bank];
        const uint64_t at = AlignedUp(end, options_.alignment);
        Lay(each.packed, block, block.bytes.bank, at);
        end = at + (block.bytes.hi - block.bytes.lo);
      }
    }
  }

  // Behind the state of all methods. A bank in which a method has state alone ends behind it.
  void PlaceActivations() {
    for (MethodBlocks& each : apart_) {
      Method& method = each.packed;
      const std::vector<bool> is_state = InBlocks(method, each.blocks);
      const uint64_t alignment =
          std::max(options_.alignment, ActivationAlignment(method, is_state));
      std::vector<uint64_t> starts;
      for (uint32_t bank = 0; bank < method.bank_sizes.size(); ++bank) {
        const uint64_t size = method.bank_sizes[bank];
        starts.push_back(size == 0 ? 0 : AlignedUp(ends_[bank], alignment));
        method.bank_sizes[bank] = size + starts.back();
      }
      for (size_t v = 0; v < method.values.size(); ++v) {
        if (method.values[v].kind != ValueKind::kTensor) continue;
        Tensor& tensor = TensorAt(method, static_cast<int32_t>(v));
        if (!tensor.planned) continue;
        if (is_state[v]) {
          FitState(tensor, each, method);
        } else {
          tensor.offset += starts[tensor.bank];
        }
      }
      TrimBanks(method);
      linked_.program.methods.push_back(std::move(method));
    }
  }

  void FitState(const Tensor& tensor, const MethodBlocks& each, Method& method) const {
    const bool shared = tensor.bank == kSharedBank && tensor.offset < shared_size_;
    const uint64_t guard = tensor.bank < each.guards.size() ? each.guards[tensor.bank] : 0;
    const uint64_t end = shared ? shared_size_ : tensor.offset + tensor.nbytes + guard;
    SetBankSize(method, tensor.bank, std::max(BankSize(method, tensor.bank), end));
  }

  void AddInitialMethod() {
    if (!linked_.init) return;
    std::vector<SetBuffer> buffers;
    for (const SharedBuffer& each : linked_.shared) {
      buffers.push_back(
          {each.name, each.form, {kSharedBank, each.offset, each.offset + each.form.nbytes}});
    }
    linked_.program.methods.push_back(InitialMethod(buffers, shared_size_, linked_.program));
  }

  std::span<const LinkedFile> files_;
  const LinkOptions& options_;
  LinkParts parts_;
  Linked linked_;
  std::vector<uint32_t> first_constant_;  // per file: index in the new program
  std::vector<uint32_t> first_initial_;
  std::vector<MethodBlocks> apart_;  // per part
  std::deque<Manifest> manifests_;   // per file, with the methods' new names
  uint64_t shared_size_ = 0;
  std::map<uint32_t, uint64_t> ends_;  // per bank: of state
};

}  // namespace

Result<Linked, std::string> Link(std::vector<LinkedFile> files, const LinkOptions& options) {
  auto parts = PartsOf(files, options);
  if (!parts.ok()) return parts.error();
  return Linker(files, options, std::move(parts).value()).Go();
}

}  // namespace pteproof::planner
