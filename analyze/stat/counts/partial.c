// SPDX-License-Identifier: GPL-3.0-or-later
#include "stat/counts/partial.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "stream/recognise.h"
#include "value/little_endian.h"
#include "value/xxh3.h"

#define NUMBER_MAX 19u // bytes of 128 bits
#define CHECKSUM_BYTES 8u
#define BUFFER_BYTES 4096u

struct partial {
	FILE *out;	      // written, or what is read is copied to it, unless NULL
	struct tr_source *in; // read; NULL: written
	XXH3_state_t *hash;   // of what is before begin
	// What is read lies in the source from begin to end, what is written in the buffer.
	const uint8_t *begin, *at, *end;
	uint8_t buffer[BUFFER_BYTES];
	size_t buffered_bytes;
	enum tr_status status;
	struct tr_error err;
};

bool partial_reads(const struct partial *partial)
{
	return partial->in;
}

bool partial_ok(const struct partial *partial)
{
	return partial->status == TR_OK;
}

static uint64_t offset(const struct partial *partial)
{
	return tr_source_offset(partial->in) + (uint64_t)(partial->at - partial->begin);
}

void partial_refuse(struct partial *partial, const char *format, ...)
{
	struct tr_error why;
	va_list args;

	if (partial->status != TR_OK)
		return;
	va_start(args, format);
	(void)tr_fail_with(&why, format, args);
	va_end(args);
	partial->status = partial->in ? tr_fail(&partial->err, "%s: offset %llu: %.300s",
						tr_source_name(partial->in),
						(unsigned long long)offset(partial), why.text)
				      : tr_fail(&partial->err, "%s", why.text);
	partial->end = partial->at; // no more is read
}

// ---- bytes

// Takes note of bytes that were written, or read.
static void partial_pass(struct partial *partial, const void *bytes, size_t size_bytes)
{
	if (size_bytes == 0)
		return;
	(void)XXH3_64bits_update(partial->hash, bytes, size_bytes);
	if (partial->out)
		(void)fwrite(bytes, 1, size_bytes, partial->out); // the file's close tells
}

static void flush(struct partial *partial)
{
	partial_pass(partial, partial->buffer, partial->buffered_bytes);
	partial->buffered_bytes = 0;
}

static void put_bytes(struct partial *partial, const void *bytes, size_t size_bytes)
{
	flush(partial);
	partial_pass(partial, bytes, size_bytes);
}

static void skip(struct partial *partial)
{
	partial_pass(partial, partial->begin, (size_t)(partial->at - partial->begin));
	tr_source_skip(partial->in, (size_t)(partial->at - partial->begin));
	partial->begin = partial->at;
}

// Shows at least want_bytes from at, or all that are left; returns how many there are.
static size_t peek(struct partial *partial, size_t want_bytes)
{
	size_t got_bytes = (size_t)(partial->end - partial->at);

	if (partial->status != TR_OK || got_bytes >= want_bytes)
		return partial->status == TR_OK ? got_bytes : 0;
	skip(partial);
	if (tr_source_peek(partial->in, want_bytes, &partial->begin, &got_bytes, &partial->err) ==
	    TR_ERROR) {
		partial->status = TR_ERROR;
		got_bytes = 0;
	}
	partial->at = partial->begin;
	partial->end = partial->begin + got_bytes;
	return got_bytes;
}

// ---- numbers

static void put_number(struct partial *partial, unsigned __int128 value)
{
	uint8_t *const bytes = partial->buffer;

	if (BUFFER_BYTES - partial->buffered_bytes < NUMBER_MAX)
		flush(partial);
	for (; value >= 0x80; value >>= 7)
		bytes[partial->buffered_bytes++] = (uint8_t)((unsigned)value | 0x80);
	bytes[partial->buffered_bytes++] = (uint8_t)value;
}

static unsigned __int128 get_long_number(struct partial *partial)
{
	const size_t got_bytes = peek(partial, NUMBER_MAX);
	unsigned __int128 value = 0;

	for (size_t i = 0; i < got_bytes && i < NUMBER_MAX; i++) {
		value |= (unsigned __int128)(partial->at[i] & 0x7f) << 7 * i;
		if (partial->at[i] >= 0x80)
			continue;
		partial->at += i + 1;
		return value;
	}
	partial_refuse(partial, got_bytes < NUMBER_MAX ? "the file ends in a number"
						       : "a number is longer than 128 bits");
	return 0;
}

// Most numbers are of one byte.
static inline unsigned __int128 exchange_number(struct partial *partial, unsigned __int128 value)
{
	if (partial->in)
		return partial->at < partial->end && *partial->at < 0x80 ? *partial->at++
									 : get_long_number(partial);
	put_number(partial, value);
	return value;
}

