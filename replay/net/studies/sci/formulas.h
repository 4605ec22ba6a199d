// SPDX-License-Identifier: GPL-3.0-or-later
// Latencies of SCI rings and tori without contention: Gonzalez, Performance Modeling and Evaluation
// of Topologies for Low-Latency SCI Systems, University of Florida, 2000, equations 1 to 17.
#ifndef NET_SCI_FORMULAS_H
#define NET_SCI_FORMULAS_H

#include <stdint.h>

#include "net/studies/sci/sci_params.h"

// The latency components, in ns; the overhead is that of one size of message.
struct sci_costs {
	double propagation_ns;
	double forwarding_ns;
	double switching_ns;
	double overhead_ns;
};

// The costs of a message of this size.
struct sci_costs sci_costs_of(const struct sci_params *params, double size_B);

// What the head of a packet goes through, or goes through on average: propagations - forwardings -
// switchings = 1.
struct sci_steps {
	double propagations;
	double forwardings;
	double switchings;
};

// Of the request over hops[d] links along each dimension, not all 0 (eq. 8), and of its response,
// which goes on round the rings of sizes[d] nodes that the request went on (eq. 9).
struct sci_steps sci_request(const uint32_t *hops, uint32_t dimensions);
struct sci_steps sci_response(const uint32_t *hops, const uint32_t *sizes, uint32_t dimensions);

// The mean over all destinations but the source, of requests and equally of responses, in a torus
// of these sizes, each above 1 (eqs. 14 to 16, in closed form and for unequal sizes).
struct sci_steps sci_mean(const double *sizes, uint32_t dimensions);

// The same for nodes^(1/dimensions) nodes along each of up to SCI_DIMENSIONS_MOST dimensions, which
// need not be whole; nodes above 1.
#define SCI_DIMENSIONS_MOST 8u
struct sci_steps sci_mean_equal(double nodes, uint32_t dimensions);

// Both overheads and the steps, in ns (eqs. 2 to 9, 17).
double sci_latency_ns(const struct sci_costs *costs, struct sci_steps steps);

// The number of nodes at which a torus of one more dimension becomes better on average, in nodes
// that need not be whole; and the least whole number at which it is. NaN (0) if there is none from
// 2 to 1e15.
double sci_crossover(const struct sci_costs *costs, uint32_t dimensions);
uint64_t sci_first_better(const struct sci_costs *costs, uint32_t dimensions);

// The number of dimensions, up to SCI_DIMENSIONS_MOST, with the least mean latency for this many
// nodes (2 or more), of those with at least two nodes along each; the least of equals.
uint32_t sci_best(const struct sci_costs *costs, double nodes);

#endif
