// SPDX-License-Identifier: GPL-3.0-or-later
#include "gen/powers.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#define LN2_HIGH \
	0x1.62e42fefa38p-1 // 11 zero bits at its end: its product with an exponent is exact
#define LN2_LOW 0x1.ef35793c7673p-45
#define LOG_LARGEST 0x1.62e42fefa39efp+9	  // of the largest number
#define LOG_SMALLEST -0x1.74910d52d3051p+9	  // of the smallest
#define SQRT_2_FRACTION UINT64_C(0x6a09e667f3bcd) // the bits of sqrt(2) below its exponent

// high + low, |low| at most half a unit of high's last place.
struct powers_pair {
	double high, low;
};

// |a| >= |b| or a is 0.
static struct powers_pair sum_fast(double a, double b)
{
	const double high = a + b;

	return (struct powers_pair){high, b - (high - a)};
}

static struct powers_pair powers_sum_of(double a, double b)
{
	const double high = a + b, of_b = high - a;

	return (struct powers_pair){high, (a - (high - of_b)) + (b - of_b)};
}

// The upper 26 bits.
static struct powers_pair powers_split(double a)
{
	const double up = 0x1.0000002p27 * a, high = up - (up - a);

	return (struct powers_pair){high, a - high};
}

static struct powers_pair product_of(double a, double b)
{
	const struct powers_pair x = powers_split(a), y = powers_split(b);
	const double high = a * b;

	return (struct powers_pair){
		high, ((x.high * y.high - high) + x.high * y.low + x.low * y.high) + x.low * y.low};
}

static struct powers_pair times(struct powers_pair a, struct powers_pair b)
{
	const struct powers_pair product = product_of(a.high, b.high);

	return sum_fast(product.high, product.low + (a.high * b.low + a.low * b.high));
}

static struct powers_pair plus(struct powers_pair a, struct powers_pair b)
{
	const struct powers_pair sum = powers_sum_of(a.high, b.high);

	return sum_fast(sum.high, sum.low + (a.low + b.low));
}

// 2^k, k within -1022 .. 1023.
static double power_of_two(int k)
{
	const uint64_t bits = (uint64_t)(1023 + k) << 52;
	double out;

	memcpy(&out, &bits, sizeof(out));
	return out;
}

// log(1 + above), where below is 2 + above: 2 (s + s^3/3 + s^5/5 + ...) with s = above / below, |s|
// < 0.172.
static struct powers_pair log_near_one(double above, struct powers_pair below)
{
	const double s = above / below.high;
	const struct powers_pair back = product_of(s, below.high);
	const double rest = (((above - back.high) - back.low) - s * below.low) / below.high;
	const double z = s * s;
	const struct powers_pair third = times(
		(struct powers_pair){2.0 / 3, 0x1.5555555555555p-55},
		times(product_of(s, s), (struct powers_pair){s, 3 * rest}));
	const double tail =
		s * z * z *
		(2.0 / 5 +
		 z * (2.0 / 7 +
		      z * (2.0 / 9 +
			   z * (2.0 / 11 +
				z * (2.0 / 13 +
				     z * (2.0 / 15 +
					  z * (2.0 / 17 +
					       z * (2.0 / 19 +
						    z * (2.0 / 21 + z * (2.0 / 23))))))))));

	return plus((struct powers_pair){2 * s, 2 * rest},
		    plus(third, (struct powers_pair){tail, 0}));
}

// x = 2^k m with m from sqrt(1/2) to sqrt(2). Returns m.
static inline double powers_parts_of(double x, int *k)
{
	uint64_t bits;
	double m;

	memcpy(&bits, &x, sizeof(bits));
	const uint64_t up = (bits & 0xfffffffffffff) > SQRT_2_FRACTION;

	*k = (int)(bits >> 52) - 1023 + (int)up;
	bits = (bits & 0xfffffffffffff) | (1023 - up) << 52;
	memcpy(&m, &bits, sizeof(m));
	return m;
}

double powers_log_near(double x)
{
	int k;
	const double m = powers_parts_of(x, &k), s = (m - 1) / (m + 1), z = s * s;

	return k * 0x1.62e42fefa39efp-1 +
	       s * (2 + z * (2.0 / 3 + z * (2.0 / 5 + z * (2.0 / 7 + z * (2.0 / 9)))));
}

static struct powers_pair log_pair(double x)
{
	int k;
	const double m = powers_parts_of(x, &k);

	return plus(powers_sum_of(k * LN2_HIGH, k * LN2_LOW),
		    log_near_one(m - 1, powers_sum_of(m, 1)));
}

double powers_log(double x)
{
	const struct powers_pair log = log_pair(x);

	return log.high + log.low;
}

double powers_log1p(double x)
{
	const struct powers_pair sum = powers_sum_of(1, x);
	const struct powers_pair near = log_near_one(x, powers_sum_of(2, x));

	return x > -0.25 && x < 0.25 ? near.high + near.low
				     : powers_log(sum.high) + sum.low / sum.high;
}

// x = k log 2 + r with |r| <= log(2) / 2; e^r = 1 + r + r^2/2 + r^3/6 + ...
static double exp_pair(struct powers_pair x)
{
	if (x.high > LOG_LARGEST)
		return INFINITY;
	if (x.high < LOG_SMALLEST)
		return 0;
	const double turns = x.high * 0x1.71547652b82fep+0;
	const int k = (int)(turns < 0 ? turns - 0.5 : turns + 0.5);
	const struct powers_pair near = powers_sum_of(x.high - k * LN2_HIGH, -(k * LN2_LOW));
	const struct powers_pair r = sum_fast(near.high, near.low + x.low);
	const struct powers_pair square = times(r, r);
	const double a = r.high;
	const double tail =
		a * square.high *
		(1.0 / 6 +
		 a * (1.0 / 24 +
		      a * (1.0 / 120 +
			   a * (1.0 / 720 +
				a * (1.0 / 5040 +
				     a * (1.0 / 40320 +
					  a * (1.0 / 362880 +
					       a * (1.0 / 3628800 +
						    a * (1.0 / 39916800 +
							 a * (1.0 / 479001600 +
							      a * (1.0 / 6227020800)))))))))));
	const struct powers_pair first = plus((struct powers_pair){1, 0}, r);
	const struct powers_pair all = plus(
		first, plus((struct powers_pair){square.high / 2, square.low / 2},
			    (struct powers_pair){tail, 0}));

	return (all.high + all.low) * power_of_two(k / 2) * power_of_two(k - k / 2);
}

double powers_exp_near(double x)
{
	const double turns = x * 0x1.71547652b82fep+0;
	const int k = (int)(turns < 0 ? turns - 0.5 : turns + 0.5);
	const double r = x - k * 0x1.62e42fefa39efp-1;

	return power_of_two(k) *
	       (1 + r * (1 + r * (1.0 / 2 +
				  r * (1.0 / 6 + r * (1.0 / 24 +
						      r * (1.0 / 120 +
							   r * (1.0 / 720 + r * (1.0 / 5040))))))));
}

double powers_exp(double x)
{
	return exp_pair((struct powers_pair){x, 0});
}

double powers_of(double x, double y)
{
	return exp_pair(times(log_pair(x), (struct powers_pair){y, 0}));
}
