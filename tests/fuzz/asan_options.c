// SPDX-License-Identifier: GPL-3.0-or-later
// What AddressSanitizer does in fuzzing programs where ASAN_OPTIONS does not say otherwise: freed memory of the last inputs is
// held back, not that of the last thousand, whose pages cost more than the inputs' work.
const char *__asan_default_options(void);

const char *__asan_default_options(void)
{
	return "quarantine_size_mb=8:malloc_context_size=5";
}
