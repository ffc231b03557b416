"use strict";
(() => {
  const byId = (id) => document.getElementById(id);
  const escapes = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };
  const escape = (text) => String(text).replace(/[&<>"']/g, (c) => escapes[c]);
  const maxOf = (values) => values.reduce((a, b) => Math.max(a, b), 0);
  const grouped = (number) => number.toLocaleString("en-US");

  // Data.

  /** Unpacks the content of an element of the page. */
  function unpacked(id) {
    const bytes = Uint8Array.from(atob(byId(id).textContent.trim()), (c) => c.charCodeAt(0));
    return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate")));
  }

  const unpack = (id) => unpacked(id).json();

  // A kernel's data as written by packed.rs, which documents the codes.

  const firstMark = 0xe000;
  const mostRecent = 4096;
  const unsigned = (code) => (code >>> 1) ^ -(code & 1);

  /** Reads small integers, seven bits per byte. */
  function reader(bytes, start) {
    let at = start;
    const next = () => {
      let [value, shift, byte] = [0, 0, 0];
      do {
        byte = bytes[at++];
        value |= (byte & 127) << shift;
        shift += 7;
      } while (byte & 128);
      return value >>> 0;
    };
    return { next, signed: () => unsigned(next()), many: (count) => Array.from({ length: count }, next) };
  }

  /** Decodes shapes by the shape that followed last time. `state.known`: how many there were. */
  function follows(state) {
    let last = -1;
    const after = [];
    const pass = (shape) => {
      if (last >= 0) after[last] = shape;
      last = shape;
      return shape;
    };
    const decode = (code) => {
      const expected = last >= 0 && after[last] !== undefined ? after[last] : state.known;
      const shape = code === 0 ? expected : state.known - (code - 1);
      state.known = Math.max(state.known, shape + 1);
      return pass(shape);
    };
    return { pass, decode };
  }

  /** Decodes the numbers of names, by their classes. */
  function numbers() {
    const classes = new Map();
    return (kind, take, guess) => {
      if (!classes.has(kind)) classes.set(kind, { next: 0, recent: [] });
      const c = classes.get(kind);
      const code = take();
      const number = code === 0 ? (guess ?? c.next) : code === 1 ? take() : c.recent[code - 2];
      const rank = number < c.next ? c.recent.indexOf(number) : -1;
      if (rank >= 0) c.recent.splice(rank, 1);
      c.recent.unshift(number);
      if (c.recent.length > mostRecent) c.recent.pop();
      c.next = Math.max(c.next, number + 1);
      return number;
    };
  }

  function readComparison(text, step, from) {
    let [stockAt, oursAt] = [0, 0];
    const hunks = Array.from({ length: from.next() }, () => {
      const [same, stock, ours] = from.many(3);
      const hunk = { same: same === 1, stock: [stockAt, stock], ours: [oursAt, ours] };
      [stockAt, oursAt] = [stockAt + stock, oursAt + ours];
      return hunk;
    });
    const shapes = text.shapes.split("\n").map((shape) => {
      const parts = shape.split(/([\ue000-\ueeff])/);
      return { words: parts.filter((_, index) => index % 2 === 0), kinds: parts.filter((_, index) => index % 2 === 1).map((mark) => mark.charCodeAt(0) - firstMark) };
    });
    const state = { known: 0 };
    const old = follows(state);
    const stock = Array.from({ length: stockAt }, () => old.decode(from.next()));
    const now = follows(state);
    const ours = [];
    /** The line of stock's that matches each line of ours and has the same shape, or -1. */
    const partners = [];
    for (const hunk of hunks) {
      for (let i = 0; i < hunk.ours[1]; i += 1) {
        const code = from.next();
        const partner = hunk.stock[0] + i;
        const shape = !hunk.same ? now.decode(code) : code === 0 ? now.pass(stock[partner]) : now.decode(code - 1);
        partners.push(hunk.same && shape === stock[partner] ? partner : -1);
        ours.push(shape);
      }
    }
    /** The codes of the names, by shape and place. */
    const groups = (lines) => {
      const counts = new Map();
      for (const shape of lines) counts.set(shape, (counts.get(shape) || 0) + 1);
      return shapes.map(({ kinds }, shape) => kinds.map(() => {
        const codes = [];
        for (let i = counts.get(shape) || 0; i > 0; i -= 1) {
          const code = from.next();
          codes.push(code);
          if (code === 1) codes.push(from.next());
        }
        let at = 0;
        return () => codes[at++];
      }));
    };
    const [stockCodes, ourCodes] = [groups(stock), groups(ours)];
    const join = (shape, values) => shapes[shape].words.reduce((line, word, index) => line + values[index - 1] + word);
    const stockNumber = numbers();
    const stockNames = stock.map((shape) => shapes[shape].kinds.map((kind, place) => stockNumber(kind, stockCodes[shape][place])));
    const ourNumber = numbers();
    const mapped = new Map();
    const ourNames = ours.map((shape, line) => shapes[shape].kinds.map((kind, place) => {
      const partner = partners[line];
      const key = partner < 0 ? null : kind * 2 ** 30 + stockNames[partner][place];
      const number = ourNumber(kind, ourCodes[shape][place], key == null ? undefined : mapped.get(key));
      if (key != null) mapped.set(key, number);
      return number;
    }));
    const both = {
      stock: { lines: stock.map((shape, line) => join(shape, stockNames[line])) },
      ours: { lines: ours.map((shape, line) => join(shape, ourNames[line])) },
      hunks,
    };
    let hash = 0x811c9dc5;
    for (const side of [both.stock, both.ours]) {
      for (const line of side.lines) {
        for (let i = 0; i < line.length; i += 1) hash = Math.imul(hash ^ line.charCodeAt(i), 0x01000193);
        hash = Math.imul(hash ^ 10, 0x01000193);
      }
    }
    if (hash >>> 0 !== text.hash) throw new Error("its data is damaged");
    for (const side of [both.stock, both.ours]) readColumns(side, step, from);
    return both;
  }

  function readColumns(side, step, from) {
    let last = 0;
    side.numbers = side.lines.map(() => {
      const code = from.next();
      if (code === 1) return 0;
      const number = code === 0 ? last + step : last + unsigned(code - 2);
      if (!(number === 0 && step > 1)) last = number;
      return number;
    });
    for (const key of ["live", "predicates"]) {
      let count = 0;
      side[key] = side.lines.map(() => {
        const code = from.next();
        if (code === 0) return -1;
        count += unsigned(code - 1);
        return count;
      });
    }
    let place = [0, 0];
    side.places = from.next() === 0 ? [] : side.lines.map(() => {
      const code = from.next();
      if (code > 0) place = [code - 1, place[1] + from.signed()];
      return place;
    });
  }

  function readRanges(classes, odd, from) {
    const count = from.next();
    const next = new Map();
    const result = { names: [], widths: [], ranges: [] };
    let width = 0;
    for (let i = 0; i < count; i += 1) {
      const kind = from.next();
      if (kind === 0) {
        result.names.push(odd.shift());
      } else {
        const expected = next.get(kind) || 0;
        const number = expected - from.signed();
        next.set(kind, Math.max(expected, number + 1));
        result.names.push(classes[kind - 1] + number);
      }
      width += from.signed();
      result.widths.push(width);
    }
    let start = 0;
    for (let i = 0; i < count; i += 1) {
      let at = start;
      result.ranges.push(Array.from({ length: from.next() }, (_, index) => {
        const first = at + from.signed();
        at = first + from.signed();
        if (index === 0) start = first;
        return [first, at];
      }));
    }
    return result;
  }

  /** The lines of PTX that lines of SASS come from, -1 if unknown: see `links` of packed.rs. */
  function readLinks(ptx, sass, from) {
    const pairs = ({ hunks }) => hunks.filter((hunk) => hunk.same).flatMap(({ stock, ours }) => Array.from({ length: stock[1] }, (_, i) => [stock[0] + i, ours[0] + i]));
    const oursOf = new Map(pairs(ptx));
    const stockOf = new Map(pairs(sass).map(([stock, ours]) => [ours, stock]));
    for (const key of ["stock", "ours"]) {
      let last = 0;
      sass[key].ptx = sass[key].lines.map((_, index) => {
        const old = key === "ours" && stockOf.has(index) ? sass.stock.ptx[stockOf.get(index)] : -1;
        const expected = old >= 0 && oursOf.has(old) ? oursOf.get(old) + 1 : last;
        const code = from.next();
        const line = code === 0 ? expected : code === 1 ? 0 : last + unsigned(code - 2);
        if (line > 0) last = line;
        return line - 1;
      });
    }
  }

  async function unpackKernel(id) {
    const bytes = new Uint8Array(await unpacked(id).arrayBuffer());
    const length = new DataView(bytes.buffer).getUint32(0, true);
    const head = JSON.parse(new TextDecoder().decode(bytes.subarray(4, 4 + length)));
    const from = reader(bytes, 4 + length);
    const [ptx, sass] = [readComparison(head.ptx, 1, from), readComparison(head.sass, 16, from)];
    readLinks(ptx, sass, from);
    [ptx, sass].forEach((both, kind) => ["stock", "ours"].forEach((side, index) => (both[side].loops = head.loops[kind][index])));
    [sass.stock.mixes, sass.ours.mixes] = head.mixes;
    const [stock, ours, before] = head.classes.map((classes) => readRanges(classes, head.odd, from));
    let start = 0;
    const blocks = head.blocks.map((name) => [name, (start += from.next())]);
    const drawing = { title: head.title, blocks, end: start + from.next(), ranges: before };
    return { ptx, sass, ranges: { stock, ours }, drawing, stages: head.stages, remarks: head.remarks, notes: head.notes, registers: head.registers, time: head.time };
  }

  let overview = null;
  /** The numbers of the kernels, in the order of the table. */
  let order = [];
  const details = new Map();

  async function detailOf(number) {
    if (!details.has(number)) details.set(number, await unpackKernel(`kernel-${number}`));
    return details.get(number);
  }

  /**
   * The metrics that are compared. `sign`: 1 if less is better, -1 if more is. `percent`: whether
   * the change is a ratio. `least`: smaller changes do not count.
   */
  const metrics = [
    { key: "time", label: "Predicted time", sign: 1, percent: true, least: 1, text: ({ predicted }) => (predicted ? `${predicted.made_up ? "~" : ""}${predicted.ratio.toFixed(3)}` : "–") },
    { key: "registers", label: "Registers", sign: 1, percent: true },
    { key: "spills", label: "Spilled bytes", sign: 1, percent: false, unit: "bytes" },
    { key: "occupancy", label: "Occupancy", sign: -1, percent: false, unit: "points", show: (v) => `${Math.round(100 * v)}%`, scale: 100 },
    { key: "sass", label: "SASS instructions", sign: 1, percent: true },
    { key: "pressure", label: "Live in PTX", sign: 1, percent: true, minor: true },
    { key: "instructions", label: "PTX instructions", sign: 1, percent: true, minor: true },
    { key: "virtual_registers", label: "Virtual registers", sign: 1, percent: true, minor: true },
    { key: "stack", label: "Stack bytes", sign: 1, percent: false, unit: "bytes", hidden: true },
    { key: "moves", label: "PTX moves", sign: 1, percent: true, hidden: true },
  ];
  const charted = ["time", "registers", "sass", "spills", "occupancy"];

  const pairOf = (kernel, metric) => [kernel.stock[metric.key], kernel.ours[metric.key]];

  /** The change in percent or units; `null` if a side has no number. */
  function changeOf(kernel, metric) {
    const [stock, ours] = pairOf(kernel, metric);
    if (stock == null || ours == null) return null;
    if (!metric.percent) return (ours - stock) * (metric.scale || 1);
    if (stock === 0) return ours === 0 ? 0 : null;
    return (100 * (ours - stock)) / stock;
  }

  /** The direction of a change: 1 if worse, -1 if better, 0 if it does not count. */
  const judged = (change, metric) => (Math.abs(change) < (metric.least || 0) ? 0 : Math.sign(change * metric.sign));

  function toneOf(change, metric) {
    if (change == null || judged(change, metric) === 0) return "";
    return change * metric.sign < 0 ? "is-better" : "is-worse";
  }

  function changeText(change, metric) {
    if (change == null) return "";
    if (change === 0) return "";
    const size = Math.abs(change);
    if (metric.percent && size < 0.05) return "";
    const digits = metric.percent && size < 10 ? 1 : 0;
    const sign = change > 0 ? "+" : "−";
    return `${sign}${grouped(Number(size.toFixed(digits)))}${metric.percent ? "%" : ""}`;
  }

  function valueText(kernel, metric) {
    if (metric.text) return metric.text(kernel);
    const show = (value) => (value == null ? "–" : metric.show ? metric.show(value) : grouped(value));
    const [stock, ours] = pairOf(kernel, metric).map(show);
    return stock === ours ? stock : `${stock} → ${ours}`;
  }

  // Theme.

  const themes = ["auto", "light", "dark"];
  let theme = "auto";

  function stored(key, value) {
    // A page that is opened as a file may have no storage.
    try {
      if (value === undefined) return localStorage.getItem(key);
      localStorage.setItem(key, value);
    } catch {
      /* then it is not remembered */
    }
    return null;
  }

  function setTheme(name) {
    theme = themes.includes(name) ? name : "auto";
    if (theme === "auto") delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = theme;
    byId("theme").textContent = `Theme: ${theme}`;
    stored("ptx-report-theme", theme);
    redrawCharts();
  }

  /** The color of a style variable, in the form that the canvas needs. */
  function color(name) {
    const probe = document.createElement("span");
    probe.style.color = `var(--${name})`;
    document.body.append(probe);
    const value = getComputedStyle(probe).color;
    probe.remove();
    return value;
  }

  // Charts.

  /** The state of each chart on the page, by its element. */
  const charts = new Map();
  const resizes = new ResizeObserver((entries) => {
    for (const { target } of entries) {
      const chart = charts.get(target);
      if (chart && chart.plot && target.clientWidth > 0) chart.plot.setSize({ width: target.clientWidth, height: chart.height });
    }
  });

  function addChart(element, height, make) {
    charts.set(element, { height, make, plot: null });
    drawChart(element);
    resizes.observe(element);
  }

  function drawChart(element) {
    const chart = charts.get(element);
    if (chart.plot) chart.plot.destroy();
    chart.plot = null;
    if (element.clientWidth === 0) return; // it is folded away
    const axis = { stroke: color("quiet"), grid: { stroke: color("line"), width: 1 }, ticks: { stroke: color("line"), width: 1 }, font: "11px system-ui, sans-serif" };
    const { options, data } = chart.make(axis);
    chart.plot = new uPlot({ width: element.clientWidth, height: chart.height, ...options }, data, element);
  }

  function redrawCharts() {
    for (const element of [...charts.keys()]) {
      if (element.isConnected) drawChart(element);
      else dropChart(element);
    }
  }

  function dropChart(element) {
    resizes.unobserve(element);
    const chart = charts.get(element);
    if (chart && chart.plot) chart.plot.destroy();
    charts.delete(element);
  }

  function dropChartsIn(parent) {
    for (const element of [...charts.keys()]) if (parent.contains(element)) dropChart(element);
  }

  const bars = (fill) => ({ fill, stroke: fill, width: 0, points: { show: false }, paths: uPlot.paths.bars({ size: [0.9, 40, 1] }) });

  /** Steps of an axis with whole numbers. */
  const whole = Array.from({ length: 9 }, (_, power) => [1, 2, 5].map((n) => n * 10 ** power)).flat();

  /** A step that gives about `count` parts. */
  function niceStep(range, count) {
    const raw = range / count;
    const power = 10 ** Math.floor(Math.log10(raw));
    return [1, 2, 5, 10].map((n) => n * power).find((step) => step >= raw);
  }

  function summaryChart(metric) {
    const known = overview.kernels.map((kernel, number) => ({ number, change: changeOf(kernel, metric) })).filter((entry) => entry.change != null);
    if (known.length === 0) return null;
    known.sort((a, b) => a.change - b.change);
    const changes = known.map((entry) => entry.change);
    const [better, worse] = [-1, 1].map((side) => changes.filter((change) => judged(change, metric) === side).length);
    const middle = (changes[(changes.length - 1) >> 1] + changes[changes.length >> 1]) / 2;
    const unit = metric.percent ? "%" : ` ${metric.unit}`;
    const card = document.createElement("div");
    card.className = "chart";
    const title = `<h3>${metric.label}: change in ${metric.percent ? "percent" : metric.key === "occupancy" ? "percentage points" : metric.unit}</h3>`;
    if (changes.every((change) => change === 0)) {
      card.innerHTML = `${title}<p>No kernel changes: ${changes.length} the same.</p>`;
      return { card, draw: () => {} };
    }
    const summary = `${better} better, ${worse} worse, ${changes.length - better - worse} ${metric.least ? `within ${metric.least}%` : "the same"}; median ${changeText(middle, metric) || "no change"}`;
    card.innerHTML = `${title}
      <div class="pair"><div><div class="plot" role="img" aria-label="${metric.label}, each kernel: ${summary}"></div><p>each kernel, sorted</p></div>
      <div><div class="plot" role="img" aria-label="${metric.label}, distribution: ${summary}"></div><p>how many kernels</p></div></div><p>${summary}</p>`;
    const [each, spread] = card.querySelectorAll(".plot");
    const sides = (values) => [values.map((v) => (v * metric.sign < 0 ? v : null)), values.map((v) => (v * metric.sign > 0 ? v : null))];
    const draw = () => {
      addChart(each, 170, (axis) => ({
        options: {
          legend: { show: false },
          cursor: { drag: { x: false, y: false } },
          scales: { x: { time: false, range: [-0.7, known.length - 0.3] }, y: { range: (u, low, high) => paddedRange(Math.min(low ?? 0, 0), Math.max(high ?? 0, 0)) } },
          axes: [{ ...axis, size: 20, values: () => [] , grid: { show: false }, ticks: { show: false } }, { ...axis, size: 52, incrs: whole, values: (u, splits) => splits.map((v) => `${v}${metric.percent ? "%" : ""}`) }],
          series: [{}, bars(color("better")), bars(color("worse"))],
          plugins: [hint((index) => `${overview.kernels[known[index].number].shown}: ${valueText(overview.kernels[known[index].number], metric)}`, (index) => openKernel(known[index].number))],
        },
        data: [known.map((_, index) => index), ...sides(changes)],
      }));
      const [low, high] = [Math.min(...changes, 0), Math.max(...changes, 0)];
      const step = niceStep(Math.max(high - low, metric.percent ? 1 : 4), 15);
      // No change at all is a bar of its own.
      const bin = (change) => (change === 0 ? 0 : Math.sign(change) * Math.max(1, Math.round(Math.abs(change) / step)));
      const counts = new Map();
      for (const change of changes) counts.set(bin(change), (counts.get(bin(change)) || 0) + 1);
      const [first, last] = [Math.min(bin(low), -2), Math.max(bin(high), 2)];
      const bins = Array.from({ length: last - first + 1 }, (_, index) => first + index);
      const heights = bins.map((b) => counts.get(b) || 0);
      addChart(spread, 170, (axis) => ({
        options: {
          legend: { show: false },
          cursor: { drag: { x: false, y: false } },
          scales: { x: { time: false, range: [(first - 0.7) * step, (last + 0.7) * step] }, y: { range: (u, least, most) => [0, Math.max(most ?? 1, 1) * 1.08] } },
          axes: [{ ...axis, size: 24, incrs: whole, grid: { show: false }, values: (u, splits) => splits.map((v) => `${v}${metric.percent ? "%" : ""}`) }, { ...axis, size: 40, incrs: whole }],
          series: [{}, bars(color("better")), bars(color("worse")), bars(color("quiet"))],
          plugins: [hint((index) => `${bins[index] === 0 ? "no change" : `about ${changeText(bins[index] * step, metric)}${metric.percent ? "" : unit}`}: ${heights[index]} kernel${heights[index] === 1 ? "" : "s"}`)],
        },
        data: [
          bins.map((b) => b * step),
          bins.map((b, index) => (b * metric.sign < 0 ? heights[index] : null)),
          bins.map((b, index) => (b * metric.sign > 0 ? heights[index] : null)),
          bins.map((b, index) => (b === 0 ? heights[index] : null)),
        ],
      }));
    };
    return { card, draw };
  }

  function paddedRange(low, high) {
    const pad = (high - low || 1) * 0.08;
    return [low < 0 ? low - pad : low, high > 0 ? high + pad : Math.max(high, pad)];
  }

  /** A chart plugin: the title describes the point under the pointer, a click goes there. */
  function hint(text, click) {
    return {
      hooks: {
        setCursor: (u) => {
          if (u.cursor.idx != null) u.over.title = text(u.cursor.idx);
        },
        ready: (u) => {
          if (click) u.over.addEventListener("click", () => u.cursor.idx != null && click(u.cursor.idx));
        },
      },
    };
  }

  // The table.

  let sorting = { key: "registers", down: false };
  let verdictsShown = new Set(["better", "mixed", "same", "worse"]);
  const columns = () => metrics.filter((metric) => !metric.hidden);

  function renderHead() {
    const cell = (key, label, classes) => {
      const sort = sorting.key === key ? (sorting.down ? "descending" : "ascending") : "none";
      return `<th scope="col" class="${classes}" aria-sort="${sort}"><button type="button" data-sort="${key}">${label}</button></th>`;
    };
    const numbers = columns().map((metric) => cell(metric.key, metric.label, `number${metric.minor ? " minor" : ""}`));
    byId("kernels").tHead.innerHTML = `<tr>${cell("name", "Kernel", "")}${cell("verdict", "Verdict", "")}${numbers.join("")}</tr>`;
  }

  /** A file's path without the folders that all files share. */
  function shortName(file) {
    if (folder == null) {
      const parts = overview.kernels.map((kernel) => kernel.file.split("/").slice(0, -1));
      let same = 0;
      while (same < parts[0].length && parts.every((part) => part[same] === parts[0][same])) same += 1;
      folder = parts[0].slice(0, same).map((part) => `${part}/`).join("");
    }
    return file.slice(folder.length);
  }

  let folder = null;
  const severalTargets = () => overview.kernels.some((kernel) => kernel.target !== overview.kernels[0].target);

  function sortValue(kernel, metric, by) {
    const value = by === "change" ? changeOf(kernel, metric) : kernel[by][metric.key];
    return value == null ? Infinity : value;
  }

  function renderTable() {
    const words = byId("filter").value.toLowerCase().split(/\s+/).filter(Boolean);
    const by = byId("sort-by").value;
    const metric = metrics.find((m) => m.key === sorting.key);
    const ranks = ["better", "mixed", "same", "worse"];
    const shown = overview.kernels
      .map((kernel, number) => ({ kernel, number }))
      .filter(({ kernel }) => verdictsShown.has(kernel.verdict) && words.every((word) => `${kernel.name} ${kernel.shown} ${kernel.file} ${kernel.target}`.toLowerCase().includes(word)));
    const compare = (a, b) => {
      if (metric) {
        const [x, y] = [sortValue(a.kernel, metric, by), sortValue(b.kernel, metric, by)];
        // Kernels without a number stay at the end.
        if (x === Infinity || y === Infinity) return x === y ? 0 : x === Infinity ? 1 : -1;
        return sorting.down ? y - x : x - y;
      }
      const order = sorting.key === "verdict" ? ranks.indexOf(a.kernel.verdict) - ranks.indexOf(b.kernel.verdict) : a.kernel.shown.localeCompare(b.kernel.shown);
      return sorting.down ? -order : order;
    };
    shown.sort((a, b) => compare(a, b) || a.number - b.number);
    order = shown.map((entry) => entry.number);
    const row = ({ kernel, number }) => {
      const cells = columns().map((m) => {
        const change = changeOf(kernel, m);
        return `<td class="number${m.minor ? " minor" : ""}">${valueText(kernel, m)} <span class="change ${toneOf(change, m)}">${changeText(change, m)}</span></td>`;
      });
      return `<tr data-kernel="${number}"><th scope="row"><a href="#/${number}/ptx" title="${escape(kernel.name)}">${escape(kernel.shown)}</a><small title="${escape(kernel.file)}">${escape(shortName(kernel.file))}${severalTargets() ? `, ${escape(kernel.target)}` : ""}</small></th>
        <td><span class="badge ${kernel.verdict}" title="${escape(kernel.why)}">${kernel.verdict}</span></td>${cells.join("")}</tr>`;
    };
    byId("kernels").tBodies[0].innerHTML = shown.map(row).join("");
    byId("shown").textContent = `${shown.length} of ${overview.kernels.length}`;
    renderHead();
  }

  function renderVerdicts() {
    const count = (verdict) => overview.kernels.filter((kernel) => kernel.verdict === verdict).length;
    const button = (verdict) => `<button type="button" data-verdict="${verdict}" aria-pressed="${verdictsShown.has(verdict)}">${verdict} ${count(verdict)}</button>`;
    byId("verdicts").innerHTML = ["better", "mixed", "same", "worse"].map(button).join("");
  }

  // A kernel.

  const tabs = [
    { key: "ptx", label: "PTX" },
    { key: "sass", label: "SASS" },
    { key: "links", label: "PTX ↔ SASS" },
    { key: "ranges", label: "Live ranges" },
    { key: "stages", label: "Stages" },
    { key: "remarks", label: "Remarks" },
    { key: "source", label: "Source" },
  ];
  let current = null;
  /**
   * The number of the current filling; a listing that is still being filled stops when it changes.
   */
  let filling = 0;
  /** Whether all rows of the listing are drawn. */
  let isFilled = true;
  /** Increases with each address that is shown. */
  let asked = 0;
  /** Resolves when the target of the address is shown. */
  let showing = Promise.resolve();

  /** Shows an address at once: the browser's event would come after the next key. */
  const go = (address) => {
    location.hash = address;
    route();
  };
  const openKernel = (number, tab = "ptx", more = "") => go(`#/${number}/${tab}${more}`);

  async function showKernel(number, tab, place) {
    const kernel = overview.kernels[number];
    if (!kernel) return showHome();
    const view = byId("kernel");
    if (!current || current.number !== number) {
      const mine = asked;
      const detail = await detailOf(number);
      if (mine !== asked) return;
      current = { number, kernel, detail, rows: {} };
      renderKernel(view);
    }
    byId("home").hidden = true;
    view.hidden = false;
    document.title = `${kernel.shown}: stock and ptxpasses`;
    const known = available().some((t) => t.key === tab) ? tab : "ptx";
    current.tab = known;
    for (const button of view.querySelectorAll('[role="tab"]')) {
      button.setAttribute("aria-selected", String(button.dataset.tab === known));
      button.tabIndex = button.dataset.tab === known ? 0 : -1;
    }
    const panel = byId("panel");
    dropChartsIn(panel);
    say("");
    filling += 1;
    panel.setAttribute("aria-labelledby", `tab-${known}`);
    panel.replaceChildren();
    const render = { ptx: renderListing, sass: renderListing, links: renderLinks, ranges: renderRanges, stages: renderStages, remarks: renderRemarks, source: renderSource };
    render[known](panel, known, place);
  }

  const hasPlaces = (detail) => [detail.ptx, detail.sass].some((both) => both.stock.places.length + both.ours.places.length > 0);
  const available = () => tabs.filter((tab) => tab.key !== "source" || hasPlaces(current.detail));

  function renderKernel(view) {
    const { kernel, number, detail } = current;
    const numbers = metrics.filter((metric) => kernel.stock[metric.key] != null || kernel.ours[metric.key] != null);
    const cell = (metric) => {
      const change = changeOf(kernel, metric);
      return `<div><dt>${metric.label}</dt><dd>${valueText(kernel, metric)} <span class="${toneOf(change, metric)}">${changeText(change, metric)}</span></dd></div>`;
    };
    const at = order.indexOf(number);
    dropChartsIn(view);
    view.innerHTML = `
      <div class="head">
        <a href="#/" id="back">← all kernels</a>
        <button type="button" id="previous" ${at > 0 ? "" : "disabled"}>previous</button>
        <button type="button" id="next" ${at >= 0 && at + 1 < order.length ? "" : "disabled"}>next</button>
      </div>
      <div class="head"><h2 title="${escape(kernel.name)}">${escape(kernel.shown)}</h2><span class="badge ${kernel.verdict}">${kernel.verdict}</span>
        <span class="where">${escape(kernel.why)}</span></div>
      <p class="quiet">${escape(kernel.file)}, ${escape(kernel.target)}, occupancy for blocks of ${kernel.block} threads</p>
      <dl class="numbers">${numbers.map(cell).join("")}</dl>
      ${timeText(detail)}
      ${registerText(detail.registers)}
      ${detail.notes.map((note) => `<p class="notice">${escape(note)}</p>`).join("")}
      <div role="tablist" aria-label="Views">${available()
        .map((tab) => `<button type="button" role="tab" id="tab-${tab.key}" data-tab="${tab.key}" aria-controls="panel">${tab.label}${tab.key === "remarks" ? ` ${detail.remarks.length}` : ""}</button>`)
        .join("")}</div>
      <div id="panel" role="tabpanel" tabindex="-1"></div>`;
    byId("previous").addEventListener("click", () => openKernel(order[at - 1], current.tab));
    byId("next").addEventListener("click", () => openKernel(order[at + 1], current.tab));
    const list = view.querySelector('[role="tablist"]');
    list.addEventListener("click", (event) => {
      const tab = event.target.closest("[data-tab]");
      if (tab) openKernel(number, tab.dataset.tab);
    });
    list.addEventListener("keydown", (event) => {
      const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      if (!step) return;
      const keys = available().map((tab) => tab.key);
      const next = keys[(keys.indexOf(current.tab) + step + keys.length) % keys.length];
      openKernel(number, next);
      byId(`tab-${next}`).focus();
    });
  }

  /** Why the counts of live registers and of ptxas differ. */
  function registerText([stock, ours]) {
    const text = stock === ours ? `<p>Both: ${escape(ours)}</p>` : `<p>stock: ${escape(stock)}</p><p>ptxpasses: ${escape(ours)}</p>`;
    return `<details id="registers" class="quiet"><summary>Live in PTX, live in SASS, and what ptxas gives</summary>${text}</details>`;
  }

  // The predicted time.

  /** The reason, a bar for each side, and the places that take the time. */
  function timeText({ time, sass }) {
    if (!time) return "";
    const names = ["stock", "ptxpasses"];
    const most = Math.max(...time.sides.map((side) => side.cycles));
    const percent = (part) => `${(100 * part).toFixed(part < 0.0995 ? 1 : 0)}%`;
    const cycles = (number) => grouped(Number(number.toFixed(number < 100 ? 1 : 0)));
    const shown = overview.causes.map((_, cause) => cause).filter((cause) => time.sides.some((side) => side.causes[cause] >= 0.005 * side.cycles));
    const bar = (side, index) => {
      const parts = shown.map((cause) => {
        const text = `${overview.causes[cause]}: ${cycles(side.causes[cause])} cycles, ${percent(side.causes[cause] / side.cycles)}`;
        return `<i style="width:${((100 * side.causes[cause]) / most).toFixed(2)}%;--c:var(--cause-${cause})" title="${names[index]}: ${escape(text)}"></i>`;
      });
      return `<span>${names[index]}</span><div class="cycles" role="img" aria-label="${names[index]}: ${cycles(side.cycles)} cycles">${parts.join("")}</div><span class="number">${cycles(side.cycles)}</span>`;
    };
    const change = (values) => {
      const part = (values[1] - values[0]) / time.sides[0].cycles;
      const tone = Math.abs(part) < 0.0005 ? "" : part < 0 ? "is-better" : "is-worse";
      return `<span class="${tone}">${tone ? changeText(100 * part, { percent: true }) : ""}</span>`;
    };
    const row = (head, values) => `<tr>${head}${values.map((value) => `<td class="number">${value == null ? "–" : cycles(value)}</td>`).join("")}<td class="number">${values.some((value) => value == null) ? "" : change(values)}</td></tr>`;
    const causes = shown.map((cause) => row(`<th scope="row"><i class="swatch" style="--c:var(--cause-${cause})"></i>${escape(overview.causes[cause])}</th>`, time.sides.map((side) => side.causes[cause])));
    const loops = loopPairs(sass).slice(1).map((pair) => row(`<th scope="row" style="padding-left:${loopOf(sass, pair).depth * 0.8}em">${loopName(sass, pair)}</th>`, pair.map((at, side) => (at < 0 ? null : time.sides[side].loops[at - 1]))));
    const heads = (what, title) => `<thead><tr><th scope="col">${what}</th><th scope="col" class="number">stock</th><th scope="col" class="number">ptxpasses</th><th scope="col" class="number" title="${title}">change</th></tr></thead>`;
    const table = (what, rows) => (rows.length === 0 ? "" : `<div class="scroll"><table>${heads(what, "in percent of stock's time")}<tbody>${rows.join("")}</tbody></table></div>`);
    const places = (side, index) => {
      const lines = sass[index === 0 ? "stock" : "ours"];
      const line = ([at, taken, cause]) => `<tr><td class="number">${percent(taken / side.cycles)}</td><td><a href="#/${current.number}/links/${index}:1:${at}" title="its PTX">${lines.numbers[at].toString(16).padStart(4, "0")}</a> <code>${escape(lines.lines[at].trim())}</code></td><td>${escape(overview.causes[cause])}</td></tr>`;
      return `<div class="scroll"><table><thead><tr><th scope="col" class="number">time</th><th scope="col">${names[index]}: the instructions before which most of it passes</th><th scope="col">mainly</th></tr></thead><tbody>${side.places.map(line).join("")}</tbody></table></div>`;
    };
    return `<details id="time" ${small.matches ? "" : "open"}><summary>${escape(time.text)}</summary>
      <p class="quiet">${escape(time.bounds)} Cycles are those of a multiprocessor for a block, as predicted; what a bar lacks is time in which a scheduler has no warp.</p>
      <div class="sides">${time.sides.map(bar).join("")}</div>
      <div class="tables">${table("Cause", causes)}${table("Loop", loops)}</div>
      <div class="tables">${time.sides.map(places).join("")}</div></details>`;
  }

  // Listings.

  const small = matchMedia("(max-width: 700px)");
  const view = { one: null, changes: false };
  const isOne = () => (view.one == null ? small.matches : view.one);

  /** The rows of a comparison: the index of each side's line, or -1, and how they differ. */
  function rowsOf(both) {
    const rows = [];
    const names = (line) => line.replace(/\/\/.*/, "").replace(/\s+/g, " ").trim();
    for (const hunk of both.hunks) {
      const [[stock, stockCount], [ours, oursCount]] = [hunk.stock, hunk.ours];
      for (let i = 0; i < Math.max(stockCount, oursCount); i += 1) {
        const [l, r] = [i < stockCount ? stock + i : -1, i < oursCount ? ours + i : -1];
        let kind = "changed";
        if (hunk.same) kind = names(both.stock.lines[l]) === names(both.ours.lines[r]) ? "same" : "named";
        else if (l < 0) kind = "added";
        else if (r < 0) kind = "removed";
        rows.push({ l, r, kind });
      }
    }
    return rows;
  }

  const isDifferent = (row) => row.kind !== "same" && row.kind !== "named";
  const opcode = (line) => (line.trim().match(/^(@!?%?\w+\s+)?([\w.:$]+)/) || [])[2];

  // The words of a line: comments, names, numbers, single characters.
  const wordsOf = (line) => line.match(/\/\/.*|[\w$%.]+|\s+|[^\w$%.\s]/g) || [];
  const flow = /^(?:bra|brx|call|ret|exit|trap|bar|barrier|BRA|BRX|JMP|CALL|RET|EXIT|BSYNC|BSSY|WARPSYNC|BAR|YIELD|KILL)\b/;
  const memory = /^(?:u?ld|st|atom|red|cp|prefetch|tex|tld4|suld|sust|mbarrier|wgmma|LD|ST|ATOM|RED|CCTL|MEMBAR|TEX|TLD|SULD|SUST|UBLKCP|UTMA)/;

  /**
   * The classes that color the words. In a statement, the first word that is neither a label nor a
   * predicate is the opcode.
   */
  function classesOf(words) {
    let isFirst = true;
    let guard = false;
    return words.map((word, at) => {
      if (word.startsWith("//")) return "note";
      if (!word.trim()) return "";
      if (word === "@") guard = true;
      if (/^(?:\$L|\.L_)/.test(word)) return "label";
      if (/^(?:%\w|U?[RP](?:\d|Z|T\b))/.test(word)) {
        guard = false;
        return "register";
      }
      if (/^\d/.test(word)) return "number";
      if (!isFirst || guard || !/^[\w.]/.test(word) || words[at + 1] === ":") return "";
      isFirst = false;
      if (word.startsWith(".")) return "directive";
      return flow.test(word) ? "flow" : memory.test(word) ? "memory" : "opcode";
    });
  }

  function painted(words, isMarked) {
    const classes = classesOf(words);
    return words.map((word, index) => {
      const text = classes[index] ? `<b class="${classes[index]}">${escape(word)}</b>` : escape(word);
      return isMarked && word.trim() && isMarked(word, index) ? `<mark>${text}</mark>` : text;
    }).join("");
  }

  /** Both lines; the words that only one of them has are marked. */
  function marked(old, now) {
    const [a, b] = [wordsOf(old), wordsOf(now)];
    if (a.length !== b.length || opcode(old) !== opcode(now)) return [painted(a), painted(b)];
    return [painted(a, (word, index) => word !== b[index]), painted(b, (word, index) => word !== a[index])];
  }

  const timesText = (remark) => (remark.count === 1 ? "" : `, ${grouped(remark.count)} times`);

  /** The loop depth of each line of a listing. */
  function depthsOf(text) {
    const depths = new Uint8Array(text.lines.length);
    for (const { parts } of text.loops) for (const [first, last] of parts) for (let line = first; line <= last; line += 1) depths[line] += 1;
    return depths;
  }

  const baseName = (name) => name.split("/").pop();

  function placeLink(place) {
    if (!place || place[0] === 0) return "";
    const source = overview.sources[place[0] - 1];
    const label = `${baseName(source.name)}:${place[1]}`;
    if (!source.embedded) return `<span class="at quiet" title="${escape(source.name)}: its text was not found">${escape(label)}</span>`;
    return `<a class="at" href="#/${current.number}/source/${place[0]}:${place[1]}" title="${escape(source.name)}">${escape(label)}</a>`;
  }

  function renderListing(panel, key, place) {
    const both = current.detail[key];
    const rows = current.rows[key] || (current.rows[key] = rowsOf(both));
    const one = isOne();
    const count = (kind) => rows.filter((row) => row.kind === kind).length;
    const differences = differenceStarts(rows);
    panel.innerHTML = `
      <div class="chart"><h3>Live registers along the ${key === "ptx" ? "PTX, in registers of 32 bits" : "SASS"}</h3><div class="plot" role="img"></div></div>
      <div class="bar">
        <button type="button" id="one" aria-pressed="${one}">one column</button>
        <button type="button" id="changes" aria-pressed="${view.changes}">only differences</button>
        <button type="button" id="earlier">previous difference</button>
        <button type="button" id="later">next difference</button>
        <span class="quiet">${differences.length} place${differences.length === 1 ? "" : "s"}: ${count("changed")} lines changed, ${count("removed")} gone, ${count("added")} new; ${count("named")} the same except for names of registers and labels; ${loopText(both)}</span>
      </div>
      ${key === "sass" ? mixTable(both) : ""}
      <div class="listing ${one ? "one" : ""}" role="group" aria-label="${key === "ptx" ? "PTX" : "SASS"} of stock and ptxpasses"><div class="heads"><span>stock</span><span>ptxpasses</span></div></div>`;
    const listing = panel.querySelector(".listing");
    if (rows.length === 0) listing.innerHTML = '<p class="quiet">There is no listing.</p>';
    byId("one").addEventListener("click", () => {
      view.one = !isOne();
      showKernel(current.number, key, null);
    });
    byId("changes").addEventListener("click", () => {
      view.changes = !view.changes;
      showKernel(current.number, key, null);
    });
    byId("later").addEventListener("click", () => stepDifference(1));
    byId("earlier").addEventListener("click", () => stepDifference(-1));
    fillListing(listing, both, rows, key, one, place);
    addPressure(panel.querySelector(".plot"), both, rows);
  }

  /** The matching loops of stock and ours, by number from 1 on, or -1; 0 is the whole kernel. */
  function loopPairs(both) {
    const { stock, ours } = both;
    const oursOf = new Map(both.hunks.filter((hunk) => hunk.same).flatMap((hunk) => Array.from({ length: hunk.stock[1] }, (_, i) => [hunk.stock[0] + i, hunk.ours[0] + i])));
    // With equally many loops they match in order. Otherwise a loop matches the one whose header
    // line is matched with its own.
    const rows = [[0, 0]];
    const free = new Set(ours.loops.keys());
    stock.loops.forEach((one, index) => {
      const other = stock.loops.length === ours.loops.length ? index : [...free].find((i) => ours.loops[i].head === oursOf.get(one.head));
      free.delete(other);
      rows.push([index + 1, other === undefined ? -1 : other + 1]);
    });
    for (const index of free) rows.push([-1, index + 1]);
    return rows;
  }

  const loopOf = ({ stock, ours }, [old, now]) => (now < 0 ? stock.loops[old - 1] : ours.loops[now - 1]);

  /** The name of a pair of loops, by the address of ours. */
  function loopName(both, pair) {
    const side = pair[1] < 0 ? both.stock : both.ours;
    const one = loopOf(both, pair);
    const address = side.numbers.find((number, line) => line >= one.head && side.live[line] >= 0);
    return `loop at ${address.toString(16).padStart(4, "0")}${pair[1] < 0 ? " of stock" : ""}, depth ${one.depth}`;
  }

  /** The instructions by pipe, of the kernel and of each loop. */
  function mixTable(both) {
    const { stock, ours } = both;
    const used = overview.pipes.map((_, pipe) => pipe).filter((pipe) => stock.mixes[0][pipe] + ours.mixes[0][pipe] > 0);
    const rows = loopPairs(both);
    const cell = (values) => {
      const known = values.filter((value) => value != null);
      const differ = known.length === 2 && known[0] !== known[1];
      const text = known.length < 2 ? `${values.map((value) => value ?? "–").join(" → ")}` : differ ? known.join(" → ") : known[0] || "";
      return `<td class="number ${differ ? "diff" : ""}">${text}</td>`;
    };
    const sum = (mix) => mix && mix.reduce((a, b) => a + b, 0);
    const row = ([old, now]) => {
      const one = loopOf(both, [old, now]);
      const name = one ? loopName(both, [old, now]) : "kernel";
      const mixes = [stock.mixes[old], ours.mixes[now]];
      return `<tr><th scope="row" style="padding-left:${0.6 + (one ? one.depth : 0)}em">${name}</th>${cell(mixes.map(sum))}${used.map((pipe) => cell(mixes.map((mix) => mix && mix[pipe]))).join("")}</tr>`;
    };
    const heads = used.map((pipe) => `<th scope="col" class="number" title="${escape(overview.pipes[pipe][1])}">${escape(overview.pipes[pipe][0])}</th>`);
    return `<details class="mix" ${rows.length <= 6 && !small.matches ? "open" : ""}><summary>Instructions by pipe, of the kernel and its loops</summary>
      <div class="scroll"><table><thead><tr><th scope="col">Where</th><th scope="col" class="number">all</th>${heads.join("")}</tr></thead><tbody>${rows.map(row).join("")}</tbody></table></div></details>`;
  }

  /** The number of loops, and their depth. */
  function loopText(both) {
    const [stock, ours] = [both.stock, both.ours].map((side) => {
      const count = side.loops.length;
      return count === 0 ? "no loop" : `${count} loop${count === 1 ? "" : "s"}, ${maxOf(side.loops.map((one) => one.depth))} deep`;
    });
    return stock === ours ? stock : `${stock} → ${ours}`;
  }

  /** The first rows of the parts that differ. */
  const differenceStarts = (rows) => rows.flatMap((row, index) => (isDifferent(row) && !(index > 0 && isDifferent(rows[index - 1])) ? [index] : []));

  const context = 3;
  const chunkSize = 250;

  function fillListing(listing, both, rows, key, one, place) {
    const most = Math.max(1, maxOf(both.stock.live), maxOf(both.ours.live));
    const notes = key === "ptx" ? remarkRows(both, rows) : new Map();
    const loops = { stock: depthsOf(both.stock), ours: depthsOf(both.ours) };
    const sources = current.detail.sass;
    const compiled = { stock: new Set(sources.stock.ptx), ours: new Set(sources.ours.ptx) };
    const isLinked = (side, index) => (key === "sass" ? sources[side].ptx[index] >= 0 : compiled[side].has(index));
    const cell = (side, index, text, differs) => {
      if (index < 0) return `<span class="cell ${side}"></span>`;
      const lines = both[side];
      const live = lines.live[index];
      const number = key === "sass" ? (lines.live[index] < 0 ? "" : lines.numbers[index].toString(16).padStart(4, "0")) : lines.numbers[index];
      const pressure = live < 0 ? "" : live;
      const title = live < 0 ? "" : ` title="${live} live registers, ${Math.max(lines.predicates[index], 0)} predicates"`;
      const depth = loops[side][index];
      const loop = depth > 0 ? ` title="in ${depth} loop${depth === 1 ? "" : "s"}" style="--d:${Math.min(depth, 4)}"` : "";
      return `<span class="cell ${side}${differs ? " differs" : ""}">${isLinked(side, index) ? `<a class="no" href="#/${current.number}/links/${side === "stock" ? 0 : 1}:${key === "ptx" ? 0 : 1}:${index}" title="PTX and SASS that belong together">${number}</a>` : `<i class="no">${number}</i>`}<i class="loop"${loop}></i><i class="live" style="--w:${live < 0 ? 0 : Math.round((90 * live) / most)}%"${title}>${pressure}</i><code>${text}</code>${placeLink(lines.places[index])}</span>`;
    };
    const wanted = place && place.split(":").map(Number);
    const isLit = (row) => wanted && [["stock", row.l], ["ours", row.r]].some(([side, index]) => index >= 0 && both[side].places[index] && both[side].places[index][0] === wanted[0] && both[side].places[index][1] === wanted[1]);
    const remark = (index) => {
      const here = notes.get(index) || [];
      const text = here.map((r) => `<div class="remark"><b>${escape(r.pass)}</b> ${escape(r.kind)}${timesText(r)}: ${escape(r.text)}</div>`).join("");
      return here.length > 2 ? `<details class="remark"><summary>${here.length} remarks${here.some((r) => r.places.length === 0) ? " of the function" : ""}</summary>${text}</details>` : text;
    };
    const draw = (index) => {
      const row = rows[index];
      const [old, now] = [row.l < 0 ? "" : both.stock.lines[row.l], row.r < 0 ? "" : both.ours.lines[row.r]];
      const [left, right] = row.kind === "changed" ? marked(old, now) : [painted(wordsOf(old)), painted(wordsOf(now))];
      const classes = `row ${row.kind}${isLit(row) ? " lit" : ""}`;
      if (!one) return `<div class="${classes}" id="row-${index}">${cell("stock", row.l, left)}${cell("ours", row.r, right)}</div>${remark(index)}`;
      if (!isDifferent(row)) return `<div class="${classes}" id="row-${index}">${cell("ours", row.r, right)}</div>${remark(index)}`;
      const parts = (row.l < 0 ? "" : cell("stock", row.l, left, true)) + (row.r < 0 ? "" : cell("ours", row.r, right, true));
      return `<div class="${classes}" id="row-${index}">${parts}</div>${remark(index)}`;
    };
    // The pieces to draw: rows, or ranges of rows that are folded away.
    const pieces = view.changes ? folded(rows) : rows.map((_, index) => index);
    const mine = filling;
    let next = 0;
    isFilled = pieces.length === 0;
    const fill = (deadline) => {
      if (mine !== filling || !listing.isConnected) return;
      do {
        const chunk = document.createElement("div");
        chunk.className = "chunk";
        const part = pieces.slice(next, next + chunkSize);
        chunk.style.containIntrinsicSize = `auto ${18 * part.length}px`;
        chunk.innerHTML = part.map((piece) => (typeof piece === "number" ? draw(piece) : `<button type="button" class="fold" data-from="${piece[0]}" data-to="${piece[1]}">… ${piece[1] - piece[0]} lines that are the same</button>`)).join("");
        listing.append(chunk);
        next += chunkSize;
      } while (next < pieces.length && deadline && deadline.timeRemaining() > 5);
      if (next < pieces.length) (window.requestIdleCallback || ((f) => setTimeout(f, 15)))(fill);
      else isFilled = true;
    };
    if (pieces.length > 0) fill(null);
    listing.addEventListener("click", (event) => {
      const fold = event.target.closest(".fold");
      if (!fold) return;
      const [from, to] = [Number(fold.dataset.from), Number(fold.dataset.to)];
      fold.outerHTML = Array.from({ length: to - from }, (_, i) => draw(from + i)).join("");
    });
    if (wanted) {
      const first = rows.findIndex(isLit);
      if (first >= 0) scrollToRow(first);
    }
  }

  /** Rows near a difference, and `[from, to]` for the others. */
  function folded(rows) {
    const near = new Uint8Array(rows.length);
    rows.forEach((row, index) => {
      if (isDifferent(row)) near.fill(1, Math.max(0, index - context), index + context + 1);
    });
    const pieces = [];
    for (let index = 0; index < rows.length; ) {
      let end = index;
      while (end < rows.length && !near[end]) end += 1;
      if (end > index) pieces.push([index, end]);
      if (end < rows.length) pieces.push(end);
      index = end + 1;
    }
    return pieces;
  }

  /**
   * The remarks by the row after which they are shown: the first row of their place in the source,
   * or the first row at all.
   */
  function remarkRows(both, rows) {
    const notes = new Map();
    for (const remark of current.detail.remarks) {
      const has = (place) => (row) => row.r >= 0 && both.ours.places[row.r] && both.ours.places[row.r][0] === place[0] && both.ours.places[row.r][1] === place[1];
      const found = remark.places.map((place) => rows.findIndex(has(place))).filter((at) => at >= 0);
      for (const row of found.length > 0 ? new Set(found) : [rows.findIndex((r) => r.r >= 0)]) {
        if (!notes.has(row)) notes.set(row, []);
        notes.get(row).push(remark);
      }
    }
    return notes;
  }

  /** Scrolls to a row as soon as it is drawn; unfolds it if needed. */
  function scrollToRow(index) {
    const mine = filling;
    const show = () => {
      if (mine !== filling) return;
      const fold = [...document.querySelectorAll(".fold")].find(({ dataset }) => Number(dataset.from) <= index && index < Number(dataset.to));
      if (fold) fold.click();
      const row = byId(`row-${index}`);
      if (!row) {
        if (!isFilled) setTimeout(show, 50);
        return;
      }
      row.scrollIntoView({ block: "center" });
      for (const other of document.querySelectorAll(".row[aria-current]")) {
        other.removeAttribute("aria-current");
        if (!location.hash.includes(":")) other.classList.remove("lit");
      }
      row.setAttribute("aria-current", "true");
      row.classList.add("lit");
      setTimeout(() => current && current.tab !== "source" && !location.hash.includes(":") && row.classList.remove("lit"), 1500);
    };
    show();
  }

  /** Shows a message at the foot of the page, until the reader goes on. */
  function say(text) {
    byId("said").textContent = text;
    byId("said").hidden = text === "";
  }

  let lastDifference = -1;

  function stepDifference(step) {
    const rows = current.rows[current.tab];
    if (current.tab !== "ptx" && current.tab !== "sass") return say("Differences are marked in the listings: press 1 for PTX, 2 for SASS.");
    if (rows.length === 0) return say("There is no listing.");
    const starts = differenceStarts(rows);
    if (starts.length === 0) {
      const isNamed = rows.some((row) => row.kind === "named");
      return say(`No differences: the ${current.tab.toUpperCase()} of both sides is the same${isNamed ? ", except for names of registers and labels" : ""}.`);
    }
    if (current.stepping !== current.tab) {
      current.stepping = current.tab;
      lastDifference = step > 0 ? -1 : 0;
    }
    lastDifference = (lastDifference + step + starts.length) % starts.length;
    say(`Difference ${lastDifference + 1} of ${starts.length}`);
    scrollToRow(starts[lastDifference]);
  }

  function addPressure(element, both, rows) {
    const column = (side, index, values) => rows.map((row) => (row[index] < 0 || both[side][values][row[index]] < 0 ? null : both[side][values][row[index]]));
    const most = (side) => maxOf(both[side].live);
    element.setAttribute("aria-label", `Live registers: at most ${most("stock")} in stock, ${most("ours")} in ptxpasses`);
    const line = (label, name, dash) => ({ label, stroke: color(name), width: 1.5, dash, spanGaps: true, paths: uPlot.paths.stepped({ align: 1 }), points: { show: false } });
    const data = [rows.map((_, index) => index), column("stock", "l", "live"), column("ours", "r", "live"), column("stock", "l", "predicates"), column("ours", "r", "predicates")];
    addChart(element, 180, (axis) => ({
      options: {
        scales: { x: { time: false }, y: { range: (u, low, high) => [0, Math.max(high ?? 1, 1) * 1.08] } },
        axes: [{ ...axis, size: 26, incrs: whole }, { ...axis, size: 36, incrs: whole }],
        series: [{ label: "row" }, line("stock", "stock"), line("ptxpasses", "ours"), { ...line("predicates, stock", "stock", [3, 3]), show: false }, { ...line("predicates, ptxpasses", "ours", [3, 3]), show: false }],
        plugins: [hint((index) => {
          const [l, r] = [rows[index].l, rows[index].r];
          return r >= 0 ? both.ours.lines[r].trim() : both.stock.lines[l].trim();
        }, (index) => scrollToRow(index))],
      },
      data,
    }));
  }

  // PTX and ptxas' SASS for it.

  let linkedSide = "ours";

  /** `place`: side (0 stock), text (0 PTX) and line. */
  function renderLinks(panel, key, place) {
    const wanted = place ? place.split(":").map(Number) : null;
    if (wanted) linkedSide = wanted[0] === 0 ? "stock" : "ours";
    const texts = [current.detail.ptx[linkedSide], current.detail.sass[linkedSide]];
    const fromPtx = new Map();
    texts[1].ptx.forEach((line, index) => {
      if (line < 0) return;
      if (!fromPtx.has(line)) fromPtx.set(line, []);
      fromPtx.get(line).push(index);
    });
    const linesOf = [(line) => [[line], fromPtx.get(line) || []], (line) => (texts[1].ptx[line] < 0 ? [[], [line]] : [[texts[1].ptx[line]], fromPtx.get(texts[1].ptx[line])])];
    const count = texts[1].ptx.filter((line) => line >= 0).length;
    const button = (side, label) => `<button type="button" data-side="${side}" aria-pressed="${side === linkedSide}">${label}</button>`;
    panel.innerHTML = `<div class="bar">${button("stock", "stock")}${button("ours", "ptxpasses")}<span class="quiet">${grouped(count)} instructions of SASS come from ${grouped(fromPtx.size)} lines of PTX, as ptxas says. Point at a line to see what belongs to it; a click brings it into view.</span></div>
      <div class="linked">${["PTX", "SASS"].map((name, kind) => `<div class="listing pane" data-kind="${kind}" role="group" tabindex="0" aria-label="${name}"><div class="heads"><span>${name}</span></div></div>`).join("")}</div>`;
    const panes = [...panel.querySelectorAll(".pane")];
    const depths = texts.map(depthsOf);
    const draw = (kind, index) => {
      const text = texts[kind];
      const source = kind === 0 ? (fromPtx.has(index) ? index : -1) : text.ptx[index];
      const number = kind === 0 ? text.numbers[index] : text.live[index] < 0 ? "" : text.numbers[index].toString(16).padStart(4, "0");
      const made = kind === 0 && source >= 0 ? `<i class="made" title="instructions of SASS">${fromPtx.get(index).length}</i>` : "";
      return `<div class="row" id="link-${kind}-${index}" data-line="${index}"><span class="cell${source < 0 ? "" : " has"}" style="--h:${(source * 67) % 360}"><i class="no">${number}</i><i class="loop" style="--d:${Math.min(depths[kind][index], 4)}"></i><code>${painted(wordsOf(text.lines[index]))}</code>${made}</span></div>`;
    };
    const mine = filling;
    const next = [0, 0];
    const isLeft = () => next.some((at, kind) => at < texts[kind].lines.length);
    isFilled = false;
    const fill = (deadline) => {
      if (mine !== filling || !panel.isConnected) return;
      do {
        panes.forEach((pane, kind) => {
          const indices = Array.from({ length: Math.max(0, Math.min(chunkSize, texts[kind].lines.length - next[kind])) }, (_, i) => next[kind] + i);
          if (indices.length === 0) return;
          const chunk = document.createElement("div");
          chunk.innerHTML = indices.map((index) => draw(kind, index)).join("");
          pane.append(chunk);
          next[kind] += indices.length;
        });
      } while (isLeft() && deadline && deadline.timeRemaining() > 5);
      isFilled = !isLeft();
      if (!isFilled) (window.requestIdleCallback || ((f) => setTimeout(f, 15)))(fill);
    };
    fill(null);
    /** Marks the lines that belong to a line. */
    const mark = (kind, line, name) => {
      for (const row of panel.querySelectorAll(`.row.${name}`)) row.classList.remove(name);
      linesOf[kind](line).forEach((lines, other) => lines.forEach((index) => byId(`link-${other}-${index}`)?.classList.add(name)));
    };
    const reveal = (kind, line) => {
      if (mine !== filling || line === undefined) return;
      const row = byId(`link-${kind}-${line}`);
      if (row) panes[kind].scrollTop = row.offsetTop - panes[kind].clientHeight / 3;
      else if (!isFilled) setTimeout(() => reveal(kind, line), 50);
    };
    const at = (event) => {
      const row = event.target.closest(".row");
      return row && [Number(row.closest(".pane").dataset.kind), Number(row.dataset.line)];
    };
    panel.querySelector(".linked").addEventListener("mouseover", (event) => {
      const found = at(event);
      if (found) mark(...found, "lit");
    });
    panel.querySelector(".linked").addEventListener("click", (event) => {
      const found = at(event);
      if (!found) return;
      mark(...found, "chosen");
      reveal(1 - found[0], linesOf[found[0]](found[1])[1 - found[0]][0]);
    });
    panel.querySelector(".bar").addEventListener("click", (event) => {
      const { side } = event.target.dataset;
      if (!side) return;
      linkedSide = side;
      if (location.hash === `#/${current.number}/links`) showKernel(current.number, key, null);
      else openKernel(current.number, key);
    });
    if (wanted) {
      const [, kind, line] = wanted;
      const other = linesOf[kind](line)[1 - kind];
      // They are marked when everything is drawn.
      const choose = () => {
        if (mine !== filling) return;
        if (isFilled) mark(kind, line, "chosen");
        else setTimeout(choose, 50);
      };
      choose();
      reveal(kind, line);
      reveal(1 - kind, other[0]);
    }
  }

  // Live ranges.

  function renderRanges(panel) {
    const { ranges, drawing, ptx } = current.detail;
    panel.innerHTML = `<p class="quiet">The virtual registers of the PTX, in the order in which they begin to live; each line is one, from where it is written to where it is read last. Drag to zoom, double-click to go back.</p>
      ${["stock", "ours"].map((side) => `<div class="chart"><h3>${side === "stock" ? "stock" : "ptxpasses"}: ${grouped(ranges[side].names.length)} registers</h3><div class="plot" id="ranges-${side}" role="img" aria-label="Live ranges of ${ranges[side].names.length} virtual registers"></div></div>`).join("<br>")}
      <p class="quiet"><span style="color:var(--quiet)">■</span> predicates <span style="color:var(--ours)">■</span> up to 32 bits <span style="color:var(--stock)">■</span> 64 bits and more</p>
      ${drawing.title ? `<h2>Before coalescing</h2><p class="quiet">The plugin's machine registers (-ptx-live-ranges draws them, with their values), by number of the instruction; upright lines begin blocks.</p>
      <div class="chart"><h3>${escape(drawing.title)}</h3><div class="plot" id="ranges-before" role="img" aria-label="Live ranges of ${drawing.ranges.names.length} registers before coalescing"></div></div>` : ""}`;
    for (const side of ["stock", "ours"]) addRanges(byId(`ranges-${side}`), ranges[side], ptx[side].lines.length, [], (line) => (ptx[side].lines[line] || "").trim());
    if (drawing.title) {
      const blockOf = (at) => (drawing.blocks.findLast(([, start]) => start <= at) || [""])[0];
      addRanges(byId("ranges-before"), drawing.ranges, drawing.end, drawing.blocks.map(([, start]) => start), blockOf);
    }
  }

  function addRanges(element, ranges, length, starts, textOf) {
    const sorted = ranges.names.map((_, index) => index).sort((a, b) => ranges.ranges[a][0][0] - ranges.ranges[b][0][0] || a - b);
    const lines = Math.max(1, length);
    const height = Math.min(700, Math.max(220, 60 + 4 * sorted.length));
    addChart(element, height, (axis) => {
      const paint = { 1: color("quiet"), 32: color("ours"), 64: color("stock"), line: color("line") };
      const draw = (u) => {
        const { ctx } = u;
        ctx.save();
        ctx.beginPath();
        ctx.rect(u.bbox.left, u.bbox.top, u.bbox.width, u.bbox.height);
        ctx.clip();
        ctx.fillStyle = paint.line;
        for (const start of starts) ctx.fillRect(u.valToPos(start, "x", true), u.bbox.top, 1, u.bbox.height);
        const thick = Math.max(1, Math.abs(u.valToPos(1, "y", true) - u.valToPos(0, "y", true)) * 0.75);
        sorted.forEach((register, at) => {
          const width = ranges.widths[register];
          ctx.fillStyle = paint[width === 1 ? 1 : width <= 32 ? 32 : 64];
          for (const [first, last] of ranges.ranges[register]) {
            const [x, end] = [u.valToPos(first, "x", true), u.valToPos(last + 1, "x", true)];
            ctx.fillRect(x, u.valToPos(at, "y", true) - thick / 2, Math.max(1, end - x), thick);
          }
        });
        ctx.restore();
      };
      const under = (u) => {
        const [line, at] = [Math.floor(u.posToVal(u.cursor.left, "x")), Math.round(u.posToVal(u.cursor.top, "y"))];
        const register = sorted[at];
        const word = register === undefined ? "" : `${ranges.names[register]}, ${ranges.widths[register]} bits\n`;
        u.over.title = `${word}${textOf(line)}`;
      };
      return {
        options: {
          legend: { show: false },
          cursor: { drag: { x: true, y: true, uni: 20 } },
          scales: { x: { time: false, range: (u, low, high) => (low == null || (low === 0 && high === lines) ? [0, lines] : [low, high]) }, y: { range: (u, low, high) => (low == null || (low === 0 && high === 1) ? [sorted.length, -1] : [Math.max(low, high), Math.min(low, high)]), dir: 1 } },
          axes: [{ ...axis, size: 26, incrs: whole }, { ...axis, size: 40, show: false }],
          series: [{}, { points: { show: false }, stroke: "transparent" }],
          hooks: { draw: [draw], setCursor: [under] },
        },
        data: [[0, lines], [0, 1]],
      };
    });
  }

  // Stages, remarks, source.

  /** The lines after some edits. */
  function edited(lines, edits) {
    const out = [];
    let at = 0;
    for (const [keep, remove, insert] of [...edits, [lines.length, 0, []]]) {
      for (const line of lines.slice(at, at + keep)) out.push(line);
      for (const line of insert) out.push(line);
      at += keep + remove;
    }
    return out;
  }

  /** The code that the last stage before this one has left, and the code before this stage. */
  function codeBefore(stages, index) {
    const mine = stages.slice(0, index + 1).filter((stage) => stage.function === stages[index].function && stage.changes);
    let left = [];
    for (const stage of mine.slice(0, -1)) left = edited(edited(left, stage.between || []), stage.changes);
    return [left, edited(left, stages[index].between || [])];
  }

  /** The code after a stage, and its changes. */
  function stageCode(stages, index) {
    const [left, before] = codeBefore(stages, index);
    const rows = [];
    const put = (kind, lines) => lines.forEach((line) => rows.push({ kind, line }));
    let at = 0;
    for (const [keep, remove, insert] of [...stages[index].changes, [before.length, 0, []]]) {
      put("same", before.slice(at, at + keep));
      put("removed", before.slice(at + keep, at + keep + remove));
      put("added", insert);
      at += keep + remove;
    }
    const count = (kind) => rows.filter((row) => row.kind === kind).length;
    const others = (stages[index].between || []).reduce((sum, [, remove, insert]) => sum + remove + insert.length, 0);
    const element = document.createElement("div");
    element.innerHTML = `<p class="quiet">The code after ${escape(stages[index].name)}: ${grouped(count("removed"))} lines gone, ${grouped(count("added"))} new.${left.length > 0 && others > 0 ? ` LLVM's own passes have changed ${grouped(others)} lines since the step before.` : ""}</p><div class="listing one" role="group" aria-label="Machine code after ${escape(stages[index].name)}"></div>`;
    const draw = ({ kind, line }) => `<div class="row ${kind}"><span class="cell ${kind === "removed" ? "stock" : "ours"}${kind === "same" ? "" : " differs"}"><code>${escape(line)}</code></span></div>`;
    const listing = element.querySelector(".listing");
    listing.innerHTML = folded(rows).map((piece) => (typeof piece === "number" ? draw(rows[piece]) : `<button type="button" class="fold" data-from="${piece[0]}" data-to="${piece[1]}">… ${piece[1] - piece[0]} lines that are the same</button>`)).join("");
    listing.addEventListener("click", (event) => {
      const fold = event.target.closest(".fold");
      if (fold) fold.outerHTML = rows.slice(Number(fold.dataset.from), Number(fold.dataset.to)).map(draw).join("");
    });
    return element;
  }

  function renderStages(panel) {
    const { stages } = current.detail;
    const columns = 4 + (new Set(stages.map((stage) => stage.function)).size > 1 ? 1 : 0);
    const most = Math.max(1, maxOf(stages.map((stage) => stage.nanoseconds)));
    let before = null;
    let last = "";
    const several = new Set(stages.map((stage) => stage.function)).size > 1;
    const row = (stage, index) => {
      if (stage.function !== last) before = null;
      last = stage.function;
      const delta = before == null ? "" : stage.instructions - before;
      before = stage.instructions;
      const time = (stage.nanoseconds / 1000).toFixed(0);
      const change = `<span class="change">${delta === "" || delta === 0 ? "" : `${delta > 0 ? "+" : "−"}${Math.abs(delta)}`}</span>`;
      const counts = stage.counts.map(([name, value]) => `<span>${escape(name)} <b>${grouped(value)}</b></span>`).join("");
      return `<tr>${several ? `<td>${escape(stage.function)}</td>` : ""}<th scope="row">${stage.changes ? `<button type="button" data-stage="${index}" aria-expanded="false" title="the code after it">${escape(stage.name)}</button>` : escape(stage.name)}</th><td class="number" style="background:linear-gradient(to left, var(--word-added) ${Math.round((80 * stage.nanoseconds) / most)}%, transparent 0)">${grouped(Number(time))} µs</td><td class="number">${grouped(stage.instructions)} ${change}</td><td><div class="chips">${counts}</div></td></tr>`;
    };
    panel.innerHTML = `<p class="quiet">What each pass and stage of ptxpasses did, in their order; counts of zero are left out. Instructions: before the pass and its stages; those that the emitter makes. A name that is a button shows the machine code after it.</p>
      <div class="scroll"><table><thead><tr>${several ? "<th>Function</th>" : ""}<th>Pass or stage</th><th class="number">Time</th><th class="number">Instructions</th><th>Counts</th></tr></thead><tbody>${stages.map(row).join("")}</tbody></table></div>`;
    panel.querySelector("tbody").addEventListener("click", (event) => {
      const button = event.target.closest("[data-stage]");
      if (!button) return;
      const isOpen = button.getAttribute("aria-expanded") === "true";
      button.setAttribute("aria-expanded", String(!isOpen));
      const line = button.closest("tr");
      if (isOpen) return line.nextElementSibling.remove();
      const cell = document.createElement("td");
      cell.colSpan = columns;
      cell.append(stageCode(stages, Number(button.dataset.stage)));
      const code = document.createElement("tr");
      code.append(cell);
      line.after(code);
    });
  }

  function renderRemarks(panel) {
    const { remarks } = current.detail;
    const where = ({ places }) => {
      const links = places.slice(0, 8).map(placeLink).join(" ");
      return links === "" ? '<span class="quiet">–</span>' : places.length > 8 ? `${links} and ${places.length - 8} more` : links;
    };
    const row = (remark) => `<tr><td>${where(remark)}</td><td class="number">${remark.count === 1 ? "" : `${grouped(remark.count)} ×`}</td><td>${escape(remark.pass)}</td><td>${escape(remark.kind)}</td><td>${escape(remark.text)}</td></tr>`;
    panel.innerHTML = remarks.length === 0
      ? '<p class="quiet">The plugin made no remark.</p>'
      : `<p class="quiet">They stand in the PTX as well, where debug information says where they belong. Remarks that are equal but for the numbers of registers are one.</p>
      <div class="scroll"><table><thead><tr><th>Where</th><th class="number">Times</th><th>Pass</th><th>Kind</th><th>Remark</th></tr></thead><tbody>${remarks.map(row).join("")}</tbody></table></div>`;
  }

  async function renderSource(panel, key, place) {
    const { detail, number } = current;
    const used = new Map();
    for (const [kind, side] of [["ptx", "stock"], ["ptx", "ours"], ["sass", "stock"], ["sass", "ours"]]) {
      const lines = detail[kind][side];
      lines.places.forEach(([file, line], index) => {
        if (file === 0 || lines.live[index] < 0) return;
        if (!used.has(file)) used.set(file, new Map());
        const counts = used.get(file);
        if (!counts.has(line)) counts.set(line, { ptx: { stock: 0, ours: 0 }, sass: { stock: 0, ours: 0 } });
        counts.get(line)[kind][side] += 1;
      });
    }
    const [wantedFile, wantedLine] = place ? place.split(":").map(Number) : [0, 0];
    const files = [...used.keys()].sort((a, b) => a - b);
    const mine = filling;
    const texts = await Promise.all(files.map((file) => (overview.sources[file - 1].embedded ? unpack(`source-${file}`) : null)));
    if (mine !== filling) return;
    const counted = (counts, kind) => {
      if (!counts) return '<td class="number"></td>';
      const { stock, ours } = counts[kind];
      return `<td class="number ${stock === ours ? "" : "diff"}">${stock === ours ? (stock === 0 ? "" : stock) : `${stock} → ${ours}`}</td>`;
    };
    const table = (file, text) => {
      const name = escape(overview.sources[file - 1].name);
      const counts = used.get(file);
      // For a file without text, only the lines that code comes from are shown.
      const lines = text == null ? [...counts.keys()].sort((a, b) => a - b).map((line) => [line, "text not found"]) : text.replace(/\n$/, "").split("\n").map((line, index) => [index + 1, line]);
      const row = ([line, words]) => {
        const label = counts.has(line) ? `<a href="#/${number}/ptx/${file}:${line}">${line}</a>` : line;
        const lit = file === wantedFile && line === wantedLine ? ' class="lit"' : "";
        return `<tr id="source-${file}-${line}"${lit}><td class="number">${label}</td>${counted(counts.get(line), "ptx")}${counted(counts.get(line), "sass")}<td><code>${escape(words)}</code></td></tr>`;
      };
      return `<h2>${name}</h2><div class="scroll source"><table><thead><tr><th>Line</th><th class="number">PTX</th><th class="number">SASS</th><th>Source</th></tr></thead><tbody>${lines.map(row).join("")}</tbody></table></div>`;
    };
    panel.innerHTML = `<p class="quiet">How many instructions come from each line: stock → ptxpasses. A line's number leads to its PTX.</p>${files.map((file, index) => table(file, texts[index])).join("")}`;
    if (place) {
      const row = byId(`source-${wantedFile}-${wantedLine}`);
      if (row) row.scrollIntoView({ block: "center" });
    }
  }

  // Where the reader is.

  function showHome() {
    filling += 1;
    say("");
    const from = current && current.number;
    current = null;
    dropChartsIn(byId("kernel"));
    byId("kernel").hidden = true;
    byId("kernel").replaceChildren();
    byId("home").hidden = false;
    document.title = homeTitle;
    const link = document.querySelector(`#kernels tr[data-kernel="${from}"] a`);
    if (link) link.focus();
    redrawCharts();
  }

  const homeTitle = document.title;

  let routed = null;

  function route() {
    if (routed === location.hash) return;
    routed = location.hash;
    asked += 1;
    const [, number, tab, place] = routed.match(/^#\/(\d+)(?:\/(\w+))?(?:\/([\d:]+))?$/) || [];
    if (number === undefined) showHome();
    showing = number === undefined ? Promise.resolve() : showKernel(Number(number), tab || "ptx", place || null).catch(trouble);
  }

  function trouble(error) {
    const words = typeof DecompressionStream === "undefined" ? "This browser cannot unpack the page's data: it needs Chrome 80, Firefox 113 or Safari 16.4, or newer." : `The page cannot be shown: ${error.message}`;
    byId("trouble").textContent = words;
    byId("trouble").hidden = false;
  }

  function move(step) {
    if (current) {
      const next = order[order.indexOf(current.number) + step];
      if (next !== undefined) openKernel(next, current.tab);
      return;
    }
    const links = [...document.querySelectorAll("#kernels tbody th a")];
    const at = links.indexOf(document.activeElement);
    const next = links[Math.min(links.length - 1, Math.max(0, at < 0 ? 0 : at + step))];
    if (next) next.focus();
  }

  function onKey(event) {
    const isTyping = /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName);
    if (event.ctrlKey || event.metaKey || event.altKey || byId("help").open) return;
    if (isTyping) {
      if (event.key === "Escape") event.target.blur();
      return;
    }
    // The browser may not have reported the address yet.
    route();
    // Actions that need the kernel wait until it is shown.
    const step = (to) => showing.then(() => current && stepDifference(to));
    const leave = () => location.hash.length > 2 && go("#/");
    const actions = {
      "/": () => {
        leave();
        byId("filter").focus();
      },
      j: () => showing.then(() => move(1)),
      k: () => showing.then(() => move(-1)),
      n: () => step(1),
      p: () => step(-1),
      t: () => setTheme(themes[(themes.indexOf(theme) + 1) % themes.length]),
      "?": () => byId("help").showModal(),
      Escape: leave,
    };
    if (/^[1-7]$/.test(event.key)) {
      showing.then(() => {
        const tab = current && available()[Number(event.key) - 1];
        if (tab) openKernel(current.number, tab.key);
      });
    } else if (actions[event.key]) {
      event.preventDefault();
      actions[event.key]();
    }
  }

  async function start() {
    overview = await unpack("overview");
    // A predicted time is relative to stock's.
    for (const { predicted, stock, ours } of overview.kernels) if (predicted) [stock.time, ours.time] = [1, predicted.ratio];
    if (!overview.kernels.some((kernel) => kernel.predicted)) metrics.splice(metrics.findIndex((metric) => metric.key === "time"), 1);
    setTheme(stored("ptx-report-theme") || "auto");
    renderVerdicts();
    renderTable();
    byId("kernels").tHead.addEventListener("click", (event) => {
      const button = event.target.closest("[data-sort]");
      if (!button) return;
      const { sort } = button.dataset;
      sorting = { key: sort, down: sorting.key === sort && !sorting.down };
      renderTable();
      document.querySelector(`[data-sort="${sort}"]`).focus();
    });
    byId("verdicts").addEventListener("click", (event) => {
      const button = event.target.closest("[data-verdict]");
      if (!button) return;
      const { verdict } = button.dataset;
      if (!verdictsShown.delete(verdict)) verdictsShown.add(verdict);
      button.setAttribute("aria-pressed", String(verdictsShown.has(verdict)));
      renderTable();
    });
    byId("filter").addEventListener("input", renderTable);
    byId("sort-by").addEventListener("change", renderTable);
    byId("theme").addEventListener("click", () => setTheme(themes[(themes.indexOf(theme) + 1) % themes.length]));
    byId("help-button").addEventListener("click", () => byId("help").showModal());
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", redrawCharts);
    document.addEventListener("keydown", onKey);
    window.addEventListener("hashchange", route);
    // A phone shows the table first.
    byId("charts").open = !small.matches;
    byId("charts").addEventListener("toggle", redrawCharts);
    for (const key of charted) {
      const metric = metrics.find((one) => one.key === key);
      const chart = metric && summaryChart(metric);
      if (!chart) continue;
      byId("charts").querySelector("div").append(chart.card);
      chart.draw();
    }
    route();
  }

  start().catch(trouble);
})();
