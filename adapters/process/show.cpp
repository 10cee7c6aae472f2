// Asking an adapter process to show a program.
#include "adapters/protocol/show.h"

#include <fmt/format.h>

#include "adapters/process/process.h"
#include "adapters/protocol/protocol.h"

namespace plumbline {

namespace {

constexpr std::chrono::seconds kShowLimit{300};  // it runs files, which import a library and may compile C++

Exhibit nothing(std::string why) { return {"", false, "", std::move(why), {}}; }

}  // namespace

std::optional<Exhibit> ProcessAdapter::show(const Script& script, std::size_t statement, const std::string& found) {
  if (!shows_) return std::nullopt;
  if (const auto breakdown = ensure_started()) return nothing(breakdown->message);
  const std::int64_t id = next_id_++;
  to_send_ += encode_show(id, script, statement, found) + "\n";
  send_some();
  const Answer answer = next_line(Clock::now() + kShowLimit);
  if (answer.breakdown) return end_after(answer.breakdown->message);
  try {
    ExhibitReply reply = decode_exhibit(answer.line);
    if (reply.id != id) return end_after(garbage(fmt::format("the id is {}, but {} was asked", reply.id, id)).message);
    if (reply.restart) end_after("");
    return std::move(reply.exhibit);
  } catch (const ProtocolError& e) {
    return end_after(garbage(e.what()).message);
  }
}

/// Ends the child, which the next script starts again.
Exhibit ProcessAdapter::end_after(std::string why) {
  end_child();
  return nothing(std::move(why));
}

}  // namespace plumbline
