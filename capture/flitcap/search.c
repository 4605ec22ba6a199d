// SPDX-License-Identifier: GPL-3.0-or-later
// The search for messages (--messages): by headers of MPI libraries where a connection has them,
// else by rule; and their stream.
#include "flitcap.h"

#include <stdlib.h>

#include "messages/rule.h"
#include "packet/tcp_messages.h"
#include "packet/verbs.h"
#include "value/grow.h"

#define ENDED_MAX 4096u // connections that have ended and wait for what others show
#define BLOCKS_BYTES \
	48u // what the blocks of memory of a conversation take beyond what is asked for
#define USUAL_GAP_NS \
	100000 // between packets of a train, until a connection shows its own: a frame of 1,500 B
	       // at 120 Mb/s

// What the rule knows of a connection.
struct search_conversation {
	struct rule rule;
	int64_t last_ns;
	bool ended;
};

struct cap_messages {
	struct cap *cap;
	struct pk_messages *found;
	struct pk_verbs *verbs; // NULL: not looked for
	struct tr_writer *writer;
	struct search_conversation **conversations; // by number of the connection; NULL: none
	uint32_t capacity, ended;
	struct rule_known known; // that the conversations share
	uint32_t named;		 // nodes whose names were sent
	bool failed;		 // out of memory
	bool over;		 // the output failed
	int64_t origin_ns;
};

// ---- the rule

// The conversation of a connection, made if new; NULL if out of memory.
static struct search_conversation *conversation_of(struct cap_messages *messages,
						   uint32_t connection)
{
	if (!GROW_ZEROED(messages->conversations, messages->capacity, connection))
		return NULL;
	if (!messages->conversations[connection]) {
		messages->conversations[connection] = calloc(1, sizeof(struct search_conversation));
		if (messages->conversations[connection]) {
			messages->conversations[connection]->last_ns = INT64_MIN;
			rule_open(&messages->conversations[connection]->rule, &messages->known, 0,
				  USUAL_GAP_NS);
		}
	}
	return messages->conversations[connection];
}

static void add_by_rule(struct cap_messages *messages, uint32_t connection,
			const struct rule_message *ended, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		const struct tr_message message = {
			.begin_ticks = ended[i].begin_ticks,
			.end_ticks = ended[i].end_ticks,
			.size_bytes = ended[i].payload_B,
			.flags = (uint16_t)(TR_MESSAGE_RULE |
					    (ended[i].requested ? TR_MESSAGE_RENDEZVOUS : 0)),
		};

		pk_messages_add(messages->found, connection, ended[i].direction, &message);
	}
}

static size_t held_bytes(const struct search_conversation *conversation)
{
	return conversation
		       ? sizeof(*conversation) + BLOCKS_BYTES + rule_held_bytes(&conversation->rule)
		       : 0;
}

// Segments that overtook others have earlier times, but the rule wants rising ones.
static size_t search_take_segment(void *context, uint32_t connection, unsigned direction,
				  int64_t time_ns, uint32_t bytes)
{
	struct cap_messages *messages = context;
	struct search_conversation *conversation = conversation_of(messages, connection);
	struct rule_message ended[RULE_ENDED_MAX];

	if (!conversation) {
		messages->failed = true;
		return 0;
	}
	if (time_ns > conversation->last_ns)
		conversation->last_ns = time_ns;
	add_by_rule(messages, connection, ended,
		    rule_add(&conversation->rule, conversation->last_ns, direction, bytes, ended));
	messages->failed |= conversation->rule.failed;
	return held_bytes(conversation);
}

static void tell_written(void *context, uint32_t connection, bool ends)
{
	struct search_conversation *conversation = conversation_of(context, connection);

	if (conversation)
		rule_ends_written(&conversation->rule, ends);
	else
		((struct cap_messages *)context)->failed = true;
}

static void finish_conversation(struct cap_messages *messages, uint32_t connection, bool recognised)
{
	struct search_conversation *conversation = messages->conversations[connection];
	struct rule_message ended[RULE_ENDED_MAX];

	if (recognised)
		rule_close(&conversation->rule);
	else
		add_by_rule(messages, connection, ended, rule_finish(&conversation->rule, ended));
	messages->ended -= conversation->ended;
	free(conversation);
	messages->conversations[connection] = NULL;
}

