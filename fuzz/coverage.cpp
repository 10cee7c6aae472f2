// Counting what was exercised, and saying so.
#include "fuzz/coverage.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "spec/ops/op_ids.h"
#include "spec/rules/catalogue.h"

namespace plumbline::fuzz {

Coverage::Coverage() : ops(kAllOps), op_errors(kAllOps) {}

void Coverage::call(const reference::Tls& tls, OpId id, ErrorClass error) {
  const std::size_t mode = tls.inference_mode.v ? (tls.grad_mode.v ? 3 : 2) : (tls.grad_mode.v ? 0 : 1);
  ++kinds[static_cast<std::size_t>(op(id).kind)][mode];
  ++(error == ErrorClass::none ? ops : op_errors)[static_cast<std::size_t>(id)];
  ++errors[static_cast<std::size_t>(error)];
}

void Coverage::other(std::string_view what, ErrorClass error) {
  auto found = std::ranges::find(statements, what, &std::pair<std::string_view, std::uint64_t>::first);
  if (found == statements.end()) found = statements.insert(found, {what, 0});
  ++found->second;
  ++errors[static_cast<std::size_t>(error)];
}

void Coverage::largest(double elements) { ++extents[elements <= 64 ? 0 : elements <= 8192 ? 1 : 2]; }

std::vector<const Rule*> rules_shown(Coverage::Subject subject) {
  std::vector<const Rule*> all;
  const bool dispatcher = subject == Coverage::Subject::dispatcher;
  if (dispatcher) all.assign(kDispatchRules.begin(), kDispatchRules.end());
  if (subject == Coverage::Subject::transforms) all.assign(kTransformRules.begin(), kTransformRules.end());
  for (const Rule* rule : kRules)
    if (!dispatcher || rule->family == Family::KEY || rule->family == Family::TLS) all.push_back(rule);
  return all;
}

void Coverage::rules(const Decisions& decisions) {
  for (std::size_t i = 0; i < consulted.size(); ++i) {
    consulted[i] += decisions.consulted.test(i) ? 1 : 0;
    mattered[i] += decisions.mattered.test(i) ? 1 : 0;
  }
}

void Coverage::merge(const Coverage& from) {
  const auto add = [](auto& to, const auto& other) {
    for (std::size_t i = 0; i < to.size(); ++i) to[i] += other[i];
  };
  add(ops, from.ops);
  add(op_errors, from.op_errors);
  for (std::size_t kind = 0; kind < kinds.size(); ++kind) add(kinds[kind], from.kinds[kind]);
  add(errors, from.errors);
  add(consulted, from.consulted);
  add(mattered, from.mattered);
  add(left_out, from.left_out);
  add(extents, from.extents);
  if (from.subject != Subject::tensors) subject = from.subject;
  for (const auto& [what, count] : from.statements) {
    auto found = std::ranges::find(statements, what, &std::pair<std::string_view, std::uint64_t>::first);
    if (found == statements.end())
      statements.emplace_back(what, count);
    else
      found->second += count;
  }
}

std::vector<std::string> never_mattered(const Coverage& coverage) {
  std::vector<std::string> ids;
  for (const Rule* rule : rules_shown(coverage.subject))
    if (coverage.mattered[rule->index()] == 0) ids.push_back(rule->id());
  return ids;
}

std::string mattered_text(const Coverage& coverage) {
  const std::size_t all = rules_shown(coverage.subject).size();
  return fmt::format("{} of {}", all - never_mattered(coverage).size(), all);
}

std::string left_out_text(const Coverage& c) {
  std::vector<std::pair<std::uint64_t, std::string_view>> reasons;
  std::uint64_t all = 0;
  for (std::size_t i = 0; i < c.left_out.size(); ++i) {
    all += c.left_out[i];
    if (c.left_out[i] != 0) reasons.emplace_back(c.left_out[i], kLeftOut[i]);
  }
  std::ranges::sort(reasons, std::greater<>());
  std::string text;
  for (const auto& [count, why] : reasons) text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count, why);
  return all == 0 ? "" : fmt::format("{} statements were left out while generating: {}", all, text);
}

