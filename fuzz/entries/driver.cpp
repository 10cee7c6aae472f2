// A fuzzing entry without libFuzzer: feeds it each seed, and mutations of them that are the same in every run.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <random>
#include <stdexcept>
#include <vector>

#include "fuzz/entries/entry.h"

namespace {

using Input = std::vector<std::uint8_t>;
using Random = std::mt19937_64;

constexpr std::size_t kLongest = 1 << 20;

std::size_t below(Random& random, std::size_t n) { return n == 0 ? 0 : random() % n; }

Input read(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  Input input((std::istreambuf_iterator<char>(file)), {});
  if (!file) throw std::runtime_error(path.string() + " cannot be read");
  return input;
}

/// Every file in the folder, in the order of their names; hidden files and folders are skipped.
std::vector<Input> seeds_in(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> paths;
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    if (entry.is_regular_file() && !entry.path().filename().string().starts_with(".")) paths.push_back(entry.path());
  std::sort(paths.begin(), paths.end());
  std::vector<Input> seeds;
  for (const auto& path : paths) seeds.push_back(read(path));
  if (seeds.empty()) throw std::runtime_error(folder.string() + " holds no file");
  return seeds;
}

/// A random part of it, [first, last).
std::pair<std::size_t, std::size_t> part_of(Random& random, const Input& input) {
  const std::size_t first = below(random, input.size());
  return {first, first + below(random, std::min<std::size_t>(input.size() - first, 64) + 1)};
}

/// One change: a bit, a byte, a cut at the end, a part that is removed or doubled, or a part of another seed.
void mutate(Random& random, const std::vector<Input>& seeds, Input& input) {
  const auto at = [&](std::size_t i) { return input.begin() + static_cast<std::ptrdiff_t>(i); };
  const auto [first, last] = part_of(random, input);
  const std::size_t kind = below(random, 6);
  if (kind <= 1 && input.empty()) return;
  if (kind == 0) input[first] = static_cast<std::uint8_t>(input[first] ^ (1U << below(random, 8)));
  if (kind == 1) input[first] = static_cast<std::uint8_t>(random());
  if (kind == 2) input.resize(first);
  if (kind == 3) input.erase(at(first), at(last));
  if (kind < 4 || input.size() > kLongest) return;
  const Input source = kind == 4 ? input : seeds[below(random, seeds.size())];
  const auto [from, to] = part_of(random, source);
  input.insert(at(first), source.begin() + static_cast<std::ptrdiff_t>(from),
               source.begin() + static_cast<std::ptrdiff_t>(to));
}

/// Runs the entry; if that ends the process, the input is in the file `last`.
void run(const Input& input, const std::filesystem::path& last) {
  std::ofstream(last, std::ios::binary)
      .write(reinterpret_cast<const char*>(input.data()), static_cast<std::streamsize>(input.size()));
  LLVMFuzzerTestOneInput(input.data(), input.size());
}

void run_all(const std::filesystem::path& folder, std::size_t mutations, const std::filesystem::path& last) {
  const std::vector<Input> seeds = seeds_in(folder);
  fmt::print("{} seeds and {} mutations; an input that ends the run is in {}\n", seeds.size(), mutations,
             last.string());
  std::fflush(stdout);
  for (const Input& seed : seeds) run(seed, last);
  Random random(1);  // NOLINT(bugprone-random-generator-seed): the same in every run
  for (std::size_t i = 0; i < mutations; ++i) {
    Input input = seeds[below(random, seeds.size())];
    for (std::size_t changes = 1 + below(random, 4); changes > 0; --changes) mutate(random, seeds, input);
    run(input, last);
  }
  std::filesystem::remove(last);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) {
    fmt::print(stderr,
               "usage: {} SEEDS MUTATIONS FILE\n  runs the entry on the folder's files and on so many mutations;"
               " FILE holds the input that runs\n",
               argv[0]);
    return 2;
  }
  try {
    run_all(argv[1], std::stoull(argv[2]), argv[3]);
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}: {}\n", argv[0], error.what());
    return 3;
  }
  return 0;
}
