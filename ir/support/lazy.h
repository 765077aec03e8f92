// LazyPtr: an object that is created on first use.
#pragma once

#include <atomic>

namespace fx::internal {

/// Owns a T, default-constructed by the first get(). Multiple threads may call get() and peek()
/// concurrently; using the object is as thread-safe as T.
template <class T>
class LazyPtr {
 public:
  LazyPtr() = default;
  LazyPtr(const LazyPtr&) = delete;
  LazyPtr& operator=(const LazyPtr&) = delete;
  ~LazyPtr() { reset(); }

  T& get() const {
    T* object = peek();
    return object != nullptr ? *object : make();
  }
  /// Null before the first get().
  T* peek() const { return object_.load(std::memory_order_acquire); }
  /// Destroys the object. No other thread may use this LazyPtr during the call.
  void reset() { delete object_.exchange(nullptr, std::memory_order_relaxed); }

 private:
  [[gnu::noinline]] T& make() const {
    T* const created = new T();
    T* existing = nullptr;
    if (object_.compare_exchange_strong(existing, created, std::memory_order_acq_rel))
      return *created;
    delete created;  // another thread has set it
    return *existing;
  }

  mutable std::atomic<T*> object_ = nullptr;
};

}  // namespace fx::internal
