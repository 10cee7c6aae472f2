// A caller in the process of the test.
#pragma once

#include <utility>

#include "sweep/caller.h"
#include "sweep/serve.h"

namespace plumbline::sweep {

class Here final : public Caller {
 public:
  explicit Here(Offer offer) : offer_(std::move(offer)) {}

  Registered registered() override { return {offer_.version, offer_.operators(), offer_.settings}; }
  std::variant<Observation, Broken> call(const Experiment& experiment) override {
    try {
      return offer_.perform(experiment);
    } catch (const std::exception& error) {
      return Broken{Broken::Kind::unsupported, error.what()};
    }
  }

 private:
  Offer offer_;
};

}  // namespace plumbline::sweep
