# SPDX-License-Identifier: GPL-3.0-or-later
# Run by CPack when the files of the packages stand in their folders, one for each component.
file(GLOB components "${CPACK_TEMPORARY_INSTALL_DIRECTORY}/*")
foreach(component ${components})
	cmake_path(GET component FILENAME name)
	set(share ${component}/usr/share)
	# A package's completions are a vendor's.
	if(EXISTS ${share}/zsh/site-functions)
		file(RENAME ${share}/zsh/site-functions ${share}/zsh/vendor-completions)
	endif()
	# The other packages have the notes of the first that Debian wants of each.
	if(NOT name STREQUAL flitline)
		set(notes ${CPACK_TEMPORARY_INSTALL_DIRECTORY}/flitline/usr/share/doc/flitline)
		foreach(note changelog copyright)
			file(COPY ${notes}/${note} DESTINATION ${share}/doc/flitline-${name})
		endforeach()
	endif()
endforeach()
# Debian wants pages and notes compressed.
file(GLOB_RECURSE documents "${CPACK_TEMPORARY_INSTALL_DIRECTORY}/*/usr/share/man/*.[1-7]"
	"${CPACK_TEMPORARY_INSTALL_DIRECTORY}/*/usr/share/doc/*/changelog")
foreach(document ${documents})
	execute_process(COMMAND gzip -9nf "${document}" COMMAND_ERROR_IS_FATAL ANY)
endforeach()
# Folders that CPack itself made have the modes of the umask.
file(GLOB_RECURSE entries LIST_DIRECTORIES true ${CPACK_TEMPORARY_INSTALL_DIRECTORY}/*)
foreach(entry ${CPACK_TEMPORARY_INSTALL_DIRECTORY} ${entries})
	if(IS_DIRECTORY "${entry}" AND NOT IS_SYMLINK "${entry}")
		file(CHMOD "${entry}" PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ
			GROUP_EXECUTE
			WORLD_READ WORLD_EXECUTE)
	endif()
endforeach()
