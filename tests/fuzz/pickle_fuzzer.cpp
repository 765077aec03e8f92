// Pickles: any input is either read or rejected, and a pickle that was read refers only to values
// inside it.
#include "fx/importers/pt2/pickle/pickle_internal.h"
#include "fx/importers/pt2/sample_inputs_internal.h"
#include "fx/importers/pt2/state_dict.h"
#include "tests/importers/pt2_builder.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const auto pickle = fx::pt2::parse_pickle(bytes);
  if (!pickle.ok()) return 0;
  const size_t count = pickle->values.size();
  if (count > size || pickle->root >= count) std::abort();
  for (const fx::pt2::PickleValue& value : pickle->values) {
    for (const fx::pt2::PickleId item : value.items)
      if (item >= count) std::abort();
    for (const auto& [key, item] : value.entries)
      if (key >= count || item >= count) std::abort();
  }
  const std::string archive = fx::testing::zip_of({{"a/data.pkl", std::string(bytes)},
                                                   {"a/byteorder", "little"},
                                                   {"a/data/0", std::string(64, '\1')}});
  (void)fx::pt2::read_sample_inputs(fx::testing::storage_of(archive), 2).status();
  (void)fx::parse_state_dict(fx::testing::storage_of(archive)).status();
  (void)fx::parse_state_dict(fx::testing::storage_of(std::string(bytes))).status();
  return 0;
}
