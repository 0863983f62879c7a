#include "planner/link/parts.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "base/name_fits.h"
#include "planner/lift/webs.h"
#include "planner/link/initial_method.h"
#include "planner/options.h"
#include "planner/state/module_init.h"
#include "runtime/same_program.h"

namespace pteproof::planner {
namespace {

using Fault = std::optional<std::string>;

std::string Quoted(const std::string& name) {
  return "'" + name + "'";
}

class PartsFinder {
 public:
  PartsFinder(std::span<const LinkedFile> files, const LinkOptions& options)
      : files_(files), options_(options) {}

  Result<LinkParts, std::string> Go() {
    for (size_t f = 0; f < files_.size(); ++f) {
      if (auto fault = AddMethods(f)) return *fault;
    }
    std::ranges::sort(found_.parts, {}, [](const LinkPart& part) { return part.method.name; });
    if (auto fault = FindShared()) return *fault;
    for (const std::string& name : names_) {
      if (auto fault = Agree(name)) return *fault;
    }
    if (auto fault = NobodyElseReads()) return *fault;
    return std::move(found_);
  }

 private:
  [[nodiscard]] const Program& ProgramOf(const LinkPart& part) const {
    return *files_[part.file].program;
  }
  [[nodiscard]] std::string Place(const LinkPart& part) const {
    return Quoted(part.method.name) + " of " + files_[part.file].name;
  }

  Fault AddMethods(size_t f) {
    const Program& program = *files_[f].program;
    found_.initial.emplace_back();
    for (size_t m = 0; m < program.methods.size(); ++m) {
      const Method& method = program.methods[m];
      const LinkedMethod& stated = files_[f].methods[m];
      auto initial = InitialValuesOf(program, method);
      if (initial && stated.name == kModuleInit) {
        found_.has_initial = true;
        for (const auto& [name, value] : *initial) names_.insert(name);
        found_.initial.back() = *std::move(initial);
        continue;
      }
      LinkPart part = {.file = f, .number = m, .method = method, .held = {}, .stated = &stated};
      part.method.name = stated.name;
      const auto known = std::ranges::find(found_.parts, stated.name,
                                           [](const LinkPart& p) { return p.method.name; });
      if (known != found_.parts.end()) {
        if (AreOneGetter(*known, part)) continue;
        return "method " + Quoted(stated.name) + " is in " + files_[known->file].name + " and in " +
               files_[f].name + ": give one of them another name with --rename " + files_[f].name +
               ":" + method.name + "=NEW";
      }
      part.held = HeldBuffersOf(method, stated.values);
      for (const auto& [name, held] : part.held) {
        for (const int32_t v : held.values) {
          if (part.method.TensorOf(v)->planned) SetName(part.method, v, name);
        }
      }
      found_.parts.push_back(std::move(part));
    }
    return std::nullopt;
  }

  // Methods that return numbers which were known when the model was exported.
  [[nodiscard]] bool AreOneGetter(const LinkPart& a, const LinkPart& b) const {
    for (const LinkPart* part : {&a, &b}) {
      const bool plain =
          part->method.instructions.empty() &&
          std::ranges::all_of(part->method.bank_sizes, [](uint64_t size) { return size == 0; });
      if (!plain) return false;
    }
    Program of_a = ProgramOf(a);
    Program of_b = ProgramOf(b);
    of_a.methods = {a.method};
    of_b.methods = {b.method};
    of_a.named_data.clear();
    of_b.named_data.clear();
    return SameProgram(of_a, of_b);
  }

  Fault FindShared() {
    std::set<std::string> all;
    std::set<std::string> changed;  // some method has them with a place
    for (const LinkPart& part : found_.parts) {
      for (const auto& [name, held] : part.held) {
        all.insert(name);
        if (held.planned) changed.insert(name);
      }
    }
    for (const std::string& pattern : options_.share) {
      bool any = false;
      for (const std::string& name : changed) {
        if (!NameFits(pattern, name)) continue;
        any = true;
        names_.insert(name);
      }
      if (!any) return NothingMatches(pattern, all, changed);
    }
    for (const LinkedFile& file : files_) {
      for (const std::string& name : file.shared) {
        if (changed.contains(name)) names_.insert(name);
      }
    }
    for (size_t f = 0; f < files_.size(); ++f) {
      if (auto fault = FindSharedWithin(f)) return fault;
    }
    return std::nullopt;
  }

