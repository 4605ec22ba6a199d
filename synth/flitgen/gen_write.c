// SPDX-License-Identifier: GPL-3.0-or-later
#include "flitgen.h"

#define BATCH 512

struct gen_progress gen_progress_make(const struct gen_request *request)
{
	struct gen_progress progress = {
		.packets_left = request->count ? request->count : UINT64_MAX,
		.data_bytes_left = UINT64_MAX,
	};

	if (request->until.num > 0)
		progress.data_bytes_left = (uint64_t)request->until.num /
					   (uint64_t)request->until.den;
	return progress;
}

// How many of the packets to write until there is enough data.
static size_t count_data(const struct tr_packet *packets, size_t count,
			 struct gen_progress *progress)
{
	size_t n = 0;

	for (; n < count && progress->data_bytes_left > 0; n++) {
		const uint32_t bytes = packets[n].class == TR_CLASS_DATA ? packets[n].payload_bytes
									 : 0;

		progress->data_bytes_left -= bytes < progress->data_bytes_left
						     ? bytes
						     : progress->data_bytes_left;
	}
	return n;
}

// How many of these packets are asked for; progress has what is left after them.
static size_t count_wanted(const struct tr_packet *packets, size_t count,
			   struct gen_progress *progress)
{
	size_t take = count < progress->packets_left ? count : (size_t)progress->packets_left;

	if (progress->data_bytes_left != UINT64_MAX)
		take = count_data(packets, take, progress);
	if (progress->packets_left != UINT64_MAX)
		progress->packets_left -= take;
	return take;
}

enum tr_status gen_suffices(struct generator *generator, struct gen_progress *progress,
			    struct tr_error *err)
{
	struct tr_packet packets[BATCH];
	enum tr_status status;
	size_t count;

	while ((status = generator_next(generator, packets, BATCH, &count, err)) == TR_OK)
		if (count_wanted(packets, count, progress) < count || progress->packets_left == 0 ||
		    progress->data_bytes_left == 0)
			return TR_OK;
	return status;
}

// Writes packets; TR_END once enough are written.
static enum tr_status gen_write_put_packets(const struct tr_packet *packets, size_t count,
					    struct gen_progress *progress,
					    const struct gen_output *out, struct tr_error *err)
{
	const size_t take = count_wanted(packets, count, progress);

	if (take == 0)
		return TR_END;
	if (out->counts && gen_counts_add(out->counts, packets, take, err) != TR_OK)
		return TR_ERROR;
	if (!out->counts && tr_put_many(out->writer, packets, take) != TR_OK)
		return tr_fail(err, "%s", tr_writer_error(out->writer));
	if (progress->written == 0)
		progress->first_ticks = packets[0].time_ticks;
	progress->last_ticks = packets[take - 1].time_ticks;
	progress->written += take;
	return take == count ? TR_OK : TR_END;
}

// Of what will be written, as far as a number of packets or a time limits it; negative: neither
// does.
static double part_written(const struct gen_progress *progress)
{
	if (progress->packets_left != UINT64_MAX)
		return (double)progress->written /
		       ((double)progress->written + (double)progress->packets_left);
	return progress->end_ticks > 0 ? (double)progress->last_ticks / (double)progress->end_ticks
				       : -1;
}

enum tr_status gen_write(struct tool *tool, struct generator *generator,
			 struct gen_progress *progress, const struct gen_output *out)
{
	struct tr_packet packets[BATCH];
	enum tr_status status = TR_OK;
	struct tr_error err = {""};
	size_t count;

	while (status == TR_OK) {
		status = generator_next(generator, packets, BATCH, &count, &err);
		if (status == TR_OK)
			status = gen_write_put_packets(packets, count, progress, out, &err);
		tool_progress_part(tool, part_written(progress), "%llu packets",
				   (unsigned long long)progress->written);
	}
	if (status == TR_END && out->counts && gen_counts_end(out->counts, &err) != TR_OK)
		status = TR_ERROR;
	if (status == TR_ERROR &&
	    !*tr_writer_error(out->writer)) // a failed output is reported at its close
		tool_error(tool, "%s", err.text);
	return status;
}

void gen_tell_empty(struct tool *tool, const struct gen_progress *progress)
{
	if (tool_ok(tool) && progress->written == 0)
		tool_warn(tool, "no packet was generated: the stream is empty");
}
