; Row C8: -cssa-coalesce, -usedessa, -cssa-verbosity, -dump-before-cssa, and the stage by name.
; RUN: %llc -O2 -cssa-verbosity=2 -o /dev/null %s 2>&1 | FileCheck --check-prefixes=COUNTS,CLASSES %s
; RUN: %llc -O2 -cssa-verbosity=1 -o /dev/null %s 2>&1 | FileCheck --check-prefix=COUNTS --implicit-check-not="cssa:   " %s
; RUN: %llc -O2 -ptx-passes=phi-elim,livevars,cssa -ptx-stats -o /dev/null %s 2>&1 | FileCheck --check-prefix=STATS %s
; RUN: %llc -O2 -dump-before-cssa -o /dev/null %s 2>&1 | FileCheck --check-prefix=DUMP %s

; It does not run with -cssa-coalesce=false, with -usedessa=0, in the upstream profile, if it is not selected, and without optimisation.
; RUN: %llc -O2 -cssa-coalesce=false -usedessa=1 -cssa-verbosity=1 -dump-before-cssa -o /dev/null %s 2>&1 | count 0
; RUN: %llc -O2 -usedessa=0 -cssa-verbosity=1 -o /dev/null %s 2>&1 | count 0
; RUN: %llc -O2 -usedessa=2 -ptx-profile=upstream -cssa-verbosity=1 -o /dev/null %s 2>&1 | count 0
; RUN: %llc -O2 -ptx-passes=phi-elim -cssa-verbosity=1 -o /dev/null %s 2>&1 | count 0
; RUN: %llc -O0 -usedessa=2 -cssa-verbosity=1 -o /dev/null %s 2>&1 | count 0
; RUN: %llc -O2 -usedessa=2 -ptx-fast-compile -cssa-verbosity=1 -o /dev/null %s 2>&1 | count 0

; RUN: not %llc -O2 -usedessa=3 -o /dev/null %s 2>&1 | FileCheck --check-prefix=BAD %s
; RUN: not %llc -O2 -cssa-verbosity=x -o /dev/null %s 2>&1 | FileCheck --check-prefix=BAD %s

; CLASSES: cssa:   %{{[0-9]+}}: %{{[0-9]+}} %{{[0-9]+}}
; COUNTS: cssa: counter: 1 PHIs, 1 classes of 3 registers, 0 copies
; STATS: cssa: 1 functions
; STATS-DAG: 1 registers shared
; STATS-DAG: 3 registers that share one
; STATS-DAG: 2 copies of operands not needed
; STATS-DAG: 1 copies of results not needed
; DUMP: PHI
; BAD: invalid value '{{3|x}}'; allowed: 0, 1, 2

target triple = "nvptx64-nvidia-cuda"

define i32 @counter(i32 %n, ptr %p) {
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
