// Runs a command in command_server: sends its own arguments, environment, folder and standard
// streams, and terminates in the same way as the command.
#include "tests/command_server/request.h"

#include <climits>
#include <csignal>

using namespace fx::command_server;  // NOLINT(google-build-using-namespace)

int main(int argc, char** argv, char** environment) {
  const int server = new_socket();
  const sockaddr_un address = socket_address();
  if (connect(server, reinterpret_cast<const sockaddr*>(&address), sizeof(address)) != 0)
    fail("connect");
  char folder[PATH_MAX];
  if (getcwd(folder, sizeof(folder)) == nullptr) fail("getcwd");
  std::string strings(folder, strlen(folder) + 1);
  for (int i = 0; i < argc; ++i) strings.append(argv[i], strlen(argv[i]) + 1);
  for (char** entry = environment; *entry != nullptr; ++entry)
    strings.append(*entry, strlen(*entry) + 1);

  Header header = {.size = strings.size(), .arguments = static_cast<uint64_t>(argc)};
  StreamMessage message(header);
  cmsghdr* control = CMSG_FIRSTHDR(&message.message);
  control->cmsg_level = SOL_SOCKET;
  control->cmsg_type = SCM_RIGHTS;
  control->cmsg_len = CMSG_LEN(sizeof(int) * kStreams);
  const int streams[kStreams] = {0, 1, 2};
  memcpy(CMSG_DATA(control), streams, sizeof(streams));
  if (sendmsg(server, &message.message, MSG_NOSIGNAL) != sizeof(header)) fail("sendmsg");
  write_all(server, strings.data(), strings.size());

  int status = 0;
  if (!read_all(server, reinterpret_cast<char*>(&status), sizeof(status))) fail("no answer");
  if (WIFSIGNALED(status)) {
    signal(WTERMSIG(status), SIG_DFL);
    raise(WTERMSIG(status));
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 125;
}
