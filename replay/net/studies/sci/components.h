// SPDX-License-Identifier: GPL-3.0-or-later
// Latency components from ping-pong latencies, and a model from components beside them: Gonzalez (2000), section 5, equations 18
// to 25.
#ifndef NET_SCI_COMPONENTS_H
#define NET_SCI_COMPONENTS_H

#include <stdint.h>

#include "net/studies/sci/formulas.h"
#include "net/studies/sci/ping_pongs.h"

// A component as a weighted sum of measured times; NaN where times that it needs are missing.
struct sci_estimate {
	double value;	   // ns, or ns/B
	double percent_ns; // its standard error if each time has an independent one of 1 %; in the unit of value
};

// Of the paths that the thesis used: rings of 2 and 8 nodes (1 and 4 hops), and a torus of 3 x 3, straight (2 hops) and with a
// change of the ring (3 hops).
struct sci_components {
	struct sci_estimate forwarding; // eq. 19, mean over the sizes
	struct sci_estimate switching;	// eq. 20 as printed: both ways of the straight path take 2 hops
	// The same for a straight path of 2 hops there and 1 back, as on a ring of three: eq. 20 is (l_f + l_p) / 2 above it.
	struct sci_estimate switching_exact;
	struct sci_estimate overhead; // eq. 18, of the smallest size
	struct sci_estimate slope;    // per byte, from the smallest to the largest size
	struct sci_estimate fitted;   // both by least squares over all sizes
	struct sci_estimate fitted_slope;
	uint32_t least_B; // the smallest and the largest size with a time over one hop
	uint32_t most_B;
};

// propagation_ns: from the length of the cables.
void sci_components_find(struct sci_components *components, const struct sci_ping_pongs *pongs, double propagation_ns);

// Of one size; NaN where times are missing.
struct sci_point {
	double overhead_ns; // eq. 18
	double forwarding_ns;
	double switching_ns;
	double exact_ns;
};

struct sci_point sci_components_at(const struct sci_ping_pongs *pongs, uint32_t size_B, double propagation_ns);

// The ping-pong latency of a ring, half-way round (eqs. 21 to 25).
double sci_ring_ns(const struct sci_costs *costs, uint32_t hops);

// A straight line through deviations by numbers of nodes, of one size.
struct sci_trend {
	double slope_ns;     // per node
	double deviation_ns; // at the given number of nodes; NaN with fewer than two rings
	double model_ns;     // there
	uint32_t rings;
};

struct sci_trend sci_trend_find(const struct sci_ping_pongs *pongs, const struct sci_costs *costs, uint32_t size_B,
				double nodes);

#endif
