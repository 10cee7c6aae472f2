// The grammar of files, functions and statements.
#include "language/parse.h"

#include <fmt/format.h>

#include "language/parser.h"
#include "language/print.h"
#include "language/refusal.h"
#include "language/trailer.h"

namespace plumbline::program {
namespace {

class Parser {
 public:
  Parser(std::string_view text, const std::string& file, std::vector<Unread>* unread)
      : tokens_(tokenize(text, file), file), unread_(unread) {}

  Program run() {
    Program program;
    program.file = tokens_.file();
    std::vector<Token> comments;
    while (!tokens_.at(TokenKind::end)) {
      const std::size_t start = tokens_.position();
      try {
        part(program, comments);
      } catch (const ProgramError& error) {
        if (unread_ == nullptr) throw;
        tokens_.go_to(start);
        const Token named = tokens_.skip_part();
        unread_->push_back({named.text, named.place.line, error});
        comments.clear();
      }
    }
    for (const Token& comment : comments) program.footer.push_back(comment.text);
    return program;
  }

 private:
  void part(Program& program, std::vector<Token>& comments) {
    if (tokens_.at(TokenKind::comment)) {
      comments.push_back(tokens_.take());
    } else if (tokens_.at_word("def") || tokens_.at_word("class") || tokens_.at_symbol("@")) {
      split_header(program, comments);
      if (tokens_.at_word("class"))
        program.classes.push_back(definition(comments, program.functions.size()));
      else
        program.functions.push_back(function(comments));
      comments.clear();
    } else if (at_registration(tokens_)) {
      split_header(program, comments);
      program.registrations.push_back({line(), program.functions.size(), texts(comments)});
      comments.clear();
    } else if (tokens_.at_word("pytestmark")) {
      for (const Token& comment : comments) program.header.push_back(comment.text);
      comments.clear();
      thread_errors(program);
    } else if (tokens_.at_word("import") || tokens_.at_word("from")) {
      if (has_parts(program))
        tokens_.fail(tokens_.peek().place, "found an import below other code",
                     "Put the imports at the top of the file");
      for (const Token& comment : comments) program.header.push_back(comment.text);
      comments.clear();
      import(program);
    } else {
      refuse_at_top();
    }
  }

  /// In a file without imports, comments directly above the first function belong to the function; comments followed
  /// by an empty line belong to the file.
  void split_header(Program& program, std::vector<Token>& comments) const {
    if (has_parts(program) || !program.imports.empty()) return;
    std::size_t own = tokens_.peek().blank_before ? comments.size() : 0;
    for (std::size_t i = comments.size(); own == 0 && i-- > 1;)
      if (comments[i].blank_before) own = i;
    for (std::size_t i = 0; i < own; ++i) program.header.push_back(comments[i].text);
    comments.erase(comments.begin(), comments.begin() + static_cast<std::ptrdiff_t>(own));
  }

  static std::vector<std::string> texts(const std::vector<Token>& comments) {
    std::vector<std::string> texts;
    for (const Token& comment : comments) texts.push_back(comment.text);
    return texts;
  }

  static bool has_parts(const Program& program) {
    return !program.functions.empty() || !program.classes.empty() || !program.registrations.empty() ||
           program.thread_errors;
  }

  /// The only assignment allowed outside a function, except of libraries.
  void thread_errors(Program& program) {
    const Place place = tokens_.take().place;
    const bool first = !has_parts(program) && tokens_.accept("=");
    const Expression value = first ? parse_expression(tokens_, extras_) : Expression{};
    if (!first || "pytestmark = " + print(value) != kThreadErrors)
      tokens_.fail(place, "found a `pytestmark` that programs cannot contain",
                   fmt::format("Write `{}` once, below the imports", kThreadErrors));
    program.thread_errors = true;
    const std::string comment = tokens_.expect_line_end();
    if (!comment.empty()) program.header.push_back(comment);
  }

