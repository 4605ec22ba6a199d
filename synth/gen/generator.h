// SPDX-License-Identifier: GPL-3.0-or-later
// What every generator is: a source of packets in order of time. A new one is a file that fills in
// a struct generator_kind, and one line of the table in generator.c.
#ifndef GEN_GENERATOR_H
#define GEN_GENERATOR_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "gen/forecast.h"
#include "trace/model.h"
#include "trace/names.h"
#include "trace/record.h"
#include "trace/status.h"

#define GENERATOR_NAME_BYTES 256

// What the caller asks for. Zero fields mean the model's own.
struct generator_settings {
	uint64_t seed;
	uint64_t ticks_per_s; // 1 .. 2^62
	uint32_t nodes;
	int64_t end_ticks; // packets before this time; 0: the model's duration
};

// One packet source at work; the caller keeps the struct. Its state is owned.
struct generator {
	const struct generator_kind *kind;
	void *state;
};

struct generator_kind {
	const char *family;  // of the model text; NULL where it is not made from one, or those of the arrival kinds
	const char *summary; // for people
	size_t state_bytes;  // of memory that open is given
	// Starts from a model; state is all zero. TR_ERROR with file and line where it is not one of this family; the state is
	// closed all the same.
	enum tr_status (*open)(void *state, const struct model *model, const struct generator_settings *settings,
			       struct tr_error *err);
	// Fills in up to max packets, in order of time over calls; *count of them, at least one
	// with TR_OK. TR_END: no more.
	enum tr_status (*next)(void *state, struct tr_packet *packets, size_t max, size_t *count, struct tr_error *err);
	// Nodes named so far: ids below it are in use. It may grow with next.
	uint32_t (*nodes)(const void *state);
	// The node's address (zero-terminated) and role.
	enum tr_role (*node)(const void *state, uint32_t id, char address[GENERATOR_NAME_BYTES]);
	// What the model does, in sentences, to out.
	enum tr_status (*explain)(const struct model *model, FILE *out, struct tr_error *err);
	// What it will give, to be cleared by forecast_clear.
	enum tr_status (*forecast)(const struct model *model, struct forecast *out, struct tr_error *err);
	// Frees what the state owns, be it all zero, open or half open; the state itself is the caller's.
	void (*close)(void *state);
};

// Starts the generator of the model's family. TR_ERROR: unknown family (err lists those known) or a
// wrong model.
enum tr_status generator_open(struct generator *out, const struct model *model, const struct generator_settings *settings,
			      struct tr_error *err);

// The kind of the model's family.
enum tr_status generator_find(const struct model *model, const struct generator_kind **out, struct tr_error *err);

// As the functions of the kind.
enum tr_status generator_next(struct generator *generator, struct tr_packet *packets, size_t max, size_t *count,
			      struct tr_error *err);

// Frees it; a zero one is accepted.
void generator_close(struct generator *generator);

extern const struct generator_kind pulse_train_kind;
extern const struct generator_kind load_train_kind;
extern const struct generator_kind on_off_train_kind;
extern const struct generator_kind bootstrap_kind;
extern const struct generator_kind client_server_kind;
extern const struct generator_kind traffic_matrix_kind;
extern const struct generator_kind streams_train_kind; // of all gen/arrivals/kind.h
extern const struct generator_kind noise_train_kind;   // where FFTW is

#endif
