// Lowering what a file registers outside its tests: each test gets the operators that it uses.
#include "language/lowerer.h"

namespace plumbline::program {
namespace {

constexpr std::string_view kOps = "torch.ops.";
constexpr std::string_view kOfLibrary = "torch.library.";

/// The first argument of a call; null if there is none.
const Expression* first_of(const Invocation& call) { return call.positional.empty() ? nullptr : &call.positional[0]; }

/// Collects the namespaces that a test uses.
class Uses {
 public:
  explicit Uses(const Program& program) : program_(program) {
    for (const Registration& one : program.registrations) {
      const auto* assign = std::get_if<Assign>(&one.line.node);
      const auto* call = assign == nullptr ? nullptr : std::get_if<Invocation>(&assign->value.node);
      const Expression* space = call == nullptr ? nullptr : first_of(*call);
      if (space == nullptr) continue;
      if (assign->targets.size() == 1 && string_in(*space) != nullptr)
        libraries_[assign->targets[0]] = *string_in(*space);
      registrations_.push_back(call);
    }
  }

  std::set<std::string> of(const Function& test) {
    function(test);
    // A kernel of a used namespace may use another one.
    for (std::size_t before = 0; before != spaces_.size();) {
      before = spaces_.size();
      for (const Invocation* call : registrations_)
        if (spaces_.contains(space_of(*call))) arguments(*call);
      for (const Function& kernel : program_.functions)
        for (const Expression& decorator : kernel.decorators)
          if (spaces_.contains(space_of(std::get<Invocation>(decorator.node)))) function(kernel);
    }
    return std::move(spaces_);
  }

 private:
  /// The namespace that a call is about; empty if it names none.
  std::string space_of(const Invocation& call) const {
    const std::string callee = dotted_name(*call.callee);
    const Expression* first = first_of(call);
    if (!callee.starts_with(kOfLibrary)) return library(callee.substr(0, callee.find('.')));
    if (first == nullptr) return "";
    if (const auto* name = std::get_if<Name>(&first->node)) return library(name->id);
    const std::string* text = string_in(*first);
    return text == nullptr ? "" : text->substr(0, text->find("::"));
  }
  std::string library(const std::string& name) const {
    const auto found = libraries_.find(name);
    return found == libraries_.end() ? "" : found->second;
  }

  void function(const Function& one) {
    if (!seen_.insert(&one).second) return;
    each_expression(one.body, [this](const Expression& e) { look(e); });
  }

  void look(const Expression& e) {
    if (const auto* name = std::get_if<Name>(&e.node)) return named(name->id);
    if (const auto* call = std::get_if<Invocation>(&e.node)) return asks_of(*call);
    if (!std::holds_alternative<Attribute>(e.node)) return;
    const std::string path = dotted_name(e);
    if (path.starts_with(kOps)) spaces_.insert(path.substr(kOps.size(), path.find('.', kOps.size()) - kOps.size()));
  }
  void asks_of(const Invocation& call) {
    const std::string callee = dotted_name(*call.callee);
    if ((callee.starts_with(kOfLibrary) || is_query(callee)) && first_of(call) != nullptr)
      if (const std::string* text = string_in(*first_of(call))) spaces_.insert(text->substr(0, text->find("::")));
  }
  void arguments(const Invocation& call) {
    const auto see = [this](const Expression& e) { look(e); };
    asks_of(call);
    for (const Expression& item : call.positional) each_expression(item, see);
    for (const auto& [keyword, value] : call.keywords) each_expression(value, see);
  }
  void named(const std::string& name) {
    for (const Function& one : program_.functions)
      if (one.name == name) function(one);
    for (const Class& one : program_.classes)
      if (one.name == name)
        for (const Function& method : one.methods) function(method);
  }

  const Program& program_;
  std::vector<const Invocation*> registrations_;
  std::map<std::string, std::string> libraries_;  ///< the namespace, by the library's name
  std::set<const Function*> seen_;
  std::set<std::string> spaces_;
};

/// Adds the names that lines assign or define, also those inside functions.
void collect_names(const Block& lines, std::set<std::string>& names);
void collect_names(const Function& function, std::set<std::string>& names) {
  names.insert(function.name);
  names.insert(function.parameters.begin(), function.parameters.end());
  collect_names(function.body, names);
}
void collect_names(const Block& lines, std::set<std::string>& names) {
  for (const Line& line : lines) {
    if (const auto* assign = std::get_if<Assign>(&line.node))
      names.insert(assign->targets.begin(), assign->targets.end());
    if (const auto* with = std::get_if<With>(&line.node)) collect_names(with->body, names);
    if (const auto* define = std::get_if<Define>(&line.node)) collect_names(*define->function, names);
  }
}

}  // namespace

std::set<std::string> names_in(const Program& program) {
  std::set<std::string> names(program.imports.begin(), program.imports.end());
  for (const Function& function : program.functions) collect_names(function, names);
  for (const Registration& one : program.registrations) collect_names(Block{one.line}, names);
  for (const Class& definition : program.classes) {
    names.insert(definition.name);
    for (const Function& method : definition.methods) collect_names(method, names);
  }
  return names;
}

std::set<std::string> namespaces_of(const Program& program, const Function& test) { return Uses(program).of(test); }

/// Runs the registrations and the decorators in the file's order, as Python does when it imports the file.
void Lowerer::module() {
  spaces_ = namespaces_of(program_, function_);
  scope_.frames().push_back(Frame{"", "", {}});
  in_module_ = true;
  auto next = program_.registrations.begin();
  const auto registrations = [&] {
    for (; next != program_.registrations.end() && next->before <= functions_above_; ++next) line(next->line, false);
  };
  for (const Function& function : program_.functions) {
    registrations();
    decorate({&function, nullptr});
    ++functions_above_;
  }
  registrations();
  in_module_ = false;
}

}  // namespace plumbline::program
