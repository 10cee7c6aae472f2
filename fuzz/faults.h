// Planted faults: how the self-test falsifies an implementation's replies before they are compared.
#pragma once

#include <functional>
#include <memory>
#include <string_view>
#include <variant>
#include <vector>

#include "adapters/adapter.h"

namespace plumbline::fuzz {

/// The only thing that shows a fault: a field of tensors or of the thread, whether a statement raised, or the class of
/// the error. Nothing: its comparison cannot be switched off (a crash).
struct RaisedAtAll {};
struct ErrorKind {};
using ShownBy = std::variant<std::monostate, Field, ThreadField, RaisedAtAll, ErrorKind>;

/// One fault: an edit of what the implementation replied.
struct Fault {
  std::string_view name;
  std::string_view sentence;
  ShownBy shown_by;
  std::function<void(const Script&, RunResult&)> edit;
};

/// All of them: one for each field of a tensor, and some more.
std::vector<Fault> planted_faults();

/// The name of what shows a fault: "version", "errors", "-".
std::string_view name_of(const ShownBy& shown_by);

/// The description of an implementation that cannot show this.
Description without(Description description, const ShownBy& shown_by);

/// An adapter whose replies are edited, and which may hide a field.
class FaultyAdapter final : public Adapter {
 public:
  FaultyAdapter(std::unique_ptr<Adapter> inner, const Fault& fault, bool hidden = false)
      : inner_(std::move(inner)),
        edit_(fault.edit),
        description_(hidden ? without(inner_->describe(), fault.shown_by) : inner_->describe()) {}

  const Description& describe() const override { return description_; }
  RunResult run(const Script& script) override;
  std::vector<RunResult> run_all(std::span<const Script> scripts) override;

 private:
  std::unique_ptr<Adapter> inner_;
  std::function<void(const Script&, RunResult&)> edit_;
  Description description_;
};

}  // namespace plumbline::fuzz
