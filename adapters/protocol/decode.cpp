// Reading the protocol's requests and descriptions.
#include <algorithm>

#include "adapters/protocol/cursor.h"
#include "adapters/protocol/protocol.h"
#include "spec/vocabulary/profile.h"

namespace plumbline {

using protocol::Cursor;

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
    return RunRequest{c.at("id").integer(), protocol::script(c.at("script"))};
  }
  if (command == "stop") {
    c.object({"cmd"});
    return StopRequest{};
  }
  c.at("cmd").expected("start, run or stop");
}

namespace {

using protocol::label;

/// Why fields are not compared exactly.
std::map<std::string, std::string> reasons(const Cursor& c, const Description& d) {
  constexpr std::size_t kLongest = 600;
  std::map<std::string, std::string> read;
  if (!c.json().is_object()) c.expected("an object");
  for (const auto& [name, value] : c.json().items()) {
    const auto field = enumerator_named<Field>(kFieldNames, name);
    const auto thread = enumerator_named<ThreadField>(kThreadFieldNames, name);
    const bool exact = field    ? d.fields[static_cast<std::size_t>(*field)] == Strictness::exact
                       : thread ? d.thread[static_cast<std::size_t>(*thread)] == Strictness::exact
                                : true;
    if (exact)
      c.expected(fmt::format("reasons of fields that are not compared exactly, and \"{}\" is {}", name,
                             field || thread ? "exact" : "no field"));
    read.emplace(name, label(c.at(name.c_str()).text(), c, kLongest));
  }
  return read;
}

}  // namespace

Description decode_description(std::string_view line) {
  const auto json = protocol::parsed(line);
  const Cursor c(json);
  c.object({"protocol", "name", "version", "profile", "fields", "thread", "errors", "ulps", "reasons", "programs",
            "level", "ops", "dtypes", "shows"});
  c.at("protocol").integer(kProtocol, kProtocol);
  Description d;
  d.name = label(c.at("name").text(), c.at("name"));
  d.version = label(c.at("version").text(), c.at("version"));
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
      if (into[i] == Strictness::kind || into[i] == Strictness::classes)
        each.expected("\"ignore\" or \"exact\" (\"kind\" and \"class\" are for errors)");
      if (into[i] == Strictness::changed && names[i] != name_of(Field::version))
        each.expected("\"ignore\" or \"exact\" (\"changed\" is for versions)");
    }
  };
  strictness(c.at("fields"), kFieldNames, d.fields);
  strictness(c.at("thread"), kThreadFieldNames, d.thread);
  d.errors = c.at("errors").one_of<Strictness>(kStrictnessNames);
  if (d.errors == Strictness::changed) c.at("errors").expected("\"ignore\", \"kind\", \"class\" or \"exact\"");
  d.closeness.ulps = static_cast<int>(c.at("ulps").integer(0, 1 << 20));
  d.kernels = true;
  if (c.has("programs")) d.programs = c.at("programs").one_of<Programs>(kProgramsNames);
  if (c.has("ops")) d.has.ops = c.at("ops").list(protocol::op_id);
  if (c.has("dtypes"))
    d.has.dtypes = c.at("dtypes").list([](const Cursor& each) { return each.one_of<Dtype>(kDtypeNames); });
  if (c.has("level")) hold_to(c.at("level").one_of<Level>(kLevelNames), d);
  c.optional_truth("shows");  // decode_shows reads it
  if (c.has("reasons")) d.reasons = reasons(c.at("reasons"), d);
  return d;
}

}  // namespace plumbline
