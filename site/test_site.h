// The API of the web page over a SQLite file, without sockets, for tests.

#ifndef TRIARCH_SITE_TEST_SITE_H_
#define TRIARCH_SITE_TEST_SITE_H_

#include <gtest/gtest.h>

#include <deque>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "absl/strings/str_format.h"
#include "arena/api/test_arena.h"
#include "core/base/mutex.h"
#include "core/base/temporary_folder.h"
#include "site/site_api.h"

namespace triarch::site {

// Runs the functions that the reader posts in the thread of the test.
class Errands {
 public:
  void Post(std::function<void()> errand) {
    MutexLock lock(&mutex_);
    errands_.push_back(std::move(errand));
    changed_.NotifyAll();
  }
  void RunOne() {
    std::function<void()> errand;
    {
      MutexLock lock(&mutex_);
      while (errands_.empty()) changed_.Wait(&mutex_);
      errand = std::move(errands_.front());
      errands_.pop_front();
    }
    errand();
  }

 private:
  Mutex mutex_;
  CondVar changed_;
  std::deque<std::function<void()>> errands_ ABSL_GUARDED_BY(mutex_);
};

class TestSite {
 public:
  // Sends a request. A client that has an answer names its tag.
  std::shared_ptr<arena::TestExchange> Ask(const std::string& path, const std::string& query = "",
                                           const std::string& method = "GET",
                                           const std::string& tag = "") {
    WebRequest request = arena::TestRequest(method, path, query);
    request.if_none_match = tag;
    const auto exchange = std::make_shared<arena::TestExchange>(std::move(request));
    EXPECT_TRUE(api.Handle(exchange)) << path;
    while (!exchange->is_answered()) errands_.RunOne();
    return exchange;
  }
  nlohmann::ordered_json Get(const std::string& path, const std::string& query = "") {
    const auto exchange = Ask("/api/v2" + path, query);
    EXPECT_EQ(exchange->status(), 200) << path << "?" << query << ": " << exchange->text();
    return nlohmann::ordered_json::parse(exchange->text());
  }
  // Returns the status and the detail of an error: "404 there is no …".
  std::string Error(const std::string& path, const std::string& query = "",
                    const std::string& method = "GET") {
    const auto exchange = Ask("/api/v2" + path, query, method);
    const auto json = nlohmann::ordered_json::parse(exchange->text());
    return absl::StrFormat("%d %s", exchange->status(), json.at("detail").get<std::string>());
  }

 private:
  const TemporaryFolder folder_;
  Errands errands_;
  const StoreReader::Opener open_ = [this] { return OpenStore(db, OpenMode::kReadOnly); };

 public:
  const std::string db = folder_ / "games.db";
  StoreReader slow{open_};
  StoreReader reader{open_};
  SiteApi api{reader, slow, [this](std::function<void()> errand) { errands_.Post(errand); }};
};

}  // namespace triarch::site

#endif  // TRIARCH_SITE_TEST_SITE_H_