  static std::string NothingMatches(const std::string& pattern, const std::set<std::string>& all,
                                    const std::set<std::string>& changed) {
    std::string text = "--share " + pattern + " names no buffer that a method changes; there ";
    if (changed.empty()) {
      text += all.empty() ? "are no buffers with a name" : "are only constants";
      return text + ": a manifest's `values` can name them";
    }
    text += changed.size() == 1 ? "is" : "are";
    for (const std::string& name : changed) {
      text += (name == *changed.begin() ? " " : ", ") + Quoted(name);
    }
    return text;
  }

  // What methods of one file have at one place in the shared bank is one buffer already.
  Fault FindSharedWithin(size_t file) {
    std::map<std::string, std::vector<BankBytes>> places;
    for (const LinkPart& part : found_.parts) {
      if (part.file != file) continue;
      for (const auto& [name, held] : part.held) {
        if (held.planned) places[name].push_back(BytesOf(part.method, held.values.front()));
      }
    }
    for (const auto& [name, at] : places) {
      const bool one = std::ranges::all_of(at, [&](const BankBytes& b) { return b == at.front(); });
      if (at.size() > 1 && one && at.front().bank == kSharedBank) names_.insert(name);
    }
    return NoNamelessSharing(file);
  }

  Fault NoNamelessSharing(size_t file) const {
    std::vector<std::pair<const LinkPart*, MethodWebs>> all;
    const auto count = std::ranges::count(found_.parts, file, &LinkPart::file);
    if (count < 2) return std::nullopt;
    const auto webs_of = WebsOf(*files_[file].program, files_[file].manifest);
    for (const LinkPart& part : found_.parts) {
      if (part.file == file) all.emplace_back(&part, webs_of[part.number]);
    }
    for (const auto& [part, webs] : all) {
      for (const int32_t v : webs.stateful) {
        if (!part->method.NameOf(v).empty()) continue;
        const BankBytes bytes = BytesOf(part->method, v);
        for (const auto& [other, other_webs] : all) {
          const bool meets = other != part && std::ranges::any_of(other_webs.state, [&](auto& s) {
                               return Meet(s, bytes);
                             });
          if (!meets) continue;
          return "methods " + Quoted(part->method.name) + " and " + Quoted(other->method.name) +
                 " of " + files_[file].name + " may share value " + std::to_string(v) +
                 ", which has no name: name it under `values` in a manifest";
        }
      }
    }
    return std::nullopt;
  }

  Fault Agree(const std::string& name) {
    const LinkPart* first = nullptr;
    BufferForm form;
    for (LinkPart& part : found_.parts) {
      const auto held = part.held.find(name);
      if (held == part.held.end()) continue;
      if (auto fault = CannotBeShared(part, name, held->second)) return fault;
      if (held->second.constant) {
        if (auto fault = AddViews(part, name, held->second)) return fault;
      }
      ++found_.users[name];
      BufferForm own = FormOf(ProgramOf(part), part.method, held->second.values.front());
      const auto& set = found_.initial[part.file];
      const auto by_method = set.find(name);
      if (by_method != set.end()) {
        if (held->second.constant && !std::ranges::equal(own.initial, by_method->second)) {
          return OtherValues(name, part, part);
        }
        own.initial = by_method->second;
      }
      if (first == nullptr) {
        first = &part;
        form = std::move(own);
        continue;
      }
      if (auto fault = Disagree(name, *first, form, part, own)) return fault;
    }
    if (first != nullptr) found_.shared[name] = std::move(form);
    return std::nullopt;
  }

  [[nodiscard]] Fault Disagree(const std::string& name, const LinkPart& a, const BufferForm& form_a,
                               const LinkPart& b, const BufferForm& form_b) const {
    const std::string words_a = TypeWords(form_a);
    const std::string words_b = TypeWords(form_b);
    if (words_a != words_b || form_a.dim_order != form_b.dim_order) {
      const char* order = words_a == words_b ? ", with another order of dimensions" : "";
      return "buffer " + Quoted(name) + " is " + words_a + " in " + Place(a) + " and " + words_b +
             order + " in " + Place(b) + ": methods share buffers of one type and size";
    }
    if (!std::ranges::equal(form_a.initial, form_b.initial)) return OtherValues(name, a, b);
    return std::nullopt;
  }

  [[nodiscard]] std::string OtherValues(const std::string& name, const LinkPart& a,
                                        const LinkPart& b) const {
    return "buffer " + Quoted(name) + " starts with other values in " + Place(a) + " than in " +
           Place(b) + ": export both from one instance of the model";
  }

