// Catches exceptions thrown by functions that users or plugins pass to the library. The library
// itself throws none, and its functions need not be exception-safe.
#pragma once

#include <exception>
#include <string_view>

namespace fx {

/// Returns the result of `function`. If it throws, calls `failed` with a description of the
/// exception and returns its result.
template <class Function, class Failed>
auto without_exceptions(Function&& function, Failed&& failed) -> decltype(function()) {
  try {
    return function();
  } catch (const std::exception& exception) {
    return failed(std::string_view(exception.what()));
  } catch (...) {
    return failed(std::string_view("an object that is not a std::exception"));
  }
}

}  // namespace fx
