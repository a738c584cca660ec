// Charts of how reliable the times are: every sample of the first configurations, and the final ranking's rounds.

function sampleRows(board) {
  const byTrial = new Map(board.entries.map((entry) => [entry.trial, entry]));
  return board.samples.filter((sample) => byTrial.has(sample.trial)).map((sample) => ({
    sample, entry: byTrial.get(sample.trial), label: `#${sample.rank}`,
  }));
}

// One slow sample of fifty would squeeze all others into a line, so the axis ends where 98 % of them do.
function sampleDomain(rows) {
  const all = rows.flatMap((row) => row.sample.us).sort((a, b) => a - b);
  const cut = (share) => all[Math.round(share * (all.length - 1))];
  const intervals = rows.flatMap((row) => [row.entry.low, row.entry.high, row.entry.us]).filter(isNumber);
  const low = Math.min(cut(0.01), ...intervals), high = Math.max(cut(0.98), ...intervals);
  const room = 0.03 * (high - low || high || 1);
  return [low - room, high + room];
}

function samplesChart(board, palette, width) {
  const rows = sampleRows(board);
  const domain = sampleDomain(rows);
  const x = { type: "quantitative", scale: { domain, nice: false, zero: false },
              axis: { title: `${timeWord(board)}, µs`, tickCount: 5, labelExpr: plainNumber } };
  const y = { field: "label", type: "nominal", sort: null, axis: { title: null, ticks: false, domain: false, grid: true, labelPadding: 8 } };
  const samples = rows.flatMap(({ sample, label }) => sample.us.filter((us) => us >= domain[0] && us <= domain[1]).map((us) => ({ us, label })));
  const entries = rows.map(({ entry, label }) => ({
    label, us: entry.us, low: entry.low, high: entry.high, tip: tipOf(board, entry, `#${entry.rank}: ${timeText(entry)}`),
  }));
  return specification(palette, width, {
    height: 26 * rows.length,
    encoding: { y },
    layer: [
      { data: { values: samples }, mark: { type: "tick", thickness: 1.5, opacity: 0.45, color: palette.soft, size: 14 },
        encoding: { x: { ...x, field: "us" } } },
      { data: { values: entries.filter((entry) => isNumber(entry.low) && isNumber(entry.high)) },
        mark: { type: "rule", strokeWidth: 4, color: palette.accent },
        encoding: { x: { ...x, field: "low" }, x2: { field: "high" }, tooltip: { field: "tip", type: "nominal" } } },
      { data: { values: entries }, mark: { type: "point", size: 70, color: palette.accent, opacity: 1,
        stroke: palette.card, strokeWidth: 1 },
        encoding: { x: { ...x, field: "us" }, tooltip: { field: "tip", type: "nominal" } } },
    ],
  });
}

function rankingChart(board, palette, width) {
  const byTrial = new Map(board.entries.map((entry) => [entry.trial, entry]));
  const rows = board.ranking.finalists.map((finalist) => {
    const entry = byTrial.get(finalist.trial);
    const head = `place ${finalist.place}: ${formatPercent(finalist.relative - 1)} slower than the winner` +
      (finalist.place > 1 && isNumber(finalist.p) ? `, p ${finalist.p.toPrecision(2)}` : "");
    return { label: `#${finalist.place}`, slower: finalist.relative - 1, low: finalist.low - 1, high: finalist.high - 1,
             verdict: finalist.tied ? "ties with the winner" : "slower",
             tip: entry ? tipOf(board, entry, head) : head };
  });
  const x = { type: "quantitative", axis: { title: width < narrow ? "slower than the winner" : "slower than the winner, in paired rounds", format: ".1%", tickCount: 5 },
              scale: { zero: true, nice: true } };
  const color = { field: "verdict", type: "nominal",
                  scale: { domain: ["ties with the winner", "slower"], range: [palette.accent, palette.series[1]] } };
  const shape = { field: "verdict", type: "nominal",
                  scale: { domain: ["ties with the winner", "slower"], range: ["circle", "diamond"] } };
  return specification(palette, width, {
    height: 26 * rows.length,
    data: { values: rows },
    encoding: {
      y: { field: "label", type: "nominal", sort: null, axis: { title: null, ticks: false, domain: false, grid: true, labelPadding: 8 } },
      tooltip: { field: "tip", type: "nominal" },
    },
    layer: [
      { mark: { type: "rule", color: palette.soft, strokeDash: [4, 4] }, encoding: { x: { datum: 0 }, y: null } },
      { mark: { type: "rule", strokeWidth: 3 }, encoding: { x: { ...x, field: "low" }, x2: { field: "high" }, color } },
      { mark: { type: "point", size: 70, opacity: 1 }, encoding: { x: { ...x, field: "slower" }, color, shape } },
    ],
  });
}
