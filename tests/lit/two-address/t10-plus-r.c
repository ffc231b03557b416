// Row T10: "+r" of C, which clang makes a result and an input with a digit constraint, and digits as the
// programmer writes them. One COPY for each before the asm, and the PTX is stock's.

// REQUIRES: tool-clang

// RUN: %clang --target=nvptx64-nvidia-cuda -nogpulib -O1 -S -emit-llvm %s -o %t.ll
// RUN: FileCheck %s --check-prefix=IR <%t.ll
// RUN: %same -- %t.ll -mcpu=sm_80 | FileCheck %s --check-prefix=COUNT
// RUN: %same --asm --levels=O0,O1,O2,O3 -- %t.ll -mcpu=sm_80
// RUN: %llc %t.ll -mcpu=sm_80 -stop-after=twoaddressinstruction -o - | FileCheck %s

// IR: asm "add.u32 $0, $0, 1;", "=r,0"
// IR: asm "swap $0, $1;", "=r,=r,0,1"
// IR: asm "digits $0, $1, $3;", "=r,=l,1,0"

// COUNT: O2: copies inserted 5, two-address instructions 3

// CHECK-LABEL: name: plus_r
// CHECK:      %[[A:[0-9]+]]:{{.*}} = COPY killed
// CHECK-NEXT: INLINEASM &"add.u32 $0, $0, 1;"{{.*}} def %[[A]], {{.*}} %[[A]](tied-def
unsigned plus_r(unsigned x) {
  x *= 3;
  __asm__("add.u32 %0, %0, 1;" : "+r"(x));
  return x;
}

// CHECK-LABEL: name: two
// CHECK:      INLINEASM &"swap $0, $1;"{{.*}} def %[[A:[0-9]+]], {{.*}} def %[[B:[0-9]+]], {{.*}} %[[A]](tied-def {{.*}} %[[B]](tied-def
unsigned two(unsigned x, unsigned y) {
  __asm__("swap %0, %1;" : "+r"(x), "+r"(y));
  return x - y;
}

// The digits cross.
// CHECK-LABEL: name: digits
// CHECK:      INLINEASM &"digits $0, $1, $3;"{{.*}} def %[[A:[0-9]+]], {{.*}} def %[[B:[0-9]+]], {{.*}} %[[B]](tied-def {{.*}} %[[A]](tied-def
unsigned digits(unsigned x, unsigned long y) {
  unsigned a;
  unsigned long b;
  __asm__("digits %0, %1, %3;" : "=r"(a), "=l"(b) : "1"(y), "0"(x));
  return a + (unsigned)b;
}
