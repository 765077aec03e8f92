#include "fx/codegen/graphviz/layout.h"

#include "fx/ir/support/status.h"

#include "absl/base/config.h"
#include <fmt/format.h>
#include <graphviz/gvc.h>

#include <fcntl.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>

namespace fx {
namespace {

using Clock = std::chrono::steady_clock;

// ---------------------------------------------------------------- the child

void write_all(int fd, const void* data, size_t size) {
  const auto* next = static_cast<const char*>(data);
  while (size > 0) {
    const ssize_t written = write(fd, next, size);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) _exit(1);  // the parent has closed the pipe
    next += written;
    size -= static_cast<size_t>(written);
  }
}

void write_block(int fd, const char* data, uint64_t size) {
  write_all(fd, &size, sizeof size);
  write_all(fd, data, size);
}

/// Writes two blocks for each graph, both empty if Graphviz cannot lay it out. Ends the process.
[[noreturn]] void run_child(int fd, absl::Span<const std::string> dots,
                            const LayoutOptions& options) {
  const int null = open("/dev/null", O_RDWR);
  dup2(null, STDERR_FILENO);  // Graphviz's warnings
  dup2(null, STDOUT_FILENO);
#ifndef ABSL_HAVE_ADDRESS_SANITIZER  // ASan reserves terabytes of address space
  const rlimit memory = {options.memory_bytes, options.memory_bytes};
  setrlimit(RLIMIT_AS, &memory);
#endif
  const rlimit no_core = {0, 0};
  setrlimit(RLIMIT_CORE, &no_core);
  GVC_t* const gvc = gvContext();
  for (const std::string& dot : dots) {
    Agraph_t* const graph = agmemread(dot.c_str());
    char *svg = nullptr, *plain = nullptr;
    unsigned int svg_size = 0, plain_size = 0;
    if (graph && gvLayout(gvc, graph, options.engine.c_str()) == 0) {
      gvRenderData(gvc, graph, "svg", &svg, &svg_size);
      gvRenderData(gvc, graph, "plain", &plain, &plain_size);
    }
    write_block(fd, svg, svg ? svg_size : 0);
    write_block(fd, plain, plain ? plain_size : 0);
    if (!graph) continue;
    gvFreeRenderData(svg);
    gvFreeRenderData(plain);
    gvFreeLayout(gvc, graph);
    agclose(graph);
  }
  _exit(0);  // skips the parent's destructors and buffered output
}

// ---------------------------------------------------------------- the parent

/// A child process and the read end of its pipe. The destructor kills the child and waits for it.
class Child {
 public:
  static absl::StatusOr<Child> start(absl::Span<const std::string> dots,
                                     const LayoutOptions& options) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0)
      return absl::InternalError(
          fmt::format("cannot create a pipe for the layout: {}", std::strerror(errno)));
    const pid_t pid = fork();
    if (pid < 0) {
      const int error = errno;
      close(ends[0]);
      close(ends[1]);
      return absl::InternalError(
          fmt::format("cannot start a process for the layout: {}", std::strerror(error)));
    }
    if (pid == 0) {
      close(ends[0]);
      run_child(ends[1], dots, options);
    }
    close(ends[1]);
    return Child(pid, ends[0]);
  }

  Child(Child&& other) noexcept : pid_(other.pid_), fd_(other.fd_) { other.pid_ = -1; }
  Child& operator=(Child&&) = delete;
  ~Child() {
    if (pid_ < 0) return;
    close(fd_);
    kill(pid_, SIGKILL);
    while (waitpid(pid_, nullptr, 0) < 0 && errno == EINTR) {
    }
  }

  absl::Status read_block(std::string& block, Clock::time_point deadline) {
    uint64_t size = 0;
    FX_RETURN_IF_ERROR(read_all(&size, sizeof size, deadline));
    constexpr uint64_t kMaxSize = uint64_t{1} << 31;
    if (size > kMaxSize) return absl::ResourceExhaustedError("the picture is larger than 2 GiB");
    block.resize(size);
    return read_all(block.data(), size, deadline);
  }

 private:
  Child(pid_t pid, int fd) : pid_(pid), fd_(fd) {}

  absl::Status read_all(void* data, size_t size, Clock::time_point deadline) {
    auto* next = static_cast<char*>(data);
    while (size > 0) {
      const auto time_left =
          std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now());
      pollfd ready = {fd_, POLLIN, 0};
      const int num_ready =
          time_left.count() <= 0 ? 0 : poll(&ready, 1, static_cast<int>(time_left.count()));
      if (num_ready < 0 && errno == EINTR) continue;
      if (num_ready == 0) return absl::DeadlineExceededError("the layout exceeds its time limit");
      const ssize_t num_read = read(fd_, next, size);
      if (num_read < 0 && errno == EINTR) continue;
      if (num_read <= 0)
        return absl::ResourceExhaustedError(
            "the layout exceeds its memory limit, or Graphviz crashed");
      next += num_read;
      size -= static_cast<size_t>(num_read);
    }
    return absl::OkStatus();
  }

  pid_t pid_;
  int fd_;
};

}  // namespace

std::vector<absl::StatusOr<GraphvizLayout>> lay_out(absl::Span<const std::string> dots,
                                                    const LayoutOptions& options) {
  std::vector<absl::StatusOr<GraphvizLayout>> layouts;
  const auto milliseconds = [](double seconds) {
    return std::chrono::milliseconds(static_cast<int64_t>(std::clamp(seconds, 0.0, 3600.0) * 1000));
  };
  const auto limit = milliseconds(options.seconds);
  const Clock::time_point end = Clock::now() + milliseconds(options.total_seconds);
  while (layouts.size() < dots.size()) {
    if (Clock::now() >= end) {
      layouts.resize(dots.size(), absl::DeadlineExceededError("the layout exceeds its time limit"));
      break;
    }
    // Each round lays out the remaining graphs in a new child; a timeout or a crash ends the round.
    absl::StatusOr<Child> child = Child::start(dots.subspan(layouts.size()), options);
    if (!child.ok()) {
      layouts.resize(dots.size(), child.status());
      break;
    }
    absl::Status status;
    while (layouts.size() < dots.size() && status.ok()) {
      const Clock::time_point deadline = std::min(Clock::now() + limit, end);
      GraphvizLayout layout;
      status = child->read_block(layout.svg, deadline);
      if (status.ok()) status = child->read_block(layout.plain, deadline);
      if (status.ok() && layout.svg.empty()) {
        layouts.emplace_back(absl::InvalidArgumentError("Graphviz cannot lay out this graph"));
      } else if (status.ok()) {
        layouts.emplace_back(std::move(layout));
      } else {
        layouts.emplace_back(status);
      }
    }
  }
  return layouts;
}

}  // namespace fx
