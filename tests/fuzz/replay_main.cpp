// main() for a fuzz target without libFuzzer: gives it every file of the folders named, each also
// cut short at many places and with single bits flipped. The mutations are the same in every run.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

namespace {

constexpr size_t kCutsPerFile = 64;
constexpr size_t kFlipsPerFile = 256;

size_t replay(const std::vector<uint8_t>& bytes) {
  LLVMFuzzerTestOneInput(bytes.data(), bytes.size());
  size_t runs = 1;
  const size_t step = std::max<size_t>(1, bytes.size() / kCutsPerFile);
  for (size_t length = 0; length < bytes.size(); length += step, ++runs) {
    // A buffer of just this size, so that a sanitizer sees any read past its end.
    const std::vector<uint8_t> cut(bytes.begin(),
                                   bytes.begin() + static_cast<std::ptrdiff_t>(length));
    LLVMFuzzerTestOneInput(cut.data(), cut.size());
  }
  std::minstd_rand random(static_cast<uint32_t>(bytes.size()) + 1);
  for (size_t i = 0; i < kFlipsPerFile && !bytes.empty(); ++i, ++runs) {
    std::vector<uint8_t> flipped = bytes;
    flipped[random() % flipped.size()] ^= static_cast<uint8_t>(1U << (random() % 8U));
    LLVMFuzzerTestOneInput(flipped.data(), flipped.size());
  }
  return runs;
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<std::filesystem::path> files;
  for (int i = 1; i < argc; ++i) {
    if (!std::filesystem::is_directory(argv[i])) {
      std::fprintf(stderr, "%s: no such folder; a fuzz target needs seed inputs\n", argv[i]);
      return 1;
    }
    for (const auto& entry : std::filesystem::directory_iterator(argv[i])) {
      if (entry.is_regular_file()) files.push_back(entry.path());
    }
  }
  if (files.empty()) {
    std::fprintf(stderr, "no seed inputs\n");
    return 1;
  }
  std::sort(files.begin(), files.end());
  size_t runs = 0;
  for (const auto& file : files) {
    std::ifstream in(file, std::ios::binary);
    const std::vector<char> text{std::istreambuf_iterator<char>(in), {}};
    runs += replay(std::vector<uint8_t>(text.begin(), text.end()));
  }
  std::printf("%zu files, %zu inputs\n", files.size(), runs);
  return 0;
}
