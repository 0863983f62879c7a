#include "tests/cli/verbs/forged_manifests.h"

#include <nlohmann/json.hpp>
#include <set>
#include <string_view>
#include <utility>

#include "base/finding_names.h"
#include "pteproof/rules.h"
#include "runtime/sha256.h"

namespace pteproof {
namespace {

using Json = nlohmann::json;

// One claim about every method.
template <class Claim>
Json OfMethods(const Program& program, const Claim& claim) {
  Json methods = Json::object();
  for (const Method& method : program.methods) methods[method.name] = claim(method);
  return {{"methods", methods}};
}

std::set<std::string> BufferNames(const Program& program) {
  std::set<std::string> names;
  for (const Method& method : program.methods) {
    for (size_t v = 0; v < method.values.size(); ++v) {
      const std::string name(method.NameOf(static_cast<int32_t>(v)));
      if (!name.empty()) names.insert(name);
    }
  }
  return names;
}

// One claim about every buffer, which nobody then has to read or to write.
Json OfBuffers(const Program& program, const Json& claim) {
  Json buffers = Json::object();
  for (const std::string& name : BufferNames(program)) buffers[name] = claim;
  return {{"buffers", buffers}};
}

Json TensorInputs(const Method& method) {
  Json positions = Json::array();
  for (size_t k = 0; k < method.inputs.size(); ++k) {
    if (method.TensorOf(method.inputs[k]) != nullptr) positions.push_back(k);
  }
  return positions;
}

Json Outputs(const Method& method, const Json& output) {
  Json outputs = Json::array();
  for (size_t k = 0; k < method.outputs.size(); ++k) outputs.push_back(output);
  return outputs;
}

Json OwnOutputs(const Method& method) {
  Json outputs = Json::array();
  for (size_t k = 0; k < method.outputs.size(); ++k) {
    outputs.push_back({{"value", "result"}, {"same_as", k}});
  }
  return outputs;
}

Json Inputs(const Method& method, const Json& input) {
  Json inputs = Json::array();
  for (size_t k = 0; k < method.inputs.size(); ++k) {
    Json each = input;
    each["name"] = "x" + std::to_string(k);
    inputs.push_back(std::move(each));
  }
  return inputs;
}

Json Delegates(const Method& method, bool all_outputs) {
  Json calls = Json::array();
  for (const Instruction& at : method.instructions) {
    if (at.kind != InstructionKind::kDelegateCall) continue;
    const uint32_t outputs = all_outputs ? at.args.count : 0;
    calls.push_back({{"index", calls.size()}, {"outputs", outputs}, {"updates", Json::array()}});
  }
  return calls;
}

// Every tensor that is planned is the one buffer "forged".
Json Values(const Method& method) {
  Json values = Json::object();
  for (size_t v = 0; v < method.values.size(); ++v) {
    const Tensor* tensor = method.TensorOf(static_cast<int32_t>(v));
    if (tensor != nullptr && tensor->planned) values[std::to_string(v)] = "forged";
  }
  return values;
}

Json AllNames(const Program& program) {
  return Json(BufferNames(program));
}

Json Suppressions(std::string_view reason) {
  Json list = Json::array();
  for (const RuleInfo& rule : PlanRules()) {
    list.push_back({{"rule", rule.name}, {"reason", reason}});
  }
  return {{"suppress", list}};
}

// Operators that no table knows are said to write nothing.
Json Operators(const Program& program) {
  Json signatures = Json::array();
  std::set<std::string> known;
  for (const Method& method : program.methods) {
    for (const Operator& op : method.operators) {
      if (op.schema != nullptr || !known.insert(op.name).second) continue;
      signatures.push_back(op.name + "(Tensor x, *, Tensor(a!) out) -> Tensor(a!)");
    }
  }
  return {{"operators", signatures}};
}

class Forger {
 public:
  Forger(const Program& program, Bytes file) : program_(program), file_(file) {}

  std::vector<ForgedManifest> Run() {
    Plain();
    Buffers();
    Methods();
    Mixed();
    return std::move(forged_);
  }

 private:
  void Add(std::string name, Json claims) {
    claims["pteproof"] = 1;
    forged_.push_back(
        {std::move(name), claims.dump(-1, ' ', true, Json::error_handler_t::replace)});
  }

  void Plain() {
    for (const char* policy : {"private", "share-1-2", "share-all"}) {
      Add(std::string("policy ") + policy, {{"policy", policy}});
    }
    Add("load", {{"load", "all-first"}});
    if (!program_.methods.empty()) Add("calls of one", {{"calls", program_.methods[0].name + "?"}});
    std::string once;
    for (const Method& method : program_.methods) once += method.name + " ";
    Add("calls once", {{"calls", once}});
    Add("suppress", Suppressions("known"));
    Add("operators", Operators(program_));
    Add("program_sha256", {{"program_sha256", Sha256Hex(file_)}});
    Add("program_sha256 of another file", {{"program_sha256", std::string(64, '0')}});
    Add("an unknown key", {{"verified", "at export"}});
  }

