// Implements `triarch data features`: feeds the trainer of a network.

#include <unistd.h>

#include <cstdint>
#include <future>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/strings/str_format.h"
#include "cli/data/data_options.h"
#include "cli/files.h"
#include "cli/report.h"
#include "core/base/random.h"
#include "core/base/status_macros.h"
#include "selfplay/dataset/feature_rows.h"

namespace triarch {
namespace {

struct FeaturesOptions {
  std::vector<std::string> locations;
  uint64_t seed = 1;
  int64_t threads = 2;
  int64_t passes = 1;
  int64_t shuffle = 2'000'000;
};

using Rows = std::vector<FeatureRow>;

// A shard of one of the data sets.
struct ShardRef {
  size_t data = 0;
  size_t entry = 0;
};

absl::StatusOr<std::vector<DataSet>> OpenAll(const std::vector<std::string>& locations) {
  std::vector<DataSet> all;
  for (const std::string& location : locations) {
    ASSIGN_OR_RETURN(DataSet data, OpenData(location));
    all.push_back(std::move(data));
  }
  return all;
}

template <class T>
void Shuffle(std::vector<T>& items, Random& random) {
  for (size_t i = items.size(); i > 1; --i) {
    std::swap(items[i - 1], items[static_cast<size_t>(random.Unit() * static_cast<double>(i))]);
  }
}

template <class T>
absl::Status WriteNumbers(const std::vector<T>& numbers) {
  return PrintBytes({reinterpret_cast<const char*>(numbers.data()), numbers.size() * sizeof(T)});
}

// Reads shards in threads, a group of them at a time while the one before is written.
class Feeder {
 public:
  Feeder(const FeaturesOptions& options, const std::vector<DataSet>& data)
      : options_(options), data_(data), random_(options.seed) {}

  absl::Status Run() {
    RETURN_IF_ERROR(WriteHeader());
    for (int64_t pass = 0; pass < options_.passes; ++pass) RETURN_IF_ERROR(RunPass());
    return absl::OkStatus();
  }

 private:
  const ShardEntry& EntryOf(const ShardRef& ref) const {
    return data_[ref.data].entries()[ref.entry];
  }

  absl::Status WriteHeader() {
    std::string game;
    int64_t samples = 0;
    for (const DataSet& data : data_) {
      for (const ShardEntry& entry : data.entries()) samples += entry.samples;
      if (data.entries().empty() || !game.empty()) continue;
      ASSIGN_OR_RETURN(const Shard shard, data.Read(data.entries().front()));
      game = shard.meta.game;
    }
    if (samples == 0) return absl::InvalidArgumentError("there are no samples");
    game_ = game;
    ASSIGN_OR_RETURN(const auto views, FeatureViewsOf(game));
    const nlohmann::ordered_json header = {{"game", game},
                                           {"seats", views.size()},
                                           {"features", views.front().size()},
                                           {"row_bytes", sizeof(FeatureRow)},
                                           {"rows", samples * options_.passes}};
    RETURN_IF_ERROR(PrintBytes(header.dump() + '\n'));
    for (const std::vector<uint16_t>& view : views) RETURN_IF_ERROR(WriteNumbers(view));
    return absl::OkStatus();
  }

  absl::Status RunPass() {
    std::vector<ShardRef> order;
    for (size_t i = 0; i < data_.size(); ++i) {
      for (size_t j = 0; j < data_[i].entries().size(); ++j) order.push_back({i, j});
    }
    Shuffle(order, random_);
    std::future<absl::StatusOr<Rows>> next;
    for (size_t first = 0; first < order.size() || next.valid();) {
      std::vector<ShardRef> group;
      for (int64_t rows = 0; first < order.size() && rows < options_.shuffle; ++first) {
        group.push_back(order[first]);
        rows += EntryOf(order[first]).samples;
      }
      std::future<absl::StatusOr<Rows>> ready = std::move(next);
      next = {};
      if (!group.empty()) {
        next = std::async(std::launch::async, [this, group] { return ReadGroup(group); });
      }
      if (!ready.valid()) continue;
      ASSIGN_OR_RETURN(const Rows rows, ready.get());
      RETURN_IF_ERROR(WriteShuffled(rows));
    }
    return absl::OkStatus();
  }

