// Choosing what fits one screen.
#include "fuzz/one_screen.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "spec/rules/catalogue.h"
#include "support/report_files.h"
#include "support/terminal.h"

namespace plumbline::fuzz {

namespace {

constexpr std::size_t kMessageLines = 4;  ///< of one message

using Lines = std::vector<std::string>;

std::string percent(std::uint64_t part, std::uint64_t whole) {
  return fmt::format("{:.1f} %", whole == 0 ? 0.0 : 100.0 * static_cast<double>(part) / static_cast<double>(whole));
}

Lines rows(const std::vector<Campaigned>& all) {
  std::size_t width = std::string_view("implementation").size();
  for (const Campaigned& one : all) width = std::max(width, std::min<std::size_t>(one.name.size(), 30));
  Lines lines{fmt::format("{:<{}}{:>10}{:>12}{:>8}{:>8}{:>5}{:>16}", "implementation", width, "programs", "statements",
                          "free", "waived", "new", "rules mattered")};
  for (const Campaigned& one : all) {
    const Report& r = one.report;
    const auto fresh = std::ranges::count_if(one.shown, [](const Shown& s) { return !s.sighting.explained; });
    lines.push_back(fmt::format("{:<{}}{:>10}{:>12}{:>8}{:>8}{:>5}{:>16}", one.name.substr(0, width), width, r.programs,
                                r.compared, percent(r.unspecified, r.compared), percent(r.waived, r.compared),
                                one.cases.size() + static_cast<std::size_t>(fresh), mattered_text(r.coverage)));
  }
  return lines;
}

/// "libtorch-2.13.0 breaks invariants, as waivers say: immutability W-08:5117 W-09:34", by programs.
Lines known(const Campaigned& one, const Screen& screen) {
  std::map<std::string, std::string> by_kind;
  for (const Shown& shown : one.shown) {
    const Sighting& s = shown.sighting;
    if (!s.explained) continue;
    const std::string why = s.waiver.empty() ? s.key.substr(std::min(s.key.find(' '), s.key.size())) : " " + s.waiver;
    by_kind[s.key.substr(0, s.key.find(' '))] += fmt::format("{}:{}", why, s.times);
  }
  std::map<std::string, std::uint64_t> differences;
  for (const Finding& finding : one.report.known) differences[finding.waiver] += finding.times;
  std::string differing;
  for (const auto& [waiver, times] : differences) differing += fmt::format(" {}:{}", waiver, times);
  Lines lines;
  if (!differing.empty())
    lines.push_back(screen.paint(
        Colour::yellow,
        shortened(fmt::format("Known: {} differs as waivers say, in so many programs:{}", one.name, differing),
                  screen.width)));
  if (!by_kind.empty())
    lines.push_back(
        screen.paint(Colour::yellow, fmt::format("Known: {} breaks invariants, in so many programs", one.name)));
  for (const auto& [kind, waivers] : by_kind)
    lines.push_back(shortened(fmt::format("  {}:{}", kind, waivers), screen.width));
  return lines;
}

Lines not_compared(const Campaigned& one, std::uint64_t seed, const Screen& screen) {
  Lines lines;
  for (const auto& [why, missed] : one.report.unsupported)
    lines.push_back(
        shortened(fmt::format("Not compared: {} programs, first {}:{}: {}", missed.programs, seed, missed.first, why),
                  screen.width));
  return lines;
}

std::vector<News> news(const std::vector<Campaigned>& all, std::uint64_t seed, const Screen& screen) {
  std::vector<News> found;
  const auto add = [&](const Campaigned& one, std::string_view verdict, const std::string& what, std::uint64_t times,
                       std::uint64_t index, const std::string& message, const std::string& file,
                       const Reproducer& reproducer) {
    std::string text = screen.paint(Colour::red, fmt::format("New: {}: {} {}", one.name, verdict, what));
    text += fmt::format(" ({} program{}, first {}:{})\n", times, times == 1 ? "" : "s", seed, index);
    Lines lines = wrapped("  " + message.substr(0, message.find('\n')), screen.width, 2);
    if (lines.size() > kMessageLines) {
      lines.resize(kMessageLines);
      lines.back() = shortened(lines.back() + "...", screen.width);
    }
    for (const std::string& line : lines) text += line + "\n";
    if (!reproducer.verified && !reproducer.text.empty())
      text += shortened(fmt::format("  NOT VERIFIED: {}", reproducer.note), screen.width) + "\n";
    if (!file.empty()) text += fmt::format("  {}:{}\n", file, reproducer.line);
    found.push_back({std::move(text), times, reproducer.text, reproducer.statements});
  };
  for (const Campaigned& one : all) {
    for (const Case& c : one.cases)
      add(one, name_of(c.finding.verdict), title_of(c.finding), c.finding.times, c.finding.index,
          c.reproducer.message.empty() || c.finding.signature.starts_with("run/") ? c.finding.message
                                                                                  : c.reproducer.message,
          c.file, c.reproducer);
    for (const Shown& s : one.shown)
      if (!s.sighting.explained)
        add(one, "divergent", s.sighting.key, s.sighting.times, s.sighting.index,
            s.reproducer.message.empty() ? s.sighting.message : s.reproducer.message, s.file, s.reproducer);
  }
  return found;
}

}  // namespace

std::string shortened(std::string text, std::size_t width) {
  text = text.substr(0, text.find('\n'));
  return text.size() <= width ? text : text.substr(0, width - 3) + "...";
}

void print_fitting(std::FILE* out, const Printed& printed, bool everything,
                   const std::function<std::string(std::size_t room, const Screen& screen)>& fitted) {
  const Screen screen = screen_of_stdout();
  if (!everything && screen.lines_of(printed.whole) > kScreenLines) {
    const ReportFiles files("", printed.name, "");
    if (files.problem().empty()) {
      files.write(printed.whole, printed.json);
      const std::string end =
          printed.before + fmt::format("Every program and count: {}\n", files.where()) + printed.end;
      const std::size_t room = kScreenLines - std::min(kScreenLines, screen.lines_of(end));
      fmt::print(out, "{}{}", fitted(room, screen), end);
      return;
    }
  }
  fmt::print(out, "{}", printed.whole);
}

void add_news(std::string& text, const std::vector<News>& found, std::size_t room, const Screen& screen) {
  const auto fits = [&](std::string_view more) { return screen.lines_of(text) + screen.lines_of(more) <= room; };
  std::vector<const News*> ordered;
  for (const News& one : found) ordered.push_back(&one);
  std::ranges::sort(ordered, [](const News* a, const News* b) {
    return a->programs != b->programs ? a->programs > b->programs : a < b;
  });
  std::size_t named = 0, used = 0;
  for (const News* one : ordered) {
    used += screen.lines_of(one->text);
    if (used > kNewLines || !fits(one->text)) break;
    text += one->text;
    ++named;
  }
  if (named < found.size())
    if (const std::string more = fmt::format("and {} more that are new\n", found.size() - named); fits(more))
      text += more;
  std::erase_if(ordered, [](const News* one) { return one->program.empty(); });
  const auto shortest = std::ranges::min_element(ordered, {}, &News::size);
  if (shortest != ordered.end() && fits("\n" + (*shortest)->program)) text += "\n" + (*shortest)->program;
}

std::string screen_text(const std::vector<Campaigned>& all, std::uint64_t seed, std::size_t room,
                        const Screen& screen) {
  std::string text;
  const auto put = [&](const Lines& lines, std::size_t reserve) {
    for (const std::string& line : lines)
      if (screen.lines_of(text) + screen.lines_of(line) + reserve <= room) text += line + "\n";
  };
  const std::vector<News> found = news(all, seed, screen);
  put(rows(all), 0);
  for (const Campaigned& one : all) {
    if (one.report.interrupted)
      put({fmt::format("Interrupted: {} ran {} programs; these are partial results", one.name, one.report.programs)},
          0);
    if (one.report.stopped_early)
      put({fmt::format("Stopped: {} had {} distinct failures after {} programs (--max-failures)", one.name,
                       one.report.findings.size(), one.report.programs)},
          0);
    put(not_compared(one, seed, screen), found.empty() ? 0 : kNewLines);
    put(known(one, screen), found.empty() ? 0 : kNewLines);
  }
  if (!all.empty())
    if (const std::string out = left_out_text(all.front().report.coverage); !out.empty())
      put({shortened(out, screen.width)}, found.empty() ? 0 : kNewLines);
  add_news(text, found, room, screen);
  return text;
}

}  // namespace plumbline::fuzz
