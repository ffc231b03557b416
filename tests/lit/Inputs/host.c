// Host code with tied operands of its own.
int mix(int *p, int n) {
  int sum = 0;
  for (int i = 0; i < n; ++i) {
    int x = p[i];
#ifdef __x86_64__
    __asm__("add %1, %0" : "+r"(x) : "r"(sum));
#endif
    sum = (sum ^ x) * 31 - i;
  }
  return sum;
}

typedef float Vector __attribute__((vector_size(16)));
Vector blend(Vector a, Vector b, float t) { return a * t + b * (1 - t) - a / b; }