  [[noreturn]] void refuse_at_top() const {
    const Token& next = tokens_.peek();
    if (next.kind == TokenKind::indent)
      tokens_.fail(next.place, "this line is indented, but no block is open", "Start it in the first column");
    if (next.kind == TokenKind::name)
      if (const auto refusal = refuse_statement(next.text)) tokens_.fail(next.place, refusal->problem, refusal->advice);
    tokens_.fail(
        next.place, fmt::format("found {} outside a function", describe(next)),
        "A file contains imports, classes, functions and what torch.library registers: put other statements into `def "
        "test_…(device):`");
  }

  void import(Program& program) {
    const bool from = tokens_.take().text == "from";
    do {
      const Place place = tokens_.peek().place;
      std::string module = tokens_.expect_name("a module").text;
      while (tokens_.accept(".")) module.append(".").append(tokens_.expect_name("a module").text);
      if (const auto later = comes_later(module)) tokens_.fail(place, later->problem, later->advice);
      if (from || (module != "pytest" && module != "torch" && module != "threading"))
        tokens_.fail(place, fmt::format("found an import of {}", module),
                     "A program imports `pytest`, `threading` and `torch`, each as `import NAME`");
      program.imports.push_back(module);
    } while (tokens_.accept(","));
    const std::string comment = tokens_.expect_line_end();
    if (!comment.empty()) program.header.push_back(comment);
  }

  /// What a function is defined in.
  enum class Home : std::uint8_t { file, function, of_class };

  Function function(const std::vector<Token>& comments, Home home = Home::file) {
    const bool nested = home == Home::function;
    Function function;
    function.comments_above = texts(comments);
    std::vector<std::string> beside;
    if (tokens_.at_symbol("@")) function.decorators = parse_decorators(tokens_, extras_, beside);
    if (!nested) function.comments_above.insert(function.comments_above.end(), beside.begin(), beside.end());
    function.place = tokens_.take().place;
    function.name = tokens_.expect_name("a function").text;
    tokens_.expect("(", "after the function's name");
    std::string starred;
    while (!tokens_.at_symbol(")")) {
      const bool star = home != Home::of_class && tokens_.accept("*");
      const Token parameter = tokens_.expect_name("a parameter");
      if (tokens_.at_symbol("=") || tokens_.at_symbol(":"))
        tokens_.fail(tokens_.peek().place, "a parameter has a default or an annotation",
                     "Write only the parameter's name");
      for (const std::string& other : function.parameters)
        if (other == parameter.text)
          tokens_.fail(parameter.place, "the parameter " + other + " is given twice", "Name each once");
      if (!starred.empty()) tokens_.fail(parameter.place, "a parameter follows the starred one", "Put `*args` last");
      if (star) starred = parameter.text;
      function.parameters.push_back(star ? "*" + parameter.text : parameter.text);
      if (!tokens_.at_symbol(")") && !tokens_.accept(",")) tokens_.refuse_next("')' or ',' after a parameter");
    }
    tokens_.take();
    tokens_.expect(":", "at the end of the line that begins with `def`");
    std::swap(extras_.starred, starred);
    function.body = block("def", function.comment);
    std::swap(extras_.starred, starred);
    // Inside a function, a comment above a `def` is a line of its own.
    for (const std::string& comment : beside)
      if (nested && !comment.empty()) function.comment += (function.comment.empty() ? "" : "  # ") + comment;
    return function;
  }

  Class definition(const std::vector<Token>& comments, std::size_t before) {
    Class made;
    made.before = before;
    made.place = tokens_.take().place;
    made.comments_above = texts(comments);
    made.name = tokens_.expect_name("a class").text;
    const Place base = tokens_.peek().place;
    constexpr std::string_view kBase = "torch.autograd.Function";
    if (!tokens_.accept("(") || print(parse_expression(tokens_, extras_)) != kBase || !tokens_.accept(")"))
      tokens_.fail(base, fmt::format("the class {} has a base class that programs cannot use", made.name),
                   fmt::format("Write `class {}({}):`", made.name, kBase));
    tokens_.expect(":", "at the end of the line that begins with `class`");
    open_block("class", made.comment);
    while (!tokens_.at(TokenKind::dedent)) {
      std::vector<Token> above;
      while (tokens_.at(TokenKind::comment)) above.push_back(tokens_.take());
      if (!tokens_.at(TokenKind::dedent)) {
        made.methods.push_back(method(above));
      } else {
        for (const Token& comment : above) made.comments_below.push_back(comment.text);
      }
    }
    tokens_.take();
    return made;
  }

