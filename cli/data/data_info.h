#ifndef TRIARCH_CLI_DATA_DATA_INFO_H_
#define TRIARCH_CLI_DATA_DATA_INFO_H_

#include <string>

#include "selfplay/dataset/data_summary.h"

// What `triarch data info` prints.
namespace triarch {

// For people: lines in columns.
std::string InfoText(const DataSummary& summary, const std::string& place);
// For programs: one JSON object on one line (docs/selfplay-data.md).
std::string InfoJson(const DataSummary& summary, const std::string& place);

}  // namespace triarch

#endif  // TRIARCH_CLI_DATA_DATA_INFO_H_
