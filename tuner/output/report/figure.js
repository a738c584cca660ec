// A chart with its title, a summary in words, and its numbers as a table.

const liveCharts = new Set();

function currentPalette() {
  return report.palettes[document.documentElement.dataset.theme];
}

async function draw(chart) {
  chart.width = chart.box.clientWidth;
  const spec = chart.spec(currentPalette(), chart.width);
  const result = await vegaEmbed(chart.box, spec, {
    renderer: "svg", actions: false, ast: true, defaultStyle: false, loader: noLoader,
    tooltip: { disableDefaultStyle: true, id: "tooltip", theme: "custom" },
  });
  // Dispose of the previous drawing, which may have been made meanwhile.
  if (chart.result) chart.result.finalize();
  chart.result = result;
  chart.box.dataset.drawn = document.documentElement.dataset.theme;
}

// The page fetches nothing; its policy would refuse it anyway.
const noLoader = {
  load: () => Promise.reject(new Error("this page loads nothing")),
  sanitize: () => Promise.reject(new Error("this page links nowhere")),
  http: () => Promise.reject(new Error("this page loads nothing")),
  file: () => Promise.reject(new Error("this page loads nothing")),
};

function showChart(chart) {
  draw(chart).catch((error) => {
    console.error(error);
    chart.box.replaceChildren(element("p", {}, `This chart could not be drawn: ${error.message}`));
  });
}

// Charts are drawn once they are on the page, since their width follows from their place in it.
function startCharts() {
  for (const chart of liveCharts) if (!chart.width && chart.box.isConnected) showChart(chart);
}

function redrawCharts() {
  for (const chart of liveCharts) showChart(chart);
}

// A chart depends on its width, because labels go where there is room. Charts are redrawn when it changes.
function followWidth() {
  let timer = null;
  addEventListener("resize", () => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      for (const chart of liveCharts) if (chart.box.clientWidth !== chart.width) showChart(chart);
    }, 150);
  });
}

function dropCharts(within = document) {
  for (const chart of [...liveCharts]) {
    if (!within.contains(chart.box)) continue;
    if (chart.result) chart.result.finalize();
    liveCharts.delete(chart);
  }
}

// {title, summary, note?, badges?, controls?, spec(palette, width), table: () => [titles, rows], class?}
function chartFigure({ title, summary, note, badges = "", controls = "", spec, table, kind = "", level = "h3" }) {
  const box = element("div", { class: "chart", role: "img", "aria-label": `${title}. ${summary}` });
  liveCharts.add({ box, spec });
  const numbers = element("details", {}, element("summary", {}, "Show the numbers"));
  numbers.addEventListener("toggle", () => {
    if (numbers.open && numbers.children.length === 1) numbers.append(...plainTable(`${title}: the numbers`, ...table()).filter(Boolean));
  });
  return element("figure", { class: `card plot ${kind}` },
    element("figcaption", {}, element("div", { class: "title" }, element(level, {}, title), badges), element("p", {}, summary)),
    controls ? element("div", { class: "controls" }, controls) : "", box,
    note ? element("p", { class: "note" }, note) : "", table ? numbers : "");
}