  void Buffers() {
    Add("buffers none", {{"buffers", Json::object()}});
    for (const char* initial : {"zero", "any", "stored"}) {
      Add(std::string("buffers.initial ") + initial, OfBuffers(program_, {{"initial", initial}}));
    }
    Add("buffers.initial_sha256",
        OfBuffers(program_, {{"initial", "stored"}, {"initial_sha256", std::string(64, 'a')}}));
    for (const bool shared : {false, true}) {
      Add(shared ? "buffers.shared" : "buffers not shared",
          OfBuffers(program_, {{"shared", shared}}));
    }
    Json names = Json::object();
    for (const Method& method : program_.methods) names[method.name] = AllNames(program_);
    const bool named = !AllNames(program_).empty();
    if (named) Add("buffers.names", {{"buffers", {{"forged", {{"names", names}}}}}});
    Add("buffers.sizes", OfBuffers(program_, {{"dtype", "uint8"}, {"sizes", {1}}}));
  }

  void Methods() {
    const auto add = [&](std::string name, const auto& claim) {
      Add("methods." + std::move(name), OfMethods(program_, claim));
    };
    add("reads none", [](const Method&) { return Json{{"reads", Json::array()}}; });
    add("mutates none", [](const Method&) { return Json{{"mutates", Json::array()}}; });
    add("mutates all", [&](const Method&) { return Json{{"mutates", AllNames(program_)}}; });
    add("mutates_inputs none",
        [](const Method&) { return Json{{"mutates_inputs", Json::array()}}; });
    add("mutates_inputs",
        [](const Method& method) { return Json{{"mutates_inputs", TensorInputs(method)}}; });
    add("in_place_inputs",
        [](const Method& method) { return Json{{"in_place_inputs", TensorInputs(method)}}; });
    add("inputs", [](const Method& method) { return Json{{"inputs", Inputs(method, {})}}; });
    add("inputs.range", [](const Method& method) {
      return Json{{"inputs", Inputs(method, {{"range", {{"min", 0}, {"max", 0}}}})}};
    });
    add("outputs.value", [](const Method& method) {
      return Json{{"outputs", Outputs(method, {{"value", "result"}})}};
    });
    add("outputs.same_as",
        [](const Method& method) { return Json{{"outputs", OwnOutputs(method)}}; });
    add("outputs.same_as the first", [](const Method& method) {
      return Json{{"outputs", Outputs(method, {{"value", "result"}, {"same_as", 0}})}};
    });
    add("outputs.of_input", [](const Method& method) {
      return Json{{"outputs", Outputs(method, {{"value", "entry"}, {"of_input", 0}})}};
    });
    add("outputs.of", [&](const Method& method) {
      const Json names = AllNames(program_);
      const Json output = {{"value", "entry"}, {"of", names.empty() ? Json("forged") : names[0]}};
      return Json{{"outputs", Outputs(method, output)}};
    });
    add("outputs.of_parameter", [](const Method& method) {
      return Json{{"outputs", Outputs(method, {{"value", "entry"}, {"of_parameter", "w"}})}};
    });
    for (const bool all : {false, true}) {
      add(all ? "delegates of outputs" : "delegates without outputs",
          [&](const Method& method) { return Json{{"delegates", Delegates(method, all)}}; });
    }
    add("values", [](const Method& method) { return Json{{"values", Values(method)}}; });
  }

  // What sounds best: of the right program, verified, and nothing is left to be asked.
  void Mixed() {
    Json all = {{"program_sha256", Sha256Hex(file_)}, {"load", "all-first"}};
    all.update(Suppressions("verified at export"));
    all.update(OfMethods(program_, [](const Method& method) {
      return Json{{"reads", Json::array()},
                  {"mutates", Json::array()},
                  {"mutates_inputs", Json::array()},
                  {"in_place_inputs", TensorInputs(method)},
                  {"delegates", Delegates(method, false)}};
    }));
    all["buffers"] = Json::object();
    for (const char* policy : {"private", "share-1-2", "share-all"}) {
      all["policy"] = policy;
      Add(std::string("verified at export, ") + policy, all);
    }
    all["program_sha256"] = std::string(64, 'f');
    Add("verified at export, of another file", all);
  }

  const Program& program_;
  Bytes file_;
  std::vector<ForgedManifest> forged_;
};

}  // namespace

std::vector<ForgedManifest> ForgedManifests(const Program& program, Bytes file) {
  return Forger(program, file).Run();
}

}  // namespace pteproof
