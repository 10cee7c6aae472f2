// Writing the protocol's messages.
#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <nlohmann/json.hpp>

#include "oracle/protocol/names.h"
#include "oracle/protocol/protocol.h"

namespace plumbline {

namespace {

template <class... Cases>
struct Overloaded : Cases... {
  using Cases::operator()...;
};
template <class... Cases>
Overloaded(Cases...) -> Overloaded<Cases...>;

/// Appends JSON to a buffer: traces with full snapshots are kilobytes each, so no tree is built.
class Writer {
 public:
  void raw(std::string_view text) { buffer_.append(text.data(), text.data() + text.size()); }
  void integer(std::int64_t i) { fmt::format_to(fmt::appender(buffer_), FMT_STRING("{}"), i); }
  void truth(bool b) { raw(b ? "true" : "false"); }

  /// The shortest digits that read back as the same double, with a point or an exponent so that it stays a float.
  void number(double d) {
    if (std::isnan(d)) return raw("\"nan\"");
    if (std::isinf(d)) return raw(d > 0 ? "\"inf\"" : "\"-inf\"");
    char digits[40];
    const auto end = std::to_chars(digits, digits + sizeof digits, d).ptr;
    const std::string_view text(digits, static_cast<std::size_t>(end - digits));
    raw(text);
    if (text.find_first_of(".e") == std::string_view::npos) raw(".0");
  }

  void text(std::string_view s) {
    for (const char c : s)
      if (c < ' ' || c > '~' || c == '"' || c == '\\')
        return raw(nlohmann::json(s).dump(-1, ' ', true, nlohmann::json::error_handler_t::replace));
    raw("\"");
    raw(s);
    raw("\"");
  }

  template <class Range, class Item>
  void list(const Range& range, Item item) {
    raw("[");
    bool first = true;
    for (const auto& each : range) {
      if (!std::exchange(first, false)) raw(",");
      item(each);
    }
    raw("]");
  }
  void integers(const std::vector<std::int64_t>& v) {
    list(v, [this](std::int64_t i) { integer(i); });
  }
  void slots(const std::vector<Slot>& v) {
    list(v, [this](Slot s) { slot(s); });
  }
  void slot(Slot s) { integer(static_cast<std::int32_t>(s)); }

  std::string take() const { return {buffer_.data(), buffer_.size()}; }

