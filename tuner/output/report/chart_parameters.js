// Charts of the effects of parameters: the variation that each explains, times over the values of one, and over two at once.

function importanceRows(importance) {
  const single = importance.parameters.map((parameter) => ({
    name: parameter.name, share: parameter.main_share, kind: "alone",
    tip: `${parameter.name} alone: ${formatPercent(parameter.main_share)} of the variation`,
  }));
  const pairs = importance.interactions.slice(0, 5).map((pair) => ({
    name: `${pair.first} x ${pair.second}`, share: pair.share, kind: "two together",
    tip: `${pair.first} and ${pair.second} together, beyond each alone: ${formatPercent(pair.share)}`,
  }));
  return [...single, ...pairs].sort((a, b) => b.share - a.share);
}

function importanceChart(importance, palette, width) {
  const rows = importanceRows(importance);
  const kinds = ["alone", "two together"].filter((kind) => rows.some((row) => row.kind === kind));
  // Names are above their bars: next to them they would take half of a narrow screen.
  return specification(palette, width, {
    height: 36 * rows.length,
    data: { values: rows },
    encoding: {
      y: { field: "name", type: "nominal", sort: null, axis: null, scale: { paddingInner: 0, paddingOuter: 0 } },
      tooltip: { field: "tip", type: "nominal" },
    },
    layer: [
      { mark: { type: "bar", height: 10, yOffset: 9, cornerRadiusEnd: 2 },
        encoding: {
          x: { field: "share", type: "quantitative", axis: { title: "share of the variation of log time", format: ".0%",
               tickCount: 5 }, scale: { domainMin: 0, nice: true } },
          color: { field: "kind", type: "nominal", scale: { domain: kinds, range: [palette.accent, palette.series[1]] },
                   legend: kinds.length > 1 ? {} : null } } },
      { mark: { type: "text", align: "left", baseline: "middle", x: 2, yOffset: -6, limit: width - 8 },
        encoding: { text: { field: "name" } } },
    ],
  });
}

// Best and median of the configurations that have each value. `values` is in the form of analysis/insight/importance.h.
function marginalChart(parameter, bestUs, palette, width) {
  const rows = parameter.values.flatMap((value) => [
    { value: String(value.value), us: value.best.us, kind: "best",
      tip: `${parameter.name}=${value.value}: best ${formatUs(value.best.us)} µs of ${counted(value.configurations,
        "configuration", "configurations")}` },
    { value: String(value.value), us: value.median.us, kind: "median",
      tip: `${parameter.name}=${value.value}: median ${value.median.at_least ? "at least " : ""}` +
        `${formatUs(value.median.us)} µs` },
  ]).map((row) => ({ ...row, slowdown: row.us / bestUs }));
  const order = parameter.values.map((value) => String(value.value));
  const x = { field: "value", type: "nominal", scale: { domain: order }, axis: { title: parameter.name, labelAngle: 0, labelLimit: 70 } };
  const y = { field: "slowdown", type: "quantitative", ...slowdownAxis(rows.map((row) => row.slowdown), { title: null }) };
  const color = { field: "kind", type: "nominal", legend: null,
                  scale: { domain: ["best", "median"], range: [palette.accent, palette.series[1]] } };
  return specification(palette, width, {
    height: 130,
    data: { values: rows },
    layer: [
      { mark: { type: "line", strokeWidth: 1.5, opacity: 0.6 }, encoding: { x, y, color } },
      { mark: { type: "point", size: 55, opacity: 1 },
        encoding: { x, y, color, tooltip: { field: "tip", type: "nominal" },
                    shape: { field: "kind", scale: { domain: ["best", "median"], range: ["circle", "diamond"] },
                             legend: null } } },
    ],
  });
}

// Best time per pair of values among the configurations of a variant.
function heatCells(board, variant, x, y) {
  const cells = new Map();
  const cell = (configuration) => {
    const at = JSON.stringify([configuration.values[x], configuration.values[y]]);
    if (!cells.has(at)) {
      cells.set(at, { x: configuration.values[x], y: configuration.values[y], best: null, timed: 0, pruned: 0, failed: 0 });
    }
    return cells.get(at);
  };
  const belongs = (configuration) => configuration.variant === variant && x in configuration.values &&
    y in configuration.values;
  for (const entry of board.entries.filter(belongs)) {
    const found = cell(entry);
    found.timed += 1;
    if (!found.best || entry.us < found.best.us) found.best = entry;
  }
  for (const trial of board.untimed.filter(belongs)) cell(trial)[trial.status === "pruned" ? "pruned" : "failed"] += 1;
  return [...cells.values()];
}

