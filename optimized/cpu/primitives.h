// The primitives of the CPU, file by file.
#pragma once

#include "optimized/elements/primitives.h"

/// As the members of Primitives of the same name.
namespace plumbline::optimized::cpu {

void copy(IntList sizes, const Operand& to, const Operand& from);
void fill(const Operand& to, Scalar number);
void count(const Operand& to, Scalar first);
void arithmetic(Arithmetic op, IntList sizes, const Operand& out, const Operand& a, const Operand& b, Dtype dtype,
                Scalar alpha);
void unary(UnaryFunction function, IntList sizes, const Operand& out, const Operand& in, Dtype dtype);
void slope(Slope slope, IntList sizes, const Operand& out, const Operand& a, const Operand& b, Dtype dtype,
           Scalar limit);
void compare(Relation relation, IntList sizes, const Operand& out, const Operand& a, const Operand& b, Dtype dtype);
void choose(IntList sizes, const Operand& out, const Operand& condition, const Operand& yes, const Operand& no,
            Dtype dtype);
void fill_where(IntList sizes, const Operand& to, const Operand& mask, Scalar number);
void sum(const ReductionLoops& loops, const Operand& from, const Operand& to, bool mean);
void extreme(const ReductionLoops& loops, const Operand& from, const Operand& to, bool largest);
void search(const RowLoops& loops, const Operand& from, const Operand& indices, const Operand* values);
void softmax(const RowLoops& loops, const Operand& from, const Operand& to);
void gather(const IndexLoops& loops, const Operand& index, const Operand& out, const Operand& self);
void scatter_add(const IndexLoops& loops, const Operand& index, const Operand& from, const Operand& to);
void add_up(const LoopNest<2>& places, const Operand& to, const Operand& from);
void multiply(Dtype dtype, const MatrixOperand& out, Scalar factor, const MatrixOperand& left,
              const MatrixOperand& right, Scalar added_factor, const MatrixOperand& added);
void uniform(const Operand& to);

}  // namespace plumbline::optimized::cpu
