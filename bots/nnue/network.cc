#include "bots/nnue/network.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <nlohmann/json.hpp>
#include <span>
#include <utility>

#include "absl/strings/str_format.h"
#include "core/base/status_macros.h"
#include "core/base/text.h"

#ifdef __AVX2__
#include <immintrin.h>
#endif

namespace triarch::nnue {
namespace {

static_assert(std::endian::native == std::endian::little, "the file's numbers are copied");
static_assert(kHidden == 16, "AddProducts keeps that many sums in registers");

// An output of 1: products of activations and two weights.
constexpr int64_t kOutputOne = int64_t{kOne} * kWeightOne * kWeightOne;
constexpr size_t kDescriptionMax = 64 * 1'024;
constexpr size_t kFeaturesMax = 65'535;

absl::Status Invalid(const std::string& what) { return absl::InvalidArgumentError(what); }

template <class T>
absl::Status CheckValues(std::string_view name, const std::vector<T>& values, size_t count,
                         int64_t max) {
  if (values.size() != count) {
    return Invalid(absl::StrFormat("%s has %d numbers; expected %d", name, values.size(), count));
  }
  const auto found = std::find_if(values.begin(), values.end(),
                                  [max](int64_t value) { return value > max || value < -max; });
  if (found == values.end()) return absl::OkStatus();
  return Invalid(absl::StrFormat("%s[%d] is %d; expected −%d to %d", name, found - values.begin(),
                                 *found, max, max));
}

absl::Status Check(const NetworkData& data) {
  if (data.features == 0 || data.features > kFeaturesMax) {
    return Invalid(absl::StrFormat("features: expected 1 to %d", kFeaturesMax));
  }
  if (data.accumulator == 0 || data.accumulator > kAccumulatorMax ||
      data.accumulator % kLanes != 0) {
    return Invalid(absl::StrFormat("accumulator: expected a multiple of %d up to %d", kLanes,
                                   kAccumulatorMax));
  }
  if (data.leads == 0 || data.leads >= kSeatsMax) {
    return Invalid(absl::StrFormat("leads: expected 1 to %d", kSeatsMax - 1));
  }
  constexpr int64_t kBiasMax = int64_t{kOne} * kWeightOne * 1'000;
  RETURN_IF_ERROR(CheckValues("feature_weights", data.feature_weights,
                              data.features * data.accumulator, kFeatureMax));
  RETURN_IF_ERROR(CheckValues("feature_bias", data.feature_bias, data.accumulator, kFeatureMax));
  RETURN_IF_ERROR(
      CheckValues("hidden_weights", data.hidden_weights, kHidden * data.accumulator, kWeightMax));
  RETURN_IF_ERROR(CheckValues("hidden_bias", data.hidden_bias, kHidden, kBiasMax));
  RETURN_IF_ERROR(
      CheckValues("output_weights", data.output_weights, data.leads * kHidden, kWeightMax));
  return CheckValues("output_bias", data.output_bias, data.leads, kBiasMax);
}

// Takes so many numbers from the front of `bytes`. Requires: there are that many.
template <class T>
std::vector<T> TakeNumbers(std::string_view& bytes, size_t count) {
  std::vector<T> values(count);
  std::memcpy(values.data(), bytes.data(), count * sizeof(T));
  bytes.remove_prefix(count * sizeof(T));
  return values;
}

absl::StatusOr<NetworkData> ReadDescription(std::string_view line) {
  const nlohmann::json json = nlohmann::json::parse(line, nullptr, false);
  NetworkData data;
  try {
    json.at("game").get_to(data.game);
    json.at("features").get_to(data.features);
    json.at("accumulator").get_to(data.accumulator);
    json.at("leads").get_to(data.leads);
    if (json.at("hidden") != kHidden)
      return Invalid(absl::StrFormat("hidden: expected %d", kHidden));
  } catch (const nlohmann::json::exception&) {
    return Invalid("line 2 is not JSON with game, features, accumulator, hidden and leads");
  }
  return data;
}

// A vector of 16-bit numbers, for which compilers take the instructions that the processor has.
using Lanes = int16_t __attribute__((vector_size(2 * kLanes)));

// Adds to each sum its products with all pairs of inputs. Vector instructions multiply and add
// pairs of 16-bit numbers; the result is the same as that of the plain loop.
void AddProducts(const int16_t* inputs, const int16_t* weights, size_t pairs,
                 std::array<int32_t, kHidden>& sums) {
#if defined(__AVX512BW__)
  __m512i sum = _mm512_loadu_si512(sums.data());
  __m512i odd = _mm512_setzero_si512();
  for (size_t i = 0; i < pairs; i += 2, weights += 4 * kHidden) {
    int32_t pair[2];
    std::memcpy(&pair, inputs + 2 * i, sizeof pair);
    sum = _mm512_add_epi32(
        sum, _mm512_madd_epi16(_mm512_set1_epi32(pair[0]), _mm512_loadu_si512(weights)));
    odd = _mm512_add_epi32(odd, _mm512_madd_epi16(_mm512_set1_epi32(pair[1]),
                                                  _mm512_loadu_si512(weights + 2 * kHidden)));
  }
  _mm512_storeu_si512(sums.data(), _mm512_add_epi32(sum, odd));
#elif defined(__AVX2__)
  __m256i parts[2];
  for (size_t j = 0; j < 2; ++j) {
    parts[j] = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(sums.data() + 8 * j));
  }
  for (size_t i = 0; i < pairs; ++i, weights += 2 * kHidden) {
    int32_t pair;
    std::memcpy(&pair, inputs + 2 * i, sizeof pair);
    const __m256i input = _mm256_set1_epi32(pair);
    for (size_t j = 0; j < 2; ++j) {
      const __m256i row = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(weights + 16 * j));
      parts[j] = _mm256_add_epi32(parts[j], _mm256_madd_epi16(input, row));
    }
  }
  for (size_t j = 0; j < 2; ++j) {
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(sums.data() + 8 * j), parts[j]);
  }
