// What a long piece of work is at: reading, capturing, laying out. Libraries open a Step; whoever
// drives them on this thread may listen, as the commands do for --time and on a terminal:
//
//   fx::StepReport report;                    // shows "capture 3 s" on a terminal while it runs
//   { fx::Step step("capture"); ... }
//   std::fputs(report.str().c_str(), stderr);  // a line per step: wall time, processor time,
//   memory
//
// A Step costs two calls when there is a listener, and nothing otherwise; it is for work of
// milliseconds and more, not for loops.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace fx {

/// Receives the steps of the thread that it was set on. Steps nest.
class StepListener {
 public:
  virtual ~StepListener() = default;
  virtual void begin_step(std::string_view what) = 0;
  virtual void end_step() = 0;
};

/// Sets the listener of this thread, or null; returns the one before. Not owned.
StepListener* set_step_listener(StepListener* listener);

/// A step, from its construction to its destruction. `what` in the infinitive: "lay out".
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
  int depth = 0;           ///< 0: in no other step
  double wall_s = 0;       ///< seconds
  double processor_s = 0;  ///< of all threads and of children that have ended
  int64_t peak_bytes = 0;  ///< most resident memory while it ran; since the program began where the
                           ///< system cannot tell more
};

/// Listens on the thread that makes it, which must also destroy it, and keeps the times of all
/// steps. On a terminal (standard error is one) the step at work and its seconds stand in one line
/// from the first second on, which is removed with the step; elsewhere nothing is written.
class StepReport : public StepListener {
 public:
  StepReport();
  ~StepReport() override;
  StepReport(const StepReport&) = delete;
  StepReport& operator=(const StepReport&) = delete;

  void begin_step(std::string_view what) override;
  void end_step() override;

  /// In the order in which they began.
  const std::vector<StepTime>& steps() const { return steps_; }
  /// As a table: step, wall and processor time, peak memory; and a line for all of it, from the
  /// construction of this on.
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