 private:
  fmt::basic_memory_buffer<char, 4096> buffer_;
};

void write(Writer& w, const Value& value) {
  std::visit(
      Overloaded{[&](None) { w.raw("null"); }, [&](bool b) { w.truth(b); }, [&](std::int64_t i) { w.integer(i); },
                 [&](double d) { w.number(d); }, [&](Dtype d) { w.text(name_of(d)); },
                 [&](const std::vector<std::int64_t>& v) { w.integers(v); },
                 [&](const std::vector<Slot>& v) {
                   w.raw("{\"slots\":");
                   w.slots(v);
                   w.raw("}");
                 },
                 [&](Slot s) {
                   w.raw("{\"slot\":");
                   w.slot(s);
                   w.raw("}");
                 }},
      value);
}

void write(Writer& w, const Call& call) {
  w.raw(R"("call","op":)");
  w.text(qualified_name(op(call.op)));
  w.raw(",\"arguments\":");
  w.list(call.arguments, [&](const Value& v) { write(w, v); });
  w.raw(",\"results\":");
  w.slots(call.results);
  if (call.requires_grad) w.raw(",\"requires_grad\":true");
}

void write(Writer& w, const MakeTensor& make) {
  w.raw(R"("make","result":)");
  w.slot(make.result);
  w.raw(",\"dtype\":");
  w.text(name_of(make.dtype));
  w.raw(",\"sizes\":");
  w.integers(make.sizes);
  w.raw(",\"values\":");
  w.list(make.values, [&](double d) { w.number(d); });
  if (make.requires_grad) w.raw(",\"requires_grad\":true");
}

/// A statement that takes one tensor from another.
void of_tensor(Writer& w, std::string_view what, Slot result, Slot tensor) {
  w.text(what);
  w.raw(",\"result\":");
  w.slot(result);
  w.raw(",\"tensor\":");
  w.slot(tensor);
}

void write(Writer& w, const Statement& statement) {
  w.raw("{\"do\":");
  std::visit(Overloaded{[&](const Call& s) { write(w, s); }, [&](const MakeTensor& s) { write(w, s); },
                        [&](const Enter& s) {
                          w.raw("\"enter\",\"guard\":");
                          w.text(name_of(s.kind));
                          w.raw(",\"value\":");
                          w.truth(s.value);
                          if (!takes_key(s.kind)) return;
                          w.raw(",\"key\":");
                          w.text(name_of(s.key));
                        },
                        [&](Exit) { w.raw("\"exit\""); }, [&](Try) { w.raw("\"try\""); },
                        [&](EndTry) { w.raw("\"end_try\""); },
                        [&](const SetRequiresGrad& s) {
                          w.raw("\"set_requires_grad\",\"tensor\":");
                          w.slot(s.tensor);
                          w.raw(",\"value\":");
                          w.truth(s.value);
                        },
                        [&](const GetData& s) { of_tensor(w, "get_data", s.result, s.tensor); },
                        [&](const SetData& s) {
                          w.raw("\"set_data\",\"tensor\":");
                          w.slot(s.tensor);
                          w.raw(",\"data\":");
                          w.slot(s.data);
                        },
                        [&](const Backward& s) {
                          w.raw("\"backward\",\"tensor\":");
                          w.slot(s.tensor);
                        },
                        [&](const GetGrad& s) { of_tensor(w, "get_grad", s.result, s.tensor); },
                        [&](const Read& s) {
                          w.raw("\"read\",\"tensor\":");
                          w.slot(s.tensor);
                          w.raw(",\"field\":");
                          w.text(name_of(s.field));
                        },
                        [&](const ReadThread& s) {
                          w.raw("\"read_thread\",\"field\":");
                          w.text(name_of(s.field));
                        },
                        [&](Snapshot) { w.raw("\"snapshot\""); },
                        [&](const auto&) { throw std::logic_error("a statement that the protocol has no words for yet"); }},
             statement.kind);
  if (statement.line != 0) {
    w.raw(",\"line\":");
    w.integer(statement.line);
  }
  w.raw("}");
}

void write(Writer& w, const Script& script) {
  w.raw("{\"names\":");
  w.list(script.names, [&](const std::string& name) { w.text(name); });
  w.raw(",\"statements\":");
  w.list(script.statements, [&](const Statement& s) { write(w, s); });
  w.raw("}");
}

void write(Writer& w, const Failure& failure) {
  w.raw("{\"class\":");
  w.text(name_of(failure.error));
  w.raw(",\"message\":");
  w.text(failure.message);
  w.raw(",\"exception\":");
  w.text(failure.exception);
  w.raw("}");
}

void write(Writer& w, const Values& values) {
  if (!values.floats.empty() && !values.integers.empty())
    throw std::logic_error("a reading of values has floats or integers, not both");
  if (values.integers.empty()) {
    w.raw("{\"floats\":");
    w.list(values.floats, [&](double d) { w.number(d); });
  } else {
    w.raw("{\"integers\":");
    w.integers(values.integers);
  }
  if (!values.known.empty()) {
    w.raw(",\"known\":");
    w.list(values.known, [&](bool b) { w.truth(b); });
  }
  if (!values.bounds.empty()) {
    w.raw(",\"bounds\":");
    w.list(values.bounds, [&](double d) { w.number(d); });
  }
  w.raw("}");
}

void write(Writer& w, const Reading& reading) {
  std::visit(
      Overloaded{[&](std::monostate) { w.raw("{\"unsupported\":true}"); }, [&](None) { w.raw("null"); },
                 [&](bool b) { w.truth(b); }, [&](std::int64_t i) { w.integer(i); },
                 [&](const std::string& s) { w.text(s); }, [&](const std::vector<std::int64_t>& v) { w.integers(v); },
                 [&](const std::vector<std::string>& v) {
                   w.raw("{\"names\":");
                   w.list(v, [&](const std::string& s) { w.text(s); });
                   w.raw("}");
                 },
                 [&](const Values& v) { write(w, v); },
                 [&](const Failure& f) {
                   w.raw("{\"error\":");
                   write(w, f);
                   w.raw("}");
                 },
                 [&](const Unspecified& u) {
                   w.raw("{\"unspecified\":");
                   w.text(u.rule);
                   if (u.counter >= 0) {
                     w.raw(",\"counter\":");
                     w.integer(u.counter);
                     w.raw(",\"counted\":");
                     w.integer(u.counted);
                   }
                   w.raw("}");
                 }},
      reading);
}

void write(Writer& w, const Outcome& outcome) {
  const auto readings = [&](const std::vector<Reading>& all) { w.list(all, [&](const Reading& r) { write(w, r); }); };
  w.raw("{\"statement\":");
  w.integer(static_cast<std::int64_t>(outcome.statement));
  if (outcome.failure.error != ErrorClass::none) {
    w.raw(",\"error\":");
    write(w, outcome.failure);
  }
  if (!std::holds_alternative<std::monostate>(outcome.reading)) {
    w.raw(",\"reading\":");
    write(w, outcome.reading);
  }
  if (!outcome.kernels.empty()) {
    w.raw(",\"kernels\":");
    w.list(outcome.kernels, [&](const KernelRun& run) {
      w.raw("{\"kernel\":");
      w.text(kFunctionalityNames[static_cast<std::size_t>(run.kernel)]);
      w.raw(",\"fallthrough\":");
      w.truth(run.fallthrough);
      w.raw("}");
    });
  }
  if (!outcome.thread.empty()) {
    w.raw(",\"thread\":");
    readings(outcome.thread);
    w.raw(",\"tensors\":");
    w.list(outcome.tensors, [&](const TensorReading& t) {
      w.raw("{\"tensor\":");
      w.slot(t.tensor);
      w.raw(",\"fields\":");
      readings(t.fields);
      w.raw("}");
    });
  }
  w.raw("}");
}

void write(Writer& w, const Trace& trace) {
  w.raw("{\"completed\":");
  w.truth(trace.completed);
  w.raw(",\"outcomes\":");
  w.list(trace.outcomes, [&](const Outcome& o) { write(w, o); });
  w.raw("}");
}

template <class T>
std::string written(const T& value) {
  Writer w;
  write(w, value);
  return w.take();
}

}  // namespace

std::string encode(const Script& script) { return written(script); }
std::string encode(const Trace& trace) { return written(trace); }
std::string encode(const Reading& reading) { return written(reading); }

std::string encode(const Description& description) {
  nlohmann::ordered_json fields, thread;
  for (std::size_t i = 0; i < kFields; ++i) fields[std::string(kFieldNames[i])] = name_of(description.fields[i]);
  for (std::size_t i = 0; i < kThreadFields; ++i)
    thread[std::string(kThreadFieldNames[i])] = name_of(description.thread[i]);
  return nlohmann::ordered_json{{"protocol", kProtocol},
                                {"name", description.name},
                                {"version", description.version},
                                {"profile", description.profile},
                                {"fields", fields},
                                {"thread", thread},
                                {"errors", name_of(description.errors)},
                                {"ulps", description.closeness.ulps}}
      .dump(-1, ' ', true, nlohmann::json::error_handler_t::replace);
}

std::string encode_start() { return fmt::format(R"({{"cmd":"start","protocol":{}}})", kProtocol); }
std::string encode_stop() { return R"({"cmd":"stop"})"; }

std::string encode_run(std::int64_t id, const Script& script) {
  Writer w;
  w.raw(R"({"cmd":"run","id":)");
  w.integer(id);
  w.raw(",\"script\":");
  write(w, script);
  w.raw("}");
  return w.take();
}

std::string encode_reply(const Reply& reply) {
  Writer w;
  w.raw("{\"id\":");
  w.integer(reply.id);
  std::visit(Overloaded{[&](const Trace& trace) {
                          w.raw(",\"trace\":");
                          write(w, trace);
                        },
                        [&](const CannotRun& cannot) {
                          w.raw(",\"unsupported\":");
                          w.text(cannot.why);
                        }},
             reply.result);
  w.raw("}");
  return w.take();
}

}  // namespace plumbline
