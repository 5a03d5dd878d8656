// Implements `triarch bench`: measures speeds, and prints the perft signature of each game.

#include <benchmark/benchmark.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <iterator>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_format.h"
#include "cli/bench/bench_evaluations.h"
#include "cli/bench/bench_library.h"
#include "cli/bench/bench_replay.h"
#include "cli/bench/bench_sandbox.h"
#include "cli/bench/bench_searches.h"
#include "cli/bench/bench_selfplay.h"
#include "cli/bench/median.h"
#include "cli/bench/other_programs.h"
#include "cli/bench/rounds.h"
#include "cli/bench/rounds_text.h"
#include "cli/commands.h"
#include "cli/files.h"
#include "core/base/random.h"
#include "core/bench.h"
#include "core/game/game_state.h"
#include "core/game/perft.h"
#include "core/games.h"
#include "core/sample.h"
#include "core/text.h"
#include "worker/sandbox/sandbox.h"

// Each speed is also given relative to a plain arithmetic loop from the same run, so that results
// from different machines can be compared.
namespace triarch {
namespace {

constexpr std::string_view kBaseline = "baseline";
constexpr int64_t kRoundsDefault = 10;

// Runs 1000 dependent steps of SplitMix64, whose speed depends only on the CPU's clock rate.
void BenchBaseline(benchmark::State& state) {
  uint64_t value = 1;
  for (auto _ : state) {
    for (int i = 0; i < 1000; ++i) value = Mix64(value);
    benchmark::DoNotOptimize(value);
  }
  state.counters["steps"] = benchmark::Counter(static_cast<double>(state.iterations()) * 1000,
                                               benchmark::Counter::kIsRate);
}

template <Position P>
void BenchPerft(benchmark::State& state, const P& position, int depth) {
  double nodes = 0;
  for (auto _ : state) nodes += static_cast<double>(Perft(position, depth));
  state.counters["nodes"] = benchmark::Counter(nodes, benchmark::Counter::kIsRate);
}

// Counts from the default start to the greatest depth with a known count, and checks that count.
template <Position P>
void BenchStartPerft(benchmark::State& state, const P& start) {
  const std::span<const uint64_t> known = StartPerft(kGame<P>);
  const int depth = static_cast<int>(known.size());
  double nodes = 0;
  for (auto _ : state) {
    const uint64_t counted = Perft(start, depth);
    if (counted != known.back()) {
      const std::string message =
          absl::StrFormat("depth %d: expected %d nodes, counted %d", depth, known.back(), counted);
      state.SkipWithError(message.c_str());
      return;
    }
    nodes += static_cast<double>(counted);
  }
  state.counters["nodes"] = benchmark::Counter(nodes, benchmark::Counter::kIsRate);
}

// Plays one uniformly random game to its end, with automatic draws. Returns its plies.
template <Position P>
int64_t PlayRandomGame(const P& start, Random random) {
  GameState<P> game(start);
  const auto pick = [&random](const auto& moves) {
    return moves[random.Below(static_cast<uint32_t>(moves.size()))];
  };
  typename P::MoveSets moves;
  game.PlayAndList(pick(start.LegalMoves()), moves);
  int64_t plies = 1;
  for (; !game.outcome(); ++plies) game.PlayAndList(pick(moves), moves);
  return plies;
}

template <Position P>
void BenchPlayouts(benchmark::State& state, const P& start) {
  int64_t plies = 0;
  uint64_t games = 0;
  for (auto _ : state) plies += PlayRandomGame(start, Random(DeriveSeed(1, games++)));
  state.counters["plies"] =
      benchmark::Counter(static_cast<double>(plies), benchmark::Counter::kIsRate);
  state.counters["games"] =
      benchmark::Counter(static_cast<double>(games), benchmark::Counter::kIsRate);
}

// Encodes positions of random games as self-play data does: their bytes, and the index of each
// legal move.
template <SampledPosition P>
void BenchSamples(benchmark::State& state, const P& start) {
  struct Turn {
    P position;
    std::vector<typename P::Move> moves;
  };
  std::vector<Turn> turns;
  for (uint64_t number = 0; turns.size() < 1000; ++number) {
    Random random(DeriveSeed(2, number));
    GameState<P> game(start);
    for (int ply = 0; ply < 100 && !game.outcome(); ++ply) {
      const auto moves = game.position().LegalMoves();
      turns.push_back({game.position(), {moves.begin(), moves.end()}});
      game.Play(moves[random.Below(static_cast<uint32_t>(moves.size()))]);
    }
  }
  std::array<uint8_t, kSampleCellsMax> cells;
  std::array<uint8_t, kSampleState> bytes;
  std::vector<uint16_t> indices(kLegalMovesMax);
  for (auto _ : state) {
    for (const Turn& turn : turns) {
      PackPosition(turn.position, cells.data(), bytes.data());
      for (size_t i = 0; i < turn.moves.size(); ++i) {
        indices[i] = static_cast<uint16_t>(PolicyIndex(turn.moves[i]));
      }
      benchmark::DoNotOptimize(cells.data());
      benchmark::DoNotOptimize(indices.data());
      benchmark::ClobberMemory();
    }
  }
  state.counters["samples"] = benchmark::Counter(
      static_cast<double>(state.iterations()) * static_cast<double>(turns.size()),
      benchmark::Counter::kIsRate);
}

TournamentSpec RandomTournament(const GameInfo& game) {
  TournamentSpec spec;
  spec.name = "bench";
  spec.game = game.name;
  for (size_t i = 0; i < game.seats; ++i) {
    spec.bots.push_back({.name = "random" + std::to_string(i), .bot = "random", .options = {}});
  }
  spec.games = 10000;  // so that opening and closing the database is negligible
  spec.adjudication.plies_max = 1000000;
  return spec;
}

// Measures everything that `triarch run` does with one slot. Uses wall-clock time, because the slot
// plays while other threads record.
void BenchTournament(benchmark::State& state, const GameInfo& game) {
  const TournamentSpec spec = RandomTournament(game);
  int64_t plies = 0;
  for (auto _ : state) plies += PlayForBench(spec).plies;
  state.counters["plies"] =
      benchmark::Counter(static_cast<double>(plies), benchmark::Counter::kIsRate);
}

// Collects the measurements.
class Collector : public benchmark::BenchmarkReporter {
 public:
  struct Row {
    std::string name;
    std::string unit;  // counted per second
    double per_second;
  };

