// Charts of the ceilings of devices and of how near the kernels come to them.

// Rooflines: GFLOP/s over FLOP per byte. A bandwidth bounds by a slope, arithmetic by a level.
function rooflinePoints(boards) {
  return boards.filter((board) => board.entries.length && board.work.flops > 0 && board.work.bytes > 0).map((board) => {
    const best = board.entries[0], rate = perSecond(board.work.flops, best.us);
    return { board, intensity: board.work.flops / board.work.bytes, rate, kernel: board.kernel,
             tip: `${board.kernel} ${board.problem_text}\n${timeText(best)}: ${formatRate(rate)} GFLOP/s, ` +
               `${formatRate(perSecond(board.work.bytes, best.us))} GB/s` + (board.limit?.cell ? `\nof its limit: ${board.limit.cell}` : "") };
  });
}

// DRAM's roof is its fastest rate: the rate that applies follows from the share that is written, and is each board's own limit.
// The levels drawn are those that bound a board, FP32 and the fastest tensor types, unless they coincide with another.
function roofsOf(device, boards) {
  const dram = device.ceilings.filter((ceiling) => ["read", "write", "copy"].includes(ceiling.name));
  const memory = dram.length ? [dram.reduce((a, b) => (b.value > a.value ? b : a))] : [];
  memory.push(...device.ceilings.filter((ceiling) => ceiling.name === "l2_read"));
  const used = new Set(boards.map((board) => board.work.arithmetic));
  const rank = (ceiling) => (used.has(ceiling.name) ? 0 : ["fma_f32", "tensor_bf16", "tensor_e4m3"].indexOf(ceiling.name) + 1 || 9);
  const levels = device.ceilings.filter((ceiling) => ceiling.unit === "GFLOP/s" && rank(ceiling) < 9).sort((a, b) => rank(a) - rank(b));
  const arithmetic = [];
  for (const level of levels) {
    if (arithmetic.every((other) => Math.abs(Math.log(other.value / level.value)) > Math.log(1.6))) arithmetic.push(level);
  }
  return { memory, arithmetic };
}

const roofWords = { l2_read: "L2 read", read: "DRAM read", write: "DRAM write", copy: "DRAM copy" };

// "4,572 GB/s", "63.0 TFLOP/s"
function rateText(ceiling) {
  const tera = ceiling.unit === "GFLOP/s" && ceiling.value >= 1000;
  return `${formatRate(tera ? ceiling.value / 1000 : ceiling.value)} ${tera ? "TFLOP/s" : ceiling.unit}`;
}

function roofText(ceiling) {
  return `${roofWords[ceiling.name] || ceiling.name} ${rateText(ceiling)}`;
}

// The range of the lines: around the points, and beyond the ridge of the roofs far enough for the levels' names.
function rooflineSpan(points, roofs) {
  const ridges = roofs.arithmetic.flatMap((top) => roofs.memory.map((slope) => top.value / slope.value));
  const xs = [...points.map((point) => point.intensity), ...ridges];
  return [Math.min(...xs) / 4, Math.max(...xs) * 30];
}

function rooflineRows(points, roofs) {
  const [low, high] = rooflineSpan(points, roofs);
  const top = roofs.arithmetic.length ? Math.max(...roofs.arithmetic.map((ceiling) => ceiling.value)) : Infinity;
  const slopes = roofs.memory.flatMap((ceiling) => {
    const end = Math.min(high, top / ceiling.value);
    return [low, end].map((x) => ({ name: ceiling.name, text: roofText(ceiling), x, y: x * ceiling.value }));
  });
  const fastest = roofs.memory.length ? Math.max(...roofs.memory.map((ceiling) => ceiling.value)) : Infinity;
  const levels = roofs.arithmetic.flatMap((ceiling) => [Math.max(low, ceiling.value / fastest), high].map((x) => ({
    name: ceiling.name, text: roofText(ceiling), x, y: ceiling.value })));
  return { slopes, levels };
}

function rooflineChart(device, boards, palette, width) {
  const points = rooflinePoints(boards), roofs = roofsOf(device, boards);
  const { slopes, levels } = rooflineRows(points, roofs);
  const kernels = [...new Set(points.map((point) => point.kernel))];
  const { color, shape } = variantScale(kernels, palette);
  const [low, high] = rooflineSpan(points, roofs);
  const ys = [...points.map((point) => point.rate), ...levels.map((row) => row.y)];
  const bottom = Math.min(...ys) / 4, top = Math.max(...ys) * 2;
  const x = { type: "quantitative", scale: { type: "log", domain: [low, high], nice: false },
              axis: { title: "FLOP per byte", values: logTicks(low, high), labelExpr: plainNumber, grid: false } };
  const y = { type: "quantitative", scale: { type: "log", domain: [bottom, top], nice: false },
              axis: { title: "GFLOP/s", values: logTicks(bottom, top), labelExpr: plainNumber } };
  const lines = (rows, dash) => ({ data: { values: rows }, mark: { type: "line", color: palette.soft, strokeWidth: 2, strokeDash: dash, clip: true },
    encoding: { x: { ...x, field: "x" }, y: { ...y, field: "y" }, detail: { field: "name" }, tooltip: { field: "text", type: "nominal" } } });
  // Puts the name of a level at its right end; a name along a slope is hard to read, so its numbers are in the caption.
  const ends = levels.filter((_, i) => i % 2 === 1);
  const legend = legendFor(kernels, width);
  return specification(palette, width, {
    height: 360,
    layer: [
      ...(slopes.length ? [lines(slopes, [1, 0])] : []),
      ...(levels.length ? [lines(levels, [6, 4]), { data: { values: ends }, mark: { type: "text", align: "right", baseline: "bottom", dy: -2, fontSize: 11 },
        encoding: { x: { ...x, field: "x" }, y: { ...y, field: "y" }, text: { field: "text" } } }] : []),
      { data: { values: points.map(({ board, ...point }) => point) }, mark: { type: "point", size: 80, opacity: 0.9 },
        encoding: { x: { ...x, field: "intensity" }, y: { ...y, field: "rate" }, color: { field: "kernel", type: "nominal", scale: color, legend },
                    shape: { field: "kernel", type: "nominal", scale: shape, legend }, tooltip: { field: "tip", type: "nominal" } } },
    ],
  });
}