  [[nodiscard]] Fault CannotBeShared(const LinkPart& part, const std::string& name,
                                     const HeldBuffer& held) const {
    const std::string where = "buffer " + Quoted(name) + " in " + Place(part);
    const Method& method = part.method;
    const Tensor& first = *method.TensorOf(held.values.front());
    for (const int32_t v : held.values) {
      const Tensor& tensor = *method.TensorOf(v);
      if (tensor.external) return where + " lies outside the file: it cannot become state";
      if (!tensor.planned && tensor.data_index == 0) {
        return where + " has no place: the caller sets its memory";
      }
      if (tensor.planned != first.planned) return where + " is a constant and also state";
      const bool apart = tensor.planned && (BytesOf(method, v) != BytesOf(method, held.values[0]));
      if (apart) return where + " lies at several places: one method has several buffers";
    }
    const auto on_device = [&](const BankDevice& each) {
      return first.planned && each.bank == static_cast<int32_t>(first.bank);
    };
    if (std::ranges::any_of(method.bank_devices, on_device)) {
      return where + " lies on a device: loaders share no bank of a device";
    }
    return std::nullopt;
  }

  // A view of a constant has its data, and no name. It stands behind the inputs in the order of
  // values, and constants of the model before them.
  [[nodiscard]] Fault AddViews(LinkPart& part, const std::string& name, HeldBuffer& held) const {
    const Method& method = part.method;
    const int32_t last_input = method.inputs.empty() ? -1 : std::ranges::max(method.inputs);
    const std::vector<int32_t> named = held.values;
    const Tensor& base = *method.TensorOf(named.front());
    for (size_t v = 0; v < method.values.size(); ++v) {
      const auto value = static_cast<int32_t>(v);
      const Tensor* tensor = method.TensorOf(value);
      const bool same = tensor != nullptr && !tensor->planned && !tensor->external &&
                        tensor->data_index == base.data_index;
      if (!same || value <= std::max(last_input, named.front()) || HasName(part, value)) continue;
      if (!IsTouched(method, value)) continue;
      if (OthersHold(part, base.data_index, named, last_input)) {
        return "value " + std::to_string(value) + " in " + Place(part) +
               " may be a view of buffer " + Quoted(name) +
               " or of another constant with the same bytes: name the value under "
               "`values` in the manifest if it is the buffer's";
      }
      held.values.push_back(value);
    }
    return std::nullopt;
  }

  static bool HasName(const LinkPart& part, int32_t value) {
    return std::ranges::any_of(part.held, [&](const auto& each) {
      return std::ranges::find(each.second.values, value) != each.second.values.end();
    });
  }

  // Also as an item of a list.
  static bool IsTouched(const Method& method, int32_t value) {
    const auto is_value = [&](int32_t v) {
      const Value& held = method.values[static_cast<size_t>(v)];
      if (held.kind == ValueKind::kTensor || !IsTensorLike(held.kind)) return v == value;
      return std::ranges::find(method.Ints(held.items), value) != method.Ints(held.items).end();
    };
    const auto names = [&](const Instruction& each) {
      return std::ranges::any_of(method.Ints(each.args), is_value) ||
             (each.kind == InstructionKind::kMove && is_value(each.target));
    };
    return std::ranges::any_of(method.outputs, is_value) ||
           std::ranges::any_of(method.instructions, names);
  }

  // Whether another constant of the model has these data.
  static bool OthersHold(const LinkPart& part, uint32_t data_index,
                         const std::vector<int32_t>& named, int32_t last_input) {
    const Method& method = part.method;
    for (int32_t v = 0; v < static_cast<int32_t>(method.values.size()); ++v) {
      const Tensor* tensor = method.TensorOf(v);
      const bool same = tensor != nullptr && !tensor->planned && tensor->data_index == data_index;
      if (same && std::ranges::find(named, v) == named.end() &&
          (last_input < 0 || v < last_input)) {
        return true;
      }
    }
    return false;
  }

  // A method that reads a shared buffer has to hold it.
  Fault NobodyElseReads() const {
    for (const LinkPart& part : found_.parts) {
      for (const std::string& name : part.stated->reads) {
        if (!found_.shared.contains(name) || part.held.contains(name)) continue;
        const std::string where = "method " + Place(part) + " uses buffer " + Quoted(name) +
                                  ", and no value of it is the buffer: ";
        return where + (part.method.delegates.empty()
                            ? "its value was folded into other constants when the method was "
                              "exported"
                            : "a delegate holds its value inside, or it was folded into other "
                              "constants when the method was exported");
      }
    }
    return std::nullopt;
  }

  std::span<const LinkedFile> files_;
  const LinkOptions& options_;
  std::set<std::string> names_;  // of shared buffers
  LinkParts found_;
};

}  // namespace

Result<LinkParts, std::string> PartsOf(std::span<const LinkedFile> files,
                                       const LinkOptions& options) {
  return PartsFinder(files, options).Go();
}

}  // namespace pteproof::planner
