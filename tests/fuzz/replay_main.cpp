// main() for a fuzz target without libFuzzer:
//
//   replay_NAME [--changed=N] FOLDER...
//
// runs the target on each file in the folders, on copies that are truncated at many positions or
// have single flipped bits, and then on N inputs with a few changes each: bytes and numbers are
// replaced, ranges are removed, repeated or copied from another file. The inputs depend only on the
// files, not on the machine, the build or the target, so that failures are reproducible everywhere.
// An input that fails is written to failed-input in the working directory.
#include <algorithm>
#include <charconv>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string_view>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);
// A sanitizer calls the callback before it terminates the process.
extern "C" void __sanitizer_set_death_callback(void (*callback)()) __attribute__((weak));

namespace {

using Bytes = std::vector<uint8_t>;

constexpr size_t kCutsPerFile = 64;
constexpr size_t kFlipsPerFile = 256;
constexpr size_t kMaxChanges = 6;
constexpr size_t kMaxRange = 64;
constexpr size_t kMaxSize = 4096;
/// Bytes with a special meaning in at least one of the formats.
constexpr char kSpecialBytes[] = "\0\1\x7f\x80\xff\n\t \"'\\()[]{}<>:;,.=+-*/%#0129aexEZ_";

const Bytes* running = nullptr;
size_t runs = 0;

void write_failed_input() {
  if (running == nullptr) return;
  std::ofstream("failed-input", std::ios::binary)
      .write(reinterpret_cast<const char*>(running->data()),
             static_cast<std::streamsize>(running->size()));
  std::fprintf(stderr, "input %zu failed; written to failed-input (%zu bytes)\n", runs,
               running->size());
  running = nullptr;
}

void run(const Bytes& bytes) {
  // The buffer has exactly this size, so that sanitizers detect reads past its end.
  const Bytes exact(bytes);
  running = &exact;
  LLVMFuzzerTestOneInput(exact.data(), exact.size());
  running = nullptr;
  ++runs;
}

void replay(const Bytes& bytes) {
  run(bytes);
  const size_t step = std::max<size_t>(1, bytes.size() / kCutsPerFile);
  for (size_t length = 0; length < bytes.size(); length += step)
    run(Bytes(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(length)));
  std::minstd_rand random(static_cast<uint32_t>(bytes.size()) + 1);
  for (size_t i = 0; i < kFlipsPerFile && !bytes.empty(); ++i) {
    Bytes flipped = bytes;
    flipped[random() % flipped.size()] ^= static_cast<uint8_t>(1U << (random() % 8U));
    run(flipped);
  }
}

/// Creates inputs from files. Uses only a generator that the C++ standard specifies, and no
/// distributions, since the standard does not specify their values.
class Mutator {
 public:
  explicit Mutator(const std::vector<Bytes>& files) : files_(files) {}

  Bytes next() {
    Bytes out = files_[below(files_.size())];
    for (size_t i = below(kMaxChanges) + 1; i > 0; --i) change(out);
    if (out.size() > kMaxSize) out.resize(kMaxSize);
    return out;
  }

 private:
  struct Range {
    size_t begin, end;
  };

  size_t below(size_t end) { return end == 0 ? 0 : random_() % end; }

  Range range(const Bytes& bytes) {
    const size_t begin = below(bytes.size());
    return {begin, std::min(bytes.size(), begin + 1 + below(kMaxRange))};
  }

  static std::ptrdiff_t at(size_t position) { return static_cast<std::ptrdiff_t>(position); }

