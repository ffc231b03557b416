# The plugin for CMake projects.
#
#   include(PtxPasses)
#   ptxpasses_use(TARGET)                           # CUDA that clang compiles as a CMake language: CMAKE_CUDA_COMPILER=clang++
#   ptxpasses_use(TARGET DEVICE_LTO)                # the same, with the device code generated in the link step (clang 22 or newer)
#   ptxpasses_add_ptx(NAME SOURCE k.cu              # PTX files of CUDA or OpenCL, NAME.sm_80.ptx and so on, by a target NAME
#                     ARCHITECTURES sm_80 sm_90 [OPTIONS -DN=4 ...])
#
# PTXPASSES_PLUGIN is the path of libptxpasses.so; it is asked of ptxpasses-config where that is on the PATH.
# PTXPASSES_CLANG is the clang of ptxpasses_add_ptx, one that there is a build of the plugin for.
find_program(PTXPASSES_CONFIG ptxpasses-config)
if(NOT PTXPASSES_PLUGIN AND PTXPASSES_CONFIG)
  execute_process(COMMAND ${PTXPASSES_CONFIG} --plugin OUTPUT_VARIABLE found OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
  set(PTXPASSES_PLUGIN ${found} CACHE FILEPATH "libptxpasses.so")
endif()
if(NOT IS_ABSOLUTE "${PTXPASSES_PLUGIN}" OR NOT EXISTS "${PTXPASSES_PLUGIN}")
  message(FATAL_ERROR "no plugin: put ptxpasses-config on the PATH, or set PTXPASSES_PLUGIN to the absolute path of libptxpasses.so (it is '${PTXPASSES_PLUGIN}')")
endif()
find_program(PTXPASSES_CLANG NAMES clang clang-23 clang-22 clang-21 clang-19 clang-18 clang-17)
# What the code depends on: the plugin and the builds that it chooses among.
get_filename_component(folder ${PTXPASSES_PLUGIN} DIRECTORY)
file(GLOB PTXPASSES_LIBRARIES ${folder}/libptxpasses*.so)

function(ptxpasses_use target)
  cmake_parse_arguments(ARG "DEVICE_LTO" "" "" ${ARGN})
  if(ARG_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "ptxpasses_use(${target}): '${ARG_UNPARSED_ARGUMENTS}' is unknown; DEVICE_LTO is known")
  endif()
  if(NOT CMAKE_CUDA_COMPILER_ID STREQUAL "Clang")
    message(FATAL_ERROR "ptxpasses_use(${target}): only clang loads the plugin: set CMAKE_CUDA_COMPILER to a clang++ (it is '${CMAKE_CUDA_COMPILER}')")
  endif()
  if(ARG_DEVICE_LTO)
    # The link step starts a clang for each processor, which generates the code. Only so is it told where CUDA is.
    target_compile_options(${target} PRIVATE $<$<COMPILE_LANGUAGE:CUDA>:-fgpu-rdc -foffload-lto>)
    target_link_options(${target} PRIVATE --offload-link -foffload-lto
                        -Wl,--device-linker=nvptx64-nvidia-cuda=-mllvm=-load-pass-plugin=${PTXPASSES_PLUGIN}
                        -Wl,--device-compiler=nvptx64-nvidia-cuda=--cuda-path=${CMAKE_CUDA_COMPILER_TOOLKIT_ROOT})
    set_property(TARGET ${target} APPEND PROPERTY LINK_DEPENDS ${PTXPASSES_LIBRARIES})
  else()
    target_compile_options(${target} PRIVATE $<$<COMPILE_LANGUAGE:CUDA>:-fplugin=${PTXPASSES_PLUGIN}>)
    get_target_property(sources ${target} SOURCES)
    if(sources)
      set_property(SOURCE ${sources} APPEND PROPERTY OBJECT_DEPENDS ${PTXPASSES_LIBRARIES})
    endif()
  endif()
endfunction()

function(ptxpasses_add_ptx name)
  cmake_parse_arguments(ARG "" "SOURCE" "ARCHITECTURES;OPTIONS" ${ARGN})
  if(NOT ARG_SOURCE OR NOT ARG_ARCHITECTURES)
    message(FATAL_ERROR "ptxpasses_add_ptx(${name}): SOURCE and ARCHITECTURES are needed")
  endif()
  if(NOT PTXPASSES_CLANG)
    message(FATAL_ERROR "ptxpasses_add_ptx(${name}): no clang; set PTXPASSES_CLANG")
  endif()
  get_filename_component(source ${ARG_SOURCE} ABSOLUTE)
  get_filename_component(kind ${ARG_SOURCE} LAST_EXT)
  set(made)
  foreach(architecture IN LISTS ARG_ARCHITECTURES)
    if(kind STREQUAL ".cl")
      set(language --target=nvptx64-nvidia-cuda -march=${architecture})
    elseif(kind STREQUAL ".cu")
      set(language -x cuda --cuda-device-only --cuda-gpu-arch=${architecture})
    else()
      message(FATAL_ERROR "ptxpasses_add_ptx(${name}): ${ARG_SOURCE} is neither .cu nor .cl")
    endif()
    set(out ${CMAKE_CURRENT_BINARY_DIR}/${name}.${architecture}.ptx)
    add_custom_command(
      OUTPUT ${out}
      COMMAND ${PTXPASSES_CLANG} -fplugin=${PTXPASSES_PLUGIN} ${language} -O3 ${ARG_OPTIONS} -S ${source} -o ${out}
      DEPENDS ${source} ${PTXPASSES_LIBRARIES}
      COMMENT "PTX of ${ARG_SOURCE} for ${architecture}"
      VERBATIM)
    list(APPEND made ${out})
  endforeach()
  add_custom_target(${name} ALL DEPENDS ${made})
endfunction()
