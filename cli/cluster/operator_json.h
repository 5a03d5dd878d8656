#ifndef TRIARCH_CLI_CLUSTER_OPERATOR_JSON_H_
#define TRIARCH_CLI_CLUSTER_OPERATOR_JSON_H_

#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "cli/tournament/progress.h"
#include "triarch/v1/bot.pb.h"
#include "triarch/v1/tournament.pb.h"

// What operators' commands print with --json (docs/json.md).
namespace triarch {

using OperatorJson = nlohmann::ordered_json;

OperatorJson ToJson(const v1::Tournament& tournament);
OperatorJson ToJson(const v1::Worker& worker);
OperatorJson ToJson(const v1::Bot& bot);
// One line; bytes that are no UTF-8 are replaced.
std::string JsonLine(const OperatorJson& json);

// What is said of the data of self-play; empty of what is none.
std::optional<DataFigures> DataOf(const v1::Tournament& tournament);

}  // namespace triarch

#endif  // TRIARCH_CLI_CLUSTER_OPERATOR_JSON_H_