#else
  for (size_t i = 0; i < pairs; ++i, weights += 2 * kHidden) {
    for (size_t h = 0; h < kHidden; ++h) {
      sums[h] += inputs[2 * i] * weights[2 * h] + inputs[2 * i + 1] * weights[2 * h + 1];
    }
  }
#endif
}

}  // namespace

absl::StatusOr<std::shared_ptr<const Network>> Network::Make(NetworkData data) {
  RETURN_IF_ERROR(Check(data));
  return std::shared_ptr<const Network>(new Network(std::move(data)));
}

absl::StatusOr<std::shared_ptr<const Network>> Network::FromBytes(std::string_view bytes) {
  if (!bytes.starts_with(kMagic)) {
    return Invalid("line 1 is not \"triarch-net 1\": not a network, or of another version");
  }
  const size_t line_end = bytes.substr(0, kDescriptionMax).find('\n', kMagic.size());
  if (line_end == std::string_view::npos) return Invalid("line 2 does not end");
  if (bytes.size() < line_end + 1 + kDigestDigits) return Invalid("it is cut off");
  std::string_view rest = bytes.substr(line_end + 1);
  const std::string_view digest = rest.substr(rest.size() - kDigestDigits);
  rest.remove_suffix(kDigestDigits);
  const std::string_view line = bytes.substr(kMagic.size(), line_end - kMagic.size());
  ASSIGN_OR_RETURN(NetworkData data, ReadDescription(line));
  if (data.features > kFeaturesMax || data.accumulator > kAccumulatorMax ||
      data.leads >= kSeatsMax) {
    return Invalid(
        absl::StrFormat("its sizes are above the limits: features %d, accumulator %d, leads %d",
                        kFeaturesMax, kAccumulatorMax, kSeatsMax - 1));
  }
  const size_t small = data.features * data.accumulator + data.accumulator +
                       kHidden * data.accumulator + data.leads * kHidden;
  const size_t size = small * sizeof(int16_t) + (kHidden + data.leads) * sizeof(int32_t);
  if (rest.size() != size) {
    return Invalid(absl::StrFormat("its numbers take %d bytes; expected %d", rest.size(), size));
  }
  data.feature_weights = TakeNumbers<int16_t>(rest, data.features * data.accumulator);
  data.feature_bias = TakeNumbers<int16_t>(rest, data.accumulator);
  data.hidden_weights = TakeNumbers<int16_t>(rest, kHidden * data.accumulator);
  data.hidden_bias = TakeNumbers<int32_t>(rest, kHidden);
  data.output_weights = TakeNumbers<int16_t>(rest, data.leads * kHidden);
  data.output_bias = TakeNumbers<int32_t>(rest, data.leads);
  RETURN_IF_ERROR(Check(data));
  auto network = std::shared_ptr<Network>(new Network(std::move(data)));
  network->description_ = std::string(line);
  network->digest_ = std::string(digest);
  return network;
}

Network::Network(NetworkData data) : data_(std::move(data)) {
  pairs_.reserve(data_.hidden_weights.size());
  for (size_t i = 0; i < data_.accumulator; i += 2) {
    for (size_t h = 0; h < kHidden; ++h) {
      const int16_t* const row = data_.hidden_weights.data() + h * data_.accumulator;
      pairs_.push_back(row[i]);
      pairs_.push_back(row[i + 1]);
    }
  }
}

void Network::Begin(int16_t* accumulator) const {
  std::copy(data_.feature_bias.begin(), data_.feature_bias.end(), accumulator);
}

void Network::Change(const FeatureList& lost, const FeatureList& gained,
                     const std::vector<Feature>& view, int16_t* accumulator) const {
  const size_t size = data_.accumulator;
  const int16_t* const weights = data_.feature_weights.data();
  // A part of the accumulator stays in a register while all features change it.
  for (size_t begin = 0; begin < size; begin += kLanes) {
    Lanes part;
    Lanes row;
    std::memcpy(&part, accumulator + begin, sizeof part);
    for (const Feature feature : lost) {
      std::memcpy(&row, weights + view[feature] * size + begin, sizeof row);
      part -= row;
    }
    for (const Feature feature : gained) {
      std::memcpy(&row, weights + view[feature] * size + begin, sizeof row);
      part += row;
    }
    std::memcpy(accumulator + begin, &part, sizeof part);
  }
}

std::array<int, kSeatsMax - 1> Network::Leads(const int16_t* accumulator) const {
  const size_t size = data_.accumulator;
  alignas(64) std::array<int16_t, kAccumulatorMax> active;
  for (size_t i = 0; i < size; ++i) active[i] = std::clamp<int16_t>(accumulator[i], 0, kOne);
  std::array<int32_t, kHidden> sums;
  std::copy_n(data_.hidden_bias.begin(), kHidden, sums.begin());
  AddProducts(active.data(), pairs_.data(), size / 2, sums);
  for (int32_t& sum : sums) sum = std::clamp(sum, 0, kOne * kWeightOne);
  std::array<int, kSeatsMax - 1> leads{};
  for (size_t i = 0; i < data_.leads; ++i) {
    int64_t output = int64_t{data_.output_bias[i]} * kWeightOne;
    const int16_t* const weights = data_.output_weights.data() + i * kHidden;
    for (size_t h = 0; h < kHidden; ++h) output += int64_t{sums[h]} * weights[h];
    leads[i] = static_cast<int>(output * kLeadOne / kOutputOne);
  }
  return leads;
}

}  // namespace triarch::nnue
