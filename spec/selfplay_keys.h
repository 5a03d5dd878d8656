#ifndef TRIARCH_SPEC_SELFPLAY_KEYS_H_
#define TRIARCH_SPEC_SELFPLAY_KEYS_H_

#include "absl/status/status.h"
#include "core/record/selfplay_spec.h"
#include "spec/yaml_map.h"

namespace triarch {

// The keys under `selfplay` of a tournament file (see tournament_file.h), into a spec that has the
// defaults. Errors have the place.
absl::Status ReadSelfplayKeys(const YamlSource& source, const YAML::Node& node,
                              SelfplaySpec* selfplay);

}  // namespace triarch

#endif  // TRIARCH_SPEC_SELFPLAY_KEYS_H_
