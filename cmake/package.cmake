# SPDX-License-Identifier: GPL-3.0-or-later
# The Debian packages.
install(FILES CITATION.cff COPYING man/pipeline.svg man/variance-time.svg man/saturation.svg
	DESTINATION ${CMAKE_INSTALL_DOCDIR})
# README.md as installed: without what is between its comments <!-- tree --> and <!-- /tree -->,
# with what is in those that begin with <!-- installed; it names pages as man(1) finds them.
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/README.md)
file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/installed)
execute_process(COMMAND sed -e "/^<!-- tree -->$/,/^<!-- .tree -->$/d" -e "/^<!-- installed$/d"
	-e "/^-->$/d" -e "s,man man/\\([a-z-]*\\)\\.[1-7],man \\1,g" -e "s,(man/,(,g"
	${CMAKE_SOURCE_DIR}/README.md
	OUTPUT_FILE ${CMAKE_BINARY_DIR}/installed/README.md COMMAND_ERROR_IS_FATAL ANY)
install(FILES ${CMAKE_BINARY_DIR}/installed/README.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
# Debian wants these two files under these names.
configure_file(cmake/changelog.in ${CMAKE_BINARY_DIR}/changelog @ONLY)
install(FILES cmake/copyright ${CMAKE_BINARY_DIR}/changelog DESTINATION ${CMAKE_INSTALL_DOCDIR})
# Debian's folder for magic(5) entries as text; file(1) reads one with -m.
install(FILES man/flit-trace.magic DESTINATION ${CMAKE_INSTALL_DATADIR}/file/magic RENAME flitline)

# What the examples of the manual use.
foreach(folder captures messages models networks nodes points programs)
	install(DIRECTORY datasets/data/${folder} DESTINATION ${CMAKE_INSTALL_DATADIR}/flitline
		FILES_MATCHING PATTERN "*.zst" PATTERN "*.flt" PATTERN "*.model" PATTERN "*.net"
		PATTERN "*.map" PATTERN "*.nodes"
		PATTERN "*.program" PATTERN "*.costs")
endforeach()
# What is run on them as it stands: the whole pipeline, and a report on each.
install(PROGRAMS datasets/studies/demo datasets/studies/gallery
	DESTINATION ${CMAKE_INSTALL_DOCDIR}/examples)
# Presets of networks, to be copied and changed; the programs hold them too.
install(DIRECTORY replay/net/presets/ DESTINATION ${CMAKE_INSTALL_DATADIR}/flitline/presets)
# What uninstall takes away, each by its whole path. CMake's own install_manifest.txt will not do:
# cpack writes it too, with the names that the package's files will have in the system, which are
# not ours to remove.
install(CODE "
	if(NOT \"\$ENV{DESTDIR}\" MATCHES \"/_CPack_Packages/\")
		list(TRANSFORM CMAKE_INSTALL_MANIFEST_FILES PREPEND \"\$ENV{DESTDIR}\"
			OUTPUT_VARIABLE files)
		list(JOIN files \"\\n\" files)
		file(WRITE \"${CMAKE_BINARY_DIR}/installed.txt\" \"\${files}\\n\")
	endif()")
add_custom_target(uninstall COMMAND ${CMAKE_COMMAND} -P ${CMAKE_CURRENT_LIST_DIR}/uninstall.cmake
	WORKING_DIRECTORY ${CMAKE_BINARY_DIR} VERBATIM)

# A package for each component, the same bytes from the same commit. Debian wants programs stripped.
set(CPACK_GENERATOR DEB)
set(CPACK_DEB_COMPONENT_INSTALL ON)
get_cmake_property(CPACK_COMPONENTS_ALL COMPONENTS)
set(used)
foreach(program ${programs})
	get_property(component GLOBAL PROPERTY FLIT_COMPONENT_${program})
	list(APPEND used ${component})
endforeach()
get_property(modules GLOBAL PROPERTY FLIT_MPI_MODULES)
if(NOT mpi IN_LIST used AND NOT modules) # left out, or there is no MPI
	list(REMOVE_ITEM CPACK_COMPONENTS_ALL mpi)
endif()
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)
configure_file(${CMAKE_CURRENT_LIST_DIR}/package_date.cmake ${CMAKE_BINARY_DIR}/package_date.cmake
	@ONLY)
set(CPACK_PROJECT_CONFIG_FILE ${CMAKE_BINARY_DIR}/package_date.cmake)
set(CPACK_PRE_BUILD_SCRIPTS ${CMAKE_CURRENT_LIST_DIR}/debian_layout.cmake)
set(CPACK_POST_BUILD_SCRIPTS ${CMAKE_CURRENT_LIST_DIR}/debian_modes.cmake)
set(CPACK_PACKAGE_NAME flitline)
set(CPACK_PACKAGE_CONTACT "The flitline developers <flitline@users.noreply.invalid>")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION net)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
# The first line of a description is the package's summary.
set(CPACK_COMPONENT_FLITLINE_DESCRIPTION "programs that read, model and replay cluster traffic
Separate programs, joined by pipes: turn captures into traces,
compute burstiness and self-similarity statistics and reports, fit generators
and generate traffic of any size, and carry it over a simulated wormhole
network.")
set(CPACK_COMPONENT_MPI_DESCRIPTION "programs of flitline that use MPI
The programs of flitline that are linked to an MPI library or preload one into
others, and the libraries by which flitsim is one run of several processes, so
that flitline itself needs none.")
set(CPACK_COMPONENT_PYTHON_DESCRIPTION "traces, programs and reports of flitline in Python
A module for Python and its notebooks that opens traces as columns of NumPy,
runs pipelines of the programs of flitline, and shows reports.")
set(CPACK_DEBIAN_FLITLINE_PACKAGE_NAME flitline)
set(CPACK_DEBIAN_FLITLINE_PACKAGE_RECOMMENDS "gnuplot-nox | gnuplot, librsvg2-bin")
set(CPACK_DEBIAN_FLITLINE_PACKAGE_SUGGESTS "flitline-mpi, flitline-python, slurm-client")
set(CPACK_DEBIAN_MPI_PACKAGE_DEPENDS "flitline (= ${PROJECT_VERSION})")
set(CPACK_DEBIAN_PYTHON_PACKAGE_DEPENDS "flitline (= ${PROJECT_VERSION}), python3, python3-numpy")
set(CPACK_DEBIAN_PYTHON_PACKAGE_RECOMMENDS python3-pandas)
set(CPACK_DEBIAN_PYTHON_PACKAGE_SECTION python)
set(CPACK_DEBIAN_PYTHON_PACKAGE_ARCHITECTURE all)
include(CPack)
