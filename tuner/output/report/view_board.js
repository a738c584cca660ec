// One problem on one device: the leaders, the course of the search, the reliability of the times, the failures.

// Columns of the sweep's objectives and metrics; the time has a column anyway.
function goalColumns(board) {
  if (!board.goal) return [];
  const column = (name, value, best) => ({ title: name, numeric: true, best, value, show: (entry) => report.formatMetric(value(entry)) });
  const objectives = board.goal.objectives.flatMap((objective, i) => (["time", "time_us"].includes(objective.name) ? [] :
    [column(objective.name, (entry) => entry.objectives[i], objective.maximize ? "high" : undefined)]));
  const named = new Set(board.goal.objectives.map((objective) => objective.name));
  const metrics = board.goal.metrics.flatMap((name, i) => (named.has(name) ? [] : [column(name, (entry) => entry.metrics[i])]));
  return [...objectives, ...metrics];
}

function leaderboardColumns(board) {
  const flops = board.entries.some((entry) => report.perSecond(board.work.flops, entry.us) >= 1000) ? 1e3 : 1;
  const any = (name) => board.entries.some((entry) => isNumber(entry[name]));
  const ranked = Boolean(board.ranking);
  const finalists = new Set(ranked ? board.ranking.finalists.map((finalist) => finalist.trial) : []);
  const mark = (entry) => entry.front ? "*" : (ranked && !finalists.has(entry.trial) ? "~" : board.counts.tied > 1 && entry.tied ? "=" : "");
  const has = (parameter) => board.entries[0] && parameter.name in board.entries[0].values;
  // The winner's parameters come first: those of other variants are mostly empty there.
  const varied = board.parameters.filter((parameter) => parameter.values.length > 1).sort((a, b) => has(b) - has(a));
  const repro = (entry) => `warpwright repro ${entry.trial}${board.database.repro_options}`;
  const columns = [
    { title: "Rank", numeric: true, value: (entry) => entry.rank, head: true,
      show: (entry) => [element("abbr", { title: mark(entry) === "*" ? "on the Pareto front" : mark(entry) === "=" ? "ties with the best" : mark(entry) === "~" ? "only screened" : null },
        mark(entry)), String(entry.rank)] },
    { title: board.kind === "modelled" ? "Model µs" : "Median µs", numeric: true, time: true, value: (entry) => entry.us, show: (entry) => formatUs(entry.us) },
    { title: "95 % interval", numeric: true, skip: !any("low"), value: (entry) => (isNumber(entry.low) ? (entry.high - entry.low) / entry.us : null),
      show: (entry) => formatHalfWidth(entry.us, entry.low, entry.high) },
    ...goalColumns(board),
    { title: "vs best", numeric: true, skip: Boolean(board.goal) && !board.goal.by_time, value: (entry) => entry.slowdown, show: (entry) => formatRatio(1 / entry.slowdown),
      help: "Best time / this time" },
    { title: "Copy", value: (entry) => entry.rank, help: "The configuration, as `warpwright profile` and `bench` take it",
      show: (entry) => copyButton(report.configurationOption(entry), `the configuration of rank ${entry.rank}`) },
    { title: "GB/s", numeric: true, best: "high", skip: !(board.work.bytes > 0), value: (entry) => report.perSecond(board.work.bytes, entry.us),
      show: (entry) => formatRate(report.perSecond(board.work.bytes, entry.us)) },
    { title: flops > 1 ? "TFLOP/s" : "GFLOP/s", numeric: true, best: "high", skip: !(board.work.flops > 0),
      value: (entry) => report.perSecond(board.work.flops, entry.us), show: (entry) => formatRate(report.perSecond(board.work.flops, entry.us) / flops) },
    { title: "Version", skip: !board.entries.some((entry) => entry.version), value: (entry) => entry.version, help: "The name that a sweep or the contract gives it" },
    { title: "Variant", value: (entry) => entry.variant },
    ...varied.map((parameter) => ({ title: parameter.name, numeric: parameter.values.every(isNumber),
      value: (entry) => entry.values[parameter.name], show: (entry) => parameter.name in entry.values ? String(entry.values[parameter.name]) : null })),
    { title: "Registers", numeric: true, skip: !any("registers"), value: (entry) => entry.registers, help: "Per thread" },
    { title: "Shared B", numeric: true, skip: !any("shared"), value: (entry) => entry.shared, show: (entry) => isNumber(entry.shared) ? formatThousands(entry.shared) : null,
      help: "Shared memory per block" },
    { title: "Spill B", numeric: true, skip: !any("spill"), value: (entry) => entry.spill, help: "Spilled bytes per thread" },
    { title: "Run it alone", value: (entry) => entry.trial,
      show: (entry) => [element("code", {}, repro(entry)), " ", copyButton(repro(entry), `the command of trial ${entry.trial}`)] },
  ];
  return columns.filter((column) => !column.skip);
}

