// SPDX-License-Identifier: GPL-3.0-or-later
// Options of AddressSanitizer for fuzzing unless ASAN_OPTIONS says otherwise: the quarantine of
// freed memory covers the last inputs, not the last thousand, whose pages cost more than the
// inputs' work.
const char *__asan_default_options(void);

const char *__asan_default_options(void)
{
	return "quarantine_size_mb=8:malloc_context_size=5";
}
