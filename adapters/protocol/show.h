// The request `show` and its answer (docs/PROTOCOL.md, Showing a program).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "adapters/exhibit.h"

namespace plumbline {

/// The answer to a request `show`.
struct ExhibitReply {
  std::int64_t id = 0;
  Exhibit exhibit;
  bool restart = false;  ///< as in Reply
};

/// Whether the sender of this description takes the request `show`. The description is one that decode_description
/// takes.
bool decode_shows(std::string_view description);

/// One line of JSON, without the line end. `found`: lines for the top of the file.
std::string encode_show(std::int64_t id, const Script& script, std::size_t statement, const std::string& found);

/// Strict, as decode_reply. Throws ProtocolError.
ExhibitReply decode_exhibit(std::string_view line);

}  // namespace plumbline
