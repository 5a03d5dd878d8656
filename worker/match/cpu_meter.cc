#include "worker/match/cpu_meter.h"

#include <algorithm>
#include <cmath>
#include <ctime>

namespace triarch {

std::chrono::nanoseconds ThreadCpuTime() {
  timespec time;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
}

CpuMeter::CpuMeter(bool is_one_thread, bool reads_all)
    : is_one_thread_(is_one_thread),
      reads_all_(reads_all || !is_one_thread),
      began_(is_one_thread ? ThreadCpuTime() : Duration::zero()) {}

void CpuMeter::EndTurn(Seat seat, Duration wall, std::optional<Duration> cpu, bool is_move) {
  Entry& entry = entries_[seat];
  entry.is_short = wall < kShort;
  if (cpu) {
    read_wall_ += wall;
    read_cpu_ += *cpu;
  }
  if (!is_move) return;
  entry.is_partly_read |= !cpu.has_value();
  if (!cpu) return;
  entry.read_wall += wall;
  entry.read_cpu += *cpu;
}

void CpuMeter::EndGame(Duration wall) {
  if (!is_one_thread_) return;
  const Duration rest = wall - read_wall_;
  const Duration run = ThreadCpuTime() - began_ - read_cpu_;
  if (rest <= Duration::zero()) return;
  share_ = std::clamp(static_cast<double>(run.count()) / static_cast<double>(rest.count()), 0., 1.);
}

std::optional<CpuMeter::Duration> CpuMeter::total(Seat seat, Duration wall) const {
  const Entry& entry = entries_[seat];
  if (!entry.is_partly_read) return entry.read_cpu;
  if (!is_one_thread_) return std::nullopt;
  const Duration rest = std::max(wall - entry.read_wall, Duration::zero());
  return entry.read_cpu + Duration(std::llround(static_cast<double>(rest.count()) * share_));
}

}  // namespace triarch
