// Reading the sources of optimized/, and applying the lists.
#include "oracle/mutate/material.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace plumbline::mutate {

namespace {

namespace fs = std::filesystem;

constexpr std::array kFolders{"dispatcher", "tensor", "ops", "cpu", "autograd"};

/// The sources and headers of the runtime, by name, from the top.
std::vector<std::string> files_of(const std::string& source) {
  std::vector<std::string> files;
  for (const char* folder : kFolders)
    for (const auto& entry : fs::directory_iterator(fs::path(source) / "optimized" / folder))
      if (entry.path().extension() == ".h" || entry.path().extension() == ".cpp")
        files.push_back(entry.path().lexically_relative(source).string());
  std::ranges::sort(files);
  return files;
}

std::string text_of(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::stringstream text;
  text << file.rdbuf();
  if (!file) throw UsageError(fmt::format("cannot read {}", path.string()));
  return text.str();
}

/// Whether `--only` takes a site: a file or a part of its path, perhaps with `:LINE`.
bool takes(const std::string& only, const Site& site) {
  const std::size_t colon = only.rfind(':');
  const bool line = colon != std::string::npos;
  return site.file.find(only.substr(0, colon)) != std::string::npos &&
         (!line || only.substr(colon + 1) == std::to_string(site.line));
}

/// Takes away the sites that an entry fits; an entry that fits none is stale.
void leave_out(const std::vector<Entry>& entries, std::vector<Site>& sites, Material& material,
               const std::string& list) {
  for (const Entry& entry : entries)
    if (std::ranges::none_of(sites, [&](const Site& site) { return entry.fits(site); }))
      material.stale.push_back(fmt::format("{}: {} names nothing that is there: take it out", list, entry.name()));
  std::erase_if(sites, [&](const Site& site) {
    const bool out = std::ranges::any_of(entries, [&](const Entry& entry) { return entry.fits(site); });
    material.left_out += out ? 1 : 0;
    return out;
  });
}

/// The sites that a list names; each must name one.
std::vector<Site> named(const std::string& list, const std::vector<Site>& sites) {
  std::vector<Site> found;
  for (const Entry& entry : load_mutants(list)) {
    const auto site = std::ranges::find_if(sites, [&](const Site& one) { return entry.fits(one); });
    if (site == sites.end())
      throw UsageError(
          fmt::format("{}: {} names no mutant that can be made; plumbline mutate optimized --list "
                      "--mutants 0 lists them",
                      list, entry.name()));
    found.push_back(*site);
  }
  return found;
}

void read_all(const Options& options, Material& material) {
  for (const std::string& file : files_of(options.source)) {
    const std::string& text = material.texts[file] = text_of(fs::path(options.source) / file);
    for (Site& site : sites_of(file, text)) material.sites.push_back(std::move(site));
  }
  material.survivors = load_survivors(options.survivors, options.source);
  for (const Entry& entry : material.survivors)
    if (std::ranges::none_of(material.sites, [&](const Site& site) { return entry.fits(site); }))
      material.stale.push_back(
          fmt::format("{}: {} names nothing that is there: take it out", options.survivors, entry.name()));
  leave_out(load_left_out(options.left_out), material.sites, material, options.left_out);
}

}  // namespace

Material material_of(const Options& options, const Builder& builder) {
  Material material;
  try {
    read_all(options, material);
    if (!options.these.empty()) material.sites = named(options.these, material.sites);
  } catch (const std::runtime_error& error) {
    throw UsageError(error.what());
  }
  for (const auto& [file, text] : material.texts)
    if (builder.objects_with(file) == 0)
      material.notes.push_back(fmt::format("{} is not in the driver: it has no mutants", file));
  std::erase_if(material.sites, [&](const Site& site) {
    return builder.objects_with(site.file) == 0 ||
           (options.dispatcher && !site.file.starts_with("optimized/dispatcher/")) ||
           (!options.only.empty() && !takes(options.only, site));
  });
  if (material.sites.empty() && !options.only.empty())
    throw UsageError(
        fmt::format("no mutant is in '{}'; plumbline mutate optimized --list --mutants 0 lists them", options.only));
  return material;
}

}  // namespace plumbline::mutate
