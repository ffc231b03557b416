; Row C6: where a budget is reached the copies stay, with a missed remark for each. So has any other copy that is left.

; RUN: %llc <%s -mcpu=sm_80 -verify-machineinstrs -nvptx-copy-limit=1 -ptx-stats -pass-remarks-missed=nvptx-coalescer -o /dev/null 2>&1 | FileCheck %s --check-prefixes=COPIES
; COPIES:     remark: {{.*}}: Function: swap: '{{.*}} = COPY {{.*}}' is left: -nvptx-copy-limit is reached
; COPIES:     {{ 2}} copies not tried: a budget is reached
; RUN: %llc <%s -mcpu=sm_80 -verify-machineinstrs -nvptx-coalesce-limit=0 -ptx-stats -pass-remarks-missed=nvptx-coalescer -o /dev/null 2>&1 | FileCheck %s --check-prefixes=JOINS
; JOINS:      remark: {{.*}}: Function: swap: '{{.*}} = COPY {{.*}}' is left: -nvptx-coalesce-limit is reached
; JOINS:      {{ 3}} copies not tried: a budget is reached
; RUN: %llc <%s -mcpu=sm_80 -verify-machineinstrs -pass-remarks-missed=nvptx-coalescer -o /dev/null 2>&1 | FileCheck %s --check-prefixes=LEFT
; LEFT-COUNT-3: remark: {{.*}}: Function: swap: '{{.*}} = COPY {{.*}}' is left: both registers are live with different values
; LEFT-NOT:   remark
; RUN: %llc <%s -mcpu=sm_80 -verify-machineinstrs -large-interval-size-threshold=1 -large-interval-freq-threshold=0 -pass-remarks-missed=nvptx-coalescer -o /dev/null 2>&1 | FileCheck %s --check-prefixes=LARGE
; LARGE:      remark: {{.*}}: Function: swap: '{{.*}} = COPY {{.*}}' is left: -large-interval-freq-threshold is reached
; LARGE-NOT:  both registers are live
; RUN: %llc <%s -mcpu=sm_80 -o /dev/null 2>&1 | count 0
; RUN: not %llc <%s -mcpu=sm_80 -nvptx-copy-limit=many -o /dev/null 2>&1 | FileCheck %s --check-prefixes=BAD
; BAD:        invalid value 'many'; allowed: an integer from 0 to 4294967295

target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @swap(ptr addrspace(1) %p, i32 %n) {
entry:
  %i0 = load volatile i32, ptr addrspace(1) %p
  %i1 = load volatile i32, ptr addrspace(1) %p
  br label %l
l:
  %c = phi i32 [ 0, %entry ], [ %cn, %l ]
  %x0 = phi i32 [ %i0, %entry ], [ %x1, %l ]
  %x1 = phi i32 [ %i1, %entry ], [ %x0, %l ]
  %cn = add i32 %c, 1
  %d = icmp slt i32 %cn, %n
  br i1 %d, label %l, label %e
e:
  store volatile i32 %x0, ptr addrspace(1) %p
  store volatile i32 %x1, ptr addrspace(1) %p
  ret void
}