function heatTip(board, cell, x, y) {
  const first = cell.best ? `best ${timeText(cell.best)}` : cell.pruned ? "all pruned" : "nothing passed";
  const counts = `${cell.timed} timed, ${cell.pruned} pruned, ${cell.failed} failed or noisy`;
  const head = `${x}=${cell.x}, ${y}=${cell.y}: ${first}\n${counts}`;
  return cell.best ? `${head}\n${configurationText(cell.best)}` : head;
}

function heatMapChart(board, variant, x, y, palette, width) {
  const cells = heatCells(board, variant, x, y);
  const times = cells.filter((cell) => cell.best).map((cell) => cell.best.us);
  const low = Math.min(...times), high = Math.max(...times);
  const at = (us) => (high > low ? Math.log(us / low) / Math.log(high / low) : 0);
  const rows = cells.map((cell) => ({
    x: String(cell.x), y: String(cell.y), us: cell.best ? cell.best.us : null,
    label: cell.best ? formatUs(cell.best.us) : cell.pruned ? "pruned" : "failed",
    ink: cell.best ? readableOn(mix(palette.best, palette.worst, at(cell.best.us))) : palette.muted,
    tip: heatTip(board, cell, x, y),
  }));
  const order = (name) => board.parameters.find((parameter) => parameter.name === name).values.map(String);
  const xs = order(x).filter((value) => rows.some((row) => row.x === value));
  const ys = order(y).filter((value) => rows.some((row) => row.y === value));
  return specification(palette, width, {
    height: 34 * ys.length,
    data: { values: rows },
    encoding: {
      x: { field: "x", type: "nominal", scale: { domain: xs }, axis: { title: x, labelAngle: 0, labelLimit: Math.max(40, (0.8 * width) / xs.length - 6), domain: false, ticks: false } },
      y: { field: "y", type: "nominal", scale: { domain: ys }, axis: { title: y, labelLimit: 0.25 * width, domain: false, ticks: false } },
      tooltip: { field: "tip", type: "nominal" },
    },
    layer: [
      { transform: [{ filter: "isValid(datum.us)" }], mark: { type: "rect", stroke: palette.card, strokeWidth: 2 },
        encoding: { color: { field: "us", type: "quantitative", legend: null,
                             scale: { type: high > low ? "log" : "linear", domain: high > low ? [low, high] : [low, low + 1],
                                      range: [palette.best, palette.worst], interpolate: "rgb" } } } },
      { transform: [{ filter: "!isValid(datum.us)" }], mark: { type: "rect", filled: false, stroke: palette.line,
        strokeWidth: 1 } },
      ...(xs.length <= 8 ? [...new Set(rows.map((row) => row.ink))].map((ink) => ({
        transform: [{ filter: `datum.ink === '${ink}'` }], mark: { type: "text", fontSize: 11.5, color: ink },
        encoding: { text: { field: "label" } } })) : []),
    ],
  });
}

// The parameters of a variant that take more than one value on the board.
function parametersOf(board, variant) {
  const seen = new Map();
  for (const configuration of [...board.entries, ...board.untimed]) {
    if (configuration.variant !== variant) continue;
    for (const [name, value] of Object.entries(configuration.values)) {
      if (!seen.has(name)) seen.set(name, new Set());
      seen.get(name).add(value);
    }
  }
  return [...seen].filter(([, values]) => values.size > 1).map(([name]) => name);
}

// The variant and parameters that a heat map shows first: those that decide most, or else the best variant's first two.
function heatPair(board, variant) {
  const pair = board.important_pair;
  if (pair && (variant === undefined || pair.variant === variant)) return { variant: pair.variant, x: pair.first, y: pair.second };
  const candidates = variant === undefined ? [...new Set(board.entries.map((entry) => entry.variant))] : [variant];
  for (const candidate of candidates) {
    const names = parametersOf(board, candidate);
    if (names.length > 1) return { variant: candidate, x: names[0], y: names[1] };
  }
  return null;
}
