// SPDX-License-Identifier: GPL-3.0-or-later
#include "random_stream.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "stream/text.h"
#include "value/ticks.h"

#define NODES 9u
#define FLOWS 7u
#define LINKS 5u
#define CHOICE(random, array) (array)[tr_random_below(random, sizeof(array) / sizeof((array)[0]))]

struct maker {
	struct stream *stream;
	struct tr_random *random;
	const struct stream_wishes *wishes;
	const struct tr_kind_info *kind;
	uint32_t nodes, flows, links; // ids given so far
	int64_t time_ticks;
};

static void die(const char *why)
{
	(void)fprintf(stderr, "random stream: %s\n", why);
	abort();
}

size_t cases(size_t few, size_t many)
{
	return getenv("FLIT_LONG") ? many : few;
}

static struct stream_item *add_item(struct stream *stream)
{
	struct stream_item *more = reallocarray(stream->items, stream->count + 1, sizeof(*more));

	if (!more)
		die("memory");
	stream->items = more;
	more[stream->count] = (struct stream_item){.is_name = false};
	return &more[stream->count++];
}

// Text for a node, link or counter: mostly plain, sometimes with characters that the text form must
// escape.
static char *make_text(struct maker *maker, const char *kind, uint32_t id)
{
	static const char *const strange[] = {
		"",
		"other",
		"-",
		"?",
		"@3",
		"#x",
		"!node",
		"a>b",
		"10.0.0.1/tcp/1-2",
		"two words",
		"comma,\"quote\"",
		"\xc3\xa4\xff",
		"10.0.0.1",
		"10.0.0.2",
		"@",
		"fe80::1",
	};
	char text[64];
	char *copy;

	if (!maker->wishes->plain && tr_random_below(maker->random, 3) == 0) {
		(void)snprintf(text, sizeof(text), "%s", CHOICE(maker->random, strange));
	} else if (maker->wishes->plain) {
		// The same id has the same meaning in every plain stream that has it.
		(void)snprintf(text, sizeof(text), "%s%u", kind, id);
	} else {
		(void)snprintf(text, sizeof(text), "10.0.%u.%u", id,
			       (unsigned)tr_random_below(maker->random, 3));
	}
	copy = strdup(text);
	if (!copy)
		die("memory");
	return copy;
}

// An id already given, or a new one; with holes unless plain.
static uint32_t pick_id(struct maker *maker, uint32_t *given, uint32_t bound)
{
	uint32_t id = maker->wishes->plain ? *given
					   : (uint32_t)tr_random_below(maker->random, bound);

	if (maker->wishes->plain && *given == bound)
		id = (uint32_t)tr_random_below(maker->random, bound);
	if (id >= *given)
		*given = id + 1;
	return id;
}

// An id of this kind that has a name, UINT32_MAX where there is none.
static uint32_t pick_named(struct maker *maker, enum tr_name_kind kind)
{
	uint32_t found = UINT32_MAX;
	uint64_t count = 0;

	for (size_t i = 0; i < maker->stream->count; i++) {
		const struct stream_item *item = &maker->stream->items[i];

		if (item->is_name && item->name.kind == kind &&
		    tr_random_below(maker->random, ++count) == 0)
			found = item->name.id;
	}
	return found;
}

static uint32_t pick_end(struct maker *maker)
{
	return tr_random_below(maker->random, 8) ? pick_named(maker, TR_NAME_NODE) : TR_NODE_OTHER;
}

// The id that a record's field holds.
static int64_t pick_reference(struct maker *maker, enum tr_name_kind kind, uint32_t given)
{
	if (kind != TR_NAME_LINK && (!given || tr_random_below(maker->random, 6) == 0))
		return UINT32_MAX;
	return maker->wishes->unnamed ? (int64_t)tr_random_below(maker->random, given)
				      : pick_named(maker, kind);
}

static void add_name(struct maker *maker)
{
	struct tr_name name = {.kind = (enum tr_name_kind)(1 + tr_random_below(maker->random, 5))};
	struct stream_item *item;

	if (name.kind == TR_NAME_NODE) {
		name.id = pick_id(maker, &maker->nodes, NODES);
		name.role = (uint8_t)tr_random_below(maker->random, 3);
	} else if (name.kind == TR_NAME_LINK) {
		name.id = pick_id(maker, &maker->links, LINKS);
	} else if (name.kind == TR_NAME_FLOW) {
		name.src = pick_end(maker);
		name.dst = pick_end(maker);
		name.id = pick_id(maker, &maker->flows, FLOWS);
		name.protocol = (uint8_t)(tr_random_below(maker->random, 2)
						  ? 6
						  : tr_random_u32(maker->random));
		// A plain stream says each flow once, with ports of its own.
		name.src_port = (uint16_t)(maker->wishes->plain
						   ? name.id
						   : tr_random_below(maker->random, 3));
		name.dst_port = (uint32_t)tr_random_below(maker->random, 3) * 0x10001;
	} else if (name.kind == TR_NAME_COUNTER) {
		name.value = tr_random_u64(maker->random) >> tr_random_below(maker->random, 64);
	}
	name.text = name.kind == TR_NAME_FLOW ? strdup("")
		    : name.kind == TR_NAME_NOTE
			    ? strdup("  note of something\n")
			    : make_text(maker, name.kind == TR_NAME_NODE ? "node" : "link",
					name.id);
	if (!name.text)
		die("memory");
	name.text_bytes = strlen(name.text);
	item = add_item(maker->stream);
	item->is_name = true;
	item->name = name;
}

