// Formats a coordinator's answers as JSON (docs/json.md): one object or array per line.

#ifndef TRIARCH_CLI_CLUSTER_OPERATOR_JSON_H_
#define TRIARCH_CLI_CLUSTER_OPERATOR_JSON_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "cli/progress.h"
#include "triarch/v1/bot.pb.h"
#include "triarch/v1/tournament.pb.h"

namespace triarch {

std::string ListJson(const v1::ListResponse& list);
// Includes the standings if given.
std::string WatchJson(const v1::GetResponse& now, const v1::StandingsResponse* standings);
std::string SubmitJson(int64_t tournament);
std::string StateJson(int64_t tournament, std::string_view state);

std::string SetJson(int64_t tournament, const v1::SetPrecedenceResponse& now);
std::string PruneJson(const v1::PruneResponse& pruned);
std::string EvictJson(std::string_view worker, int64_t leases, std::string_view quarantine);
std::string UnquarantineJson(std::string_view worker);

std::string AddBotJson(const v1::AddBotResponse& added);
std::string ListBotsJson(const v1::ListBotsResponse& list);
std::string ShowBotJson(const v1::GetBotResponse& found);
std::string RemoveBotJson(const v1::RemoveBotResponse& removed);

// Returns the figures of a self-play run, or nullopt for another tournament.
std::optional<DataFigures> DataOf(const v1::Tournament& tournament);

}  // namespace triarch

#endif  // TRIARCH_CLI_CLUSTER_OPERATOR_JSON_H_
