// The views of the page: all recordings together, and one of them.

const { scoreText, budgetOf } = report;

const largestBudget = (data) => Math.max(...data.budgets);

function withError(score) {
  return isNumber(score.standard_error) ? `${scoreText(score.score)} ± ${scoreText(score.standard_error)}` : scoreText(score.score);
}

function afterText(evaluations, budget) {
  return isNumber(evaluations) ? formatThousands(evaluations) : `>${formatThousands(budget)}`;
}

function nearText(median, mean, budget) {
  return isNumber(mean) ? `${afterText(median, budget)}, mean ${mean.toFixed(1)}` : afterText(median, budget);
}

function scoreColumns(data) {
  const budget = largestBudget(data);
  const full = (row) => budgetOf(row, budget);
  return [
    { title: "Strategy", head: true, value: (row) => row.strategy },
    ...data.budgets.map((one) => ({ title: `Score at ${formatThousands(one)}`, numeric: true, best: "high",
      value: (row) => budgetOf(row, one).score, show: (row) => withError(budgetOf(row, one)),
      help: "The best time there is / the best found, with its standard error" })),
    { title: "AUC", numeric: true, best: "high", value: (row) => full(row).auc, show: (row) => scoreText(full(row).auc),
      help: `The mean of the score so far over ${formatThousands(budget)} evaluations` },
    { title: "To 5 %", numeric: true, value: (row) => full(row).within_5_percent ?? Infinity, show: (row) => nearText(full(row).within_5_percent, full(row).within_5_percent_mean, budget),
      help: "Evaluations until half of the runs were within 5 % of the best; in the mean, runs that never were count as ended" },
    { title: "To 1 %", numeric: true, value: (row) => full(row).within_1_percent ?? Infinity, show: (row) => nearText(full(row).within_1_percent, full(row).within_1_percent_mean, budget),
      help: "Evaluations until half of the runs were within 1 % of the best; in the mean, runs that never were count as ended" },
    { title: "Own µs", numeric: true, value: (row) => row.question_us?.median,
      show: (row) => row.question_us && `${formatUs(row.question_us.median)}, mean ${formatUs(row.question_us.mean)}`,
      help: "What the strategy itself took for a question: the median and the mean, measured where the replay ran" },
  ];
}

function scoreTable(data, label, scores) {
  return sortableTable({ label, columns: scoreColumns(data), rows: scores });
}

// The best strategy at this budget, except exact random search.
function bestStrategy(scores, budget) {
  const guided = scores.filter((one) => !one.exact);
  return guided.reduce((a, b) => (budgetOf(b, budget).score > budgetOf(a, budget).score ? b : a));
}

function convergenceSummary(scores, budget) {
  const best = bestStrategy(scores, budget), random = scores.find((one) => one.exact);
  return `After ${plural(budget, "evaluation")} ${best.strategy} reaches ${scoreText(budgetOf(best, budget).score)} of the best there is, ` +
    `random search ${scoreText(budgetOf(random, budget).score)}.`;
}

function plural(count, one) {
  return counted(count, one, `${one}s`);
}

const everyBand = "every strategy", noBand = "none";

// More bands than this only hide each other.
const mostBands = 3;

function bandedNames(scores, band) {
  const names = scores.filter((one) => !one.exact).map((one) => one.strategy);
  return band === everyBand ? names : names.filter((name) => name === band);
}

function firstBand(scores, budget) {
  return scores.filter((one) => !one.exact).length <= mostBands ? everyBand : bestStrategy(scores, budget).strategy;
}

function convergenceFigure({ title, scores, summaryScores = scores, budget, band = firstBand(summaryScores, budget), controls = "", level = "h2" }) {
  return chartFigure({
    title, level, controls, summary: convergenceSummary(summaryScores, budget),
    spec: (palette, width) => report.convergenceChart(scores, budget, bandedNames(scores, band), palette, width),
    note: "Lines are means over the runs, bands hold the middle half of them; random search is exact.",
    table: () => [["evaluations", ...scores.map((one) => one.strategy)],
      budgetOf(scores[0], budget).curve.at.map((at, i) => [at, ...scores.map((one) => scoreText(budgetOf(one, budget).curve.mean[i]))])],
  });
}

