// The messages between command_client and command_server: a request has the arguments, environment,
// folder and standard streams of a command; the answer is its status as waitpid() returns it.
#pragma once

#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>

namespace fx::command_server {

/// The environment variable with the path of the server's socket.
constexpr const char* kSocket = "FXCPP_SERVER";
constexpr int kStreams = 3;

/// The start of a request; the three standard streams are sent with it. The strings follow, each
/// with a terminating zero byte: the folder, the arguments, the environment.
struct Header {
  uint64_t size = 0;  ///< of the strings
  uint64_t arguments = 0;
};

[[noreturn]] inline void fail(std::string_view what) {
  fprintf(stderr, "command_server: %.*s: %s\n", static_cast<int>(what.size()), what.data(),
          strerror(errno));
  _exit(125);
}

inline sockaddr_un socket_address() {
  sockaddr_un address = {.sun_family = AF_UNIX, .sun_path = {}};
  const char* path = getenv(kSocket);
  if (path == nullptr || strlen(path) >= sizeof(address.sun_path)) {
    errno = EINVAL;
    fail(kSocket);
  }
  strcpy(address.sun_path, path);
  return address;
}

inline int new_socket() {
  const int socket = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (socket < 0) fail("socket");
  return socket;
}

/// The message that contains a header and its streams.
struct StreamMessage {
  explicit StreamMessage(Header& header) : part{&header, sizeof(header)} {
    message.msg_iov = &part;
    message.msg_iovlen = 1;
    message.msg_control = control;
    message.msg_controllen = sizeof(control);
  }
  iovec part;
  alignas(cmsghdr) char control[CMSG_SPACE(sizeof(int) * kStreams)] = {};
  msghdr message = {};
};

inline void write_all(int file, const char* data, size_t size) {
  while (size > 0) {
    const ssize_t count = send(file, data, size, MSG_NOSIGNAL);
    if (count < 0) fail("send");
    data += count;
    size -= static_cast<size_t>(count);
  }
}

/// Returns false at the end of the stream.
inline bool read_all(int file, char* data, size_t size) {
  while (size > 0) {
    const ssize_t count = read(file, data, size);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    data += count;
    size -= static_cast<size_t>(count);
  }
  return true;
}

}  // namespace fx::command_server
