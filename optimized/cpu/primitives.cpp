// The primitives of the CPU, as a table.
#include "optimized/cpu/primitives.h"

#include "optimized/ops/random.h"

namespace plumbline::optimized {

constinit const Primitives kCpuPrimitives{
    cpu::copy,        cpu::fill,       cpu::count,    cpu::arithmetic, cpu::unary,  cpu::slope,   cpu::compare,
    cpu::choose,      cpu::fill_where, cpu::sum,      cpu::extreme,    cpu::search, cpu::softmax, cpu::gather,
    cpu::scatter_add, cpu::add_up,     cpu::multiply, cpu::uniform,    seed_cpu,
};

}  // namespace plumbline::optimized
