; Garbage collection with x86 statepoints: references live across calls are tied results
; of the call.
target triple = "x86_64-linux-gnu"

declare void @callee()
declare token @llvm.experimental.gc.statepoint.p0(i64, i32, ptr, i32, i32, ...)
declare ptr addrspace(1) @llvm.experimental.gc.relocate.p1(token, i32, i32)

define ptr addrspace(1) @one(ptr addrspace(1) %a) gc "statepoint-example" {
  %t = call token (i64, i32, ptr, i32, i32, ...) @llvm.experimental.gc.statepoint.p0(i64 0, i32 0, ptr elementtype(void ()) @callee, i32 0, i32 0, i32 0, i32 0) ["gc-live" (ptr addrspace(1) %a)]
  %r = call ptr addrspace(1) @llvm.experimental.gc.relocate.p1(token %t, i32 0, i32 0)
  ret ptr addrspace(1) %r
}

; Two references, twice; the second is also compared in between.
define ptr addrspace(1) @two(ptr addrspace(1) %a, ptr addrspace(1) %b) gc "statepoint-example" {
entry:
  %same = icmp eq ptr addrspace(1) %a, %b
  %t = call token (i64, i32, ptr, i32, i32, ...) @llvm.experimental.gc.statepoint.p0(i64 0, i32 0, ptr elementtype(void ()) @callee, i32 0, i32 0, i32 0, i32 0) ["gc-live" (ptr addrspace(1) %a, ptr addrspace(1) %b)]
  %ra = call ptr addrspace(1) @llvm.experimental.gc.relocate.p1(token %t, i32 0, i32 0)
  %rb = call ptr addrspace(1) @llvm.experimental.gc.relocate.p1(token %t, i32 1, i32 1)
  br i1 %same, label %again, label %done
again:
  %u = call token (i64, i32, ptr, i32, i32, ...) @llvm.experimental.gc.statepoint.p0(i64 0, i32 0, ptr elementtype(void ()) @callee, i32 0, i32 0, i32 0, i32 0) ["gc-live" (ptr addrspace(1) %rb, ptr addrspace(1) %ra)]
  %sb = call ptr addrspace(1) @llvm.experimental.gc.relocate.p1(token %u, i32 0, i32 0)
  %sa = call ptr addrspace(1) @llvm.experimental.gc.relocate.p1(token %u, i32 1, i32 1)
  br label %done
done:
  %x = phi ptr addrspace(1) [ %ra, %entry ], [ %sa, %again ]
  %y = phi ptr addrspace(1) [ %rb, %entry ], [ %sb, %again ]
  %z = select i1 %same, ptr addrspace(1) %x, ptr addrspace(1) %y
  ret ptr addrspace(1) %z
}

; A reference that is derived from another one, in a loop.
define ptr addrspace(1) @loop(ptr addrspace(1) %a, i64 %n) gc "statepoint-example" {
entry:
  br label %body
body:
  %i = phi i64 [ 0, %entry ], [ %next, %body ]
  %p = phi ptr addrspace(1) [ %a, %entry ], [ %rp, %body ]
  %q = phi ptr addrspace(1) [ %a, %entry ], [ %rq, %body ]
  %d = getelementptr i64, ptr addrspace(1) %p, i64 %i
  %v = load i64, ptr addrspace(1) %d
  %t = call token (i64, i32, ptr, i32, i32, ...) @llvm.experimental.gc.statepoint.p0(i64 0, i32 0, ptr elementtype(void ()) @callee, i32 0, i32 0, i32 0, i32 0) ["gc-live" (ptr addrspace(1) %p, ptr addrspace(1) %d, ptr addrspace(1) %q)]
  %rp = call ptr addrspace(1) @llvm.experimental.gc.relocate.p1(token %t, i32 0, i32 0)
  %rd = call ptr addrspace(1) @llvm.experimental.gc.relocate.p1(token %t, i32 0, i32 1)
  %rq = call ptr addrspace(1) @llvm.experimental.gc.relocate.p1(token %t, i32 2, i32 2)
  store i64 %v, ptr addrspace(1) %rd
  %next = add i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %body, label %done
done:
  ret ptr addrspace(1) %rq
}