// The performance of each place's best on the others. `names` are the names of the matrix's boards.
function matrixRows(matrix, names) {
  return matrix.cells.flatMap((row, of) => row.map((cell, on) => ({
    of: names[of], on: names[on], fraction: cell.fraction, how: cell.how, configuration: cell.configuration,
    label: cell.how === "timed" ? formatPercent(cell.fraction) :
      cell.how === "pruned" && cell.fraction ? `≤ ${formatPercent(cell.fraction)}` : cell.how,
    tip: `best of ${names[of]} on ${names[on]}: ${cell.how === "timed" ? `${formatPercent(cell.fraction)} of the best there` : cell.how}` +
      (cell.configuration ? `\n${cell.configuration}` : ""),
  })));
}

function matrixChart(matrix, names, palette, width) {
  const rows = matrixRows(matrix, names).map((row) => ({
    ...row, ink: row.fraction === null ? palette.muted : readableOn(mix(palette.worst, palette.best, row.fraction)),
  }));
  const axis = { domain: false, ticks: false, labelAngle: 0 };
  return specification(palette, width, {
    height: 46 * names.length,
    data: { values: rows },
    encoding: {
      x: { field: "on", type: "nominal", scale: { domain: names },
           axis: { ...axis, title: "reaches on", labelLimit: Math.max(50, (0.7 * width) / names.length - 8) } },
      y: { field: "of", type: "nominal", scale: { domain: names },
           axis: { ...axis, title: "the best of", labelLimit: Math.max(60, 0.3 * width) } },
      tooltip: { field: "tip", type: "nominal" },
    },
    layer: [
      { transform: [{ filter: "isValid(datum.fraction)" }], mark: { type: "rect", stroke: palette.card, strokeWidth: 2 },
        encoding: { color: { field: "fraction", type: "quantitative", legend: null,
                             scale: { domain: [0, 1], range: [palette.worst, palette.best], interpolate: "rgb" } } } },
      { transform: [{ filter: "!isValid(datum.fraction)" }],
        mark: { type: "rect", filled: false, stroke: palette.line, strokeWidth: 1 } },
      ...[...new Set(rows.map((row) => row.ink))].map((ink) => ({ transform: [{ filter: `datum.ink === '${ink}'` }],
        mark: { type: "text", color: ink }, encoding: { text: { field: "label" } } })),
    ],
  });
}

// The share of its limit that each problem's best reaches.
function limitRows(boards, label) {
  return boards.filter((board) => board.limit && isNumber(board.limit.fraction)).map((board) => ({
    label: label(board), lines: [board.kernel, label(board).slice(board.kernel.length).trim()],
    fraction: board.limit.fraction, shown: Math.min(1.1, board.limit.fraction), cell: board.limit.cell,
    kind: board.limit.standing === "fraction" ? "share of the limit" : board.limit.standing === "latency_bound" ?
      "below 10 µs: mostly latency" : "above the limit: work is miscounted", board,
    tip: `${label(board)}\n${formatUs(board.entries[0].us)} µs; the limit is ${formatUs(board.limit.us)} µs (${board.limit.ceiling})`,
  }));
}

function limitsChart(boards, label, palette, width) {
  const small = width < narrow, step = small ? 54 : 38;
  const rows = limitRows(boards, label).map(({ board, lines, ...row }) => ({ ...row, text: small ? lines : row.label }));
  const kinds = [...new Set(rows.map((row) => row.kind))];
  const colours = { "share of the limit": palette.accent, "below 10 µs: mostly latency": palette.soft,
                    "above the limit: work is miscounted": palette.bad };
  return specification(palette, width, {
    height: step * rows.length,
    data: { values: rows },
    encoding: {
      y: { field: "label", type: "nominal", sort: null, axis: null, scale: { paddingInner: 0, paddingOuter: 0 } },
      tooltip: { field: "tip", type: "nominal" },
    },
    layer: [
      { mark: { type: "bar", height: 9, yOffset: step / 4 + 1 },
        encoding: { x: { field: "shown", type: "quantitative", scale: { domain: [0, 1.1], nice: false },
                         axis: { title: "limit / time", format: ".0%", values: [0, 0.25, 0.5, 0.75, 1] } },
                    color: { field: "kind", type: "nominal", scale: { domain: kinds, range: kinds.map((kind) => colours[kind]) },
                             legend: kinds.length > 1 ? legendFor(kinds, width) : null } } },
      { mark: { type: "text", align: "left", baseline: "middle", x: 2, yOffset: small ? -18 : -6, limit: width - 8, lineHeight: 15 },
        encoding: { text: { field: "text" } } },
    ],
  });
}