nlohmann::ordered_json to_json(const Coverage& c) {
  nlohmann::ordered_json json;
  for (std::size_t i = 0; i < kOps; ++i)
    json["ops"][qualified_name(op_table()[i])] = {{"ok", c.ops[i]}, {"raised", c.op_errors[i]}};
  for (std::size_t i = kOps; i < kAllOps; ++i)
    if (c.ops[i] + c.op_errors[i] > 0)
      json["ops_by_schema"][qualified_name(op(static_cast<OpId>(i)))] = {{"ok", c.ops[i]}, {"raised", c.op_errors[i]}};
  for (std::size_t kind = 0; kind < kOpKinds.size(); ++kind)
    for (std::size_t mode = 0; mode < kModes.size(); ++mode)
      json["kinds"][kOpKinds[kind]][kModes[mode]] = c.kinds[kind][mode];
  for (std::size_t i = 1; i < c.errors.size(); ++i) json["errors"][name_of(static_cast<ErrorClass>(i))] = c.errors[i];
  for (const Rule* rule : rules_shown(c.subject))
    json["rules"][rule->id()] = {{"consulted", c.consulted[rule->index()]}, {"mattered", c.mattered[rule->index()]}};
  auto statements = c.statements;
  std::ranges::sort(statements);
  for (const auto& [what, count] : statements) json["statements"][what] = count;
  for (std::size_t i = 0; i < kExtents.size(); ++i) json["programs_by_largest_tensor"][kExtents[i]] = c.extents[i];
  for (std::size_t i = 0; i < c.left_out.size(); ++i) json["left_out"][kLeftOut[i]] = c.left_out[i];
  json["rules_never_mattered"] = never_mattered(c);
  return json;
}

namespace {

/// Nothing if no program called an op by schema.
std::string by_schema_text(const Coverage& c) {
  std::size_t occurred = 0, succeeded = 0;
  std::uint64_t calls = 0;
  for (std::size_t i = kOps; i < kAllOps; ++i) {
    occurred += c.ops[i] + c.op_errors[i] > 0 ? 1 : 0;
    succeeded += c.ops[i] > 0 ? 1 : 0;
    calls += c.ops[i] + c.op_errors[i];
  }
  if (calls == 0) return "";
  constexpr std::size_t all = kAllOps - kOps;
  return fmt::format("ops by schema: {} of {} occurred ({:.1f} %), {} of them with success, in {} calls\n", occurred,
                     all, 100.0 * static_cast<double>(occurred) / all, succeeded, calls);
}

std::string ops_text(const Coverage& c) {
  std::string text = "coverage by op (ok / raised)\n";
  for (std::size_t i = 0; i < kOps; ++i)
    text += fmt::format("  {:<22}{:>9} /{:>8}{}", qualified_name(op_table()[i]), c.ops[i], c.op_errors[i],
                        i % 2 == 1 || i + 1 == kOps ? "\n" : "");
  text += by_schema_text(c);
  text += fmt::format("coverage by kind of op and mode\n  {:<12}", "");
  for (const std::string_view mode : kModes) text += fmt::format("{:>23}", mode);
  for (std::size_t kind = 0; kind < kOpKinds.size(); ++kind) {
    text += fmt::format("\n  {:<12}", kOpKinds[kind]);
    for (const std::uint64_t count : c.kinds[kind]) text += fmt::format("{:>23}", count);
  }
  return text + "\n";
}

}  // namespace

std::string to_text(const Coverage& c) {
  std::string text = c.subject == Coverage::Subject::dispatcher ? "" : ops_text(c);
  text += "errors by class\n";
  for (std::size_t i = 1; i < c.errors.size(); ++i)
    if (c.errors[i] != 0) text += fmt::format("  {:<26}{:>9}\n", name_of(static_cast<ErrorClass>(i)), c.errors[i]);
  text += fmt::format("programs by elements of their largest tensor: {} {}, {} {}, {} {}\n", c.extents[0], kExtents[0],
                      c.extents[1], kExtents[1], c.extents[2], kExtents[2]);
  if (const std::string out = left_out_text(c); !out.empty()) text += out + "\n";
  const std::vector<std::string> never = never_mattered(c);
  text += fmt::format("rules: {} mattered{}{}\n", mattered_text(c),
                      never.empty() ? "" : "; these never did: ", fmt::join(never, " "));
  return text;
}

}  // namespace plumbline::fuzz
