// SPDX-License-Identifier: GPL-3.0-or-later
// Texts of kinds of networks. Presets are compared by hand with the tables of their sources: George
// and VanLoon's table of verification parameters, Yates (1997), chapters 2 and 3.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "fabric_bed.h"
#include "net/ideal.h"

static bool same(struct num_ratio ratio, int64_t num, int64_t den)
{
	return (__int128)ratio.num * den == (__int128)num * ratio.den;
}

static void the_usual_network_is_that_of_yates(void **state)
{
	const struct myr_params *params;
	struct fabric fabric = {0};
	struct tr_error err;

	(void)state;
	assert_int_equal(fabric_read(&fabric, "myrinet", &err), TR_OK);
	assert_int_equal(fabric_settle(&fabric, &err), TR_OK);
	assert_string_equal(fabric.text, "myrinet");
	params = fabric.params;
	assert_true(same(params->link.rate_bps, 1280000000, 1));
	assert_true(same(params->adapter.dma_in_bps, INT64_C(44) * 1048576 * 8, 1));
	assert_int_equal(params->adapter.queue_worms, 999);
	fabric_close(&fabric);
}

static void presets_are_what_the_sources_say(void **state)
{
	const struct myr_params george = preset_called("george");
	const struct myr_params first = preset_called("first");
	struct myr_params pci = preset_called("pci33");

	(void)state;
	assert_true(same(george.link.length_m, 10, 1) && same(george.link.rate_bps, 1280000000, 1));
	assert_int_equal(george.link.below_go_B, 40);
	assert_int_equal(george.link.hysteresis_B, 16);
	assert_int_equal(george.link.above_stop_B, 40);
	assert_true(george.format.gap_after && george.format.no_final && george.format.crc);
	assert_int_equal(george.format.type_characters, 4);
	assert_true(same(george.loss.timeout_s, 1, 1) && same(george.loss.beat_s, 1, 1));
	assert_int_equal(george.adapter.out_buffer_B, 96);
	assert_true(same(first.link.rate_bps, 640000000, 1) &&
		    same(first.crossbar.assignment_s, 3, 10000000));
	assert_true(first.format.gap_after && same(first.link.length_m, 10, 1));
	assert_int_equal(first.loss.timeout_from, MYR_TIMEOUT_SILENT);
	assert_true(same(pci.adapter.flit_s, 15, 1000000000));
	assert_true(same(pci.adapter.dma_in_bps, INT64_C(1269) * 1048576 * 8, 10));
	assert_true(same(pci.link.length_m, 6, 1));
	set_preset(&pci, "sbus");
	assert_memory_equal(&pci, &myr_params_yates, sizeof(pci));
}

static void keys_win_over_the_preset_before_them(void **state)
{
	const struct myr_params *params;
	struct fabric fabric = {0};
	struct tr_error err;

	(void)state;
	assert_int_equal(
		fabric_read(
			&fabric,
			"# ours\nmyrinet:\npreset=george\n link-rate = 640Mb/s # slow\n,crc=no\n",
			&err),
		TR_OK);
	assert_int_equal(fabric_read(&fabric, "myrinet:link-length=3m,crc=yes", &err), TR_OK);
	assert_int_equal(fabric_settle(&fabric, &err), TR_OK);
	params = fabric.params;
	assert_true(same(params->link.rate_bps, 640000000, 1) && same(params->link.length_m, 3, 1));
	assert_true(params->format.crc && params->format.gap_after);
	assert_true(fabric_given(&fabric, "crc") && fabric_given(&fabric, "link-rate") &&
		    !fabric_given(&fabric, "gap"));
	fabric_close(&fabric);
}

// fabric.text opens the same parameters, for every preset of every kind.
static void the_text_says_it_all(void **state)
{
	(void)state;
	for (const struct key_preset *preset = net_presets; preset->kind; preset++) {
		struct fabric one = {0};
		struct fabric two = {0};
		struct tr_error err;

		if (!fabric_find(preset->kind)) // of MPI
			continue;
		assert_int_equal(fabric_read(&one, preset->text, &err), TR_OK);
		assert_int_equal(fabric_settle(&one, &err), TR_OK);
		assert_string_equal(one.kind->name, preset->kind);
		assert_true(*preset->text == '#');
		assert_int_equal(fabric_read(&two, one.text, &err), TR_OK);
		assert_memory_equal(one.params, two.params, one.kind->params_bytes);
		fabric_close(&one);
		fabric_close(&two);
	}
}

static void refuse(const char *text, const char *why)
{
	struct fabric fabric = {0};
	struct tr_error err = {""};

	assert_true(fabric_read(&fabric, text, &err) != TR_OK ||
		    fabric_settle(&fabric, &err) != TR_OK);
	assert_string_equal(err.text, why);
	fabric_close(&fabric);
}

static void what_is_wrong_is_named(void **state)
{
	(void)state;
	refuse("", "unknown kind of network \"\", none of myrinet switched lanes ideal cppe sci "
		   "ethernet");
	refuse("myrine:crc=yes", "unknown kind of network \"myrine\", none of myrinet switched "
				 "lanes ideal cppe sci ethernet");
	refuse("myrinet crc=yes", "myrinet: expected a colon before the keys");
	refuse("myrinet:crc", "myrinet: \"crc\" is not KEY=VALUE");
	refuse("myrinet:=on", "myrinet: \"=on\" is not KEY=VALUE");
	refuse("myrinet:CRC=on", "myrinet: no key \"CRC\" (--fabric list)");
	refuse("myrinet:crc=true", "myrinet: crc: 'true' is not one of no|yes");
	refuse("myrinet:crc=", "myrinet: crc: '' is not one of no|yes");
	refuse("myrinet:crc=on", "myrinet: crc: 'on' is not one of no|yes: write yes");
	refuse("myrinet:final=off", "myrinet: final: 'off' is not one of yes|no: write no");
	refuse("myrinet:crc=yes,type=4,crc=yes", "myrinet: the key crc is given twice");
	refuse("myrinet:crc=yes,preset=george",
	       "myrinet: preset=george must come before the keys that override it");
	refuse("myrinet:preset=latency", "myrinet: no preset \"latency\", but am first fm george "
					 "pci33 pci66 pm sbus yates (--fabric list)");
	refuse("myrinet:type=-1",
	       "myrinet: type: '-1' is not a whole number from 0 to 18446744073709551615");
	refuse("myrinet:sram=1.5", "myrinet: sram: '1.5' is not a whole number of bytes");
	refuse("myrinet:reset=travels", "myrinet: reset has no effect without timeout");
	refuse("myrinet:waiting=3", "myrinet: waiting has no effect without when-full=wait");
	refuse("ideal:preset=yates", "ideal: no preset \"yates\" (--fabric list)");
}

static void one_kind_at_a_time(void **state)
{
	struct fabric fabric = {0};
	struct tr_error err;

	(void)state;
	assert_int_equal(fabric_read(&fabric, "ideal:latency=5us", &err), TR_OK);
	assert_int_equal(fabric_read(&fabric, "myrinet", &err), TR_ERROR);
	assert_string_equal(err.text, "myrinet after ideal: expected one kind of network");
	assert_true(same(((const struct net_ideal *)fabric.params)->latency_s, 5, 1000000));
	fabric_close(&fabric);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_usual_network_is_that_of_yates),
		cmocka_unit_test(presets_are_what_the_sources_say),
		cmocka_unit_test(keys_win_over_the_preset_before_them),
		cmocka_unit_test(the_text_says_it_all),
		cmocka_unit_test(what_is_wrong_is_named),
		cmocka_unit_test(one_kind_at_a_time),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
