// Facts about the arguments of a call, which need no run.
#pragma once

#include <set>
#include <string>

#include "spec/vocabulary/statement.h"

namespace plumbline {

/// Adds those of kFacts that the call's arguments tell by themselves.
void add_facts_of_arguments(std::set<std::string>& facts, const Call& call);

}  // namespace plumbline
