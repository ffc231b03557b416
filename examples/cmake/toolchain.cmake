# The plugin for a CMake project that is left as it is: CUDA compiled by clang, with the plugin.
#
#   cmake -S project -B build -DCMAKE_TOOLCHAIN_FILE=.../toolchain.cmake -DCMAKE_CUDA_ARCHITECTURES="80;90"
#
# PTXPASSES_PLUGIN is the path of libptxpasses.so; it is asked of ptxpasses-config where that is on the PATH.
# PTXPASSES_CLANGXX is the clang++ to take; else it is the newest clang++-N on the PATH that there is a build of the plugin for.
# Unlike PtxPasses.cmake this does not make objects again when the plugin is replaced: empty the build folder then.
if(NOT PTXPASSES_PLUGIN)
  find_program(PTXPASSES_CONFIG ptxpasses-config)
  if(PTXPASSES_CONFIG)
    execute_process(COMMAND ${PTXPASSES_CONFIG} --plugin OUTPUT_VARIABLE PTXPASSES_PLUGIN OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
  endif()
endif()
if(NOT IS_ABSOLUTE "${PTXPASSES_PLUGIN}" OR NOT EXISTS "${PTXPASSES_PLUGIN}")
  message(FATAL_ERROR "no plugin: put ptxpasses-config on the PATH, or set PTXPASSES_PLUGIN to the absolute path of libptxpasses.so (it is '${PTXPASSES_PLUGIN}')")
endif()
if(NOT PTXPASSES_CLANGXX)
  get_filename_component(ptxpasses_folder ${PTXPASSES_PLUGIN} DIRECTORY)
  file(GLOB ptxpasses_builds RELATIVE ${ptxpasses_folder} ${ptxpasses_folder}/libptxpasses-*.so)
  set(ptxpasses_names)
  foreach(ptxpasses_build IN LISTS ptxpasses_builds)
    if(ptxpasses_build MATCHES "^libptxpasses-([0-9]+)\\.so$")
      list(PREPEND ptxpasses_names clang++-${CMAKE_MATCH_1})
    endif()
  endforeach()
  # From one with a newer LLVM to one with an older: GLOB sorts by name, and all versions have two digits.
  find_program(PTXPASSES_CLANGXX NAMES ${ptxpasses_names})
  if(NOT PTXPASSES_CLANGXX)
    message(FATAL_ERROR "no clang++ that the plugin has a build for (${ptxpasses_names}): put one on the PATH, or name it in PTXPASSES_CLANGXX")
  endif()
endif()
set(CMAKE_CUDA_COMPILER ${PTXPASSES_CLANGXX})
# Not in CMAKE_CUDA_FLAGS_INIT, which -DCMAKE_CUDA_FLAGS=... replaces.
add_compile_options("$<$<COMPILE_LANGUAGE:CUDA>:-fplugin=${PTXPASSES_PLUGIN}>")
# CMake reads this file again for its checks of the compiler.
list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES PTXPASSES_PLUGIN PTXPASSES_CLANGXX)
