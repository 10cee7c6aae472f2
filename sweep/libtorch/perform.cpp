// Performing an experiment in its setting, and noting the error that it ends with.
#include "sweep/libtorch/perform.h"

#include <c10/util/Exception.h>

#include "sweep/libtorch/arguments.h"
#include "sweep/libtorch/transforms.h"

namespace plumbline::sweep::libtorch {

namespace {

/// What an error says first, without the place in C++.
std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

/// The first of these that `error` is.
std::string type_of(const c10::Error& error) {
  if (dynamic_cast<const c10::IndexError*>(&error) != nullptr) return "IndexError";
  if (dynamic_cast<const c10::ValueError*>(&error) != nullptr) return "ValueError";
  if (dynamic_cast<const c10::TypeError*>(&error) != nullptr) return "TypeError";
  if (dynamic_cast<const c10::NotImplementedError*>(&error) != nullptr) return "NotImplementedError";
  return "RuntimeError";
}

}  // namespace

void observe(Observation& seen, const std::function<void()>& call) {
  try {
    call();
  } catch (const Unsupported&) {
    throw;
  } catch (const c10::Error& error) {
    seen.error = first_line(error.what_without_backtrace());
    seen.error_type = type_of(error);
  } catch (const std::exception& error) {
    seen.error = first_line(error.what());
    seen.error_type = "std::exception";
  }
  if (!seen.error_type.empty() && seen.error.empty()) seen.error = "(no text)";
}

Observation perform(const Experiment& experiment) {
  Observation seen;
  switch (experiment.setting) {
    case Setting::fake:
      throw Unsupported("FakeTensorMode is Python's");
    case Setting::functionalized:
      call_functionalized(experiment, seen);
      break;
    case Setting::batched:
      call_batched(experiment, seen);
      break;
    case Setting::backward:
      call_with_backward(experiment, seen);
      break;
    default:
      call_plainly(experiment, seen);
  }
  return seen;
}

}  // namespace plumbline::sweep::libtorch
