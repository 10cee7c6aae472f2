// What a program registers with torch.library, and what it asks of it.
#pragma once

#include "reference/state.h"

namespace plumbline::reference {

/// Register as the statements say. Raise `defined_twice`, `library_kind`, `unknown_key` and `fallback_twice`, and then
/// change nothing. Throw ReferenceLimit for a library that is not there, because an error prevented it.
void make_library(const Judge& judge, State& state, const MakeLibrary& make);
void define_operator(const Judge& judge, State& state, const DefineOperator& define);
void add_kernel(const Judge& judge, State& state, const AddKernel& add);
void add_fallback(const Judge& judge, State& state, const AddFallback& add);
void drop_library(const Judge& judge, State& state, const DropLibrary& drop);

/// The answers. Raise `unknown_key`, `unknown_operator`, `alias_query` and `no_kernel`.
bool query_kernel(const Judge& judge, const State& state, const QueryKernel& query);
bool query_thread_key(const Judge& judge, const State& state, const QueryThreadKey& query);

}  // namespace plumbline::reference
