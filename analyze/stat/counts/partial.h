// SPDX-License-Identifier: GPL-3.0-or-later
// A partial: a program's sums over a part of its input, in a file that it merges with the other
// parts later. The same call writes a value or reads it, as the partial was opened, so that both
// agree on the order.
//
// The file: "flitline-partial 3", the program with its version, its settings, each ending with a
// newline; the values as variable-length numbers of 7 bits a byte, the lowest first (signed ones as
// twice the value, or twice its complement plus 1); at the end 8 bytes, little-endian, with the
// XXH3-64 of all before.
#ifndef STAT_PARTIAL_H
#define STAT_PARTIAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "file/source.h"
#include "stat/intervals/moments.h"
#include "stat/intervals/quantile.h"
#include "value/status.h"

#define PARTIAL_MAGIC "flitline-partial "
#define PARTIAL_VERSION "3"	   // after the magic, up to the newline
#define PARTIAL_SETTINGS_MAX 4096u // bytes

// Numbers of settings, as printf's format and its arguments.
#define PARTIAL_RATIO "%lld/%llu"
#define PARTIAL_RATIO_OF(ratio) (long long)(ratio).num, (unsigned long long)(ratio).den

struct partial;

// Begins a partial in out, which is lent until partial_close. maker: the program and its version;
// settings: those that the sums depend on; both one line each. TR_ERROR: out of memory.
enum tr_status partial_create(struct partial **out, FILE *file, const char *maker,
			      const char *settings, struct tr_error *err);

// Opens one to be read from its begin; the source is lent until partial_close, as is copy, which
// gets the same bytes unless it is NULL. TR_ERROR: it is none, of another version or other
// settings, or out of memory.
enum tr_status partial_open(struct partial **out, struct tr_source *source, FILE *copy,
			    const char *maker, const char *settings, struct tr_error *err);

// Whether the partial is read, not written.
bool partial_reads(const struct partial *partial);

// Whether nothing failed so far; after a failure values are 0, which loops over counts end with.
bool partial_ok(const struct partial *partial);

// Records that the values read make no sense, or cannot be written: the failure that partial_finish
// returns. The first failure is kept.
void partial_refuse(struct partial *partial, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

// Values. One above most, or a signed one of most or more in size, fails, be it written or read.
void partial_u64(struct partial *partial, uint64_t *value, uint64_t most);
void partial_i64(struct partial *partial, int64_t *value);
void partial_i128(struct partial *partial, __int128 *value); // below 2^64 in size, such as sums
void partial_u128(struct partial *partial, unsigned __int128 *value);
void partial_text(struct partial *partial, char *text,
		  size_t room_bytes); // with its end within room_bytes

#define PARTIAL_COUNT_MAX (UINT64_C(1) << 56) // most that counts of a partial are
#define PARTIAL_I64_BITS 62		      // of signed values, such as times

// Counts, or their differences, of which most are 0, in runs of zeros and of others; read into
// zeros.
void partial_sparse(struct partial *partial, int64_t *values, size_t count);

// As partial_u64, for all sums at once.
void partial_moments(struct partial *partial,
		     struct moments *moments); // refused if the mean is outside the range
void partial_quantile(struct partial *partial, struct quantile *quantile); // read into an empty one

// After the last value: writes the checksum, or compares it and that nothing follows. TR_ERROR for
// the first failure of all.
enum tr_status partial_finish(struct partial *partial, struct tr_error *err);

// NULL is accepted.
void partial_close(struct partial *partial);

#endif
