// Formats a summary of self-play data.

#ifndef TRIARCH_CLI_DATA_DATA_INFO_H_
#define TRIARCH_CLI_DATA_DATA_INFO_H_

#include <string>

#include "selfplay/dataset/data_summary.h"

namespace triarch {

// Returns lines in columns.
std::string InfoText(const DataSummary& summary, const std::string& location);
// Returns one JSON object on one line (docs/selfplay-data.md).
std::string InfoJson(const DataSummary& summary, const std::string& location);

}  // namespace triarch

#endif  // TRIARCH_CLI_DATA_DATA_INFO_H_
