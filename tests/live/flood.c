// SPDX-License-Identifier: GPL-3.0-or-later
// live_flood INTERFACE COUNT SECONDS: sends numbered frames as fast as one core can, until COUNT
// are sent or SECONDS have passed, and prints how many the kernel took. Frame n is a UDP datagram
// with n mod 256 bytes of payload from port 1024 + n / 256 mod 16384, so a trace tells n modulo
// 2^22. It is for an Ethernet address that no host has: the kernel drops it after captures have
// seen it.
#include <errno.h>
#include <linux/if_packet.h>
#include <net/ethernet.h>
#include <net/if.h>
#include <netinet/in.h>
#include <sched.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>

#include "live/number.h"
#include "value/num.h"

#define BATCH 64u
#define HEADER_BYTES 42u // Ethernet, IPv4, UDP

static const uint8_t HEADER[HEADER_BYTES] = {
	2,    0, 0,    0,    0, 2, 2, 0, 0,  0,	 0, 1, 8,  0, // Ethernet: to, from, IPv4
	0x45, 0, 0,    0,    0, 0, 0, 0, 64, 17, 0, 0, 10, 0,
	0,    1, 10,   0,    0, 2,	 // IPv4 without a checksum: UDP, 10.0.0.1 to 10.0.0.2
	0,    0, 0x0f, 0xa1, 0, 0, 0, 0, // UDP to port 4001
};

struct batch {
	uint8_t frames[BATCH][HEADER_BYTES + LIVE_PAYLOADS];
	struct iovec pieces[BATCH];
	struct mmsghdr messages[BATCH];
	struct sockaddr_ll to;
};

static void put_be16(uint8_t *at, uint32_t value)
{
	at[0] = (uint8_t)(value >> 8);
	at[1] = (uint8_t)value;
}

static void prepare(struct batch *batch, int index)
{
	batch->to = (struct sockaddr_ll){
		.sll_family = AF_PACKET, .sll_ifindex = index, .sll_protocol = htons(ETH_P_IP)};
	for (unsigned i = 0; i < BATCH; i++) {
		memcpy(batch->frames[i], HEADER, HEADER_BYTES);
		batch->pieces[i].iov_base = batch->frames[i];
		batch->messages[i].msg_hdr = (struct msghdr){
			.msg_name = &batch->to,
			.msg_namelen = sizeof(batch->to),
			.msg_iov = &batch->pieces[i],
			.msg_iovlen = 1,
		};
	}
}

static void number_frames(struct batch *batch, uint64_t first)
{
	for (unsigned i = 0; i < BATCH; i++) {
		const uint64_t number = first + i;
		const uint32_t payload_bytes = (uint32_t)(number % LIVE_PAYLOADS);
		uint8_t *frame = batch->frames[i];

		put_be16(frame + 16, 28 + payload_bytes);
		put_be16(frame + 34, LIVE_PORT + (uint32_t)(number / LIVE_PAYLOADS % LIVE_PORTS));
		put_be16(frame + 38, 8 + payload_bytes);
		batch->pieces[i].iov_len = HEADER_BYTES + payload_bytes;
	}
}

static double clock_s(void)
{
	struct timespec now;

	(void)clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

// Sends until an end; false after an error. *sent are those that the kernel took.
static bool flood(int out, struct batch *batch, uint64_t count, double seconds, uint64_t *sent)
{
	const double start_s = clock_s();

	while (*sent < count && clock_s() - start_s < seconds) {
		const uint64_t left = count - *sent;
		int taken;

		number_frames(batch, *sent);
		taken = sendmmsg(out, batch->messages, left < BATCH ? (unsigned)left : BATCH, 0);
		if (taken > 0)
			*sent += (uint64_t)taken;
		else if (errno != ENOBUFS && errno != EAGAIN && errno != EINTR)
			return false;
	}
	(void)printf("sent %llu\nseconds %.3f\n", (unsigned long long)*sent, clock_s() - start_s);
	return fflush(stdout) == 0;
}

// Frames of two processors would overtake each other.
static bool stay_on_one_processor(void)
{
	const int here = sched_getcpu();
	cpu_set_t set;

	CPU_ZERO(&set);
	if (here >= 0)
		CPU_SET((size_t)here, &set);
	return here >= 0 && sched_setaffinity(0, sizeof(set), &set) == 0;
}

int main(int argc, char **argv)
{
	static struct batch batch;
	uint64_t count, seconds, sent = 0;
	struct tr_error err;
	int out;

	if (argc != 4 || num_parse_count(argv[2], 1, UINT64_MAX, &count, &err) != TR_OK ||
	    num_parse_count(argv[3], 1, UINT32_MAX, &seconds, &err) != TR_OK) {
		(void)fprintf(stderr, "usage: live_flood INTERFACE COUNT SECONDS\n");
		return 2;
	}
	out = socket(AF_PACKET, SOCK_RAW, 0);
	prepare(&batch, (int)if_nametoindex(argv[1]));
	if (out < 0 || !stay_on_one_processor() ||
	    !flood(out, &batch, count, (double)seconds, &sent)) {
		perror("live_flood");
		return 2;
	}
	return 0;
}
