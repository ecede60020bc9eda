#include "experiments/python/runner.hpp"

#include <pthread.h>
#include <unistd.h>

#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <thread>

namespace py = pybind11;

namespace epsilary_python {
namespace {

// One thread that stays: the caches that numbers keep for a thread live as long as it does.
class Worker {
 public:
  Worker() : thread_([this] { loop(); }), process_(getpid()) { thread_.detach(); }

  void begin(const std::function<void()>& task) {
    const std::lock_guard lock(mutex_);
    task_ = &task;
    changed_.notify_all();
  }
  // True when it is done.
  bool wait(std::chrono::milliseconds most) {
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, most, [this] { return task_ == nullptr; });
  }
  bool lives() const { return process_ == getpid(); }  // a child of fork() has no threads

 private:
  void loop() {
    std::unique_lock lock(mutex_);
    for (;;) {
      changed_.wait(lock, [this] { return task_ != nullptr; });
      lock.unlock();
      (*task_)();
      lock.lock();
      task_ = nullptr;
      changed_.notify_all();
    }
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  const std::function<void()>* task_ = nullptr;
  std::thread thread_;
  pid_t process_;
};

bool on_main_thread() {
  static const py::handle threading = py::module_::import("threading").release();
  return threading.attr("main_thread")().attr("ident").cast<unsigned long>() == PyThread_get_thread_ident();
}

}  // namespace

epsilary::Watch Leash::watch() {
  return {.progress =
              [this](std::size_t some, std::size_t all) {
                done = some;
                total = all;
                return !stop.load();
              },
          .stop = &stop};
}

void run(const std::function<void(Leash&)>& work, const py::object& progress) {
  static Worker* worker = nullptr;  // never freed: at the end of the process it may still be waiting
  static bool busy = false;         // guarded by the interpreter's lock
  Leash leash;
  std::exception_ptr failure;
  const std::function<void()> task = [&] {
    try {
      work(leash);
    } catch (...) {
      failure = std::current_exception();
    }
  };
  if (busy || !on_main_thread()) {  // no signal comes here, or somebody who watches asks in between
    const py::gil_scoped_release released;
    task();
  } else {
    if (!worker || !worker->lives()) worker = new Worker;
    busy = true;
    worker->begin(task);
    bool failed = false;  // in Python: a signal, or the function that watches
    for (bool done = false; !done;) {
      {
        const py::gil_scoped_release released;
        done = worker->wait(std::chrono::milliseconds(50));
      }
      if (failed) continue;
      if (PyErr_CheckSignals() != 0) failed = true;
      if (!failed && !progress.is_none() && leash.total > 0) {
        PyObject* answer = PyObject_CallFunction(progress.ptr(), "kk", static_cast<unsigned long>(leash.done),
                                                 static_cast<unsigned long>(leash.total));
        failed = answer == nullptr;
        Py_XDECREF(answer);
      }
      if (failed) leash.stop = true;
    }
    busy = false;
    if (failed) throw py::error_already_set();
  }
  if (failure) std::rethrow_exception(failure);
}

}  // namespace epsilary_python