  // For self-play: the cost of recording as a share of bare play, and the bytes of a sample on
  // disk.
  struct Recording {
    std::string name;
    double cost;
    double bytes;
  };

  bool ReportContext(const Context&) override { return true; }
  void ReportRuns(const std::vector<Run>& runs) override {
    for (const Run& run : runs) {
      if (run.error_occurred && fault_.empty()) {
        fault_ = run.run_name.function_name + ": " + run.error_message;
      }
      const auto cost = run.counters.find("cost");
      const auto bytes = run.counters.find("bytes");
      const bool has_recording = cost != run.counters.end() && bytes != run.counters.end();
      if (has_recording) {
        recordings_.push_back({run.run_name.function_name, cost->second, bytes->second});
      }
      for (const auto& [unit, counter] : run.counters) {
        if (has_recording && (unit == "cost" || unit == "bytes")) continue;
        rows_.push_back({run.run_name.function_name, unit, counter.value});
      }
    }
  }
  const std::vector<Row>& rows() const { return rows_; }
  const std::vector<Recording>& recordings() const { return recordings_; }
  // Returns the name and error of the first benchmark that failed, or "".
  const std::string& fault() const { return fault_; }
  // Returns the benchmark's last counter, which for playouts is plies.
  std::optional<double> Rate(std::string_view name) const {
    std::optional<double> rate;
    for (const Row& row : rows_) {
      if (row.name == name) rate = row.per_second;
    }
    return rate;
  }

