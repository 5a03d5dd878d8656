#include "arena/service/gate.h"

#include <chrono>
#include <string>
#include <utility>

#include "core/base/sha256.h"

namespace triarch::arena {
namespace {

constexpr std::string_view kOther = "other";

// In plain requests.
constexpr double kJoinCost = 10;
constexpr double kAccountCost = 100;
constexpr double kUnknownSecretCost = 20;

// When a client that has too many requests open may try again.
constexpr int64_t kOpenRetrySeconds = 5;

// A token plays one seat, an address several.
constexpr double kTokenShare = 0.5;

bool IsJoin(std::string_view route) {
  return route == "/api/v1/join" || route == "/api/v2/join" || route == "/api/v2/rematch";
}
bool MakesAccount(const WebRequest& request, std::string_view route) {
  return request.method == "POST" && route == "/api/v2/players";
}

double CostOf(const WebRequest& request, std::string_view route) {
  if (IsJoin(route)) return kJoinCost;
  return MakesAccount(request, route) ? kAccountCost : 1;
}

void ReplyTooMany(const Exchange& exchange, int64_t seconds) {
  exchange->Reply({.status = 429,
                   .body = MakeWebText("{\"detail\":\"too many requests; try again in " +
                                       std::to_string(seconds) + " s\"}"),
                   .headers = {{"Retry-After", std::to_string(seconds)}}});
}

}  // namespace

class Gate::Place {
 public:
  Place(Gate& gate, std::string client) : gate_(gate), client_(std::move(client)) {}
  ~Place() {
    if (--gate_.open_[client_] == 0) gate_.open_.erase(client_);
  }
  Place(const Place&) = delete;
  Place& operator=(const Place&) = delete;

 private:
  Gate& gate_;
  const std::string client_;
};

// A request whose answer the gate sees.
class Gate::Counted final : public WebExchange {
 public:
  Counted(Gate& gate, Exchange inner, std::string_view route, std::shared_ptr<Place> place)
      : gate_(gate), inner_(std::move(inner)), route_(route), place_(std::move(place)) {}

  const WebRequest& request() const override { return inner_->request(); }
  bool is_gone() const override { return inner_->is_gone(); }
  void Reply(WebResponse response) override {
    gate_.Answered(inner_->request(), route_, std::chrono::steady_clock::now() - began_, response);
    inner_->Reply(std::move(response));
  }
  std::shared_ptr<WebStream> BeginEvents() override {
    gate_.parts_.metrics->Answered(route_, 200);
    return std::make_shared<HeldStream>(inner_->BeginEvents(), place_);
  }
  std::shared_ptr<WebStream> BeginSocket() override {
    gate_.parts_.metrics->Answered(route_, 101);
    return std::make_shared<HeldStream>(inner_->BeginSocket(), place_);
  }

 private:
  // A stream that keeps its place until it is closed and its owner drops it.
  class HeldStream final : public WebStream {
   public:
    HeldStream(std::shared_ptr<WebStream> inner, std::shared_ptr<Place> place)
        : inner_(std::move(inner)), place_(std::move(place)) {}
    void Send(WebText text) override { inner_->Send(std::move(text)); }
    void Close() override { inner_->Close(); }
    bool is_open() const override { return inner_->is_open(); }
    void OnClose(std::function<void()> closed) override { inner_->OnClose(std::move(closed)); }
    void OnDrained(std::function<void()> drained) override {
      inner_->OnDrained(std::move(drained));
    }

   private:
    const std::shared_ptr<WebStream> inner_;
    const std::shared_ptr<Place> place_;
  };

  Gate& gate_;
  const Exchange inner_;
  const std::string_view route_;
  const std::shared_ptr<Place> place_;
  const std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
};

Gate::Gate(double per_second, size_t open_max, Parts parts)
    : per_second_(per_second),
      open_max_(open_max),
      parts_(std::move(parts)),
      addresses_(per_second),
      tokens_(per_second * kTokenShare) {}

bool Gate::HasLimits(const WebRequest& request) const {
  return per_second_ > 0 && !request.is_loopback;
}

std::shared_ptr<Gate::Place> Gate::TakePlace(const WebRequest& request) {
  const std::string client = RateKeyOf(request.client);
  size_t& open = open_[client];
  if (open >= open_max_) return nullptr;
  ++open;
  return std::make_shared<Place>(*this, client);
}

int64_t Gate::TakeAllowance(const WebRequest& request, std::string_view route) {
  const int64_t now_ms = parts_.now_ms();
  const double cost = CostOf(request, route);
  const int64_t seconds = addresses_.Take(RateKeyOf(request.client), cost, now_ms);
  if (seconds > 0) return seconds;
  const std::string token = BearerToken(request);
  return token.empty() ? 0 : tokens_.Take(Sha256Hex(token), cost, now_ms);
}

Exchange Gate::Enter(const Exchange& exchange) {
  const WebRequest& request = exchange->request();
  std::string_view route;
  for (const std::vector<Route>* const routes : routes_) {
    if (route.empty()) route = PatternOf(*routes, request);
  }
  if (route.empty()) route = kOther;
  std::shared_ptr<Place> place;
  if (!request.is_loopback && (place = TakePlace(request)) == nullptr) {
    const auto refused = std::make_shared<Counted>(*this, exchange, route, nullptr);
    parts_.metrics->CountRefusal("rate_limited");
    ReplyTooMany(refused, kOpenRetrySeconds);
    return nullptr;
  }
  auto counted = std::make_shared<Counted>(*this, exchange, route, std::move(place));
  if (HasLimits(request)) {
    if (const int64_t seconds = TakeAllowance(request, route); seconds > 0) {
      parts_.metrics->CountRefusal("rate_limited");
      ReplyTooMany(counted, seconds);
      return nullptr;
    }
  }
  if (IsJoin(route) || MakesAccount(request, route)) {
    if (const absl::Status client = parts_.bans->CheckClient(request.client); !client.ok()) {
      parts_.metrics->CountRefusal("blocked");
      ReplyError(counted, client);
      return nullptr;
    }
  }
  return counted;
}

void Gate::Answered(const WebRequest& request, std::string_view route,
                    std::chrono::duration<double> time, const WebResponse& response) {
  parts_.metrics->Answered(route, response.status);
  if (response.status == 401) {
    parts_.metrics->CountRefusal("unknown_secret");
    if (!HasLimits(request)) return;
    const int64_t now_ms = parts_.now_ms();
    addresses_.Charge(RateKeyOf(request.client), kUnknownSecretCost, now_ms);
    const std::string token = BearerToken(request);
    if (!token.empty()) tokens_.Charge(Sha256Hex(token), kUnknownSecretCost, now_ms);
  } else if (response.status == 200 && route.ends_with("/move")) {
    parts_.metrics->MoveStored(time.count());
  } else if (response.status == 200 && IsJoin(route) && response.body != nullptr) {
    parts_.joined(request, *response.body);
  }
}

}  // namespace triarch::arena
