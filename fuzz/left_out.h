// Why the generator leaves out a statement that a gene asks for. Nothing is left out without being counted.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace plumbline::fuzz {

enum class LeftOut : std::uint8_t {
  inexact,             ///< values have grown too large, or bounds too wide, for the result to say something
  order_shows,         ///< elements of what is written overlap, so that the order of writing shows (GEO-22)
  open,                ///< the rules leave open what happens (GEO-74), or an index is unspecified
  breaks_no_aliasing,  ///< a view in another dtype that would have the other mode (INF-03)
  too_large,           ///< a result, or all that is read at the end
  too_many_results,    ///< more variables than people read
  no_argument,         ///< no tensor fits, and the one that was made for it does not either
  reference_limit,     ///< the reference says that it does not support it
  raises_in_body,      ///< it raises in the body of a transform, which mostly goes on without it
  raises_in_graph,     ///< a call that raises would end a graph, so most are left out if programs are aimed at capture
  raises_in_function,  ///< a custom function in which something raises
  seed_in_body,        ///< torch.manual_seed in a functionalized body
  not_had,             ///< the implementation does not have it (its level, ops and dtypes): see oracle/slice.h
  outside_bodies,      ///< a statement that is not for mapped bodies
  negative_size,       ///< a size that is made natural: released PyTorch lets the view be made (GEO-27)
};
inline constexpr std::array<std::string_view, 15> kLeftOut{"values would not be exact",
                                                           "the order of writing would show",
                                                           "the rules leave the result open",
                                                           "breaks no-aliasing",
                                                           "too many elements",
                                                           "too many results",
                                                           "no tensor fits",
                                                           "the reference does not support it",
                                                           "raises in a body",
                                                           "raises in a graph",
                                                           "raises in a custom function",
                                                           "manual_seed in a functionalized body",
                                                           "the implementation does not have it",
                                                           "not for a mapped body",
                                                           "negative sizes replaced"};

}  // namespace plumbline::fuzz
