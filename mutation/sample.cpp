// Choosing by rank: ranks come from a hash, shares from the largest remainders.
#include "mutation/sample.h"

#include <algorithm>
#include <map>

namespace plumbline::mutate {

namespace {

/// FNV-1a with its bits mixed once more: the same on every machine, so samples are reproducible.
std::uint64_t rank_of(const std::string& text, std::uint64_t seed) {
  std::uint64_t hash = 0xCBF29CE484222325ULL ^ (seed * 0x9E3779B97F4A7C15ULL);
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001B3ULL;
  hash ^= hash >> 32U;
  hash *= 0xD6E8FEB86659FD93ULL;
  return hash ^ (hash >> 32U);
}

}  // namespace

Sample::Sample(std::vector<Site> sites, std::size_t mutants, std::uint64_t seed,
               const std::function<std::size_t(const std::string&)>& cost)
    : sites_(std::move(sites)) {
  wanted_ = mutants == 0 ? sites_.size() : std::min(mutants, sites_.size());
  std::map<std::string, std::vector<std::size_t>> of_file;
  for (std::size_t i = 0; i < sites_.size(); ++i) {
    ranks_.push_back(rank_of(sites_[i].key(), seed));
    of_file[sites_[i].file].push_back(i);
  }
  for (auto& [name, ranked] : of_file) {
    std::ranges::sort(ranked, {}, [&](std::size_t i) { return std::pair(ranks_[i], i); });
    files_.push_back({name, std::move(ranked)});
  }
  std::ranges::sort(files_, [&](const File& a, const File& b) {
    return std::pair(cost(b.name), a.name) < std::pair(cost(a.name), b.name);
  });
  spread();
}

void Sample::spread() {
  std::size_t given = 0;
  std::vector<std::pair<std::size_t, std::size_t>> remainders;  // the largest first
  for (std::size_t f = 0; f < files_.size(); ++f) {
    const std::size_t due = wanted_ * files_[f].ranked.size();
    files_[f].share = due / sites_.size();
    given += files_[f].share;
    remainders.emplace_back(sites_.size() - due % sites_.size(), f);
  }
  std::ranges::sort(remainders);
  for (std::size_t i = 0; given < wanted_; ++i, ++given) ++files_[remainders[i].second].share;
  for (File& file : files_) file.wanted = file.share;
}

std::vector<std::size_t> Sample::first_choice() const {
  std::vector<std::size_t> chosen;
  for (const File& file : files_)
    chosen.insert(chosen.end(), file.ranked.begin(), file.ranked.begin() + static_cast<std::ptrdiff_t>(file.share));
  std::ranges::sort(chosen);
  return chosen;
}

void Sample::ask_others() {
  std::vector<std::pair<std::uint64_t, std::size_t>> left;  // rank, file
  for (std::size_t f = 0; f < files_.size(); ++f)
    for (std::size_t i = files_[f].tried; i < files_[f].ranked.size(); ++i)
      left.emplace_back(ranks_[files_[f].ranked[i]], f);
  std::ranges::sort(left);
  left.resize(std::min(left.size(), wanted_ - made_));
  for (File& file : files_) file.wanted = 0;
  for (const auto& [rank, file] : left) ++files_[file].wanted;
}

std::optional<std::size_t> Sample::next() {
  for (int round = 0; round < 2; ++round) {
    for (File& file : files_) {
      if (file.wanted == 0 || file.tried == file.ranked.size()) continue;
      --file.wanted;
      ++open_;
      return file.ranked[file.tried++];
    }
    if (open_ > 0 || made_ >= wanted_) return std::nullopt;
    ask_others();
  }
  return std::nullopt;
}

void Sample::tell(std::size_t site, bool mutant) {
  --open_;
  made_ += mutant ? 1 : 0;
  if (mutant) return;
  std::ranges::find(files_, sites_[site].file, &File::name)->wanted += 1;
}

bool Sample::done() {
  if (open_ > 0) return false;
  if (made_ >= wanted_) return true;
  return std::ranges::all_of(files_, [](const File& file) { return file.tried == file.ranked.size(); });
}

}  // namespace plumbline::mutate
