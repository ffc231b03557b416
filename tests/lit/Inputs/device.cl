// Device code with a tied operand.
kernel void scale(global float *p, int n) {
  float sum = 0;
  for (int i = 0; i < n; ++i) {
    float x = p[i];
    __asm__("mul.f32 %0, %0, %1;" : "+f"(x) : "f"(sum));
    sum += x;
  }
  p[0] = sum;
}
