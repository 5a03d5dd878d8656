// Defines compact optional values for structs that exist by the million. They work like
// std::optional.

#ifndef TRIARCH_CORE_BASE_SMALL_OPTIONAL_H_
#define TRIARCH_CORE_BASE_SMALL_OPTIONAL_H_

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>

namespace triarch {

// An optional T that is usually absent: 8 bytes, plus an allocation if it has a value.
template <class T>
class RareOptional {
 public:
  RareOptional() = default;
  RareOptional(std::nullopt_t) {}                  // NOLINT: implicit on purpose
  RareOptional(T value) : value_(new T(value)) {}  // NOLINT
  RareOptional(const std::optional<T>& value) {    // NOLINT
    if (value) value_ = std::make_unique<T>(*value);
  }
  RareOptional(const RareOptional& other) {
    if (other) value_ = std::make_unique<T>(*other);
  }
  RareOptional(RareOptional&&) noexcept = default;
  RareOptional& operator=(RareOptional other) noexcept {
    value_.swap(other.value_);
    return *this;
  }
  ~RareOptional() = default;

  bool has_value() const { return value_ != nullptr; }
  explicit operator bool() const { return has_value(); }
  // Requires: has_value().
  const T& operator*() const { return *value_; }
  const T* operator->() const { return value_.get(); }
  operator std::optional<T>() const {  // NOLINT: implicit on purpose
    return value_ ? std::optional<T>(*value_) : std::nullopt;
  }
  void reset() { value_.reset(); }

  friend bool operator==(const RareOptional& a, const RareOptional& b) {
    return a.has_value() == b.has_value() && (!a || *a == *b);
  }

 private:
  std::unique_ptr<T> value_;
};

// An optional int64_t in 8 bytes. It cannot hold the minimum of int64_t.
class OptionalInt64 {
 public:
  constexpr OptionalInt64() = default;
  constexpr OptionalInt64(std::nullopt_t) {}                 // NOLINT: implicit on purpose
  constexpr OptionalInt64(int64_t value) : value_(value) {}  // NOLINT
  constexpr OptionalInt64(std::optional<int64_t> value)      // NOLINT
      : value_(value.value_or(kNone)) {}

  constexpr bool has_value() const { return value_ != kNone; }
  constexpr explicit operator bool() const { return has_value(); }
  // Requires: has_value().
  constexpr int64_t operator*() const { return value_; }
  constexpr int64_t value_or(int64_t other) const { return has_value() ? value_ : other; }

  friend constexpr bool operator==(OptionalInt64, OptionalInt64) = default;

 private:
  static constexpr int64_t kNone = std::numeric_limits<int64_t>::min();

  int64_t value_ = kNone;
};

}  // namespace triarch

#endif  // TRIARCH_CORE_BASE_SMALL_OPTIONAL_H_
