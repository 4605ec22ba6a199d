// SPDX-License-Identifier: GPL-3.0-or-later
// Crypto-PAn compared with the sample trace of its authors, and IPv6 with the vectors shared by
// later implementations; then its prefix property, and the secrets.
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "packet/anonymize.h"
#include "value/random.h"

// The key of sample_trace_raw.dat.
static const uint8_t sample_key[PK_SECRET_BYTES] = {
	21,  34,  23,  141, 51,	 164, 207, 128, 19, 10, 91, 22, 73, 144, 125, 16,
	216, 152, 143, 131, 121, 121, 101, 39,	98, 87, 76, 45, 42, 132, 34,  2,
};

static const char *const samples[][2] = {
	{"128.11.68.132", "135.242.180.132"},
	{"129.118.74.4", "134.136.186.123"},
	{"130.132.252.244", "133.68.164.234"},
	{"141.223.7.43", "141.167.8.160"},
	{"152.163.225.39", "151.140.114.167"},
	{"165.247.96.84", "162.9.99.234"},
	{"192.102.249.13", "252.138.62.131"},
	{"198.26.132.101", "249.36.123.202"},
	{"202.49.198.20", "245.206.7.234"},
	{"::1", "78ff:f001:9fc0:20df:8380:b1f1:704:ed"},
	{"::2", "78ff:f001:9fc0:20df:8380:b1f1:704:ef"},
	{"::ffff", "78ff:f001:9fc0:20df:8380:b1f1:704:f838"},
	{"2001:db8::1", "4401:2bc:603f:d91d:27f:ff8e:e6f1:dc1e"},
	{"2001:db8::2", "4401:2bc:603f:d91d:27f:ff8e:e6f1:dc1c"},
};

static void test_samples(void **state)
{
	struct pk_anonymizer *anonymizer = pk_anonymizer_new(sample_key);
	char text[PK_ADDRESS_TEXT_BYTES];
	struct pk_address address;

	(void)state;
	for (size_t i = 0; i < sizeof(samples) / sizeof(*samples); i++) {
		assert_true(pk_address_parse(samples[i][0], &address));
		pk_anonymize(anonymizer, &address);
		assert_string_equal(pk_address_format(&address, text), samples[i][1]);
	}
	pk_anonymizer_free(anonymizer);
}

static unsigned common_bits(const struct pk_address *a, const struct pk_address *b)
{
	unsigned bits = 0;

	while (bits < 128 && ((a->bytes[bits / 8] ^ b->bytes[bits / 8]) & (0x80 >> bits % 8)) == 0)
		bits++;
	return bits;
}

// Two addresses share as many first bits after as before.
static void test_prefixes(void **state)
{
	struct pk_anonymizer *anonymizer = pk_anonymizer_new(sample_key);
	struct tr_random random;

	(void)state;
	tr_random_open(&random, 1, "addresses");
	for (int i = 0; i < 2000; i++) {
		const uint8_t family = i % 2 ? 4 : 6;
		const unsigned bits = family == 4 ? 32 : 128;
		const unsigned flip = (unsigned)tr_random_below(&random, bits);
		struct pk_address a = {.family = family}, b;

		for (unsigned at = 0; at < bits / 8; at++)
			a.bytes[at] = (uint8_t)tr_random_u32(&random);
		b = a;
		b.bytes[flip / 8] ^= (uint8_t)(0x80 >> flip % 8);
		for (unsigned at = flip + 1; at < bits; at++)
			b.bytes[at / 8] ^= (uint8_t)((tr_random_u32(&random) & 1) << (7 - at % 8));
		pk_anonymize(anonymizer, &a);
		pk_anonymize(anonymizer, &b);
		assert_int_equal(common_bits(&a, &b), flip);
	}
	pk_anonymizer_free(anonymizer);
}

static void test_secrets(void **state)
{
	static const char hex[] = "hex:1522178d33a4cf80130a5b1649907d10d8988f83797965276257"
				  "4c2d2a842202";
	uint8_t secret[PK_SECRET_BYTES], again[PK_SECRET_BYTES];
	char path[] = "/tmp/flit-secret-XXXXXX", name[64];
	const int fd = mkstemp(path);
	struct tr_error err;

	(void)state;
	assert_int_equal(pk_secret_of(hex, secret, &err), TR_OK);
	assert_memory_equal(secret, sample_key, sizeof(secret));
	assert_int_equal(pk_secret_of("hex:00", secret, &err), TR_ERROR);
	assert_int_equal(pk_secret_of("", secret, &err), TR_ERROR);
	assert_int_equal(pk_secret_of("@/nonexistent/key", secret, &err), TR_ERROR);
	// A phrase and the first line of a file are the same; another phrase is another secret.
	assert_int_equal(write(fd, "open sesame\nmore", 16), 16);
	(void)snprintf(name, sizeof(name), "@%s", path);
	assert_int_equal(pk_secret_of("open sesame", secret, &err), TR_OK);
	assert_int_equal(pk_secret_of(name, again, &err), TR_OK);
	assert_memory_equal(secret, again, sizeof(secret));
	assert_int_equal(pk_secret_of("open sesame!", again, &err), TR_OK);
	assert_memory_not_equal(secret, again, sizeof(secret));
	(void)close(fd);
	(void)unlink(path);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_samples),
		cmocka_unit_test(test_prefixes),
		cmocka_unit_test(test_secrets),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
