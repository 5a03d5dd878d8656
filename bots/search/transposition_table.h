// Stores search results by position key.

#ifndef TRIARCH_BOTS_SEARCH_TRANSPOSITION_TABLE_H_
#define TRIARCH_BOTS_SEARCH_TRANSPOSITION_TABLE_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace triarch {

// Stores search results by position key. The size is fixed. A newer entry replaces that of another
// position; for the same position the deeper entry stays. `Entry` has members `key` (0 if empty)
// and `depth`.
template <class Entry>
class TranspositionTable {
 public:
  explicit TranspositionTable(int size_log2) : entries_(size_t{1} << size_log2) {}

  // Forgets everything. After short searches, that takes little time.
  void Clear() {
    if (stored_.size() < kStoredMax) {
      for (const uint32_t slot : stored_) entries_[slot] = Entry{};
    } else {
      std::fill(entries_.begin(), entries_.end(), Entry{});
    }
    stored_.clear();
  }

  // Returns null if the position is unknown. The result is valid until the next Store.
  const Entry* Find(uint64_t key) const {
    const Entry& entry = entries_[Slot(key)];
    return entry.key == key ? &entry : nullptr;
  }

  void Store(const Entry& entry) {
    const size_t slot = Slot(entry.key);
    Entry& old = entries_[slot];
    if (old.key == 0 && stored_.size() < kStoredMax) {
      stored_.push_back(static_cast<uint32_t>(slot));
    }
    if (old.key != entry.key || entry.depth >= old.depth) old = entry;
  }

 private:
  size_t Slot(uint64_t key) const { return static_cast<size_t>(key) & (entries_.size() - 1); }

  static constexpr size_t kStoredMax = 8'192;

  std::vector<Entry> entries_;
  std::vector<uint32_t> stored_;  // the slots in use; useless once kStoredMax are
};

}  // namespace triarch

#endif  // TRIARCH_BOTS_SEARCH_TRANSPOSITION_TABLE_H_
