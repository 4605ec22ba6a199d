// SPDX-License-Identifier: GPL-3.0-or-later
// Where rendezvous begins, as captures show it or a library that is recognised has it.
#ifndef GEN_FAMILIES_PROGRAM_EAGER_H
#define GEN_FAMILIES_PROGRAM_EAGER_H

#include "gen/families/program/program_model.h"
#include "text/model.h"

// Bytes that the library whose requests and grants these are adds to a message without a request;
// NAN: not known.
double program_eager_envelope(const struct program_flow *flow);

// Sets the limit of the model, whose phases, nodes and other parameters are fitted, and adds
// comments on what is not known of it. eager_B: the largest message without a request, 0: none;
// granted_B: the smallest one with a request, INFINITY: none.
void program_eager_fit(struct program_model *model, double eager_B, double granted_B,
		       struct model *text);

#endif