// Any value that the field can hold, or an id that a stream may use.
static int64_t make_value(struct maker *maker, const struct tr_field *field)
{
	uint64_t bits = tr_random_u64(maker->random) >> tr_random_below(maker->random, 64);

	switch ((enum tr_field_meaning)field->meaning) {
	case TR_NODE_ID: return pick_reference(maker, TR_NAME_NODE, maker->nodes);
	case TR_FLOW_ID: return pick_reference(maker, TR_NAME_FLOW, maker->flows);
	case TR_LINK_ID: return pick_reference(maker, TR_NAME_LINK, maker->links);
	case TR_TIME:
	case TR_SPAN:
		if (maker->wishes->span_ticks)
			return maker->time_ticks + (int64_t)tr_random_below(maker->random, 1000);
		return (int64_t)bits;
	case TR_AREA: return (int64_t)(maker->wishes->span_ticks ? bits >> 32 : bits);
	default: break;
	}
	if (tr_field_is_rare(field))
		return maker->wishes->plain || tr_random_below(maker->random, 20) ? 0 : 1;
	switch (tr_field_size((enum tr_field_type)field->type)) {
	case 1: return (int64_t)(bits & UINT8_MAX);
	case 2: return (int64_t)(bits & UINT16_MAX);
	case 4:
		return field->type == TR_I32 ? (int32_t)(uint32_t)bits
					     : (int64_t)(bits & UINT32_MAX);
	default: return (int64_t)bits;
	}
}

static void add_record(struct maker *maker)
{
	struct stream_item *item;
	union tr_record record;

	if (maker->kind->kind == TR_LINK && !maker->links)
		return;
	memset(&record, 0, sizeof(record));
	if (maker->wishes->span_ticks)
		maker->time_ticks += (int64_t)tr_random_below(maker->random, 3) *
				     (maker->wishes->span_ticks / (int64_t)maker->wishes->items);
	else if (tr_random_below(maker->random, 3))
		maker->time_ticks += (int64_t)(tr_random_u64(maker->random) >>
					       (20 + tr_random_below(maker->random, 44)));
	for (unsigned i = 0; i < maker->kind->field_count; i++)
		if (!tr_field_set(&record, &maker->kind->fields[i],
				  make_value(maker, &maker->kind->fields[i])))
			die("a value does not fit");
	record.time_ticks = maker->time_ticks;
	item = add_item(maker->stream);
	item->record = record;
	maker->stream->records++;
}

void stream_make(struct stream *stream, struct tr_random *random,
		 const struct stream_wishes *wishes)
{
	static const uint64_t rates[] = {1,	 3, 1000000000, 36000000000, TR_TICKS_PER_S_MAX,
					 1000003};
	struct maker maker = {stream, random, wishes, tr_kind_find(wishes->kind), 0, 0, 0, 0};

	*stream = (struct stream){
		.header = {
			.kind = wishes->kind,
			.ticks_per_s = wishes->ticks_per_s ? wishes->ticks_per_s
							   : CHOICE(random, rates),
			.origin_s = (int64_t)tr_random_below(random, 4) - 1,
			.origin_ns = (uint32_t)tr_random_below(random, 4) * 250000000,
		}};
	if (!wishes->plain && !wishes->span_ticks)
		maker.time_ticks = -(int64_t)(tr_random_u64(random) >>
					      (2 + tr_random_below(random, 62)));
	stream->trailer.lost_known = tr_random_below(random, 2);
	stream->trailer.lost = stream->trailer.lost_known ? tr_random_u64(random) : 0;
	for (size_t i = 0; i < wishes->items; i++)
		if (tr_random_below(random, 6) == 0 || i < 4)
			add_name(&maker);
		else
			add_record(&maker);
}

bool stream_write(const struct stream *stream, struct tr_writer *writer, struct tr_random *random)
{
	int64_t last_ticks = INT64_MIN;

	for (size_t i = 0; i < stream->count; i++) {
		const struct stream_item *item = &stream->items[i];

		if (item->is_name ? tr_put_name(writer, &item->name) != TR_OK
				  : tr_put(writer, &item->record) != TR_OK)
			return false;
		if (!item->is_name)
			last_ticks = item->record.time_ticks;
		if (tr_random_below(random, 40) == 0 &&
		    tr_writer_flush(writer, last_ticks) != TR_OK)
			return false;
	}
	return true;
}

void stream_write_file(const struct stream *stream, const char *path, struct tr_random *random)
{
	struct tr_writer_options options = {.compress = tr_random_below(random, 2),
					    .flush_each = tr_random_below(random, 4) == 0};
	struct tr_writer *writer;
	struct tr_error err;

	if (tr_writer_open(&writer, path, &stream->header, "test 1\n  option --random\n", &options,
			   &err) != TR_OK)
		die(err.text);
	if (!stream_write(stream, writer, random))
		die(tr_writer_error(writer));
	if (tr_writer_close(writer, &stream->trailer, &err) != TR_OK)
		die(err.text);
}

void stream_clear(struct stream *stream)
{
	for (size_t i = 0; i < stream->count; i++)
		if (stream->items[i].is_name)
			free((char *)stream->items[i].name.text);
	free(stream->items);
	*stream = (struct stream){.count = 0};
}
