"""IR of a kernel with N results in one inline assembly, all tied: many-tied.py N

As a matrix product on tensor cores (wgmma) has them: the accumulators are carried
around a loop. The inputs are tied in an order of their own (position * 7), some
undefined, and every 16th source is read again below.
"""

import sys

n = int(sys.argv[1])
order = [(7 * i) % n for i in range(n)]
assert len(set(order)) == n, "7 must not divide N"
undefined = set(range(5, n, 41))

print('target triple = "nvptx64-nvidia-cuda"')
print("define ptx_kernel void @many(ptr %p, i32 %trips) {\nentry:")
for i in range(n):
    print("  %%p%d = getelementptr float, ptr %%p, i32 %d" % (i, i))
    print("  %%in%d = load float, ptr %%p%d" % (i, i))
print("  br label %loop\nloop:")
print("  %i = phi i32 [ 0, %entry ], [ %next, %loop ]")
for i in range(n):
    print("  %%c%d = phi float [ %%in%d, %%entry ], [ %%r%d, %%loop ]" % (i, i, i))
results = ", ".join(["float"] * n)
constraints = ",".join(["=f"] * n + [str(i) for i in order])
inputs = ", ".join(
    "float poison" if i in undefined else "float %%c%d" % i for i in order
)
print(
    '  %%all = call { %s } asm sideeffect "wgmma;", "%s"(%s)'
    % (results, constraints, inputs)
)
for i in range(n):
    print("  %%r%d = extractvalue { %s } %%all, %d" % (i, results, i))
for i in range(0, n, 16):
    print('  call void asm sideeffect "use $0;", "f"(float %%c%d)' % i)
print("  %next = add i32 %i, 1")
print("  %more = icmp slt i32 %next, %trips")
print("  br i1 %more, label %loop, label %done\ndone:")
for i in range(n):
    print("  store float %%r%d, ptr %%p%d" % (i, i))
print("  ret void\n}")
