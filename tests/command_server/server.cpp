// Runs many commands of a program, but loads libtorch, which takes 0.4 s, only once.
//
//   FXCPP_SERVER=SOCKET FXCPP_SERVER_LOADS=lib/fxcpp/torch.so LD_PRELOAD=command_server.so fxcpp
//
// The program loads the library, and then forks for each request of command_client. The new process
// calls the program's own main() with the arguments of the request. If the client ends before its
// command, the command is killed. tests/python_tests.py starts the server.
#include "tests/command_server/request.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>

#include <csignal>
#include <vector>

namespace {

using namespace fx::command_server;  // NOLINT(google-build-using-namespace)
using Main = int (*)(int, char**, char**);

Main main_of_program;

/// Receives the header, and replaces the standard streams with those of the client.
Header receive_header(int client) {
  Header header;
  StreamMessage message(header);
  const ssize_t received = recvmsg(client, &message.message, MSG_CMSG_CLOEXEC);
  if (received == 0) _exit(0);  // the client only waited for the server to start
  if (received != sizeof(header)) fail("recvmsg");
  const cmsghdr* control = CMSG_FIRSTHDR(&message.message);
  if (control == nullptr || control->cmsg_len != CMSG_LEN(sizeof(int) * kStreams))
    fail("a request without streams");
  int streams[kStreams];
  memcpy(streams, CMSG_DATA(control), sizeof(streams));
  for (int i = 0; i < kStreams; ++i) {
    if (dup2(streams[i], i) < 0) fail("dup2");
    close(streams[i]);
  }
  return header;
}

/// Waits for the command, and sends its status. Kills the command if the client ends. `end` is the
/// read end of a pipe whose write end the command holds: it becomes readable when the command ends.
[[noreturn]] void wait_for(pid_t command, int end, int client) {
  pollfd files[] = {{end, POLLIN, 0}, {client, POLLRDHUP, 0}};
  while (poll(files, 2, -1) < 0 && errno == EINTR) {
  }
  if (files[0].revents == 0) kill(command, SIGKILL);
  int status = 0;
  waitpid(command, &status, 0);
  if (files[1].revents == 0) write_all(client, reinterpret_cast<char*>(&status), sizeof(status));
  _exit(0);
}

/// Runs the command of a request in a new process, which ends with the command's status.
/// Destructors of global variables do not run: those of libtorch take 0.3 s in a forked process,
/// because each page that they write to is copied.
[[noreturn]] void run_request(int client) {
  const Header header = receive_header(client);
  static std::string strings;  // argv and the environment refer to it until the process ends
  strings.resize(header.size);
  if (!read_all(client, strings.data(), strings.size())) fail("an incomplete request");
  signal(SIGCHLD, SIG_DFL);
  int ends[2];  // of a pipe; the command holds the write end until it ends
  if (pipe2(ends, O_CLOEXEC) != 0) fail("pipe2");
  const pid_t command = fork();
  if (command < 0) fail("fork");
  if (command > 0) {
    close(ends[1]);
    wait_for(command, ends[0], client);
  }

  prctl(PR_SET_PDEATHSIG, SIGKILL);
  close(client);
  close(ends[0]);
  std::vector<char*> words;
  for (char* at = strings.data(); at < strings.data() + strings.size(); at += strlen(at) + 1)
    words.push_back(at);
  if (chdir(words[0]) != 0) fail(words[0]);
  clearenv();
  for (size_t i = 1 + header.arguments; i < words.size(); ++i) putenv(words[i]);
  words.resize(1 + header.arguments);
  words.push_back(nullptr);
  static std::vector<char*> arguments;
  arguments.assign(words.begin() + 1, words.end());
  const int status = main_of_program(static_cast<int>(header.arguments), arguments.data(), environ);
  fflush(nullptr);
  _exit(status);
}

int serve(int, char**, char**) {
  prctl(PR_SET_PDEATHSIG, SIGTERM);
  unsetenv("LD_PRELOAD");
  const char* library = getenv("FXCPP_SERVER_LOADS");
  if (library == nullptr || dlopen(library, RTLD_LAZY | RTLD_LOCAL) == nullptr) {
    fprintf(stderr, "command_server: %s\n", library ? dlerror() : "FXCPP_SERVER_LOADS is not set");
    return 125;
  }
  const int server = new_socket();
  const sockaddr_un address = socket_address();
  if (bind(server, reinterpret_cast<const sockaddr*>(&address), sizeof(address)) != 0) fail("bind");
  if (listen(server, 16) != 0) fail("listen");
  signal(SIGCHLD, SIG_IGN);
  while (true) {
    const int client = accept4(server, nullptr, nullptr, SOCK_CLOEXEC);
    if (client < 0) {
      if (errno == EINTR || errno == ECONNABORTED) continue;
      fail("accept");
    }
    const pid_t child = fork();
    if (child < 0) fail("fork");
    if (child == 0) {
      close(server);
      run_request(client);
    }
    close(client);
  }
}

}  // namespace

/// Replaces the libc function that calls main(), and runs serve() instead.
extern "C" int __libc_start_main(Main main, int argc, char** argv, void (*init)(), void (*fini)(),
                                 void (*rtld_fini)(), void* stack_end) {
  using Start = int (*)(Main, int, char**, void (*)(), void (*)(), void (*)(), void*);
  main_of_program = main;
  const auto start = reinterpret_cast<Start>(dlsym(RTLD_NEXT, "__libc_start_main"));
  return start(serve, argc, argv, init, fini, rtld_fini, stack_end);
}
