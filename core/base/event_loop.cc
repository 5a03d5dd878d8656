#include "core/base/event_loop.h"

#include <ev.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "core/base/check.h"

namespace triarch {

// libev's macros use C-style casts.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wold-style-cast"

struct EventLoop::Parts {
  struct ev_loop* loop = nullptr;
  ev_async bell = {};
  ev_prepare prepare = {};                                  // runs before each wait
  std::vector<const std::function<void()>*> expected = {};  // callbacks of the watches that called
                                                            // Expect

  void CallExpected();
};

EventLoop::EventLoop() : parts_(std::make_unique<Parts>()) {
  parts_->loop = ev_loop_new(uint32_t{EVBACKEND_EPOLL} | uint32_t{EVFLAG_NOENV});
  if (parts_->loop == nullptr) throw std::runtime_error("cannot create an event loop");
  ev_async_init(&parts_->bell, [](struct ev_loop*, ev_async* bell, int) {
    static_cast<EventLoop*>(bell->data)->RunErrands();
  });
  parts_->bell.data = this;
  ev_async_start(parts_->loop, &parts_->bell);
  ev_prepare_init(&parts_->prepare, [](struct ev_loop*, ev_prepare* prepare, int) {
    static_cast<Parts*>(prepare->data)->CallExpected();
  });
  parts_->prepare.data = parts_.get();
  ev_prepare_start(parts_->loop, &parts_->prepare);
}

EventLoop::~EventLoop() {
  ev_prepare_stop(parts_->loop, &parts_->prepare);
  ev_async_stop(parts_->loop, &parts_->bell);
  ev_loop_destroy(parts_->loop);
}

void EventLoop::Post(std::function<void()> errand) {
  {
    MutexLock lock(&mutex_);
    errands_.push_back(std::move(errand));
  }
  ev_async_send(parts_->loop, &parts_->bell);
}

void EventLoop::RunErrands() {
  std::vector<std::function<void()>> errands;
  {
    MutexLock lock(&mutex_);
    errands.swap(errands_);
  }
  for (const std::function<void()>& errand : errands) errand();
}

void EventLoop::Run() { ev_run(parts_->loop, 0); }

void EventLoop::Stop() {
  Post([this] { ev_break(parts_->loop, EVBREAK_ALL); });
}

// ---- Descriptors.

struct EventLoop::Watch::Parts {
  EventLoop::Parts* loop;
  std::function<void()> ready;
  int events;
  ev_io io = {};
};

EventLoop::Watch::Watch(EventLoop& loop, For what, std::function<void()> ready)
    : parts_(new Parts{.loop = loop.parts_.get(),
                       .ready = std::move(ready),
                       .events = what == For::kReading ? EV_READ : EV_WRITE}) {
  ev_init(&parts_->io,
          [](struct ev_loop*, ev_io* io, int) { static_cast<Parts*>(io->data)->ready(); });
  parts_->io.data = parts_.get();
}

EventLoop::Watch::~Watch() { Stop(); }

void EventLoop::Watch::Start(int fd) {
  DCHECK(!is_on());
  ev_io_set(&parts_->io, fd, parts_->events);
  ev_io_start(parts_->loop->loop, &parts_->io);
}

void EventLoop::Watch::Stop() {
  if (!is_on()) return;
  ev_io_stop(parts_->loop->loop, &parts_->io);
  std::erase(parts_->loop->expected, &parts_->ready);
}

bool EventLoop::Watch::is_on() const { return ev_is_active(&parts_->io) != 0; }

void EventLoop::Watch::Expect() {
  DCHECK(is_on());
  parts_->loop->expected.push_back(&parts_->ready);
}

// Limits the number of calls, because a callback that calls Expect again could starve the others.
// Drops the rest: the wait reports what is ready, and a call after that would come in vain.
void EventLoop::Parts::CallExpected() {
  constexpr int kCallsMax = 64;
  for (int i = 0; i < kCallsMax && !expected.empty(); ++i) {
    const std::function<void()>& ready = *expected.back();
    expected.pop_back();
    ready();
  }
  expected.clear();
}

// ---- Timers.

// libev stops a timer with a repeat of zero.
constexpr double kSoon = 1e-6;

struct EventLoop::Timer::Parts {
  struct ev_loop* loop;
  std::function<void()> due;
  Clock::time_point time = {};
  Clock::time_point armed_for = {};  // valid while libev's timer is on; never after `time`
  ev_timer timer = {};

  // Starts libev's timer and returns the seconds left.
  double Arm() {
    armed_for = time;
    const double left = std::chrono::duration<double>(time - Clock::now()).count();
    timer.repeat = std::max(left, kSoon);
    ev_timer_again(loop, &timer);
    return left;
  }
};

EventLoop::Timer::Timer(EventLoop& loop, std::function<void()> due)
    : parts_(new Parts{.loop = loop.parts_->loop, .due = std::move(due)}) {
  ev_init(&parts_->timer, [](struct ev_loop* ev, ev_timer* timer, int) {
    Parts& parts = *static_cast<Parts*>(timer->data);
    // libev measures from its last reading of the clock, stored as a double, so it may fire early.
    if (parts.Arm() > 0) return;
    ev_timer_stop(ev, timer);
    parts.due();
  });
  parts_->timer.data = parts_.get();
}

EventLoop::Timer::~Timer() { Clear(); }

void EventLoop::Timer::Set(Clock::time_point time) {
  parts_->time = time;
  // Most changes postpone the timer, which is then re-armed only when it fires.
  if (ev_is_active(&parts_->timer) && parts_->armed_for <= time) return;
  parts_->Arm();
}

void EventLoop::Timer::Clear() { ev_timer_stop(parts_->loop, &parts_->timer); }

#pragma GCC diagnostic pop

}  // namespace triarch
