# The proofs: terms and SMT-LIB, which need no solver, and the obligations, which Z3 decides.
set(PLUMBLINE_Z3 "" CACHE PATH "The folder of Z3 (site-packages/z3 of PyPI's z3-solver); empty: no proofs")

plumbline_library(plumbline_terms proofs/term.cpp proofs/smtlib.cpp LINK plumbline_spec)

# The obligations, as terms and plain values, without a solver.
set(PLUMBLINE_OBLIGATIONS
  proofs/obligations.cpp
  proofs/key_sets.cpp proofs/key_layouts.cpp proofs/bits.cpp
  proofs/guards.cpp proofs/guard_effects.cpp
  proofs/dispatch.cpp proofs/dispatch_order.cpp proofs/dispatch_calls.cpp
  proofs/heap.cpp proofs/heap_premises.cpp proofs/heap_obligations.cpp proofs/backward.cpp proofs/backward_claims.cpp
  proofs/reached.cpp proofs/single_rules.cpp proofs/single_transforms.cpp proofs/single_autograd.cpp
  proofs/single_devices.cpp proofs/single_dtypes.cpp proofs/single_layouts.cpp proofs/refinement.cpp proofs/refinement_ideal.cpp
  proofs/search.cpp proofs/search_partings.cpp
  proofs/lemmas.cpp
  proofs/lens.cpp proofs/lens_cutting.cpp proofs/lens_turning.cpp proofs/lens_reshaping.cpp proofs/lens_theorems.cpp
  proofs/lens_undoing.cpp proofs/lens_limits.cpp
  proofs/functional.cpp proofs/functional_relation.cpp proofs/functional_steps.cpp proofs/functional_body.cpp
  proofs/equivalences.cpp)

if(PLUMBLINE_Z3)
  find_library(PLUMBLINE_Z3_LIBRARY z3 PATHS ${PLUMBLINE_Z3}/lib NO_DEFAULT_PATH REQUIRED)
  add_library(plumbline_z3 STATIC proofs/z3_solver.cpp)
  target_include_directories(plumbline_z3 SYSTEM PRIVATE ${PLUMBLINE_Z3}/include)
  target_link_libraries(plumbline_z3 PUBLIC plumbline_terms PRIVATE ${PLUMBLINE_Z3_LIBRARY})
  plumbline_library(plumbline_proofs proofs/prove.cpp proofs/resolution.cpp ${PLUMBLINE_OBLIGATIONS} LINK plumbline_z3)
  plumbline_test(terms_test tests/terms_test.cpp LINK plumbline_z3 rapidcheck LABEL proofs)
  plumbline_test(rule_flips_test tests/rule_flips_test.cpp LINK plumbline_proofs LABEL proofs)
  plumbline_test(proofs_power_test tests/proofs_power_test.cpp LINK plumbline_proofs LABEL proofs)
endif()