function leaderboardNotes(board) {
  const notes = [];
  if (board.goal) notes.push(...board.goal.words.split("\n").filter(Boolean));
  if (board.counts.tied > 1 && (!board.goal || board.goal.by_time)) {
    notes.push(board.ranking ? "= ties with the best: the rounds of the final ranking cannot tell them apart" :
      board.kind === "modelled" ? "= ties with the best: the model gives the same time" : "= ties with the best: the intervals overlap");
  }
  if (board.ranking && board.counts.ranked > board.ranking.finalists.length)
    notes.push("~ only screened: ordered by the median of a few samples, not in the final ranking");
  const fixed = board.parameters.filter((parameter) => parameter.values.length === 1);
  if (fixed.length) notes.push(`every configuration that takes it has ${fixed.map((parameter) => `${parameter.name}=${parameter.values[0]}`).join(" ")}`);
  if (isNumber(board.floor_us) && board.kind === "measured") {
    notes.push(`an empty kernel takes ${formatUs(board.floor_us)} µs under the same protocol; it is ` +
      `${board.floor_subtracted ? "" : "not "}subtracted`);
  }
  const twins = board.entries.filter((entry) => isNumber(entry.sameAs)).length;
  if (twins) notes.push(`${counted(twins, "configuration compiles", "configurations compile")} to the same machine code as another and ${twins === 1 ? "shares" : "share"} its measurement`);
  if (board.lapsed_ranking) notes.push(`a final ranking does not apply: ${board.lapsed_ranking}; sweep again to renew it`);
  if (board.counts.stale) notes.push(`${counted(board.counts.stale, "trial", "trials")} of older sources not shown: their variants have changed since`);
  if (board.counts.outdated) notes.push(`${counted(board.counts.outdated, "configuration", "configurations")} of older sources: sweep again on ${board.device.id} to renew them`);
  if (board.limit) notes.push(...board.limit.words.split("\n").filter(Boolean));
  return notes;
}

function leaderboardSection(board) {
  if (!board.entries.length) return "";
  return element("section", { class: "card wide" },
    element("div", { class: "title" }, element("h2", {}, "Leaderboard"), boardBadges(board)),
    sortableTable({ label: `Leaderboard of ${board.kernel}, ${board.problem_text}`, columns: leaderboardColumns(board), rows: board.entries,
                    limit: 12, rowClass: (entry) => (entry.tied ? "tied" : null), what: "configurations",
                    search: (entry) => `${report.configurationText(entry)} trial ${entry.trial}` }),
    element("ul", { class: "notes" }, leaderboardNotes(board).map((note) => element("li", {}, note))));
}

function progressFigure(board) {
  const rows = report.progressRows(board);
  const improvements = rows.filter((row) => row.improves);
  if (!improvements.length) return "";
  const last = improvements.at(-1);
  const near = improvements.find((row) => row.us <= 1.05 * last.us);
  const { failed } = board.counts;
  return chartFigure({
    title: "Search progress", badges: boardBadges(board),
    summary: `After ${plural(near.order, "configuration")} the search was within 5 % of its best, ${formatUs(last.us)} µs, which it met as ` +
      `number ${formatThousands(last.order)} of ${formatThousands(board.counts.trials)}. ${failed ? `${formatThousands(failed)} failed.` : "None failed."}`,
    spec: (palette, width) => report.progressChart(board, palette, width),
    table: () => [["tried", "best so far, µs", "configuration", "trial"],
      improvements.map((row) => [row.order, formatUs(row.us), report.configurationText(row.trial), row.trial.trial])],
  });
}

function courseFigure(board) {
  if (!board.search || !board.search.steps.length) return "";
  const rows = report.courseRows(board).filter((row) => row.found);
  return chartFigure({
    title: `Search of run ${board.search.run}`, badges: boardBadges(board),
    summary: board.search.words.trim().replace(/\n\s*/g, ". "),
    spec: (palette, width) => report.courseChart(board, palette, width),
    table: () => [["answers", "seconds", board.search.objective || "best so far, µs", "idea of"],
      rows.map((row) => [row.answers, formatUs(row.seconds), formatUs(row.cost), row.asker])],
  });
}