  void change(Bytes& bytes) {
    switch (below(8)) {
      case 0:
        if (!bytes.empty()) bytes[below(bytes.size())] = static_cast<uint8_t>(below(256));
        break;
      case 1:
        if (!bytes.empty())
          bytes[below(bytes.size())] =
              static_cast<uint8_t>(kSpecialBytes[below(sizeof kSpecialBytes - 1)]);
        break;
      case 2:
        bytes.insert(bytes.begin() + at(below(bytes.size() + 1)),
                     static_cast<uint8_t>(kSpecialBytes[below(sizeof kSpecialBytes - 1)]));
        break;
      case 3: {
        const Range cut = range(bytes);
        bytes.erase(bytes.begin() + at(cut.begin), bytes.begin() + at(cut.end));
        break;
      }
      case 4: {
        const Range part = range(bytes);
        insert(bytes, bytes, part);
        break;
      }
      case 5: {
        const Bytes& other = files_[below(files_.size())];
        insert(bytes, other, range(other));
        break;
      }
      case 6: {
        const Bytes& other = files_[below(files_.size())];
        const Range part = range(other);
        const size_t position = below(bytes.size());
        const size_t size = std::min(part.end - part.begin, bytes.size() - position);
        std::copy_n(other.begin() + at(part.begin), size, bytes.begin() + at(position));
        break;
      }
      default:
        replace_number(bytes);
        break;
    }
  }

  void insert(Bytes& bytes, const Bytes& from, Range part) {
    const Bytes copy(from.begin() + at(part.begin), from.begin() + at(part.end));
    bytes.insert(bytes.begin() + at(below(bytes.size() + 1)), copy.begin(), copy.end());
  }

  /// Replaces the first decimal number after a position with a special value, such as a limit of an
  /// integer type.
  void replace_number(Bytes& bytes) {
    constexpr std::string_view kNumbers[] = {"0",
                                             "1",
                                             "-1",
                                             "255",
                                             "2147483647",
                                             "4294967296",
                                             "9223372036854775807",
                                             "-9223372036854775808",
                                             "18446744073709551615",
                                             "1e308",
                                             "-0.0",
                                             "nan"};
    const auto is_digit = [](uint8_t c) { return c >= '0' && c <= '9'; };
    const auto begin = std::find_if(bytes.begin() + at(below(bytes.size())), bytes.end(), is_digit);
    const auto end = std::find_if_not(begin, bytes.end(), is_digit);
    const std::string_view number = kNumbers[below(std::size(kNumbers))];
    const auto position = bytes.erase(begin, end);
    bytes.insert(position, number.begin(), number.end());
  }

  const std::vector<Bytes>& files_;
  std::mt19937 random_{1};
};

}  // namespace

int main(int argc, char** argv) {
  std::signal(SIGABRT, [](int) { write_failed_input(); });
  std::signal(SIGTERM, [](int) {  // a timeout: the input does not terminate
    write_failed_input();
    std::_Exit(1);
  });
  if (__sanitizer_set_death_callback != nullptr) __sanitizer_set_death_callback(write_failed_input);
  size_t changed = 0;
  std::vector<std::filesystem::path> paths;
  for (int i = 1; i < argc; ++i) {
    constexpr std::string_view kChanged = "--changed=";
    const std::string_view argument = argv[i];
    if (argument.starts_with(kChanged)) {
      const std::string_view number = argument.substr(kChanged.size());
      const auto read = std::from_chars(number.begin(), number.end(), changed);
      if (read.ec == std::errc() && read.ptr == number.end()) continue;
      std::fprintf(stderr, "%s: not a number of inputs\n", argv[i]);
      return 2;
    }
    if (!std::filesystem::is_directory(argv[i])) {
      std::fprintf(stderr, "%s: no such folder; a fuzz target requires seed inputs\n", argv[i]);
      return 2;
    }
    for (const auto& entry : std::filesystem::directory_iterator(argv[i])) {
      if (entry.is_regular_file()) paths.push_back(entry.path());
    }
  }
  if (paths.empty()) {
    std::fprintf(stderr, "no seed inputs\n");
    return 2;
  }
  std::sort(paths.begin(), paths.end());
  std::vector<Bytes> files;
  for (const auto& path : paths) {
    std::ifstream in(path, std::ios::binary);
    files.emplace_back(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>());
  }
  for (const Bytes& file : files) replay(file);
  Mutator mutator(files);
  for (size_t i = 0; i < changed; ++i) run(mutator.next());
  std::printf("%zu files, %zu inputs, no failure\n", files.size(), runs);
  return 0;
}
