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

/// A text about an implementation that reports print on one line.
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
      if (into[i] == Strictness::kind || into[i] == Strictness::classes)
        each.expected("\"ignore\" or \"exact\" (\"kind\" and \"class\" are for errors)");
    }
  };
  strictness(c.at("fields"), kFieldNames, d.fields);
  strictness(c.at("thread"), kThreadFieldNames, d.thread);
  d.errors = c.at("errors").one_of<Strictness>(kStrictnessNames);
  d.closeness.ulps = static_cast<int>(c.at("ulps").integer(0, 1 << 20));
  d.kernels = true;
  return d;
}

}  // namespace plumbline
