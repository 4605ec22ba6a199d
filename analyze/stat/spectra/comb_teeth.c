// SPDX-License-Identifier: GPL-3.0-or-later
// A tooth whose energy lies in an ordinate or two is located by the two highest amplitudes, as the
// transform of a sine between two Fourier frequencies divides itself (Rife and Vincent, Bell System
// Tech. J. 49 (1970) 197-228); a wider one by the median of its energy, and its width by the
// quartiles, which are the half-power points of a Lorentzian. Smaller widths show in the power 3 to
// 8 ordinates away from a sine with a wandering phase.
#include "stat/spectra/spectral_lines.h"

#include <math.h>

#define TEETH_MAX 16
#define SETTLE_TEETH 8
#define RISES 2.0     // a tooth continues while the ratios beside it have this mean
#define RESOLVED 0.6  // half-widths in ordinates
#define CUT_SHORT 0.4 // quartiles beyond this part of the reach are unreliable
#define RING_FIRST 3
#define RING_LAST 8
#define RING_SUM 0.55480  // 2 (1/9 + 1/16 + ... + 1/64)
#define MERGED (1.0 / 6)  // teeth with this half-width, in the first one's frequency, merge
#define FREEDOM_NARROW 10 // of a tooth without a width, whose error is not estimated but bounded
#define STRAY_LEAST 0.3
#define UNSEEN \
	0.1 // half-width of the farthest tooth that goes unnoticed, in ordinates; less for a high
	    // one
#define ZONES 8 // half the frequency of the points each
#define FOLDED_NARROWEST 6
#define FOLDED_SPACE 16 // the part of its frequency that a folded tooth may cover
#define RING_NOISE 7.0	// two standard errors of the sum of 12 ordinates

static double comb_teeth_mean_between(const struct ordinates *ordinates, double first, double last)
{
	const double low = fmax(1, first), high = fmin(last, (double)ordinates->count);

	if (low > high)
		return 0;
	return (ordinates->sums[(size_t)high] - ordinates->sums[(size_t)low - 1]) /
	       (floor(high) - floor(low) + 1);
}

// A comb of one tooth: tooth h of the given.
static struct comb one_tooth(const struct comb *comb, unsigned h)
{
	return (struct comb){.frequency = comb->frequency * h,
			     .width = comb->width > 1 ? comb->width * h : 1,
			     .harmonics = 1};
}

unsigned comb_teeth_count(const struct comb *comb, const struct ordinates *ordinates)
{
	const double inside = (double)ordinates->count / comb->frequency;
	const double all = 0.5 * ZONES * (double)ordinates->n / comb->frequency;
	const double room = comb->frequency / FOLDED_SPACE; // for one folded tooth

	if (room < FOLDED_NARROWEST || (comb->harmonics < 2 && inside >= 2))
		return (unsigned)inside;
	return (unsigned)(comb->width > 1 ? fmax(inside, fmin(all, room / comb->width)) : all);
}

double comb_teeth_place(const struct comb *comb, unsigned h, const struct ordinates *ordinates)
{
	const double frequency = comb->frequency * h, n = (double)ordinates->n;

	return fabs(frequency - n * floor(frequency / n + 0.5));
}

bool comb_teeth_extent(const struct comb *comb, unsigned h, const struct ordinates *ordinates,
		       size_t *first, size_t *last)
{
	struct comb tooth = one_tooth(comb, h);
	const double centre = floor(comb_teeth_place(comb, h, ordinates) + 0.5),
		     room = fmax(1, comb->frequency / 2 - 1);
	double half = fmin(fmax(1, tooth.width / 2), room);

	tooth.width = 2 * half + 0.5;
	tooth.frequency = centre;
	if (centre < 1 || centre > (double)ordinates->count)
		return false;
	comb_decide(&tooth, ordinates, NULL, 0);
	if (tooth.log_p > comb->seen_log_p)
		return false;
	while (2 * half <= room &&
	       comb_teeth_mean_between(ordinates, centre - 2 * half, centre - half - 1) +
			       comb_teeth_mean_between(ordinates, centre + half + 1,
						       centre + 2 * half) >
		       2 * RISES)
		half *= 2;
	*first = (size_t)fmax(1, centre - floor(half));
	*last = (size_t)fmin((double)ordinates->count, centre + floor(half));
	return true;
}

