; The results of inline assembly (mma, wgmma, ldmatrix, ...) go straight to the registers that other blocks read and that the
; next assembly takes. Requirement E13.

; RUN: %llc %s -O0 -mcpu=sm_80 -stop-after=finalize-isel -ptx-verify -verify-machineinstrs -o - | FileCheck %s --check-prefixes=CHECK,CICC
; RUN: %llc %s -O0 -mcpu=sm_80 -stop-after=finalize-isel -ptx-profile=upstream -o - | FileCheck %s --check-prefixes=CHECK,UPSTREAM
; RUN: %llc %s -O2 -mcpu=sm_80 -ptx-verify -verify-machineinstrs -o /dev/null
; RUN: %llc %s -O0 -mcpu=sm_80 -ptx-stats -o /dev/null 2>&1 | FileCheck %s --check-prefix=STATS

; STATS: {{[4-9]}} results of assembly put where a CopyToReg wants them

target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: name: loop
; CHECK:       bb.1
; CHECK:       INLINEASM &"mma
; CICC-NOT:    COPY
; UPSTREAM:    COPY
; CHECK:       INLINEASM &"mma
; CICC-NOT:    COPY
; UPSTREAM:    COPY
; CHECK:       bb.2
define float @loop(float %x, i32 %n) {
entry:
  br label %body
body:
  %i = phi i32 [ 0, %entry ], [ %next, %body ]
  %a = phi float [ 0.0, %entry ], [ %a2, %body ]
  %b = phi float [ 0.0, %entry ], [ %b2, %body ]
  %r = call { float, float } asm sideeffect "mma $0, $1, $4;", "=f,=f,0,1,f"(float %a, float %b, float %x) convergent
  %a1 = extractvalue { float, float } %r, 0
  %b1 = extractvalue { float, float } %r, 1
  %q = call { float, float } asm sideeffect "mma $0, $1, $4;", "=f,=f,0,1,f"(float %a1, float %b1, float %x) convergent
  %a2 = extractvalue { float, float } %q, 0
  %b2 = extractvalue { float, float } %q, 1
  %next = add i32 %i, 1
  %done = icmp eq i32 %next, %n
  br i1 %done, label %end, label %body
end:
  %s = fadd float %a2, %b2
  ret float %s
}