 private:
  std::vector<Row> rows_;
  std::vector<Recording> recordings_;
  std::string fault_;
};

// Hashes the text and the leaf count of every legal move in all starts and bench positions. Changes
// with the rules, the order of moves and the notation.
template <Position P>
uint64_t PerftSignature() {
  std::vector<P> positions;
  for (const std::string_view start : Starts(kGame<P>))
    positions.push_back(*Start(kGame<P>, start));
  for (const std::string_view text : BenchPositions(kGame<P>))
    positions.push_back(*Parse(kGame<P>, text));
  uint64_t signature = 0;
  for (const P& position : positions) {
    for (const auto move : position.LegalMoves()) {
      for (const char c : MoveToString(position, move)) {
        signature = Mix64(signature ^ static_cast<unsigned char>(c));
      }
      P next = position;
      next.Play(move);
      signature = Mix64(signature ^ Perft(next, 2));
    }
  }
  return signature;
}

bool IsSelected(const std::vector<std::string>& names, std::string_view name) {
  for (const std::string& prefix : names) {
    if (name.find(prefix) != std::string_view::npos) return true;
  }
  return names.empty();
}

// Registers the selected benchmarks of a game, and adds their names to `registered`.
template <Position P>
void Register(const std::vector<std::string>& names, std::vector<std::string>* registered) {
  const std::string game(P::kInfo.name);
  const P start = *Start(kGame<P>, "");
  const auto add = [&](const std::string& name, auto function) {
    if (!IsSelected(names, name)) return;
    registered->push_back(name);
    benchmark::RegisterBenchmark(name.c_str(), function)
        ->MinTime(1.0)
        ->Unit(benchmark::kMillisecond);
  };
  add(game + "/perft/start", [start](benchmark::State& s) { BenchStartPerft(s, start); });
  int number = 0;
  for (const std::string_view text : BenchPositions(kGame<P>)) {
    const P position = *Parse(kGame<P>, text);
    add(absl::StrFormat("%s/perft/middle%d", game, ++number),
        [position](benchmark::State& s) { BenchPerft(s, position, 4); });
  }
  const int depth = static_cast<int>(StartPerft(kGame<P>).size());
  add(game + "/library/perft",
      [depth](benchmark::State& s) { BenchLibraryPerft(s, P::kInfo, depth); });
  add(game + "/library/moves",
      [depth](benchmark::State& s) { BenchLibraryMoves(s, P::kInfo, depth); });
  add(game + "/library/batch", [](benchmark::State& s) { BenchLibraryBatch(s, P::kInfo); });
  const std::string playouts = game + "/playouts";
  add(playouts, [start](benchmark::State& s) { BenchPlayouts(s, start); });
  add(game + "/samples", [start](benchmark::State& s) { BenchSamples(s, start); });
  const std::string tournament = game + "/tournament";
  if (IsSelected(names, tournament)) {
    registered->push_back(tournament);
    benchmark::RegisterBenchmark(tournament.c_str(),
                                 [](benchmark::State& s) { BenchTournament(s, P::kInfo); })
        ->Iterations(2)
        ->UseRealTime();
  }
  add(game + "/replay", [](benchmark::State& s) { BenchReplay(s, P::kInfo); });
  const bool has_network = nnue::BundledNetwork(game) != nullptr;
  add(game + "/evaluation/hand",
      [](benchmark::State& s) { BenchHandMade<P>(s, BenchPositions(kGame<P>)); });
  if (has_network) {
    add(game + "/evaluation/net",
        [](benchmark::State& s) { BenchNetwork<P>(s, BenchPositions(kGame<P>)); });
  }
  for (const SearchCase& what : kSearchCases) {
    if (what.net == kBundledNet && !has_network) continue;
    add(absl::StrFormat("%s/%s", game, what.name),
        [&what](benchmark::State& s) { BenchSearch(s, P::kInfo, BenchPositions(kGame<P>), what); });
  }
  for (const SelfplayCase& what : kSelfplayCases) {
    const std::string selfplay = absl::StrFormat("%s/selfplay/%s", game, what.name);
    if (!IsSelected(names, selfplay)) continue;
    registered->push_back(selfplay);
    benchmark::RegisterBenchmark(selfplay.c_str(), [&what](benchmark::State& s) {
      BenchSelfplay(s, P::kInfo, what);
    })->Iterations(5);
  }
}

// Returns the speed of the plain loop in the same run.
double BaselineRate(const Collector& collector) { return collector.Rate(kBaseline).value_or(0); }

// Returns the share of the playouts' speed that a tournament loses.
std::optional<double> TournamentOverhead(const Collector& collector, const std::string& game) {
  const auto playouts = collector.Rate(game + "/playouts");
  const auto tournament = collector.Rate(game + "/tournament");
  if (!playouts || !tournament) return std::nullopt;
  return 1 - *tournament / *playouts;
}

struct Signature {
  std::string game;
  uint64_t perft = 0;
  std::optional<uint64_t> search = {};  // if a search is measured
};

void PrintText(const Collector& collector, const std::vector<Signature>& signatures) {
  std::printf("%-40s %14s  %-10s %s\n", "benchmark", "per second", "unit",
              "per 1000 baseline steps");
  for (const auto& row : collector.rows()) {
    std::printf("%-40s %14.0f  %-10s %.2f\n", row.name.c_str(), row.per_second, row.unit.c_str(),
                1000 * row.per_second / BaselineRate(collector));
  }
  for (const Signature& signature : signatures) {
    if (const auto overhead = TournamentOverhead(collector, signature.game)) {
      std::printf("%s: a tournament is %.0f %% slower in plies/s than bare playouts\n",
                  signature.game.c_str(), 100 * *overhead);
    }
  }
  for (const auto& recording : collector.recordings()) {
    std::printf("%s: recording adds %.1f %% to bare self-play; a sample takes %.1f bytes\n",
                recording.name.c_str(), 100 * recording.cost, recording.bytes);
  }
  for (const Signature& signature : signatures) {
    std::printf("perft-signature: %s %016llx\n", signature.game.c_str(),
                static_cast<unsigned long long>(signature.perft));
  }
  for (const Signature& signature : signatures) {
    if (!signature.search) continue;
    std::printf("search-signature: %s %016llx\n", signature.game.c_str(),
                static_cast<unsigned long long>(*signature.search));
  }
}

void PrintJson(const Collector& collector, const std::vector<Signature>& signatures) {
  nlohmann::ordered_json json;
  json["benchmarks"] = nlohmann::ordered_json::array();
  for (const auto& row : collector.rows()) {
    json["benchmarks"].push_back(
        {{"name", row.name},
         {"unit", row.unit},
         {"per_second", row.per_second},
         {"per_1000_baseline_steps", 1000 * row.per_second / BaselineRate(collector)}});
  }
  for (const auto& recording : collector.recordings()) {
    json["selfplay"][recording.name] = {{"recording_cost", recording.cost},
                                        {"bytes_per_sample", recording.bytes}};
  }
  for (const Signature& signature : signatures) {
    if (const auto overhead = TournamentOverhead(collector, signature.game)) {
      json["tournament_overhead"][signature.game] = *overhead;
    }
    json["perft_signatures"][signature.game] = absl::StrFormat("%016x", signature.perft);
    if (!signature.search) continue;
    json["search_signatures"][signature.game] = absl::StrFormat("%016x", *signature.search);
  }
  std::printf("%s\n", json.dump(2).c_str());
}

struct BenchOptions {
  std::vector<std::string> names;
  bool is_json = false;
  std::optional<int64_t> rounds;
  std::optional<std::string> against;
};

std::vector<std::string> RegisterAll(const std::vector<std::string>& names) {
  std::vector<std::string> registered;
  ForEachGame(Games(), [&]<class P>() {
    Register<P>(names, &registered);
    return false;
  });
  const std::string start = "sandbox/start";
  if (IsSelected(names, start) && CheckSandbox().ok()) {
    registered.push_back(start);
    benchmark::RegisterBenchmark(start.c_str(), BenchSandboxStart)->Iterations(40)->UseManualTime();
  }
  return registered;
}

// Returns whether any of the benchmarks is a search in that game.
bool MeasuresSearch(const std::vector<std::string>& benchmarks, const std::string& game) {
  return std::any_of(std::begin(kSearchCases), std::end(kSearchCases), [&](const SearchCase& what) {
    return std::find(benchmarks.begin(), benchmarks.end(),
                     absl::StrFormat("%s/%s", game, what.name)) != benchmarks.end();
  });
}

int RefuseNames(const BenchOptions& options) {
  return UsageError("no benchmark name contains \"" + options.names[0] +
                    "\"; `triarch bench` without NAME runs all and prints their names");
}

int RunOnce(const BenchOptions& options) {
  benchmark::RegisterBenchmark(std::string(kBaseline).c_str(), BenchBaseline);
  const std::vector<std::string> registered = RegisterAll(options.names);
  if (registered.empty()) return RefuseNames(options);
  std::vector<Signature> signatures;
  ForEachGame(Games(), [&]<class P>() {
    Signature signature{.game = std::string(P::kInfo.name), .perft = PerftSignature<P>()};
    if (MeasuresSearch(registered, signature.game)) {
      signature.search = SearchSignature(P::kInfo, BenchPositions(kGame<P>));
    }
    signatures.push_back(signature);
    return false;
  });
  Collector collector;
  benchmark::RunSpecifiedBenchmarks(&collector);
  if (!collector.fault().empty()) return Fail(collector.fault());
  if (options.is_json) {
    PrintJson(collector, signatures);
  } else {
    PrintText(collector, signatures);
  }
  return kExitDone;
}

int RunRounds(const BenchOptions& options) {
  RoundsPlan plan{.build = "/proc/self/exe",
                  .against = options.against,
                  .benchmarks = RegisterAll(options.names),
                  .rounds = options.rounds.value_or(kRoundsDefault)};
  for (OtherProgram& other : InstalledPrograms()) {
    if (IsSelected(options.names, other.name)) plan.others.push_back(std::move(other));
  }
  if (plan.benchmarks.empty() && plan.others.empty()) return RefuseNames(options);
  const auto rows = MeasureInRounds(
      plan, [&](int64_t round) { Log(absl::StrFormat("round %d of %d", round + 1, plan.rounds)); });
  if (!rows.ok()) return Fail(rows.status());
  Print(options.is_json ? RoundsJson(plan, *rows) : RoundsText(plan, *rows));
  return kExitDone;
}

int RunBench(const BenchOptions& options) {
  return options.rounds || options.against ? RunRounds(options) : RunOnce(options);
}

}  // namespace

void AddBenchCommand(const Command& app) {
  auto options = std::make_shared<BenchOptions>();
  const Command command = app.AddCommand("bench", "Measure speeds and print the perft signatures.");
  command.AddText({"NAME", "", "Run only benchmarks whose name contains NAME"}, &options->names);
  command.AddText({"--against", "BINARY", "Compare with another build of Triarch, in turn"},
                  &options->against);
  command.AddNumber({"--rounds", "N", "Measure N times, with other programs, and print medians"},
                    {.min = kMedianValuesMin, .max = 1000}, &options->rounds);
  command.AddFlag({"--json", "", "Print JSON"}, &options->is_json);
  command.Footer(
      "Runs in one thread, and compares each speed with that of a plain arithmetic loop.\n"
      "The perft signature changes if and only if the rules change. perft/start also checks its\n"
      "count, and fails if it is wrong. The search signature changes if paranoid, maxn or mcts\n"
      "chooses another move, evaluation or number of nodes in a bench position without a network.\n"
      "selfplay plays the same games with and without samples in turn, and compares the CPU "
      "time.\n\n"
      "With --rounds or --against, each benchmark runs N times (10 if not given), in turn with "
      "the\n"
      "other build and with stockfish, fairy-stockfish and python-chess as far as they are "
      "installed\n"
      "and selected (stockfish/perft, python-chess/playouts, ...). Prints medians with 95 %\n"
      "intervals, and says which differences are real: those whose interval excludes 1.\n\n"
      "Examples:\n"
      "  triarch bench perft/start\n"
      "  triarch bench playouts --json\n"
      "  triarch bench triumvirate/selfplay\n"
      "  triarch bench perft --against build/old/triarch");
  command.OnRun(options, RunBench);
}

}  // namespace triarch
