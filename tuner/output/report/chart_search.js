// Charts of the search and its space: best so far over the trials, all times in order, and the distribution of times.

const failedWords = { pruned: "pruned", noisy: "noisy" };

// Rows in the order tried. `us` is the time that the search received: a finalist's later time is not in it.
function progressRows(board) {
  const trials = [...board.entries, ...board.untimed].sort((a, b) => a.order - b.order);
  let best = Infinity;
  return trials.map((trial) => {
    const us = trial.status === "ok" ? (trial.screened ?? trial.us) : null;
    const improves = us !== null && us < best;
    if (improves) best = us;
    const state = trial.status === "ok" ? "timed" : trial.status === "pruned" && trial.atLeast ? "pruned" :
      failedWords[trial.status] || "failed";
    const what = us !== null ? `${formatUs(us)} µs` :
      state === "pruned" ? `pruned: ${formatUs(trial.atLeast)} µs or longer` : trial.status.replace("_", " ");
    return { order: trial.order, us: us ?? (state === "pruned" ? trial.atLeast : null), best: best === Infinity ? null : best,
             improves, state, trial, tip: tipOf(board, trial, `number ${trial.order} of ${formatThousands(board.counts.trials)}: ${what}`) };
  });
}

function thinProgress(rows) {
  const keep = new Set(spread(rows, mostPoints));
  return rows.filter((row) => row.improves || keep.has(row));
}

// The exact expected best of each number of random trials; see analysis/insight/landscape.h.
function luckRows(board) {
  if (!board.landscape) return [];
  return board.landscape.budget.map((point) => ({
    order: point.trials, us: point.expected_slowdown * board.landscape.best_us,
    tip: `${counted(point.trials, "trial", "trials")} at random: ` +
      `${formatUs(point.expected_slowdown * board.landscape.best_us)} µs expected`,
  }));
}

function progressChart(board, palette, width) {
  const rows = thinProgress(progressRows(board)).map(({ trial, ...row }) => row);
  const luck = luckRows(board);
  const names = ["a trial", "best so far"];
  const colours = [palette.soft, palette.accent];
  const add = (present, name, colour) => { if (present) { names.push(name); colours.push(colour); } };
  add(luck.length, "random search, expected", palette.series[1]);
  add(rows.some((row) => row.state === "pruned"), "pruned, at least", palette.bound);
  add(rows.some((row) => row.state === "noisy"), "noisy", palette.series[4]);
  add(rows.some((row) => row.state === "failed"), "failed", palette.bad);
  const color = (name) => ({ datum: name, scale: { domain: names, range: colours },
                             legend: legendFor(names, width) });
  const x = { field: "order", type: "quantitative", scale: { nice: false, domainMin: 0 },
              axis: { title: "configurations tried", tickMinStep: 1, tickCount: 6, grid: false } };
  const y = { field: "us", type: "quantitative",
              ...valueAxis([...rows, ...luck].map((row) => row.us), { title: `${timeWord(board)}, µs` }) };
  const tooltip = { field: "tip", type: "nominal" };
  const only = (state) => [{ filter: `datum.state === '${state}'` }];
  const foot = (state, name, mark) => ({
    transform: only(state), mark: { type: "point", ...mark },
    encoding: { x, y: { value: "height" }, color: color(name), tooltip },
  });
  const layers = [
    { transform: only("timed"), mark: { type: "point", opacity: 0.65, size: 22 },
      encoding: { x, y, color: color("a trial"), tooltip } },
    { transform: only("pruned"), mark: { type: "point", shape: "triangle-up", filled: false, size: 30 },
      encoding: { x, y, color: color("pruned, at least"), tooltip } },
    foot("noisy", "noisy", { shape: "diamond", filled: false, size: 40 }),
    foot("failed", "failed", { shape: "cross", size: 36 }),
    { data: { values: luck }, mark: { type: "line", strokeDash: [5, 4], strokeWidth: 2 },
      encoding: { x, y, color: color("random search, expected"), tooltip } },
    { mark: { type: "line", interpolate: "step-after", strokeWidth: 2.5 },
      encoding: { x, y: { ...y, field: "best" }, color: color("best so far") } },
    { transform: [{ filter: "datum.improves" }], mark: { type: "point", size: 45, opacity: 1 },
      encoding: { x, y: { ...y, field: "best" }, color: color("best so far"), tooltip } },
  ];
  const shown = (layer) => !layer.encoding.color.datum || names.includes(layer.encoding.color.datum);
  return specification(palette, width, { height: 260, data: { values: rows }, layer: layers.filter(shown) });
}