static bool is_no_multiple(unsigned h, unsigned k)
{
	return h % k != 0;
}

// Whether the teeth other than each k-th exceed the level; and how many do so alone.
static bool are_others_there(const struct comb *comb, unsigned k, const struct ordinates *ordinates,
			     unsigned *alone)
{
	struct comb all = *comb;

	all.harmonics = SETTLE_TEETH;
	comb_decide(&all, ordinates, is_no_multiple, k);
	*alone = 0;
	for (unsigned h = 1; h <= SETTLE_TEETH; h++) {
		struct comb tooth = one_tooth(comb, h);

		if (h % k == 0 || tooth.frequency > (double)ordinates->count)
			continue;
		comb_decide(&tooth, ordinates, NULL, 0);
		*alone += tooth.log_p < COMB_SEEN_LOG_P;
	}
	return *alone > 0 || all.log_p < COMB_SEEN_LOG_P;
}

static struct comb scaled(const struct comb *comb, double factor)
{
	struct comb out = *comb;

	out.frequency *= factor;
	out.width = fmax(1, out.width * factor);
	return out;
}

void comb_teeth_settle(struct comb *comb, const struct ordinates *ordinates)
{
	static const unsigned parts[] = {2, 3, 5, 7};
	unsigned alone;

	for (size_t i = 0; i < sizeof(parts) / sizeof(*parts);) {
		struct comb higher = scaled(comb, parts[i]);

		higher.harmonics = comb->harmonics / parts[i];
		comb_decide(&higher, ordinates, NULL, 0);
		if (!(higher.log_p < COMB_SEEN_LOG_P) ||
		    are_others_there(comb, parts[i], ordinates, &alone))
			i++;
		else
			*comb = higher;
	}
	for (size_t i = 0; i < 2;) {
		const struct comb lower = scaled(comb, 1.0 / parts[i]);

		if (lower.frequency >= COMB_CYCLES_MIN &&
		    are_others_there(&lower, parts[i], ordinates, &alone) && alone >= 2)
			*comb = lower;
		else
			i++;
	}
}

struct tooth {
	double centre, half_width, energy;
	double variance; // of the centre, by noise
	bool knows_width;
};

// The place below which this share of the energy above the level lies.
static double energy_quantile(const struct ordinates *ordinates, size_t first, size_t last,
			      double share)
{
	double energy = 0, below = 0;

	for (size_t j = first; j <= last; j++)
		energy += fmax(ordinates->ratio[j] - 1, 0);
	for (size_t j = first; j <= last; j++) {
		const double here = fmax(ordinates->ratio[j] - 1, 0);

		if (here > 0 && below + here >= share * energy)
			return (double)j - 0.5 + (share * energy - below) / here;
		below += here;
	}
	return (double)last;
}

static size_t comb_teeth_highest(const struct ordinates *ordinates, size_t first, size_t last)
{
	size_t best = first;

	for (size_t j = first; j <= last; j++)
		if (ordinates->ratio[j] > ordinates->ratio[best])
			best = j;
	return best;
}

static double comb_teeth_ratio_at(const struct ordinates *ordinates, size_t j)
{
	return j >= 1 && j <= ordinates->count ? ordinates->ratio[j] : 0;
}

