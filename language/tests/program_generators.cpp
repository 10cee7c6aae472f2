// RapidCheck generators of programs (syntax trees).
#include "language/tests/program_generators.h"

#include <set>

#include "language/guards.h"
#include "language/key_steps.h"
#include "language/observe.h"
#include "language/refusal.h"
#include "language/tests/program_random.h"

namespace plumbline::program {
namespace {

using namespace random;

const std::string kImpl = "torch.library.impl";

std::string identifier() {
  static const std::string letters = "abcxyzABZ_";
  std::string name;
  for (int i = 0, n = 1 + below(6); i < n; ++i)
    name += i > 0 && chance(20) ? static_cast<char>('0' + below(10)) : letters[below(letters.size())];
  return is_python_keyword(name) ? name + "_" : name;
}

std::string comment() {
  static const std::vector<std::string> pieces{"a", "INF-03", "  b", "#", "\"", "\u00e9", "def f():", "'"};
  std::string out;
  for (int i = 0, n = 1 + below(3); i < n; ++i) out += pieces[below(pieces.size())];
  return out;
}

Expression dotted_expression() {
  Expression e{Name{identifier()}, {}};
  for (int i = 0, n = below(4); i < n; ++i)
    e = {Attribute{std::make_shared<const Expression>(std::move(e)), identifier()}, {}};
  return e;
}

Expression value(int depth) {
  switch (below(depth > 0 ? 9 : 7)) {
    case 0:
      return {NoneLiteral{}, {}};
    case 1:
      return {*arbitrary<bool>(), {}};
    case 2:
      return {integer(), {}};
    case 3:
      return {real(), {}};
    case 4:
      return {text(), {}};
    case 5:
      return {Name{identifier()}, {}};
    case 6:
      return dotted_expression();
    default: {
      Expressions items;
      for (int i = 0, n = below(4); i < n; ++i) items.push_back(value(depth - 1));
      return chance(50) ? Expression{List{std::move(items)}, {}} : Expression{Tuple{std::move(items)}, {}};
    }
  }
}

Expression call() {
  Invocation call{std::make_shared<const Expression>(dotted_expression()), {}, {}};
  for (int i = 0, n = below(4); i < n; ++i) call.positional.push_back(value(2));
  std::set<std::string> names;
  for (int i = 0, n = below(3); i < n; ++i)
    if (const std::string name = identifier(); names.insert(name).second) call.keywords.emplace_back(name, value(2));
  return {std::move(call), {}};
}

/// The only call that may contain a call.
Expression guard_of_keys() {
  return call_of(std::string(kExcludeGuard), {call_of(std::string(kKeySet), {dotted_expression()})});
}

/// `f.default.redispatch(KEYS, …)`: the other call that may contain calls, and masks.
Expression redispatch() {
  return call_of(identifier() + ".default.redispatch", {key_steps_expression("ks", key_steps(true)), value(1)});
}

Block block(int depth);
Function function(int depth, bool of_class = false);

Line line(int depth) {
  Line line{Pass{}, {}, chance(25) ? comment() : ""};
  switch (below(depth > 0 ? 9 : 7)) {
    case 0:
      line.node = Assign{{},
                         false,
                         chance(20)   ? Expression{Name{identifier()}, {}}
                         : chance(20) ? redispatch()
                                      : call()};
      break;
    case 1: {
      Assign assign{{}, false, chance(70) ? call() : value(2)};
      for (int i = 0, n = 1 + below(3); i < n; ++i) assign.targets.push_back(identifier());
      assign.unpack = assign.targets.size() > 1 || chance(30);
      line.node = std::move(assign);
      break;
    }
    case 2:
      line.node = SetAttribute{identifier(), identifier(), value(1)};
      break;
    case 3:
      line.node = Assert{chance(50) ? call() : dotted_expression(),
                         *element(Relation::equal, Relation::is, Relation::is_not), value(3)};
      break;
    case 4:
      line.node = Return{chance(20) ? std::nullopt : std::optional(chance(50) ? call() : value(1))};
      break;
    case 5:
      if (chance(50)) line.node = Raise{call()};
      break;
    case 6:
      line = Line{Remark{}, {}, comment()};
      break;
    case 7:
      line = Line{Define{std::make_shared<const Function>(function(depth - 1))}, {}, ""};
      break;
    default:
      line.node = With{chance(20) ? guard_of_keys() : call(), block(depth - 1)};
  }
  return line;
}

Block block(int depth) {
  Block block;
  for (int i = 0, n = below(4); i < n; ++i) block.push_back(line(depth));
  block.push_back(Line{Pass{}, {}, ""});  // a block cannot have only comments
  if (chance(30)) block.push_back(Line{Remark{}, {}, comment()});
  return block;
}

std::vector<std::string> comments() {
  std::vector<std::string> lines;
  for (int i = 0, n = chance(50) ? 0 : 1 + below(2); i < n; ++i) lines.push_back(comment());
  return lines;
}

Function function(int depth, bool of_class) {
  Function f;
  f.name = identifier();
  std::set<std::string> parameters;
  for (int k = 0, m = below(3); k < m; ++k) parameters.insert(identifier());
  f.parameters.assign(parameters.begin(), parameters.end());
  f.body = block(depth);
  if (!of_class && chance(20)) {
    f.parameters.emplace_back("*args");
    f.body.push_back(Line{Return{call_of(identifier(), {value(1), {Starred{"args"}, {}}})}, {}, ""});
  }
  if (chance(30)) f.comment = comment();
  for (int i = chance(80) ? 0 : 1 + below(2); i > 0; --i) f.decorators.push_back(call_of(kImpl, {value(1), value(1)}));
  return f;
}

Registration a_registration(std::size_t before) {
  Line line{Assign{{}, false, call_of(chance(50) ? kImpl : identifier() + ".define", {value(1)})}, {}, ""};
  if (chance(30)) line.node = Assign{{identifier()}, false, call_of("torch.library.Library", {value(1), value(1)})};
  if (chance(20)) line.node = Assign{{}, false, call_of(identifier() + "._destroy", {})};
  if (chance(30)) line.comment = comment();
  return {std::move(line), before, comments()};
}

Class a_class(std::size_t before) {
  Class made;
  made.name = identifier();
  made.before = before;
  for (int i = 0, n = 1 + below(2); i < n; ++i) {
    made.methods.push_back(function(1, true));
    made.methods.back().decorators.clear();
    made.methods.back().comments_above = comments();
  }
  made.comments_above = comments();
  if (chance(30)) made.comment = comment();
  made.comments_below = comments();
  return made;
}

Program program() {
  Program p;
  p.file = "a.py";
  p.header = comments();
  if (chance(70)) p.imports = *element(std::vector<std::string>{"torch"}, std::vector<std::string>{"pytest", "torch"});
  p.thread_errors = chance(20);
  for (int i = 0, n = 1 + below(3); i < n; ++i) {
    if (chance(30)) p.classes.push_back(a_class(p.functions.size()));
    if (chance(30)) p.registrations.push_back(a_registration(p.functions.size()));
    p.functions.push_back(function(2));
    p.functions.back().comments_above = comments();
  }
  if (chance(20)) p.classes.push_back(a_class(p.functions.size()));
  if (chance(20)) p.registrations.push_back(a_registration(p.functions.size()));
  p.footer = comments();
  return p;
}

}  // namespace

rc::Gen<Program> any_program() {
  return rc::gen::exec([] { return program(); });
}

}  // namespace plumbline::program
