// The progress of long operations: reading, capturing, laying out. Libraries open a Step; their
// caller may listen to the steps of this thread, as the commands do for --time and on a terminal:
//
//   fx::StepReport report;  // shows "capture ... 3 s" on a terminal
//   { fx::Step step("capture"); ... }
//   std::fputs(report.str().c_str(), stderr);  // per step: wall time, CPU time, memory
//
// A Step costs two calls if there is a listener, and almost nothing otherwise. It is for operations
// that take milliseconds or more, not for loops.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace fx {

/// Receives the steps of the thread for which it was set. Steps nest.
class StepListener {
 public:
  virtual ~StepListener() = default;
  virtual void begin_step(std::string_view what) = 0;
  virtual void end_step() = 0;
};

/// Sets the listener of this thread, which may be null; returns the previous one. Not owned.
StepListener* set_step_listener(StepListener* listener);

/// A step, from its construction to its destruction. `what` is an infinitive: "lay out".
class [[nodiscard]] Step {
 public:
  explicit Step(std::string_view what);
  Step(const Step&) = delete;
  Step& operator=(const Step&) = delete;
  ~Step();

 private:
  StepListener* listener_;
};

/// One line of a report.
struct StepTime {
  std::string what;
  int depth = 0;           ///< 0: not in another step
  double wall_s = 0;       ///< seconds
  double processor_s = 0;  ///< of all threads and of child processes that have exited
  int64_t peak_bytes =
      0;  ///< peak resident memory since the outermost step began, or since the program started
          ///< if the system cannot reset the peak
};

/// Listens on the thread that creates it, which must also destroy it, and keeps the times of all
/// steps. If standard error is a terminal, a line shows the current step and, after a second, the
/// seconds since the step began or the last step in it ended.
class StepReport : public StepListener {
 public:
  StepReport();
  ~StepReport() override;
  StepReport(const StepReport&) = delete;
  StepReport& operator=(const StepReport&) = delete;

  void begin_step(std::string_view what) override;
  void end_step() override;

  /// The steps in the order in which they began.
  const std::vector<StepTime>& steps() const { return steps_; }
  /// A table: step, wall and CPU time, peak memory; and a line with the total since the
  /// construction of the report.
  std::string str() const;

 private:
  struct Clock {
    double wall_s, processor_s;
  };
  static Clock now();
  class Display;

  StepListener* before_;
  Clock start_;
  std::vector<StepTime> steps_;
  struct Open {
    size_t index;
    Clock start;
  };
  std::vector<Open> open_;
  std::unique_ptr<Display> display_;  // null when standard error is not a terminal
};

}  // namespace fx
