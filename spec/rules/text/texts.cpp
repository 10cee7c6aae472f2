// Finding the text of a rule.
#include "spec/rules/text/texts.h"

#include <map>
#include <stdexcept>

namespace plumbline {

namespace {

using Texts = std::map<std::string_view, const RuleText*>;

Texts all_texts() {
  using namespace text;
  Texts texts;
  for (const std::span<const RuleText> family :
       {kKey,         kTls,         kInf,         kVer,       kView,      kAut,
        kAutBackward, kAutGrad,     kAutFallback, kAutInputs, kAutHooks,  kAutCreateGraph,
        kSav,         kGeo,         kGeoOps,      kGeoValue,  kGeoMemory, kGeoCopy,
        kGeoFormat,   kGeoExchange, kType,        kValue,     kBit,       kDsp,
        kDspCalls,    kFun,         kOp,          kDev,       kTrf})
    for (const RuleText& one : family)
      if (!texts.emplace(one.id, &one).second) throw std::logic_error("two texts of " + std::string(one.id));
  return texts;
}

}  // namespace

const RuleText& Rule::text() const {
  static const Texts texts = all_texts();
  const auto found = texts.find(id());
  if (found == texts.end()) throw std::out_of_range(id() + " has no text in spec/rules/text/");
  return *found->second;
}

const Variant* Rule::variant(Profile profile) const {
  for (const Variant& v : text().variants)
    if (!v.sentence.empty() && v.profile == profile) return &v;
  return nullptr;
}

}  // namespace plumbline
