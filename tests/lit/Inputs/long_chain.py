"""Prints a function with reciprocal roots: one of a chain of 200 sums, whose range is not known, and one of each number that is added there."""

LENGTH = 200

print('target triple = "nvptx64-nvidia-cuda"')
print("declare float @llvm.nvvm.rsqrt.approx.f(float)")
print("declare float @llvm.fma.f32(float, float, float)")
print("define void @chain(ptr %p, float %y) {")
print("  %r0 = load volatile float, ptr %p")
for i in range(1, LENGTH + 1):
    print(f"  %load{i} = load volatile float, ptr %p")
    print(f"  %added{i} = call float @llvm.fma.f32(float %load{i}, float %load{i}, float 1.0)")
    print(f"  %r{i} = call float @llvm.fma.f32(float %r{i - 1}, float %y, float %added{i})")
for name in [f"r{LENGTH}", *(f"added{i}" for i in range(1, LENGTH + 1))]:
    print(f"  %root_{name} = call float @llvm.nvvm.rsqrt.approx.f(float %{name})")
    print(f"  store volatile float %root_{name}, ptr %p")
print("  ret void")
print("}")
