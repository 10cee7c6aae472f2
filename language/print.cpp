// The canonical layout of a program.
#include "language/print.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "language/trailer.h"

namespace plumbline::program {
namespace {

std::string quoted(const std::string& text) {
  const auto plain = [](char c) { return static_cast<unsigned char>(c) >= 0x20 && c != 0x7F && c != '"'; };
  const bool raw =
      text.find('\\') != std::string::npos && text.back() != '\\' && std::all_of(text.begin(), text.end(), plain);
  if (raw) return "r\"" + text + "\"";
  std::string out = "\"";
  for (const char c : text) {
    switch (c) {
      case '\n':
        out += "\\n";
        break;
      case '\r':
        out += "\\r";
        break;
      case '\t':
        out += "\\t";
        break;
      case '\\':
        out += "\\\\";
        break;
      case '"':
        out += "\\\"";
        break;
      default:
        out += plain(c) ? std::string(1, c) : fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
    }
  }
  return out + "\"";
}

std::string real(double value) {
  if (std::isnan(value)) return "float(\"nan\")";
  if (std::isinf(value)) return value > 0 ? "float(\"inf\")" : "float(\"-inf\")";
  const std::string text = fmt::format("{}", value);
  return text.find_first_of(".e") == std::string::npos ? text + ".0" : text;
}

std::string joined(const Expressions& items) {
  std::string out;
  for (const Expression& item : items) out += (out.empty() ? "" : ", ") + print(item);
  return out;
}

struct ExpressionPrinter {
  std::string operator()(const NoneLiteral&) const { return "None"; }
  std::string operator()(bool value) const { return value ? "True" : "False"; }
  std::string operator()(std::int64_t value) const { return std::to_string(value); }
  std::string operator()(double value) const { return real(value); }
  std::string operator()(const std::string& value) const { return quoted(value); }
  std::string operator()(const Name& name) const { return name.id; }
  std::string operator()(const List& list) const { return "[" + joined(list.items) + "]"; }
  std::string operator()(const Tuple& tuple) const {
    return "(" + joined(tuple.items) + (tuple.items.size() == 1 ? ",)" : ")");
  }
  std::string operator()(const Attribute& attribute) const {
    const bool bare = !std::holds_alternative<KeyMask>(attribute.value->node);
    return (bare ? print(*attribute.value) : "(" + print(*attribute.value) + ")") + "." + attribute.name;
  }
  std::string operator()(const KeyMask& mask) const {
    return operand(*mask.left, mask.operation == '&' ? "|" : "") + " " + mask.operation + " " +
           operand(*mask.right, mask.operation == '&' ? "&|" : "|");
  }
  std::string operator()(const ComplexNumber& number) const {
    return "complex(" + real(number.real) + ", " + real(number.imag) + ")";
  }
  std::string operator()(const Starred& starred) const { return "*" + starred.id; }
  std::string operator()(const Invocation& call) const {
    std::string arguments = joined(call.positional);
    for (const auto& [name, value] : call.keywords)
      arguments += (arguments.empty() ? "" : ", ") + name + "=" + print(value);
    return print(*call.callee) + "(" + arguments + ")";
  }

 private:
  /// In brackets if it is one of these operations.
  static std::string operand(const Expression& e, std::string_view brackets) {
    const auto* mask = std::get_if<KeyMask>(&e.node);
    const bool inside = mask != nullptr && brackets.find(mask->operation) != std::string_view::npos;
    return inside ? "(" + print(e) + ")" : print(e);
  }
};

class Printer {
 public:
  std::string run(const Program& program) {
    comments(program.header, "");
    if (!program.header.empty() && !program.imports.empty()) out_ += "\n";
    for (const std::string& module : program.imports) out_ += "import " + module + "\n";
    if (program.thread_errors) out_ += fmt::format("{}{}\n", out_.empty() ? "" : "\n", kThreadErrors);
    auto next = program.classes.begin();
    auto registration = program.registrations.begin();
    bool first = true;
    const auto above = [&](std::size_t before) {
      const auto start = registration;
      while (registration != program.registrations.end() && registration->before <= before) ++registration;
      if (start != registration) registrations({start, registration}, first && next == program.classes.begin());
      for (; next != program.classes.end() && next->before <= before; ++next) definition(*next);
    };
    for (std::size_t i = 0; i < program.functions.size(); ++i, first = false) {
      above(i);
      part();
      function(program.functions[i], "");
    }
    above(std::numeric_limits<std::size_t>::max());
    if (!program.footer.empty() && !out_.empty()) out_ += "\n\n";
    comments(program.footer, "");
    if (program.trailer) out_ += fmt::format("{}{}\n{}", out_.empty() ? "" : "\n\n", kTrailerLine, *program.trailer);
    return std::move(out_);
  }

