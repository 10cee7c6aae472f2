// A place in the work of a stream.
#pragma once

namespace plumbline::optimized::cuda {

/// The end of what had been started in a stream when the mark was made. For any number of threads.
class Mark {
 public:
  Mark() = default;
  virtual ~Mark() = default;
  Mark(const Mark&) = delete;
  Mark& operator=(const Mark&) = delete;

  /// Whether that work is done.
  virtual bool reached() const noexcept = 0;
  /// Returns when it is done.
  virtual void wait() const = 0;
  /// What is started in the thread's stream from now on is done after it.
  virtual void make_wait() const = 0;
};

}  // namespace plumbline::optimized::cuda
