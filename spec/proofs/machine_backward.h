// The machine's steps inside a backward and a custom function: a gradient arrives at a leaf, and apply returns a
// tensor.
#pragma once

#include "spec/proofs/machine.h"

namespace plumbline::proofs {

/// machine::ArrivedGradient
template <Domain D>
class Machine<D>::Arrived {
 public:
  Arrived(Machine& of, const Arrival<D>& arrival, const Fresh<D>& fresh) : of_(of), arrival_(arrival), fresh_(fresh) {}

  Bool<D> finds_one() const { return arrival_.finds; }
  Bool<D> fits() const { return arrival_.fits; }
  Bool<D> is_inference() const { return of_.inference(arrival_.gradient); }
  void make(const Bool<D>& stored, const Bool<D>& inference) {
    of_.when(stored, [&] { of_.view(arrival_.gradient, fresh_, ViewKind::detached); });
    of_.when(!stored, [&] {
      Tls<D> tls = of_.heap.tls;
      tls.inference_mode = inference;
      const machine::Made<D> what = machine::new_tensor<D>(of_.judge_, false, true, tls);
      of_.allocate(fresh_, true, true);
      of_.put_if(true, fresh_.tensor, of_.made(fresh_, what));
    });
  }
  void copy() { of_.functional(arrival_.gradient, arrival_.gradient, fresh_, FunctionalKind::clone, false); }
  void replace() { of_.functional(arrival_.old, arrival_.gradient, fresh_, FunctionalKind::add, false); }
  void add() {
    of_.without_grad([&] { of_.write(arrival_.old, arrival_.gradient, WriteKind::elements, false, false, false); });
  }

 private:
  Machine& of_;
  const Arrival<D>& arrival_;
  const Fresh<D>& fresh_;
};

template <Domain D>
void Machine<D>::accumulate(const Arrival<D>& arrival, const Fresh<D>& fresh) {
  recorded = false;
  Arrived arrived(*this, arrival, fresh);
  machine::accumulate(*this, arrival.leaf, arrived);
}

/// machine::Returned
template <Domain D>
class Machine<D>::Returned {
 public:
  Returned(Machine& machine, const Wrapping<D>& of, const Fresh<D>& fresh)
      : machine_(machine), of_(of), fresh_(fresh), out_(of.x) {}

  Bool<D> is_input() const { return of_.input; }
  Bool<D> is_dirty() const { return of_.dirty; }
  Bool<D> is_marked() const { return of_.marked; }
  Bool<D> is_one_of_many() const { return of_.many; }
  void begin(const Bool<D>& /*records*/) const {}
  void as_is() const {}
  void as_view() { view(ViewKind::plain); }
  void as_detached() { view(ViewKind::detached); }
  /// What other tensors of the family show is then no longer all of their history.
  void with_history() {
    machine_.count_recorded_write(of_.x);
    machine_.record_write(of_.x);
  }
  void view_with_history() {
    view(ViewKind::plain);
    machine_.record_write(fresh_.tensor);
  }
  void detach_inplace() { machine_.detach_inplace(of_.x); }
  /// Comes before the history of the write is recorded.
  void drop_grad() { machine_.count_recorded_write(of_.x); }
  void refuse_view() const {}
  TensorId<D> out() const { return out_; }

 private:
  void view(ViewKind kind) {
    machine_.without_grad([&] { machine_.view(of_.x, fresh_, kind); });
    out_ = select(machine_.path_, fresh_.tensor, out_);
  }

  Machine& machine_;
  const Wrapping<D>& of_;
  const Fresh<D>& fresh_;
  TensorId<D> out_;
};

template <Domain D>
void Machine<D>::wrap(const Wrapping<D>& of, const Fresh<D>& fresh) {
  recorded = false;
  when(of.dirty, [&] { machine::count_dirty(*this, of.x); });
  Returned returned(*this, of, fresh);
  const Bool<D> records = machine::wrap(*this, of.x, of.recorded, returned);
  recorded = records && ok();
}

}  // namespace plumbline::proofs
