#include "fx/ir/support/steps.h"

#include <fmt/format.h>

#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <thread>
#include <utility>

namespace fx {
namespace {

thread_local StepListener* current_listener = nullptr;

/// Resets the peak of resident memory that the system records (proc(5), clear_refs).
void reset_peak() {
  const int file = open("/proc/self/clear_refs", O_WRONLY | O_CLOEXEC);
  if (file < 0) return;
  [[maybe_unused]] const ssize_t written = write(file, "5", 1);
  close(file);
}

int64_t peak_bytes() {
  char text[4096];
  const int file = open("/proc/self/status", O_RDONLY | O_CLOEXEC);
  if (file >= 0) {
    const ssize_t size = read(file, text, sizeof text - 1);
    close(file);
    text[std::max<ssize_t>(0, size)] = 0;
    if (const char* line = std::strstr(text, "VmHWM:"))
      return int64_t{std::strtoll(line + 6, nullptr, 10)} * 1024;
  }
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return int64_t{usage.ru_maxrss} * 1024;
}

double seconds(const timeval& time) {
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
}

}  // namespace

StepListener* set_step_listener(StepListener* listener) {
  return std::exchange(current_listener, listener);
}

Step::Step(std::string_view what) : listener_(current_listener) {
  if (listener_) listener_->begin_step(what);
}

Step::~Step() {
  if (listener_) listener_->end_step();
}

/// The line on the terminal, written by a separate thread. The thread writes to the file
/// descriptor, not to stderr, whose lock would stay locked in a child that is forked while the
/// thread holds it.
class StepReport::Display {
 public:
  Display() : thread_([this] { run(); }) {}
  ~Display() {
    {
      const std::lock_guard lock(mutex_);
      done_ = true;
    }
    changed_.notify_one();
    thread_.join();
  }

  void show(std::string what) {
    {
      const std::lock_guard lock(mutex_);
      what_ = std::move(what);
      since_ = std::chrono::steady_clock::now();
      if (shown_) put("\r\033[K");
      shown_ = false;
    }
    changed_.notify_one();
  }

 private:
  void run() {
    std::unique_lock lock(mutex_);
    while (!done_) {
      changed_.wait_for(lock, std::chrono::milliseconds(250));
      const auto passed = std::chrono::duration_cast<std::chrono::seconds>(
          std::chrono::steady_clock::now() - since_);
      if (what_.empty() || passed.count() < 1 || done_) continue;
      put(fmt::format("\r\033[K{} ... {} s", what_, passed.count()));
      shown_ = true;
    }
    if (shown_) put("\r\033[K");
  }

  static void put(std::string_view text) {
    [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, text.data(), text.size());
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::string what_;
  std::chrono::steady_clock::time_point since_ = std::chrono::steady_clock::now();
  bool shown_ = false, done_ = false;
  std::thread thread_;  // last: it uses the other members
};

StepReport::StepReport() : before_(set_step_listener(this)), start_(now()) {
  if (isatty(STDERR_FILENO) == 1) display_ = std::make_unique<Display>();
}

StepReport::~StepReport() { set_step_listener(before_); }

StepReport::Clock StepReport::now() {
  rusage self{}, children{};
  getrusage(RUSAGE_SELF, &self);
  getrusage(RUSAGE_CHILDREN, &children);
  const auto wall = std::chrono::steady_clock::now().time_since_epoch();
  return {std::chrono::duration<double>(wall).count(),
          seconds(self.ru_utime) + seconds(self.ru_stime) + seconds(children.ru_utime) +
              seconds(children.ru_stime)};
}

void StepReport::begin_step(std::string_view what) {
  if (open_.empty()) reset_peak();
  steps_.push_back({.what = std::string(what), .depth = static_cast<int>(open_.size())});
  open_.push_back({steps_.size() - 1, now()});
  if (display_) display_->show(steps_.back().what);
}

void StepReport::end_step() {
  if (open_.empty()) return;
  const Open step = open_.back();
  open_.pop_back();
  const Clock end = now();
  StepTime& times = steps_[step.index];
  times.wall_s = end.wall_s - step.start.wall_s;
  times.processor_s = end.processor_s - step.start.processor_s;
  times.peak_bytes = peak_bytes();
  if (display_) display_->show(open_.empty() ? "" : steps_[open_.back().index].what);
}

std::string StepReport::str() const {
  constexpr std::string_view kRow = "{:24} {:>10} {:>12} {:>10}\n";
  constexpr double kMiB = 1 << 20;
  const auto row = [&](std::string_view what, double wall, double cpu, double bytes) {
    return fmt::format(kRow, what, fmt::format("{:.3f} s", wall), fmt::format("{:.3f} s", cpu),
                       fmt::format("{:.1f} MiB", bytes / kMiB));
  };
  std::string text = fmt::format(kRow, "step", "wall", "CPU", "peak");
  int64_t peak = peak_bytes();
  for (const StepTime& step : steps_) {
    peak = std::max(peak, step.peak_bytes);
    text += row(std::string(static_cast<size_t>(2 * step.depth), ' ') + step.what, step.wall_s,
                step.processor_s, static_cast<double>(step.peak_bytes));
  }
  const Clock end = now();
  return text + row("all", end.wall_s - start_.wall_s, end.processor_s - start_.processor_s,
                    static_cast<double>(peak));
}

}  // namespace fx
