// SPDX-License-Identifier: GPL-3.0-or-later
// Keys of a struct: one table says how "key=value,key=value" is read into it, listed and written down. A file of keys, as a
// preset is, begins with what they are of, and a colon: "mpi:".
#ifndef TRACE_KEYS_H
#define TRACE_KEYS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "trace/status.h"

#define KEYS_MAX 64u // keys of one struct
#define KEY_TEXT_BYTES 1024u

// What a value is, and the type of the struct's member that takes it.
enum key_type {
	KEY_END,
	KEY_TIME,   // struct num_ratio, in s, as are those to KEY_NUMBER in their units; all are 0 or more
	KEY_RATE,   // b/s
	KEY_LENGTH, // m
	KEY_SPEED,  // m/s
	KEY_NUMBER, // no unit
	KEY_BYTES,  // uint64_t: a size of whole bytes
	KEY_COUNT,  // uint64_t
	KEY_WORD,   // an enum: the place of one of the words
	KEY_FLAG,   // bool: the first or the second of two words
	KEY_TEXT,   // char[KEY_TEXT_BYTES], without commas
};

// One key. A table of them ends with a row of KEY_END.
struct key {
	const char *name;
	enum key_type type;
	size_t offset_bytes;
	const char *words;   // "age|blocked|silent"; NULL for a type without words
	const char *needs;   // the key has no effect unless this holds: "when-full=wait", or "timeout", that is not 0;
			     // NULL: it always has
	const char *meaning; // half a sentence
};

// A text of keys that has a name.
struct key_preset {
	const char *kind; // what the keys are of: "myrinet"
	const char *name;
	const char *text; // its first line is a comment that says what it is
};

// What the keys are of.
struct key_kind {
	const char *name;
	const char *list;		  // the option that lists keys and presets, for errors: "--fabric list"
	const struct key *keys;		  // at most KEYS_MAX
	const struct key_preset *presets; // of this kind and of others; ends with a NULL kind
	const void *usual;		  // a struct with the values where no key is given
};

// Where values come from: a bit for each key.
struct keys_given {
	uint64_t text;
	uint64_t presets;
};

// Reads the items of text into params; preset=NAME sets the keys of a preset, and the keys behind it win. given is that of
// the texts before, zero for the first. TR_ERROR where a key is not known, stands twice or does not take its value.
enum tr_status keys_read(const struct key_kind *kind, const char *text, void *params, struct keys_given *given,
			 struct tr_error *err);

// Writes a file of keys from which keys_read makes the same, with where each value comes from; a key that has no effect is a
// comment.
void keys_print(const struct key_kind *kind, const void *params, const struct keys_given *given, FILE *out);

// TR_ERROR where a key that was given has no effect: whoever wrote it expects one.
enum tr_status keys_check_effect(const struct key *keys, const void *params, uint64_t given, struct tr_error *err);

// Writes "key=value,..." of what differs from the usual, the first behind begin.
void keys_describe(const struct key_kind *kind, const void *params, char begin, FILE *out);

// How many bytes the name takes with which a file of keys begins, and what stands behind it and its colon.
size_t keys_name_bytes(const char *text);
const char *keys_behind_name(const char *text);

// text behind blanks, ends of lines and comments.
const char *keys_skip_comments(const char *text);

// The key called name, of so many characters; NULL for none.
const struct key *keys_find(const struct key *keys, const char *name, size_t length);

// Reads value into the key's member of params. TR_ERROR, naming the key, where it is none of its values; params then
// stays as it was.
enum tr_status keys_set(const struct key *key, void *params, const char *value, struct tr_error *err);

// The value of the key's member as keys_set takes it. Returns out (>= KEY_TEXT_BYTES).
const char *keys_value(const struct key *key, const void *params, char *out, size_t out_bytes);

// What the key takes: "TIME", "age|blocked|silent". Static.
const char *keys_takes(const struct key *key);

// One item of a text.
struct key_item {
	const char *name; // not terminated
	size_t name_bytes;
	char value[KEY_TEXT_BYTES];
};

// The next "name=value" at *text, behind which *text then is. Commas and ends of lines part items, blanks around a name and a
// value mean nothing, # begins a comment that ends with its line. TR_END after the last, TR_ERROR where it has another form.
enum tr_status keys_next(const char **text, struct key_item *item, struct tr_error *err);

// Whether what the key needs holds in params.
bool keys_need_holds(const struct key *keys, const struct key *key, const void *params);

#endif