  absl::StatusOr<Rows> ReadGroup(const std::vector<ShardRef>& group) const {
    std::vector<Rows> parts(group.size());
    std::vector<absl::Status> statuses(group.size());
    {
      std::vector<std::jthread> threads;
      const auto count = static_cast<size_t>(options_.threads);
      for (size_t t = 0; t < count; ++t) {
        threads.emplace_back([&, t] {
          for (size_t i = t; i < group.size(); i += count) {
            statuses[i] = ReadOne(group[i], &parts[i]);
          }
        });
      }
    }
    for (const absl::Status& status : statuses) RETURN_IF_ERROR(status);
    Rows all;
    for (const Rows& part : parts) all.insert(all.end(), part.begin(), part.end());
    return all;
  }

  absl::Status ReadOne(const ShardRef& ref, Rows* rows) const {
    const DataSet& data = data_[ref.data];
    ASSIGN_OR_RETURN(const Shard shard, data.Read(EntryOf(ref)));
    if (shard.meta.game != game_) {
      return absl::InvalidArgumentError(
          absl::StrFormat("%s has samples of %s; expected only %s, as in the first data",
                          data.location(), shard.meta.game, game_));
    }
    rows->reserve(shard.samples());
    const absl::Status added = AddFeatureRows(shard, rows);
    return added.ok() ? added : InShard(data, EntryOf(ref), added);
  }

  absl::Status WriteShuffled(const Rows& rows) {
    std::vector<uint32_t> order(rows.size());
    for (size_t i = 0; i < order.size(); ++i) order[i] = static_cast<uint32_t>(i);
    Shuffle(order, random_);
    Rows block;
    constexpr size_t kBlock = 4'096;
    for (size_t i = 0; i < order.size(); ++i) {
      block.push_back(rows[order[i]]);
      if (block.size() < kBlock && i + 1 < order.size()) continue;
      RETURN_IF_ERROR(WriteNumbers(block));
      block.clear();
    }
    return absl::OkStatus();
  }

  const FeaturesOptions& options_;
  const std::vector<DataSet>& data_;
  Random random_;
  std::string game_;
};

absl::Status WriteFeatures(const FeaturesOptions& options) {
  ASSIGN_OR_RETURN(const std::vector<DataSet> data, OpenAll(options.locations));
  return Feeder(options, data).Run();
}

int RunFeatures(const FeaturesOptions& options) {
  if (::isatty(STDOUT_FILENO) != 0) {
    return UsageError(
        "data features writes binary rows; expected a pipe or a file, not a terminal");
  }
  return Finish(WriteFeatures(options));
}

}  // namespace

void AddFeaturesCommand(const Command& data) {
  auto options = std::make_shared<FeaturesOptions>();
  const Command command = data.AddCommand(
      "features", "Write the samples, shuffled, as the trainer of a network reads them.");
  command
      .AddText({"LOCATION", "", "Read this folder or s3://BUCKET/PREFIX; repeat it for several"},
               &options->locations)
      .Required();
  command.AddNumber({"--seed", "S", "Shuffle with this seed"}, &options->seed);
  command.AddNumber({"--threads", "N", "Replay games in N threads"}, {1, 256}, &options->threads);
  command.AddNumber({"--passes", "N", "Write every sample N times, in another order each time"},
                    {1, 1'000}, &options->passes);
  command.AddNumber({"--shuffle", "N", "Shuffle about N samples at a time, of random shards"},
                    {1, 100'000'000}, &options->shuffle);
  command.Footer(
      "Writes a line of JSON, the features as each seat sees them, and a row of 156 bytes per\n"
      "sample (docs/nnue.md), to standard output.\n\n"
      "Example:\n"
      "  triarch data features ./data | python3 examples/train/nnue.py --out tri-d.net");
  command.OnRun(options, RunFeatures);
}

}  // namespace triarch