function frontFigure(board) {
  if (!report.hasFront(board)) return "";
  const rows = report.frontRows(board);
  const front = rows.filter((row) => row.front);
  const names = board.goal.objectives.map((objective) => objective.name);
  return chartFigure({
    title: "Pareto front", badges: boardBadges(board),
    summary: `${formatThousands(front.length)} of ${formatThousands(rows.length)} configurations are on the front of ${names.join(" and ")}: ` +
      "no other is as good in every objective and better in one." + (names.length > 2 ? ` Drawn are the first two of ${names.length}.` : ""),
    spec: (palette, width) => report.frontChart(board, palette, width),
    table: () => [["rank", ...names, "configuration"],
      front.map(({ entry }) => [entry.rank, ...entry.objectives.map(report.formatMetric), report.configurationText(entry)])],
  });
}

function landscapeFigure(board) {
  if (board.entries.length < 2) return "";
  const slowdowns = board.entries.map((entry) => entry.slowdown);
  // Counts all configurations, even if the page holds only a part of them.
  const within = (share) => board.landscape.near_best.find((near) => near.within === share).configurations;
  return chartFigure({
    title: "All times, best first", badges: boardBadges(board),
    summary: `Of ${formatThousands(board.counts.ranked)} timed configurations ${formatThousands(within(0.05))} lie within 5 % of the best ` +
      `(below the dashed line) and ${formatThousands(within(0.25))} within 25 %; the slowest takes ${formatRatio(Math.max(...slowdowns))} the best time.`,
    spec: (palette, width) => report.landscapeChart(board, palette, width),
    table: () => [["rank", "µs", "time / best", "configuration"],
      board.entries.map((entry) => [entry.rank, formatUs(entry.us), formatRatio(entry.slowdown), report.configurationText(entry)])],
  });
}

function histogramFigure(board) {
  if (!board.landscape) return "";
  const { landscape } = board;
  const minima = landscape.local_minima;
  const good = landscape.near_best.find((near) => near.within === 0.05);
  const half = landscape.quantiles.find((quantile) => quantile.fraction === 0.5);
  return chartFigure({
    title: "How hard the space is", badges: boardBadges(board),
    summary: `Half of the configurations take ${formatRatio(half.slowdown)} the best time or less; ` +
      `${counted(good.configurations, "is", "are")} within 5 %. ` +
      (landscape.trials_for_good ? `Random search needs ${plural(landscape.trials_for_good, "trial")} to meet one of those with a chance of 95 %. ` : "") +
      `${counted(minima.minima, "local minimum", "local minima")}, of them ${formatThousands(minima.good)} within 5 % of the best.`,
    spec: (palette, width) => report.histogramChart(board, palette, width),
    table: () => [["time / best from", "to", "timed", "pruned"],
      landscape.bins.map((bin) => [formatRatio(bin.low), formatRatio(bin.high), bin.timed, bin.pruned])],
  });
}

function samplesFigure(board) {
  const rows = report.sampleRows(board);
  if (!rows.length) return "";
  return chartFigure({
    title: "Samples of the first configurations", badges: boardBadges(board),
    summary: `A mark for every sample${rows[0].sample.rounds ? " (of finalists, for every round of the final ranking)" : ""}, a dot for the ` +
      `median, a bar for its 95 % interval. ${rows[0].label}, ${plural(rows[0].sample.taken, rows[0].sample.rounds ? "round" : "sample")}: ${timeText(rows[0].entry)}.`,
    note: rows.some((row) => row.sample.taken > row.sample.us.length) ? "An even sample of a long series is shown." : "",
    spec: (palette, width) => report.samplesChart(board, palette, width),
    table: () => [["rank", "median µs", "interval", "fastest", "slowest", "samples or rounds", "configuration"],
      rows.map(({ sample, entry }) => [entry.rank, formatUs(entry.us), formatHalfWidth(entry.us, entry.low, entry.high),
        formatUs(Math.min(...sample.us)), formatUs(Math.max(...sample.us)), sample.taken, report.configurationText(entry)])],
  });
}

const timeText = report.timeText;

