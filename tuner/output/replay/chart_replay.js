// Charts of how near strategies come to the best of a recording over their evaluations.

const dashes = [[1, 0], [7, 3], [2, 3], [9, 3, 2, 3]];

// Strategies differ by colour as far as there are colours, and further ones also by their dashes; exact random search is grey.
function strategyScale(strategies, palette) {
  const guided = strategies.filter((one) => !one.exact);
  const place = (one) => guided.indexOf(one);
  return {
    domain: strategies.map((one) => one.strategy),
    range: strategies.map((one) => one.exact ? palette.soft : palette.series[place(one) % palette.series.length]),
    dashes: strategies.map((one) => one.exact ? [4, 3] : dashes[Math.floor(place(one) / palette.series.length) % dashes.length]),
  };
}

const budgetOf = (scores, budget) => scores.budgets.find((one) => one.budget === budget);

function scoreText(score) {
  return isNumber(score) ? score.toFixed(3) : "n/a";
}

// The rows of the strategies' curves at this budget.
function curveRows(strategies, budget) {
  return strategies.flatMap((scores) => {
    const curve = budgetOf(scores, budget).curve;
    return curve.at.map((at, i) => ({
      strategy: scores.strategy, at, mean: curve.mean[i], low: curve.low[i], high: curve.high[i],
      tip: `${scores.strategy}, ${counted(at, "evaluation", "evaluations")}: ${scoreText(curve.mean[i])}` +
        (scores.exact ? " expected" : `\nhalf of the runs between ${scoreText(curve.low[i])} and ${scoreText(curve.high[i])}`),
    }));
  });
}

// The mean of the recordings' curves, which have the same points unless a recording is smaller than the budget.
function meanCurves(recordings, budget) {
  const places = (recording) => budgetOf(recording.scores[0], budget).curve.at.join();
  if (new Set(recordings.map(places)).size > 1) return null;
  return recordings[0].scores.map((first, s) => {
    const curves = recordings.map((recording) => budgetOf(recording.scores[s], budget).curve);
    const mean = (what) => curves[0].at.map((_, i) => curves.reduce((sum, curve) => sum + curve[what][i], 0) / curves.length);
    return { ...first, budgets: [{ budget, curve: { at: curves[0].at, mean: mean("mean"), low: mean("low"), high: mean("high") } }] };
  });
}

// `banded` are the names of the strategies whose quartiles are drawn.
function convergenceChart(strategies, budget, banded, palette, width) {
  const rows = curveRows(strategies, budget);
  const scale = strategyScale(strategies, palette);
  // This legend belongs to the lines alone: those of the other layers would be merged into it.
  const legend = { ...legendFor(scale.domain, width), symbolType: "stroke", symbolSize: 220, symbolOpacity: 1, symbolFillColor: null };
  const last = Math.max(...rows.map((row) => row.at));
  const x = { field: "at", type: "quantitative", scale: { type: "log", nice: false, domain: [1, Math.max(2, last)] },
              axis: { title: "evaluations", values: logTicks(1, Math.max(2, last)), labelExpr: plainNumber, grid: false } };
  const y = { type: "quantitative", scale: { zero: false, nice: true }, axis: { title: "best time / best found so far", tickCount: 6, format: ".2f" } };
  const color = { field: "strategy", type: "nominal", scale: { domain: scale.domain, range: scale.range }, legend };
  const dash = { field: "strategy", type: "nominal", scale: { domain: scale.domain, range: scale.dashes }, legend };
  const bands = rows.filter((row) => banded.includes(row.strategy));
  return specification(palette, width, {
    height: 280,
    data: { values: rows },
    layer: [
      ...(bands.length ? [{ data: { values: bands }, mark: { type: "area", opacity: 0.16 },
        encoding: { x, y: { ...y, field: "low" }, y2: { field: "high" }, color: color } }] : []),
      { mark: { type: "line", strokeWidth: 2 }, encoding: { x, y: { ...y, field: "mean" }, color, strokeDash: dash } },
      { mark: { type: "point", opacity: 0, size: 90 },
        encoding: { x, y: { ...y, field: "mean" }, color: color, tooltip: { field: "tip", type: "nominal" } } },
    ],
  });
}

globalThis.warpwrightReport = {
  palettes, isNumber, formatUs, formatThousands, formatHalfWidth, formatRatio, formatPercent, formatRate, counted, contrast, kindWords,
  scoreText, budgetOf, curveRows, meanCurves, strategyScale, convergenceChart,
};
