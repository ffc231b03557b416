"""A loop around one inline assembly with many tied results, in the shape of attention on wgmma.

    accumulators.py RESULTS scaled|plain

scaled: every iteration multiplies the accumulators first; plain: it does not. Behind the loop they are stored; the loop
may be skipped, so that its results meet the initial zeros in PHIs.
"""
import sys

n, scaled = int(sys.argv[1]), sys.argv[2] == "scaled"
struct = "{ " + ", ".join(["float"] * n) + " }"
out = ['target triple = "nvptx64-nvidia-cuda"', "define ptx_kernel void @k(ptr addrspace(1) %p, float %s, i32 %n) {", "entry:"]
out += ["  %any = icmp sgt i32 %n, 0", "  br i1 %any, label %loop, label %exit", "loop:"]
out += ["  %i = phi i32 [ 0, %entry ], [ %i1, %loop ]"]
out += ["  %%a%d = phi float [ 0.0, %%entry ], [ %%r%d, %%loop ]" % (k, k) for k in range(n)]
if scaled:
    out += ["  %%b%d = fmul float %%a%d, %%s" % (k, k) for k in range(n)]
use = "b" if scaled else "a"
constraints = ",".join(["=f"] * n + [str(k) for k in range(n)])
out += ['  %%all = call %s asm sideeffect "mma;", "%s"(%s)' % (
    struct, constraints, ", ".join("float %%%s%d" % (use, k) for k in range(n)))]
out += ["  %%r%d = extractvalue %s %%all, %d" % (k, struct, k) for k in range(n)]
out += ["  %i1 = add i32 %i, 1", "  %more = icmp slt i32 %i1, %n", "  br i1 %more, label %loop, label %exit", "exit:"]
for k in range(n):
    out += ["  %%x%d = phi float [ 0.0, %%entry ], [ %%r%d, %%loop ]" % (k, k)]
for k in range(n):
    out += ["  %%g%d = getelementptr float, ptr addrspace(1) %%p, i32 %d" % (k, k)]
    out += ["  store volatile float %%x%d, ptr addrspace(1) %%g%d" % (k, k)]
out += ["  ret void", "}"]
print("\n".join(out))