static size_t search_end_connection(void *context, uint32_t connection, bool recognised)
{
	struct cap_messages *messages = context;

	if (connection >= messages->capacity || !messages->conversations[connection])
		return 0;
	if (recognised || messages->ended == ENDED_MAX) {
		finish_conversation(messages, connection, recognised);
	} else if (!messages->conversations[connection]->ended) {
		messages->conversations[connection]->ended = true;
		messages->ended++;
	}
	return held_bytes(messages->conversations[connection]);
}

static void forget_connection(void *context, uint32_t connection)
{
	struct cap_messages *messages = context;

	if (connection < messages->capacity && messages->conversations[connection])
		finish_conversation(messages, connection, false);
}

// Finishes all conversations, once each has shown what it can.
static void finish_conversations(struct cap_messages *messages)
{
	for (uint32_t i = 0; i < messages->capacity; i++)
		if (messages->conversations[i])
			rule_learn(&messages->conversations[i]->rule);
	for (uint32_t i = 0; i < messages->capacity; i++)
		if (messages->conversations[i])
			finish_conversation(messages, i, false);
}

// ---- the stream

// Its origin is that of the trace.
static void search_open_stream(struct cap_messages *messages, bool sorted)
{
	struct cap *cap = messages->cap;
	const struct pk_output *trace = &cap->feed.output;
	const struct tr_header header = {
		.kind = TR_MESSAGE,
		.ticks_per_s = PK_TICKS_PER_S,
		.origin_s = trace->origin_s, // 0 if there was no packet
		.unsorted = !sorted,
	};
	const struct tr_writer_options options = {.compress = cap->options->compress,
						  .files = tool_files(cap->tool)};

	struct tr_error err;

	messages->origin_ns = header.origin_s * (int64_t)PK_TICKS_PER_S;
	messages->over = tr_writer_open(&messages->writer, cap->options->messages, &header,
					tool_provenance(cap->tool), &options, &err) != TR_OK;
	if (messages->over)
		tool_survived(cap->tool, "%s; continuing without the messages", err.text);
	else
		tool_tell_exposed(cap->tool, cap->options->messages,
				  tr_writer_is_exposed(messages->writer));
}

// The trace goes on where the stream fails.
static void end_stream(struct cap_messages *messages, const struct tr_trailer *trailer)
{
	tool_go_on(messages->cap->tool);
	(void)tool_close_writer(messages->cap->tool, messages->writer, trailer);
	messages->writer = NULL;
	messages->over = true;
}

// Names the nodes, if there are more than before.
static enum tr_status put_nodes(struct cap_messages *messages)
{
	const uint32_t count = pk_nodes_count(messages->cap->feed.nodes);

	if (messages->named == count)
		return TR_OK;
	messages->named = count;
	return pk_output_nodes(&messages->cap->feed.output, messages->writer);
}

static enum tr_status search_put_message(void *context, const struct tr_message *message,
					 bool sorted, struct tr_error *err)
{
	struct cap_messages *messages = context;
	struct tr_message record = *message;

	(void)err;
	if (!messages->over && !messages->writer)
		search_open_stream(messages, sorted);
	if (messages->over)
		return TR_OK;
	record.begin_ticks -= messages->origin_ns;
	record.end_ticks -= messages->origin_ns;
	if (put_nodes(messages) != TR_OK || tr_put(messages->writer, &record) != TR_OK)
		end_stream(messages, NULL);
	return TR_OK;
}

static struct pk_verbs_counts search_verbs_counts(const struct cap_messages *messages)
{
	return messages->verbs ? pk_verbs_counts(messages->verbs) : (struct pk_verbs_counts){0};
}

