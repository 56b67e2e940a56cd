# A CMake project: compiler checks, a static and a shared library, dependency files, a second build that does nothing.
. "$SRC/test/driver/common.bash"
need cmake; need make
cat > CMakeLists.txt <<'A'
cmake_minimum_required(VERSION 3.13)
project(demo C)
set(CMAKE_C_STANDARD 11)
include(CheckCCompilerFlag)
include(CheckFunctionExists)
check_c_compiler_flag(-Wall HAS_WALL)
check_function_exists(memcpy HAS_MEMCPY)
check_function_exists(no_such_function HAS_NOTHING)
if(NOT HAS_WALL OR NOT HAS_MEMCPY OR HAS_NOTHING)
  message(FATAL_ERROR "wrong checks")
endif()
message(STATUS "ID ${CMAKE_C_COMPILER_ID} ${CMAKE_C_COMPILER_VERSION}")
add_library(one STATIC one.c)
add_library(two SHARED two.c)
add_executable(demo main.c)
target_link_libraries(demo one two m)
A
echo 'int one(void) { return 1; }' > one.c; echo 'int two(void) { return 2; }' > two.c; echo 'int one(void), two(void);' > h.h
printf '#include "h.h"\nint main(void) { return one() + two() - 3; }\n' > main.c
cmake -S . -B b -DCMAKE_C_COMPILER="$FMCC" > log 2>&1 || { cat log; fail "cmake"; }
id=GNU; is_clang && id=Clang
has log "ID $id"
cmake --build b > log 2>&1 || { cat log; fail "the build"; }
b/demo || fail "the program made by CMake"
touch -d '1 minute' h.h; cmake --build b > log 2>&1; has log 'Building C object CMakeFiles/demo.dir/main.c.o'