void partial_u128(struct partial *partial, unsigned __int128 *value)
{
	*value = exchange_number(partial, *value);
}

void partial_u64(struct partial *partial, uint64_t *value, uint64_t most)
{
	const unsigned __int128 wide = exchange_number(partial, *value);

	if (wide > most)
		partial_refuse(partial, "expected a number up to %llu", (unsigned long long)most);
	*value = wide > most ? 0 : (uint64_t)wide;
}

void partial_i64(struct partial *partial, int64_t *value)
{
	uint64_t folded = (uint64_t)*value << 1 ^ (*value < 0 ? UINT64_MAX : 0);

	partial_u64(partial, &folded, (UINT64_C(2) << PARTIAL_I64_BITS) - 1);
	*value = folded & 1 ? ~(int64_t)(folded >> 1) : (int64_t)(folded >> 1);
}

void partial_i128(struct partial *partial, __int128 *value)
{
	unsigned __int128 folded = *value < 0 ? (unsigned __int128)~*value << 1 | 1
					      : (unsigned __int128)*value << 1;

	folded = exchange_number(partial, folded);
	if (folded >> 65 != 0)
		partial_refuse(partial, "expected a number below 2^64 in size");
	*value = folded >> 65 != 0 ? 0
		 : folded & 1	   ? ~(__int128)(folded >> 1)
				   : (__int128)(folded >> 1);
}

void partial_text(struct partial *partial, char *text, size_t room_bytes)
{
	uint64_t size_bytes = partial->in ? 0 : strlen(text);

	partial_u64(partial, &size_bytes, room_bytes - 1);
	if (!partial->in) {
		put_bytes(partial, text, size_bytes);
		return;
	}
	*text = '\0';
	if (size_bytes == 0)
		return;
	if (peek(partial, size_bytes) < size_bytes || memchr(partial->at, '\0', size_bytes)) {
		partial_refuse(partial, "expected a text of %llu bytes",
			       (unsigned long long)size_bytes);
		return;
	}
	memcpy(text, partial->at, size_bytes);
	text[size_bytes] = '\0';
	partial->at += size_bytes;
}

// ---- accumulators

// How many values from at on are 0, or how many are not.
static uint64_t run_length(const int64_t *values, size_t count, size_t at, bool zeros)
{
	const size_t from = at;

	while (at < count && (values[at] == 0) == zeros)
		at++;
	return at - from;
}

void partial_sparse(struct partial *partial, int64_t *values, size_t count)
{
	for (size_t at = 0; at < count && partial_ok(partial);) {
		uint64_t zeros = partial->in ? 0 : run_length(values, count, at, true), others;

		partial_u64(partial, &zeros, count - at);
		at += zeros;
		others = partial->in ? 0 : run_length(values, count, at, false);
		partial_u64(partial, &others, count - at);
		if (zeros + others == 0)
			partial_refuse(partial, "a run of no values");
		for (const size_t end = at + others; at < end; at++)
			partial_i64(partial, &values[at]);
	}
}

void partial_moments(struct partial *partial, struct moments *moments)
{
	partial_u64(partial, &moments->n, PARTIAL_COUNT_MAX);
	if (moments->n == 0) {
		*moments = (struct moments){0};
		return;
	}
	partial_i64(partial, &moments->min);
	partial_i64(partial, &moments->max);
	partial_i128(partial, &moments->sum);
	partial_u128(partial, &moments->sum_squares);
	if (partial->in && (moments->sum < (__int128)moments->min * (__int128)moments->n ||
			    moments->sum > (__int128)moments->max * (__int128)moments->n))
		partial_refuse(partial, "a mean is not between the least and the largest value");
}

void partial_quantile(struct partial *partial, struct quantile *quantile)
{
	uint64_t counted = 0;
	size_t first, last;

	partial_u64(partial, &quantile->n, PARTIAL_COUNT_MAX);
	if (quantile->n == 0)
		return;
	partial_u64(partial, &quantile->min, UINT64_MAX);
	partial_u64(partial, &quantile->max, UINT64_MAX);
	if (quantile->min > quantile->max)
		partial_refuse(partial, "the least value of a histogram is above the largest");
	if (!partial_ok(partial)) {
		quantile->n = 0;
		return;
	}
	first = log_bucket_of(quantile->min, QUANTILE_BITS);
	last = log_bucket_of(quantile->max, QUANTILE_BITS);
	partial_sparse(partial, (int64_t *)quantile->buckets + first, last + 1 - first);
	for (size_t i = first; i <= last; i++)
		counted += quantile->buckets[i];
	if (counted != quantile->n)
		partial_refuse(partial, "a histogram of %llu values has %llu",
			       (unsigned long long)quantile->n, (unsigned long long)counted);
}

