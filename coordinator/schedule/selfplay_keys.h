#ifndef TRIARCH_COORDINATOR_SCHEDULE_SELFPLAY_KEYS_H_
#define TRIARCH_COORDINATOR_SCHEDULE_SELFPLAY_KEYS_H_

#include "absl/status/status.h"
#include "coordinator/schedule/yaml_map.h"
#include "core/record/selfplay_spec.h"

namespace triarch {

// The keys under `selfplay` of a tournament file (see tournament_file.h), into a spec that has the
// defaults. Errors have the place.
absl::Status ReadSelfplayKeys(const YamlSource& source, const YAML::Node& node,
                              SelfplaySpec* selfplay);

}  // namespace triarch

#endif  // TRIARCH_COORDINATOR_SCHEDULE_SELFPLAY_KEYS_H_