 private:
  void comments(const std::vector<std::string>& lines, const std::string& indent) {
    for (const std::string& line : lines) out_ += indent + (line.empty() ? "#" : "# " + line) + "\n";
  }

  void end_line(const std::string& comment) { out_ += comment.empty() ? "\n" : "  # " + comment + "\n"; }

  /// Two empty lines between the parts of a file.
  void part() { out_ += out_.empty() ? "" : "\n\n"; }

  /// `first`: nothing but the header and the imports stands above, so that one empty line is enough.
  void registrations(const std::vector<Registration>& block, bool first) {
    out_ += out_.empty() ? "" : first ? "\n" : "\n\n";
    for (const Registration& one : block) {
      comments(one.comments_above, "");
      line(one.line, "");
    }
  }

  void function(const Function& f, const std::string& indent, bool is_static = false) {
    comments(f.comments_above, indent);
    for (const Expression& decorator : f.decorators) out_ += fmt::format("{}@{}\n", indent, print(decorator));
    if (is_static) out_ += indent + "@staticmethod\n";
    out_ += fmt::format("{}def {}({}):", indent, f.name, fmt::join(f.parameters, ", "));
    end_line(f.comment);
    block(f.body, indent + "    ");
  }

  void definition(const Class& c) {
    part();
    comments(c.comments_above, "");
    out_ += fmt::format("class {}(torch.autograd.Function):", c.name);
    end_line(c.comment);
    for (std::size_t i = 0; i < c.methods.size(); ++i) {
      if (i > 0) out_ += "\n";
      function(c.methods[i], "    ", true);
    }
    comments(c.comments_below, "    ");
  }

  void block(const Block& block, const std::string& indent) {
    for (const Line& l : block) line(l, indent);
    // Python does not accept a block that has only comments.
    if (std::all_of(block.begin(), block.end(), [](const Line& l) { return std::holds_alternative<Remark>(l.node); }))
      out_ += indent + "pass\n";
  }

  void line(const Line& line, const std::string& indent) {
    if (std::holds_alternative<Remark>(line.node)) return comments({line.comment}, indent);
    if (const auto* define = std::get_if<Define>(&line.node)) return function(*define->function, indent);
    out_ += indent + std::visit([](const auto& node) { return text(node); }, line.node);
    end_line(line.comment);
    if (const auto* with = std::get_if<With>(&line.node)) block(with->body, indent + "    ");
  }

  static std::string text(const Assign& assign) {
    if (assign.targets.empty()) return print(assign.value);
    const bool comma = assign.unpack && assign.targets.size() == 1;
    return fmt::format("{}{} = {}", fmt::join(assign.targets, ", "), comma ? "," : "", print(assign.value));
  }
  static std::string text(const SetAttribute& set) {
    return fmt::format("{}.{} = {}", set.object, set.attribute, print(set.value));
  }
  static std::string text(const Assert& assertion) {
    const std::string_view relation = assertion.relation == Relation::equal ? "=="
                                      : assertion.relation == Relation::is  ? "is"
                                                                            : "is not";
    return fmt::format("assert {} {} {}", print(assertion.left), relation, print(assertion.right));
  }
  static std::string text(const With& with) { return "with " + print(with.item) + ":"; }
  static std::string text(const Return& returned) {
    if (!returned.value) return "return";
    const auto* tuple = std::get_if<Tuple>(&returned.value->node);
    if (tuple == nullptr || tuple->items.size() < 2) return "return " + print(*returned.value);
    return "return " + joined(tuple->items);
  }
  static std::string text(const Pass&) { return "pass"; }
  static std::string text(const Raise& raised) { return "raise " + print(raised.value); }
  static std::string text(const Remark&) { return ""; }
  static std::string text(const Define&) { return ""; }

  std::string out_;
};

}  // namespace

std::string print(const Program& program) { return Printer().run(program); }
std::string print(const Expression& expression) { return std::visit(ExpressionPrinter(), expression.node); }

}  // namespace plumbline::program
