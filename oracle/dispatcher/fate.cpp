// Judging programs about the dispatcher.
#include "oracle/dispatcher/fate.h"

#include <fmt/format.h>

#include "oracle/dispatcher/compare.h"
#include "reference/raise.h"

namespace plumbline::dispatcher {

Fate fate_of(const DispatchTest& test, const DispatchResult& result, const reference::Judge& own) {
  const std::string key = key_out_of_reach(layout_of(own.profile), test.script);
  if (!key.empty()) return {"unsupported", "this version has no key " + key, {}};
  DispatchTrace right;
  try {
    right = reference::run(own, test.script);
  } catch (const reference::ReferenceLimit& limit) {
    return {"unsupported", limit.what(), {}};
  }
  plumbline::Difference difference;
  if (const auto* broken = std::get_if<Breakdown>(&result)) {
    if (broken->kind == Breakdown::Kind::unsupported) return {"unsupported", broken->message, {}};
    difference.what = "the run";
    difference.expected = "a trace";
    difference.got = broken->message;
    difference.signature = fmt::format("run/{}", name_of(broken->kind));
    return {"divergent", broken->message, difference};
  }
  const DispatchTrace& trace = std::get<DispatchTrace>(result);
  if (const auto differs = compare(test.script, right, trace)) {
    difference.line = differs->statement < test.script.lines.size() ? test.script.lines[differs->statement] : 0;
    difference.what = kind_of(test.script.statements[differs->statement]);
    difference.expected = differs->expected;
    difference.got = differs->got;
    difference.signature = differs->signature;
    return {"divergent", differs->message, difference};
  }
  const auto failed = failures(test, trace);
  if (!failed.empty()) {
    difference.line = failed.front().line;
    difference.what = "what the program states";
    difference.expected = failed.front().expected;
    difference.got = failed.front().got;
    difference.signature = "departs";
    return {"departs", text(failed.front()), difference};
  }
  return {"pass", "", {}};
}

}  // namespace plumbline::dispatcher
