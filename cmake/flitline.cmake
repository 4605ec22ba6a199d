# SPDX-License-Identifier: GPL-3.0-or-later
# How every library and program of the suite is built.
include(GNUInstallDirs)
include(CheckCCompilerFlag)

set(CMAKE_C_STANDARD 17)
set(CMAKE_C_STANDARD_REQUIRED ON)
set(CMAKE_C_EXTENSIONS ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bin)
# Debian packages are made of these: what needs MPI belongs to "mpi", what needs Python to "python",
# the rest to "flitline" (cmake/package.cmake).
set(CMAKE_INSTALL_DEFAULT_COMPONENT_NAME flitline)
if(NOT CMAKE_BUILD_TYPE)
	set(CMAKE_BUILD_TYPE Release)
endif()

set(FLIT_SANITIZE "" CACHE STRING "sanitizers, as -fsanitize takes them")
option(FLIT_FUZZ "build the fuzzing programs (clang)" OFF)
option(FLIT_STUDIES "what serves one study: SCI, CPPE, block designs, trails, planning, benchmarks"
	ON)
option(FLIT_FOREIGN "traces of other tools, and the recorder of MPI programs" ON)
option(FLIT_WERROR "a warning is an error, for who changes the code" OFF)

find_package(PkgConfig REQUIRED)
pkg_check_modules(zstd REQUIRED IMPORTED_TARGET libzstd)
pkg_check_modules(xxhash REQUIRED IMPORTED_TARGET libxxhash)
# Debian's library holds XXH3 for wider vectors too, and chooses when it runs.
include(CheckSymbolExists)
set(CMAKE_REQUIRED_LIBRARIES PkgConfig::xxhash)
check_symbol_exists(XXH3_64bits_update_dispatch xxh_x86dispatch.h FLIT_XXH3_DISPATCH)
unset(CMAKE_REQUIRED_LIBRARIES)
pkg_check_modules(gsl REQUIRED IMPORTED_TARGET gsl)
pkg_check_modules(fftw IMPORTED_TARGET fftw3)
pkg_check_modules(pcap IMPORTED_TARGET libpcap)
pkg_check_modules(zlib IMPORTED_TARGET zlib)
pkg_check_modules(nettle IMPORTED_TARGET nettle)
# Forms of capture files that few have: without these the programs are built all the same.
pkg_check_modules(lzma IMPORTED_TARGET liblzma)
pkg_check_modules(lz4 IMPORTED_TARGET liblz4)
find_package(BZip2)
pkg_check_modules(otf2 IMPORTED_TARGET otf2>=3.0) # traces of MPI programs
pkg_check_modules(yajl IMPORTED_TARGET yajl) # traces in JSON
pkg_check_modules(seccomp IMPORTED_TARGET libseccomp) # flitcap -i confines itself with it
# For tests alone: what they run in, and what they compare with.
pkg_check_modules(cmocka IMPORTED_TARGET cmocka)
pkg_check_modules(jansson IMPORTED_TARGET jansson)
find_package(Threads REQUIRED)

add_library(flit_settings INTERFACE)
target_compile_definitions(flit_settings INTERFACE _GNU_SOURCE
	FLIT_VERSION="${PROJECT_VERSION}")
target_compile_options(flit_settings INTERFACE -Wall -Wextra -Wconversion -Wshadow
	-Wstrict-prototypes -Wmissing-prototypes -Wvla -Wundef -Wformat=2
	$<$<BOOL:${FLIT_WERROR}>:-Werror>
	-ffp-contract=off -fno-common
	# the same bytes built in any folder
	-ffile-prefix-map=${CMAKE_BINARY_DIR}=build -ffile-prefix-map=${CMAKE_SOURCE_DIR}=.
	# which gcc does not count to -Wconversion and -Wextra in C
	$<$<C_COMPILER_ID:Clang>:-Wno-sign-conversion>
	-Wno-missing-field-initializers) # what an initialiser leaves out is zero, and meant so
target_include_directories(flit_settings INTERFACE ${CMAKE_SOURCE_DIR}/capture
	${CMAKE_SOURCE_DIR}/analyze ${CMAKE_SOURCE_DIR}/synth ${CMAKE_SOURCE_DIR}/replay)
