// Finding the reason for a place.
#include "mutation/rules/survivors.h"

namespace plumbline::mutants {

Survivors Survivors::load(const std::string& path) {
  Survivors all;
  for (mutate::Entry& entry : mutate::load_survivors(path)) all.entries_.push_back({std::move(entry)});
  return all;
}

bool Survivors::fits(const Survivor& entry, const Place& place, std::string_view change) {
  mutate::Site site;
  site.file = place.site.file;
  site.function = place.function;
  site.text = place.text;
  site.change = change;
  site.nth = place.nth;
  return entry.fits(site);
}

const Survivor* Survivors::explain(const Place& place, std::string_view change) {
  for (Survivor& entry : entries_) {
    if (!fits(entry, place, change)) continue;
    ++entry.used;
    return &entry;
  }
  return nullptr;
}

const Survivor* Survivors::explain_call(const WrittenCall& call) {
  for (Survivor& entry : entries_) {
    if (entry.file != call.file || entry.line != call.text || entry.change != kNeverAsked) continue;
    ++entry.used;
    return &entry;
  }
  return nullptr;
}

}  // namespace plumbline::mutants
