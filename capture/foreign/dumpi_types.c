// SPDX-License-Identifier: GPL-3.0-or-later
#include "foreign/dumpi_types.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define TYPES 65536u
#define UNKNOWN UINT64_MAX
#define BYTES_MAX (INT64_MAX / 2)

struct dumpi_types {
	uint64_t bytes[TYPES];
};

// Those of dumpi/common/constants.h, in C on a machine of 64 bits: from MPI_CHAR, number 2, to
// MPI_LONG_DOUBLE_INT. MPI_LB and MPI_UB have none; pairs are without padding, as MPI counts them.
static const uint8_t own[DUMPI_FIRST_OWN_TYPE] = {0, 0,	 1, 1, 1, 1, 4, 2, 2, 4,  4,  8, 8, 4,
						  8, 16, 8, 8, 8, 1, 0, 0, 8, 12, 12, 6, 8, 20};

struct dumpi_types *dumpi_types_new(void)
{
	struct dumpi_types *types = malloc(sizeof(*types));

	for (unsigned i = 0; types && i < TYPES; i++)
		types->bytes[i] = i > 1 && i < DUMPI_FIRST_OWN_TYPE ? own[i] : UNKNOWN;
	return types;
}

void dumpi_types_free(struct dumpi_types *types)
{
	free(types);
}

void dumpi_types_set(struct dumpi_types *types, uint16_t type, uint64_t bytes)
{
	types->bytes[type] = bytes;
}

enum tr_status dumpi_types_bytes(const struct dumpi_types *types, int64_t count, int64_t type,
				 uint64_t *bytes, bool *known, struct tr_error *err)
{
	uint64_t each = types->bytes[(uint16_t)type];

	*bytes = 0;
	*known = each != UNKNOWN || count == 0;
	if (count < 0)
		return tr_fail(err, "expected a count of 0 or more, found %" PRId64, count);
	if (*known && count > 0 &&
	    (__builtin_mul_overflow((uint64_t)count, each, bytes) || *bytes > BYTES_MAX))
		return tr_fail(err, "more than 2^62 bytes");
	return TR_OK;
}

enum tr_status dumpi_types_count(const struct dumpi_types *types, struct events *events,
				 int64_t count, int64_t type, uint64_t *bytes, struct tr_error *err)
{
	bool known;

	if (dumpi_types_bytes(types, count, type, bytes, &known, err) != TR_OK)
		return TR_ERROR;
	events->unknown_sizes += !known;
	return TR_OK;
}

// Adds count of a type to *sum, which becomes UNKNOWN if that is.
static enum tr_status dumpi_types_add(const struct dumpi_types *types, int64_t count, int64_t type,
				      uint64_t *sum, struct tr_error *err)
{
	uint64_t bytes;
	bool known;

	if (dumpi_types_bytes(types, count, type, &bytes, &known, err) != TR_OK)
		return TR_ERROR;
	if (!known || *sum == UNKNOWN)
		*sum = UNKNOWN;
	else
		*sum += bytes;
	return *sum == UNKNOWN || *sum <= BYTES_MAX
		       ? TR_OK
		       : tr_fail(err, "a type of more than 2^62 bytes");
}

static enum tr_status add_lengths(const struct dumpi_types *types, const struct dumpi_call *call,
				  uint64_t *sum, struct tr_error *err)
{
	const struct dumpi_argument *lengths = dumpi_given(call, 'L'),
				    *olds = dumpi_given(call, 'l');

	for (uint32_t i = 0; i < lengths->count; i++) {
		int64_t old = i < olds->count ? call->numbers[olds->first + i]
					      : dumpi_given(call, 'b')->value;

		if (dumpi_types_add(types, call->numbers[lengths->first + i], old, sum, err) !=
		    TR_OK)
			return TR_ERROR;
	}
	return TR_OK;
}

// The product of an argument's numbers, 0 if it does not fit.
static int64_t product(const struct dumpi_call *call, char meaning)
{
	const struct dumpi_argument *argument = dumpi_given(call, meaning);
	int64_t result = 1;

	for (uint32_t i = 0; i < argument->count; i++)
		if (__builtin_mul_overflow(result, (int64_t)call->numbers[argument->first + i],
					   &result) ||
		    result < 0)
			return 0;
	return result;
}

enum tr_status dumpi_types_call(struct dumpi_types *types, const struct dumpi_call *call, int how,
				struct tr_error *err)
{
	int64_t old = dumpi_given(call, 'b')->value;
	int64_t count = dumpi_given(call, 'c')->given ? dumpi_given(call, 'c')->value : 1;
	int64_t length = dumpi_given(call, 'B')->given ? dumpi_given(call, 'B')->value : 1;
	int64_t parts = product(call, 'p');
	uint64_t sum = 0;
	enum tr_status status;

	switch (how) {
	case DUMPI_TYPE_SAID:
		if (dumpi_given(call, 'z')->value >= 0)
			dumpi_types_set(types, (uint16_t)dumpi_given(call, 't')->value,
					(uint64_t)dumpi_given(call, 'z')->value);
		return TR_OK;
	case DUMPI_TYPE_LENGTHS: status = add_lengths(types, call, &sum, err); break;
	case DUMPI_TYPE_PART:
		status = dumpi_types_add(types, product(call, 'q'), old, &sum, err);
		break;
	case DUMPI_TYPE_SHARE:
		status = dumpi_types_add(types, parts > 0 ? product(call, 'a') / parts : 0, old,
					 &sum, err);
		break;
	default:
		if (__builtin_mul_overflow(count, length, &count))
			return tr_fail(err, "a type of more than 2^62 bytes");
		status = dumpi_types_add(types, count, old, &sum, err);
	}
	if (status == TR_OK)
		dumpi_types_set(types, (uint16_t)dumpi_given(call, 'e')->value, sum);
	return status;
}