// ---- begin and end

static enum tr_status partial_make(struct partial **out, FILE *file, struct tr_source *source,
				   struct tr_error *err)
{
	struct partial *partial = calloc(1, sizeof(*partial));

	*out = partial;
	if (partial)
		partial->hash = XXH3_createState();
	if (!partial || !partial->hash) {
		partial_close(partial);
		*out = NULL;
		return tr_no_memory(err, "a partial");
	}
	(void)XXH3_64bits_reset(partial->hash);
	partial->out = file;
	partial->in = source;
	return TR_OK;
}

enum tr_status partial_create(struct partial **out, FILE *file, const char *maker,
			      const char *settings, struct tr_error *err)
{
	if (partial_make(out, file, NULL, err) != TR_OK)
		return TR_ERROR;
	put_bytes(*out, PARTIAL_MAGIC PARTIAL_VERSION "\n",
		  strlen(PARTIAL_MAGIC PARTIAL_VERSION "\n"));
	put_bytes(*out, maker, strlen(maker));
	put_bytes(*out, "\n", 1);
	put_bytes(*out, settings, strlen(settings));
	put_bytes(*out, "\n", 1);
	return TR_OK;
}

// Takes a line, which must be the expected one.
static void expect_line(struct partial *partial, const char *what, const char *expected)
{
	const size_t got_bytes = peek(partial, PARTIAL_SETTINGS_MAX), size_bytes = strlen(expected);
	const uint8_t *end = got_bytes > 0 ? memchr(partial->at, '\n', got_bytes) : NULL;
	const size_t line_bytes = end ? (size_t)(end - partial->at) : 0;

	if (!end)
		partial_refuse(partial, "expected a line with the %s", what);
	else if (line_bytes != size_bytes || memcmp(partial->at, expected, size_bytes) != 0)
		partial_refuse(partial, "a partial of %s \"%.*s\", expected \"%.130s\"", what,
			       (int)(line_bytes < 130 ? line_bytes : 130),
			       (const char *)partial->at, expected);
	else
		partial->at = end + 1;
}

enum tr_status partial_open(struct partial **out, struct tr_source *source, FILE *copy,
			    const char *maker, const char *settings, struct tr_error *err)
{
	char hint[TR_RECOGNISE_HINT_BYTES];
	struct partial *partial;

	if (partial_make(out, copy, source, err) != TR_OK)
		return TR_ERROR;
	partial = *out;
	if (!tr_source_begins(source, PARTIAL_MAGIC, strlen(PARTIAL_MAGIC)))
		partial_refuse(partial, "no partial%s",
			       tr_recognise_source(source, hint, sizeof(hint)));
	else if (peek(partial, strlen(PARTIAL_MAGIC)) > 0)
		partial->at += strlen(PARTIAL_MAGIC);
	expect_line(partial, "version", PARTIAL_VERSION);
	expect_line(partial, "program", maker);
	expect_line(partial, "settings", settings);
	if (partial->status == TR_OK)
		return TR_OK;
	*err = partial->err;
	partial_close(partial);
	*out = NULL;
	return TR_ERROR;
}

// Compares the checksum of all before at.
static void check_end(struct partial *partial)
{
	const size_t got_bytes = peek(partial, CHECKSUM_BYTES + 1);

	if (partial->status != TR_OK)
		return;
	skip(partial);
	if (got_bytes != CHECKSUM_BYTES)
		partial_refuse(partial, "expected the end after %u bytes of a checksum",
			       CHECKSUM_BYTES);
	else if (tr_get_u64(partial->at) != XXH3_64bits_digest(partial->hash))
		partial_refuse(partial, "the checksum does not agree: the file is damaged");
	else if (partial->out)
		(void)fwrite(partial->at, 1, CHECKSUM_BYTES, partial->out);
}

enum tr_status partial_finish(struct partial *partial, struct tr_error *err)
{
	uint8_t checksum[CHECKSUM_BYTES];

	if (partial->in) {
		check_end(partial);
	} else {
		flush(partial);
		tr_set_u64(checksum, XXH3_64bits_digest(partial->hash));
		(void)fwrite(checksum, 1, sizeof(checksum), partial->out);
	}
	if (partial->status != TR_OK)
		*err = partial->err;
	return partial->status;
}

void partial_close(struct partial *partial)
{
	if (!partial)
		return;
	(void)XXH3_freeState(partial->hash);
	free(partial);
}
