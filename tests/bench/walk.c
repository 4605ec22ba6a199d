// SPDX-License-Identifier: GPL-3.0-or-later
// walk FILE: the simplest program that reads a classic capture in this machine's byte order. It
// steps from record to record and adds up the lengths, without checks or decoding: a bound for
// capture readers.
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define HEADER_BYTES 24u
#define RECORD_BYTES 16u
#define BUFFER_BYTES ((size_t)1 << 20)

int main(int argc, char **argv)
{
	static uint8_t buffer[BUFFER_BYTES];
	uint64_t packets = 0, wire_bytes = 0;
	size_t held = 0, at = HEADER_BYTES;
	ssize_t got;
	const int fd = argc == 2 ? open(argv[1], O_RDONLY) : -1;

	if (fd < 0) {
		(void)fprintf(stderr, "usage: walk FILE\n");
		return 2;
	}
	while ((got = read(fd, buffer + held, sizeof(buffer) - held)) > 0) {
		uint32_t length[2]; // captured, on the wire

		held += (size_t)got;
		while (held - at >= RECORD_BYTES) {
			memcpy(length, buffer + at + 8, sizeof(length));
			if (length[0] > held - at - RECORD_BYTES)
				break;
			at += RECORD_BYTES + length[0];
			wire_bytes += length[1];
			packets++;
		}
		held -= at;
		memmove(buffer, buffer + at, held);
		at = 0;
	}
	(void)printf("%llu packets, %llu bytes\n", (unsigned long long)packets,
		     (unsigned long long)wire_bytes);
	return got == 0 && held == 0 ? 0 : 2;
}
