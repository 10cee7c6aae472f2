// Writing the protocol's messages, and the traces in them.
#include <utility>

#include "adapters/protocol/names.h"
#include "adapters/protocol/protocol.h"
#include "adapters/protocol/writer.h"

namespace plumbline {

namespace {

using protocol::Overloaded;
using protocol::write;
using protocol::Writer;

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
  nlohmann::ordered_json json{{"protocol", kProtocol},
                              {"name", description.name},
                              {"version", description.version},
                              {"profile", description.profile},
                              {"fields", fields},
                              {"thread", thread},
                              {"errors", name_of(description.errors)},
                              {"ulps", description.closeness.ulps}};
  if (!description.reasons.empty()) json["reasons"] = description.reasons;
  if (description.programs != Programs::plain)
    json["programs"] = kProgramsNames[static_cast<std::size_t>(description.programs)];
  if (description.has.level != Level::versions) json["level"] = name_of(description.has.level);
  for (const OpId one : description.has.ops) json["ops"].push_back(qualified_name(op(one)));
  for (const Dtype one : description.has.dtypes) json["dtypes"].push_back(name_of(one));
  return json.dump(-1, ' ', true, nlohmann::json::error_handler_t::replace);
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
                        },
                        [&](const Leaked& leaked) {
                          w.raw(",\"leak\":");
                          w.text(leaked.what);
                        }},
             reply.result);
  std::string_view before = ",\"counts\":{";
  for (const auto& [name, count] : reply.counts) {
    w.raw(std::exchange(before, ","));
    w.text(name);
    w.raw(":");
    w.integer(count);
  }
  if (!reply.counts.empty()) w.raw("}");
  w.raw(reply.restart ? ",\"restart\":true}" : "}");
  return w.take();
}

}  // namespace plumbline
