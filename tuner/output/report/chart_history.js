// The course of a board over the runs of its database: the best time of each, older sources included.

// "4c9a93cb2ae6", "4c9a93cb2ae6-dirty", or "" if the run has no commit.
function commitOf(run) {
  const found = /\(commit ([0-9a-f]+(?:-dirty)?)\)/.exec(run.program || "");
  return found ? found[1] : "";
}

// Rows oldest first, each with its run and the ratio of its time to that of the run before.
function historyRows(board) {
  const runs = new Map(board.database.runs.map((run) => [run.id, run]));
  return board.history.map((best, i) => {
    const run = runs.get(best.run) || { id: best.run };
    const before = i ? board.history[i - 1].us : null;
    return { ...best, started: run.started_utc || "", commit: commitOf(run), sweep: run.config || "",
             change: isNumber(best.us) && before > 0 ? best.us / before : null };
  });
}

// Converts a stored 2026-11-21T10:23:02Z to "2026-11-21 10:23".
function shortDate(utc) {
  return utc.slice(0, 16).replace("T", " ");
}

function historyTip(row) {
  return [`run ${row.run}: ${timeText(row)}`, [shortDate(row.started), row.commit && `commit ${row.commit}`].filter(Boolean).join(", "), row.configuration,
          `best of ${formatThousands(row.timed)} timed`].filter(Boolean).join("\n");
}

// Runs are evenly spaced in their order: between two there may be minutes or months.
function historyChart(board, palette, width) {
  const rows = historyRows(board).map((row) => ({ run: String(row.run), us: row.us, low: row.low, high: row.high, tip: historyTip(row) }));
  const x = { field: "run", type: "ordinal", sort: null, axis: { title: "run", labelAngle: 0, grid: false } };
  const y = { field: "us", type: "quantitative",
              ...valueAxis(rows.flatMap((row) => [row.us, row.low, row.high]).filter(isNumber), { title: `${timeWord(board)}, µs` }) };
  // A model gives no intervals.
  const intervals = rows.filter((row) => isNumber(row.low) && isNumber(row.high));
  return specification(palette, width, {
    height: 130,
    data: { values: rows },
    encoding: { x },
    layer: [
      { mark: { type: "line", strokeWidth: 1.5, opacity: 0.6 }, encoding: { y } },
      ...(intervals.length ? [{ data: { values: intervals }, mark: { type: "rule", strokeWidth: 3, opacity: 0.6 },
        encoding: { y: { ...y, field: "low" }, y2: { field: "high" } } }] : []),
      { mark: { type: "point", size: 60, opacity: 1 }, encoding: { y, tooltip: { field: "tip", type: "nominal" } } },
    ],
  });
}