static void search_put_counters(struct cap_messages *messages)
{
	const struct pk_message_counts counts = pk_messages_counts(messages->found);
	const struct pk_verbs_counts rdma = search_verbs_counts(messages);
	const struct {
		const char *key;
		uint64_t value;
	} rows[] = {
		{"messages_by_headers", counts.by_headers},
		{"messages_by_rule", counts.by_rule},
		{"messages_unseen", counts.unseen},
		{"messages_unseen_likely", (uint64_t)(counts.unseen_likely + 0.5)},
		{"headers_unseen", counts.losses},
		{"messages_by_rule_sized", counts.sized},
		{"messages_by_rule_repeated", counts.repeated},
		{"segments_left_out", counts.left_out},
		{"payload_missing_B", counts.missing_bytes},
		{"connections_given_up", counts.given_up},
		{"messages_of_rdma", rdma.messages},
		{"rdma_messages_unseen", rdma.unseen},
		{"rdma_messages_unseen_likely", (uint64_t)(pk_verbs_unseen(&rdma) + 0.5)},
		{"rdma_packets_resent", rdma.resent},
		{"rdma_packets_missing", rdma.lost},
		{"rdma_headers_cut", rdma.cut},
		{"rdma_responses_ambiguous", rdma.ambiguous},
		{"rdma_packets_left_out", rdma.left_out},
		{"rdma_queue_pairs_given_up", rdma.given_up},
		{"rdma_connections_first_reads", rdma.first},
	};

	// The writer remembers a failure, which its close reports.
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if (rows[i].value)
			(void)tr_put_counter(messages->writer, rows[i].key, rows[i].value);
}

bool cap_write_messages(struct cap *cap)
{
	struct cap_messages *messages = cap->messages;
	struct tr_error err;

	if (!messages)
		return true;
	pk_messages_end(messages->found);
	finish_conversations(messages);
	if (messages->verbs)
		pk_verbs_finish(messages->verbs);
	if (pk_messages_finish(messages->found, &err) != TR_OK) {
		tool_error(cap->tool, "%s", err.text);
		return false;
	}
	if (messages->failed || (messages->verbs && pk_verbs_failed(messages->verbs))) {
		tool_no_memory(cap->tool, "the messages");
		return false;
	}
	if (!messages->over && !messages->writer)
		search_open_stream(messages, true);
	if (messages->over)
		return true;
	(void)put_nodes(messages);
	search_put_counters(messages);
	end_stream(messages, &(struct tr_trailer){.lost = cap->lost,
						  .lost_known = cap->lost != 0,
						  .damaged = cap->damaged});
	return true;
}

// ---- setting up, and the end

static void search_take_verb(void *context, const struct tr_message *message)
{
	pk_messages_add_complete(((struct cap_messages *)context)->found, message);
}

bool cap_open_messages(struct cap *cap)
{
	const bool headers = cap->options->messages_by != CAP_MESSAGES_BY_RULE;
	const bool rule = cap->options->messages_by != CAP_MESSAGES_BY_HEADERS;
	struct cap_messages *messages;
	struct pk_message_hooks hooks = {.message = search_put_message};
	const size_t kept = cap_part(cap, CAP_PARTS_KEPT) / PK_MESSAGE_BYTES;

	if (!cap->options->messages)
		return true;
	messages = calloc(1, sizeof(*messages));
	cap->messages = messages;
	hooks.context = messages;
	if (rule) {
		hooks.segment = search_take_segment;
		hooks.written = tell_written;
		hooks.end = search_end_connection;
		hooks.forget = forget_connection;
	}
	if (messages) {
		messages->cap = cap;
		messages->found = pk_messages_new(headers, cap->feed.flows, &hooks,
						  kept < PK_MESSAGES_KEPT ? kept : PK_MESSAGES_KEPT,
						  cap_part(cap, CAP_PARTS_CONNECTIONS));
		cap->feed.messages = messages->found;
		if (headers)
			messages->verbs = pk_verbs_new(search_take_verb, messages,
						       cap_part(cap, CAP_PARTS_QUEUE_PAIRS));
		cap->feed.verbs = messages->verbs;
	}
	if (!messages || !messages->found || (headers && !messages->verbs)) {
		tool_no_memory(cap->tool, "the messages");
		return false;
	}
	return true;
}