  Function method(std::vector<Token>& comments) {
    const Place place = tokens_.peek().place;
    const bool is_static = tokens_.accept("@") && tokens_.at_word("staticmethod");
    if (!is_static)
      tokens_.fail(place, "found something other than a static method in a class",
                   "A class contains `@staticmethod` and `def forward(ctx, …):`, then `@staticmethod` and `def "
                   "backward(ctx, …):`");
    Token decorator = tokens_.take();
    decorator.text = tokens_.expect_line_end();
    if (!decorator.text.empty()) comments.push_back(decorator);
    if (!tokens_.at_word("def")) tokens_.refuse_next("`def` below `@staticmethod`");
    return function(comments, Home::of_class);
  }

  /// The indented statements below a line whose colon was read; `comment` gets the comment after the colon.
  Block block(std::string_view head, std::string& comment) {
    open_block(head, comment);
    Block block;
    while (!tokens_.at(TokenKind::dedent)) block.push_back(line());
    tokens_.take();
    return block;
  }

  void open_block(std::string_view head, std::string& comment) {
    if (!tokens_.at(TokenKind::newline))
      tokens_.fail(tokens_.peek().place, fmt::format("found {} after the colon", describe(tokens_.peek())),
                   "Put the indented block on its own lines");
    comment = tokens_.take().text;
    if (!tokens_.at(TokenKind::indent))
      tokens_.fail(tokens_.peek().place,
                   fmt::format("found {}, expected the indented block of `{}`", describe(tokens_.peek()), head),
                   "Indent it with four spaces; an empty block is `pass`");
    tokens_.take();
  }

  Line line() {
    const Token first = tokens_.peek();
    Line line{Pass{}, first.place, ""};
    if (first.kind == TokenKind::comment) {
      line.node = Remark{};
      line.comment = tokens_.take().text;
    } else if (first.kind == TokenKind::indent) {
      tokens_.fail(first.place, "this line is indented more than the one above it",
                   "Indent it like the statement above it");
    } else if (tokens_.at_word("with")) {
      tokens_.take();
      line.node = with(line.comment);
    } else if (tokens_.at_word("def") || tokens_.at_symbol("@")) {
      line.node = Define{std::make_shared<const Function>(function({}, Home::function))};
    } else {
      line.node = simple(first);
      line.comment = tokens_.expect_line_end();
    }
    return line;
  }

  With with(std::string& comment) {
    const Place place = tokens_.peek().place;
    With with{parse_expression(tokens_, extras_), {}};
    if (!tokens_.accept(",")) {
      tokens_.expect(":", "at the end of the line that begins with `with`");
      with.body = block("with", comment);
      return with;
    }
    with.body.push_back(Line{Pass{}, place, ""});
    with.body[0].node = this->with(comment);
    return with;
  }

  using Node = decltype(Line::node);

  Node simple(const Token& first) {
    if (first.kind == TokenKind::name) {
      if (first.text == "pass") return tokens_.take(), Node(Pass{});
      if (first.text == "return") return returned();
      if (first.text == "assert") return parse_assert(tokens_, extras_);
      if (first.text == "raise") return parse_raise(tokens_, extras_);
      if (first.text == "class")
        tokens_.fail(first.place, "found a class inside a function",
                     "Put `class` in the first column, above this function");
      if (first.text == "import" || first.text == "from")
        tokens_.fail(first.place, "found an import inside a function", "Put the imports at the top of the file");
      // `match` and `print` are plain names if '=', '.' or the like follows.
      if (is_python_keyword(first.text) || (first.text == "print" && tokens_.peek(1).text == "(") ||
          (first.text == "match" && tokens_.peek(1).kind == TokenKind::name))
        if (const auto refusal = refuse_statement(first.text))
          tokens_.fail(first.place, refusal->problem, refusal->advice);
    }
    return assignment();
  }