function rankingFigure(board) {
  if (!board.ranking) return "";
  const { finalists, rounds, confidence, decided_by: decidedBy } = board.ranking;
  const tied = finalists.filter((finalist) => finalist.tied).length;
  const byTrial = new Map(board.entries.map((entry) => [entry.trial, entry]));
  return chartFigure({
    title: "Final ranking", badges: boardBadges(board),
    summary: `${plural(finalists.length, "finalist")} met in ${plural(rounds, "round")}; ` + (tied > 1 ?
      `${tied} tie at ${formatPercent(confidence)} confidence${decidedBy ? `, the winner was chosen by ${decidedBy}` : ""}.` :
      `the winner is faster than the others at ${formatPercent(confidence)} confidence.`),
    spec: (palette, width) => report.rankingChart(board, palette, width),
    table: () => [["place", "µs in the rounds", "ties", "slower than the winner", "from", "to", "configuration"],
      finalists.map((finalist) => [finalist.place, formatUs(finalist.us), finalist.tied ? "yes" : "no", formatPercent(finalist.relative - 1),
        formatPercent(finalist.low - 1), formatPercent(finalist.high - 1),
        byTrial.has(finalist.trial) ? report.configurationText(byTrial.get(finalist.trial)) : `trial ${finalist.trial}`])],
  });
}

// The constraint that the space lacks, if the data show one.
function adviceOf(group) {
  const { constraints, failures, kept, problems, note } = group.advice;
  const over = problems > 1 ? `, over ${problems} problems` : "";
  return [
    constraints.map((hint) => element("p", { class: "suggestion" }, "Add to the sweep's constraints: ", element("code", {}, hint.expression), " ",
      copyButton(`"${hint.expression}"`, "the constraint"),
      ` ${hint.documented ? "Named by the reasons; seen" : "Seen"} in ${hint.excludes} of ${counted(failures, "failure", "failures")} and none of ${counted(kept, "pass", "passes")}${over}.`,
      hint.alternatives.length ? [" As simple, and true of the same: ", hint.alternatives.map((other) => [element("code", {}, other), " "])] : "")),
    note ? element("p", { class: "note" }, note) : "",
  ];
}

function failuresSection(board) {
  if (!board.failures.length) return "";
  const total = board.failures.reduce((sum, group) => sum + group.count, 0);
  const groups = board.failures.map((group) => {
    const repro = `warpwright repro ${group.trial}${board.database.repro_options}`;
    return element("li", {},
      element("div", { class: "title" }, element("span", { class: "badge failed" }, group.status.replace("_", " ")),
        element("strong", {}, formatThousands(group.count)), element("span", { class: "cause" }, group.cause)),
      adviceOf(group),
      element("details", {}, element("summary", {}, "An example"), element("p", {}, element("code", {}, group.configuration)),
        element("pre", { tabindex: "0", role: "region", "aria-label": "Full reason" }, group.example),
        element("p", {}, element("code", {}, repro), " ", copyButton(repro, `the command of trial ${group.trial}`))));
  });
  return element("section", { class: "card wide" }, element("h2", {}, "What failed"),
    element("p", {}, `${plural(total, "configuration")} failed, for ${plural(board.failures.length, "cause")}.`),
    element("ol", { class: "failures" }, groups));
}

function remarksSection(board) {
  if (!board.remarks.length) return "";
  const about = { checkers: "checkers object", parameter: "no effect", compiler: "compiler" };
  const items = board.remarks.map((remark) => element("li", {},
    element("div", { class: "title" }, element("span", { class: "badge" }, about[remark.about]),
      element("strong", {}, plural(remark.configurations, "configuration"))),
    element("p", {}, remark.text)));
  return element("section", { class: "card wide" }, element("h2", {}, "Passed, but worth a look"),
    element("ol", { class: "failures" }, items));
}

// Shows outputs that pass on this problem without being computed, and inputs that do not matter.
function contractSection(board) {
  if (!board.contract_remarks.length) return "";
  const items = board.contract_remarks.map((remark) => element("li", {},
    element("div", { class: "title" }, element("span", { class: "badge" }, remark.code.replaceAll("_", " "))),
    element("p", {}, remark.text)));
  return element("section", { class: "card wide" }, element("h2", {}, "What the contract leaves untested"),
    element("ol", { class: "failures" }, items));
}

function secondsSentence(board) {
  const { compiling, cases, inputs, validation, samples } = board.seconds;
  const parts = [["compiling", compiling], ["cases", cases], ["inputs and references", inputs], ["validation", validation],
    ["samples", samples]].filter(([, seconds]) => isNumber(seconds) && seconds > 0);
  if (!parts.length) return "";
  return element("p", { class: "note" }, "Where the time of its trials went: " +
    parts.map(([what, seconds]) => `${what} ${Number(seconds.toPrecision(3))} s`).join(", ") +
    ". Compilers work side by side; a GPU runs one trial at a time.");
}

