// All problems at a glance: how far apart the configurations of each lie, which is the range that tuning can win or lose.

function quantile(sorted, share) {
  const at = share * (sorted.length - 1), low = Math.floor(at);
  return sorted[low] + (sorted[Math.min(low + 1, sorted.length - 1)] - sorted[low]) * (at - low);
}

function spanRows(boards, label) {
  return boards.filter((board) => board.entries.length > 1).map((board) => {
    const slowdowns = board.entries.map((entry) => entry.slowdown).sort((a, b) => a - b);
    const [low, middle, high] = [0.25, 0.5, 0.75].map((share) => quantile(slowdowns, share));
    const worst = slowdowns[slowdowns.length - 1];
    return { label: label(board), first: 1, low, middle, high, worst, kind: board.kind, board,
             lines: [board.kernel, label(board).slice(board.kernel.length).trim()],
             tip: `${label(board)}\nhalf of the configurations take ${formatRatio(middle)} the best time or longer, ` +
               `the slowest ${formatRatio(worst)}` };
  });
}

function spansChart(boards, label, palette, width) {
  const small = width < narrow;
  const step = small ? 54 : 38;
  const rows = spanRows(boards, label).map(({ board, lines, ...row }) => ({ ...row, text: small ? lines : row.label }));
  const kinds = ["measured", "modelled", "imported"].filter((kind) => rows.some((row) => row.kind === kind));
  const colours = { measured: palette.accent, modelled: palette.bound, imported: palette.series[3] };
  const x = { type: "quantitative",
              ...slowdownAxis(rows.map((row) => row.worst).concat([1]), { title: "time / best time of the problem" }) };
  const color = { field: "kind", type: "nominal", scale: { domain: kinds, range: kinds.map((kind) => colours[kind]) },
                  legend: kinds.length > 1 ? {} : null };
  return specification(palette, width, {
    height: step * rows.length,
    data: { values: rows },
    encoding: {
      y: { field: "label", type: "nominal", sort: null, axis: null, scale: { paddingInner: 0, paddingOuter: 0 } },
      tooltip: { field: "tip", type: "nominal" },
    },
    layer: [
      { mark: { type: "rule", yOffset: step / 4 + 1, color: palette.soft, strokeWidth: 1.5 },
        encoding: { x: { ...x, field: "first" }, x2: { field: "worst" } } },
      { mark: { type: "bar", height: 9, yOffset: step / 4 + 1 }, encoding: { x: { ...x, field: "low" }, x2: { field: "high" }, color } },
      { mark: { type: "tick", thickness: 2, size: 15, yOffset: step / 4 + 1, color: palette.text },
        encoding: { x: { ...x, field: "middle" } } },
      { mark: { type: "text", align: "left", baseline: "middle", x: 2, yOffset: small ? -18 : -6, limit: width - 8, lineHeight: 15 },
        encoding: { text: { field: "text" } } },
    ],
  });
}
