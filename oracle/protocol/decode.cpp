// Reading the protocol's requests, and the scripts in them.
#include <algorithm>
#include <cmath>

#include "oracle/protocol/cursor.h"
#include "oracle/protocol/protocol.h"
#include "spec/profile.h"

namespace plumbline {

namespace {

using protocol::Cursor;

/// An argument: JSON's own types say which, an integer is never taken for a float.
Value value(const Cursor& c) {
  const auto& json = c.json();
  if (json.is_null()) return None{};
  if (json.is_boolean()) return json.get<bool>();
  if (json.is_number_float()) return json.get<double>();
  if (json.is_number_integer()) return c.integer();
  if (json.is_array()) return c.integers();
  if (json.is_object()) return c.object({"slot"}).at("slot").slot();
  if (const auto dtype = dtype_named(json.get_ref<const std::string&>())) return *dtype;
  const auto& text = json.get_ref<const std::string&>();
  if (text == "nan" || text == "inf" || text == "-inf") return c.number();
  c.expected(R"(null, a truth, a number, "nan", "inf", "-inf", a dtype, an array of integers or {"slot": N})");
}

OpId op_id(const Cursor& c) {
  const std::string name = c.text();
  const std::size_t dot = name.find('.');
  const auto id = find_op(std::string_view(name).substr(0, dot),
                          dot == std::string::npos ? "" : std::string_view(name).substr(dot + 1));
  if (!id) c.expected("an op of the table, as \"add_.Tensor\" or \"mm\"");
  return *id;
}

bool optional_truth(const Cursor& c, const char* key) { return c.has(key) && c.at(key).truth(); }

Call call(const Cursor& c) {
  c.object({"do", "line", "op", "arguments", "results", "requires_grad"});
  Call call{op_id(c.at("op")), c.at("arguments").list(value),
            c.at("results").list([](const Cursor& r) { return r.slot(); }), optional_truth(c, "requires_grad")};
  const std::size_t wanted = op(call.op).arguments.size();
  if (call.arguments.size() != wanted)
    c.at("arguments").expected(fmt::format("{} arguments for {}", wanted, qualified_name(op(call.op))));
  return call;
}

MakeTensor make_tensor(const Cursor& c) {
  c.object({"do", "line", "result", "dtype", "sizes", "values", "requires_grad"});
  MakeTensor make{c.at("result").slot(), c.at("dtype").one_of<Dtype>(kDtypeNames), c.at("sizes").integers(),
                  c.at("values").list([](const Cursor& v) { return v.number(); }), optional_truth(c, "requires_grad")};
  std::int64_t count = 1;
  for (std::size_t i = 0; i < make.sizes.size(); ++i)
    if (make.sizes[i] < 0 || __builtin_mul_overflow(count, make.sizes[i], &count))
      c.at("sizes").expected("sizes from 0, with a product of 64 bits");
  if (static_cast<std::size_t>(count) != make.values.size())
    c.at("values").expected(fmt::format("{} values, the product of the sizes", count));
  if (make.dtype == Dtype::int64)
    for (const double d : make.values)
      if (std::trunc(d) != d || std::abs(d) > 9007199254740992.0) c.at("values").expected("integers up to 2^53");
  return make;
}

StatementKind statement_kind(const Cursor& c) {
  if (!c.json().is_object()) c.expected("an object");
  const std::string what = c.at("do").text();
  if (what == "call") return call(c);
  if (what == "make") return make_tensor(c);
  if (what == "enter") {
    Enter enter{c.at("guard").one_of<GuardKind>(kGuardNames)};
    takes_key(enter.kind) ? c.object({"do", "line", "guard", "value", "key"})
                          : c.object({"do", "line", "guard", "value"});
    enter.value = c.at("value").truth();
    if (takes_key(enter.kind)) enter.key = c.at("key").one_of<GuardKey>(kGuardKeyNames);
    return enter;
  }
  if (what == "set_requires_grad") {
    c.object({"do", "line", "tensor", "value"});
    return SetRequiresGrad{c.at("tensor").slot(), c.at("value").truth()};
  }
  if (what == "get_data" || what == "get_grad") {
    c.object({"do", "line", "result", "tensor"});
    const Slot result = c.at("result").slot(), tensor = c.at("tensor").slot();
    return what == "get_data" ? StatementKind(GetData{result, tensor}) : GetGrad{result, tensor};
  }
  if (what == "set_data") {
    c.object({"do", "line", "tensor", "data"});
    return SetData{c.at("tensor").slot(), c.at("data").slot()};
  }
  if (what == "backward") {
    c.object({"do", "line", "tensor"});
    return Backward{c.at("tensor").slot()};
  }
  if (what == "read") {
    c.object({"do", "line", "tensor", "field"});
    return Read{c.at("tensor").slot(), c.at("field").one_of<Field>(kFieldNames)};
  }
  if (what == "read_thread") {
    c.object({"do", "line", "field"});
    return ReadThread{c.at("field").one_of<ThreadField>(kThreadFieldNames)};
  }
  c.object({"do", "line"});
  if (what == "exit") return Exit{};
  if (what == "try") return Try{};
  if (what == "end_try") return EndTry{};
  if (what == "snapshot") return Snapshot{};
  c.at("do").expected(
      "call, make, enter, exit, try, end_try, set_requires_grad, get_data, set_data, backward, get_grad, read, "
      "read_thread or snapshot");
}

Statement statement(const Cursor& c) {
  return {statement_kind(c),
          c.has("line") ? static_cast<int>(c.at("line").integer(0, std::numeric_limits<int>::max())) : 0};
}

Script script(const Cursor& c) {
  c.object({"names", "statements"});
  return {c.at("statements").list(statement), c.at("names").list([](const Cursor& n) { return n.text(); })};
}

}  // namespace

Script decode_script(std::string_view line) {
  const auto json = protocol::parsed(line);
  return script(Cursor(json));
}

Request decode_request(std::string_view line) {
  const auto json = protocol::parsed(line);
  const Cursor c(json);
  if (!json.is_object()) c.expected("an object");
  const std::string command = c.at("cmd").text();
  if (command == "start") {
    c.object({"cmd", "protocol"}).at("protocol").integer(kProtocol, kProtocol);
    return StartRequest{};
  }
  if (command == "run") {
    c.object({"cmd", "id", "script"});
    return RunRequest{c.at("id").integer(), script(c.at("script"))};
  }
  if (command == "stop") {
    c.object({"cmd"});
    return StopRequest{};
  }
  c.at("cmd").expected("start, run or stop");
}

namespace {

/// What reports show of an implementation, on a line of their own.
std::string label(const Cursor& c) {
  constexpr std::size_t kLongest = 200;
  std::string text = c.text();
  const auto control = [](char byte) { return static_cast<unsigned char>(byte) < ' ' || byte == 127; };
  if (text.empty() || text.size() > kLongest || std::ranges::any_of(text, control))
    c.expected(fmt::format("1 to {} bytes of text without control characters", kLongest));
  return text;
}

}  // namespace

Description decode_description(std::string_view line) {
  const auto json = protocol::parsed(line);
  const Cursor c(json);
  c.object({"protocol", "name", "version", "profile", "fields", "thread", "errors", "ulps"});
  c.at("protocol").integer(kProtocol, kProtocol);
  Description d;
  d.name = label(c.at("name"));
  d.version = label(c.at("version"));
  d.profile = c.at("profile").text();
  std::array<std::string_view, kProfiles.size()> profiles;
  std::transform(kProfiles.begin(), kProfiles.end(), profiles.begin(), [](const ProfileInfo& p) { return p.name; });
  c.at("profile").one_of<Profile>(profiles);
  const auto strictness = [](const Cursor& group, const auto& names, auto& into) {
    for (const auto& [name, value] : group.json().items())
      if (std::find(names.begin(), names.end(), name) == names.end())
        group.expected(fmt::format("no member \"{}\" (known: {})", name, fmt::join(names, ", ")));
    for (std::size_t i = 0; i < names.size(); ++i) {
      const Cursor each = group.at(std::string(names[i]).c_str());
      into[i] = each.one_of<Strictness>(kStrictnessNames);
      if (into[i] == Strictness::kind) each.expected("\"ignore\" or \"exact\" (\"kind\" is for errors)");
    }
  };
  strictness(c.at("fields"), kFieldNames, d.fields);
  strictness(c.at("thread"), kThreadFieldNames, d.thread);
  d.errors = c.at("errors").one_of<Strictness>(kStrictnessNames);
  d.closeness.ulps = static_cast<int>(c.at("ulps").integer(0, 1 << 20));
  return d;
}

}  // namespace plumbline
