# SPDX-License-Identifier: GPL-3.0-or-later
# Several streams in one, and what a stream says.
foreach(part rebase unify merge_live)
	flit_unit(${part}_test SOURCES ${part}_test.c LINKS text tool)
endforeach()
flit_unit(body_hash_test SOURCES body_hash_test.c LINKS text tool PkgConfig::xxhash)