static void measure_narrow(struct tooth *tooth, const struct ordinates *ordinates, size_t peak,
			   double room)
{
	const double left = comb_teeth_ratio_at(ordinates, peak - 1),
		     here = comb_teeth_ratio_at(ordinates, peak);
	const double right = comb_teeth_ratio_at(ordinates, peak + 1),
		     side = sqrt(fmax(left, right));
	const double part = side / (sqrt(here) + side), leaks = sin(M_PI * part) * sin(M_PI * part);
	double ring = 0;

	tooth->centre = (double)peak + (right > left ? part : -part);
	tooth->energy = left + here + right;
	tooth->variance = RESOLVED / here;
	tooth->half_width = 0;
	tooth->knows_width = true;
	if (room < RING_LAST + 1)
		return;
	for (size_t d = RING_FIRST; d <= RING_LAST; d++)
		ring += comb_teeth_ratio_at(ordinates, peak > d ? peak - d : 0) +
			comb_teeth_ratio_at(ordinates, peak + d) - 2;
	ring -= RING_SUM * tooth->energy * leaks / (M_PI * M_PI);
	if (ring > RING_NOISE)
		tooth->half_width = ring / tooth->energy / RING_SUM * M_PI;
	tooth->variance += M_PI / 8 * tooth->half_width;
}

// Measures a tooth.
static void comb_teeth_measure(struct tooth *tooth, const struct ordinates *ordinates, size_t first,
			       size_t last, double room)
{
	const double lower = energy_quantile(ordinates, first, last, 0.25);
	const double upper = energy_quantile(ordinates, first, last, 0.75);
	const double reach = (double)(last - first + 1) / 2, quartile = (upper - lower) / 2;
	double height;

	if (quartile < RESOLVED) {
		measure_narrow(tooth, ordinates, comb_teeth_highest(ordinates, first, last), room);
		return;
	}
	tooth->centre = energy_quantile(ordinates, first, last, 0.5);
	// Quartiles of a Lorentzian that is cut at the reach.
	tooth->half_width = quartile / sqrt(fmax(0.1, 1 - 2 * quartile / reach));
	tooth->knows_width = quartile < CUT_SHORT * reach;
	tooth->energy = 0;
	for (size_t j = first; j <= last; j++)
		tooth->energy += ordinates->ratio[j] - 1;
	tooth->energy = fmax(tooth->energy, 1);
	height = tooth->energy / (M_PI * tooth->half_width);
	tooth->variance = M_PI / 8 * tooth->half_width * (1 + 2 / height);
}

// How far a tooth may be from the place that the others predict with this variance.
static double strays(const struct tooth *tooth, double variance)
{
	return STRAY_LEAST + 3 * sqrt(tooth->variance + variance) + tooth->half_width;
}

struct comb_shape comb_teeth_refine(struct comb *comb, const struct ordinates *ordinates)
{
	struct comb_shape shape = {.se = NAN};
	double weights = 0, centres = 0, energies = 0, half_widths = 0, widest = 0, unseen;
	unsigned farthest = 0;

	// Far beyond the last tooth seen, a tooth is accidental.
	for (unsigned h = 1; h <= TEETH_MAX && h <= 2 * farthest + 2 &&
			     comb->frequency * h <= (double)ordinates->count;
	     h++) {
		struct tooth tooth;
		size_t first, last;
		double weight;

		if (!comb_teeth_extent(comb, h, ordinates, &first, &last))
			continue;
		comb_teeth_measure(&tooth, ordinates, first, last, comb->frequency / 2);
		shape.harmonics++;
		if (h > 1 && tooth.half_width > MERGED * comb->frequency)
			continue;
		if (h > 1 &&
		    fabs(tooth.centre - comb->frequency * h) > strays(&tooth, h * h / weights))
			continue;
		weight = (double)h * h / tooth.variance;
		weights += weight;
		shape.freedom += tooth.half_width > 0 ? 1 + 2 * tooth.half_width : FREEDOM_NARROW;
		centres += weight * tooth.centre / h;
		if (tooth.knows_width) {
			energies += tooth.energy;
			half_widths += tooth.energy * tooth.half_width / ((double)h * h);
		}
		widest = fmax(widest, tooth.half_width / ((double)h * h));
		comb->frequency = centres / weights;
		farthest = h;
	}
	if (!(weights > 0)) {
		shape.harmonics = 0;
		return shape;
	}
	shape.half_width = energies > 0 ? half_widths / energies : widest;
	unseen = fmin(UNSEEN, RING_NOISE / RING_SUM * M_PI / energies) /
		 ((double)farthest * farthest);
	shape.se = sqrt(1 / weights + (shape.half_width + unseen) / M_PI);
	return shape;
}
