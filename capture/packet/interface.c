// SPDX-License-Identifier: GPL-3.0-or-later
#include "packet/interface.h"

#define NS_PER_S 1000000000
#define NS_DIGITS 9u
#define DIGITS_MAX 19u // 10^19 < 2^64

static uint64_t power_of_ten(unsigned digits)
{
	uint64_t power = 1;

	while (digits-- > 0)
		power *= 10;
	return power;
}

void pk_interface_set_resolution(struct pk_interface *interface, uint8_t resolution)
{
	const unsigned exponent = resolution & 0x7f;

	interface->multiplier = 1;
	interface->divisor = 1;
	interface->shift = 0;
	if (resolution & 0x80) {
		interface->multiplier = NS_PER_S;
		interface->shift = exponent;
	} else if (exponent <= NS_DIGITS) {
		interface->multiplier = power_of_ten(NS_DIGITS - exponent);
	} else {
		interface->divisor = exponent - NS_DIGITS > DIGITS_MAX ? 0 : power_of_ten(exponent - NS_DIGITS);
	}
}

bool pk_interface_time(const struct pk_interface *interface, uint64_t stamp, int64_t *time_ns)
{
	__int128 time = 0;

	if (interface->divisor == 1)
		time = (__int128)stamp * (__int128)interface->multiplier >> interface->shift;
	else if (interface->divisor)
		time = (__int128)(stamp / interface->divisor);
	time += (__int128)interface->offset_s * NS_PER_S;
	if (time > INT64_MAX || time < (__int128)INT64_MIN + NS_PER_S)
		return false;
	*time_ns = (int64_t)time;
	return true;
}
