#include "arena/api/accounts.h"

#include <optional>
#include <string>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/escaping.h"
#include "absl/strings/str_format.h"
#include "arena/table/table.h"
#include "core/base/sha256.h"
#include "core/base/status_macros.h"
#include "core/base/text.h"

namespace triarch::arena {
namespace {

constexpr size_t kAccountNameMax = 40;  // bytes
constexpr size_t kKeyDigits = 64;

absl::StatusOr<StoredPlayer> PlayerOfKey(ArenaStore& store, const std::string& key) {
  if (key.size() != kKeyDigits) return absl::UnauthenticatedError("no player has this key");
  ASSIGN_OR_RETURN(const std::optional<StoredPlayer> player, store.FindKey(Sha256Hex(key)));
  if (!player) return absl::UnauthenticatedError("no player has this key");
  return *player;
}

// Returns whether the key is this player's, as after an earlier request whose answer was lost.
bool HasKey(ArenaStore& store, const std::string& name, const std::string& key) {
  const auto player = store.FindPlayer(name);
  return player.ok() && *player && (*player)->key_hash == Sha256Hex(key);
}

// Checks a key that a player has chosen.
absl::Status CheckKey(const std::string& key) {
  if (key.empty() || IsSha256(key)) return absl::OkStatus();
  return absl::InvalidArgumentError("key: expected 64 digits from 0 to 9 and a to f");
}

// Checks that a key that is to become a player's is not another one's.
absl::Status CheckUnused(ArenaStore& store, const std::string& key_hash) {
  ASSIGN_OR_RETURN(const std::optional<StoredPlayer> player, store.FindKey(key_hash));
  if (!player) return absl::OkStatus();
  return absl::AlreadyExistsError("key: choose a random one; this one is not");
}

}  // namespace

std::string Accounts::NewKey() const {
  return absl::BytesToHexString(parts_.random() + parts_.random());
}

void Accounts::Find(const std::string& key, Done<StoredPlayer> done) const {
  parts_.store.Do([key](ArenaStore& store) { return PlayerOfKey(store, key); }, std::move(done));
}

void Accounts::FindName(const std::string& name, Done<StoredPlayer> done) const {
  const auto find = [name](ArenaStore& store) -> absl::StatusOr<StoredPlayer> {
    ASSIGN_OR_RETURN(const std::optional<StoredPlayer> player, store.FindPlayer(name));
    if (!player) return absl::NotFoundError("there is no such player");
    return *player;
  };
  parts_.store.Do(find, std::move(done));
}

void Accounts::CheckFree(const std::string& name,
                         std::function<void(const absl::Status&)> done) const {
  const auto check = [name](ArenaStore& store) -> absl::Status {
    ASSIGN_OR_RETURN(const std::optional<StoredPlayer> player, store.FindPlayer(name));
    if (!player) return absl::OkStatus();
    return absl::AlreadyExistsError(
        "the name belongs to an account; show its key, or take another");
  };
  parts_.store.Do(check, std::move(done));
}

void Accounts::Add(const std::string& name, const std::string& wanted,
                   const std::string& owners_key, Done<std::string> done) const {
  absl::StatusOr<std::string> checked = CheckName(name);
  if (checked.ok() && checked->size() > kAccountNameMax) {
    checked = absl::InvalidArgumentError(
        absl::StrFormat("name: expected at most %d bytes", kAccountNameMax));
  }
  if (checked.ok()) {
    const std::string word = absl::AsciiStrToLower(checked->substr(0, checked->find(':')));
    if (parts_.is_bot(word)) checked = absl::AlreadyExistsError("the name is that of a house bot");
  }
  if (checked.ok() && parts_.check_allowed) {
    if (const absl::Status allowed = parts_.check_allowed(*checked); !allowed.ok()) {
      checked = allowed;
    }
  }
  if (const absl::Status key = CheckKey(wanted); checked.ok() && !key.ok()) checked = key;
  if (!checked.ok()) return Refuse(checked.status(), std::move(done));
  const std::string key = wanted.empty() ? NewKey() : wanted;
  StoredPlayer player{.name = *checked,
                      .owner = absl::BytesToHexString(parts_.random()),
                      .key_hash = Sha256Hex(key),
                      .created_ms = parts_.now_ms()};
  const auto add = [player, key, owners_key](ArenaStore& store) -> absl::StatusOr<std::string> {
    StoredPlayer added = player;
    if (!owners_key.empty()) {
      ASSIGN_OR_RETURN(const StoredPlayer other, PlayerOfKey(store, owners_key));
      added.owner = other.owner;
    }
    if (HasKey(store, added.name, key)) return key;
    RETURN_IF_ERROR(CheckUnused(store, added.key_hash));
    RETURN_IF_ERROR(store.AddPlayer(added));
    return key;
  };
  parts_.store.Do(add, std::move(done));
}

void Accounts::Renew(const std::string& name, const std::string& key, const std::string& wanted,
                     Done<std::string> done) const {
  if (const absl::Status checked = CheckKey(wanted); !checked.ok()) {
    return Refuse(checked, std::move(done));
  }
  const auto renew = [name, key, next = wanted.empty() ? NewKey() : wanted](
                         ArenaStore& store) -> absl::StatusOr<std::string> {
    if (HasKey(store, name, next)) return next;
    ASSIGN_OR_RETURN(const StoredPlayer player, PlayerOfKey(store, key));
    if (absl::AsciiStrToLower(player.name) != absl::AsciiStrToLower(name)) {
      return absl::PermissionDeniedError("this is another player's key");
    }
    RETURN_IF_ERROR(CheckUnused(store, Sha256Hex(next)));
    RETURN_IF_ERROR(store.SetKey(name, Sha256Hex(next)));
    return next;
  };
  parts_.store.Do(renew, std::move(done));
}

void Accounts::Replace(const std::string& name, Done<std::string> done) const {
  const auto replace = [name, key = NewKey()](ArenaStore& store) -> absl::StatusOr<std::string> {
    RETURN_IF_ERROR(store.SetKey(name, Sha256Hex(key)));
    return key;
  };
  parts_.store.Do(replace, std::move(done));
}

}  // namespace triarch::arena