// The best so far over the sweep's seconds, with the strategy that proposed each improvement.
function courseRows(board) {
  const { search } = board;
  const sign = search.maximize ? -1 : 1;
  const unit = search.objective ? ` of ${search.objective}` : " µs";
  const rows = search.steps.map((step) => ({
    seconds: step.seconds, cost: sign * step.cost, asker: step.asker, answers: step.answers, found: true,
    tip: `${formatUs(sign * step.cost)}${unit}, from ${step.asker}: answer ${step.answers} after ${formatUs(step.seconds)} s`,
  }));
  if (rows.length) rows.push({ ...rows.at(-1), seconds: search.seconds, answers: search.answered, found: false });
  return rows;
}

function courseChart(board, palette, width) {
  const rows = courseRows(board);
  const askers = [...new Set(rows.map((row) => row.asker))];
  const { objective } = board.search;
  const x = { field: "seconds", type: "quantitative", scale: { nice: false, domainMin: 0 },
              axis: { title: "seconds of the sweep", tickCount: 6, grid: false } };
  const y = { field: "cost", type: "quantitative",
              ...valueAxis(rows.map((row) => row.cost), { title: objective || `${timeWord(board)}, µs` }) };
  const color = { field: "asker", type: "nominal", scale: { domain: askers, range: palette.series }, legend: legendFor(askers, width) };
  return specification(palette, width, { height: 220, data: { values: rows }, layer: [
    { mark: { type: "line", interpolate: "step-after", strokeWidth: 2, color: palette.soft }, encoding: { x, y } },
    { transform: [{ filter: "datum.found" }], mark: { type: "point", filled: true, size: 55, opacity: 1 },
      encoding: { x, y, color, tooltip: { field: "tip", type: "nominal" } } },
  ] });
}

function landscapeChart(board, palette, width) {
  const count = board.counts.ranked;
  // Sorts by time, whatever the board is ranked by; then only the configurations on the page are included.
  const byTime = !board.goal || board.goal.by_time;
  const sorted = byTime ? board.entries : [...board.entries].sort((a, b) => a.us - b.us);
  const shares = new Map(sorted.map((entry, i) => [entry, byTime ? (count > 1 ? (entry.rank - 1) / (count - 1) : 0) : i / Math.max(1, sorted.length - 1)]));
  const rows = spread(sorted, mostPoints).map((entry) => ({
    share: shares.get(entry), slowdown: entry.slowdown, variant: entry.variant,
    tip: tipOf(board, entry, `#${entry.rank}: ${timeText(entry)}, ${formatRatio(entry.slowdown)} the best`),
  }));
  const variants = board.variants.filter((variant) => rows.some((row) => row.variant === variant));
  const { color, shape } = variantScale(variants, palette);
  const y = { type: "quantitative", ...slowdownAxis(rows.map((row) => row.slowdown), { title: "time / best time" }) };
  const legend = legendFor(variants, width);
  return specification(palette, width, {
    height: 260,
    layer: [
      { data: { values: [{ y: 1.05 }] }, mark: { type: "rule", strokeDash: [4, 4], color: palette.soft },
        encoding: { y: { ...y, field: "y" } } },
      { data: { values: rows }, mark: { type: "point", opacity: 0.8, size: 28 },
        encoding: {
          x: { field: "share", type: "quantitative", axis: { title: "share of configurations, best first",
               format: ".0%", tickCount: 5, grid: false } },
          y: { ...y, field: "slowdown" },
          color: { field: "variant", type: "nominal", scale: color, legend },
          shape: { field: "variant", type: "nominal", scale: shape, legend },
          tooltip: { field: "tip", type: "nominal" } } },
    ],
  });
}

function binRows(board) {
  return board.landscape.bins.flatMap((bin) => ["timed", "pruned"].filter((kind) => bin[kind] > 0).map((kind) => ({
    low: bin.low, high: bin.high, kind, from: kind === "timed" ? 0 : bin.timed, to: bin.timed + (kind === "timed" ? 0 : bin.pruned),
    tip: `${formatRatio(bin.low)} to ${formatRatio(bin.high)} the best\n${counted(bin[kind], "configuration",
      "configurations")} ${kind === "pruned" ? "pruned: here or slower" : "timed"}`,
  })));
}

function histogramChart(board, palette, width) {
  const rows = binRows(board);
  const kinds = ["timed", "pruned"].filter((kind) => rows.some((row) => row.kind === kind));
  return specification(palette, width, {
    height: 180,
    data: { values: rows },
    mark: { type: "bar", orient: "vertical", binSpacing: 1 },
    encoding: {
      x: { field: "low", type: "quantitative",
           ...slowdownAxis(rows.flatMap((row) => [row.low, row.high]), { title: "time / best time", grid: false }) },
      x2: { field: "high" },
      y: { field: "to", type: "quantitative", axis: { title: "configurations", tickMinStep: 1, tickCount: 5 } },
      y2: { field: "from" },
      color: { field: "kind", type: "nominal", scale: { domain: kinds, range: [palette.accent, palette.bound] },
               legend: kinds.length > 1 ? {} : null },
      tooltip: { field: "tip", type: "nominal" },
    },
  });
}
