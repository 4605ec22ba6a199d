// SPDX-License-Identifier: GPL-3.0-or-later
// JSON of any size, as it streams by, packed by gzip or not: each value with the keys that lead to
// it. Builds without libyajl and zlib (FLIT_YAJL) refuse it by name.
#ifndef FOREIGN_JSON_H
#define FOREIGN_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "file/source.h"
#include "value/status.h"

#define JSON_DEEP 6u	       // values in more objects and lists are passed over
#define JSON_KEY_BYTES 64u     // longer keys are cut
#define JSON_CLAIM_BYTES 4096u // what json_begin shows

enum json_kind {
	JSON_OPENS, // an object or list
	JSON_CLOSES,
	JSON_TEXT,
	JSON_NUMBER, // text as it is in the file
	JSON_WORD,   // true, false, null
};

struct json_value {
	enum json_kind kind;
	const char *text; // of a text or number, without a NUL; lent until the return
	size_t bytes;
	uint32_t depth;			    // objects and lists around it
	const char (*keys)[JSON_KEY_BYTES]; // the key in each of them; "" in a list
	uint64_t offset;		    // just behind it
};

// Takes a value; TR_ERROR: err says why, without the place.
typedef enum tr_status json_take(void *context, const struct json_value *value,
				 struct tr_error *err);

enum json_extent {
	JSON_ONE,   // the source is one value
	JSON_MANY,  // or any number of them
	JSON_BEGINS // or one and then anything
};

// Reads the source to its end. Memory: the longest text, and 300 KiB. TR_ERROR: err names the file
// and the offset, unpacked.
enum tr_status json_read(struct tr_source *source, enum json_extent extent, json_take *take,
			 void *context, struct tr_error *err);

// The first bytes, unpacked, at most JSON_CLAIM_BYTES, as a text; they stay unread. Whether it
// begins with an object.
bool json_begin(struct tr_source *source, char begin[JSON_CLAIM_BYTES + 1]);

// Whether the value is found under these keys, separated by slashes: "args/dtype" from the from-th
// object or list on, to the innermost.
bool json_is(const struct json_value *value, uint32_t from, const char *key);

// A whole number from 0 to most; TR_ERROR: it is none, err says what it is.
enum tr_status json_count(const struct json_value *value, uint64_t most, uint64_t *out,
			  struct tr_error *err);

// Copies a text to room of out_bytes; TR_ERROR: it is none, or longer.
enum tr_status json_text(const struct json_value *value, char *out, size_t out_bytes,
			 struct tr_error *err);

#endif
