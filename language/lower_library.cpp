// Lowering the forms of `torch.library`: libraries, define and impl, as calls and as decorators.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "language/lowerer.h"
#include "language/print.h"

namespace plumbline::program {
namespace {

constexpr std::string_view kDefine = "torch.library.define";
constexpr std::string_view kImpl = "torch.library.impl";
constexpr std::string_view kDefineForm = "torch.library.define(\"mine::f\", \"(Tensor(a!) x) -> Tensor(a!)\")";
constexpr std::string_view kImplForm = "torch.library.impl(\"mine::f\", \"CPU\", kernel)";

/// The namespace of fallbacks.
constexpr std::string_view kSpaceOfAll = "_";

/// The string that is argument `index`; null if there is none.
const std::string* string_at(const Invocation& call, std::size_t index) {
  return index < call.positional.size() ? string_in(call.positional[index]) : nullptr;
}

}  // namespace

void Lowerer::need_own_namespace(const std::string& space, Place place) const {
  if (space == "aten" || space == kSpaceOfAll)
    fail(place, fmt::format("the namespace is \"{}\"", space),
         fmt::format("A program defines operators in a namespace of its own{}",
                     space == "aten" ? "" : ", and fallbacks in a library of the kind \"IMPL\""));
}

void Lowerer::need_registering(std::string_view function, Place place, const Targets& targets) const {
  if (!targets.names.empty())
    fail(place, fmt::format("what {} returns is assigned to a name", function), "Write the call alone");
  if (in_kernel_ || in_backward_ || transforming_ || !contexts_.empty())
    fail(place, fmt::format("{} is called in a kernel, a method, a hook or the body of a transform", function),
         "Define operators in the test itself, or outside the tests");
}

void Lowerer::need_usable(const CustomLibrary& library, Place place, bool ends) const {
  if (library.ended)
    fail(place, fmt::format("the library {} has ended", library.name), "Make another one, with another name");
  if (!library.of_module || in_module_) return;
  fail(place, fmt::format("a test {} a library of the file", ends ? "ends" : "registers something in"),
       fmt::format("It would {} for the tests after it: make a library in the test, as in "
                   "`own = torch.library.Library(\"{}\", \"FRAGMENT\")`",
                   ends ? "be gone" : "stay there", library.space));
}

void Lowerer::need_library_kept(const std::string& name, bool by_library, Place place) {
  const auto& names = scope_.frame().names;
  const auto found = names.find(name);
  const auto* library = found == names.end() ? nullptr : std::get_if<std::shared_ptr<CustomLibrary>>(&found->second);
  if (library == nullptr || (*library)->ended) return;
  if (by_library)
    fail(place, fmt::format("there are two libraries called {}", name),
         "Rename one: Python ends the first, with its operators");
  fail(place, fmt::format("'{}' is the name of a library", name),
       "Use another name: Python ends a library whose name is assigned again");
}

/// `lib = torch.library.Library("mine", "FRAGMENT")`.
void Lowerer::make_library(const Invocation& call, Place place, const Targets& targets) {
  need_registering(kLibraryClass, place, {});
  constexpr std::string_view kForm = "Write `lib = torch.library.Library(\"mine\", \"FRAGMENT\")`";
  const bool two = call.positional.size() == 2 && call.keywords.empty();
  const std::string* space = two ? string_at(call, 0) : nullptr;
  const std::string* kind = two ? string_at(call, 1) : nullptr;
  const auto found = kind == nullptr ? kLibraryKindNames.end() : std::ranges::find(kLibraryKindNames, *kind);
  if (space == nullptr || found == kLibraryKindNames.end())
    fail(place, "torch.library.Library does not take these arguments", std::string(kForm));
  if (*space != kSpaceOfAll || *kind != "IMPL") need_own_namespace(*space, start_of(call.positional[0]));
  if (*space == kSpaceOfAll && in_module_)
    fail(place, "a library of fallbacks is made outside the tests",
         "Its fallbacks would serve every test: make it in the test");
  if (targets.unpack || targets.names.size() != 1)
    fail(place, "the library is not assigned to a name", std::string(kForm));
  if (!returns_.empty())
    fail(place, "a library is made in a function", "Make it in the test: Python ends it when the function returns");
  const std::string& name = targets.names[0];
  if (!leaves_out(*space)) {
    if (!libraries_.insert(name).second)
      fail(targets.place, fmt::format("there are two libraries called {}", name),
           "Rename one: each library of a test has a name of its own");
    emit(MakeLibrary{name, *space, static_cast<MakeLibrary::Kind>(found - kLibraryKindNames.begin())}, targets.line);
  }
  bind(targets, std::make_shared<CustomLibrary>(CustomLibrary{name, *space, in_module_}), place);
}

std::shared_ptr<CustomLibrary> Lowerer::library_named(const Expression& expression) {
  const auto* name = std::get_if<Name>(&expression.node);
  const Binding* binding = name == nullptr ? nullptr : find(name->id);
  const auto* library = binding == nullptr ? nullptr : std::get_if<std::shared_ptr<CustomLibrary>>(binding);
  if (library == nullptr)
    fail(start_of(expression), fmt::format("{} is not a library", print(expression)),
         "Make one: `lib = torch.library.Library(\"mine\", \"FRAGMENT\")`");
  need_usable(**library, start_of(expression), false);
  return *library;
}

/// `lib.define(…)`, `lib.impl(…)`, `lib.fallback(…)` and `lib._destroy()`.
void Lowerer::library_call(const std::shared_ptr<CustomLibrary>& library, const Expression& callee,
                           const Invocation& call, const Targets& targets) {
  const std::string& name = std::get<Attribute>(callee.node).name;
  if (name != "define" && name != "impl" && name != "fallback" && name != "_destroy")
    fail(
        callee.place, fmt::format("a library has no '{}' in programs", name),
        "It has lib.define(\"f(Tensor x) -> Tensor\"), lib.impl(\"f\", kernel, \"CPU\"), lib.fallback(kernel, \"CPU\") "
        "and lib._destroy()");
  need_registering("lib." + name, callee.place, targets);
  need_usable(*library, callee.place, name == "_destroy");
  if (name == "_destroy") return destroy(*library, call, callee.place);
  if (name != "define") return implement(registered(library, call, callee.place, name == "fallback"));
  const bool one = call.positional.size() == 1 && call.keywords.empty();
  const std::string* schema = one ? string_at(call, 0) : nullptr;
  define_operator(library, library->space, schema == nullptr ? std::nullopt : std::optional(*schema),
                  "lib.define(\"add_one_(Tensor(a!) x) -> Tensor(a!)\")", callee.place);
}

void Lowerer::destroy(CustomLibrary& library, const Invocation& call, Place place) {
  if (!call.positional.empty() || !call.keywords.empty())
    fail(place, "lib._destroy takes no arguments", "Write `lib._destroy()`");
  library.ended = true;
  if (!leaves_out(library.space)) emit(DropLibrary{library.name}, place.line);
}

/// `lib.impl("f", kernel, "CPU")` and `lib.fallback(kernel, "CPU")`.
Lowerer::Registered Lowerer::registered(const std::shared_ptr<CustomLibrary>& library, const Invocation& call,
                                        Place place, bool is_fallback) const {
  const bool keyword = call.keywords.size() == 1 && call.keywords[0].name == "with_keyset";
  const bool* with_keyset = keyword ? std::get_if<bool>(&call.keywords[0].value.node) : nullptr;
  const std::size_t kernel = is_fallback ? 0 : 1;
  const bool fits = call.positional.size() == kernel + 2 && (call.keywords.empty() || with_keyset != nullptr);
  if (!fits || string_at(call, kernel + 1) == nullptr || (!is_fallback && string_at(call, 0) == nullptr))
    fail(place, fmt::format("lib.{} does not take these arguments", is_fallback ? "fallback" : "impl"),
         fmt::format("Write `lib.{}kernel, \"CPU\")`, for a kernel that takes its key set with_keyset=True",
                     is_fallback ? "fallback(" : "impl(\"f\", "));
  return {library,
          library->space,
          is_fallback ? "" : library->space + "::" + *string_at(call, 0),
          kernel_keys(call.positional[kernel + 1], false),
          &call.positional[kernel],
          true,
          place,
          with_keyset != nullptr && *with_keyset,
          is_fallback};
}

std::pair<std::string, std::string> Lowerer::qualified(const Expression& name, std::string_view function) const {
  const std::string* text = string_in(name);
  const std::size_t colons = text == nullptr ? std::string::npos : text->find("::");
  if (colons == std::string::npos || text->find("::", colons + 2) != std::string::npos)
    fail(start_of(name), fmt::format("{} is given {} for an operator", function, print(name)),
         "Write its namespace and its name, as in \"mine::f\"");
  std::pair parts(text->substr(0, colons), text->substr(colons + 2));
  need_own_namespace(parts.first, start_of(name));
  return parts;
}

std::shared_ptr<CustomLibrary> Lowerer::given_library(std::string_view function, const Invocation& call,
                                                      const std::string& space) {
  std::shared_ptr<CustomLibrary> library;
  for (const auto& [name, value] : call.keywords) {
    if (name != "lib")
      fail(start_of(value), fmt::format("{} is given {}=", function, name), "Its only keyword in programs is lib=");
    library = library_named(value);
    if (library->space != space)
      fail(start_of(value), fmt::format("{} is a library of \"{}\"", print(value), library->space),
           fmt::format("The operator's namespace is \"{}\": write a library of it", space));
  }
  return library;
}

/// `types`: one string or several. `devices`: "cpu" and "default" are accepted too.
std::vector<std::string> Lowerer::kernel_keys(const Expression& types, bool devices) const {
  const auto* list = std::get_if<List>(&types.node);
  const auto* tuple = std::get_if<Tuple>(&types.node);
  Expressions items{types};
  if (devices && list != nullptr) items = list->items;
  if (devices && tuple != nullptr) items = tuple->items;
  std::vector<std::string> keys;
  for (const Expression& item : items) {
    const std::string* text = string_in(item);
    std::string key = text == nullptr ? print(item) : *text;
    if (devices && key == "cpu") key = "CPU";
    if (devices && key == "default") key = "CompositeExplicitAutograd";
    if (text == nullptr || key.empty() || (devices && !is_kernel_key(key)))
      fail(start_of(item), fmt::format("a kernel is registered for the key {}", print(item)),
           fmt::format("Write a key's name, as in \"CPU\" or \"Autograd\"{}",
                       devices ? "; \"cpu\" and \"default\" stand for CPU and CompositeExplicitAutograd" : ""));
    if (std::ranges::find(keys, key) == keys.end()) keys.push_back(std::move(key));
  }
  if (keys.empty()) fail(start_of(types), "a kernel is registered for no key", fmt::format("Write `{}`", kImplForm));
  return keys;
}

/// `torch.library.impl("mine::f", "CPU", kernel)`, and the decorator's forms: the same without `kernel`, and
/// `torch.library.impl(lib, "f", "CPU")`.
Lowerer::Registered Lowerer::registered(const Invocation& call, Place place) {
  const bool of_library = !call.positional.empty() && string_at(call, 0) == nullptr;
  const std::size_t count = call.positional.size();
  const bool fits =
      of_library ? count == 3 && string_at(call, 1) != nullptr && call.keywords.empty() : count == 2 || count == 3;
  if (!fits)
    fail(place, "torch.library.impl does not take these arguments",
         fmt::format("Write `{}`, or `@torch.library.impl(lib, \"f\", \"CPU\")` above the kernel", kImplForm));
  if (of_library) {
    const std::shared_ptr<CustomLibrary> library = library_named(call.positional[0]);
    return {library,
            library->space,
            library->space + "::" + *string_at(call, 1),
            kernel_keys(call.positional[2], false),
            nullptr,
            true,
            place};
  }
  const auto [space, name] = qualified(call.positional[0], kImpl);
  return {given_library(kImpl, call, space),
          space,
          space + "::" + name,
          kernel_keys(call.positional[1], true),
          count == 3 ? &call.positional[2] : nullptr,
          false,
          place};
}

void Lowerer::library_function(const std::string& name, const Invocation& call, Place place, const Targets& targets) {
  if (name != kDefine && name != kImpl)
    fail(place, fmt::format("{} is not something that programs can call", name),
         "Of torch.library, programs have Library, define, impl and fallthrough_kernel");
  need_registering(name, place, targets);
  if (name == kDefine) {
    if (call.positional.size() != 2)
      fail(place, "torch.library.define does not take these arguments", fmt::format("Write `{}`", kDefineForm));
    const auto [space, op] = qualified(call.positional[0], kDefine);
    const std::shared_ptr<CustomLibrary> library = given_library(kDefine, call, space);
    const std::string* schema = string_at(call, 1);
    const bool nameless = schema != nullptr && schema->starts_with('(');
    return define_operator(library, space, nameless ? std::optional(op + *schema) : std::nullopt, kDefineForm, place);
  }
  const Registered wanted = registered(call, place);
  if (wanted.kernel == nullptr)
    fail(place, "this call of torch.library.impl has no kernel, so it returns a decorator",
         fmt::format("Write it above a `def`, with '@', or write `{}`",
                     wanted.of_library ? "lib.impl(\"f\", kernel, \"CPU\")" : kImplForm));
  implement(wanted);
}

/// The decorators of a `def`, which run from the lowest up.
void Lowerer::decorate(const NestedFunction& nested) {
  const Expressions& decorators = nested.function->decorators;
  for (std::size_t i = decorators.size(); i-- > 0;) {
    const Place place = decorators[i].place;
    need_import("torch", start_of(decorators[i]));
    need_registering(kImpl, place, {});
    const Registered wanted = registered(std::get<Invocation>(decorators[i].node), place);
    if (wanted.kernel != nullptr)
      fail(start_of(*wanted.kernel), "a decorator is given a kernel", "The kernel is the function below: leave it out");
    if (!wanted.of_library && i > 0)
      fail(place, "this decorator returns nothing, so the one above it gets no function",
           "Write `@torch.library.impl(\"mine::f\", …)` above the other decorators");
    if (!leaves_out(wanted.space)) add_kernels(wanted, nested);
  }
}

bool is_none_once_decorated(const Function& function) {
  return !function.decorators.empty() && string_at(std::get<Invocation>(function.decorators[0].node), 0) != nullptr;
}

}  // namespace plumbline::program
