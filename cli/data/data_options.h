// Declares the `triarch data` commands and their common parts: the location of the data and its
// shards.

#ifndef TRIARCH_CLI_DATA_DATA_OPTIONS_H_
#define TRIARCH_CLI_DATA_DATA_OPTIONS_H_

#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "cli/command.h"
#include "selfplay/dataset/data_set.h"

namespace triarch {

void AddInfoCommand(const Command& data);
void AddDataVerifyCommand(const Command& data);
void AddSampleCommand(const Command& data);
void AddExportCommand(const Command& data);
void AddFeaturesCommand(const Command& data);

// Adds LOCATION, a folder or a bucket.
void AddLocation(const Command& command, std::string* location);
// Adds --shard.
void AddShardOption(const Command& command, std::optional<std::string>* shard);

// Returns an error that says what was expected if the text cannot be a location.
absl::Status CheckLocation(const std::string& location);

absl::StatusOr<DataSet> OpenData(const std::string& location);

// Returns all shards, or only the one with that name.
absl::StatusOr<std::vector<ShardEntry>> ChosenShards(const DataSet& data,
                                                     const std::optional<std::string>& shard);

// Prefixes the error with the shard's file name.
absl::Status InShard(const DataSet& data, const ShardEntry& entry, const absl::Status& error);

}  // namespace triarch

#endif  // TRIARCH_CLI_DATA_DATA_OPTIONS_H_