  Node returned() {
    tokens_.take();
    if (tokens_.at(TokenKind::newline)) return Return{};
    return Return{several()};
  }

  /// An expression, or `a, b` as a tuple.
  Expression several() {
    Expression first = parse_expression(tokens_, extras_);
    if (!tokens_.at_symbol(",")) return first;
    const Place place = start_of(first);
    Tuple tuple{{std::move(first)}};
    while (tokens_.accept(",") && !tokens_.at(TokenKind::newline) && !tokens_.at_symbol("="))
      tuple.items.push_back(parse_expression(tokens_, extras_));
    return {std::move(tuple), place};
  }

  Node assignment() {
    Expression left = several();
    if (!tokens_.accept("=")) {
      if (tokens_.at_symbol(":"))
        tokens_.fail(tokens_.peek().place, "found an annotation", "Leave out type annotations");
      if (!tokens_.at(TokenKind::newline)) tokens_.refuse_next("'=' or the end of the line");
      const bool idle = !std::holds_alternative<Invocation>(left.node) && !std::holds_alternative<Attribute>(left.node);
      if (idle && !std::holds_alternative<Name>(left.node))  // the name of a log is a reading of it
        tokens_.fail(start_of(left), refuse_idle().problem, refuse_idle().advice);
      return Assign{{}, false, std::move(left)};
    }
    if (tokens_.at(TokenKind::newline)) tokens_.refuse_next("a value or a call after '='");
    Expression value = parse_expression(tokens_, extras_);
    if (tokens_.at_symbol("=")) tokens_.fail(tokens_.peek().place, "found a second '='", "Assign in two statements");
    if (tokens_.at_symbol(","))
      tokens_.fail(tokens_.peek().place, "there are several values after '='",
                   "Write one value per statement; write a list in brackets");
    if (const auto* attribute = std::get_if<Attribute>(&left.node)) {
      const auto* object = std::get_if<Name>(&attribute->value->node);
      if (object == nullptr)
        tokens_.fail(start_of(left), "only an attribute of a tensor can be assigned to",
                     "Write `x.requires_grad = True`");
      return SetAttribute{object->id, attribute->name, std::move(value)};
    }
    return Assign{targets(left), std::holds_alternative<Tuple>(left.node) || std::holds_alternative<List>(left.node),
                  std::move(value)};
  }

  std::vector<std::string> targets(const Expression& left) const {
    if (const auto* name = std::get_if<Name>(&left.node)) return {name->id};
    const auto* tuple = std::get_if<Tuple>(&left.node);
    const auto* list = std::get_if<List>(&left.node);
    std::vector<std::string> names;
    for (const Expression& item : tuple != nullptr ? tuple->items : list != nullptr ? list->items : Expressions{left}) {
      const auto* name = std::get_if<Name>(&item.node);
      if (name == nullptr)
        tokens_.fail(start_of(item), "this cannot be assigned to",
                     "The left of '=' is a name, or names with commas between them");
      names.push_back(name->id);
    }
    if (names.empty()) tokens_.fail(start_of(left), "there is no name to the left of '='", "Write a name there");
    return names;
  }

  TokenReader tokens_;
  std::vector<Unread>* unread_;
  Extras extras_;
};

}  // namespace

Program parse(std::string_view text, const std::string& file, std::vector<Unread>* unread) {
  const Parts parts = split_trailer(text, file);
  Program program = Parser(parts.program, file, unread).run();
  program.trailer = parts.trailer;
  return program;
}

}  // namespace plumbline::program
