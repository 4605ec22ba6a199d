// SPDX-License-Identifier: GPL-3.0-or-later
// Every capture of tests/captures, plain and compressed, compared with its known contents and with
// libpcap.
#include "captures/cases.h"
#include "packet/capture.h"
#include "packet/decode.h"
#include "packet/libpcap.h"
#include "packet_pack.h"

#include <pcap/pcap.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <cmocka.h>

// The next frame alone.
static enum tr_status next(struct pk_capture *capture, struct pk_frame *frame, struct tr_error *err)
{
	size_t count;

	return pk_capture_read(capture, frame, 1, &count, err);
}

static struct pk_capture *open_memory(const struct cm_buffer *file, struct tr_error *err)
{
	struct tr_source *source;
	struct pk_capture *capture;

	assert_int_equal(tr_source_open_memory(&source, file->data, file->size, "memory", err),
			 TR_OK);
	return pk_capture_open(&capture, source, err) == TR_OK ? capture : NULL;
}

static void add_facts(struct cm_facts *facts, const struct pk_frame *frame)
{
	struct pk_packet packet;

	facts->frames++;
	if (frame->time_state == PK_TIME_OUTSIDE ||
	    pk_decode(frame, false, &packet) != PK_DECODED) {
		facts->wire_bytes += pk_frame_wire_bytes(frame);
	} else {
		facts->wire_bytes += packet.wire_bytes;
		facts->decoded++;
		facts->payload_bytes += packet.payload_bytes;
	}
	if (!pk_frame_is_timed(frame))
		return;
	if (!facts->first_ns || frame->time_ns < facts->first_ns)
		facts->first_ns = frame->time_ns;
	if (frame->time_ns > facts->last_ns)
		facts->last_ns = frame->time_ns;
}

// Reads all of it; what is found goes into *facts.
static void read_facts(const struct cm_buffer *file, struct cm_facts *facts)
{
	struct tr_error err = {""};
	struct pk_capture *capture = open_memory(file, &err);
	enum tr_status status = TR_ERROR;
	struct pk_frame frames[PK_FRAMES_MAX];
	size_t count;

	*facts = (struct cm_facts){0};
	while (capture &&
	       (status = pk_capture_read(capture, frames, PK_FRAMES_MAX, &count, &err)) == TR_OK)
		for (size_t i = 0; i < count; i++)
			add_facts(facts, &frames[i]);
	facts->damaged = status == TR_ERROR;
	if (facts->damaged)
		assert_non_null(strstr(err.text, "memory: "));
	if (capture && !pk_capture_lost(capture, &facts->lost))
		facts->lost = 0;
	pk_capture_close(capture);
}

static void assert_facts(const char *name, const struct cm_facts *found,
			 const struct cm_facts *made)
{
	if (memcmp(found, made, sizeof(*found)) == 0)
		return;
	print_message("%s: frames %llu of %llu, wire %llu of %llu, decoded %llu of %llu, payload "
		      "%llu of %llu, "
		      "lost %llu of %llu, times %lld..%lld of %lld..%lld, damaged %d of %d\n",
		      name, (unsigned long long)found->frames, (unsigned long long)made->frames,
		      (unsigned long long)found->wire_bytes, (unsigned long long)made->wire_bytes,
		      (unsigned long long)found->decoded, (unsigned long long)made->decoded,
		      (unsigned long long)found->payload_bytes,
		      (unsigned long long)made->payload_bytes, (unsigned long long)found->lost,
		      (unsigned long long)made->lost, (long long)found->first_ns,
		      (long long)found->last_ns, (long long)made->first_ns,
		      (long long)made->last_ns, found->damaged, made->damaged);
	fail();
}

static void test_facts(void **state)
{
	struct cm_buffer file = {NULL, 0, 0};
	struct cm_facts made, found;

	(void)state;
	for (size_t i = 0; i < cm_case_count(); i++)
		for (uint64_t seed = 1; seed <= 8; seed++) {
			cm_case_make(i, seed, &file, &made);
			read_facts(&file, &found);
			assert_facts(cm_case_name(i), &found, &made);
		}
	cm_clear(&file);
}

static void test_packed(void **state)
{
	struct cm_buffer file = {NULL, 0, 0}, packed = {NULL, 0, 0};
	struct cm_facts made, found;

	(void)state;
	for (size_t i = 0; i < cm_case_count(); i++)
		for (unsigned way = 0; way < PACK_WAYS; way++) {
			cm_case_make(i, 1, &file, &made);
			packed.size = 0;
			if (!pack(&packed, &file, (enum pack_way)way))
				continue;
			read_facts(&packed, &found);
			assert_facts(cm_case_name(i), &found, &made);
		}
	cm_clear(&file);
	cm_clear(&packed);
}

