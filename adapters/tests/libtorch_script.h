// Running scripts written in C++ on LibTorch's adapter process.
#pragma once

#include "adapters/process/process.h"
#include "adapters/tests/script_writer.h"

namespace plumbline {

inline ProcessAdapter& libtorch() {
  static ProcessAdapter adapter("'" PLUMBLINE_LIBTORCH "'", 60);
  return adapter;
}

inline Trace run(const Writer& w) {
  RunResult result = libtorch().run(w.script);
  if (const auto* b = std::get_if<Breakdown>(&result)) throw std::runtime_error(b->message);
  return std::get<Trace>(std::move(result));
}

}  // namespace plumbline
