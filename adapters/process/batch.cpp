// Runs the scripts of one call: sends them ahead, turns each failure into a verdict, and finds whom a death is to blame
// on.
#include "adapters/process/batch.h"

#include <fmt/format.h>

#include "adapters/protocol/protocol.h"

namespace plumbline {

namespace {

constexpr std::size_t kAhead = 64;                       // requests in flight
constexpr std::size_t kSuspects = 256;                   // programs that may be blamed for a later death
constexpr std::size_t kSentKept = std::size_t{1} << 20;  // sent bytes that are kept before they are dropped

bool is_death(const Breakdown& breakdown) {
  return breakdown.kind == Breakdown::Kind::crash || breakdown.kind == Breakdown::Kind::exit;
}

}  // namespace

ProcessAdapter::Batch::Batch(ProcessAdapter& adapter, std::span<const Script> scripts)
    : adapter_(adapter), scripts_(scripts), results_(scripts.size(), Breakdown{}) {
  for (std::size_t i = 0; i < scripts.size(); ++i) waiting_.push_back(i);
}

std::vector<RunResult> ProcessAdapter::Batch::run() {
  while (!waiting_.empty() || !flying_.empty()) {
    if (auto breakdown = adapter_.ensure_started()) {  // nothing is in flight without a child
      results_[waiting_.front()] = std::move(*breakdown);
      waiting_.pop_front();
      first_failure_.reset();
      continue;
    }
    launch();
    Answer answer = adapter_.next_line(limit_);
    if (!answer.breakdown) answer.breakdown = land(answer.line);
    if (answer.breakdown) break_down(std::move(*answer.breakdown));
  }
  return std::move(results_);
}

/// Sends scripts ahead; a script on its second try is sent alone.
void ProcessAdapter::Batch::launch() {
  if (flying_.empty()) start_clock();
  if (adapter_.sent_ > kSentKept) adapter_.to_send_.erase(0, std::exchange(adapter_.sent_, 0));
  while (!waiting_.empty() && flying_.size() < (first_failure_ ? 1 : kAhead)) {
    const std::size_t i = waiting_.front();
    waiting_.pop_front();
    flying_.push_back({i, adapter_.next_id_++});
    send(scripts_[i], flying_.back().id);
  }
  adapter_.send_some();
}

void ProcessAdapter::Batch::send(const Script& script, std::int64_t id) {
  adapter_.to_send_ += encode_run(id, script);
  adapter_.to_send_ += '\n';
}

void ProcessAdapter::Batch::start_clock() {
  limit_ = Clock::now() + seconds(adapter_.timeout_s_ * (first_failure_ ? 2 : 1));
}

/// Takes an answer; a breakdown if it does not follow the protocol.
std::optional<Breakdown> ProcessAdapter::Batch::land(const std::string& line) {
  const Flight flight = flying_.front();
  bool restart = false;
  try {
    Reply reply = decode_reply(line, adapter_.torch_version_);
    if (reply.id != flight.id)
      return adapter_.garbage(fmt::format("the id is {}, but {} was asked", reply.id, flight.id));
    restart = reply.restart;
    for (const auto& [name, count] : reply.counts) adapter_.counts_[name] += count;
    if (auto* cannot = std::get_if<CannotRun>(&reply.result)) {
      results_[flight.script] = Breakdown{Breakdown::Kind::unsupported, std::move(cannot->why)};
    } else if (auto* leaked = std::get_if<Leaked>(&reply.result)) {
      results_[flight.script] = Breakdown{Breakdown::Kind::leak, std::move(leaked->what)};
      restart = true;
    } else {
      auto& trace = std::get<0>(reply.result);
      check_trace(trace, scripts_[flight.script]);
      results_[flight.script] = std::move(trace);
    }
  } catch (const ProtocolError& e) {
    return adapter_.garbage(e.what());
  }
  flying_.pop_front();
  ran_.push_back(flight.script);
  adapter_.ran_.push_back(scripts_[flight.script]);
  if (adapter_.ran_.size() > kSuspects) adapter_.ran_.pop_front();
  if (first_failure_ && is_death(*first_failure_)) blame_for(flight.script);
  first_failure_.reset();
  if (restart) start_again();
  start_clock();
  return std::nullopt;
}

/// Blames the script that was running, which is the oldest in flight, or tries it again; the others will run again.
void ProcessAdapter::Batch::break_down(Breakdown breakdown) {
  const bool damaged = is_death(breakdown) && !adapter_.ran_.empty();
  if (!first_failure_ && (breakdown.kind == Breakdown::Kind::hang || damaged)) {
    first_failure_ = std::move(breakdown);
    suspects_.assign(adapter_.ran_.begin(), adapter_.ran_.end());
    own_suspects_ = ran_;
  } else {
    results_[flying_.front().script] = std::move(breakdown);
    flying_.pop_front();
    first_failure_.reset();
  }
  start_again();
}

/// Ends the child. The scripts in flight will run in a new one.
void ProcessAdapter::Batch::start_again() {
  end_child();
  for (; !flying_.empty(); flying_.pop_back()) waiting_.push_front(flying_.back().script);
}

void ProcessAdapter::Batch::end_child() {
  adapter_.end_child();
  ran_.clear();
}

/// The child died while it ran `victim`, which a fresh child has now run to its end. Blames the latest of the suspects
/// after which it dies again; if there is none, the victim, so that no death is lost.
void ProcessAdapter::Batch::blame_for(std::size_t victim) {
  const std::span<const Script> all = suspects_;
  if (!all.empty() && dies_after(all, victim)) {
    std::size_t culprit = 0;
    for (std::size_t alive = all.size(); alive - culprit > 1;) {
      const std::size_t middle = (culprit + alive) / 2;
      (dies_after(all.subspan(middle), victim) ? culprit : alive) = middle;
    }
    blame(victim, culprit);
  } else {
    first_failure_->message += "; alone this program runs: one that ran before it may have damaged the process";
    first_failure_->suspects = std::move(suspects_);
    results_[victim] = std::move(*first_failure_);
  }
  end_child();
}

/// A suspect of an earlier batch has got its verdict already, so the victim names it. Where damage shows depends on
/// where memory lies, so those that ran after it stay suspects too.
void ProcessAdapter::Batch::blame(std::size_t victim, std::size_t suspect) {
  Breakdown& death = *first_failure_;
  const std::size_t later = suspects_.size() - suspect;
  death.suspects.assign(suspects_.begin() + static_cast<std::ptrdiff_t>(suspect), suspects_.end());
  if (later <= own_suspects_.size()) {
    death.message = fmt::format("it damaged the process, which died {} later, in a program that runs alone: {}", later,
                                death.message);
    results_[own_suspects_[own_suspects_.size() - later]] = std::move(death);
  } else {
    death.message += fmt::format("; alone this program runs: the one {} before it damaged the process", later);
    results_[victim] = std::move(death);
  }
}

/// Whether a fresh child dies when it runs these one after another. It answers nothing else.
bool ProcessAdapter::Batch::dies_after(std::span<const Script> earlier, std::size_t victim) {
  end_child();
  if (adapter_.ensure_started()) return false;
  for (std::size_t i = 0; i <= earlier.size(); ++i) {
    send(i < earlier.size() ? earlier[i] : scripts_[victim], adapter_.next_id_++);
    adapter_.send_some();
    const Answer answer = adapter_.next_line(Clock::now() + seconds(2 * adapter_.timeout_s_));
    if (answer.breakdown) return is_death(*answer.breakdown);
  }
  return false;
}

}  // namespace plumbline
