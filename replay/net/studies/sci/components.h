// SPDX-License-Identifier: GPL-3.0-or-later
// Latency components from ping-pong latencies, and a model from components beside them: Gonzalez
// (2000), section 5, equations 18 to 25.
#ifndef NET_SCI_COMPONENTS_H
#define NET_SCI_COMPONENTS_H

#include <stdbool.h>
#include <stdint.h>

#include "file/source.h"
#include "net/studies/sci/formulas.h"
#include "value/status.h"

// ---- ping_pongs.c
// Measured ping-pong latencies (half a round trip) of SCI rings and tori, as a table of text.

#define SCI_PING_PONGS_MAX 4096u

struct sci_ping_pong {
	bool torus;    // else a ring with the two nodes half-way round: both directions are equal
	uint32_t hops; // links of the ping, 1 to 65535
	uint32_t switches; // changes of the ring, fewer than hops; 0 on a ring
	uint32_t size_B;   // 0 B to 256 MiB
	double ns;	   // above 0
};

// Zero is a valid empty one.
struct sci_ping_pongs {
	struct sci_ping_pong rows[SCI_PING_PONGS_MAX];
	uint32_t count;
};

// Adds the first table of source whose heading has the columns network (ring or torus), hops,
// switches, size_B and pp_ns, as TSV or CSV, up to a blank line, a comment or the end; text before
// it is skipped. TR_ERROR, naming the line, where a value is malformed, a path has a second time
// for a size, or there are too many rows.
enum tr_status sci_ping_pongs_read(struct sci_ping_pongs *pongs, struct tr_source *source,
				   struct tr_error *err);

// The time of this path and size; NULL: none.
const struct sci_ping_pong *sci_ping_pongs_find(const struct sci_ping_pongs *pongs,
						struct sci_ping_pong path);

// ---- components.c

// A component as a weighted sum of measured times; NaN where times that it needs are missing.
struct sci_estimate {
	double value;	   // ns, or ns/B
	double percent_ns; // its standard error if each time has an independent one of 1 %; in the
			   // unit of value
};

// Of the paths that the thesis used: rings of 2 and 8 nodes (1 and 4 hops), and a torus of 3 x 3,
// straight (2 hops) and with a change of the ring (3 hops).
struct sci_components {
	struct sci_estimate forwarding; // eq. 19, mean over the sizes
	struct sci_estimate
		switching; // eq. 20 as printed: both ways of the straight path take 2 hops
	// The same for a straight path of 2 hops there and 1 back, as on a ring of three: eq. 20 is
	// (l_f + l_p) / 2 above it.
	struct sci_estimate switching_exact;
	struct sci_estimate overhead; // eq. 18, of the smallest size
	struct sci_estimate slope;    // per byte, from the smallest to the largest size
	struct sci_estimate fitted;   // both by least squares over all sizes
	struct sci_estimate fitted_slope;
	uint32_t least_B; // the smallest and the largest size with a time over one hop
	uint32_t most_B;
};

// propagation_ns: from the length of the cables.
void sci_components_find(struct sci_components *components, const struct sci_ping_pongs *pongs,
			 double propagation_ns);

// Of one size; NaN where times are missing.
struct sci_point {
	double overhead_ns; // eq. 18
	double forwarding_ns;
	double switching_ns;
	double exact_ns;
};

// The components by the ping-pongs of one size. propagation_ns as in sci_components_find.
struct sci_point sci_components_at(const struct sci_ping_pongs *pongs, uint32_t size_B,
				   double propagation_ns);

// The ping-pong latency of a ring, half-way round (eqs. 21 to 25).
double sci_ring_ns(const struct sci_costs *costs, uint32_t hops);

// A straight line through deviations by numbers of nodes, of one size.
struct sci_trend {
	double slope_ns;     // per node
	double deviation_ns; // at the given number of nodes; NaN with fewer than two rings
	double model_ns;     // there
	uint32_t rings;
};

// The line through the deviations of rings from the model with these costs, by messages of this
// size; nodes: where deviation_ns and model_ns are.
struct sci_trend sci_trend_find(const struct sci_ping_pongs *pongs, const struct sci_costs *costs,
				uint32_t size_B, double nodes);

#endif
