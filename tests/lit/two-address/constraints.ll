; Tied operands of every register class that NVPTX's constraints name, and among the
; other kinds of operands of an inline assembly. Rows T1, T10.

; RUN: %same -- %s -mcpu=sm_80 | FileCheck %s
; RUN: %same --asm --levels=O0,O1,O2,O3 -- %s -mcpu=sm_80
; CHECK: O2: copies inserted 9, two-address instructions 7

target triple = "nvptx64-nvidia-cuda"

define i1 @predicate(i32 %a, i32 %b) {
  %p = icmp slt i32 %a, %b
  %q = call i1 asm "not.pred $0, $0;", "=b,0"(i1 %p)
  ret i1 %q
}

define i16 @short(i16 %a) {
  %x = mul i16 %a, 3
  %y = call i16 asm "not.b16 $0, $0;", "=h,0"(i16 %x)
  ret i16 %y
}

define i64 @long(i64 %a) {
  %x = mul i64 %a, 3
  %y = call i64 asm "not.b64 $0, $0;", "=l,0"(i64 %x)
  ret i64 %y
}

define half @half(half %a) {
  %x = fadd half %a, 1.0
  %y = call half asm "neg.f16 $0, $0;", "=h,0"(half %x)
  ret half %y
}

; Constants as tied inputs, and one constant for two.
define i32 @constants(ptr %p) {
  %r = call { i32, i32, i32 } asm "three $0, $1, $2;", "=r,=r,=r,0,1,2"(i32 7, i32 7, i32 9)
  %r0 = extractvalue { i32, i32, i32 } %r, 0
  %r1 = extractvalue { i32, i32, i32 } %r, 1
  %r2 = extractvalue { i32, i32, i32 } %r, 2
  %s = add i32 %r0, %r1
  %t = mul i32 %s, %r2
  ret i32 %t
}

; An address, immediates and a memory clobber around the tied pair.
define i32 @mixed(ptr %p, i32 %a) {
  %x = mul i32 %a, 3
  %y = call i32 asm sideeffect "atom.add.u32 $0, [$1], $2; add.u32 $0, $0, $4;", "=r,l,n,0,r,~{memory}"(ptr %p, i32 5, i32 %x, i32 %a)
  ret i32 %y
}

; A tied value around a loop, whose old value is read in the next round.
define i32 @carried(i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %old = phi i32 [ 5, %entry ], [ %s, %loop ]
  %s = phi i32 [ 7, %entry ], [ %t, %loop ]
  %t = call i32 asm "step $0, $2;", "=r,0,r"(i32 %s, i32 %old)
  %next = add i32 %i, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %done
done:
  %r = sub i32 %t, %old
  ret i32 %r
}
