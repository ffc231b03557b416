; Row C8: by default only PHIs of small webs in loops share registers. A method that is given applies to all.
; RUN: %llc -O2 -mcpu=sm_80 -ptx-verify -cssa-verbosity=1 -o /dev/null %s 2>&1 | FileCheck --check-prefix=DEFAULT %s
; RUN: %llc -O2 -mcpu=sm_80 -ptx-verify -cssa-verbosity=1 -usedessa=1 -o /dev/null %s 2>&1 | FileCheck --check-prefix=ALL %s
; RUN: %llc -O2 -mcpu=sm_80 -ptx-verify -cssa-verbosity=1 -usedessa=2 -o /dev/null %s 2>&1 | FileCheck --check-prefix=ALL %s
; RUN: %llc -O2 -mcpu=sm_80 -ptx-stats -o /dev/null %s 2>&1 | FileCheck --check-prefix=STATS %s

; DEFAULT: cssa: join: 1 PHIs, 0 classes of 0 registers, 3 copies
; DEFAULT: cssa: loop: 1 PHIs, 1 classes of 3 registers, 0 copies
; ALL:     cssa: join: 1 PHIs, 1 classes of 3 registers, 0 copies
; ALL:     cssa: loop: 1 PHIs, 1 classes of 3 registers, 0 copies
; STATS:   1 PHIs of webs left to the coalescer

target triple = "nvptx64-nvidia-cuda"

define i32 @join(i32 %x, ptr %p) {
entry:
  %c = icmp sgt i32 %x, 0
  br i1 %c, label %a, label %b
a:
  %v = load volatile i32, ptr %p
  br label %join
b:
  store volatile i32 %x, ptr %p
  %w = load volatile i32, ptr %p
  br label %join
join:
  %r = phi i32 [ %v, %a ], [ %w, %b ]
  ret i32 %r
}

define i32 @loop(i32 %n, ptr %p) {
entry:
  br label %loop
loop:
  %i = phi i32 [ %n, %entry ], [ %next, %loop ]
  store volatile i32 %i, ptr %p
  %next = add i32 %i, -3
  %c = icmp sgt i32 %next, 0
  br i1 %c, label %loop, label %exit
exit:
  ret i32 %next
}
