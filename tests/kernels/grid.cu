// Values on a grid and bodies in space: a stencil, forces between bodies, a
// Mandelbrot set.
#include "../../examples/device.h"

// A step of the heat equation in three dimensions: seven points, one column of
// z for each thread.
extern "C" __global__ void heat(const float *in, float *out, int nx, int ny,
                                int nz, float rate) {
  int x = global_index() % nx, y = global_index() / nx;
  if (x < 1 || y < 1 || x >= nx - 1 || y >= ny - 1)
    return;
  int layer = nx * ny, at = y * nx + x + layer;
  float below = in[at - layer], here = in[at];
  for (int z = 1; z < nz - 1; z++, at += layer) {
    float above = in[at + layer];
    float around =
        in[at - 1] + in[at + 1] + in[at - nx] + in[at + nx] + below + above;
    out[at] = here + rate * (around - 6 * here);
    below = here;
    here = above;
  }
}

struct Body {
  float x, y, z, mass;
};

// The acceleration of each body by all others, block by block through shared
// memory.
extern "C" __global__ void bodies(const Body *all, float *accelerations,
                                  int n) {
  __shared__ Body near[128];
  int i = global_index();
  Body mine = all[i < n ? i : 0];
  float ax = 0, ay = 0, az = 0;
  for (int base = 0; base < n; base += 128) {
    if (thread_index() < 128 && base + thread_index() < n)
      near[thread_index()] = all[base + thread_index()];
    wait_for_block();
    int count = n - base < 128 ? n - base : 128;
    for (int j = 0; j < count; j++) {
      float dx = near[j].x - mine.x, dy = near[j].y - mine.y,
            dz = near[j].z - mine.z;
      float square = dx * dx + dy * dy + dz * dz + 1e-6f, inverse;
      asm("rsqrt.approx.f32 %0, %1;" : "=f"(inverse) : "f"(square));
      float scale = near[j].mass * inverse * inverse * inverse;
      ax += dx * scale;
      ay += dy * scale;
      az += dz * scale;
    }
    wait_for_block();
  }
  if (i < n) {
    accelerations[3 * i] = ax;
    accelerations[3 * i + 1] = ay;
    accelerations[3 * i + 2] = az;
  }
}

// How many steps each point takes to leave the circle.
extern "C" __global__ void mandelbrot(int *steps, int width, int height,
                                      double scale) {
  for (int i = global_index(); i < width * height; i += global_count()) {
    double cx = (i % width - width / 2) * scale,
           cy = (i / width - height / 2) * scale, x = 0, y = 0;
    int count = 0;
    while (count < 255 && x * x + y * y < 4) {
      double next = x * x - y * y + cx;
      y = 2 * x * y + cy;
      x = next;
      count++;
    }
    steps[i] = count;
  }
}
