// Reading the sources of a subject, and applying the lists.
#include "mutation/material.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "mutation/faults.h"
#include "mutation/subject.h"

namespace plumbline::mutate {

namespace {

namespace fs = std::filesystem;

std::string text_of(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::stringstream text;
  text << file.rdbuf();
  if (!file) throw UsageError(fmt::format("cannot read {}", path.string()));
  return text.str();
}

/// Whether `--only` selects a site: by a file or a part of its path, optionally with `:LINE`.
bool takes(const std::string& only, const Site& site) {
  const std::size_t colon = only.rfind(':');
  const bool line = colon != std::string::npos;
  return site.file.find(only.substr(0, colon)) != std::string::npos &&
         (!line || only.substr(colon + 1) == std::to_string(site.line));
}

/// Removes the sites that an entry fits; an entry that fits none is stale.
void leave_out(const std::vector<Entry>& entries, std::vector<Site>& sites, Material& material,
               const std::string& list) {
  for (const Entry& entry : entries)
    if (std::ranges::none_of(sites, [&](const Site& site) { return entry.fits(site); }))
      material.stale.push_back(fmt::format("{}: {} names nothing in the sources: remove it", list, entry.name()));
  std::erase_if(sites, [&](const Site& site) {
    const bool out = std::ranges::any_of(entries, [&](const Entry& entry) { return entry.fits(site); });
    material.left_out += out ? 1 : 0;
    return out;
  });
}

/// The sites that a list names; each must name one.
std::vector<Site> named(const std::string& what, const std::string& list, const std::vector<Site>& sites) {
  std::vector<Site> found;
  for (const Entry& entry : load_mutants(list)) {
    const auto site = std::ranges::find_if(sites, [&](const Site& one) { return entry.fits(one); });
    if (site == sites.end())
      throw UsageError(
          fmt::format("{}: {} does not name a possible mutant; plumbline mutate {} --list "
                      "--mutants 0 lists them",
                      list, entry.name(), what));
    found.push_back(*site);
  }
  return found;
}

/// Named faults instead of mutants.
void read_faults(const Options& options, Material& material) {
  for (const NamedFault& fault : load_faults(options.faults)) {
    if (!options.names.empty() && std::ranges::find(options.names, fault.name) == options.names.end()) continue;
    if (!material.texts.contains(fault.file))
      material.texts[fault.file] = text_of(fs::path(options.source) / fault.file);
    try {
      material.sites.push_back(site_of(fault, material.texts[fault.file]));
    } catch (const std::runtime_error& error) {
      throw UsageError(fmt::format("{}: {}", options.faults, error.what()));
    }
  }
}

void read_all(const Options& options, Material& material) {
  if (!options.faults.empty()) return read_faults(options, material);
  for (const std::string& file : subject_named(options.what).files(options.source)) {
    const std::string& text = material.texts[file] = text_of(fs::path(options.source) / file);
    for (Site& site : sites_of(file, text)) material.sites.push_back(std::move(site));
  }
  material.survivors = load_survivors(options.survivors, options.source);
  for (const Entry& entry : material.survivors)
    if (std::ranges::none_of(material.sites, [&](const Site& site) { return entry.fits(site); }))
      material.stale.push_back(
          fmt::format("{}: {} names nothing in the sources: remove it", options.survivors, entry.name()));
  leave_out(load_left_out(options.left_out), material.sites, material, options.left_out);
}

}  // namespace

Material material_of(const Options& options, const Builder& builder) {
  Material material;
  try {
    read_all(options, material);
    if (!options.these.empty()) material.sites = named(options.what, options.these, material.sites);
  } catch (const std::runtime_error& error) {
    throw UsageError(error.what());
  }
  for (const auto& [file, text] : material.texts)
    if (builder.objects_with(file) == 0)
      material.notes.push_back(fmt::format("{} is not part of the driver, so it has no mutants", file));
  std::erase_if(material.sites, [&](const Site& site) {
    return builder.objects_with(site.file) == 0 ||
           (options.dispatcher && !site.file.starts_with("optimized/dispatcher/")) ||
           (!options.only.empty() && !takes(options.only, site));
  });
  if (material.sites.empty() && !options.only.empty())
    throw UsageError(fmt::format("there are no mutants in '{}'; plumbline mutate {} --list --mutants 0 lists them",
                                 options.only, options.what));
  return material;
}

}  // namespace plumbline::mutate