function headlineTiles(board) {
  const best = bestOf(board);
  const headline = board.ranking?.headline || {};
  const tiles = [];
  if (best) {
    tiles.push(tile(`Best, ${report.timeWord(board)}`, `${formatUs(best.us)} µs`, formatHalfWidth(best.us, best.low, best.high)));
    const bytes = rateText(board.work.bytes, board);
    if (bytes) tiles.push(tile("Bandwidth", `${bytes} GB/s`, "of the bytes its contract counts"));
    if (limitText(board)) tiles.push(tile(board.limit.modelled ? "Of the model's limit" : "Of the limit", limitText(board),
      `${formatUs(board.limit.us)} µs, ${board.limit.bound}-bound by ${board.limit.ceiling}`));
    for (const [over, words] of [[board.over_default, "Over the defaults"], [board.over_baseline, "Over the baseline"]]) {
      if (over) tiles.push(tile(words, `${over.at_least ? "≥ " : ""}${formatRatio(over.factor)}`, "by tuning"));
    }
    tiles.push(tile("Ties", board.counts.tied > 1 ? formatThousands(board.counts.tied - 1) : "none", "that tie with it"));
  }
  tiles.push(tile("Configurations", formatThousands(board.counts.trials), `${formatThousands(board.counts.ranked)} timed, ` +
    `${formatThousands(board.counts.failed)} failed` + (board.counts.pruned ? `, ${formatThousands(board.counts.pruned)} pruned` : "") +
    (board.counts.noisy ? `, ${formatThousands(board.counts.noisy)} noisy` : "")));
  if (headline.hot) tiles.push(tile("Hot", `${formatUs(headline.hot.median_us)} µs`, headline.hot.l2_resident ? "resident in L2" : "more bytes than L2 holds"));
  if (headline.slope) tiles.push(tile("Back to back", `${formatUs(headline.slope.us)} µs`, "per launch, by the slope"));
  if (headline.end_to_end && isNumber(headline.end_to_end.cached_us)) tiles.push(tile("End to end", `${formatUs(headline.end_to_end.cached_us)} µs`, "host clock, call to completion"));
  if (isNumber(headline.energy_mj_per_launch)) tiles.push(tile("Energy", `${Number(headline.energy_mj_per_launch.toPrecision(4))} mJ`, "per launch"));
  return element("dl", { class: "tiles" }, tiles);
}

function boardView(data, boards, board) {
  const best = bestOf(board);
  const leftOut = board.counts.left_out ? element("p", { class: "warning card wide" },
    `${formatThousands(board.counts.left_out)} of ${formatThousands(board.counts.trials)} configurations are not on this page.`) : "";
  const neighbour = (step, text) => {
    const other = boards[board.index + step];
    return other ? element("a", { class: "button", href: `#problem-${other.index}`, "aria-label": `${text}: ${other.kernel}, ${other.problem_text}` }, text) : "";
  };
  return [
    element("div", { class: "head" },
      element("div", { class: "title" }, element("h1", { tabindex: "-1" }, `${board.kernel} `, element("span", { class: "problem" }, board.problem_text)),
        element("span", { class: "steps" }, neighbour(-1, "Previous"), neighbour(1, "Next"))),
      element("p", { class: "lead" }, boardBadges(board), ` on ${board.device.name}${board.device.id ? ` (${board.device.id})` : ""}` +
        `${board.device.driver ? `, driver ${board.device.driver}` : ""}${board.protocol ? `, protocol ${board.protocol}` : ""}`),
      best ? element("p", { class: "winner" }, "Best: ", element("code", {}, report.configurationText(best)), " ",
        copyButton(report.configurationOption(best), "the best configuration")) :
        element("p", { class: "winner" }, "Nothing passed on this problem.")),
    headlineTiles(board),
    secondsSentence(board),
    leftOut,
    leaderboardSection(board),
    element("div", { class: "grid" }, frontFigure(board), progressFigure(board), courseFigure(board), landscapeFigure(board), samplesFigure(board), rankingFigure(board), histogramFigure(board)),
    historySection(board),
    parametersSection(board),
    contractSection(board),
    failuresSection(board),
    remarksSection(board),
  ];
}
