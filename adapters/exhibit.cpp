// Asking an adapter to show a program.
#include "adapters/exhibit.h"

#include "adapters/adapter.h"

namespace plumbline {

std::optional<Exhibit> show(Adapter& adapter, const Script& script, std::size_t statement, const std::string& found) {
  auto* exhibitor = dynamic_cast<Exhibitor*>(&adapter);
  return exhibitor == nullptr ? std::nullopt : exhibitor->show(script, statement, found);
}

}  // namespace plumbline