// A packed stream that is cut, anywhere, is an error; what came out before is whole.
static void test_packed_cut(void **state)
{
	struct cm_buffer file = {NULL, 0, 0}, packed = {NULL, 0, 0};
	struct cm_facts made, found;

	(void)state;
	cm_case_make(0, 1, &file, &made);
	for (unsigned way = 0; way < PACK_WAYS; way++) {
		packed.size = 0;
		if (!pack(&packed, &file, (enum pack_way)way))
			continue;
		for (size_t size = packed.size - 1; size > 0; size -= size > 37 ? 37 : 1) {
			packed.size = size;
			read_facts(&packed, &found);
			if (!found.damaged) // between two frames of the stream, or after skippable
					    // ones
				assert_true(pack_may_end(&packed, (enum pack_way)way));
			assert_true(found.frames <= made.frames);
		}
	}
	cm_clear(&file);
	cm_clear(&packed);
}

static int64_t libpcap_time_ns(const struct pcap_pkthdr *head)
{
	return (int64_t)head->ts.tv_sec * 1000000000 + head->ts.tv_usec;
}

static int dlt_of(const struct pk_link *link)
{
	struct tr_error err;
	pcap_t *handle = pk_handle_open(link, 262144, &err);
	const int dlt = handle ? pcap_datalink(handle) : -1;

	if (handle)
		pcap_close(handle);
	return dlt;
}

// Both read the same frames: time, lengths, bytes, link type.
static void compare_libpcap(const char *name, const struct cm_buffer *file)
{
	char text[PCAP_ERRBUF_SIZE] = "";
	struct tr_error err = {""};
	FILE *stream = fmemopen(file->data, file->size, "r");
	pcap_t *pcap = pcap_fopen_offline_with_tstamp_precision(stream, PCAP_TSTAMP_PRECISION_NANO,
								text);
	struct pk_capture *capture = open_memory(file, &err);
	struct pcap_pkthdr *head;
	const u_char *data;
	struct pk_frame frame;
	unsigned count = 0;

	if (!pcap || !capture)
		fail_msg("%s: %s%s", name, text, err.text);
	while (pcap_next_ex(pcap, &head, &data) == 1) {
		assert_int_equal(next(capture, &frame, &err), TR_OK);
		assert_int_equal(frame.captured_bytes, head->caplen);
		assert_int_equal(frame.wire_bytes, head->len);
		assert_memory_equal(frame.data, data, head->caplen);
		assert_int_equal(dlt_of(frame.link), pcap_datalink(pcap));
		if (pk_frame_is_timed(&frame))
			assert_int_equal(frame.time_ns, libpcap_time_ns(head));
		count++;
	}
	assert_int_equal(next(capture, &frame, &err), TR_END);
	if (!strstr(name, "none"))
		assert_int_equal(count, 60);
	pk_capture_close(capture);
	pcap_close(pcap);
}

static void test_libpcap(void **state)
{
	struct cm_buffer file = {NULL, 0, 0};
	struct cm_facts made;

	(void)state;
	for (size_t i = 0; i < cm_case_count(); i++) {
		if (!cm_case_for_libpcap(i))
			continue;
		cm_case_make(i, 1, &file, &made);
		compare_libpcap(cm_case_name(i), &file);
	}
	cm_clear(&file);
}

// Every cut of a file is an error, or the end of a frame, and gives a beginning of the frames.
static void test_cut_anywhere(void **state)
{
	struct cm_buffer file = {NULL, 0, 0};
	struct cm_facts made, found;
	unsigned cut = 0;

	(void)state;
	for (size_t i = 0; i < cm_case_count(); i++) {
		cm_case_make(i, 1, &file, &made);
		for (; file.size > 0; file.size -= file.size > 11 ? 11 : 1) {
			read_facts(&file, &found);
			assert_true(found.frames <= made.frames);
			if (!made.damaged && found.frames < made.frames)
				cut += found.damaged;
		}
	}
	assert_true(cut > 10000); // the ends of frames are few
	cm_clear(&file);
}

static void assert_refused(const void *data, size_t size, const char *why)
{
	struct cm_buffer file = {NULL, 0, 0};
	struct tr_error err;

	cm_bytes(&file, data, size);
	assert_null(open_memory(&file, &err));
	if (!strstr(err.text, why))
		fail_msg("\"%s\" does not say \"%s\"", err.text, why);
	cm_clear(&file);
}

static void test_refused(void **state)
{
	(void)state;
	assert_refused("", 0, "empty");
	assert_refused("abc", 3, "ends after 3 bytes");
	assert_refused("hello world, this is text", 25, "begins with 68 65 6c 6c");
	assert_refused("\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03", 10,
		       "gzip data: the file ends inside it");
	assert_refused("\x28\xb5\x2f\xfd", 4, "zstd data: the file ends inside it");
	assert_refused("\x28\xb5\x2f\xfd\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff", 16,
		       "zstd data");
	assert_refused("\x50\x2a\x4d\x18\x04\x00\x00\x00meta", 12, "ends after 0 bytes");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_facts),	     cmocka_unit_test(test_packed),
		cmocka_unit_test(test_packed_cut),   cmocka_unit_test(test_libpcap),
		cmocka_unit_test(test_cut_anywhere), cmocka_unit_test(test_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