// A figure with a choice of budget and band; a new choice redraws the figure in place.
function chosenFigure(data, recording) {
  const holder = element("div", { class: "holder" });
  const scores = recording.scores;
  let budget = largestBudget(data), band = firstBand(scores, budget);
  function fill() {
    dropCharts(holder);
    const controls = [];
    if (data.budgets.length > 1)
      controls.push(select("Budget", data.budgets.map(String), String(budget), (value) => { budget = Number(value); fill(); }));
    controls.push(select("Band of", [everyBand, ...bandedNames(scores, everyBand), noBand], band, (value) => { band = value; fill(); }));
    holder.replaceChildren(convergenceFigure({ title: "Convergence", scores, budget, band, controls }));
    if (holder.isConnected) startCharts();
  }
  fill();
  return holder;
}

function recordingFacts(recording) {
  const pairs = [["Kernel", recording.kernel], ["Problem", recording.problem], ["Device", recording.device],
    ["Configurations", formatThousands(recording.configurations)], ["With a time", formatThousands(recording.succeeded)],
    ["Pruned", recording.pruned ? formatThousands(recording.pruned) : ""], ["Best", `${formatUs(recording.best_us)} µs`],
    ["Read from", `${recording.file} (${recording.format})`]];
  return element("dl", { class: "facts" }, pairs.filter(([, text]) => text).map(([name, text]) =>
    element("div", {}, element("dt", {}, name), element("dd", {}, text))));
}

function recordingView(data, recording) {
  return [
    element("div", { class: "head" }, element("div", { class: "title" }, element("h1", { tabindex: "-1" }, recording.name), badge(recording.kind)),
      element("p", { class: "lead" }, convergenceSummary(recording.scores, largestBudget(data)))),
    element("section", { class: "card whole" }, element("h2", {}, "Scores"), scoreTable(data, `Scores on ${recording.name}`, recording.scores)),
    chosenFigure(data, recording),
    element("section", { class: "card" }, element("h2", {}, "The recording"), recordingFacts(recording),
      recording.notes.length ? element("ul", { class: "notes" }, recording.notes.map((text) => element("li", {}, text))) : ""),
  ];
}

function planWords(data) {
  return `${plural(data.recordings.length, "recording")}; ${plural(data.repeats, "run")} of each strategy at ` +
    `${data.budgets.length === 1 ? "a budget" : "budgets"} of ${data.budgets.map(formatThousands).join(", ")}, from seed ${data.seed}, ` +
    `${plural(data.in_flight, "question")} at a time. A score is the best time there is / the best found: 1 is the best, 0 that nothing succeeded.`;
}

// A strategy's options, if any were given: "genetic population=30".
function optionsList(data) {
  const changed = data.strategies.filter((one) => Object.keys(one.options).length);
  if (!changed.length) return "";
  return element("ul", { class: "notes" }, changed.map((one) =>
    element("li", {}, `${one.name}: ${Object.entries(one.options).map(([name, value]) => `${name}=${value}`).join(" ")}`)));
}

function overviewView(data) {
  const several = data.recordings.length > 1, budget = largestBudget(data);
  const mean = several ? data.mean : data.recordings[0].scores;
  const curves = several ? report.meanCurves(data.recordings, budget) : data.recordings[0].scores;
  return [
    element("div", { class: "head" }, element("h1", { tabindex: "-1" }, "Strategies"), element("p", { class: "lead" }, planWords(data)), optionsList(data)),
    element("section", { class: "card whole" },
      element("h2", {}, several ? `Mean over ${plural(data.recordings.length, "recording")}` : "Scores"), scoreTable(data, "Scores", mean)),
    curves ? convergenceFigure({ title: several ? "Convergence, mean of the recordings" : "Convergence", scores: curves, summaryScores: mean, budget }) : "",
    several ? element("section", {}, element("div", { class: "title section" }, element("h2", {}, "Recordings")),
      element("div", { class: "grid" }, data.recordings.map((recording) =>
        convergenceFigure({ title: recording.name, scores: recording.scores, budget, level: "h3" })))) : "",
  ];
}
