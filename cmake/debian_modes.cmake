# SPDX-License-Identifier: GPL-3.0-or-later
# Run by CPack when the packages are made. The headers of their three parts (ar(5): 60 bytes, of
# which 8 at 40 are the mode, 10 at 48 the size) have the mode that the umask gave to CPack's files;
# all get the same.
foreach(package ${CPACK_PACKAGE_FILES})
	execute_process(COMMAND sh -e -c [[
		at=8
		end=$(wc -c <"$1")
		while [ $at -lt $end ]; do
			printf '100644  ' |
				dd of="$1" bs=1 seek=$((at + 40)) conv=notrunc status=none
			bytes=$(dd if="$1" bs=1 skip=$((at + 48)) count=10 status=none)
			at=$((at + 60 + bytes + bytes % 2))
		done]] - ${package} COMMAND_ERROR_IS_FATAL ANY)
endforeach()