# What an attacker meets in a program that reads hostile bytes. Sanitizers check more and do not go
# with FORTIFY.
if(NOT FLIT_SANITIZE AND NOT CMAKE_BUILD_TYPE STREQUAL Debug)
	set(FLIT_HARDENED ON)
	target_compile_options(flit_settings INTERFACE -fPIE -fstack-protector-strong
		-U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2)
	target_link_options(flit_settings INTERFACE -pie -Wl,-z,relro,-z,now -Wl,-z,noexecstack)
	check_c_compiler_flag(-fcf-protection FLIT_HAS_CET) # x86 has it
	if(FLIT_HAS_CET)
		target_compile_options(flit_settings INTERFACE -fcf-protection)
	endif()
endif()
if(FLIT_SANITIZE)
	target_compile_options(flit_settings INTERFACE -UNDEBUG -fsanitize=${FLIT_SANITIZE}
		-fno-sanitize-recover=all -fno-omit-frame-pointer)
	target_link_options(flit_settings INTERFACE -fsanitize=${FLIT_SANITIZE})
endif()

# flit_folder(VARIABLE folder): lists a folder's sources; of a program, all but the file with its
# main.
function(flit_folder name folder)
	file(GLOB files CONFIGURE_DEPENDS RELATIVE ${CMAKE_CURRENT_SOURCE_DIR} ${folder}/*.c)
	if(folder MATCHES ^flit)
		list(REMOVE_ITEM files ${folder}/${folder}.c)
	endif()
	set(${name} ${files} PARENT_SCOPE)
endfunction()

# flit_library(NAME SOURCES file... LINKS target...): it stands above all that link it.
function(flit_library name)
	cmake_parse_arguments(lib "" "" "SOURCES;LINKS" ${ARGN})
	get_property(linked GLOBAL PROPERTY FLIT_LINKED)
	if(name IN_LIST linked)
		message(FATAL_ERROR
			"${name} is linked by a library or program that stands above it")
	endif()
	set_property(GLOBAL APPEND PROPERTY FLIT_LINKED ${lib_LINKS})
	add_library(${name} STATIC ${lib_SOURCES})
	target_link_libraries(${name} PUBLIC flit_settings ${lib_LINKS})
	set_property(GLOBAL APPEND PROPERTY FLIT_LIBRARIES ${name})
endfunction()

# flit_install_folders(COMPONENT folder...): makes those of an installation that are missing, before
# its files, so that others can read them under any umask.
# (CMAKE_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS is subject to the umask.)
function(flit_install_folders component)
	install(CODE "
		foreach(folder ${ARGN})
			cmake_path(ABSOLUTE_PATH folder BASE_DIRECTORY \"\${CMAKE_INSTALL_PREFIX}\")
			set(missing)
			while(NOT EXISTS \"\$ENV{DESTDIR}\${folder}\")
				list(PREPEND missing \"\$ENV{DESTDIR}\${folder}\")
				if(folder STREQUAL \"/\")
					break()
				endif()
				cmake_path(GET folder PARENT_PATH folder)
			endwhile()
			foreach(made IN LISTS missing)
				file(MAKE_DIRECTORY \"\${made}\")
				file(CHMOD \"\${made}\" PERMISSIONS
					OWNER_READ OWNER_WRITE OWNER_EXECUTE
					GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
			endforeach()
		endforeach()" COMPONENT ${component})
endfunction()
set(flit_completions ${CMAKE_INSTALL_DATADIR}/bash-completion/completions
	${CMAKE_INSTALL_DATADIR}/zsh/site-functions
	${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
foreach(component flitline mpi)
	flit_install_folders(${component} ${CMAKE_INSTALL_BINDIR} ${CMAKE_INSTALL_MANDIR}/man1
		${flit_completions})
endforeach()
flit_install_folders(flitline ${CMAKE_INSTALL_MANDIR}/man5 ${CMAKE_INSTALL_MANDIR}/man7
	${CMAKE_INSTALL_DOCDIR}/examples
	${CMAKE_INSTALL_DATADIR}/file/magic ${CMAKE_INSTALL_DATADIR}/flitline)

# flit_program(NAME SOURCES file... LINKS target... [COMPONENT name]): also installed, with its
# completions and its page.
function(flit_program name)
	cmake_parse_arguments(prog "" "COMPONENT" "SOURCES;LINKS" ${ARGN})
	if(NOT prog_COMPONENT)
		set(prog_COMPONENT ${CMAKE_INSTALL_DEFAULT_COMPONENT_NAME})
	endif()
	set_property(GLOBAL APPEND PROPERTY FLIT_LINKED ${prog_LINKS})
	add_executable(${name} ${prog_SOURCES})
	target_link_libraries(${name} PRIVATE flit_settings ${prog_LINKS} text tool)
	install(TARGETS ${name} RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR}
		COMPONENT ${prog_COMPONENT})
	set_property(GLOBAL APPEND PROPERTY FLIT_PROGRAMS ${name})
	set_property(GLOBAL PROPERTY FLIT_COMPONENT_${name} ${prog_COMPONENT})
	set(completions ${CMAKE_BINARY_DIR}/completions)
	add_custom_command(TARGET ${name} POST_BUILD
		COMMAND ${CMAKE_COMMAND} -E make_directory ${completions}
		COMMAND $<TARGET_FILE:${name}> --completion=bash > ${completions}/${name}
		COMMAND $<TARGET_FILE:${name}> --completion=zsh > ${completions}/_${name}
		COMMAND $<TARGET_FILE:${name}> --completion=fish > ${completions}/${name}.fish
		VERBATIM)
	install(FILES ${completions}/${name}
		DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions
		COMPONENT ${prog_COMPONENT})
	install(FILES ${completions}/_${name}
		DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions COMPONENT ${prog_COMPONENT})
	install(FILES ${completions}/${name}.fish
		DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d
		COMPONENT ${prog_COMPONENT})
endfunction()

# flit_mpi_modules(PROGRAM TARGET WHAT): libraries for a program, one for each MPI library by its
# binary interface, from the folder mpi; the target, of the program, has their paths from the
# program's folder in FLIT_MPI_OPENMPI and FLIT_MPI_MPICH, NULL for one that is not built. They stay
# out of the suite's libraries: nothing else learns of MPI. They link to no MPI library, and use the
# one that the process has.
# a folder deeper than where CPack would run ldconfig
set(flit_mpi_folder ${CMAKE_INSTALL_LIBDIR}/flitline/mpi)
pkg_check_modules(openmpi QUIET ompi-c)
pkg_check_modules(mpich QUIET mpich)
function(flit_mpi_modules program target what)
	flit_folder(sources mpi)
	foreach(name openmpi mpich)
		string(TOUPPER ${name} upper)
		set(library "Open MPI")
		if(name STREQUAL mpich)
			set(library MPICH)
		endif()
		if(NOT ${name}_FOUND OR NOT CMAKE_C_BYTE_ORDER STREQUAL LITTLE_ENDIAN)
			message(STATUS "${program}: built without its library for ${library}, "
				"so ${what}")
			target_compile_definitions(${target} PRIVATE FLIT_MPI_${upper}=NULL)
			continue()
		endif()
		set(module ${program}-${name})
		set_property(GLOBAL APPEND PROPERTY FLIT_MPI_MODULES ${module})
		add_library(${module} MODULE ${sources})
		# Warnings as everywhere; no sanitizer, whose library a program would have to load
		# first.
		get_target_property(options flit_settings INTERFACE_COMPILE_OPTIONS)
		list(FILTER options EXCLUDE REGEX "PIE|sanitize")
		target_compile_options(${module} PRIVATE ${options})
		target_compile_definitions(${module} PRIVATE _GNU_SOURCE)
		if(FLIT_HARDENED)
			target_link_options(${module} PRIVATE
				-Wl,-z,relro,-z,now -Wl,-z,noexecstack)
		endif()
		target_include_directories(${module} PRIVATE ${CMAKE_CURRENT_SOURCE_DIR})
		target_include_directories(${module} SYSTEM PRIVATE ${${name}_INCLUDE_DIRS})
		set_target_properties(${module}
			PROPERTIES POSITION_INDEPENDENT_CODE ON C_VISIBILITY_PRESET hidden
			LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/${flit_mpi_folder})
		add_dependencies(${program} ${module})
		file(RELATIVE_PATH path /${CMAKE_INSTALL_BINDIR}
			/${flit_mpi_folder}/lib${module}.so)
		target_compile_definitions(${target} PRIVATE FLIT_MPI_${upper}="${path}")
		flit_install_folders(mpi ${flit_mpi_folder})
		install(TARGETS ${module} LIBRARY DESTINATION ${flit_mpi_folder} COMPONENT mpi)
	endforeach()
endfunction()
