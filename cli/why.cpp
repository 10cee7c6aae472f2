// `plumbline why`: which kernel a call of an operator runs, and why.
#include "oracle/dispatcher/why.h"

#include <fmt/format.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "adapters/reference/reference.h"
#include "cli/dispatch_commands.h"
#include "oracle/verdict.h"
#include "support/files.h"
#include "support/siblings.h"

namespace plumbline::cli {

namespace {

std::vector<std::string> names_in(const std::string& list) {
  std::vector<std::string> names;
  std::stringstream parts(list);
  for (std::string name; std::getline(parts, name, ',');)
    if (!name.empty()) names.push_back(name);
  return names;
}

/// An operator, and the fallback for each entry of its table.
struct Subject {
  dispatcher::DumpedOperator op;
  std::vector<dispatcher::DumpedEntry> fallbacks;
};

/// Asks LibTorch for one operator.
Subject asked(const DumpSource& source, const KeyLayout& layout, const std::string& name) {
  Subject subject;
  std::vector<std::string> alike;
  dispatcher::read_dump(
      source.command,
      [&](const dispatcher::DumpedKeys& keys) {
        for (int i = 0; i < table_size(layout); ++i) {
          const auto found = keys.fallbacks.find(name_of(layout, key_at(layout, i)));
          subject.fallbacks.push_back(found == keys.fallbacks.end() ? dispatcher::DumpedEntry{"", "missing", false}
                                                                    : found->second);
        }
      },
      [&](const dispatcher::DumpedOperator& one) {
        if (one.name == name) subject.op = one;
        if (one.name.starts_with(name + ".")) alike.push_back(one.name);
      });
  if (subject.op.name.empty())
    throw std::runtime_error(
        fmt::format("{} has no operator '{}'{}{}", source.name, name,
                    alike.empty() ? "; write a full name, for example aten::add.Tensor" : "; did you mean ",
                    alike.empty() ? "" : alike.front()));
  return subject;
}

/// Reads an operator's registrations from a file, and adds the fallbacks that the version ships.
Subject read(const KeyLayout& layout, const std::string& path) {
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  if (!file) throw std::runtime_error(fmt::format("cannot read {}", path));
  Subject subject{dispatcher::operator_from_text(layout, text.str(), path), {}};
  for (int i = 0; i < table_size(layout); ++i) {
    const ShippedFallback shipped = shipped_fallback(layout, key_at(layout, i));
    const bool falls = shipped == ShippedFallback::falls_through;
    subject.fallbacks.push_back(shipped == ShippedFallback::none
                                    ? dispatcher::DumpedEntry{"", "missing", false}
                                    : dispatcher::DumpedEntry{"the version's own fallback", "backend fallback", falls});
  }
  return subject;
}

nlohmann::ordered_json json_of(const KeyLayout& layout, const Subject& subject, const dispatcher::Why& why) {
  nlohmann::ordered_json json{{"operator", subject.op.name},
                              {"arguments", key_names(layout, why.arguments)},
                              {"included", key_names(layout, why.included)},
                              {"excluded", key_names(layout, why.excluded)},
                              {"effective", key_names(layout, why.effective)},
                              {"hole", why.hole},
                              {"registered", why.registrations}};
  for (const dispatcher::WhyStep& step : why.steps)
    json["keys"].push_back({{"key", step.key},
                            {"kernel", step.entry.kernel},
                            {"how", step.entry.how},
                            {"falls_through", step.entry.fallthrough},
                            {"runs", step.runs},
                            {"reason", step.reason}});
  return json;
}

}  // namespace

int why_command(const WhyOptions& options) {
  std::string on = options.on;
  if (on.empty()) {
    const auto versions = libtorch_versions(executable_folder());
    on = versions.empty() ? "" : "libtorch-" + versions.front();
  }
  const bool from_file = !options.registrations.empty();
  DumpSource source{"a file", "", "2.13"};
  if (!on.empty() && !(from_file && options.on.empty())) source = dump_source(on);
  if (!from_file && on.empty()) throw std::runtime_error("no LibTorch is built here; ./check builds it");
  const KeyLayout& layout = *layout_named(source.series);
  const Profile profile = profile_or_throw(options.profile.empty() ? "torch-" + source.series : options.profile);
  const Subject subject = from_file ? read(layout, options.registrations) : asked(source, layout, options.op);
  const auto list = [](const std::optional<std::string>& text) {
    return text ? std::optional(names_in(*text)) : std::nullopt;
  };
  const dispatcher::Why way = dispatcher::why({profile}, layout, subject.op, subject.fallbacks, names_in(options.keys),
                                              list(options.include), list(options.exclude));
  print_result(dispatcher::why_text(layout, subject.op, way), json_of(layout, subject, way).dump(2) + "\n",
               options.json);
  return way.hole ? kExitDivergent : 0;
}

}  // namespace plumbline::cli
