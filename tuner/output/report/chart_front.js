// The Pareto front of several objectives: the first two of them, a mark for every configuration.

function hasFront(board) {
  return Boolean(board.goal) && board.goal.objectives.length > 1 && board.entries.some((entry) => entry.front);
}

function objectiveTitle(board, objective) {
  if (["time", "time_us"].includes(objective.name) && !objective.maximize) return `${timeWord(board)}, µs`;
  return objective.maximize ? `${objective.name}, more is better` : objective.name;
}

function frontRows(board) {
  return board.entries.filter((entry) => entry.objectives.slice(0, 2).every(isNumber)).map((entry) => ({
    x: entry.objectives[0], y: entry.objectives[1], front: entry.front, entry,
    tip: tipOf(board, entry, `#${entry.rank}${entry.front ? ", on the front" : ""}: ` +
      board.goal.objectives.map((objective, i) => `${objective.name} ${formatMetric(entry.objectives[i])}`).join(", ")),
  }));
}

function frontChart(board, palette, width) {
  const rows = frontRows(board);
  const front = rows.filter((row) => row.front).sort((a, b) => a.x - b.x);
  const others = spread(rows.filter((row) => !row.front), mostPoints);
  const plain = (list) => list.map(({ entry, ...row }) => row);
  const axis = (field, i) => ({ field, type: "quantitative", ...valueAxis(rows.map((row) => row[field]), { title: objectiveTitle(board, board.goal.objectives[i]) }) });
  const x = axis("x", 0), y = axis("y", 1);
  const names = ["on the front", "not on it"];
  const color = (name) => ({ datum: name, scale: { domain: names, range: [palette.accent, palette.soft] }, legend: legendFor(names, width) });
  const tooltip = { field: "tip", type: "nominal" };
  const layers = [
    { data: { values: plain(others) }, mark: { type: "point", opacity: 0.65, size: 22 }, encoding: { x, y, color: color("not on it"), tooltip } },
    { data: { values: plain(front) }, mark: { type: "point", opacity: 1, size: 60 }, encoding: { x, y, color: color("on the front"), tooltip } },
  ];
  // With more than two objectives the front is a surface, and a line would be meaningless.
  if (board.goal.objectives.length === 2)
    layers.splice(1, 0, { data: { values: plain(front) }, mark: { type: "line", strokeWidth: 2, opacity: 0.7 }, encoding: { x, y, order: { field: "x" }, color: color("on the front") } });
  return specification(palette, width, { height: 300, layer: layers });
}
