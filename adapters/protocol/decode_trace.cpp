// Reading the answers of adapters: traces and their outcomes.
#include "adapters/protocol/cursor.h"
#include "adapters/protocol/protocol.h"

namespace plumbline {

namespace {

using protocol::Cursor;

Failure failure(const Cursor& c, std::string_view torch_version) {
  c.object({"class", "message", "exception"});
  Failure f;
  f.message = c.at("message").text();
  f.exception = c.at("exception").text();
  if (!c.has("class")) {
    f.error = classify_error(f.message, torch_version);
    return f;
  }
  const std::string name = c.at("class").text();
  f.error = error_named(name);
  if (f.error == ErrorClass::none || name != name_of(f.error))
    c.at("class").expected("the name of an error class, or no class at all");
  return f;
}

Values values(const Cursor& c) {
  c.object({"floats", "integers", "known", "bounds"});
  if (c.has("floats") == c.has("integers")) c.expected("either \"floats\" or \"integers\"");
  Values v;
  if (c.has("floats"))
    v.floats = c.at("floats").list([](const Cursor& item) { return item.number(); });
  else
    v.integers = c.at("integers").integers();
  if (c.has("known")) {
    v.known = c.at("known").list([](const Cursor& item) { return item.truth(); });
    const std::size_t count = v.floats.size() + v.integers.size();
    if (v.known.size() != count) c.at("known").expected(fmt::format("{} booleans, one for each value", count));
  }
  if (c.has("bounds")) {
    v.bounds = c.at("bounds").list([](const Cursor& item) { return item.number(); });
    if (v.bounds.size() != v.floats.size()) c.at("bounds").expected("a number for each of the floats");
  }
  return v;
}

Reading unspecified(const Cursor& c) {
  c.object({"unspecified", "counter", "counted"});
  Unspecified free{c.at("unspecified").text()};
  if (c.has("counter") != c.has("counted")) c.expected("counter and counted together, or neither");
  if (!c.has("counter")) return free;
  const std::int64_t counter = c.at("counter").integer();
  if (counter < 0 || counter > INT32_MAX) c.at("counter").expected("a number of at least 0");
  free.counter = static_cast<std::int32_t>(counter);
  free.counted = c.at("counted").integer();
  return free;
}

Reading reading(const Cursor& c, std::string_view torch_version) {
  const auto& json = c.json();
  if (json.is_null()) return None{};
  if (json.is_boolean()) return json.get<bool>();
  if (json.is_string()) return json.get<std::string>();
  if (json.is_array()) return c.integers();
  if (json.is_number()) return c.integer();
  if (c.has("floats") || c.has("integers")) return values(c);
  if (c.has("unspecified")) return unspecified(c);
  c.object({"names", "error", "unsupported"});
  if (json.size() != 1) c.expected("one of the members names, error, unsupported, unspecified, floats, integers");
  if (c.has("names")) return c.at("names").list([](const Cursor& name) { return name.text(); });
  if (c.has("error")) return failure(c.at("error"), torch_version);
  if (!c.at("unsupported").truth()) c.at("unsupported").expected("true");
  return std::monostate{};
}

KernelRun kernel_run(const Cursor& c) {
  c.object({"kernel", "fallthrough"});
  const auto kernel = c.at("kernel").one_of<Functionality>(kFunctionalityNames);
  if (static_cast<int>(kernel) == 0) c.at("kernel").expected("the functionality of a kernel");
  return {kernel, c.at("fallthrough").truth()};
}

Outcome outcome(const Cursor& c, std::string_view torch_version) {
  c.object({"statement", "error", "reading", "kernels", "thread", "tensors"});
  const auto one = [&](const Cursor& r) { return reading(r, torch_version); };
  Outcome o;
  o.statement = static_cast<std::size_t>(c.at("statement").integer(0, std::numeric_limits<std::int64_t>::max()));
  if (c.has("error")) o.failure = failure(c.at("error"), torch_version);
  if (c.has("reading")) o.reading = one(c.at("reading"));
  if (c.has("kernels")) o.kernels = c.at("kernels").list(kernel_run);
  if (c.has("thread") != c.has("tensors")) c.expected("\"thread\" and \"tensors\" together, as a snapshot has them");
  if (!c.has("thread")) return o;
  o.thread = c.at("thread").list(one);
  if (o.thread.size() != kThreadFields) c.at("thread").expected(fmt::format("{} readings", kThreadFields));
  o.tensors = c.at("tensors").list([&](const Cursor& tensor) {
    tensor.object({"tensor", "fields"});
    TensorReading r{tensor.at("tensor").slot(), tensor.at("fields").list(one)};
    if (r.fields.size() != kFields) tensor.at("fields").expected(fmt::format("{} readings", kFields));
    return r;
  });
  return o;
}

Trace trace(const Cursor& c, std::string_view torch_version) {
  c.object({"completed", "outcomes"});
  return {c.at("outcomes").list([&](const Cursor& o) { return outcome(o, torch_version); }), c.at("completed").truth()};
}

Counts counts(const Cursor& c) {
  constexpr std::size_t kMost = 16;
  if (!c.json().is_object() || c.json().size() > kMost)
    c.expected(fmt::format("an object of at most {} counts", kMost));
  Counts read;
  for (const auto& [name, value] : c.json().items())
    read.emplace(protocol::label(name, c), c.at(name.c_str()).integer(0, std::numeric_limits<std::int32_t>::max()));
  return read;
}

}  // namespace

Trace decode_trace(std::string_view line, std::string_view torch_version) {
  const auto json = protocol::parsed(line);
  return trace(Cursor(json), torch_version);
}

Reply decode_reply(std::string_view line, std::string_view torch_version) {
  const auto json = protocol::parsed(line);
  const Cursor c(json);
  c.object({"id", "trace", "unsupported", "leak", "restart", "counts"});
  if (static_cast<int>(c.has("trace")) + static_cast<int>(c.has("unsupported")) + static_cast<int>(c.has("leak")) != 1)
    c.expected("one of \"trace\", \"unsupported\" and \"leak\"");
  Reply reply{c.at("id").integer(), CannotRun{}, c.optional_truth("restart"), {}};
  if (c.has("counts")) reply.counts = counts(c.at("counts"));
  if (c.has("trace"))
    reply.result = trace(c.at("trace"), torch_version);
  else if (c.has("leak"))
    reply.result = Leaked{c.at("leak").text()};
  else
    reply.result = CannotRun{c.at("unsupported").text()};
  return reply;
}

}  // namespace plumbline
