// Kept arguments as JSON lines: one experiment a line, in the order of the operators' names.
#include "sweep/samples.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <functional>
#include <stdexcept>

#include "sweep/candidates.h"

namespace plumbline::sweep {

using nlohmann::json;

namespace {

/// What is wrong with a made tensor; empty if nothing is. A tensor must not reach outside its values.
std::string wrong_with(const Ingredient& t) {
  if (t.sizes.size() != t.strides.size())
    return fmt::format("a tensor has {} sizes and {} strides", t.sizes.size(), t.strides.size());
  std::int64_t last = t.offset;
  bool empty = false;
  for (std::size_t d = 0; d < t.sizes.size(); ++d) {
    if (t.sizes[d] < 0 || t.strides[d] < 0) return "a tensor has a negative size or stride";
    empty = empty || t.sizes[d] == 0;
    last += (t.sizes[d] - 1) * t.strides[d];
  }
  if (t.offset < 0) return "a tensor has a negative offset";
  if (!empty && last >= std::ssize(t.values))
    return fmt::format("a tensor reaches element {} of its storage, which has {} values", last, t.values.size());
  return "";
}

Experiment experiment_of(const std::string& text) {
  const json line = json::parse(text);
  Experiment one = experiment_from(line);
  for (const Ingredient& t : one.tensors)
    if (const std::string wrong = wrong_with(t); !wrong.empty()) throw std::runtime_error(wrong);
  for (const json& argument : one.arguments)
    for (const std::size_t tensor : tensors_of(argument))
      if (tensor >= one.tensors.size())
        throw std::runtime_error(fmt::format("an argument names tensor {} of {}", tensor, one.tensors.size()));
  return one;
}

}  // namespace

Samples read_samples(const std::filesystem::path& file) {
  std::ifstream input(file);
  if (!input)
    throw std::runtime_error(fmt::format(
        "{}: cannot be read; name a file of experiments as JSON lines, such as --accepted writes", file.string()));
  Samples samples;
  std::string text;
  for (std::size_t number = 1; std::getline(input, text); ++number) {
    if (text.empty() || text.starts_with("{\"about\"")) continue;
    try {
      Experiment one = experiment_of(text);
      samples[one.op].push_back(std::move(one));
    } catch (const std::exception& error) {
      throw std::runtime_error(
          fmt::format("{}:{}: this line is no experiment: {}; correct it by docs/SWEEP.md, or remove the line",
                      file.string(), number, error.what()));
    }
  }
  return samples;
}

void add(Samples& samples, const Samples& more) {
  for (const auto& [op, experiments] : more) {
    std::vector<Experiment>& here = samples[op];
    for (const Experiment& one : experiments)
      if (std::ranges::find(here, one) == here.end()) here.push_back(one);
  }
}

std::string samples_text(const Samples& samples, const std::string& about) {
  std::string text = json{{"about", about}}.dump() + "\n";
  for (const auto& [op, experiments] : samples)
    for (const Experiment& one : experiments) text += to_json(one).dump() + "\n";
  return text;
}

}  // namespace plumbline::sweep