static void search_print_verbs(const struct pk_verbs_counts *counts)
{
	const struct {
		uint64_t value;
		const char *what;
	} rows[] = {
		{counts->ambiguous,
		 "responses may be of several queue pairs, and belong to no message"},
		{counts->left_out,
		 "packets of RDMA without a flow, of reliable datagrams or unknown "
		 "operations belong to no message"},
		{counts->given_up,
		 "directions of queue pairs were forgotten to stay within --memory"},
		{counts->first,
		 "reads are the first messages of connections: if the capture began during one, it "
		 "is longer"},
	};

	if (!counts->messages && !counts->left_out && !counts->ambiguous)
		return;
	(void)fprintf(stderr,
		      "flitcap: %llu messages of RDMA; %llu packets sent again or captured twice, "
		      "%llu in no frame, %llu headers cut off, first packets of at least %llu "
		      "messages unseen\n",
		      (unsigned long long)counts->messages, (unsigned long long)counts->resent,
		      (unsigned long long)counts->lost, (unsigned long long)counts->cut,
		      (unsigned long long)counts->unseen);
	if (counts->unseen || counts->lost)
		(void)fprintf(stderr,
			      "flitcap: the begins of about %.0f messages of RDMA are likely to be "
			      "unseen\n",
			      pk_verbs_unseen(counts));
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if (rows[i].value)
			(void)fprintf(stderr, "flitcap: %llu %s\n",
				      (unsigned long long)rows[i].value, rows[i].what);
}

void cap_print_messages(const struct cap *cap)
{
	struct pk_verbs_counts rdma;
	struct pk_message_counts counts;

	if (!cap->messages)
		return;
	counts = pk_messages_counts(cap->messages->found);
	rdma = search_verbs_counts(cap->messages);
	search_print_verbs(&rdma);
	if (!rdma.messages || counts.by_headers || counts.by_rule || counts.losses || counts.unseen)
		(void)fprintf(
			stderr,
			"flitcap: %llu messages by headers, %llu by rule; %llu headers unseen, of "
			"at least %llu messages\n",
			(unsigned long long)counts.by_headers, (unsigned long long)counts.by_rule,
			(unsigned long long)counts.losses, (unsigned long long)counts.unseen);
	if (counts.losses || counts.unseen)
		(void)fprintf(stderr,
			      "flitcap: about %.0f messages with headers are likely to be unseen: "
			      "%.3g %% were read\n",
			      counts.unseen_likely,
			      100 * (double)counts.by_headers /
				      ((double)counts.by_headers + counts.unseen_likely));
	if (counts.sized > counts.by_headers / 10)
		(void)fprintf(
			stderr,
			"flitcap: of %llu messages by rule above 256 B, %.3g %% have a size that "
			"occurs three times or more from their sender to their receiver\n",
			(unsigned long long)counts.sized,
			100 * (double)counts.repeated / (double)counts.sized);
	if (counts.left_out)
		(void)fprintf(stderr,
			      "flitcap: %llu segments without a flow, or in fragments, belong to "
			      "no message\n",
			      (unsigned long long)counts.left_out);
	if (counts.given_up)
		(void)fprintf(stderr,
			      "flitcap: %llu open TCP connections were forgotten to stay within "
			      "--memory\n",
			      (unsigned long long)counts.given_up);
	if (counts.missing_bytes)
		(void)fprintf(stderr,
			      "flitcap: %llu bytes of TCP payload are in no captured frame\n",
			      (unsigned long long)counts.missing_bytes);
}

void cap_close_messages(struct cap *cap)
{
	struct cap_messages *messages = cap->messages;

	if (!messages)
		return;
	if (messages->writer)
		(void)tool_close_writer(cap->tool, messages->writer, NULL);
	for (uint32_t i = 0; i < messages->capacity; i++) {
		if (messages->conversations[i])
			rule_close(&messages->conversations[i]->rule);
		free(messages->conversations[i]);
	}
	free(messages->conversations);
	pk_messages_free(messages->found);
	pk_verbs_free(messages->verbs);
	free(messages);
	cap->messages = NULL;
}
